from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession


async def database_now(session: AsyncSession) -> datetime:
    """By the database's clock at this very moment, the same for every process; not at the transaction's beginning,
    which may have waited for a row that another has changed meanwhile."""
    moment: datetime = (await session.execute(select(func.clock_timestamp()))).scalar_one()
    return moment
