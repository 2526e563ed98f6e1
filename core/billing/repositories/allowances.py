"""How much of a subscription's limits a user has used. Each count is one statement, however many rows there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.ai.tables.transactions import CallOutcome, Transaction
from core.assistants.rules.assistants import BEGINS_WRITING, OPEN_RUNS, Mode
from core.assistants.tables import Assistant
from core.billing.rules import Used
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.tables import Run, RunStep

_PUBLISHING = [mode.value for mode in Mode if mode.publishes]
_WAS_OUT = or_(Delivery.state == DeliveryState.published, Delivery.removed_at.is_not(None))
"""Published at some time: a removed article is a draft again, but was published. When it is published again, the
earlier time is in `was_out_at`."""
_PAUSED = func.coalesce(Assistant.pause_reason == ErrorCode.subscription_ended, False)


@dataclass(frozen=True)
class PostsOut:
    """`others`: how many other posts of a span are, or may be, published. `counted`: whether this post is."""

    others: int
    counted: bool


class AllowanceRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def used(self, user_id: UUID, since: datetime, until: datetime) -> Used:
        """Return the active assistants, without those paused because the subscription ended, and the posts and model
        calls of the span. A post counts once, at its first channel."""
        first_out = (
            select(Delivery.post_id, func.min(Delivery.settled_at).label("at"))
            .where(Delivery.user_id == user_id, _WAS_OUT)
            .group_by(Delivery.post_id)
            .subquery()
        )
        earlier = select(Delivery.post_id).where(
            Delivery.user_id == user_id, Delivery.was_out_at >= since, Delivery.was_out_at < until
        )
        out = select(first_out.c.post_id).where(first_out.c.at >= since, first_out.c.at < until).union(earlier)
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
                # nothing is known yet of a running call
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
                    select(func.count()).select_from(out.subquery()).scalar_subquery(),
                    calls,
                )
            )
        ).one()
        assistants, posts, images, cost, unpriced = map(int, row)
        return Used(assistants, posts, images, None if images and images == unpriced else cost, unpriced)

    async def paused(self, user_id: UUID) -> int:
        """Return the number of assistants paused because the subscription ended."""
        count = await self.session.scalar(
            select(func.count()).where(Assistant.user_id == user_id, Assistant.active, _PAUSED)
        )
        return count or 0

    async def active_assistants(self, user_id: UUID) -> int:
        """Return the number of active assistants, counted as in `used`."""
        count = await self.session.scalar(
            select(func.count()).where(Assistant.user_id == user_id, Assistant.active, ~_PAUSED)
        )
        return count or 0

    async def paused_assistants(self, user_id: UUID) -> Sequence[UUID]:
        """Return the assistants of `paused` in list order, locked until this transaction ends."""
        rows = await self.session.scalars(
            select(Assistant.id)
            .where(Assistant.user_id == user_id, Assistant.active, _PAUSED)
            .order_by(func.lower(Assistant.name), Assistant.id)
            .with_for_update()
        )
        return rows.all()

    async def going_on(self, user_id: UUID) -> Sequence[UUID]:
        """Return active assistants that run, or are paused only until a set time; locked until this transaction
        ends."""
        rows = await self.session.scalars(
            select(Assistant.id)
            .where(
                Assistant.user_id == user_id,
                Assistant.active,
                or_(Assistant.paused_at.is_(None), Assistant.paused_until.is_not(None)),
            )
            .order_by(Assistant.id)
            .with_for_update()
        )
        return rows.all()

    async def posts(
        self,
        user_id: UUID,
        since: datetime,
        until: datetime,
        *,
        post_id: UUID | None = None,
        run_id: UUID | None = None,
        ahead_of: datetime | None = None,
        in_making: bool = False,
    ) -> PostsOut:
        """Count the other posts of the span that are published, were called without an answer, or wait in a worker;
        with `ahead_of` also those planned before then; with `in_making` also those of runs that have begun paid steps,
        whatever their time. The excluded post is named, or is that of the run."""
        named = Post.id == post_id if post_id else Post.run_id == run_id
        mine = select(Post.id).where(Post.user_id == user_id, named if post_id or run_id else false())
        earlier, other = aliased(Delivery), aliased(Delivery)
        was_out = exists().where(
            earlier.post_id == Delivery.post_id, earlier.state == DeliveryState.published, earlier.settled_at < since
        )
        maybe = (DeliveryState.unknown, DeliveryState.retrying)
        going_out = or_(
            and_(_WAS_OUT, Delivery.settled_at >= since, Delivery.settled_at < until),
            and_(Delivery.was_out_at >= since, Delivery.was_out_at < until),
            Delivery.state == DeliveryState.publishing,
            and_(Delivery.state.in_(maybe), Delivery.called_at >= since, Delivery.called_at < until),
        )
        queued: ColumnElement[bool] = false()
        if ahead_of is not None:
            queued = and_(
                Delivery.state.in_((DeliveryState.pending, DeliveryState.retrying, DeliveryState.held)),
                exists().where(
                    Post.id == Delivery.post_id,
                    Post.status == PostStatus.complete,
                    Post.planned_at >= since,
                    Post.planned_at < ahead_of,
                ),
            )
        counted = (
            select(Delivery.post_id)
            .where(Delivery.user_id == user_id, Delivery.post_id.not_in(mine), or_(going_out, queued), ~was_out)
            .distinct()
        )
        others: ColumnElement[int] = select(func.count()).select_from(counted.subquery()).scalar_subquery()
        if in_making:
            others += _in_making(user_id, since, until, run_id, counted).scalar_subquery()
        row = (
            await self.session.execute(
                select(
                    others,
                    exists().where(
                        other.user_id == user_id, other.post_id.in_(mine), other.state == DeliveryState.published
                    ),
                )
            )
        ).one()
        return PostsOut(int(row[0]), bool(row[1]))

    async def cost_micros(self, user_id: UUID, since: datetime, until: datetime) -> int:
        """Return the span's cost. A call of unknown cost, also one still running, counts as its maximum; a model
        without a price counts as nothing."""
        total = await self.session.scalar(
            select(func.coalesce(func.sum(func.coalesce(Transaction.cost_micros, Transaction.most_micros)), 0)).where(
                Transaction.user_id == user_id, Transaction.created_at >= since, Transaction.created_at < until
            )
        )
        return int(total or 0)


def _in_making(
    user_id: UUID, since: datetime, until: datetime, beside: UUID | None, counted: Select[UUID]
) -> Select[int]:
    """Count the span's other runs that have begun writing a post to publish and are not finished, including those that
    wait for a person. Runs whose post is `counted` are excluded."""
    has_begun = exists().where(RunStep.run_id == Run.id, RunStep.kind.in_(BEGINS_WRITING))
    post = aliased(Post)
    at = func.coalesce(post.planned_at, Run.slot)
    return (
        select(func.count(Run.id))
        .outerjoin(post, post.run_id == Run.id)
        .where(
            Run.user_id == user_id,
            Run.id != beside,
            or_(post.id.is_(None), post.id.not_in(counted)),
            Run.state.in_(OPEN_RUNS),
            Run.stored_setup["mode"].astext.in_(_PUBLISHING),
            at >= since,
            at < until,
            has_begun,
        )
    )
