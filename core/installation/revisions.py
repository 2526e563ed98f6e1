"""Revisions of the database that this release knows."""

import logging
from functools import cache
from pathlib import Path

import core


@cache
def known_revisions() -> tuple[str, ...]:
    """Return all revisions, the newest first."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells of each plugin that it loads
    # imported here: alembic takes a quarter of a second to load, and only starts need it
    from alembic.script import ScriptDirectory

    folder = Path(core.__path__[0]) / "migrations"
    return tuple(script.revision for script in ScriptDirectory(str(folder)).walk_revisions())


def find_revision_problem(found: str | None) -> str | None:
    """Return what to do about a database at this revision (None: without tables); None if it fits this release."""
    known = known_revisions()
    if found == known[0]:
        return None
    if found is None:
        return "DATABASE_URL: the database has no tables yet: run `postloom migrate`"
    if found in known:
        return (
            f"DATABASE_URL: the database is at revision {found}, this release needs {known[0]}: run `postloom migrate`"
        )
    return (
        f"DATABASE_URL: the database is at revision {found}, which this release (at {known[0]}) does not know: run the "
        "newer release, or restore the backup from before its migration"
    )
