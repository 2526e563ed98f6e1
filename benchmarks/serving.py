"""Set-up for benchmarks over HTTP: the real PostgreSQL, Temporal, worker and API on this machine."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import httpx2

from benchmarks.local import local
from core.container import Services, open_services
from core.settings import Settings
from core.users.tables.users import User
from tests.factories import Factory

_STARTS_WITHIN = 60  # seconds


@dataclass(frozen=True)
class Serving:
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

    async def somebody(self) -> tuple[User, str]:
        """Create a user. Return it with a session token."""
        user = await self.make.user()
        identity = self.services.identity
        _, token = await identity.sign_in_by_link(await identity.sign_in_link(user.id), "benchmark")
        return user, token

    def processor(self) -> float:
        """Return the CPU seconds of all API processes together."""
        return sum(self.processors())

    def processors(self) -> list[float]:
        """Return the CPU seconds of each API process."""
        ticks = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in self.pids]
        return [sum(map(int, spent)) / os.sysconf("SC_CLK_TCK") for spent in ticks]

    def memory(self) -> float:
        """Return the resident memory of all API processes together in MB."""
        statuses = [Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        return sum(int(status.split("VmRSS:")[1].split()[0]) for status in statuses) / 1024


@dataclass
class Readiness:
    """Requests /readyz 20 times a second while the block runs."""

    serving: Serving
    taken: list[float] = field(default_factory=list)
    refused: int = 0

    async def __aenter__(self) -> "Readiness":
        self.task = asyncio.create_task(self._ask())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _ask(self) -> None:
        async with self.serving.client(timeout=30) as client:
            while True:
                began = perf_counter()
                answer = await client.get("/readyz")
                self.taken.append(perf_counter() - began)
                self.refused += answer.status_code != 200
                await asyncio.sleep(0.05)

    def line(self) -> str:
        return f"readyz: n={len(self.taken)} {spread(self.taken)}, {self.refused} not 200"


def spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return 1000 * ordered[round(share * (len(ordered) - 1))]

    return f"p50 {at(0.5):.0f} ms, p95 {at(0.95):.0f} ms, max {at(1):.0f} ms" if ordered else "none"


@asynccontextmanager
async def serving(*, worker: bool = True) -> AsyncIterator[Serving]:
    """Start everything, yield when ready and stop it at the end. Without a worker only HTTP requests do work."""
    async with local() as here:
        settings = Settings()
        pids = await here.serve(settings.api_processes)
        if worker:
            await here.start("temporal")
        services = await here.stack.enter_async_context(open_services(settings))
        server = Serving(here.address, services, Factory(services.sessions, services.vault), pids)
        await _ready(server, Path(here.log.name), "/readyz" if worker else "/healthz")
        yield server


async def _ready(server: Serving, log: Path, probe: str) -> None:
    until = perf_counter() + _STARTS_WITHIN
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
