"""Facts of the installation, which belong to no user."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.installation.rules import DatabaseIdentity, KeyUse
from core.installation.tables import KnownDatabase, SecretKeyUse

_LOCK: Final = 7305471
"""Advisory lock of starts that record their keys."""
_MAY_READ_CLUSTER: Final = "SELECT has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')"
_CLUSTER: Final = "SELECT system_identifier::text FROM pg_control_system()"
_DATABASE: Final = "SELECT oid::text FROM pg_database WHERE datname = current_database()"
_LAST_CHANGE: Final = """
    SELECT greatest(
        (SELECT max(updated_at) FROM deliveries), (SELECT max(updated_at) FROM posts),
        (SELECT max(updated_at) FROM runs), (SELECT max(seen_at) FROM worker_beats)
    )
"""
_OTHERS: Final = """
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND starts_with(application_name, 'postloom') AND application_name <> :command
    ORDER BY application_name
"""


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

    async def read_identity(self) -> DatabaseIdentity:
        """Return the identity of this database. A copy of the server's files has the same."""
        may_read = await self.session.scalar(text(_MAY_READ_CLUSTER))
        cluster = await self.session.scalar(text(_CLUSTER)) if may_read else None
        return DatabaseIdentity(cluster, await self.session.scalar(text(_DATABASE)))

    async def read_known_databases(self) -> Sequence[tuple[DatabaseIdentity, bool]]:
        """Return the identity of each known database, and whether processes may start on it."""
        rows = await self.session.execute(select(KnownDatabase.identity, KnownDatabase.may_start))
        return [(DatabaseIdentity.from_text(row.identity), row.may_start) for row in rows]

    async def record_database(
        self, identity: DatabaseIdentity, *, may_start: bool = True, restored_at: datetime | None = None
    ) -> None:
        """Idempotent. `restored_at` replaces an earlier time; None keeps it."""
        statement = insert(KnownDatabase).values(identity=str(identity), may_start=may_start, restored_at=restored_at)
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[KnownDatabase.identity],
                set_={
                    "may_start": may_start,
                    "restored_at": func.coalesce(statement.excluded.restored_at, KnownDatabase.restored_at),
                },
            )
        )

    async def restored_at(self) -> datetime | None:
        """Return when the rows were last restored from a backup."""
        found: datetime | None = await self.session.scalar(select(func.max(KnownDatabase.restored_at)))
        return found

    async def last_change(self) -> datetime | None:
        """Return the time of the newest row. It is not later than the backup that the rows come from."""
        found: datetime | None = await self.session.scalar(text(_LAST_CHANGE))
        return found

    async def other_processes(self, command: str) -> Sequence[str]:
        """Return the names of Postloom's other connections to this database, without those of commands (`command`)."""
        rows = await self.session.scalars(text(_OTHERS), {"command": command})
        return rows.all()
