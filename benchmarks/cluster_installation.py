"""An installation in pieces for `benchmarks.cluster`: every part is a process of its own, started by the commands of
the operating guide, with a Temporal cluster and two PostgreSQL servers. A process that ends is started again, as a
service manager does."""

import asyncio
import itertools
import os
import secrets
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import httpx2
import psycopg
from sqlalchemy import select

from benchmarks.engine import Access, cpu_seconds_of, memory_mb_of, process_tree
from benchmarks.installation import EMAIL, Installation, sign_up
from benchmarks.packaged_postgres import PackagedPostgres
from benchmarks.temporal_cluster import (
    CONNECTIONS,
    find_programs,
    list_schema_commands,
    list_services,
    write_configuration,
)
from cli import ports
from cli.children import Command
from cli.supervisor import Child, RunFolder, StartFailed
from core.container import open_services
from core.settings import ROOT, Settings
from core.users.tables.users import User
from temporal.client import connect
from tests.factories import Factory

_CONNECTIONS_OF_API, _CONNECTIONS_OF_WORKER, _CONNECTIONS_OF_OTHERS = 23, 44, 60
"""At most, as `docs/operating.md` says; the benchmark's own are among the others."""
_DATABASE: Final = "postloom"
_READY_SECONDS: Final = 180.0
_STOP_SECONDS: Final = 4.0
# stopped in this order: first the users of the others
_PARTS: Final = ("api", "worker", "sandbox", "temporal", "postgres")


@dataclass(frozen=True)
class Shape:
    """How many processes a cluster has. `shards`: history shards; `apart`: one process per service of Temporal."""

    workers: int = 2
    apis: int = 2
    shards: int = 4
    apart: bool = True


class Processes:
    """Child processes that are kept running. The first word of a name is the part that the process belongs to."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._children: list[Child] = []

    async def start(self, name: str, command: Command, ready: Callable[[], Awaitable[bool]]) -> None:
        """Start a process, wait until it is ready, and start it again whenever it ends. Raise StartFailed."""
        child = self._add(name, lambda: command)
        await child.start_and_wait(ready, within_seconds=_READY_SECONDS)
        child.keep_running()

    async def start_server(self, owner: str, server: PackagedPostgres) -> None:
        """Do the same for a PostgreSQL server."""
        child = self._add(f"postgres of {owner}", server.prepare)
        await child.start_and_wait(lambda: asyncio.to_thread(server.ready, child.pid), within_seconds=_READY_SECONDS)
        child.keep_running()

    def _add(self, name: str, make: Callable[[], Command]) -> Child:
        self._children.append(Child(name, make, self.folder, write_line))
        return self._children[-1]

    async def stop(self) -> None:
        for part in _PARTS:
            stopped = (one.stop(within_seconds=_STOP_SECONDS) for one in self._children if _part_of(one) == part)
            await asyncio.gather(*stopped)

    def by_part(self) -> dict[str, list[int]]:
        """Return the ids of the processes that run, by part."""
        pids: dict[str, list[int]] = defaultdict(list)
        for child in self._children:
            if Path(f"/proc/{child.pid}").exists():
                pids[_part_of(child)].append(child.pid)
        return pids

    def cpu_seconds(self) -> dict[str, float]:
        """Return the CPU seconds by name, without the number of several, with those of their children."""
        return self._sum(cpu_seconds_of)

    def memory_mb(self) -> dict[str, float]:
        """Return the memory by name; what processes share counts once."""
        return self._sum(memory_mb_of)

    def _sum(self, measure: Callable[[int], float]) -> dict[str, float]:
        sums: dict[str, float] = defaultdict(float)
        for child in self._children:
            for pid in process_tree(child.pid):
                with suppress(OSError, LookupError):  # a connection of PostgreSQL has just ended
                    sums[child.name.rstrip("0123456789 ")] += measure(pid)
        return dict(sums)


def write_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _part_of(child: Child) -> str:
    return child.name.partition(" ")[0]


@dataclass(frozen=True)
class Cluster:
    """A running cluster. `databases`: addresses by owner, `environment`: that of the product's processes."""

    installation: Installation
    processes: Processes
    databases: Mapping[str, str]
    environment: Mapping[str, str]

    @asynccontextmanager
    async def open_access(self) -> AsyncIterator[Access]:
        """Yield services of the installation in this process, and its user."""
        os.environ |= self.environment
        settings = Settings()
        async with open_services(settings) as services:
            async with services.sessions() as session:
                user = (await session.scalars(select(User).where(User.email == EMAIL))).one()
            yield Access(services, await connect(settings), Factory(services.sessions, services.vault), user)


@asynccontextmanager
async def run_cluster(folder: Path, shape: Shape, settings: Mapping[str, str] | None = None) -> AsyncIterator[Cluster]:
    """Start everything on an empty folder, sign a user up, and end everything afterwards. `settings`: variables of the
    product's processes. Raise StartFailed, PostgresError or NoServer."""
    programs = find_programs(write_line)
    taken = {0}
    async with AsyncExitStack() as stack:
        run_folder = RunFolder(folder)
        run_folder.open()
        stack.callback(run_folder.close)
        processes = Processes(run_folder)
        connections = _CONNECTIONS_OF_API * shape.apis + _CONNECTIONS_OF_WORKER * shape.workers + _CONNECTIONS_OF_OTHERS
        servers = {
            "product": _make_server(connections, stack),
            "temporal": _make_server(CONNECTIONS + 10, stack),
        }
        stack.push_async_callback(processes.stop)  # before the servers' folders are removed
        for owner, server in servers.items():
            await processes.start_server(owner, server)
        databases = {owner: server.url("postgres") for owner, server in servers.items()}
        await _create_database(databases["product"])
        temporal = await _start_temporal(processes, programs, folder, databases["temporal"], shape, taken)
        api_ports = [ports.choose(0, taken) for _ in range(shape.apis)]
        sandbox_port, mail_port = ports.choose(0, taken), ports.choose(0, taken)
        sandbox_url = f"http://127.0.0.1:{sandbox_port}"
        environment = {
            **os.environ,
            "DATA_DIR": str(folder / "data"),
            "DATABASE_URL": servers["product"].url(_DATABASE),
            "TEMPORAL_ADDRESS": temporal,
            "TEMPORAL_NAMESPACE": "postloom",
            "TEMPORAL_TLS": "false",
            "TEMPORAL_CONFIG_FILE": os.devnull,
            "SECRET_KEY": secrets.token_hex(32),
            "PUBLIC_URL": f"http://127.0.0.1:{api_ports[0]}",
            "API_PROCESSES": "1",
            "SANDBOX": "1",
            "SANDBOX_URL": sandbox_url,
            "SMTP_URL": f"smtp+plain://127.0.0.1:{mail_port}",
            "MAIL_OUTBOX_URL": f"{sandbox_url}/outbox",
            "GRACEFUL_SECONDS": "2",
            **(settings or {}),
        }
        for step in (("migrate",), ("temporal-setup", "--retention", "1")):
            await _run_to_end(_command(environment, *step))
        listening = ("--port", str(sandbox_port), "--smtp-port", str(mail_port), "--data", str(folder / "sandbox"))
        sandbox = _command(environment, "sandbox", *listening)
        await processes.start("sandbox", sandbox, partial(_responds, f"{sandbox_url}/sandbox/health"))
        for number, port in enumerate(api_ports, 1):
            api = _command({**environment, "PORT": str(port)}, "serve")
            healthy = partial(_responds, f"http://127.0.0.1:{port}/healthz")
            await processes.start(f"api {number}", api, healthy)
        ready = partial(_responds, f"http://127.0.0.1:{api_ports[0]}/readyz")
        for number in range(1, shape.workers + 1):
            worker = _command(environment, "worker")
            await processes.start(f"worker {number}", worker, ready)
        transport = _RoundRobin(itertools.cycle(api_ports))
        client = httpx2.AsyncClient(base_url=f"{environment['PUBLIC_URL']}/api", timeout=60, transport=transport)
        installation = Installation(
            processes.by_part,
            await stack.enter_async_context(client),
            await stack.enter_async_context(httpx2.AsyncClient(base_url=sandbox_url, timeout=300)),
            _without_driver(environment["DATABASE_URL"]),
        )
        await sign_up(installation, environment)
        databases["product"] = environment["DATABASE_URL"]
        yield Cluster(
            installation, processes, {owner: _without_driver(url) for owner, url in databases.items()}, environment
        )


def _make_server(connections: int, stack: AsyncExitStack) -> PackagedPostgres:
    server = PackagedPostgres(connections)
    stack.callback(server.remove)
    return server


async def _start_temporal(
    processes: Processes, programs: Path, folder: Path, database_url: str, shape: Shape, taken: set[int]
) -> str:
    """Make the schemas and start the services. Return the address of the frontend."""
    for command in list_schema_commands(programs, database_url):
        await _run_to_end(command)
    configuration, grpc_ports = write_configuration(folder, database_url, shards=shape.shards, taken=taken)
    for name, command in list_services(programs, configuration, apart=shape.apart).items():
        port = grpc_ports.get(name.rpartition(" ")[2], grpc_ports["frontend"])
        await processes.start(name, command, partial(_listens, port))
    return f"127.0.0.1:{grpc_ports['frontend']}"


async def _create_database(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(_without_driver(url), autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {_DATABASE}")


class _RoundRobin(httpx2.AsyncBaseTransport):
    """Send requests to the APIs in turn, as a proxy does."""

    def __init__(self, api_ports: Iterator[int]) -> None:
        self._ports = api_ports
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.url = request.url.copy_with(port=next(self._ports))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _command(environment: Mapping[str, str], *arguments: str) -> Command:
    """Return a command of `postloom`."""
    return Command((sys.executable, "-m", "cli", *arguments), environment, cwd=ROOT)


async def _run_to_end(command: Command) -> None:
    """Raise StartFailed with the last lines if it fails."""
    process = await asyncio.create_subprocess_exec(
        *command.launch_arguments(), env=dict(command.env), cwd=command.cwd, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()
    if process.returncode != 0:
        last = output.decode(errors="replace").splitlines()[-20:]
        raise StartFailed("\n".join([f"`{' '.join(command.argv)}` failed:", *last]))


async def _responds(url: str) -> bool:
    async with httpx2.AsyncClient(timeout=5) as client:
        try:
            return (await client.get(url)).status_code == 200
        except httpx2.HTTPError:
            return False


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def _without_driver(url: str) -> str:
    return url.replace("postgresql+psycopg", "postgresql")
