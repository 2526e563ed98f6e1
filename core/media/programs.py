"""Runs the programs that read uploaded files, each in a process of its own (decision 8)."""

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Any, Final

logger = logging.getLogger(__name__)

PATIENCE: Final = 240.0
"""Seconds of waiting for a program; its CPU limit is half of it."""


async def run_program(program: Path, *arguments: str | Path, patience: float | None = None) -> dict[str, Any] | None:
    """Return the program's answer, or None if it crashed or took more than `patience` seconds (None: `PATIENCE`). The
    program gets none of this process's settings, which name secrets."""
    # -P: modules beside the program have the names of libraries
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        program,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"LC_ALL": "C.UTF-8"},
    )
    try:
        async with asyncio.timeout(patience or PATIENCE):
            answer, trace = await process.communicate()
    except TimeoutError:
        logger.warning("%s took longer than %d s for a file", program.stem, patience or PATIENCE)
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        last = trace.decode(errors="replace").strip().rpartition("\n")[2]
        logger.warning("a file crashed %s (%d): %.200s", program.stem, process.returncode, last)
        return None
    result: dict[str, Any] = json.loads(answer)
    return result
