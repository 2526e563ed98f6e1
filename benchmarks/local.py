"""Temporary servers on this machine for benchmarks."""

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from cli import ports
from cli.postgres import EmbeddedPostgres
from core.database import migrate
from temporal.server import dev_server_arguments, dev_server_ready, find_dev_server

_UNUSED_ADDRESS = "127.0.0.1:1"


@dataclass(frozen=True)
class LocalServers:
    """Running servers. `port`: a free port for the benchmarked HTTP server. `processes`: ids of PostgreSQL and
    Temporal by name."""

    folder: Path
    port: int
    stack: AsyncExitStack
    log: TextIO
    processes: dict[str, int] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, *module: str, descriptors: tuple[int, ...] = ()) -> int:
        """Run a module of the project with arguments until the end of the benchmark. Return its process id."""
        return await self.run(sys.executable, "-m", *module, descriptors=descriptors)

    async def run(self, *command: str, descriptors: tuple[int, ...] = ()) -> int:
        """Run any program until the end of the benchmark. Return its process id."""
        process = await asyncio.create_subprocess_exec(*command, stdout=self.log, stderr=self.log, pass_fds=descriptors)
        self.stack.push_async_callback(process.wait)
        self.stack.callback(process.terminate)
        return process.pid

    async def serve(self, processes: int = 1) -> list[int]:
        """Start the API as `make run` does. Return its process ids."""
        with ExitStack() as closing:
            listening = [closing.enter_context(one) for one in ports.listen("127.0.0.1", self.port)]
            descriptors = tuple(one.fileno() for one in listening)
            arguments = [f"--fd={descriptor}" for descriptor in descriptors]
            return [await self.start("api.server", *arguments, descriptors=descriptors) for _ in range(processes)]


@asynccontextmanager
async def run_servers(*, temporal: bool = True) -> AsyncIterator[LocalServers]:
    """Start PostgreSQL with the schema, and with `temporal` Temporal's server; set the environment to use them."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postloom-bench-")))
        postgres = EmbeddedPostgres(folder / "postgres", connections=200)
        url = postgres.start()
        stack.callback(postgres.stop)
        await asyncio.to_thread(migrate, url)
        os.environ["GOGC"] = "50"  # as `make run` sets it for Temporal's server
        log = stack.enter_context((folder / "processes.log").open("w"))
        servers = LocalServers(folder, 20_000 + secrets.randbelow(10_000), stack, log)
        pid_file = next((folder / "postgres").rglob("postmaster.pid"))
        servers.processes["postgres"] = int(pid_file.read_text().split()[0])
        os.environ |= {
            "DATABASE_URL": url,
            "DATA_DIR": str(folder),
            "SECRET_KEY": secrets.token_hex(32),
            "PUBLIC_URL": servers.address,
            "TEMPORAL_ADDRESS": await _start_temporal(servers) if temporal else _UNUSED_ADDRESS,
            "GRACEFUL_SECONDS": "1",
        }
        yield servers


async def _start_temporal(servers: LocalServers) -> str:
    """Start the development server as `make run` does. Return its address."""
    port, ui_port, http_port = (servers.port + more for more in (1, 2, 3))
    arguments = dev_server_arguments(
        find_dev_server(), port=port, ui_port=ui_port, http_port=http_port, database=servers.folder / "temporal.db"
    )
    servers.processes["temporal"] = await servers.run(*arguments)
    async with asyncio.timeout(60):
        while not await asyncio.to_thread(dev_server_ready, http_port):
            await asyncio.sleep(0.2)
    return f"127.0.0.1:{port}"
