"""Heartbeats of the worker processes, which belong to no user."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Text, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.deliveries.tables.deliveries import Delivery
from core.posts.rules.posts import OPEN_DELIVERIES
from core.workers.tables import WorkerBeat

WORKER_LOCKS: Final = 7305470
"""First key of the advisory lock that each worker process holds; the second is the hash of its id."""


class WorkerRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def last_seen(self) -> datetime | None:
        """Return the newest heartbeat of all workers."""
        return await self.session.scalar(select(WorkerBeat.seen_at).order_by(WorkerBeat.seen_at.desc()).limit(1))

    async def first_started(self, seen_after: datetime) -> datetime | None:
        """Return since when the longest running of the workers is there that were seen after that time."""
        found: datetime | None = await self.session.scalar(
            select(func.min(WorkerBeat.started_at)).where(WorkerBeat.seen_at > seen_after)
        )
        return found

    async def beat(self, worker: str, queues: Sequence[str], now: datetime) -> None:
        statement = insert(WorkerBeat).values(worker=worker, queues=list(queues), seen_at=now)
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[WorkerBeat.worker], set_={"seen_at": now, "queues": list(queues)}
            )
        )

    async def list_dead(self, me: UUID) -> set[UUID]:
        """Return the worker processes, other than `me`, that have a delivery in hand and whose lock nobody holds."""
        busy = (
            select(Delivery.worker_id)
            .where(Delivery.worker_id.is_not(None), Delivery.worker_id != me, Delivery.state.in_(OPEN_DELIVERIES))
            .distinct()
            .subquery()
        )
        free = func.pg_try_advisory_xact_lock(WORKER_LOCKS, func.hashtext(cast(busy.c.worker_id, Text)))
        return set(await self.session.scalars(select(busy.c.worker_id).where(free)))

    async def forget(self, worker: str) -> None:
        await self.session.execute(delete(WorkerBeat).where(WorkerBeat.worker == worker))

    async def sweep(self, before: datetime) -> None:
        """Delete heartbeats of crashed workers."""
        await self.session.execute(delete(WorkerBeat).where(WorkerBeat.seen_at < before))
