from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.assistants.rules.budgets import UsedBudget
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.ids import new_id
from core.runs.tables import Run
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion

_LONGEST_DRAFT: Final = timedelta(hours=1)
"""Longer than any request for a brand's draft."""


@dataclass(frozen=True)
class Cause:
    """What a model is called for: exactly one of a run, a try-out, a round of suggestions and the draft of a
    brand, which has no row."""

    user_id: UUID
    type: TransactionType
    run_id: UUID | None = None
    tryout_id: UUID | None = None
    suggestion_id: UUID | None = None
    draft_id: UUID | None = None
    post_id: UUID | None = None
    """The post that a try-out is for; the key keeps it after both are deleted."""
    texts: int = 1
    """Number of texts, e.g. of an article's sections: each further text allows one more call."""

    def __post_init__(self) -> None:
        if [self.run_id, self.tryout_id, self.suggestion_id, self.draft_id].count(None) != 3:
            raise ValueError("a model call must have exactly one cause")

    @property
    def key(self) -> str:
        """Ids are unique across tables; the prefixes are for readers. Runs have none, as in the first releases."""
        if self.post_id:
            return f"post-{self.post_id}:{self.type.value}"
        if self.tryout_id:
            return f"tryout-{self.tryout_id}:{self.type.value}"
        if self.suggestion_id:
            return f"suggestion-{self.suggestion_id}:{self.type.value}"
        if self.draft_id:
            return f"brand-{self.draft_id}:{self.type.value}"
        return f"{self.run_id}:{self.type.value}"


@dataclass(frozen=True)
class CauseRow:
    """A call's references to its cause; None for what was deleted meanwhile."""

    run_id: UUID | None = None
    tryout_id: UUID | None = None
    suggestion_id: UUID | None = None
    assistant_id: UUID | None = None


class TransactionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def lock_cause(self, cause: Cause) -> CauseRow:
        """Lock the cause until the transaction ends, so that concurrent attempts decide one after another."""
        if cause.run_id:
            mine = Run.id == cause.run_id, Run.user_id == cause.user_id
            # lock the assistant before the run, as deleting an assistant does: another order would deadlock
            assistant = select(Assistant.id).where(
                Assistant.id == select(Run.assistant_id).where(*mine).scalar_subquery(),
                Assistant.user_id == cause.user_id,
            )
            assistant_id = await self.session.scalar(assistant.with_for_update(read=True, key_share=True))
            run_id = await self.session.scalar(select(Run.id).where(*mine).with_for_update(key_share=True))
            return CauseRow(run_id=run_id, assistant_id=assistant_id)
        if cause.tryout_id:
            tryout = Tryout.id == cause.tryout_id, Tryout.user_id == cause.user_id
            sampled = select(Assistant.id).where(
                Assistant.id == select(Tryout.assistant_id).where(*tryout).scalar_subquery(),
                Assistant.user_id == cause.user_id,
            )
            assistant_id = await self.session.scalar(sampled.with_for_update(read=True, key_share=True))
            tryout_id = await self.session.scalar(select(Tryout.id).where(*tryout).with_for_update(key_share=True))
            return CauseRow(tryout_id=tryout_id, assistant_id=assistant_id)
        if cause.draft_id:
            return CauseRow()  # one request calls for it, one call after another
        suggestion = select(TopicSuggestion.id).where(
            TopicSuggestion.id == cause.suggestion_id, TopicSuggestion.user_id == cause.user_id
        )
        return CauseRow(suggestion_id=await self.session.scalar(suggestion.with_for_update(key_share=True)))

    async def reserve(self, cause: Cause, held: CauseRow, values: dict[str, Any]) -> UUID:
        """Save the row of a call before the call. Return its id."""
        call = Transaction(
            id=new_id(),
            user_id=cause.user_id,
            type=cause.type,
            outcome=CallOutcome.calling,
            run_id=held.run_id,
            tryout_id=held.tryout_id,
            suggestion_id=held.suggestion_id,
            assistant_id=held.assistant_id,
            duration_ms=0,
            **values,
        )
        call.key = f"{cause.key}:{call.id}"
        self.session.add(call)
        await self.session.flush()
        return call.id

    async def settle(self, user_id: UUID, call_id: UUID, values: dict[str, Any]) -> None:
        """Save how a call ended, also if it was marked as lost in between."""
        await self.session.execute(update(Transaction).where(*_unsettled(user_id, call_id)).values(**values))

    async def delete_unbilled(self, user_id: UUID, call_id: UUID) -> None:
        """Delete a call that certainly cost nothing."""
        await self.session.execute(delete(Transaction).where(*_unsettled(user_id, call_id)))

    async def mark_lost(self, cause: Cause) -> None:
        """Mark the cause's open calls as lost: their processes died or are no longer waited for."""
        await self.session.execute(
            update(Transaction)
            .where(Transaction.user_id == cause.user_id, *_of(cause), Transaction.outcome == CallOutcome.calling)
            .values(outcome=CallOutcome.lost)
        )

    async def mark_older_lost(self, than: datetime) -> int:
        """As `mark_lost`, for abandoned calls of all users. Return their number."""
        lost = await self.session.scalars(
            update(Transaction)
            .where(Transaction.outcome == CallOutcome.calling, Transaction.created_at < than)
            .values(outcome=CallOutcome.lost)
            .returning(Transaction.id)
        )
        return len(lost.all())

    async def spent_by_assistant(
        self, user_id: UUID, assistant_id: UUID, since: datetime, until: datetime
    ) -> UsedBudget:
        """Return what an assistant has used. Unknown values, also of calls in progress, count as their maximum."""
        figures = []
        for cost, most in (
            (Transaction.cost_micros, Transaction.most_micros),
            (Transaction.input_tokens, Transaction.most_input_tokens),
            (Transaction.output_tokens, Transaction.most_output_tokens),
        ):
            figures.append(func.coalesce(func.sum(func.coalesce(cost, most)), 0))
            figures.append(func.coalesce(func.sum(case((cost.is_(None), most))), 0))
        rows = await self.session.execute(
            select(*figures).where(
                Transaction.user_id == user_id,
                Transaction.assistant_id == assistant_id,
                Transaction.created_at >= since,
                Transaction.created_at < until,
            )
        )
        micros, guessed, given_tokens, guessed_in, made_tokens, guessed_out = map(int, rows.one())
        return UsedBudget(micros, given_tokens + made_tokens, guessed, guessed_in + guessed_out)

    async def count_billed(self, cause: Cause, free: Collection[str]) -> int:
        """Return how many calls have or may have cost something; calls of `free` providers never do."""
        query = select(func.count()).where(
            Transaction.user_id == cause.user_id, *_of(cause), Transaction.provider.not_in(free)
        )
        return await self.session.scalar(query) or 0


def _unsettled(user_id: UUID, call_id: UUID) -> tuple[ColumnElement[bool], ...]:
    open_ones = (CallOutcome.calling, CallOutcome.lost)
    return Transaction.id == call_id, Transaction.user_id == user_id, Transaction.outcome.in_(open_ones)


def _of(cause: Cause) -> tuple[ColumnElement[bool], ...]:
    if cause.draft_id:
        # no index has the key: few rows are as new as a request that still waits for its calls
        since = utcnow() - _LONGEST_DRAFT
        return Transaction.created_at >= since, Transaction.key.startswith(f"{cause.key}:", autoescape=True)
    column, id = next(
        (column, id)
        for column, id in (
            (Transaction.run_id, cause.run_id),
            (Transaction.tryout_id, cause.tryout_id),
            (Transaction.suggestion_id, cause.suggestion_id),
        )
        if id
    )
    return column == id, Transaction.type == cause.type
