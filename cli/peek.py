"""Schema revision and whether users exist, read without heavy imports: `python -m cli.peek` prints both as JSON.

A start runs this first. If the schema is current and a user exists, neither Alembic nor the product's tables have to
be loaded, which takes seconds.
"""

import json
import os
import re
import sys
from typing import Any

from cli.web_app import ROOT

_REVISIONS = ROOT / "core" / "migrations" / "versions"


def newest_revision() -> str:
    """Return the revision that no other follows. Raise ValueError if there are several."""
    found = [_names(path.read_text()) for path in _REVISIONS.glob("*.py")]
    [newest] = {revision for revision, _ in found} - {before for _, before in found}
    return newest


def _names(source: str) -> tuple[str, str]:
    """Return a revision's name and its predecessor's, which is empty for the first."""
    names = dict(re.findall(r"^(revision|down_revision)[^=\n]*= *['\"](\w+)['\"]", source, re.MULTILINE))
    return names["revision"], names.get("down_revision", "")


def look(database_url: str) -> dict[str, Any]:
    """Return `revision` and `has_users`. The migration, not this, fails for an unreachable or empty database."""
    import psycopg  # not needed by newest_revision

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
