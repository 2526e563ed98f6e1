"""`postloom migrate`: bring the database to this release's revision, beside a running release where it bears that."""

import asyncio
from typing import Final

import psycopg
from sqlalchemy.exc import OperationalError

from cli.services import service_settings
from core.database import migrate, open_engine, open_sessions
from core.installation.repository import InstallationRepository
from core.installation.revisions import find_offline_revisions, known_revisions
from core.installation.start_checks import StartRefused

_LOCK_SECONDS: Final = 5
"""How long requests and deliveries may wait behind a migration that waits for a table."""


def migrate_database(*, offline: bool) -> str:
    """Return the revision. Raise StartRefused if a running release would not bear it, unless `offline` says that none
    is running, or WrongSetting."""
    url = service_settings().database_url
    assert url
    if offline:
        migrate(url)
        return known_revisions()[0]
    if unsafe := find_offline_revisions(asyncio.run(_read_revision(url))):
        raise StartRefused(
            f"migrations {', '.join(unsafe)} are not safe beside a running release: stop web app and workers on all "
            "nodes, then run `postloom migrate --offline`"
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


async def _read_revision(url: str) -> str | None:
    engine = open_engine(url, pool_size=1, application="postloom migrate")
    try:
        async with open_sessions(engine)() as session:
            return await InstallationRepository(session).read_revision()
    finally:
        await engine.dispose()
