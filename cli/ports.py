"""Free ports, and the owners of taken ports."""

import errno
import fcntl
import os
import socket
import tempfile
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

_BACKLOG = 2048  # connections that wait to be accepted


@dataclass(frozen=True)
class Owner:
    """The process that listens on a port."""

    pid: int
    user: str
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} of user {self.user} ({textwrap.shorten(self.command, 80)})"


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
    """Return the owner of a TCP port of this machine; None if the port is free or its owner cannot be seen: another
    user's process, or on macOS any process unless root asks."""
    with suppress(psutil.Error):
        for one in psutil.net_connections("tcp"):
            if one.status == psutil.CONN_LISTEN and one.laddr.port == port and one.pid:
                process = psutil.Process(one.pid)
                return Owner(process.pid, process.username(), " ".join(process.cmdline()))
    return None


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
