"""The media library: uploads, what is known of each picture, where it is used, deletion."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, InvalidInput
from core.live import LiveKind
from core.media.pictures import MediaService
from core.media.repository import FoundMedia, MediaOrigin, MediaRepository, MediaSort, Use
from core.media.rules.media import UNDO, UPLOAD_MEGABYTES, clean_name, file_name
from core.media.tables import Media
from core.media.uploads import CleanedUpload
from core.texts.rules.tags import checked_tags

_MEGABYTE = 1024 * 1024  # bytes
_AT_ONCE = 4
"""Uploads that are decoded or stored at the same time: their results are in memory."""
_SWEPT = 500
_NAMED = 5


@dataclass(frozen=True)
class Uploaded:
    media: Media
    known: bool
    """It was here already."""
    first_frame_only: bool
    """The file moves, and this is its first frame."""


@dataclass(frozen=True)
class GalleryService:
    sessions: Sessions
    media: MediaService

    async def page(
        self,
        user_id: UUID,
        *,
        search: str,
        tag: str | None,
        origin: MediaOrigin | None,
        sort: MediaSort,
        offset: int,
        limit: int,
    ) -> FoundMedia:
        """`search` is in name, alt text and tags. What is deleted is not there."""
        async with self.sessions() as session:
            return await MediaRepository(session).page(
                user_id, search=search, tag=tag, origin=origin, sort=sort, offset=offset, limit=limit
            )

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Each tag with its number of pictures, most used first."""
        async with self.sessions() as session:
            return await MediaRepository(session).tags(user_id)

    async def upload(self, user_id: UUID, name: str, chunks: AsyncIterator[bytes]) -> Uploaded:
        """Checked by decoding, turned upright, everything but the pixels removed.

        Raises InvalidInput: too_large (20 MB), image_type_refused, image_truncated, image_unreadable,
        image_too_many_pixels (50 megapixels).
        """
        with tempfile.TemporaryDirectory(prefix="postloom-") as folder:
            original = Path(folder, "original")
            await _receive(chunks, original)
            async with self._keeping:
                cleaned: CleanedUpload = await self.media.decoder.clean(original)
                media, known = await self.media.keep_upload(user_id, cleaned, file_name(name))
        return Uploaded(media, known, cleaned.first_frame_only)

    @cached_property
    def _keeping(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(_AT_ONCE)

    async def get(self, user_id: UUID, media_id: UUID) -> tuple[Media, list[Use]]:
        async with self.sessions() as session:
            media = MediaRepository(session)
            return await media.get(user_id, media_id), await media.uses(user_id, media_id)

    async def change(
        self,
        user_id: UUID,
        media_id: UUID,
        version: int,
        *,
        name: str | None = None,
        alt: str | None = None,
        tags: list[str] | None = None,
    ) -> Media:
        """None leaves a value as it is. Raises Conflict (stale_version) where it was changed since that version;
        InvalidInput: content_too_long on `tags.<index>`."""
        cleaned = None if tags is None else checked_tags(tags)
        async with self.sessions.begin() as session:
            row = await MediaRepository(session).get(user_id, media_id, lock=True)
            if row.version != version:
                raise Conflict(current=row.version)
            row.version += 1
            if name is not None:
                row.name = clean_name(name)
            if alt is not None:
                row.alt = alt
            if cleaned is not None:
                row.tags = list(cleaned)
            await notify_browsers(session, user_id, LiveKind.media, media_id)
        return row

    async def delete(self, user_id: UUID, media_id: UUID) -> None:
        """Can be brought back for a day. Raises Conflict (in_use, with the names in `by`) while a scheduled post
        needs it."""
        async with self.sessions.begin() as session:
            media = MediaRepository(session)
            # while it is locked no post can take it
            row = await media.get(user_id, media_id, lock=True)
            if names := [use.name for use in await media.uses(user_id, media_id) if use.blocks]:
                raise Conflict(ErrorCode.in_use, by=", ".join(names[:_NAMED]))
            row.deleted_at = utcnow()
            await notify_browsers(session, user_id, LiveKind.media, media_id)

    async def restore(self, user_id: UUID, media_id: UUID) -> Media:
        """Raises Conflict (undo_expired)."""
        async with self.sessions.begin() as session:
            row = await MediaRepository(session).get(user_id, media_id, deleted=True, lock=True)
            if row.deleted_at is not None:
                if row.deleted_at < utcnow() - UNDO:
                    raise Conflict(ErrorCode.undo_expired)
                row.deleted_at = None
                await notify_browsers(session, user_id, LiveKind.media, media_id)
        return row

    async def sweep(self) -> int:
        """Removes files and rows of what was deleted a day ago, unless something still shows it. Returns how many.

        Raises Unavailable (storage_unavailable); what is left then waits for the next sweep.
        """
        before, removed = utcnow() - UNDO, 0
        async with self.sessions() as session:
            found = await MediaRepository(session).expired(before, _SWEPT)
        for user_id, media_id in found:
            async with self.sessions.begin() as session:
                media = MediaRepository(session)
                row = await media.lock_expired(user_id, media_id, before)
                if row is None:
                    continue
                # whoever stores the same bytes now waits for this transaction
                await self.media.remove(row)
                await media.delete(row)
                removed += 1
        return removed


async def _receive(chunks: AsyncIterator[bytes], file: Path) -> None:
    """Raises InvalidInput (too_large) as soon as it is."""
    size = 0
    with await asyncio.to_thread(file.open, "wb") as received:
        async for chunk in chunks:
            size += len(chunk)
            if size > UPLOAD_MEGABYTES * _MEGABYTE:
                raise InvalidInput(ErrorCode.too_large, limit=UPLOAD_MEGABYTES)
            await asyncio.to_thread(received.write, chunk)
