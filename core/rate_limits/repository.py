"""Rate limits. Keys are keyed hashes, so rows do not identify callers; many callers are not signed in."""

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
        """Count one call and return True, unless it comes more than `slack` early. Check and count are one statement:
        of parallel calls exactly the allowed number passes."""
        first = insert(RateLimit).values(key=key, free_at=now + every)
        row_key = await self.session.scalar(
            first.on_conflict_do_update(
                index_elements=[RateLimit.key],
                set_={"free_at": func.greatest(RateLimit.free_at, now) + every},
                where=RateLimit.free_at <= now + slack,
            ).returning(RateLimit.key)
        )
        return row_key is not None

    async def first_free(self, keys: Sequence[str]) -> datetime | None:
        """Return when the first of these limits allows a call again. After a refused `take` the rows stay locked."""
        return await self.session.scalar(select(func.min(RateLimit.free_at)).where(RateLimit.key.in_(keys)))

    async def give_back(self, key: str, every: timedelta) -> None:
        """Undo one `take`."""
        await self.session.execute(
            update(RateLimit).where(RateLimit.key == key).values(free_at=RateLimit.free_at - every)
        )

    async def forget(self, keys: Sequence[str]) -> None:
        await self.session.execute(delete(RateLimit).where(RateLimit.key.in_(keys)))

    async def sweep(self, now: datetime, *, most: int) -> int:
        """Delete up to `most` expired rows. Return how many; the rest waits for the next call."""
        spent = select(RateLimit.key).where(RateLimit.free_at < now).limit(most).with_for_update(skip_locked=True)
        keys = await self.session.scalars(delete(RateLimit).where(RateLimit.key.in_(spent)).returning(RateLimit.key))
        return len(keys.all())
