"""`postloom migrate`: bring the database to this release's revision, beside a running release where it bears that."""

import asyncio
from collections.abc import Sequence
from typing import Final

import psycopg
from sqlalchemy.exc import OperationalError

from cli.services import service_settings
from core.database import migrate, open_engine, open_sessions
from core.installation.repository import InstallationRepository
from core.installation.revisions import find_offline_revisions, find_revision_problem, known_revisions
from core.installation.start_checks import StartRefused

_NAME: Final = "postloom migrate"
_LOCK_SECONDS: Final = 5
"""How long requests and deliveries may wait behind a migration that waits for a table."""


def migrate_database(*, offline: bool) -> str:
    """Return the revision. Raise StartRefused if the database is of a newer release, or if a release that runs would
    not bear the migration, unless `offline` says that none does. Raise WrongSetting."""
    url = service_settings().database_url
    assert url
    found, others = asyncio.run(_read_state(url))
    if found is not None and found not in known_revisions():
        raise StartRefused(str(find_revision_problem(found)))
    if offline:
        migrate(url)
        return known_revisions()[0]
    if others and (unsafe := find_offline_revisions(found)):
        raise StartRefused(
            f"migrations {', '.join(unsafe)} are not safe beside a running release, and {', '.join(others)} uses this "
            "database: stop web app and workers on all nodes, then run `postloom migrate --offline`"
        )
    try:
        migrate(url, lock_seconds=_LOCK_SECONDS)
    except OperationalError as error:
        if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
            raise
        raise StartRefused(
            f"another transaction holds a table that a migration changes, for more than {_LOCK_SECONDS} s: run "
            "`postloom migrate` again, which goes on where it stopped"
        ) from None
    return known_revisions()[0]


async def _read_state(url: str) -> tuple[str | None, Sequence[str]]:
    """Return the revision, and the names of other processes that use the database."""
    engine = open_engine(url, pool_size=1, application=_NAME)
    try:
        async with open_sessions(engine)() as session:
            installation = InstallationRepository(session)
            return await installation.read_revision(), await installation.other_processes(_NAME)
    finally:
        await engine.dispose()
