"""Figures about the rows of all users, for the operator. Each is one query on an index."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.assistants import OPEN_RUNS, RunState
from core.deliveries.tables.deliveries import Delivery
from core.networks.rules.channels import AccountState, ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.social_accounts.tables import Grant

_BEING_SENT = (DeliveryState.pending, DeliveryState.publishing, DeliveryState.retrying)


class FiguresRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def count_deliveries(self, state: DeliveryState) -> Sequence[tuple[ChannelKind, int]]:
        """Return the number of deliveries in this state by network: `held` or `unknown`, which have an index."""
        counted = select(Delivery.channel, func.count()).where(Delivery.state == state).group_by(Delivery.channel)
        return [(kind, count) for kind, count in await self.session.execute(counted)]

    async def oldest_due(self, now: datetime) -> datetime | None:
        """Return the planned time of the oldest post that is due and has a delivery that is neither ended nor held."""
        being_sent = select(Delivery.id).where(Delivery.post_id == Post.id, Delivery.state.in_(_BEING_SENT))
        oldest: datetime | None = await self.session.scalar(
            select(Post.planned_at)
            .where(
                Post.status == PostStatus.complete,
                Post.deleted_at.is_(None),
                Post.planned_at <= now,
                being_sent.exists(),
            )
            .order_by(Post.planned_at)
            .limit(1)
        )
        return oldest

    async def count_open_runs(self) -> Sequence[tuple[RunState, int]]:
        """Return the number of open runs by state; `ready` ones are prepared and wait for their slot."""
        counted = select(Run.state, func.count()).where(Run.state.in_(OPEN_RUNS)).group_by(Run.state)
        return [(state, count) for state, count in await self.session.execute(counted)]

    async def count_expiring_grants(self, now: datetime, until: datetime) -> Sequence[tuple[ChannelKind, int]]:
        """Return the number of grants by network that end in this time, as `Account.expires_at` reckons."""
        ends = or_(
            and_(Grant.refresh_token_encrypted.is_(None), Grant.expires_at.between(now, until)),
            and_(
                Grant.refresh_token_encrypted.is_not(None),
                Grant.refresh_expires_at.between(now, until),
                Grant.expires_at <= until,
            ),
        )
        counted = (
            select(Grant.kind, func.count()).where(ends, Grant.state == AccountState.connected).group_by(Grant.kind)
        )
        return [(kind, count) for kind, count in await self.session.execute(counted)]
