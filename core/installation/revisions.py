"""Revisions of the database that this release knows."""

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import core

if TYPE_CHECKING:
    from alembic.script import Script


def _scripts() -> "tuple[Script, ...]":
    """Return all migrations, the newest first."""
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells of each plugin that it loads
    # imported here: alembic takes a quarter of a second to load, and only starts need it
    from alembic.script import ScriptDirectory

    return tuple(ScriptDirectory(str(Path(core.__path__[0]) / "migrations")).walk_revisions())


@cache
def known_revisions() -> tuple[str, ...]:
    """Return all revisions, the newest first."""
    return tuple(script.revision for script in _scripts())


def find_offline_revisions(found: str | None, scripts: "Sequence[Script] | None" = None) -> list[str]:
    """Return the revisions, the oldest first, that a database at `found` lacks and that a running release of that
    revision does not bear. A database without tables has no running release."""
    known = scripts or _scripts()
    revisions = [script.revision for script in known]
    if found not in revisions:
        return []
    pending = known[: revisions.index(found)]
    return [script.revision for script in reversed(pending) if _needs_offline(script, found, revisions)]


def _needs_offline(script: "Script", found: str, revisions: list[str]) -> bool:
    """`offline = True` in a migration: beside no release. `safe_from = "0117"`: not beside one that is older."""
    safe_from: str | None = getattr(script.module, "safe_from", None)
    too_old = safe_from is not None and revisions.index(found) > revisions.index(safe_from)
    return too_old or bool(getattr(script.module, "offline", False))


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
