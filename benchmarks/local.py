"""What benchmarks stand on: servers of their own on this machine, gone at the end."""

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from temporalio.testing import WorkflowEnvironment

from cli import ports
from cli.postgres import EmbeddedPostgres
from core.database import migrate
from temporal.server import find_dev_server
from workflows.names import SEARCH_ATTRIBUTES

_NOWHERE = "127.0.0.1:1"


@dataclass(frozen=True)
class Local:
    """`port`: free for what the benchmark asks over HTTP."""

    folder: Path
    port: int
    stack: AsyncExitStack
    log: TextIO

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, *module: str, descriptors: tuple[int, ...] = ()) -> int:
        """A module of the project with its arguments, in this environment; ended at the end. Returns its process."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *module, stdout=self.log, stderr=self.log, pass_fds=descriptors
        )
        self.stack.push_async_callback(process.wait)
        self.stack.callback(process.terminate)
        return process.pid

    async def serve(self, processes: int = 1) -> list[int]:
        """The API, as `make run` starts it. Returns its processes."""
        with ExitStack() as closing:
            listening = [closing.enter_context(one) for one in ports.listen("127.0.0.1", self.port)]
            descriptors = tuple(one.fileno() for one in listening)
            arguments = [f"--fd={descriptor}" for descriptor in descriptors]
            return [await self.start("api.server", *arguments, descriptors=descriptors) for _ in range(processes)]


@asynccontextmanager
async def local(*, temporal: bool = True) -> AsyncIterator[Local]:
    """PostgreSQL with the schema, and Temporal's server where it is asked; the environment names them."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postloom-bench-")))
        postgres = EmbeddedPostgres(folder / "postgres", connections=200)
        url = postgres.start()
        stack.callback(postgres.stop)
        await asyncio.to_thread(migrate, url)
        log = stack.enter_context((folder / "processes.log").open("w"))
        here = Local(folder, 20_000 + secrets.randbelow(10_000), stack, log)
        os.environ |= {
            "DATABASE_URL": url,
            "DATA_DIR": str(folder),
            "SECRET_KEY": secrets.token_hex(32),
            "PUBLIC_URL": here.address,
            "TEMPORAL_ADDRESS": await _temporal(here) if temporal else _NOWHERE,
            "GRACEFUL_SECONDS": "1",
        }
        yield here


async def _temporal(here: Local) -> str:
    server = await WorkflowEnvironment.start_local(
        dev_server_existing_path=str(find_dev_server()),
        search_attributes=SEARCH_ATTRIBUTES,
        dev_server_log_level="error",
        dev_server_database_filename=str(here.folder / "temporal.db"),
    )
    await here.stack.enter_async_context(server)
    return server.client.service_client.config.target_host
