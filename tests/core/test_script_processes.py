"""Scripts in processes of their own."""

import subprocess
import sys
from datetime import timedelta

import pytest

from core import script_processes
from core.script_processes import run_script

LIMITED = """
import resource
from core.script_processes import limit_resources
limit_resources()
print(*(resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)))
try:
    bytearray(resource.getrlimit(resource.RLIMIT_AS)[0])
except MemoryError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_script_gets_little_time_and_memory() -> None:
    ended = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["10", str(512 * 1024**2), "refused"]


@pytest.mark.parametrize(
    "module", ["core.feeds.parsing_script", "core.feeds.robots_script", "core.texts.main_text_script"]
)
def test_each_script_limits_itself(module: str) -> None:
    """Also with code that its main part does not run when it is imported."""
    run = f"""
import io, resource, runpy, sys
sys.stdin = io.TextIOWrapper(io.BytesIO(b'{{"url": "https://example.org/", "robot": "Postloom", "type": "", '
    b'"now": "2026-11-30T00:00:00+00:00"}}\\n<p>Hi</p>'))
runpy.run_module({module!r}, run_name="__main__")
print(resource.getrlimit(resource.RLIMIT_CPU)[0], file=sys.stderr)
"""
    ended = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert ended.stderr.split()[-1] == "10"


async def test_a_script_that_fails_or_takes_too_long_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await run_script("core.feeds.robots_script", b"no JSON") is None
    monkeypatch.setattr(script_processes, "WITHIN", timedelta(milliseconds=1))
    assert await run_script("core.feeds.robots_script", b"{}") is None
