"""Queries for the operator: figures about the rows of all users, and the rows of one post."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from core.ai.tables.transactions import Transaction
from core.assistants.rules.assistants import OPEN_RUNS, AssistantPhase, RunState
from core.assistants.tables import AssistantStatus
from core.deliveries.tables.deliveries import Delivery
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.tables.mails import Mail
from core.notifications.tables.notifications import Notification
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.social_accounts.tables import Grant


class FiguresRepository:
    """Figures about the rows of all users, each by one query on an index."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def count_deliveries(self, state: DeliveryState) -> Sequence[tuple[ChannelKind, int]]:
        """Return the number of deliveries in this state by network: `held` or `unknown`, which have an index."""
        counted = select(Delivery.channel, func.count()).where(Delivery.state == state).group_by(Delivery.channel)
        return [(kind, count) for kind, count in await self.session.execute(counted)]

    async def count_open_runs(self) -> Sequence[tuple[RunState, int]]:
        """Return the number of open runs by state; `ready` ones are prepared and wait for their slot."""
        counted = select(Run.state, func.count()).where(Run.state.in_(OPEN_RUNS)).group_by(Run.state)
        return [(state, count) for state, count in await self.session.execute(counted)]

    async def count_assistants(self) -> Sequence[tuple[AssistantPhase, int]]:
        """Return the number of assistants by phase."""
        counted = select(AssistantStatus.phase, func.count()).group_by(AssistantStatus.phase)
        return [(phase, count) for phase, count in await self.session.execute(counted)]

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


class StoryRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def find_post(self, id: UUID) -> Post | None:
        """Return the post with this id, or that of the delivery or run with this id, with deliveries and approvals. It
        may be deleted."""
        of_delivery = select(Delivery.post_id).where(Delivery.id == id)
        found: Post | None = await self.session.scalar(
            select(Post)
            .where(or_(Post.id == id, Post.run_id == id, Post.id.in_(of_delivery)))
            .options(selectinload(Post.deliveries), selectinload(Post.approvals))
        )
        return found

    async def list_mails(self, user_id: UUID, post_id: UUID) -> Sequence[Mail]:
        """Return the mails about the post, oldest first."""
        about = select(Mail).where(Mail.user_id == user_id, Mail.params["post_id"].astext == str(post_id))
        return (await self.session.scalars(about.order_by(Mail.created_at))).all()

    async def list_notifications(self, user_id: UUID, post_id: UUID) -> Sequence[Notification]:
        """Return the notifications about the post, oldest first."""
        about = select(Notification).where(Notification.user_id == user_id, Notification.post_id == post_id)
        return (await self.session.scalars(about.order_by(Notification.created_at))).all()

    async def list_model_calls(self, user_id: UUID, run_id: UUID) -> Sequence[Transaction]:
        """Return the model calls of the run, oldest first."""
        calls = select(Transaction).where(Transaction.user_id == user_id, Transaction.run_id == run_id)
        return (await self.session.scalars(calls.order_by(Transaction.created_at))).all()
