"""The list of a user's model calls: filtered, sorted and summed by the database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    and_,
    case,
    cast,
    func,
    literal,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType, UsageSum
from core.among import among
from core.assistants.tables import Assistant
from core.errors import NotFound
from core.posts.tables.posts import Post
from core.templates.tables import Template, Tryout
from core.topics.tables import TopicSuggestion, TopicTree

FAILED = (CallOutcome.refused, CallOutcome.incomplete, CallOutcome.failed, CallOutcome.lost)
"""Outcomes without a usable result."""


class CauseKind(StrEnum):
    """What a model was called for."""

    run = "run"
    """A post or an article of an assistant."""
    tryout = "tryout"
    """A try-out of a template or a dry run of an assistant."""
    suggestion = "suggestion"
    """Subtopics."""
    brand = "brand"
    """The draft of a brand."""
    post = "post"
    """A text or an image for a post or an article that a user writes."""


class TransactionSort(StrEnum):
    latest = "latest"
    earliest = "earliest"
    dearest = "dearest"
    """Calls with unknown cost come last."""


@dataclass(frozen=True)
class TransactionFilter:
    """Conditions that a call has to match. Empty or None means any."""

    since: datetime
    until: datetime
    """Exclusive."""
    types: Collection[TransactionType] = ()
    models: Collection[str] = ()
    causes: Collection[CauseKind] = ()
    assistant_id: UUID | None = None
    failed: bool = False
    unpriced: bool = False
    """Only ended calls with unknown cost."""


class NamedCall(NamedTuple):
    """A call with the names of its cause, as far as they still exist."""

    row: Transaction
    assistant_name: str | None
    post_id: UUID | None
    post_title: str | None
    is_article: bool | None
    """Whether the post is an article; None if the post is deleted."""
    template_id: UUID | None
    template_name: str | None
    tree_id: UUID | None
    tree_name: str | None


@dataclass(frozen=True)
class Figures:
    """Sums over calls. They include known values only; `uncounted` and `unpriced` are the numbers of calls with
    unknown tokens or cost."""

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    images: int = 0
    cost_micros: int = 0
    uncounted: int = 0
    unpriced: int = 0


class Group(NamedTuple):
    """The calls of one type, model and assistant."""

    type: TransactionType
    provider: str
    model: str
    assistant_id: UUID | None
    figures: Figures


class Sums(NamedTuple):
    """The same calls summed twice. `days`: by day number, 1 for the first of the bounds."""

    days: dict[int, Figures]
    groups: list[Group]


class TransactionListRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_page(
        self, user_id: UUID, wanted: TransactionFilter, sort: TransactionSort, *, offset: int, limit: int
    ) -> tuple[list[NamedCall], int]:
        """Return a page, including calls in progress, and the total."""
        conditions = _conditions(user_id, wanted)
        total = await self.session.scalar(select(func.count()).select_from(Transaction).where(*conditions)) or 0
        if total <= offset:
            return [], total
        page = select(Transaction).where(*conditions).order_by(*_order(sort)).offset(offset).limit(limit)
        return await self._add_names(user_id, list(await self.session.scalars(page))), total

    async def list_after(
        self, user_id: UUID, wanted: TransactionFilter, *, after: UUID | None, limit: int
    ) -> list[NamedCall]:
        """As `list_page`, earliest first, only calls after the call `after`."""
        page = select(Transaction).where(*_conditions(user_id, wanted))
        if after:
            page = page.where(Transaction.id > after)
        found = await self.session.scalars(page.order_by(Transaction.id).limit(limit))
        return await self._add_names(user_id, list(found))

    async def get(self, user_id: UUID, transaction_id: UUID) -> NamedCall:
        """Raise NotFound."""
        call = select(Transaction).where(Transaction.id == transaction_id, Transaction.user_id == user_id)
        found = await self._add_names(user_id, list(await self.session.scalars(call)))
        if not found:
            raise NotFound(what="transaction", id=str(transaction_id))
        return found[0]

    async def _add_names(self, user_id: UUID, calls: Sequence[Transaction]) -> list[NamedCall]:
        """Return the calls with names, in the same order. The joins start from the call ids, which are few."""
        if not calls:
            return []
        written = aliased(Post)  # a post composed by the user
        rows = await self.session.execute(
            select(
                Transaction.id,
                Assistant.name,
                func.coalesce(Post.id, written.id),
                func.coalesce(func.nullif(Post.topic_title, ""), func.left(written.content, _TITLE_LENGTH)),
                case(
                    (Post.id.is_not(None), Post.article.is_not(None)),
                    (written.id.is_not(None), written.article.is_not(None)),
                ),
                Template.id,
                Template.name,
                TopicTree.id,
                TopicTree.name,
            )
            .outerjoin(Assistant, and_(Assistant.id == Transaction.assistant_id, Assistant.user_id == user_id))
            .outerjoin(
                Post,
                and_(Post.run_id == Transaction.run_id, Post.user_id == user_id, Post.deleted_at.is_(None)),
            )
            .outerjoin(Tryout, and_(Tryout.id == Transaction.tryout_id, Tryout.user_id == user_id))
            .outerjoin(
                written,
                and_(written.id == Tryout.post_id, written.user_id == user_id, written.deleted_at.is_(None)),
            )
            .outerjoin(Template, and_(Template.id == Tryout.template_id, Template.user_id == user_id))
            .outerjoin(
                TopicSuggestion,
                and_(TopicSuggestion.id == Transaction.suggestion_id, TopicSuggestion.user_id == user_id),
            )
            .outerjoin(TopicTree, and_(TopicTree.id == TopicSuggestion.tree_id, TopicTree.user_id == user_id))
            .where(Transaction.user_id == user_id, among(Transaction.id, "call_ids")),
            {"call_ids": [call.id for call in calls]},
        )
        names = {row[0]: tuple(row)[1:] for row in rows}
        return [NamedCall(call, *names[call.id]) for call in calls]

    async def sum_calls(self, user_id: UUID, wanted: TransactionFilter, bounds: Sequence[datetime]) -> Sums:
        """Return the sums of the ended calls, removed ones included. `bounds`: the starts of the days."""
        starts = cast(list(bounds), ARRAY(DateTime(timezone=True)))
        unknown = or_(Transaction.input_tokens.is_(None), Transaction.output_tokens.is_(None))
        single = select(
            func.width_bucket(Transaction.created_at, starts, type_=Integer).label("day"),
            Transaction.type,
            Transaction.provider,
            Transaction.model,
            Transaction.assistant_id,
            literal(1).label("calls"),
            case((Transaction.outcome.in_(FAILED), 1), else_=0).label("failed"),
            Transaction.input_tokens,
            Transaction.cached_tokens,
            Transaction.output_tokens,
            Transaction.images,
            Transaction.cost_micros,
            case((unknown, 1), else_=0).label("uncounted"),
            case((Transaction.cost_micros.is_(None), 1), else_=0).label("unpriced"),
        ).where(*_conditions(user_id, wanted), Transaction.outcome != CallOutcome.calling)
        removed = select(
            func.width_bucket(UsageSum.at, starts, type_=Integer),
            UsageSum.type,
            UsageSum.provider,
            UsageSum.model,
            UsageSum.assistant_id,
            UsageSum.calls,
            case((UsageSum.outcome.in_(FAILED), UsageSum.calls), else_=0),
            UsageSum.input_tokens,
            UsageSum.cached_tokens,
            UsageSum.output_tokens,
            UsageSum.images,
            UsageSum.cost_micros,
            UsageSum.uncounted,
            UsageSum.unpriced,
        ).where(*_conditions_of_removed(user_id, wanted))
        calls = union_all(single, removed).subquery().c
        kind = (calls.type, calls.provider, calls.model, calls.assistant_id)
        sums_of = [func.coalesce(func.sum(calls[field.name]), 0) for field in fields(Figures)]
        # one read, grouped by day and by kind separately: grouped by both, there would be as many groups as calls
        rows = await self.session.execute(
            select(func.grouping(calls.day), calls.day, *kind, *sums_of).group_by(
                func.grouping_sets(tuple_(calls.day), tuple_(*kind))
            )
        )
        sums = Sums({}, [])
        for of_kind, at, type, provider, model, assistant_id, *added in rows:
            figures = Figures(*map(int, added))
            if of_kind:
                sums.groups.append(Group(type, provider, model, assistant_id, figures))
            else:
                sums.days[at] = figures
        return sums

    async def models(self, user_id: UUID) -> list[str]:
        """Return all models that the user's calls have used, removed ones included, by name."""
        single = select(Transaction.model).where(Transaction.user_id == user_id)
        removed = select(UsageSum.model).where(UsageSum.user_id == user_id)
        rows = await self.session.scalars(single.union(removed))
        return sorted(rows)

    async def assistants(self, user_id: UUID, ids: Collection[UUID]) -> dict[UUID, str]:
        """Return the assistants' names by id."""
        rows = await self.session.execute(
            select(Assistant.id, Assistant.name).where(Assistant.user_id == user_id, Assistant.id.in_(ids))
        )
        return {row[0]: row[1] for row in rows}


_TITLE_LENGTH = 120  # characters of a text shown as its title
_KEYS = {
    CauseKind.tryout: "tryout-%",
    CauseKind.suggestion: "suggestion-%",
    CauseKind.brand: "brand-%",
    CauseKind.post: "post-%",
}


CAUSE_OF_CALL = case(
    *((Transaction.key.like(key), kind.value) for kind, key in _KEYS.items()), else_=CauseKind.run.value
)
"""`cause_of`, by the database."""


def cause_of(row: Transaction) -> CauseKind:
    """Return the cause, also after its object is deleted."""
    return next((kind for kind, key in _KEYS.items() if row.key.startswith(key[:-1])), CauseKind.run)


def _conditions(user_id: UUID, wanted: TransactionFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        Transaction.user_id == user_id,
        Transaction.created_at >= wanted.since,
        Transaction.created_at < wanted.until,
    ]
    if wanted.types:
        found.append(Transaction.type.in_(wanted.types))
    if wanted.models:
        found.append(Transaction.model.in_(wanted.models))
    if wanted.causes:
        named: list[ColumnElement[bool]] = [
            Transaction.key.like(key) for kind, key in _KEYS.items() if kind in wanted.causes
        ]
        if CauseKind.run in wanted.causes:
            named.append(and_(*(Transaction.key.not_like(key) for key in _KEYS.values())))
        found.append(or_(*named))
    if wanted.assistant_id:
        found.append(Transaction.assistant_id == wanted.assistant_id)
    if wanted.failed:
        found.append(Transaction.outcome.in_(FAILED))
    if wanted.unpriced:
        found.append(and_(Transaction.cost_micros.is_(None), Transaction.outcome != CallOutcome.calling))
    return found


def _conditions_of_removed(user_id: UUID, wanted: TransactionFilter) -> list[ColumnElement[bool]]:
    """As `_conditions`, of removed calls."""
    found: list[ColumnElement[bool]] = [
        UsageSum.user_id == user_id,
        UsageSum.at >= wanted.since,
        UsageSum.at < wanted.until,
    ]
    if wanted.types:
        found.append(UsageSum.type.in_(wanted.types))
    if wanted.models:
        found.append(UsageSum.model.in_(wanted.models))
    if wanted.causes:
        found.append(UsageSum.cause.in_([cause.value for cause in wanted.causes]))
    if wanted.assistant_id:
        found.append(UsageSum.assistant_id == wanted.assistant_id)
    if wanted.failed:
        found.append(UsageSum.outcome.in_(FAILED))
    if wanted.unpriced:
        found.append(UsageSum.unpriced > 0)
    return found


def _order(sort: TransactionSort) -> tuple[ColumnElement[Any], ...]:
    match sort:
        case TransactionSort.latest:
            return (Transaction.created_at.desc(), Transaction.id.desc())
        case TransactionSort.earliest:
            return (Transaction.created_at.asc(), Transaction.id.asc())
        case TransactionSort.dearest:
            return (Transaction.cost_micros.desc().nulls_last(), Transaction.id.desc())
