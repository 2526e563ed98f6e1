"""Facts of the installation, which belong to no user."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import InternalError, NotSupportedError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncSession

from core.installation.rules import DatabaseIdentity, KeyUse
from core.installation.tables import KnownDatabase, SecretKeyUse

_LOCK: Final = 7305471
"""Advisory lock of starts that record their keys."""
_CLUSTER: Final = "SELECT system_identifier::text FROM pg_control_system()"
_DATABASE: Final = """
    SELECT oid::text AS database, 'known_databases'::regclass::oid::text AS known
    FROM pg_database WHERE datname = current_database()
"""
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
        cluster: str | None = None
        # some managed servers lack the function, or refuse it
        with suppress(ProgrammingError, NotSupportedError, InternalError):
            async with self.session.begin_nested():
                cluster = await self.session.scalar(text(_CLUSTER))
        row = (await self.session.execute(text(_DATABASE))).one()
        return DatabaseIdentity(cluster, row.database, row.known)

    async def read_known_databases(self) -> Sequence[tuple[DatabaseIdentity, bool]]:
        """Return the identity of each known database, and whether processes may start on it."""
        rows = await self.session.execute(select(KnownDatabase.identity, KnownDatabase.may_start))
        return [(DatabaseIdentity.from_text(row.identity), row.may_start) for row in rows]

    async def record_database(self, identity: DatabaseIdentity) -> None:
        """Record that processes may start on this database. Idempotent."""
        statement = insert(KnownDatabase).values(identity=str(identity), may_start=True)
        await self.session.execute(
            statement.on_conflict_do_update(index_elements=[KnownDatabase.identity], set_={"may_start": True})
        )

    async def record_restore(self, identity: DatabaseIdentity, restored_at: datetime, backup_from: datetime) -> None:
        """Record that this database is being restored. Nothing starts on it until `record_database`."""
        state = {"may_start": False, "restored_at": restored_at, "backup_from": backup_from}
        statement = insert(KnownDatabase).values(identity=str(identity), **state)
        await self.session.execute(statement.on_conflict_do_update(index_elements=[KnownDatabase.identity], set_=state))

    async def unfinished_restore(self, identity: DatabaseIdentity) -> datetime | None:
        """Return the time of the backup that this database is being restored from; None if it is not."""
        found: datetime | None = await self.session.scalar(
            select(KnownDatabase.backup_from).where(
                KnownDatabase.identity == str(identity), KnownDatabase.may_start.is_(False)
            )
        )
        return found

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
