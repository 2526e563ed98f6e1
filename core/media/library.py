"""The media library: uploads, details and uses of pictures, deletion."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, InvalidInput, Unavailable
from core.live import LiveKind
from core.media.folders import temporary_folder
from core.media.pictures import MediaService
from core.media.repository import ALL_KINDS, FoundMedia, MediaOrigin, MediaRepository, MediaSort, Use
from core.media.rules.media import (
    BEGINNING,
    UNDO,
    UPLOAD_BYTES,
    MediaKind,
    clean_name,
    file_name,
    kind_of,
    upload_megabytes,
)
from core.media.tables import Media
from core.media.uploads import CleanedUpload
from core.texts.rules.tags import checked_tags

_AT_ONCE = 4
"""Uploads decoded or stored at the same time, since their results are in memory."""
_SWEPT = 500
_NAMED = 5


@dataclass(frozen=True)
class Uploaded:
    media: Media
    known: bool
    """Whether the picture was in the library already."""
    first_frame_only: bool
    """Whether the file is animated and this is its first frame."""
    page_sizes_differ: bool
    """Whether a document's pages have several sizes."""


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
        kind: MediaKind | None = None,
        origin: MediaOrigin | None,
        sort: MediaSort,
        offset: int,
        limit: int,
    ) -> FoundMedia:
        """Return a page without deleted files. `search` matches name, alt text and tags."""
        async with self.sessions() as session:
            return await MediaRepository(session).page(
                user_id, search=search, tag=tag, kind=kind, origin=origin, sort=sort, offset=offset, limit=limit
            )

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Return each tag with its number of pictures, most used first."""
        async with self.sessions() as session:
            return await MediaRepository(session).tags(user_id)

    async def upload(self, user_id: UUID, name: str, chunks: AsyncIterator[bytes], *, video: bool = False) -> Uploaded:
        """Save an upload after its check: a picture turned upright and with everything except the pixels removed, a
        document as it is, a video packed anew as MP4. Refuse a video unless `video`, and then anything else, as soon as
        its first bytes are there.

        Raise InvalidInput: too_large (20 MB, 100 MB for a document, 1 GB for a video), and as `Decoder.check`;
        Unavailable (storage_unavailable), also if there is no space for temporary files.
        """
        with temporary_folder() as folder:
            original = folder / "original"
            kind = await _receive(chunks, original, video=video)
            if video:  # it takes minutes, and is never in memory as a whole
                return await self._keep(user_id, name, original, kind)
            async with self._keeping:
                return await self._keep(user_id, name, original, kind)

    async def _keep(self, user_id: UUID, name: str, original: Path, kind: MediaKind) -> Uploaded:
        cleaned: CleanedUpload = await self.media.decoder.check(original, kind)
        media, was_stored = await self.media.keep_upload(user_id, cleaned, file_name(name))
        return Uploaded(media, was_stored, cleaned.first_frame_only, cleaned.page_sizes_differ)

    @cached_property
    def _keeping(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(_AT_ONCE)

    async def get(self, user_id: UUID, media_id: UUID) -> tuple[Media, list[Use]]:
        async with self.sessions() as session:
            media = MediaRepository(session)
            return await media.get(user_id, media_id, kinds=ALL_KINDS), await media.uses(user_id, media_id)

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
        """None leaves a value unchanged. Raise Conflict (stale_version) if the picture was changed since `version`;
        InvalidInput: content_too_long on `tags.<index>`."""
        cleaned = None if tags is None else checked_tags(tags)
        async with self.sessions.begin() as session:
            row = await MediaRepository(session).get(user_id, media_id, lock=True, kinds=ALL_KINDS)
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
        """Delete a picture; it can be restored for a day. Raise Conflict (in_use, with the names in `by`) while a
        scheduled post needs it."""
        async with self.sessions.begin() as session:
            media = MediaRepository(session)
            # the lock keeps posts from using the picture
            row = await media.get(user_id, media_id, lock=True, kinds=ALL_KINDS)
            if names := [use.name for use in await media.uses(user_id, media_id) if use.blocks]:
                raise Conflict(ErrorCode.in_use, by=", ".join(names[:_NAMED]))
            row.deleted_at = utcnow()
            await notify_browsers(session, user_id, LiveKind.media, media_id)

    async def restore(self, user_id: UUID, media_id: UUID) -> Media:
        """Undo a deletion. Raise Conflict (undo_expired) after a day."""
        async with self.sessions.begin() as session:
            row = await MediaRepository(session).get(user_id, media_id, deleted=True, lock=True, kinds=ALL_KINDS)
            if row.deleted_at is not None:
                if row.deleted_at < utcnow() - UNDO:
                    raise Conflict(ErrorCode.undo_expired)
                row.deleted_at = None
                await notify_browsers(session, user_id, LiveKind.media, media_id)
        return row

    async def sweep(self) -> int:
        """Remove files and rows of pictures deleted a day ago and not shown any more. Return their number.

        Raise Unavailable (storage_unavailable); the rest then waits for the next sweep.
        """
        before, removed = utcnow() - UNDO, 0
        async with self.sessions() as session:
            expired = await MediaRepository(session).expired(before, _SWEPT)
        for user_id, media_id in expired:
            async with self.sessions.begin() as session:
                media = MediaRepository(session)
                row = await media.lock_expired(user_id, media_id, before)
                if row is None:
                    continue
                # storing the same bytes waits for this transaction
                await self.media.remove(row)
                await media.delete(row)
                removed += 1
        return removed


async def _receive(chunks: AsyncIterator[bytes], file: Path, *, video: bool) -> MediaKind:
    """Write the chunks to a file. Return the kind that it begins like.

    Raise InvalidInput: too_large as soon as the limit of this kind is exceeded; video_type_refused if it is no video
    but should be one, image_type_refused if it is one but should not; Unavailable (storage_unavailable) if the disk is
    full."""
    size, beginning, kind = 0, b"", MediaKind.image
    try:
        with await asyncio.to_thread(file.open, "wb") as received:
            async for chunk in chunks:
                size += len(chunk)
                if len(beginning) < BEGINNING:
                    beginning += chunk[:BEGINNING]
                    kind = kind_of(beginning)
                    if len(beginning) >= BEGINNING:
                        _check_kind(kind, video=video)
                if size > UPLOAD_BYTES[kind]:
                    raise InvalidInput(ErrorCode.too_large, limit=upload_megabytes(kind))
                await asyncio.to_thread(received.write, chunk)
    except OSError as error:
        raise Unavailable(ErrorCode.storage_unavailable, reason=type(error).__name__) from error
    _check_kind(kind, video=video)
    return kind


def _check_kind(kind: MediaKind, *, video: bool) -> None:
    if video and kind is not MediaKind.video:
        raise InvalidInput(ErrorCode.video_type_refused, found="")
    if not video and kind is MediaKind.video:
        raise InvalidInput(ErrorCode.image_type_refused, problem="other_kind")
