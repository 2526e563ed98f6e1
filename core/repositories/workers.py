"""Signs of life of the worker processes, which are nobody's."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.models import WorkerBeat


class WorkerRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def last_seen(self) -> datetime | None:
        """When the liveliest of them was."""
        seen: datetime | None = await self.session.scalar(
            select(WorkerBeat.seen_at).order_by(WorkerBeat.seen_at.desc()).limit(1)
        )
        return seen

    async def beat(self, worker: str, queues: Sequence[str], now: datetime) -> None:
        statement = insert(WorkerBeat).values(worker=worker, queues=list(queues), seen_at=now)
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[WorkerBeat.worker], set_={"seen_at": now, "queues": list(queues)}
            )
        )

    async def forget(self, worker: str) -> None:
        await self.session.execute(delete(WorkerBeat).where(WorkerBeat.worker == worker))

    async def sweep(self, before: datetime) -> None:
        """Those that died without a word."""
        await self.session.execute(delete(WorkerBeat).where(WorkerBeat.seen_at < before))
