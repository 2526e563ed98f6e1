"""Facts of the installation, which belong to no user."""

from typing import Final

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.installation.rules import KeyUse
from core.installation.tables import SecretKeyUse

_LOCK: Final = 7305471
"""Advisory lock of starts that record their keys."""


class InstallationRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def read_revision(self) -> str | None:
        """Return the revision of the database; None if it has no tables."""
        if await self.session.scalar(select(func.to_regclass("alembic_version"))) is None:
            return None
        revision: str | None = await self.session.scalar(text("SELECT version_num FROM alembic_version"))
        return revision

    async def lock_key_uses(self) -> set[tuple[KeyUse, str]]:
        """Return use and fingerprint of the recorded keys. Other starts wait for the end of this transaction."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        rows = await self.session.execute(select(SecretKeyUse.use, SecretKeyUse.fingerprint))
        return {(use, fingerprint) for use, fingerprint in rows}

    async def record_key_use(self, use: KeyUse, fingerprint: str) -> None:
        """Idempotent."""
        statement = insert(SecretKeyUse).values(use=use, fingerprint=fingerprint)
        await self.session.execute(statement.on_conflict_do_nothing())

    async def forget_key_uses(self, use: KeyUse) -> None:
        await self.session.execute(delete(SecretKeyUse).where(SecretKeyUse.use == use))
