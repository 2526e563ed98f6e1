"""Child processes: what to run, how to stop it, and how to recognise it after this process crashed."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

LAUNCH = Path(__file__).with_name("launch.py")
_SAME_START = 2.0  # seconds; the start of the machine is known to the second


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

    def launched(self) -> list[str]:
        """Return the arguments that end the program with this process. Start the program from the main thread:
        the kernel treats the end of the thread that started a process as the end of its parent."""
        uid, gid = self.user or (-1, -1)
        program = shutil.which(self.argv[0])
        if program is None:
            raise FileNotFoundError(f"no program {self.argv[0]}")
        here = [sys.executable, "-I", "-S", str(LAUNCH)]
        return [
            *here,
            str(os.getpid()),
            str(int(self.on_orphaned)),
            str(uid),
            str(gid),
            program,
            *self.argv[1:],
        ]


@dataclass(frozen=True)
class Mark:
    """A process id with its start time, which tells the process from a later one with the same id. `started`: seconds
    after the start of the machine, because its clock may be set meanwhile."""

    pid: int
    started: float

    @classmethod
    def of(cls, pid: int) -> "Mark | None":
        """Return None if there is no such process."""
        try:
            process = psutil.Process(pid)
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            return cls(pid, process.create_time() - psutil.boot_time())
        except psutil.NoSuchProcess:
            return None

    def alive(self) -> bool:
        found = Mark.of(self.pid)
        return found is not None and abs(found.started - self.started) < _SAME_START


def end(marks: Mapping[str, tuple[Mark, signal.Signals]], *, patience: float) -> list[str]:
    """End processes that are not our children, all at once: first their own stop signal, SIGKILL after `patience`
    seconds. Return the names of the processes that were still running."""
    running = {name: (mark, stop) for name, (mark, stop) in marks.items() if mark.alive()}
    for mark, stop in running.values():
        _signal(mark, stop)
    deadline = time.monotonic() + patience
    while any(mark.alive() for mark, _ in running.values()) and time.monotonic() < deadline:
        time.sleep(0.02)
    for mark, _ in running.values():
        _signal(mark, signal.SIGKILL)
    while any(mark.alive() for mark, _ in running.values()) and time.monotonic() < deadline + 2:
        time.sleep(0.02)
    return list(running)


def _signal(mark: Mark, number: signal.Signals) -> None:
    if mark.alive():
        with suppress(ProcessLookupError):
            os.kill(mark.pid, number)
