"""Pictures: stored once per user, shown by signed addresses."""

import asyncio
import hashlib
import time
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from core.crypto import Vault
from core.database import Sessions
from core.domain.errors import NotFound
from core.domain.ids import new_id
from core.models import Media
from core.providers.pictures.base import Picture
from core.providers.storage import Storage
from core.repositories.leaving import LeavingRepository

_DAY = 86_400
_AT_ONCE = 8
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}


@dataclass(frozen=True)
class MediaService:
    sessions: Sessions
    storage: Storage
    vault: Vault
    public_url: str

    async def store(self, user_id: UUID, picture: Picture) -> Media:
        """The same bytes give the same row, so a repeated step stores nothing twice. Raises NotFound for a user who
        has left."""
        digest = hashlib.sha256(picture.data).hexdigest()
        key = f"{user_id}/{digest}.{_ENDINGS[picture.mime]}"
        # few at once, since each holds a connection while the storage takes its time
        async with self._storing, self.sessions.begin() as session:
            # else a file could arrive after all files of the user were removed, and stay for ever
            if not await LeavingRepository(session).stays(user_id):
                raise NotFound(what="user", id=str(user_id))
            await self.storage.put(key, picture.data, picture.mime)
            await session.execute(
                insert(Media)
                .values(
                    id=new_id(),
                    user_id=user_id,
                    sha256=digest,
                    storage_key=key,
                    mime=picture.mime,
                    width=picture.width,
                    height=picture.height,
                    bytes=len(picture.data),
                    made_by=f"{picture.provider}/{picture.model}"[:100],
                )
                .on_conflict_do_nothing(index_elements=[Media.user_id, Media.sha256])
            )
            stored = await session.scalar(select(Media).where(Media.user_id == user_id, Media.sha256 == digest))
        if stored is None:
            raise NotFound(what="media", id=digest)
        return stored

    @cached_property
    def _storing(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(_AT_ONCE)

    async def remove_files(self, user_id: UUID) -> None:
        """All files of a user, also those without a row. May be repeated; the rows go with the user."""
        await self.storage.clear(str(user_id))

    async def read(self, media: Media) -> bytes:
        return await self.storage.get(media.storage_key)

    def signed_url(self, media_id: UUID) -> str:
        """A path below this installation, valid for one to two days; the same within a day, so that it is cached."""
        expires = (int(time.time()) // _DAY + 2) * _DAY
        signature = self.vault.sign(f"media:{media_id}:{expires}")
        return f"/api/media/{media_id}/file/?expires={expires}&signature={signature}"

    async def read_signed(self, media_id: UUID, expires: int, signature: str) -> tuple[bytes, str, str]:
        """(bytes, type, hash). Raises NotFound for a signature that is wrong or has expired."""
        if expires < time.time() or not self.vault.verify(f"media:{media_id}:{expires}", signature):
            raise NotFound(what="media", id=str(media_id))
        async with self.sessions() as session:
            media = await session.get(Media, media_id)
        if media is None:
            raise NotFound(what="media", id=str(media_id))
        return await self.read(media), media.mime, media.sha256
