"""Memory and CPU time of an idle installation: of all processes that `make run` starts.

`python -m benchmarks.idle`: a new installation, measured for a minute after a minute of rest.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from pathlib import Path

import httpx2

from benchmarks.engine import cpu_seconds_of, memory_mb_of, process_tree

_SETTLING_SECONDS, _MEASURED_SECONDS = 60.0, 60.0


def _part_of(pid: int) -> str:
    """Return the name of the part that the process belongs to, or its command."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
    for part, name in (
        ("-m temporal", "worker"),
        ("api.server", "API"),
        ("start-dev", "Temporal"),
        ("postgres", "PostgreSQL"),
        ("-m sandbox", "sandbox"),
        ("-m cli", "supervisor"),
    ):
        if part in words:
            return name
    return words[:40]


async def main(target: str) -> None:
    with tempfile.TemporaryDirectory(prefix="postloom-idle-") as folder:
        port = 30_000 + secrets.randbelow(10_000)
        environment = os.environ | {"PORT": str(port), "DATA_DIR": folder}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", target, stdout=DEVNULL, stderr=DEVNULL, env=environment
        )
        try:
            async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client, asyncio.timeout(120):
                while not await _is_ready(client):
                    await asyncio.sleep(1)
            await asyncio.sleep(_SETTLING_SECONDS)
            before = {pid: cpu_seconds_of(pid) for pid in process_tree(process.pid)}
            began = time.monotonic()
            await asyncio.sleep(_MEASURED_SECONDS)
            seconds = time.monotonic() - began
            memory: dict[str, float] = {}
            percent: dict[str, float] = {}
            for pid in process_tree(process.pid):
                name = _part_of(pid)
                memory[name] = memory.get(name, 0) + memory_mb_of(pid)
                used = cpu_seconds_of(pid) - before.get(pid, 0.0)
                percent[name] = percent.get(name, 0) + used / seconds * 100
            for name in sorted(memory, key=memory.__getitem__, reverse=True):
                sys.stdout.write(f"{name:12} {memory[name]:6.0f} MB  {percent[name]:5.2f} % of a core\n")
            sys.stdout.write(f"{'all':12} {sum(memory.values()):6.0f} MB  {sum(percent.values()):5.2f} % of a core\n")
        finally:
            process.terminate()
            await process.wait()


async def _is_ready(client: httpx2.AsyncClient) -> bool:
    try:
        return (await client.get("/readyz")).status_code == 200
    except httpx2.TransportError:
        return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=("run", "demo"), default="run")
    asyncio.run(main(parser.parse_args().target))
