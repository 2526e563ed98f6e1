"""The remaining calls that networks reported, timed by the database's clock, which is the same for all processes."""

from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.networks.tables import NetworkUsage


class NetworkUsageRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def read(self, key: str) -> tuple[int, timedelta, bool] | None:
        """Return (percent, how long the value is still valid, whether that duration is a guess)."""
        left = (NetworkUsage.until - func.clock_timestamp()).label("left")
        row = (
            await self.session.execute(
                select(NetworkUsage.percent, left, NetworkUsage.is_guess).where(
                    NetworkUsage.key == key, NetworkUsage.until > func.clock_timestamp()
                )
            )
        ).first()
        return (row.percent, row.left, row.is_guess) if row else None

    async def keep(self, key: str, percent: int, valid_for: timedelta, *, is_guess: bool) -> None:
        values = {"percent": percent, "until": func.clock_timestamp() + valid_for, "is_guess": is_guess}
        await self.session.execute(
            insert(NetworkUsage)
            .values(key=key, **values)
            .on_conflict_do_update(index_elements=[NetworkUsage.key], set_=values)
        )

    async def forget(self, key: str) -> None:
        await self.session.execute(delete(NetworkUsage).where(NetworkUsage.key == key))

    async def sweep(self, *, limit: int) -> None:
        """Delete up to `limit` expired rows; the rest waits for the next call."""
        expired = (
            select(NetworkUsage.key)
            .where(NetworkUsage.until < func.clock_timestamp())
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        await self.session.execute(delete(NetworkUsage).where(NetworkUsage.key.in_(expired)))
