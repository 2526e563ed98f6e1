"""Scripts of ours in processes of their own, for what somebody else may have made so that it takes hours."""

import asyncio
import resource
import sys
from datetime import timedelta
from pathlib import Path
from typing import Final

WITHIN: Final = timedelta(seconds=10)


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


def limit_processor_time() -> None:
    """End this process after `WITHIN` of processor time, even if the one that waits for it was killed."""
    seconds = int(WITHIN.total_seconds())
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
