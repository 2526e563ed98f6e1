"""Child processes: what to run, how to stop it, and how to recognise it after this process crashed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

LAUNCH = Path(__file__).with_name("launch.py")


@dataclass(frozen=True)
class Command:
    """A program to run. `user`: uid and gid to run as; `stop`: the signal for a clean exit; `on_orphaned`: the signal
    when this process dies; `descriptors`: open files that the program inherits under the same numbers."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    cwd: Path | None = None
    stop: signal.Signals = signal.SIGTERM
    on_orphaned: signal.Signals = signal.SIGKILL
    user: tuple[int, int] | None = None
    descriptors: tuple[int, ...] = ()

    def launch_arguments(self) -> list[str]:
        """Return the arguments that end the program with this process. Start the program from the main thread:
        the kernel treats the end of the thread that started a process as the end of its parent."""
        uid, gid = self.user or (-1, -1)
        program = shutil.which(self.argv[0])
        if program is None:
            raise FileNotFoundError(f"no program {self.argv[0]}")
        launcher = [sys.executable, "-I", "-S", str(LAUNCH)]
        return [
            *launcher,
            str(os.getpid()),
            str(int(self.on_orphaned)),
            str(uid),
            str(gid),
            program,
            *self.argv[1:],
        ]


@dataclass(frozen=True)
class ProcessIdentity:
    """A process id with its start time, which tells the process from a later one with the same id."""

    pid: int
    started: str

    @classmethod
    def of(cls, pid: int) -> "ProcessIdentity | None":
        """Return None if there is no such process."""
        started = _started(pid)
        return cls(pid, started) if started else None

    def is_alive(self) -> bool:
        return _started(self.pid) == self.started


def _started(pid: int) -> str:
    """Return when the process started, in the system's format; empty if it has ended or is a zombie."""
    if sys.platform == "linux":
        try:
            # the name in parentheses may hold anything: count from its end; field 3 is the state, field 22 the start
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return ""
        return "" if fields[0] in "ZX" else fields[19]
    shown = subprocess.run(["ps", "-o", "state=,lstart=", "-p", str(pid)], capture_output=True, text=True)
    state, _, started = shown.stdout.strip().partition(" ")
    return "" if state.startswith("Z") else started.strip()


def end_processes(
    processes: Mapping[str, tuple[ProcessIdentity, signal.Signals]], *, within_seconds: float
) -> list[str]:
    """End processes that are not our children, all at once: first their own stop signal, SIGKILL after
    `within_seconds`. Return the names of the processes that were still running."""
    running = {name: (process, stop) for name, (process, stop) in processes.items() if process.is_alive()}
    for process, stop in running.values():
        _signal(process, stop)
    deadline = time.monotonic() + within_seconds
    while any(process.is_alive() for process, _ in running.values()) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process, _ in running.values():
        _signal(process, signal.SIGKILL)
    while any(process.is_alive() for process, _ in running.values()) and time.monotonic() < deadline + 2:
        time.sleep(0.02)
    return list(running)


def _signal(process: ProcessIdentity, number: signal.Signals) -> None:
    if process.is_alive():
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)
