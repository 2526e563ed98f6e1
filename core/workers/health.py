"""Whether the parts that the product stands on are alive."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from core.database import Sessions, ensure_answering
from core.workers.repository import WorkerRepository

BEAT = timedelta(seconds=10)
SILENT = timedelta(seconds=30)


@dataclass(frozen=True)
class WorkerHealth:
    alive: bool
    seen_at: datetime | None


@dataclass(frozen=True)
class HealthService:
    sessions: Sessions
    probes: Sessions
    """On connections of their own: under load the others are all taken, which says nothing about the database."""

    async def database(self) -> bool:
        try:
            async with asyncio.timeout(3), self.probes() as session:
                await ensure_answering(session)
        except (SQLAlchemyError, OSError, TimeoutError):
            return False
        return True

    async def worker(self) -> WorkerHealth:
        """Alive: some worker process wrote its sign of life in the last 30 s."""
        async with self.probes() as session:
            seen = await WorkerRepository(session).last_seen()
        return WorkerHealth(seen is not None and datetime.now(UTC) - seen < SILENT, seen)

    async def beat(self, worker: str, queues: list[str]) -> None:
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            workers = WorkerRepository(session)
            await workers.beat(worker, queues, now)
            await workers.sweep(now - timedelta(days=1))

    async def leave(self, worker: str) -> None:
        """A worker that was asked to stop says so at once."""
        async with self.sessions.begin() as session:
            await WorkerRepository(session).forget(worker)
