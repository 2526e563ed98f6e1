"""The list of a user's posts: filtered, sorted and counted by the database. What is deleted is not in it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Integer,
    Select,
    Text,
    Uuid,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.assistants import RunState
from core.domain.channels import AccountState, ChannelKind
from core.domain.errors import ErrorCode
from core.domain.posts import DeliveryState, PostSource, PostStatus, RemovalState, RevisionState
from core.models import Account, Assistant, Delivery, Post, Run
from core.repositories.listed_posts import AS_JSON, ListedPost, read, read_numbers
from core.repositories.posts import NamedPost, asks_now, fill, has_unclear, waits_for_person
from core.repositories.tags import has_tag, tag_counts, tag_mentions
from core.straight import Straight, number_of

_NONE: ColumnElement[Any] = literal_column("'[]'::jsonb")
_SOME, _SOME_TIME = UUID(int=0), datetime(2000, 1, 1, tzinfo=UTC)


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

    @property
    def reads_each(self) -> bool:
        """No index says which posts they are."""
        asked = (self.search, self.facts, self.channels, self.account_id, self.source, self.tag, self.waiting)
        return any(asked)


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

    async def listed(
        self, user_id: UUID, wanted: PostFilter, sort: PostSort = PostSort.planned_latest, *, offset: int, limit: int
    ) -> tuple[Sequence[ListedPost], int, dict[PostStatus, int]]:
        """As `page`, to be shown and not to be changed: in one statement."""
        asked = _listed(_shape(wanted), sort, later=offset > 0).numbered(offset=offset, limit=limit)
        [(posts, counted)] = await asked.rows(self.session, _values(user_id, wanted))
        statuses = dict.fromkeys(PostStatus, 0) | read_numbers(counted)
        return read(posts), _total(statuses, wanted), statuses

    async def page(
        self, user_id: UUID, wanted: PostFilter, sort: PostSort = PostSort.planned_latest, *, offset: int, limit: int
    ) -> FoundPosts:
        conditions, values = _conditions(wanted), _values(user_id, wanted)
        if wanted.reads_each:
            return await self._found_once(user_id, wanted, conditions, sort, offset=offset, limit=limit)
        counted = await self.session.execute(
            select(Post.status, func.count()).where(*conditions).group_by(Post.status), values
        )
        statuses = dict.fromkeys(PostStatus, 0) | {row[0]: row[1] for row in counted}
        total = _total(statuses, wanted)
        if total <= offset:
            return FoundPosts([], total, statuses)
        if wanted.statuses:
            conditions.append(Post.status.in_(wanted.statuses))
        rows = await self.session.execute(
            select(Post, Assistant.name)
            .outerjoin(Assistant, Assistant.id == Post.assistant_id)
            .where(*conditions)
            .order_by(*_order(Post, sort))
            .offset(offset)
            .limit(limit),
            values,
        )
        found = list(rows.all())
        await fill(self.session, user_id, [row[0] for row in found])
        return FoundPosts(found, total, statuses)

    async def _found_once(
        self,
        user_id: UUID,
        wanted: PostFilter,
        conditions: Sequence[ColumnElement[bool]],
        sort: PostSort,
        *,
        offset: int,
        limit: int,
    ) -> FoundPosts:
        """The same, with each post read once for the counts and the page together."""
        found = _found(conditions)
        counted = select(found.c.status, func.count().label("count")).group_by(found.c.status).subquery()
        skipped = _number("offset") if offset else None
        page = _cut(select(found.c.id), found.c, wanted, sort, _number("limit"), skipped).subquery()
        row = (
            await self.session.execute(
                select(
                    select(func.jsonb_object_agg(counted.c.status, counted.c.count, type_=JSONB)).scalar_subquery(),
                    select(func.array_agg(page.c.id, type_=ARRAY(Uuid()))).scalar_subquery(),
                ),
                _values(user_id, wanted) | {"offset": offset, "limit": limit},
            )
        ).one()
        statuses = _statuses(row[0])
        total = _total(statuses, wanted)
        rows = await self.of_ids(user_id, row[1]) if row[1] else []
        return FoundPosts(rows, total, statuses)

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Each with its number of posts, most used first."""
        rows = await self.session.execute(
            tag_counts(
                select(Post.tags).where(Post.user_id == user_id, Post.deleted_at.is_(None), Post.article.is_(None))
            )
        )
        return [(name, number) for name, number in rows]

    async def purge(self, before: datetime, limit: int) -> int:
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

    async def known(self, user_id: UUID, ids: Collection[UUID]) -> set[UUID]:
        """Those of them that the user has, also deleted ones."""
        rows = await self.session.scalars(select(Post.id).where(Post.user_id == user_id, Post.id.in_(ids)))
        return set(rows)

    async def ids(self, user_id: UUID, wanted: PostFilter, sort: PostSort, limit: int) -> Sequence[UUID]:
        """Of the first that fit, in their order."""
        conditions = _conditions(wanted)
        if wanted.statuses:
            conditions.append(Post.status.in_(wanted.statuses))
        rows = await self.session.scalars(
            select(Post.id).where(*conditions).order_by(*_order(Post, sort)).limit(limit), _values(user_id, wanted)
        )
        return rows.all()

    async def of_ids(self, user_id: UUID, ids: Sequence[UUID]) -> list[NamedPost]:
        """Those of them that are still there, in the order of `ids`."""
        rows = await self.session.execute(
            select(Post, Assistant.name)
            .outerjoin(Assistant, Assistant.id == Post.assistant_id)
            .where(Post.user_id == user_id, Post.id.in_(ids), Post.deleted_at.is_(None))
        )
        found = {row[0].id: row for row in rows}
        await fill(self.session, user_id, [row[0] for row in found.values()])
        return [found[id] for id in ids if id in found]


@lru_cache(maxsize=256)
def _listed(wanted: PostFilter, sort: PostSort, *, later: bool) -> Straight:
    """Of a `_shape`; `later`: not the first page. Built once for all that ask for the same columns, since that takes as
    long as asking."""
    conditions = _conditions(wanted)
    # where no index says which posts they are, each is looked at once: for the counts and for the page
    of: Any = _found(conditions).c if wanted.reads_each else Post
    asked = [] if wanted.reads_each else conditions
    counted = select(of.status, func.count().label("count")).where(*asked).group_by(of.status).subquery()
    ordered = select(of.id, of.planned_at, of.created_at, of.updated_at).where(*asked)
    page = _cut(ordered, of, wanted, sort, number_of("limit"), number_of("offset") if later else None).subquery()
    posts = (
        select(func.json_agg(aggregate_order_by(AS_JSON, *_order(page.c, sort))))
        .select_from(page)
        .join(Post, and_(Post.id == page.c.id, Post.user_id == bindparam("user_id")))
        .outerjoin(Assistant, Assistant.id == Post.assistant_id)
    )
    return Straight.of(
        select(
            cast(posts.scalar_subquery(), Text),
            cast(select(func.json_object_agg(counted.c.status, counted.c.count)).scalar_subquery(), Text),
        )
    )


def _shape(wanted: PostFilter) -> PostFilter:
    """The same for all filters that differ in their `_values` alone."""
    return replace(
        wanted,
        search="words" if wanted.search else "",
        account_id=wanted.account_id and _SOME,
        assistant_id=wanted.assistant_id and _SOME,
        tag="tag" if wanted.tag else None,
        announces_id=wanted.announces_id and _SOME,
        planned_from=wanted.planned_from and _SOME_TIME,
        planned_before=wanted.planned_before and _SOME_TIME,
    )


def _values(user_id: UUID, wanted: PostFilter) -> dict[str, Any]:
    """What `_conditions` name."""
    return {
        "user_id": user_id,
        "search": wanted.search,
        "account_id": wanted.account_id,
        "account": str(wanted.account_id),
        "assistant_id": wanted.assistant_id,
        "tag": wanted.tag,
        "announces_id": wanted.announces_id,
        "planned_from": wanted.planned_from,
        "planned_before": wanted.planned_before,
    }


def _found(conditions: Sequence[ColumnElement[bool]]) -> CTE:
    """What they let through, with all that it is counted and ordered by."""
    columns = (Post.id, Post.status, Post.planned_at, Post.created_at, Post.updated_at)
    return select(*columns).where(Post.user_id == bindparam("user_id"), *conditions).cte("found")


def _cut(
    rows: Select[*tuple[Any, ...]],
    of: Any,
    wanted: PostFilter,
    sort: PostSort,
    limit: ColumnElement[int],
    offset: ColumnElement[int] | None,
) -> Select[*tuple[Any, ...]]:
    """One page of them. `of`: as for `_order`."""
    if wanted.statuses:
        rows = rows.where(of.status.in_(wanted.statuses))
    return rows.order_by(*_order(of, sort)).limit(limit).offset(offset)


def _number(name: str) -> ColumnElement[int]:
    """In the statement's text, as `number_of` one that goes `Straight`."""
    return bindparam(name, type_=Integer, literal_execute=True)


def _statuses(counted: Mapping[str, int] | None) -> dict[PostStatus, int]:
    """None: there was nothing to be counted."""
    return dict.fromkeys(PostStatus, 0) | {PostStatus(name): count for name, count in (counted or {}).items()}


def _total(statuses: Mapping[PostStatus, int], wanted: PostFilter) -> int:
    return sum(count for status, count in statuses.items() if not wanted.statuses or status in wanted.statuses)


def _conditions(wanted: PostFilter) -> list[ColumnElement[bool]]:
    """All but the statuses, which are counted; with `_values`."""
    found = [Post.user_id == bindparam("user_id"), Post.deleted_at.is_(None)]
    if wanted.articles is not None:
        found.append(Post.article.is_not(None) if wanted.articles else Post.article.is_(None))
    if wanted.search:
        # a position, which takes half the time of a pattern; most posts have no tags to be read one by one
        words, search = func.lower(Post.topic_title + "\n" + Post.content), bindparam("search", type_=Text())
        in_tags = and_(Post.tags != _NONE, tag_mentions(Post.tags, search))
        found.append(or_(func.strpos(words, func.lower(search)) > 0, in_tags))
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
                _goes(Delivery.account_id == bindparam("account_id")),
                func.jsonb_exists(Post.account_ids, bindparam("account", type_=Text())),
            )
        )
    if wanted.assistant_id:
        found.append(Post.assistant_id == bindparam("assistant_id"))
    if wanted.announces_id:
        found.append(Post.announces_id == bindparam("announces_id"))
    if wanted.source:
        found.append(Post.source == wanted.source)
    if wanted.tag:
        found.append(has_tag(Post.tags, bindparam("tag", type_=Text())))
    if wanted.planned_from:
        found.append(Post.planned_at >= bindparam("planned_from"))
    if wanted.planned_before:
        found.append(Post.planned_at < bindparam("planned_before"))
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
    PostFact.waiting: lambda: and_(Post.status == PostStatus.draft, asks_now()),
    # until it is called for, it only waits in a worker
    PostFact.publishing: lambda: _goes(Delivery.state == DeliveryState.publishing, Delivery.called_at.is_not(None)),
    PostFact.retrying: lambda: _goes(Delivery.state == DeliveryState.retrying),
    PostFact.held: lambda: _goes(Delivery.state == DeliveryState.held),
    PostFact.unknown: has_unclear,
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


def _order(of: Any, sort: PostSort) -> tuple[ColumnElement[Any], ...]:
    """`of`: posts, or columns that are named as theirs."""
    match sort:
        case PostSort.planned_next:
            ahead = of.planned_at >= func.now()
            soonest = case((ahead, of.planned_at)).asc()
            return (ahead.desc().nulls_last(), soonest, of.planned_at.desc(), of.id.desc())
        case PostSort.planned_latest:
            return (of.planned_at.desc().nulls_last(), of.id.desc())
        case PostSort.planned_earliest:
            return (of.planned_at.asc(), of.id.asc())
        case PostSort.created_latest:
            return (of.created_at.desc(), of.id.desc())
        case PostSort.created_earliest:
            return (of.created_at.asc(), of.id.asc())
        case PostSort.updated_latest:
            return (of.updated_at.desc(), of.id.desc())
        case PostSort.updated_earliest:
            return (of.updated_at.asc(), of.id.asc())
