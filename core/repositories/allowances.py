"""How much a user has used of what a subscription allows. One statement, however many rows there are."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import ErrorCode
from core.domain.posts import DeliveryState
from core.domain.subscriptions import Used
from core.models import Assistant, CallOutcome, Delivery, Transaction

_PAUSED = func.coalesce(Assistant.pause_reason == ErrorCode.subscription_ended, False)


class AllowanceRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def used(self, user_id: UUID, since: datetime, until: datetime) -> Used:
        """Assistants that are active now, but for those that pause because a subscription has ended; posts and calls of
        models of the span. A post counts once, when it is on the first of its channels."""
        first_out = (
            select(func.min(Delivery.settled_at).label("at"))
            .where(Delivery.user_id == user_id, Delivery.state == DeliveryState.published)
            .group_by(Delivery.post_id)
            .subquery()
        )
        calls = (
            select(
                func.count(),
                func.coalesce(func.sum(Transaction.cost_micros), 0),
                func.count().filter(Transaction.cost_micros.is_(None)),
            )
            .where(
                Transaction.user_id == user_id,
                Transaction.created_at >= since,
                Transaction.created_at < until,
                # of a call that is being made nothing can be told yet
                Transaction.outcome != CallOutcome.calling,
            )
            .subquery()
        )
        row = (
            await self.session.execute(
                select(
                    select(func.count())
                    .where(Assistant.user_id == user_id, Assistant.active, ~_PAUSED)
                    .scalar_subquery(),
                    select(func.count()).where(first_out.c.at >= since, first_out.c.at < until).scalar_subquery(),
                    calls,
                )
            )
        ).one()
        assistants, posts, made, cost, unpriced = map(int, row)
        return Used(assistants, posts, made, None if made and made == unpriced else cost, unpriced)

    async def paused(self, user_id: UUID) -> int:
        """Assistants that pause because the subscription has ended."""
        found = await self.session.scalar(
            select(func.count()).where(Assistant.user_id == user_id, Assistant.active, _PAUSED)
        )
        return found or 0
