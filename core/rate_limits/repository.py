"""Rate limits. Keys are keyed hashes, so a row does not say whose it is; many are of callers nobody knows yet."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.rate_limits.tables import RateLimit


class LimitRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def take(self, key: str, now: datetime, *, every: timedelta, slack: timedelta) -> bool:
        """Count one call, unless it comes more than `slack` ahead of its time. Looking and counting are one
        statement: of any number of callers at once exactly as many get through as may."""
        first = insert(RateLimit).values(key=key, free_at=now + every)
        taken = await self.session.scalar(
            first.on_conflict_do_update(
                index_elements=[RateLimit.key],
                set_={"free_at": func.greatest(RateLimit.free_at, now) + every},
                where=RateLimit.free_at <= now + slack,
            ).returning(RateLimit.key)
        )
        return taken is not None

    async def first_free(self, keys: Sequence[str]) -> datetime | None:
        """When the first of them is used up no more. After a refused `take` their rows are held until the commit."""
        found: datetime | None = await self.session.scalar(
            select(func.min(RateLimit.free_at)).where(RateLimit.key.in_(keys))
        )
        return found

    async def give_back(self, key: str, every: timedelta) -> None:
        """Undo one `take`."""
        await self.session.execute(
            update(RateLimit).where(RateLimit.key == key).values(free_at=RateLimit.free_at - every)
        )

    async def forget(self, keys: Sequence[str]) -> None:
        await self.session.execute(delete(RateLimit).where(RateLimit.key.in_(keys)))

    async def sweep(self, now: datetime, *, most: int) -> int:
        """Remove rows that say the same as no row. Returns how many; the rest waits for the next time."""
        spent = select(RateLimit.key).where(RateLimit.free_at < now).limit(most).with_for_update(skip_locked=True)
        gone = await self.session.scalars(delete(RateLimit).where(RateLimit.key.in_(spent)).returning(RateLimit.key))
        return len(gone.all())
