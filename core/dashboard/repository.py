"""Sums over a user's rows. Each method is one query for any number of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, Integer, Select, and_, cast, exists, func, or_, select, true, tuple_
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.transactions import CallOutcome, Transaction
from core.approvals.repositories.approvals import is_open
from core.approvals.rules import AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.repository import channels_of
from core.assistants.rules.assistants import AssistantPhase, RunState
from core.assistants.tables import Assistant, AssistantAccount, AssistantStatus
from core.billing.rules import StripeStatus
from core.billing.tables import SubscriptionRow
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.media.rules.media import MediaKind
from core.networks.rules.channels import NETWORKS, AccountState, ChannelKind
from core.notifications.repositories.notifications import unread_count
from core.posts.repositories.calendar import beginning, first_picture, kind_of_first_file
from core.posts.repositories.posts import has_published_delivery, has_unknown_delivery, waits_for_person
from core.posts.rules.posts import OPEN_DELIVERIES, DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.run_lists import RunFilter
from core.runs.repositories.runs import is_passed_over
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template
from core.topics.tables import Topic, TopicTree


@dataclass(frozen=True)
class SetupProgress:
    """Whether at least one of each exists."""

    account: bool
    template: bool
    topic_tree: bool
    assistant: bool
    active_assistant: bool
    subscription: bool
    """Including an ended one."""


@dataclass(frozen=True)
class ChannelCount:
    """`posts` of all time; deliveries settled in the requested span."""

    posts: int
    published: int
    failed: int
    unknown: int
    """Sent in the span, with an unknown outcome."""


@dataclass(frozen=True)
class WaitingPosts:
    """Numbers of items that wait for the user."""

    posts: int
    approvals: int
    """Posts that can be approved or declined now."""
    accounts: int
    websites: int
    assistants: int
    notifications: int
    """Unread notifications, which may be about any of these; counted up to MOST_COUNTED."""
    subscription: bool
    """A charge has failed, or assistants are paused because the subscription has ended."""


@dataclass(frozen=True)
class SkippedRun:
    """Numbers of an assistant's slots without a post."""

    assistant_id: UUID
    name: str
    missed: int
    skipped: int


@dataclass(frozen=True)
class UnplannedAssistant:
    """An assistant whose slots could not be planned. `reason`: an error code; `retry_at`: time of the next automatic
    attempt."""

    id: UUID
    name: str
    reason: str | None
    retry_at: datetime | None


@dataclass(frozen=True)
class Spending:
    """Sums over model calls; `cost_micros` is None if no call's cost is known, `known` is True if all are known."""

    input_tokens: int
    output_tokens: int
    cost_micros: int | None
    known: bool
    currency: str


@dataclass(frozen=True)
class PreparedPost:
    """What is prepared for a coming slot: its topic first, then its post with the first file."""

    topic_title: str
    post_id: UUID | None
    picture_id: UUID | None
    """Of the first file; a video's cover."""
    file_kind: MediaKind | None
    asks: bool
    """The post can still be approved or declined."""
    needs_approval: bool
    """The post is not published without approval."""


@dataclass(frozen=True)
class NextPost:
    """A post that is published at its time, or after its approval."""

    id: UUID
    beginning: str
    """The beginning of the text, or an article's title."""
    topic_title: str
    planned_at: datetime
    is_article: bool
    channels: Sequence[ChannelKind]
    """Channels of the open deliveries, each once."""
    needs_login: bool
    """One of the accounts needs reconnecting: until then the post is not published there."""
    held: bool
    """All of the accounts need reconnecting."""
    asks: bool
    """The post can still be approved or declined."""
    needs_approval: bool
    """The post is not published without approval."""
    picture_id: UUID | None
    """Of the first file; a video's cover."""
    file_kind: MediaKind | None


class AccountStatsRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def made(self, user_id: UUID) -> SetupProgress:
        """Return the set-up's progress. Only text templates count: an assistant requires one."""
        row = (
            await self.session.execute(
                select(
                    select(Account.id).where(Account.user_id == user_id, Account.disconnected_at.is_(None)).exists(),
                    select(Template.id).where(Template.user_id == user_id, Template.type == TemplateType.text).exists(),
                    select(TopicTree.id).where(TopicTree.user_id == user_id).exists(),
                    select(Assistant.id).where(Assistant.user_id == user_id).exists(),
                    select(Assistant.id).where(Assistant.user_id == user_id, Assistant.active).exists(),
                    select(SubscriptionRow.user_id)
                    .where(SubscriptionRow.user_id == user_id, SubscriptionRow.had_one)
                    .exists(),
                )
            )
        ).one()
        return SetupProgress(*row)

    async def waiting(self, user_id: UUID) -> WaitingPosts:
        row = (
            await self.session.execute(
                select(
                    select(func.count())
                    .where(Post.user_id == user_id, Post.deleted_at.is_(None), waits_for_person())
                    .scalar_subquery(),
                    _open_approvals(user_id).scalar_subquery(),
                    _lost(user_id, Account.kind.in_(NETWORKS)).scalar_subquery(),
                    _lost(user_id, Account.kind.not_in(NETWORKS)).scalar_subquery(),
                    select(func.count())
                    .where(
                        Assistant.user_id == user_id,
                        Assistant.active,
                        or_(Assistant.pause_reason.is_not(None), _cannot_plan(utcnow())),
                    )
                    .scalar_subquery(),
                    unread_count(user_id).scalar_subquery(),
                    or_(
                        select(SubscriptionRow.user_id)
                        .where(
                            SubscriptionRow.user_id == user_id,
                            SubscriptionRow.paid["status"].astext == StripeStatus.past_due,
                        )
                        .exists(),
                        select(Assistant.id)
                        .where(
                            Assistant.user_id == user_id,
                            Assistant.active,
                            Assistant.pause_reason == ErrorCode.subscription_ended,
                        )
                        .exists(),
                    ),
                )
            )
        ).one()
        return WaitingPosts(*row)

    async def posts(
        self, user_id: UUID, bounds: Sequence[datetime]
    ) -> list[tuple[PostStatus | DeliveryState, bool, bool, int, int]]:
        """Return (status, whether published on at least one channel, whether articles, part, number) of posts; the
        status is unknown if a delivery's outcome is.
        A post belongs to the part of its planned time, or else its creation: 0 is before the first bound, 1 between
        the first two, and so on."""
        part = _part(func.coalesce(Post.planned_at, Post.created_at), bounds)
        unclear, is_out, is_article = has_unknown_delivery(), has_published_delivery(), Post.article.is_not(None)
        rows = await self.session.execute(
            select(Post.status, unclear, is_out, is_article, part, func.count())
            .where(Post.user_id == user_id, Post.deleted_at.is_(None))
            .group_by(Post.status, unclear, is_out, is_article, part)
        )
        return [
            (DeliveryState.unknown if open else status, out or status is PostStatus.published, article, at, number)
            for status, open, out, article, at, number in rows
        ]

    async def channels(self, user_id: UUID, since: datetime, until: datetime) -> dict[ChannelKind, ChannelCount]:
        """Return the counts of every channel that ever had a post."""
        span = (Delivery.settled_at >= since, Delivery.settled_at < until)
        rows = await self.session.execute(
            select(
                Delivery.channel,
                func.count(Delivery.post_id.distinct()),
                func.count().filter(Delivery.state == DeliveryState.published, *span),
                func.count().filter(Delivery.state == DeliveryState.failed, *span),
                func.count().filter(
                    Delivery.state == DeliveryState.unknown, Delivery.called_at >= since, Delivery.called_at < until
                ),
            )
            .where(Delivery.user_id == user_id)
            .group_by(Delivery.channel)
        )
        return {channel: ChannelCount(*counts) for channel, *counts in rows}

    async def spending(self, user_id: UUID, bounds: Sequence[datetime]) -> dict[int, Spending]:
        """Return the spending by part, as numbered by `posts`; only parts with a call, from the first bound to before
        the last. All price lists have the same currency."""
        part = _part(Transaction.created_at, bounds)
        rows = await self.session.execute(
            select(
                part,
                func.coalesce(func.sum(Transaction.input_tokens), 0),
                func.coalesce(func.sum(Transaction.output_tokens), 0),
                func.sum(Transaction.cost_micros),
                func.bool_and(Transaction.cost_micros.is_not(None)),
                func.min(Transaction.currency),
            )
            .where(
                Transaction.user_id == user_id,
                Transaction.created_at >= bounds[0],
                Transaction.created_at < bounds[-1],
                # the usage of a call in progress is unknown
                Transaction.outcome != CallOutcome.calling,
            )
            .group_by(part)
        )
        return {
            at: Spending(int(given_tokens), int(made_tokens), None if cost is None else int(cost), is_known, currency)
            for at, given_tokens, made_tokens, cost, is_known, currency in rows
        }

    async def left_out(self, user_id: UUID, since: datetime, until: datetime) -> list[SkippedRun]:
        """Return the slots of the span without a post by assistant, most first, except slots that the user has
        skipped."""
        left = (RunState.missed, RunState.skipped)
        shown = RunFilter(since, until, without_cancelled=True).conditions()
        missed = func.count().filter(Run.state == RunState.missed)
        rows = await self.session.execute(
            select(Assistant.id, Assistant.name, missed, func.count() - missed)
            .join(Run, Run.assistant_id == Assistant.id)
            .where(Run.user_id == user_id, Run.state.in_(left), *shown)
            .group_by(Assistant.id)
            .order_by(func.count().desc(), Assistant.name, Assistant.id)
        )
        return [SkippedRun(*row) for row in rows]

    async def to_reconnect(self, user_id: UUID) -> list[Account]:
        rows = await self.session.scalars(
            select(Account)
            .where(
                Account.user_id == user_id,
                Account.disconnected_at.is_(None),
                Account.state == AccountState.needs_reconnecting,
            )
            .order_by(Account.kind, Account.name, Account.id)
        )
        return list(rows)

    async def active(self, user_id: UUID) -> list[tuple[Assistant, list[ChannelKind], bool]]:
        """Return the active assistants with their channels, each once, and whether one of their accounts needs
        reconnecting."""
        kinds = channels_of(user_id)
        lost = (
            select(AssistantAccount.assistant_id)
            .join(Account, Account.id == AssistantAccount.account_id)
            .where(
                AssistantAccount.user_id == user_id,
                Account.disconnected_at.is_(None),
                Account.state == AccountState.needs_reconnecting,
            )
        )
        rows = await self.session.execute(
            select(Assistant, kinds, Assistant.id.in_(lost))
            .where(Assistant.user_id == user_id, Assistant.active)
            .order_by(Assistant.id)
        )
        return [(assistant, sorted(channels or ()), needs_login) for assistant, channels, needs_login in rows]

    async def open_approvals(self, user_id: UUID) -> int:
        return await self.session.scalar(_open_approvals(user_id)) or 0

    async def unplanned(self, user_id: UUID) -> list[UnplannedAssistant]:
        """Return the active assistants without runs because their slots cannot be planned."""
        rows = await self.session.execute(
            select(Assistant.id, Assistant.name, AssistantStatus.reason, AssistantStatus.retry_at)
            .join(AssistantStatus, AssistantStatus.assistant_id == Assistant.id)
            .where(Assistant.user_id == user_id, Assistant.active, _cannot_plan(utcnow()))
            .order_by(Assistant.name, Assistant.id)
        )
        return [UnplannedAssistant(*row) for row in rows]

    async def passed_over(self, user_id: UUID, after: datetime) -> set[tuple[UUID, datetime]]:
        """Return (assistant, slot) of coming slots without a publication: the user has skipped the slot, its run has
        ended, or its post is deleted or rescheduled."""
        rows = await self.session.execute(
            select(Run.assistant_id, Run.slot)
            .outerjoin(Post, and_(Post.run_id == Run.id, Post.user_id == user_id))
            .where(Run.user_id == user_id, Run.slot > after, is_passed_over())
        )
        return {(row[0], row[1]) for row in rows}

    async def next_posts(self, user_id: UUID, now: datetime, limit: int) -> list[NextPost]:
        """Return the next posts, of users and assistants, that are scheduled or can be approved. Posts published at
        once on approval are left out: their time is the deadline of the approval."""
        going = (
            select(func.array_agg(Delivery.channel.distinct()), func.bool_or(_NEEDS_LOGIN), func.bool_and(_NEEDS_LOGIN))
            .join(Account, Account.id == Delivery.account_id)
            .where(
                Delivery.post_id == Post.id,
                Delivery.user_id == user_id,
                Delivery.state.in_(OPEN_DELIVERIES),
                Account.disconnected_at.is_(None),
            )
            .having(func.count() > 0)
            .lateral()
        )
        channels, needs_login, held = going.c
        asks = _asks(user_id, now)
        rows = await self.session.execute(
            select(
                Post.id,
                beginning(),
                Post.topic_title,
                Post.planned_at,
                Post.article.is_not(None),
                channels,
                needs_login,
                held,
                asks,
                _asks(user_id, now, _stays_without_an_answer()),
                first_picture(user_id),
                kind_of_first_file(user_id),
            )
            .join(going, true())
            .where(
                Post.user_id == user_id,
                Post.deleted_at.is_(None),
                Post.planned_at > now,
                or_(Post.status == PostStatus.complete, _asks(user_id, now, or_(~Approval.at_once, Post.pinned))),
            )
            .order_by(Post.planned_at, Post.id)
            .limit(limit)
        )
        return [NextPost(*row) for row in rows]

    async def prepared(
        self, user_id: UUID, dates: Sequence[tuple[UUID, datetime]]
    ) -> dict[tuple[UUID, datetime], PreparedPost]:
        """Return what is prepared by assistant and slot; only slots whose run has a topic."""
        rows = await self.session.execute(
            select(
                Run.assistant_id,
                Run.slot,
                func.coalesce(func.nullif(Post.topic_title, ""), Topic.title),
                Post.id,
                first_picture(user_id),
                kind_of_first_file(user_id),
                _asks(user_id, utcnow()),
                _asks(user_id, utcnow(), _stays_without_an_answer()),
            )
            .outerjoin(Topic, Topic.id == Run.topic_id)
            .outerjoin(Post, and_(Post.run_id == Run.id, Post.user_id == user_id, Post.deleted_at.is_(None)))
            .where(Run.user_id == user_id, tuple_(Run.assistant_id, Run.slot).in_(dates))
        )
        return {
            (assistant_id, slot): PreparedPost(topic_title, *facts)
            for assistant_id, slot, topic_title, *facts in rows
            if topic_title is not None
        }


_NEEDS_LOGIN: Final = Account.state == AccountState.needs_reconnecting


def _open_approvals(user_id: UUID) -> Select[int]:
    return (
        select(func.count())
        .select_from(Approval)
        .join(Post, Post.id == Approval.post_id)
        .where(Approval.user_id == user_id, is_open(utcnow()))
    )


def _asks(user_id: UUID, now: datetime, *so: ColumnElement[bool]) -> ColumnElement[bool]:
    """Condition of a post: it has an open approval for which the conditions `so` hold."""
    has_approval = exists().where(Approval.post_id == Post.id, Approval.user_id == user_id, is_open(now), *so)
    return has_approval.correlate(Post)


def _stays_without_an_answer() -> ColumnElement[bool]:
    return Approval.at_deadline != AtDeadline.publish


def _lost(user_id: UUID, of_kind: ColumnElement[bool]) -> Select[int]:
    """Select the number of accounts that need reconnecting."""
    return select(func.count()).where(
        Account.user_id == user_id,
        Account.disconnected_at.is_(None),
        Account.state == AccountState.needs_reconnecting,
        of_kind,
    )


def _cannot_plan(now: datetime) -> ColumnElement[bool]:
    """Condition: planning has failed. Paused assistants do not count, since they need no plan."""
    failed = exists().where(
        AssistantStatus.assistant_id == Assistant.id,
        AssistantStatus.user_id == Assistant.user_id,
        AssistantStatus.phase == AssistantPhase.planning_failed,
    )
    awake = or_(Assistant.paused_at.is_(None), Assistant.paused_until <= now)
    return and_(awake, failed.correlate(Assistant))


def _part(moment: ColumnElement[Any] | Any, bounds: Sequence[datetime]) -> ColumnElement[int]:
    """Return the number of the part between the bounds. The bounds of a user's days come from Python, whose time zone
    data the schedules use too, not from the database's."""
    return func.width_bucket(moment, cast(list(bounds), ARRAY(DateTime(timezone=True))), type_=Integer)
