"""Children: kept running, ended in order, and found again after a kill."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.children import Command, ProcessIdentity, end_processes
from cli.supervisor import Child, RunFolder, StartFailed, running_environment
from core.settings import ROOT
from tests.patience import PATIENCE


async def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - other processes set no events of ours
            await asyncio.sleep(0.02)


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def never() -> bool:
    return False


def shell(script: str) -> Command:
    return Command(("sh", "-c", script), os.environ)


def gone(pid: int) -> bool:
    return ProcessIdentity.of(pid) is None


async def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    said: list[str] = []
    folder.open()
    child = Child("Sleeper", lambda: shell("sleep 60"), folder, said.append)
    await child.start()
    child.keep_running()
    first = child.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: child.pid != first)
    assert said == ["! Sleeper ended with SIGKILL; starting it again"]
    await child.stop(within_seconds=2)
    assert gone(child.pid)
    folder.close()


async def test_a_child_that_will_not_stop_is_killed_with_all_it_started(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.open()
    stubborn = "trap '' TERM; sleep 60 & echo $!; wait; sleep 60"
    child = Child("Stubborn", lambda: shell(stubborn), folder, print)
    await child.start()
    log = tmp_path / "logs" / "stubborn.log"
    await until(lambda: log.read_text().endswith("\n"))
    await child.stop(within_seconds=0.2)
    assert gone(child.pid)
    await until(lambda: gone(int(log.read_text())))
    folder.close()


async def test_a_failed_start_shows_its_last_words_and_not_those_of_an_earlier_one(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.open()
    (tmp_path / "logs" / "broken.log").write_text("an earlier trouble\n")
    child = Child("Broken", lambda: shell("echo no such luck >&2; exit 3"), folder, print)
    with pytest.raises(StartFailed) as caught:
        await child.start_and_wait(never, within_seconds=5)
    assert "Broken ended with code 3" in str(caught.value)
    assert "no such luck" in str(caught.value)
    assert "earlier" not in str(caught.value)
    folder.close()


def test_two_runs_on_one_folder_are_refused_and_the_first_is_named(tmp_path: Path) -> None:
    first = RunFolder(tmp_path)
    first.open()
    first.record(url="http://localhost:8000")
    with pytest.raises(StartFailed, match=rf"process {os.getpid()}, http://localhost:8000"):
        RunFolder(tmp_path).open()
    first.close()
    assert RunFolder(tmp_path).open() == []


def test_the_next_start_ends_what_a_killed_one_left(tmp_path: Path) -> None:
    left = subprocess.Popen(["sleep", "60"])
    mark = ProcessIdentity.of(left.pid)
    assert mark
    folder = RunFolder(tmp_path)
    folder.open()
    folder.record_child("Sleeper", mark, signal.SIGTERM)
    os.close(folder._lock or -1)  # as the kernel does after a kill: the lock goes, the file stays
    assert RunFolder(tmp_path).open() == ["Sleeper"]
    assert left.wait() == -signal.SIGTERM


def test_a_process_that_only_has_the_same_number_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        assert end_processes({"Other": (ProcessIdentity(other.pid, "1"), signal.SIGTERM)}, within_seconds=0.1) == []
        assert other.poll() is None
        other.terminate()


def test_other_commands_find_the_running_services_and_only_those(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.open()
    folder.record(environment={"DATABASE_URL": "postgresql://running"})
    assert running_environment(tmp_path) == {"DATABASE_URL": "postgresql://running"}
    assert (tmp_path / "run.json").stat().st_mode & 0o077 == 0
    folder.close()
    assert running_environment(tmp_path) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's end")
def test_a_killed_parent_takes_its_children_along() -> None:
    script = (
        "import os, subprocess, time; from cli.children import Command;"
        "child = subprocess.Popen(Command(('sleep', '60'), os.environ).launch_arguments(), start_new_session=True);"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    launched = Path(f"/proc/{pid}/cmdline")
    wait_until(lambda: "launch.py" not in launched.read_text())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: gone(pid))
