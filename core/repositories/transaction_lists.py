"""The list of a user's calls of models: filtered, sorted and summed by the database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, Integer, and_, cast, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.domain.errors import NotFound
from core.models import (
    Assistant,
    CallOutcome,
    Post,
    Template,
    TopicSuggestion,
    TopicTree,
    Transaction,
    TransactionType,
    Tryout,
)

FAILED = (CallOutcome.refused, CallOutcome.incomplete, CallOutcome.failed, CallOutcome.lost)
"""What brought nothing that can be used."""


class CauseKind(StrEnum):
    """What a model was asked for."""

    run = "run"
    """A post of an assistant."""
    tryout = "tryout"
    """A template or an assistant that somebody tries out."""
    suggestion = "suggestion"
    """Subtopics."""
    post = "post"
    """A text or an image for a post that somebody writes."""


class TransactionSort(StrEnum):
    latest = "latest"
    earliest = "earliest"
    dearest = "dearest"
    """What has no known cost comes last."""


@dataclass(frozen=True)
class TransactionFilter:
    """What has to be true of a call, all of it; what is empty or None is not asked."""

    since: datetime
    until: datetime
    """The first moment after."""
    types: Collection[TransactionType] = ()
    models: Collection[str] = ()
    causes: Collection[CauseKind] = ()
    assistant_id: UUID | None = None
    failed: bool = False
    unpriced: bool = False
    """Only what has no known cost."""


class NamedCall(NamedTuple):
    """A call with what it was for, as far as that is still there."""

    row: Transaction
    assistant_name: str | None
    post_id: UUID | None
    post_title: str | None
    template_id: UUID | None
    template_name: str | None
    tree_id: UUID | None
    tree_name: str | None


@dataclass(frozen=True)
class Group:
    """What is added up of the calls of one day, type, model and assistant. Sums are of what is known: `uncounted` and
    `unpriced` are the calls whose tokens or cost are not. `part`: see `sums`."""

    part: int
    type: TransactionType
    provider: str
    model: str
    assistant_id: UUID | None
    calls: int
    failed: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    images: int
    cost_micros: int
    uncounted: int
    unpriced: int


class TransactionListRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, wanted: TransactionFilter, sort: TransactionSort, *, offset: int, limit: int
    ) -> tuple[list[NamedCall], int]:
        """Also calls that are being made."""
        conditions = _conditions(user_id, wanted)
        total = await self.session.scalar(select(func.count()).select_from(Transaction).where(*conditions)) or 0
        if total <= offset:
            return [], total
        # first the page, then what its calls were for
        ids = select(Transaction.id).where(*conditions).order_by(*_order(sort)).offset(offset).limit(limit)
        return await self._named(user_id, Transaction.id.in_(ids), sort), total

    async def portion(
        self, user_id: UUID, wanted: TransactionFilter, *, after: UUID | None, limit: int
    ) -> list[NamedCall]:
        """As `page`, the earliest first, from after a call on; in the order of their ids."""
        ids = select(Transaction.id).where(*_conditions(user_id, wanted))
        if after:
            ids = ids.where(Transaction.id > after)
        ids = ids.order_by(Transaction.id).limit(limit)
        return await self._named(user_id, Transaction.id.in_(ids), None)

    async def get(self, user_id: UUID, transaction_id: UUID) -> NamedCall:
        """Raises NotFound."""
        found = await self._named(user_id, Transaction.id == transaction_id, None)
        if not found:
            raise NotFound(what="transaction", id=str(transaction_id))
        return found[0]

    async def _named(self, user_id: UUID, chosen: ColumnElement[bool], sort: TransactionSort | None) -> list[NamedCall]:
        written = aliased(Post)  # by hand, with a template's or a model's help
        rows = await self.session.execute(
            select(
                Transaction,
                Assistant.name,
                func.coalesce(Post.id, written.id),
                func.coalesce(func.nullif(Post.topic_title, ""), func.left(written.content, _BEGINNING)),
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
            .where(Transaction.user_id == user_id, chosen)
            .order_by(*(_order(sort) if sort else (Transaction.id,)))
        )
        return [NamedCall(*row) for row in rows]

    async def sums(self, user_id: UUID, wanted: TransactionFilter, bounds: Sequence[datetime]) -> list[Group]:
        """Of the calls that have ended. `bounds`: where the days begin; a group's `part` is 1 for the first of them."""
        part = func.width_bucket(
            Transaction.created_at, cast(list(bounds), ARRAY(DateTime(timezone=True))), type_=Integer
        )
        by = (part, Transaction.type, Transaction.provider, Transaction.model, Transaction.assistant_id)
        rows = await self.session.execute(
            select(
                *by,
                func.count(),
                func.count().filter(Transaction.outcome.in_(FAILED)),
                func.coalesce(func.sum(Transaction.input_tokens), 0),
                func.coalesce(func.sum(Transaction.cached_tokens), 0),
                func.coalesce(func.sum(Transaction.output_tokens), 0),
                func.sum(Transaction.images),
                func.coalesce(func.sum(Transaction.cost_micros), 0),
                func.count().filter(or_(Transaction.input_tokens.is_(None), Transaction.output_tokens.is_(None))),
                func.count().filter(Transaction.cost_micros.is_(None)),
            )
            .where(*_conditions(user_id, wanted), Transaction.outcome != CallOutcome.calling)
            .group_by(*by)
        )
        return [Group(*row[:5], *map(int, row[5:])) for row in rows]

    async def models(self, user_id: UUID) -> list[str]:
        """All that were ever asked, by name."""
        rows = await self.session.scalars(
            select(Transaction.model).where(Transaction.user_id == user_id).distinct().order_by(Transaction.model)
        )
        return list(rows)

    async def assistants(self, user_id: UUID, ids: Collection[UUID]) -> dict[UUID, str]:
        """Their names."""
        rows = await self.session.execute(
            select(Assistant.id, Assistant.name).where(Assistant.user_id == user_id, Assistant.id.in_(ids))
        )
        return {row[0]: row[1] for row in rows}


_BEGINNING = 120  # characters of a text that stand for it
_KEYS = {CauseKind.tryout: "tryout-%", CauseKind.suggestion: "suggestion-%", CauseKind.post: "post-%"}


def cause_of(row: Transaction) -> CauseKind:
    """Also after what it was for is gone."""
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


def _order(sort: TransactionSort) -> tuple[ColumnElement[Any], ...]:
    match sort:
        case TransactionSort.latest:
            return (Transaction.created_at.desc(), Transaction.id.desc())
        case TransactionSort.earliest:
            return (Transaction.created_at.asc(), Transaction.id.asc())
        case TransactionSort.dearest:
            return (Transaction.cost_micros.desc().nulls_last(), Transaction.id.desc())
