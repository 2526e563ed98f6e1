from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession


async def database_now(session: AsyncSession) -> datetime:
    """Return the database's current time, the same for every process. Not the start of the transaction, which may have
    waited for a row that another transaction changed."""
    moment: datetime = (await session.execute(select(func.clock_timestamp()))).scalar_one()
    return moment
