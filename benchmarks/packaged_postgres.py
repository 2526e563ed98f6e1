"""A PostgreSQL server of the system's packages, for `benchmarks.cluster`: Debian's `apt install postgresql`."""

import os
import pwd
import re
import shutil
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

from cli.children import Command
from cli.postgres import SUPERUSER, PostgresError, Route

_FOLDERS: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
"""Of Debian's packages and of PostgreSQL's own for Red Hat."""
# of a server that has a few hundred MB for itself
_OPTIONS: Final = {"listen_addresses": "", "shared_buffers": "256MB", "max_wal_size": "4GB", "timezone": "UTC"}


class PackagedPostgres:
    """A server with a new cluster in a temporary folder, reached by a socket there: `prepare`, at last `remove`."""

    def __init__(self, connections: int) -> None:
        self._connections = connections
        self._folder = Path(tempfile.mkdtemp(prefix="postloom-pg-"))
        user = pwd.getpwnam(SUPERUSER) if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if user:
            os.chown(self._folder, user.pw_uid, user.pw_gid)
        self._route = Route(_find_binaries(), self._folder / "data", user)

    def url(self, database: str) -> str:
        """Return the address for SQLAlchemy."""
        return f"postgresql+psycopg://{SUPERUSER}@/{database}?host={quote(str(self._folder), safe='/')}"

    def prepare(self) -> Command:
        """Make the cluster if it is missing. Return the start command. Raise PostgresError."""
        route = self._route
        if not route.data.exists():
            route.run("initdb", "-D", str(route.data), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C")
        options = _OPTIONS | {
            "max_connections": str(self._connections),
            "unix_socket_directories": str(self._folder),
        }
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return route.command("postgres", "-D", str(route.data), *arguments)

    def ready(self, pid: int) -> bool:
        """Return whether the server with this process id accepts connections, by its pid file (as pg_ctl does)."""
        file = self._route.data / "postmaster.pid"
        lines = file.read_text().splitlines() if file.exists() else []
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def remove(self) -> None:
        """Remove all data, after the server ended."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _find_binaries() -> Path:
    """Return the folder with the newest version's programs. Raise PostgresError if there is none."""
    found = [folder for pattern in _FOLDERS for folder in Path("/").glob(pattern[1:]) if (folder / "postgres").exists()]
    if not found:
        raise PostgresError(
            f"PostgreSQL of the system's packages is needed (apt install postgresql): none in {_FOLDERS}"
        )
    return max(found, key=lambda folder: int(re.sub(r"\D", "", str(folder))))
