"""Health checks of database and worker."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from core.database import Sessions, ensure_answering
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.networks.registry import processing_kinds
from core.workers.repository import WorkerRepository

BEAT = timedelta(seconds=10)
SILENT = timedelta(seconds=30)
STANDING_STILL = timedelta(minutes=5)
"""How long after its time a delivery may wait for a worker that is there. A killed worker, or one retry, takes less."""


@dataclass(frozen=True)
class WorkerHealth:
    alive: bool
    seen_at: datetime | None


@dataclass(frozen=True)
class DueDeliveries:
    """`oldest`: since when the delivery has waited that has waited longest since its time, None if none waits."""

    oldest: datetime | None
    standing_still: bool
    """Whether it has waited for too long although a worker was there."""


@dataclass(frozen=True)
class HealthService:
    sessions: Sessions
    probes: Sessions
    """Sessions with their own connections: under load the others are all in use, though the database works."""

    async def database(self) -> bool:
        try:
            async with asyncio.timeout(3), self.probes() as session:
                await ensure_answering(session)
        except (SQLAlchemyError, OSError, TimeoutError):
            return False
        return True

    async def worker(self) -> WorkerHealth:
        """Return alive if any worker process wrote its heartbeat in the last 30 s."""
        async with self.probes() as session:
            last_seen = await WorkerRepository(session).last_seen()
        return WorkerHealth(last_seen is not None and datetime.now(UTC) - last_seen < SILENT, last_seen)

    async def due_deliveries(self) -> DueDeliveries:
        """Return whether what is due goes out. Right after the start of the workers they have time to catch up."""
        now = utcnow()
        async with self.probes() as session:
            oldest = await DeliveryRepository(session).oldest_due(now, processing_kinds())
            since = await WorkerRepository(session).first_started(datetime.now(UTC) - SILENT)
        late_since = None if oldest is None or since is None else max(oldest, since)
        return DueDeliveries(oldest, late_since is not None and now - late_since > STANDING_STILL)

    async def beat(self, worker: str, queues: list[str]) -> None:
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            workers = WorkerRepository(session)
            await workers.beat(worker, queues, now)
            await workers.sweep(now - timedelta(days=1))

    async def leave(self, worker: str) -> None:
        """Delete the heartbeat of a worker that stops."""
        async with self.sessions.begin() as session:
            await WorkerRepository(session).forget(worker)
