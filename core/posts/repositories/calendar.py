"""Queries for a user's calendar. The number of statements does not depend on the number of entries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from core.among import among
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.repository import channels_of
from core.assistants.rules.assistants import OPEN_RUNS, RunState
from core.assistants.tables import Assistant, AssistantAccount
from core.deliveries.tables.deliveries import IN_DISPLAY_ORDER, Delivery
from core.media.rules.media import MediaKind
from core.media.tables import Media
from core.networks.rules.channels import AccountState, ChannelKind
from core.posts.repositories.post_lists import PostFact, for_channels, has_fact
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, RemovalState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.topics.tables import Topic

# characters in which the first line of a text is looked for
_BEGINNING = 400


@dataclass(frozen=True)
class CalendarQuery:
    """Which entries to read; None means any."""

    bounds: Sequence[datetime]
    """The starts of its days, and the end of the last day."""
    a_day: int
    """Limit of entries per kind and day."""
    assistant_id: UUID | None = None
    channel: ChannelKind | None = None


@dataclass(frozen=True)
class SentPost:
    """A delivery's progress."""

    channel: ChannelKind
    state: DeliveryState
    called_at: datetime | None
    error_code: str | None
    removal: RemovalState | None


@dataclass(frozen=True)
class PlannedPost:
    id: UUID
    run_id: UUID | None
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    beginning: str
    """The start of its text; for an article, its title."""
    topic_title: str
    planned_at: datetime
    acknowledged_at: datetime | None
    version: int
    updated_at: datetime
    approval_state: ApprovalState | None
    at_deadline: AtDeadline | None
    deadline_at: datetime | None
    at_once: bool | None
    """Once approved, the post goes out at once: its planned time is only the latest one."""
    is_article: bool
    picture_id: UUID | None
    """Of its first file; a video's cover."""
    file_kind: MediaKind | None
    """Of its first file."""
    deliveries: tuple[SentPost, ...]
    channels: tuple[ChannelKind, ...]
    """The channels of its deliveries, or of a draft's selected accounts, each once."""


@dataclass(frozen=True)
class BareRun:
    """A run that has no post, yet or for good."""

    id: UUID
    assistant_id: UUID
    assistant_name: str
    slot: datetime
    state: RunState
    reason: str | None
    topic_title: str | None
    updated_at: datetime
    needs_login: bool
    """It waits until one of its assistant's accounts is connected again."""


@dataclass(frozen=True)
class EntryStarts:
    """Slots that have a run or were skipped."""

    slots: frozenset[tuple[UUID, datetime]]
    under_way: Mapping[UUID, datetime]
    """By assistant, the earliest slot with an open run."""


class CalendarRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def posts(
        self, user_id: UUID, query: CalendarQuery, statuses: Collection[PostStatus], facts: Collection[PostFact] = ()
    ) -> tuple[list[PlannedPost], Counter[datetime]]:
        """Return the posts with one of the statuses or facts, by time, and how many more each day has. Two statements,
        one more if there are drafts, and one to count if a day has more."""
        days = _days()
        all_of_them = len(statuses) == len(PostStatus)
        is_wanted = or_(Post.status.in_(statuses), *(() if all_of_them else map(has_fact, facts)))
        mine = [
            Post.user_id == user_id,
            Post.deleted_at.is_(None),
            is_wanted,
            Post.planned_at >= days.c.first,
            Post.planned_at < days.c.end,
        ]
        if query.assistant_id:
            mine.append(Post.assistant_id == query.assistant_id)
        if query.channel:
            mine.append(for_channels([query.channel]))
        rows = await self.session.execute(_posts_by_day(user_id, days, mine, query.a_day + 1), _parameters(query))
        top, full = _at_most(query.a_day, [(row.day, row) for row in rows])
        counted = select(days.c.first, func.count()).select_from(days).join(Post, and_(*mine)).group_by(days.c.first)
        more = await self._beyond(query, full, counted)
        return await self._planned_posts(user_id, top), more

    async def _planned_posts(self, user_id: UUID, rows: Sequence[Any]) -> list[PlannedPost]:
        """Return the posts with their deliveries and channels."""
        sent = await self._sent(user_id, [row.id for row in rows])
        meant = await self._kinds(user_id, {UUID(id) for row in rows if not sent[row.id] for id in row.account_ids})
        posts = []
        for row in rows:
            facts = {name: value for name, value in row._mapping.items() if name not in ("day", "account_ids")}
            going = [delivery.channel for delivery in sent[row.id]]
            channels = going or [meant[account] for id in row.account_ids if (account := UUID(id)) in meant]
            posts.append(PlannedPost(**facts, deliveries=tuple(sent[row.id]), channels=tuple(dict.fromkeys(channels))))
        return posts

    async def _kinds(self, user_id: UUID, account_ids: Collection[UUID]) -> dict[UUID, ChannelKind]:
        """Return the channels of the connected accounts. No query without ids."""
        if not account_ids:
            return {}
        rows = await self.session.execute(
            select(Account.id, Account.kind).where(
                Account.user_id == user_id, Account.disconnected_at.is_(None), among(Account.id, "ids")
            ),
            {"ids": list(account_ids)},
        )
        return {row.id: row.kind for row in rows}

    async def _sent(self, user_id: UUID, post_ids: Sequence[UUID]) -> defaultdict[UUID, list[SentPost]]:
        deliveries: defaultdict[UUID, list[SentPost]] = defaultdict(list)
        rows = await self.session.execute(
            select(
                Delivery.post_id,
                Delivery.channel,
                Delivery.state,
                Delivery.called_at,
                Delivery.error_code,
                Delivery.removal,
            )
            .where(Delivery.user_id == user_id, among(Delivery.post_id, "ids"))
            .order_by(*IN_DISPLAY_ORDER),
            {"ids": list(post_ids)},
        )
        for post_id, channel, state, called_at, error_code, removal in rows:
            deliveries[post_id].append(SentPost(channel, state, called_at, error_code, removal))
        return deliveries

    async def bare_runs(
        self, user_id: UUID, query: CalendarQuery, states: Collection[RunState]
    ) -> tuple[list[BareRun], Counter[datetime]]:
        """Return the runs by slot, and how many more each day has."""
        days = _days()
        mine = [
            Run.user_id == user_id,
            Run.state.in_(states),
            Run.slot >= days.c.first,
            Run.slot < days.c.end,
            ~exists().where(Post.run_id == Run.id, Post.user_id == user_id),
        ]
        if query.assistant_id:
            mine.append(Run.assistant_id == query.assistant_id)
        if query.channel:
            mine.append(_posts_to(Run.assistant_id, user_id, query.channel))
        of_day = (
            select(
                Run.id,
                Run.assistant_id,
                Run.slot,
                Run.state,
                Run.reason,
                Run.topic_id,
                Run.stored_setup["topic"].astext.label("topic"),
                Run.updated_at,
            )
            .where(*mine)
            .order_by(Run.slot, Run.id)
            .limit(query.a_day + 1)
            .correlate(days)
            .lateral()
        )
        rows = await self.session.execute(
            select(
                days.c.first.label("day"),
                of_day.c.id,
                of_day.c.assistant_id,
                Assistant.name.label("assistant_name"),
                of_day.c.slot,
                of_day.c.state,
                of_day.c.reason,
                func.coalesce(of_day.c.topic, Topic.title).label("topic_title"),
                of_day.c.updated_at,
                and_(of_day.c.state == RunState.preparing, _needs_login(of_day.c.assistant_id, user_id)).label(
                    "needs_login"
                ),
            )
            .select_from(days)
            .join(of_day, true())
            .join(Assistant, and_(Assistant.id == of_day.c.assistant_id, Assistant.user_id == user_id))
            .outerjoin(Topic, and_(Topic.id == of_day.c.topic_id, Topic.user_id == user_id))
            .order_by(of_day.c.slot, of_day.c.id),
            _parameters(query),
        )
        top, full = _at_most(query.a_day, [(row.day, row) for row in rows])
        counted = select(days.c.first, func.count()).select_from(days).join(Run, and_(*mine)).group_by(days.c.first)
        more = await self._beyond(query, full, counted)
        return [BareRun(**{name: value for name, value in row._mapping.items() if name != "day"}) for row in top], more

    async def _beyond(
        self, query: CalendarQuery, full: Collection[datetime], counted: Select[datetime, int]
    ) -> Counter[datetime]:
        """Count the entries of full days beyond the kept ones. No query if no day is full."""
        if not full:
            return Counter()
        rows = await self.session.execute(counted, _parameters(query, full))
        return Counter({day: number - query.a_day for day, number in rows})

    async def active(
        self, user_id: UUID, assistant_id: UUID | None, channel: ChannelKind | None
    ) -> list[tuple[Assistant, list[ChannelKind]]]:
        """Return the active assistants by name, each with its channels, without duplicates."""
        kinds = channels_of(user_id)
        statement = select(Assistant, kinds).where(Assistant.user_id == user_id, Assistant.active)
        if assistant_id:
            statement = statement.where(Assistant.id == assistant_id)
        if channel:
            statement = statement.where(_posts_to(Assistant.id, user_id, channel))
        rows = await self.session.execute(statement.order_by(func.lower(Assistant.name), Assistant.id))
        return [(assistant, sorted(channels or ())) for assistant, channels in rows]

    async def beginnings(self, user_id: UUID, assistant_ids: Sequence[UUID], after: datetime) -> EntryStarts:
        """Return the slots of these assistants with a run: later ones, and earlier ones with an open run. Runs by hand
        are left out."""
        rows = await self.session.execute(
            select(Run.assistant_id, Run.slot, Run.state)
            .where(
                Run.user_id == user_id,
                among(Run.assistant_id, "ids"),
                Run.by_hand.is_(False),
                or_(Run.slot > after, Run.state.in_(OPEN_RUNS)),
            )
            .order_by(Run.slot),
            {"ids": list(assistant_ids)},
        )
        slots: set[tuple[UUID, datetime]] = set()
        under_way: dict[UUID, datetime] = {}
        for assistant_id, slot, state in rows:
            slots.add((assistant_id, slot))
            if state in OPEN_RUNS:
                under_way.setdefault(assistant_id, slot)
        return EntryStarts(frozenset(slots), under_way)


def _posts_by_day(user_id: UUID, days: Any, conditions: Sequence[ColumnElement[bool]], most: int) -> Select[Any]:
    """Return the query for the first `most` posts of each day, with their assistants, approvals and first files."""
    of_day = select(Post.id).where(*conditions).order_by(Post.planned_at, Post.id).limit(most).correlate(days).lateral()
    match = and_(Approval.post_id == Post.id, Approval.user_id == user_id, Approval.content_hash == Post.content_hash)
    return (
        select(
            days.c.first.label("day"),
            Post.id,
            Post.run_id,
            Post.assistant_id,
            Assistant.name.label("assistant_name"),
            Post.source,
            Post.status,
            beginning().label("beginning"),
            Post.topic_title,
            Post.planned_at,
            Post.acknowledged_at,
            Post.version,
            Post.updated_at,
            Approval.state.label("approval_state"),
            Approval.at_deadline,
            Approval.deadline_at,
            (Approval.at_once & ~Post.pinned).label("at_once"),
            Post.article.is_not(None).label("is_article"),
            first_picture(user_id).label("picture_id"),
            kind_of_first_file(user_id).label("file_kind"),
            Post.account_ids,
        )
        .select_from(days)
        .join(of_day, true())
        .join(Post, and_(Post.id == of_day.c.id, Post.user_id == user_id))
        .outerjoin(Assistant, Assistant.id == Post.assistant_id)
        .outerjoin(Approval, match)
        .order_by(Post.planned_at, Post.id)
    )


def beginning() -> ColumnElement[str]:
    """Return the start of a post's text, long enough for its first line. For an article, whose text has markup, its
    title."""
    return case(
        (Post.article.is_not(None), Post.topic_title),
        else_=func.left(func.ltrim(Post.content, " \t\r\n"), _BEGINNING),
    )


def first_picture(user_id: UUID) -> ScalarSelect[UUID]:
    """Return the media id whose thumbnail stands for a post's first file: that of a video's cover, else the file's."""
    return (
        select(func.coalesce(PostFile.cover_id, PostFile.media_id))
        .where(PostFile.post_id == Post.id, PostFile.user_id == user_id)
        .order_by(PostFile.position)
        .limit(1)
        .scalar_subquery()
    )


def kind_of_first_file(user_id: UUID) -> ScalarSelect[MediaKind]:
    """Return the kind of a post's first file."""
    return (
        select(Media.kind)
        .join(PostFile, PostFile.media_id == Media.id)
        .where(PostFile.post_id == Post.id, PostFile.user_id == user_id, Media.user_id == user_id)
        .order_by(PostFile.position)
        .limit(1)
        .scalar_subquery()
    )


def _posts_to(assistant_id: InstrumentedAttribute[UUID], user_id: UUID, channel: ChannelKind) -> ColumnElement[bool]:
    return assistant_id.in_(
        select(AssistantAccount.assistant_id)
        .join(Account, Account.id == AssistantAccount.account_id)
        .where(AssistantAccount.user_id == user_id, Account.kind == channel, Account.disconnected_at.is_(None))
    )


def _needs_login(assistant_id: ColumnElement[UUID], user_id: UUID) -> ColumnElement[bool]:
    return assistant_id.in_(
        select(AssistantAccount.assistant_id)
        .join(Account, Account.id == AssistantAccount.account_id)
        .where(
            AssistantAccount.user_id == user_id,
            Account.disconnected_at.is_(None),
            Account.state == AccountState.needs_reconnecting,
        )
    )


def _days() -> Any:
    """Return one row per day: per day an index reads only as many entries as are shown."""
    moments = ARRAY(DateTime(timezone=True))
    both = func.unnest(bindparam("firsts", type_=moments), bindparam("ends", type_=moments))
    return both.table_valued("first", "end").render_derived("days")


def _parameters(query: CalendarQuery, only: Collection[datetime] | None = None) -> dict[str, Any]:
    days = [day for day in pairwise(query.bounds) if only is None or day[0] in only]
    return {"firsts": [first for first, _ in days], "ends": [end for _, end in days]}


def _at_most(a_day: int, rows: Sequence[tuple[datetime, Any]]) -> tuple[list[Any], set[datetime]]:
    """Return the first rows of each day, and the days that have more."""
    counts: Counter[datetime] = Counter()
    top = []
    for day, row in rows:
        counts[day] += 1
        if counts[day] <= a_day:
            top.append(row)
    return top, {day for day, number in counts.items() if number > a_day}
