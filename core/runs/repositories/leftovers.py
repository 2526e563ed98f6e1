"""Rows of any user whose workflow never began or was lost, for the reconcile."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import OPEN_GENERATIONS
from core.clock import utcnow
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion


async def claim_stale(
    session: AsyncSession, table: type[Tryout] | type[TopicSuggestion], before: datetime, limit: int
) -> Sequence[tuple[UUID, UUID]]:
    """Return (user, id) of open rows that were not updated since `before`, the longest waiting first, and mark them as
    updated."""
    left = (
        select(table.id)
        .where(table.state.in_(OPEN_GENERATIONS), table.updated_at < before)
        .order_by(table.updated_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    values: dict[str, Any] = {"updated_at": utcnow()}
    rows = await session.execute(
        update(table)
        .where(table.id.in_(left))
        .values(values)
        .returning(table.user_id, table.id)
        .execution_options(synchronize_session=False)
    )
    return [(user_id, row_id) for user_id, row_id in rows]
