"""The files of the media library: stored once per user, shown by signed URLs."""

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.pictures.base import Picture
from core.clock import utcnow
from core.crypto import Vault
from core.database import Sessions, notify_browsers
from core.errors import ErrorCode, InvalidInput, NotFound
from core.live import LiveKind
from core.media.folders import temporary_folder
from core.media.repository import MediaRepository
from core.media.rules.cards import LOSSES
from core.media.rules.media import MP4, PDF, DocumentFacts, MediaKind
from core.media.storage import Storage
from core.media.tables import Media, MediaSource
from core.media.uploads import CleanedUpload, Decoder
from core.networks.registry import channel, channels
from core.networks.rules.channels import ChannelKind, ChannelLimits
from core.texts.rules.tags import clean_tags
from core.users.repositories.deletion import AccountDeletionRepository

_DAY = 86_400
_FETCHED_WITHIN = timedelta(days=1)
_AT_ONCE = 8
_ROOM = 4 * 1024**2  # bytes, for an image and its thumbnail
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif", PDF: "pdf", MP4: "mp4"}
_SMALL = "image/webp"

Added = Callable[[AsyncSession, Media], Awaitable[None]]
"""Called with a new or restored picture, in the transaction that stores it."""


@dataclass(frozen=True)
class MediaService:
    sessions: Sessions
    storage: Storage
    vault: Vault
    public_url: str

    async def store(
        self,
        user_id: UUID,
        picture: Picture,
        *,
        source: MediaSource = MediaSource.ai,
        name: str = "",
        alt: str = "",
        tags: Sequence[str] = (),
        design: dict[str, Any] | None = None,
        facts: dict[str, Any] | None = None,
        by_assistant: bool = False,
        kept: bool = True,
        renewed: Collection[str] = (),
        added: Added | None = None,
    ) -> Media:
        """Store a picture. The same bytes give the same row, so a retry stores nothing twice. A deleted picture is
        restored unchanged, except the columns in `renewed` (of alt, tags, design, facts and card_notes). `design`: a
        card's `CardIn` as JSON; `facts`: its place in a carousel. A picture not `kept` is marked as deleted at once: it
        is in no list but can be shown by id for a day. Raise NotFound if the user is deleted."""
        columns: dict[str, Any] = {
            "made_by": f"{picture.provider}/{picture.model}"[:100],
            "source": source,
            "name": name,
            "alt": alt,
            "tags": list(clean_tags(tags)),
            "design": design,
            "facts": facts,
            "card_notes": [note for note in picture.notes if note in LOSSES],
            "by_assistant": by_assistant,
            "deleted_at": None if kept else utcnow(),
        }
        small = await self.decoder.thumbnail(picture.data)
        cleaned = CleanedUpload(picture.data, picture.mime, picture.width, picture.height, small)
        return (await self._keep(user_id, cleaned, columns, renewed, added))[0]

    async def ensure_room(self) -> None:
        """Raise Unavailable if no image could be stored now."""
        await self.storage.ensure_writable(_ROOM)

    async def keep_upload(self, user_id: UUID, picture: CleanedUpload, name: str) -> tuple[Media, bool]:
        """Store an upload. Return (row, whether it was stored before). Raise NotFound if the user is deleted."""
        columns: dict[str, Any] = {
            "source": MediaSource.upload,
            "made_by": "",
            "name": name,
            "alt": "",
            "tags": [],
            "design": None,
            "card_notes": [],
            "by_assistant": False,
        }
        media, new = await self._keep(user_id, picture, columns)
        return media, not new

    async def keep_document(
        self, user_id: UUID, document: CleanedUpload, *, name: str, made_of: dict[str, Any], by_assistant: bool
    ) -> Media:
        """Store a document that this server made. `made_of`: its pages, title and language. The same bytes give the
        same row, with the new pages. Raise NotFound if the user is deleted."""
        columns: dict[str, Any] = {
            "source": MediaSource.card,
            "made_by": "cards/document",
            "name": name,
            "alt": "",
            "tags": [],
            "design": None,
            "facts": {**(document.facts.to_json() if document.facts else {}), "document": made_of},
            "card_notes": [],
            "by_assistant": by_assistant,
            "deleted_at": None,
        }
        return (await self._keep(user_id, document, columns, ("facts",)))[0]

    async def _keep(
        self,
        user_id: UUID,
        picture: CleanedUpload,
        columns: dict[str, Any],
        renewed: Collection[str] = (),
        added: Added | None = None,
    ) -> tuple[Media, bool]:
        digest, size = await asyncio.to_thread(_digest_and_size, picture.file or picture.data)
        key, small_key = f"{user_id}/{digest}.{_ENDINGS[picture.mime]}", _small_key(user_id, digest)
        if picture.file is not None:
            # before the transaction, which would stay open for as long as a large file takes
            await self._put_missing(key, picture.file, picture.mime)
        # few at once, since each holds a connection while the storage writes
        async with self._storing, self.sessions.begin() as session:
            # else a file could be written after the user's files were removed, and stay for ever
            if not await AccountDeletionRepository(session).lock_remaining(user_id):
                if picture.file is not None:
                    await self.storage.delete(key)
                raise NotFound(what="user", id=str(user_id))
            # the row first: its lock keeps these files from being removed
            media, new = await MediaRepository(session).add(
                {
                    "user_id": user_id,
                    "sha256": digest,
                    "kind": picture.kind,
                    "facts": picture.facts.to_json() if picture.facts else None,
                    "storage_key": key,
                    "thumbnail_key": small_key,
                    "mime": picture.mime,
                    "width": picture.width,
                    "height": picture.height,
                    "bytes": size,
                    **columns,
                },
                renewed=renewed,
            )
            if picture.file is not None:
                # the row that had the same file may have been swept meanwhile
                await self._put_missing(key, picture.file, picture.mime)
            else:
                await self.storage.put(key, picture.data, picture.mime)
            await self.storage.put(small_key, picture.thumbnail, _SMALL)
            if new and added:
                await added(session, media)
            await notify_browsers(session, user_id, LiveKind.media, media.id)
        return media, new

    async def _put_missing(self, key: str, file: Path, mime: str) -> None:
        """Store a file unless it is there: its key says what is in it."""
        try:
            await self.storage.ensure_exists(key)
        except NotFound:
            await self.storage.put(key, file, mime)

    @cached_property
    def decoder(self) -> Decoder:
        return Decoder()

    @cached_property
    def _storing(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(_AT_ONCE)

    async def remove(self, media: Media) -> None:
        """Delete the picture's files. Idempotent."""
        await self.storage.delete(media.storage_key)
        await self.storage.delete(_small_key(media.user_id, media.sha256))
        for network in channels():
            if network.traits.stages_by_url:
                await self.storage.delete(_fitted_key(media, network.kind))

    async def remove_files(self, user_id: UUID) -> None:
        """Delete all files of a user, also those without a row. Idempotent; the rows are deleted with the user."""
        await self.storage.clear(str(user_id))

    async def read(self, media: Media) -> bytes:
        """Return an image. Raise InvalidInput (image_unreadable) for a document or a video, which may be too large for
        the memory."""
        if media.kind is not MediaKind.image:
            raise InvalidInput(ErrorCode.image_unreadable)
        return await self.storage.get(media.storage_key)

    async def read_for(self, media: Media, limits: ChannelLimits) -> tuple[bytes, str]:
        """Return (bytes, MIME type) for a network: the picture itself if it fits the limits, or a JPEG of it."""
        data = await self.read(media)
        if limits.takes(media.mime, media.width * media.height, media.bytes):
            return data, media.mime
        return await self.decoder.fitted(data, limits.max_pixels, limits.max_image_bytes), "image/jpeg"

    async def read_fitting(self, media: Media, most_pixels: int, most_bytes: int) -> bytes:
        """Return a JPEG of the picture within the limits; of a document or a video, one of its thumbnail."""
        data = await (self.read(media) if media.kind is MediaKind.image else self.read_small(media))
        return await self.decoder.fitted(data, most_pixels, most_bytes)

    async def read_small(self, media: Media) -> bytes:
        """Return the thumbnail; make it for a picture of an older release."""
        if media.thumbnail_key is not None:
            return await self.storage.get(media.thumbnail_key)
        small, key = await self.decoder.thumbnail(await self.read(media)), _small_key(media.user_id, media.sha256)
        async with self._storing, self.sessions.begin() as session:
            if await AccountDeletionRepository(session).lock_remaining(media.user_id):
                await MediaRepository(session).add_thumbnail(media, key)
                await self.storage.put(key, small, _SMALL)
        return small

    def signed_url(self, media_id: UUID, *, thumbnail: bool = False, fitted_to: ChannelKind | None = None) -> str:
        """Return a path valid for one to two days. It stays the same within a day, so that browsers cache it."""
        expires = (int(time.time()) // _DAY + 2) * _DAY
        signature = self.vault.sign(_signed(media_id, expires, of=_part(thumbnail, fitted_to)))
        more = ("&thumbnail=true" if thumbnail else "") + (f"&fitted_to={fitted_to}" if fitted_to else "")
        return f"/api/media/{media_id}/file/?expires={expires}&signature={signature}{more}"

    def signed_page_url(self, media_id: UUID) -> str:
        """Return the path of a document's page, with `{page}` for its number; valid as `signed_url`."""
        expires = (int(time.time()) // _DAY + 2) * _DAY
        signature = self.vault.sign(_signed(media_id, expires, of="pages"))
        return f"/api/media/{media_id}/pages/{{page}}/?expires={expires}&signature={signature}"

    async def find_signed_page(self, media_id: UUID, page: int, expires: int, signature: str) -> Media:
        """Return the document. Raise NotFound for a wrong or expired signature, or a page that is not there."""
        if expires < time.time() or not self.vault.verify(_signed(media_id, expires, of="pages"), signature):
            raise NotFound(what="media", id=str(media_id))
        async with self.sessions() as session:
            media = await MediaRepository(session).get_any(media_id)
        if media.kind is not MediaKind.document or page > DocumentFacts.from_json(media.facts or {}).pages:
            raise NotFound(what="media", id=str(media_id))
        return media

    async def read_page(self, media: Media, page: int) -> tuple[bytes, str]:
        """Return (bytes, MIME type) of a picture of a document's page. It is drawn each time: browsers keep it. Raise
        InvalidInput (document_unreadable)."""
        with temporary_folder() as folder:
            document = folder / "document"
            with await asyncio.to_thread(document.open, "wb") as file:
                async for chunk in self.storage.stream(media.storage_key):
                    await asyncio.to_thread(file.write, chunk)
            return await self.decoder.draw_page(document, page), _SMALL

    async def fetch_url(self, media: Media, kind: ChannelKind) -> str:
        """Return the URL for a network that fetches pictures itself, without a token or a redirect: from the bucket if
        it is reached from outside, else from this server. Raise NotFound if the picture's file is missing, or the user
        is deleted."""
        await self.storage.ensure_exists(media.storage_key)
        if media.kind is not MediaKind.image and self.storage.is_reached_outside:
            return await self.storage.signed_url(media.storage_key, _FETCHED_WITHIN)
        if media.kind is not MediaKind.image:
            return f"{self.public_url}{self.signed_url(media.id)}"
        if not self.storage.is_reached_outside:
            return f"{self.public_url}{self.signed_url(media.id, fitted_to=kind)}"
        limits, key = channel(kind).limits, media.storage_key
        if not limits.takes(media.mime, media.width * media.height, media.bytes):
            key, (data, mime) = _fitted_key(media, kind), await self.read_for(media, limits)
            async with self._storing, self.sessions.begin() as session:
                if not await AccountDeletionRepository(session).lock_remaining(media.user_id):
                    raise NotFound(what="user", id=str(media.user_id))
                await self.storage.put(key, data, mime)
        return await self.storage.signed_url(key, _FETCHED_WITHIN)

    async def find_signed(
        self,
        media_id: UUID,
        expires: int,
        signature: str,
        *,
        thumbnail: bool = False,
        fitted_to: ChannelKind | None = None,
    ) -> Media:
        """Return the media whose file the signature is valid for. Raise NotFound if it is wrong or expired."""
        signed = _signed(media_id, expires, of=_part(thumbnail, fitted_to))
        if expires < time.time() or not self.vault.verify(signed, signature):
            raise NotFound(what="media", id=str(media_id))
        async with self.sessions() as session:
            return await MediaRepository(session).get_any(media_id)

    async def read_shown(
        self, media: Media, *, thumbnail: bool = False, fitted_to: ChannelKind | None = None
    ) -> tuple[bytes, str, str]:
        """Return (bytes, MIME type, hash) of an image, or of the thumbnail of any media."""
        if thumbnail:
            return await self.read_small(media), _SMALL, f"{media.sha256}-small"
        if fitted_to:
            data, mime = await self.read_for(media, channel(fitted_to).limits)
            return data, mime, f"{media.sha256}-{fitted_to}"
        return await self.read(media), media.mime, media.sha256


def _digest_and_size(data: bytes | Path) -> tuple[str, int]:
    """Return the SHA-256 in hexadecimal digits, and the number of bytes."""
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest(), len(data)
    with data.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def _small_key(user_id: UUID, digest: str) -> str:
    return f"{user_id}/{digest}.small.webp"


def _fitted_key(media: Media, kind: ChannelKind) -> str:
    """Return the key of the JPEG that a network fetches from the bucket instead of the picture."""
    return f"{media.user_id}/{media.sha256}.{kind}.jpg"


def _part(thumbnail: bool, fitted_to: ChannelKind | None) -> str:
    return "thumbnail" if thumbnail else fitted_to or "media"


def _signed(media_id: UUID, expires: int, *, of: str) -> str:
    """Return the text that is signed; a thumbnail's signature is not valid for the picture."""
    return f"{of}:{media_id}:{expires}"
