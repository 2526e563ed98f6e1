"""Free ports, and the owners of taken ports."""

import errno
import fcntl
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_LISTEN = "0A"
_BACKLOG = 2048  # connections that wait to be accepted


@dataclass(frozen=True)
class Owner:
    """The process that listens on a port. Of other users' processes only the user is known."""

    user: str
    pid: int | None = None
    command: str | None = None

    def __str__(self) -> str:
        if self.pid is None:
            return f"a process of user {self.user}"
        return f"process {self.pid} of user {self.user} ({textwrap.shorten(self.command or '?', 80)})"


def is_free(host: str, port: int) -> bool:
    """Return whether a server can listen on the port. Raise OSError if the host is not an address of this machine.

    For the IPv4 loopback the IPv6 loopback must be free too: browsers try it first for `localhost`.
    """
    if not _binds(host, port):
        return False
    if host in ("127.0.0.1", "localhost"):
        with suppress(OSError):  # no IPv6 here
            return _binds("::1", port)
    return True


def listen(host: str, port: int) -> list[socket.socket]:
    """Return a listening socket for each address of the host. Raise OSError if one is taken or not this machine's."""
    found = dict.fromkeys(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE))
    listening: list[socket.socket] = []
    try:
        for family, _, _, _, address in found:
            listening.append(socket.create_server(address, family=family, backlog=_BACKLOG))
    except OSError:
        for one in listening:
            one.close()
        raise
    return listening


def choose(preferred: int, taken: set[int], host: str = "127.0.0.1") -> int:
    """Return the preferred port, or a free one if it is taken, and add it to `taken`, the ports chosen so far. The port
    stays reserved against other starts on this machine until this process ends, even if nobody listens on it yet."""
    port = preferred
    while port in taken or not is_free(host, port) or not _reserve(port):
        with socket.socket() as probe:
            probe.bind((host, 0))
            port = int(probe.getsockname()[1])
    taken.add(port)
    return port


_reserved: dict[int, int] = {}
"""Lock file descriptors of this process, by port."""


def _reserve(port: int) -> bool:
    """Lock the port until this process ends, by a kill too. Return False if another start holds the lock."""
    if port in _reserved:
        return True
    folder = Path(tempfile.gettempdir(), f"postloom-ports-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(folder / str(port), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return False
    _reserved[port] = lock
    return True


def owner_of(port: int) -> Owner | None:
    """Return the owner of a TCP port of this machine; None if the port is free or its owner is unknown."""
    return _owner_on_linux(port) if sys.platform == "linux" else _owner_by_lsof(port)


def _binds(host: str, port: int) -> bool:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family) as probe:
        # as servers do: an earlier server's connections in TIME_WAIT do not count
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True


def _owner_on_linux(port: int) -> Owner | None:
    for table in ("tcp", "tcp6"):
        path = Path("/proc/net") / table
        rows = path.read_text().splitlines()[1:] if path.exists() else []
        for row in map(str.split, rows):
            if row[3] == _LISTEN and int(row[1].rpartition(":")[2], 16) == port:
                pid = _holder(f"socket:[{row[9]}]")
                return Owner(_user(int(row[7])), pid, _command(pid) if pid else None)
    return None


def _holder(link: str) -> int | None:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            # processes end and files close meanwhile; other users' processes are unreadable
            with suppress(OSError):
                for handle in (process / "fd").iterdir():
                    with suppress(FileNotFoundError):
                        if os.readlink(handle) == link:
                            return int(process.name)
    return None


def _command(pid: int) -> str:
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        return " ".join(words).strip()
    return "?"


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _owner_by_lsof(port: int) -> Owner | None:
    if not shutil.which("lsof"):
        return None
    asked = ["lsof", "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-FpcL"]
    shown = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()
    fields = {line[0]: line[1:] for line in reversed(shown) if line}
    return Owner(fields["L"], int(fields["p"]), fields["c"]) if {"L", "p", "c"} <= set(fields) else None
