"""Scripts of ours in processes of their own, for what somebody else may have made so that it takes hours."""

import asyncio
import resource
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

WITHIN: Final = timedelta(seconds=10)
_MEMORY: Final = 512 * 1024**2
"""Bytes of memory of a script. The longest feeds and pages of real sites need a fifth of it."""

_START: Final = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module(sys.argv[1], run_name='__main__')"
)
_ROOT: Final = str(Path(__file__).parents[1])


async def run_script(module: str, data: bytes) -> bytes | None:
    """Return what a module of ours writes after it has read `data`. None if it fails or takes longer than `WITHIN`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",  # neither the working folder nor the environment adds modules
        "-c",
        _START,
        _ROOT,
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(WITHIN.total_seconds()):
            output, _ = await process.communicate(data)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return output if process.returncode == 0 else None


def limit_resources() -> None:
    """Limit the memory of this process, and end it after `WITHIN` of processor time, even if the one that waits for it
    was killed."""
    seconds = int(WITHIN.total_seconds())
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, _MEMORY)):
        with suppress(ValueError, OSError):  # the limit is lower already, or the system has no such limit
            resource.setrlimit(kind, (most, most))
