"""Set-up for benchmarks over HTTP: the real PostgreSQL, Temporal, worker and API on this machine."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import httpx2

from benchmarks.local import run_servers
from core.container import Services, open_services
from core.settings import Settings
from core.users.tables.users import User
from tests.factories import Factory

_START_SECONDS = 60


@dataclass(frozen=True)
class ApiServer:
    """The running API of a benchmark."""

    address: str
    services: Services
    make: Factory
    pids: list[int]
    """Process ids of the API."""

    def client(self, token: str | None = None, connections: int = 10, timeout: float = 60) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            base_url=self.address,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            timeout=timeout,
        )

    async def add_user(self) -> tuple[User, str]:
        """Create a user. Return it with a session token."""
        user = await self.make.user()
        identity = self.services.identity
        _, token = await identity.sign_in_by_link(await identity.sign_in_link(user.id), "benchmark")
        return user, token

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of all API processes together."""
        return sum(self.cpu_seconds_by_process())

    def cpu_seconds_by_process(self) -> list[float]:
        """Return the CPU seconds of each API process."""
        ticks = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in self.pids]
        return [sum(map(int, spent)) / os.sysconf("SC_CLK_TCK") for spent in ticks]

    def memory_mb(self) -> float:
        """Return the resident memory of all API processes together in MB."""
        statuses = [Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        return sum(int(status.split("VmRSS:")[1].split()[0]) for status in statuses) / 1024


@dataclass
class Readiness:
    """Requests /readyz 20 times a second while the block runs."""

    server: ApiServer
    taken: list[float] = field(default_factory=list)
    refused: int = 0

    async def __aenter__(self) -> "Readiness":
        self.task = asyncio.create_task(self._request())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _request(self) -> None:
        async with self.server.client(timeout=30) as client:
            while True:
                began = perf_counter()
                answer = await client.get("/readyz")
                self.taken.append(perf_counter() - began)
                self.refused += answer.status_code != 200
                await asyncio.sleep(0.05)

    def describe(self) -> str:
        return f"readyz: n={len(self.taken)} {format_percentiles(self.taken)}, {self.refused} not 200"


def format_percentiles(seconds: list[float]) -> str:
    """Return p50, p95 and maximum in milliseconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return 1000 * ordered[round(share * (len(ordered) - 1))]

    return f"p50 {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, max {at(1):.0f} ms" if ordered else "none"


@asynccontextmanager
async def run_api(*, worker: bool = True) -> AsyncIterator[ApiServer]:
    """Start everything, yield when ready and stop it at the end. Without a worker only HTTP requests do work."""
    async with run_servers() as servers:
        settings = Settings()
        pids = await servers.serve(settings.api_processes)
        if worker:
            await servers.start("temporal")
        services = await servers.stack.enter_async_context(open_services(settings))
        server = ApiServer(servers.address, services, Factory(services.sessions, services.vault), pids)
        await _wait_until_ready(server, Path(servers.log.name), "/readyz" if worker else "/healthz")
        yield server


async def _wait_until_ready(server: ApiServer, log: Path, probe: str) -> None:
    until = perf_counter() + _START_SECONDS
    async with server.client() as client:
        while perf_counter() < until:
            try:
                started = (await asyncio.to_thread(log.read_text)).count("Application startup complete")
                if started == len(server.pids) and (await client.get(probe)).is_success:
                    return
            except httpx2.TransportError:
                pass
            await asyncio.sleep(0.1)
    raise SystemExit("the server was not ready in time")
