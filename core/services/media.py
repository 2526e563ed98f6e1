"""Pictures: stored once per user, shown by signed addresses."""

import hashlib
import time
from dataclasses import dataclass
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

_DAY = 86_400
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}


@dataclass(frozen=True)
class MediaService:
    sessions: Sessions
    storage: Storage
    vault: Vault
    public_url: str

    async def store(self, user_id: UUID, picture: Picture) -> Media:
        """The same bytes give the same row, so a repeated step stores nothing twice."""
        digest = hashlib.sha256(picture.data).hexdigest()
        key = f"{user_id}/{digest}.{_ENDINGS[picture.mime]}"
        await self.storage.put(key, picture.data, picture.mime)
        async with self.sessions.begin() as session:
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
