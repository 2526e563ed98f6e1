"""What the database says before anything heavy is loaded: `python -m cli.peek` prints it as JSON.

A start asks this first. Mostly the schema is current and somebody has signed up: then neither Alembic nor the
product's tables have to be loaded, which takes seconds.
"""

import json
import os
import re
import sys
from typing import Any

from cli.web_app import ROOT

_REVISIONS = ROOT / "core" / "migrations" / "versions"


def newest_revision() -> str:
    """The one that no other follows. Raises ValueError when there are several."""
    found = [_names(path.read_text()) for path in _REVISIONS.glob("*.py")]
    [newest] = {revision for revision, _ in found} - {before for _, before in found}
    return newest


def _names(source: str) -> tuple[str, str]:
    """A revision's own name and the one before it, empty for the first."""
    names = dict(re.findall(r"^(revision|down_revision)[^=\n]*= *['\"](\w+)['\"]", source, re.MULTILINE))
    return names["revision"], names.get("down_revision", "")


def look(database_url: str) -> dict[str, Any]:
    """Nothing that cannot be seen is an error: a database that is away or empty is for the migration to tell of."""
    import psycopg  # not for whoever asks for the newest revision alone

    seen: dict[str, Any] = {"revision": None, "has_users": False}
    conninfo = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        with psycopg.connect(conninfo, autocommit=True, connect_timeout=5) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            seen["revision"] = row and row[0]
            row = connection.execute("SELECT EXISTS (SELECT FROM users)").fetchone()
            seen["has_users"] = bool(row and row[0])
    except psycopg.Error:
        return seen
    return seen


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look(os.environ["DATABASE_URL"])))
