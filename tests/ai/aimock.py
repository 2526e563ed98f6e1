"""An OpenAI-compatible server of somebody else's make."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from core.settings import ROOT
from tests.patience import PATIENCE

SERVER = ROOT / "frontend" / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"


@asynccontextmanager
async def mock_server(
    folder: Path, port: int, fixtures: list[dict[str, Any]], *options: str, keys: str = ""
) -> AsyncIterator[str]:
    """Its address. `keys`: the API keys that it takes, comma-separated; empty: any."""
    node = shutil.which("node")
    assert node, "node is not on PATH: make test brings it"
    assert SERVER.exists(), "the web app's packages are missing: make test brings them"
    answers = folder / "fixtures.json"
    answers.write_text(json.dumps({"fixtures": fixtures}))
    process = await asyncio.create_subprocess_exec(
        node,
        str(SERVER),
        "-p",
        str(port),
        "-f",
        str(answers),
        "--strict",
        *options,
        env={**os.environ, "NO_COLOR": "1"} | ({"AIMOCK_API_KEYS": keys} if keys else {}),
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        async with httpx2.AsyncClient() as client, asyncio.timeout(PATIENCE):
            while not await _up(client, url):
                await asyncio.sleep(0.1)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # Node may be the child of a wrapper that does not pass it on
        await process.wait()


async def _up(client: httpx2.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(f"{url}/v1/models")).status_code < 500
    except httpx2.TransportError:
        return False
