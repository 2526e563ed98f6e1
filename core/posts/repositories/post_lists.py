"""A user's list of posts, filtered, sorted and counted by the database. Deleted posts are not in it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, delete, exists, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import lazyload, load_only, selectinload

from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import RunState
from core.assistants.tables import Assistant
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.networks.rules.channels import AccountState, ChannelKind
from core.posts.repositories.posts import (
    NamedPost,
    awaits_approval,
    has_published_delivery,
    has_unknown_delivery,
    waits_for_person,
)
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, RemovalState, RevisionState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.texts.repositories.tags import has_tag, tag_counts, tag_mentions

_NONE: ColumnElement[Any] = literal_column("'[]'::jsonb")

_SHOWN_OF_ACCOUNT = (
    Account.kind,
    Account.type,
    Account.base_url,
    Account.external_id,
    Account.name,
    Account.site_name,
    Account.disconnected_at,
)


class PostSort(StrEnum):
    """Posts without a time come last in both directions."""

    planned_next = "planned_next"
    """Future posts, the next first, then past posts, the latest first."""
    planned_latest = "planned_latest"
    planned_earliest = "planned_earliest"
    created_latest = "created_latest"
    created_earliest = "created_earliest"
    updated_latest = "updated_latest"
    updated_earliest = "updated_earliest"


class PostFact(StrEnum):
    """Facts about a post that its status does not say."""

    live = "live"
    """It is published on at least one of its channels."""
    waiting = "waiting"
    """It waits for approval, or was kept because nobody answered in time."""
    publishing = "publishing"
    retrying = "retrying"
    held = "held"
    """A delivery waits for its account, its network or this server's settings."""
    unknown = "unknown"
    """The outcome of a delivery is unknown."""
    missed = "missed"
    """A delivery came too late and was not made up."""
    not_updated = "not_updated"
    """Its site did not accept an edit."""
    not_deleted = "not_deleted"
    """It was to be deleted at its network or site, and is still there."""


@dataclass(frozen=True)
class PostFilter:
    """Conditions that a post must all meet; empty or None means any."""

    search: str = ""
    """Text in the content, the topic or a tag."""
    statuses: Collection[PostStatus] = ()
    facts: Collection[PostFact] = ()
    """At least one of them, as for the statuses and the channels."""
    channels: Collection[ChannelKind] = ()
    account_id: UUID | None = None
    assistant_id: UUID | None = None
    source: PostSource | None = None
    tag: str | None = None
    planned_from: datetime | None = None
    planned_before: datetime | None = None
    waiting: bool = False
    """Only posts that wait for a person, for any reason."""
    announces_id: UUID | None = None
    """The article that the post announces."""
    articles: bool | None = False
    """True: articles, False: social posts, None: both."""


class FoundPosts(NamedTuple):
    """One page. `statuses`: number of posts per status that meet the other conditions."""

    rows: list[NamedPost]
    total: int
    statuses: dict[PostStatus, int]


def _import_of(user_id: UUID, import_id: UUID) -> ColumnElement[int]:
    """Return the advisory lock's key of an import."""
    return func.hashtextextended(f"{user_id}/{import_id}", 0)


class PostListRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, filter: PostFilter, sort: PostSort = PostSort.planned_latest, *, offset: int, limit: int
    ) -> FoundPosts:
        conditions = _conditions(user_id, filter)
        counted = await self.session.execute(select(Post.status, func.count()).where(*conditions).group_by(Post.status))
        statuses = dict.fromkeys(PostStatus, 0) | dict(counted.all())
        total = sum(count for status, count in statuses.items() if not filter.statuses or status in filter.statuses)
        if total <= offset:
            return FoundPosts([], total, statuses)
        rows = await self.session.execute(
            _posts(user_id)
            .where(*conditions, *_in_statuses(filter))
            .order_by(*_order(sort))
            .offset(offset)
            .limit(limit)
        )
        return FoundPosts(list(rows), total, statuses)

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Return the tags with their numbers of posts, most used first."""
        rows = await self.session.execute(
            tag_counts(
                select(Post.tags).where(Post.user_id == user_id, Post.deleted_at.is_(None), Post.article.is_(None))
            )
        )
        return [(name, number) for name, number in rows]

    async def delete_older(self, before: datetime, limit: int) -> int:
        """Delete posts of all users that were deleted before then, with files, deliveries and approvals. Return how
        many."""
        expired = select(Post.id).where(Post.deleted_at < before).order_by(Post.deleted_at).limit(limit)
        removed = await self.session.scalars(
            delete(Post)
            .where(Post.id.in_(expired.with_for_update(skip_locked=True)))
            .returning(Post.id)
            .execution_options(synchronize_session=False)
        )
        return len(removed.all())

    async def import_in_turn(self, user_id: UUID, import_id: UUID) -> None:
        """Lock the import until the transaction ends: a second call finds what the first has saved."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_import_of(user_id, import_id))))

    async def filter_known(self, user_id: UUID, ids: Collection[UUID]) -> set[UUID]:
        """Return those of `ids` that are posts of the user, also deleted ones."""
        rows = await self.session.scalars(select(Post.id).where(Post.user_id == user_id, Post.id.in_(ids)))
        return set(rows)

    async def ids(self, user_id: UUID, filter: PostFilter, sort: PostSort, limit: int) -> Sequence[UUID]:
        """Return the ids of the first matching posts, in order."""
        conditions = [*_conditions(user_id, filter), *_in_statuses(filter)]
        rows = await self.session.scalars(select(Post.id).where(*conditions).order_by(*_order(sort)).limit(limit))
        return rows.all()

    async def of_ids(self, user_id: UUID, ids: Sequence[UUID]) -> list[NamedPost]:
        """Return the posts that still exist, in the order of `ids`."""
        rows = await self.session.execute(_posts(user_id).where(Post.id.in_(ids), Post.deleted_at.is_(None)))
        rows_by_id = {row[0].id: row for row in rows}
        return [rows_by_id[id] for id in ids if id in rows_by_id]


def _posts(user_id: UUID) -> Select[Post, str]:
    """Select the user's posts, for reading only, with their assistants' names, files, deliveries and approvals."""
    return (
        select(Post, Assistant.name)
        .outerjoin(Assistant, Assistant.id == Post.assistant_id)
        .where(Post.user_id == user_id)
        .options(
            selectinload(Post.files.and_(PostFile.user_id == user_id)).joinedload(PostFile.media, innerjoin=True),
            selectinload(Post.deliveries.and_(Delivery.user_id == user_id))
            .joinedload(Delivery.account, innerjoin=True)
            # lists need no tokens
            .options(load_only(*_SHOWN_OF_ACCOUNT), lazyload(Account.grant)),
            selectinload(Post.approvals.and_(Approval.user_id == user_id)),
        )
    )


def _in_statuses(filter: PostFilter) -> list[ColumnElement[bool]]:
    return [Post.status.in_(filter.statuses)] if filter.statuses else []


def _conditions(user_id: UUID, filter: PostFilter) -> list[ColumnElement[bool]]:
    """Return all conditions except the statuses, because a page counts the posts of each status."""
    conditions = [Post.user_id == user_id, Post.deleted_at.is_(None)]
    if filter.articles is not None:
        conditions.append(Post.article.is_not(None) if filter.articles else Post.article.is_(None))
    if filter.search:
        # strpos takes half the time of a pattern; most posts have no tags, which saves reading them
        words = func.lower(Post.topic_title + "\n" + Post.content)
        in_tags = and_(Post.tags != _NONE, tag_mentions(Post.tags, filter.search))
        conditions.append(or_(func.strpos(words, func.lower(filter.search)) > 0, in_tags))
    if filter.facts:
        facts = [_FACTS[fact]() for fact in PostFact if fact in filter.facts]
        if filter.articles and PostFact.held in filter.facts:
            facts.append(_writing_waits_for_its_site())
        conditions.append(or_(*facts))
    if filter.channels:
        conditions.append(for_channels(filter.channels))
    if filter.account_id:
        conditions.append(
            or_(
                _has_delivery(Delivery.account_id == filter.account_id),
                func.jsonb_exists(Post.account_ids, str(filter.account_id)),
            )
        )
    if filter.assistant_id:
        conditions.append(Post.assistant_id == filter.assistant_id)
    if filter.announces_id:
        conditions.append(Post.announces_id == filter.announces_id)
    if filter.source:
        conditions.append(Post.source == filter.source)
    if filter.tag:
        conditions.append(has_tag(Post.tags, filter.tag))
    if filter.planned_from:
        conditions.append(Post.planned_at >= filter.planned_from)
    if filter.planned_before:
        conditions.append(Post.planned_at < filter.planned_before)
    if filter.waiting:
        conditions.append(waits_for_person())
    return conditions


def for_channels(channels: Collection[ChannelKind]) -> ColumnElement[bool]:
    """Match posts that go to one of the channels, and drafts meant for one."""
    chosen = exists().where(
        Account.user_id == Post.user_id,
        Account.kind.in_(channels),
        func.jsonb_exists(Post.account_ids, cast(Account.id, Text)),
    )
    return or_(_has_delivery(Delivery.channel.in_(channels)), chosen.correlate(Post))


def _has_delivery(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Match posts with a delivery that meets the conditions."""
    delivery = exists().where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, *conditions)
    return delivery.correlate(Post)


_FACTS: dict[PostFact, Callable[[], ColumnElement[bool]]] = {
    PostFact.live: lambda: or_(Post.status == PostStatus.published, has_published_delivery()),
    PostFact.waiting: lambda: and_(Post.status == PostStatus.draft, awaits_approval()),
    # before its call, a delivery only waits in a worker
    PostFact.publishing: lambda: _has_delivery(
        Delivery.state == DeliveryState.publishing, Delivery.called_at.is_not(None)
    ),
    PostFact.retrying: lambda: _has_delivery(Delivery.state == DeliveryState.retrying),
    PostFact.held: lambda: _has_delivery(Delivery.state == DeliveryState.held),
    PostFact.unknown: has_unknown_delivery,
    PostFact.missed: lambda: _has_delivery(
        Delivery.state == DeliveryState.cancelled,
        Delivery.error_code.in_((ErrorCode.missed_outage, ErrorCode.missed_overtaken)),
    ),
    PostFact.not_updated: lambda: _has_delivery(Delivery.revision == RevisionState.failed),
    PostFact.not_deleted: lambda: _has_delivery(Delivery.removal == RemovalState.failed),
}


def _writing_waits_for_its_site() -> ColumnElement[bool]:
    """Match articles whose run waits until their website is connected again; they count as held."""
    prepared = exists().where(Run.id == Post.run_id, Run.user_id == Post.user_id, Run.state == RunState.preparing)
    lost = exists().where(
        Account.user_id == Post.user_id,
        Account.disconnected_at.is_(None),
        Account.state == AccountState.needs_reconnecting,
        func.jsonb_exists(Post.account_ids, cast(Account.id, Text)),
    )
    return and_(Post.status == PostStatus.draft, prepared.correlate(Post), lost.correlate(Post))


def has_fact(fact: PostFact) -> ColumnElement[bool]:
    """Match posts with that fact."""
    return _FACTS[fact]()


def _order(sort: PostSort) -> tuple[ColumnElement[Any], ...]:
    match sort:
        case PostSort.planned_next:
            ahead = Post.planned_at >= func.now()
            soonest = case((ahead, Post.planned_at)).asc()
            return (ahead.desc().nulls_last(), soonest, Post.planned_at.desc(), Post.id.desc())
        case PostSort.planned_latest:
            return (Post.planned_at.desc().nulls_last(), Post.id.desc())
        case PostSort.planned_earliest:
            return (Post.planned_at.asc(), Post.id.asc())
        case PostSort.created_latest:
            return (Post.created_at.desc(), Post.id.desc())
        case PostSort.created_earliest:
            return (Post.created_at.asc(), Post.id.asc())
        case PostSort.updated_latest:
            return (Post.updated_at.desc(), Post.id.desc())
        case PostSort.updated_earliest:
            return (Post.updated_at.asc(), Post.id.asc())
