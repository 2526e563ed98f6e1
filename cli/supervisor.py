"""Child processes: restart and stop them in order, and record them in `run.json` for the next start."""

import asyncio
import fcntl
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cli.children import Command, ProcessIdentity, end_processes

_MAX_LOG_BYTES = 10_000_000
_MIN_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.3, 10.0  # before a child is restarted
_STABLE_SECONDS = 6.0  # a child that ran longer is restarted with the first pause again
_ORPHAN_SECONDS = 4.0
_LAST_LINES = 20
_GRACE_SECONDS, _STOPPING_SECONDS = 0.5, 10.0  # how long a start waits for a running and for a stopping run

PrintLine = Callable[[str], None]


class StartFailed(Exception):
    """A part failed to start; the message says which, why, and its last log lines."""


class RunFolder:
    """`DATA_DIR` of one running Postloom: a lock, and `run.json` with what runs.

    The kernel releases the lock when the process ends, by a kill too. `run.json` outlives a kill: the next start ends
    the processes in it that still run. It also holds the children's environment (mode 0600), so that other commands
    find the running services.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs = folder / "logs"
        self._file = folder / "run.json"
        self._lock: int | None = None
        self._children: dict[str, tuple[ProcessIdentity, signal.Signals]] = {}
        self._facts: dict[str, Any] = {}

    def open(self) -> list[str]:
        """Lock the folder and end processes that a killed run left. Return their names. Raise StartFailed if another
        Postloom runs on the folder or it is not usable."""
        try:
            if not self.folder.exists():
                self.folder.mkdir(parents=True)
                # for root, PostgreSQL runs as another user, who must enter the folder but need not list it
                self.folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            lock = os.open(self.folder / "run.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StartFailed(f"DATA_DIR: cannot use {error.filename}: {error.strerror}") from None
        if not self._try_lock(lock):
            os.close(lock)
            running = self.read()
            raise StartFailed(
                f"Postloom already runs on {self.folder} (process {running.get('supervisor', ['?'])[0]}, "
                f"{running.get('url', 'still starting')}): stop it first, or set DATA_DIR to another folder"
            )
        self._lock = lock
        left = {
            name: (ProcessIdentity(pid, started), signal.Signals(stop))
            for name, (pid, started, stop) in self.read().get("children", {}).items()
        }
        return end_processes(left, within_seconds=_ORPHAN_SECONDS)

    def _try_lock(self, lock: int) -> bool:
        """Take the lock; wait for it, longer if the earlier run is stopping (its terminal was closed). Return whether
        this process has it."""
        began = time.monotonic()
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            wait_seconds = _STOPPING_SECONDS if self.read().get("stopping") else _GRACE_SECONDS
            if time.monotonic() - began > wait_seconds:
                return False
            time.sleep(0.05)

    def read(self) -> dict[str, Any]:
        """Return the content of `run.json`; empty if there is none."""
        try:
            known: dict[str, Any] = json.loads(self._file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return known

    def running(self) -> dict[str, Any]:
        """Return the content of `run.json`; empty if there is none or its supervisor has ended."""
        known = self.read()
        pid, started = known.get("supervisor", (0, ""))
        return known if pid and ProcessIdentity(pid, started).is_alive() else {}

    def record(self, **facts: Any) -> None:
        self._facts |= facts
        self._write()

    def record_child(self, name: str, process: ProcessIdentity, stop: signal.Signals) -> None:
        self._children[name] = (process, stop)
        self._write()

    def log(self, name: str) -> Path:
        """Return the log file of a child, after rotating one of more than 10 MB."""
        path = self.logs / f"{name}.log"
        if path.exists() and path.stat().st_size > _MAX_LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        return path

    def close(self) -> None:
        self._file.unlink(missing_ok=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write(self) -> None:
        me = ProcessIdentity.of(os.getpid())
        assert me
        children = {name: (process.pid, process.started, int(stop)) for name, (process, stop) in self._children.items()}
        known = {"supervisor": (me.pid, me.started), "children": children, **self._facts}
        new = self._file.with_suffix(".new")
        handle = os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump(known, file, indent=1)
        new.replace(self._file)


class Child:
    """A process that has to keep running. `make` returns the command of each start."""

    def __init__(self, name: str, make: Callable[[], Command], folder: RunFolder, print_line: PrintLine) -> None:
        self.name = name
        self._make = make
        self._folder = folder
        self._print_line = print_line
        self._log = folder.log(name.lower().replace(" ", "-"))
        self._log_began = self._log.stat().st_size if self._log.exists() else 0
        self._process: asyncio.subprocess.Process | None = None
        self._command: Command | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._stopping = False
        self.began = 0.0
        """When it was started (monotonic)."""

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    async def start(self) -> None:
        self.began = time.monotonic()
        command = await asyncio.to_thread(self._make)
        # nothing else may wait between start and note: each running child must be in run.json
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command.launch_arguments(),
                env=dict(command.env),
                cwd=command.cwd,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=command.descriptors,
                start_new_session=True,  # Ctrl-C reaches only this process, which stops the children in order
            )
        self._command = command
        if identity := ProcessIdentity.of(self._process.pid):
            self._folder.record_child(self.name, identity, command.stop)

    async def start_and_wait(self, ready: Callable[[], Awaitable[bool]], *, within_seconds: float) -> None:
        """Start the child and wait until it is ready. Raise StartFailed if it ends first or takes too long."""
        await self.start()
        await self.wait_until(ready, within_seconds=within_seconds)

    async def wait_until(self, ready: Callable[[], Awaitable[bool]], *, within_seconds: float) -> None:
        assert self._process
        deadline = time.monotonic() + within_seconds
        while not await ready():
            if self._process.returncode is not None:
                end = _describe_exit(self._process.returncode)
                raise StartFailed(f"{self.name} ended with {end}\n{self.last_log_lines()}")
            if time.monotonic() > deadline:
                raise StartFailed(f"{self.name} is not ready after {within_seconds:.0f} s\n{self.last_log_lines()}")
            await asyncio.sleep(0.05)

    def last_log_lines(self) -> str:
        """Return the last lines that the child logged since this run began."""
        with self._log.open("rb") as log:
            log.seek(self._log_began)
            lines = log.read().decode(errors="replace").splitlines()[-_LAST_LINES:]
        return "\n".join([*(f"    {line}" for line in lines), f"    ({self._log})"])

    def keep_running(self) -> None:
        """Restart the child whenever it ends, from now on."""
        self._keeper = asyncio.create_task(self._restart_on_exit())

    async def _restart_on_exit(self) -> None:
        pause = _MIN_PAUSE_SECONDS
        while True:
            assert self._process
            began = time.monotonic()
            code = await self._process.wait()
            if self._stopping:
                return
            pause = _MIN_PAUSE_SECONDS if time.monotonic() - began > _STABLE_SECONDS else pause
            self._print_line(f"! {self.name} ended with {_describe_exit(code)}; starting it again")
            self._kill_group()
            await asyncio.sleep(pause)
            pause = min(pause * 2, _MAX_PAUSE_SECONDS)
            try:
                await self.start()
            except Exception as error:
                self._print_line(f"! {self.name} does not start: {error}")
                await asyncio.sleep(pause)

    async def stop(self, *, within_seconds: float) -> None:
        """Send its stop signal, and SIGKILL after `within_seconds`. Return when its process group has ended."""
        self._stopping = True
        if self._keeper and (self._process is None or self._process.returncode is not None):
            self._keeper.cancel()  # it is waiting before a restart
        if self._process and self._command and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(self._command.stop)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), within_seconds)
        self.kill()
        if self._process:
            await self._process.wait()
        if self._keeper:
            with suppress(asyncio.CancelledError):
                await self._keeper

    def kill(self) -> None:
        """Kill the child's process group at once."""
        self._stopping = True
        self._kill_group()

    def _kill_group(self) -> None:
        if self._process:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _describe_exit(code: int) -> str:
    """Return the exit code as text, or the signal's name."""
    return signal.Signals(-code).name if code < 0 else f"code {code}"


def running_environment(data_dir: Path) -> Mapping[str, str]:
    """Return the environment of the services running on this folder (`DATABASE_URL`, `TEMPORAL_ADDRESS`, …), empty if
    none run. For commands beside a running `make run`."""
    environment: dict[str, str] = RunFolder(data_dir).running().get("environment", {})
    return environment
