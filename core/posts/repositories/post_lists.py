"""The list of a user's posts: filtered, sorted and counted by the database. What is deleted is not in it."""

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
from core.posts.repositories.posts import NamedPost, awaits_approval, has_unknown_delivery, waits_for_person
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
    """What has no time of its own comes last, whichever way."""

    planned_next = "planned_next"
    """What is to come, the next first, then what is past, the latest first."""
    planned_latest = "planned_latest"
    planned_earliest = "planned_earliest"
    created_latest = "created_latest"
    created_earliest = "created_earliest"
    updated_latest = "updated_latest"
    updated_earliest = "updated_earliest"


class PostFact(StrEnum):
    """What a post's status alone does not say."""

    waiting = "waiting"
    """Somebody is asked about it, or it was kept for them when nobody had answered in time."""
    publishing = "publishing"
    retrying = "retrying"
    held = "held"
    """One of its deliveries waits for its account, its network or this server's settings."""
    unknown = "unknown"
    """The outcome of one of its deliveries is known to nobody."""
    missed = "missed"
    """One of its deliveries came too late and was not made up."""
    not_updated = "not_updated"
    """Its site did not take what was changed of it."""
    not_deleted = "not_deleted"
    """It was to be deleted at its network or taken down from its site, and is still there."""


@dataclass(frozen=True)
class PostFilter:
    """What has to be true of a post, all of it; what is empty or None is not asked."""

    search: str = ""
    """In its text, its topic or one of its tags."""
    statuses: Collection[PostStatus] = ()
    facts: Collection[PostFact] = ()
    """At least one of them, as of the statuses and the channels."""
    channels: Collection[ChannelKind] = ()
    account_id: UUID | None = None
    assistant_id: UUID | None = None
    source: PostSource | None = None
    tag: str | None = None
    planned_from: datetime | None = None
    planned_before: datetime | None = None
    waiting: bool = False
    """Only what waits for a person, for whichever reason."""
    announces_id: UUID | None = None
    """The article that it announces."""
    articles: bool | None = False
    """Articles, social posts, or, of None, both."""


class FoundPosts(NamedTuple):
    """One page. `statuses`: how many posts each has, of what the other filters let through."""

    rows: list[NamedPost]
    total: int
    statuses: dict[PostStatus, int]


def _import_of(user_id: UUID, import_id: UUID) -> ColumnElement[int]:
    """The number by which an import is locked."""
    return func.hashtextextended(f"{user_id}/{import_id}", 0)


class PostListRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, wanted: PostFilter, sort: PostSort = PostSort.planned_latest, *, offset: int, limit: int
    ) -> FoundPosts:
        conditions = _conditions(user_id, wanted)
        counted = await self.session.execute(select(Post.status, func.count()).where(*conditions).group_by(Post.status))
        statuses = dict.fromkeys(PostStatus, 0) | dict(counted.all())
        total = sum(count for status, count in statuses.items() if not wanted.statuses or status in wanted.statuses)
        if total <= offset:
            return FoundPosts([], total, statuses)
        rows = await self.session.execute(
            _posts(user_id)
            .where(*conditions, *_in_statuses(wanted))
            .order_by(*_order(sort))
            .offset(offset)
            .limit(limit)
        )
        return FoundPosts(list(rows), total, statuses)

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Each with its number of posts, most used first."""
        rows = await self.session.execute(
            tag_counts(
                select(Post.tags).where(Post.user_id == user_id, Post.deleted_at.is_(None), Post.article.is_(None))
            )
        )
        return [(name, number) for name, number in rows]

    async def delete_older(self, before: datetime, limit: int) -> int:
        """Of all users, what was deleted before then; with files, deliveries and approvals. Returns how many."""
        gone = select(Post.id).where(Post.deleted_at < before).order_by(Post.deleted_at).limit(limit)
        removed = await self.session.scalars(
            delete(Post)
            .where(Post.id.in_(gone.with_for_update(skip_locked=True)))
            .returning(Post.id)
            .execution_options(synchronize_session=False)
        )
        return len(removed.all())

    async def import_in_turn(self, user_id: UUID, import_id: UUID) -> None:
        """Wait until no other call works on the same import: the second finds what the first has saved."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_import_of(user_id, import_id))))

    async def filter_known(self, user_id: UUID, ids: Collection[UUID]) -> set[UUID]:
        """Those of them that the user has, also deleted ones."""
        rows = await self.session.scalars(select(Post.id).where(Post.user_id == user_id, Post.id.in_(ids)))
        return set(rows)

    async def ids(self, user_id: UUID, wanted: PostFilter, sort: PostSort, limit: int) -> Sequence[UUID]:
        """Of the first that fit, in their order."""
        conditions = [*_conditions(user_id, wanted), *_in_statuses(wanted)]
        rows = await self.session.scalars(select(Post.id).where(*conditions).order_by(*_order(sort)).limit(limit))
        return rows.all()

    async def of_ids(self, user_id: UUID, ids: Sequence[UUID]) -> list[NamedPost]:
        """Those of them that are still there, in the order of `ids`."""
        rows = await self.session.execute(_posts(user_id).where(Post.id.in_(ids), Post.deleted_at.is_(None)))
        found = {row[0].id: row for row in rows}
        return [found[id] for id in ids if id in found]


def _posts(user_id: UUID) -> Select[Post, str]:
    """Return the user's posts with their assistants' names, to be shown and not to be changed: with their files, their
    deliveries and what was asked about them."""
    return (
        select(Post, Assistant.name)
        .outerjoin(Assistant, Assistant.id == Post.assistant_id)
        .where(Post.user_id == user_id)
        .options(
            selectinload(Post.files.and_(PostFile.user_id == user_id)).joinedload(PostFile.media, innerjoin=True),
            selectinload(Post.deliveries.and_(Delivery.user_id == user_id))
            .joinedload(Delivery.account, innerjoin=True)
            # no list needs a token
            .options(load_only(*_SHOWN_OF_ACCOUNT), lazyload(Account.grant)),
            selectinload(Post.approvals.and_(Approval.user_id == user_id)),
        )
    )


def _in_statuses(wanted: PostFilter) -> list[ColumnElement[bool]]:
    return [Post.status.in_(wanted.statuses)] if wanted.statuses else []


def _conditions(user_id: UUID, wanted: PostFilter) -> list[ColumnElement[bool]]:
    """Return all conditions but the statuses, since a page counts the posts of each status."""
    found = [Post.user_id == user_id, Post.deleted_at.is_(None)]
    if wanted.articles is not None:
        found.append(Post.article.is_not(None) if wanted.articles else Post.article.is_(None))
    if wanted.search:
        # a position, which takes half the time of a pattern; most posts have no tags to be read one by one
        words = func.lower(Post.topic_title + "\n" + Post.content)
        in_tags = and_(Post.tags != _NONE, tag_mentions(Post.tags, wanted.search))
        found.append(or_(func.strpos(words, func.lower(wanted.search)) > 0, in_tags))
    if wanted.facts:
        facts = [_FACTS[fact]() for fact in PostFact if fact in wanted.facts]
        if wanted.articles and PostFact.held in wanted.facts:
            facts.append(_writing_waits_for_its_site())
        found.append(or_(*facts))
    if wanted.channels:
        found.append(for_channels(wanted.channels))
    if wanted.account_id:
        found.append(
            or_(
                _goes(Delivery.account_id == wanted.account_id),
                func.jsonb_exists(Post.account_ids, str(wanted.account_id)),
            )
        )
    if wanted.assistant_id:
        found.append(Post.assistant_id == wanted.assistant_id)
    if wanted.announces_id:
        found.append(Post.announces_id == wanted.announces_id)
    if wanted.source:
        found.append(Post.source == wanted.source)
    if wanted.tag:
        found.append(has_tag(Post.tags, wanted.tag))
    if wanted.planned_from:
        found.append(Post.planned_at >= wanted.planned_from)
    if wanted.planned_before:
        found.append(Post.planned_at < wanted.planned_before)
    if wanted.waiting:
        found.append(waits_for_person())
    return found


def for_channels(channels: Collection[ChannelKind]) -> ColumnElement[bool]:
    """It goes to one of them, or is a draft that is meant for one."""
    chosen = exists().where(
        Account.user_id == Post.user_id,
        Account.kind.in_(channels),
        func.jsonb_exists(Post.account_ids, cast(Account.id, Text)),
    )
    return or_(_goes(Delivery.channel.in_(channels)), chosen.correlate(Post))


def _goes(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """One of its deliveries is so."""
    delivery = exists().where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, *conditions)
    return delivery.correlate(Post)


_FACTS: dict[PostFact, Callable[[], ColumnElement[bool]]] = {
    PostFact.waiting: lambda: and_(Post.status == PostStatus.draft, awaits_approval()),
    # until it is called for, it only waits in a worker
    PostFact.publishing: lambda: _goes(Delivery.state == DeliveryState.publishing, Delivery.called_at.is_not(None)),
    PostFact.retrying: lambda: _goes(Delivery.state == DeliveryState.retrying),
    PostFact.held: lambda: _goes(Delivery.state == DeliveryState.held),
    PostFact.unknown: has_unknown_delivery,
    PostFact.missed: lambda: _goes(
        Delivery.state == DeliveryState.cancelled,
        Delivery.error_code.in_((ErrorCode.missed_outage, ErrorCode.missed_overtaken)),
    ),
    PostFact.not_updated: lambda: _goes(Delivery.revision == RevisionState.failed),
    PostFact.not_deleted: lambda: _goes(Delivery.removal == RemovalState.failed),
}


def _writing_waits_for_its_site() -> ColumnElement[bool]:
    """An article whose run goes on once its website is connected again: as held as one that is ready."""
    prepared = exists().where(Run.id == Post.run_id, Run.user_id == Post.user_id, Run.state == RunState.preparing)
    lost = exists().where(
        Account.user_id == Post.user_id,
        Account.disconnected_at.is_(None),
        Account.state == AccountState.needs_reconnecting,
        func.jsonb_exists(Post.account_ids, cast(Account.id, Text)),
    )
    return and_(Post.status == PostStatus.draft, prepared.correlate(Post), lost.correlate(Post))


def is_so(fact: PostFact) -> ColumnElement[bool]:
    """Of a `Post`."""
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
