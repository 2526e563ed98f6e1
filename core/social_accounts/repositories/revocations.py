"""Due revocations of all users, for the round that retries them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from core.social_accounts.tables import Grant, ReplacedToken


async def claim_due(
    session: AsyncSession,
    table: type[Grant] | type[ReplacedToken],
    due_at: InstrumentedAttribute[datetime | None] | InstrumentedAttribute[datetime],
    now: datetime,
    until: datetime,
    limit: int,
) -> list[tuple[UUID, UUID]]:
    """Return (user, id) of rows that are due, longest waiting first, and postpone them to `until`."""
    due = select(table.id).where(due_at <= now).order_by(due_at).limit(limit).with_for_update(skip_locked=True)
    rows = await session.execute(
        update(table)
        .where(table.id.in_(due))
        .values({due_at: until})
        .returning(table.user_id, table.id)
        .execution_options(synchronize_session=False)
    )
    return [(user_id, row_id) for user_id, row_id in rows]
