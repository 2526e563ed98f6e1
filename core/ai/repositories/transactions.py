from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.assistants.rules.budgets import UsedBudget
from core.assistants.tables import Assistant
from core.ids import new_id
from core.runs.tables import Run
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion


@dataclass(frozen=True)
class Cause:
    """What a model is asked for: exactly one of a run, a try-out and a round of suggestions."""

    user_id: UUID
    type: TransactionType
    run_id: UUID | None = None
    tryout_id: UUID | None = None
    suggestion_id: UUID | None = None
    post_id: UUID | None = None
    """Of a try-out, the post that it is made for: the key names it when both are gone."""
    texts: int = 1
    """Of which what is wanted consists, such as an article of its sections: so many more calls it may take."""

    def __post_init__(self) -> None:
        if [self.run_id, self.tryout_id, self.suggestion_id].count(None) != 2:
            raise ValueError("a call of a model has exactly one cause")

    @property
    def key(self) -> str:
        """Ids never meet across tables; the prefixes are for people. A run has none, as from the beginning."""
        if self.post_id:
            return f"post-{self.post_id}:{self.type.value}"
        if self.tryout_id:
            return f"tryout-{self.tryout_id}:{self.type.value}"
        if self.suggestion_id:
            return f"suggestion-{self.suggestion_id}:{self.type.value}"
        return f"{self.run_id}:{self.type.value}"


@dataclass(frozen=True)
class CauseRow:
    """What a call's row names of its cause: nothing where that was deleted meanwhile."""

    run_id: UUID | None = None
    tryout_id: UUID | None = None
    suggestion_id: UUID | None = None
    assistant_id: UUID | None = None


class TransactionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def lock_cause(self, cause: Cause) -> CauseRow:
        """Of attempts that all believe to be the only one, each decides alone until its transaction ends."""
        if cause.run_id:
            mine = Run.id == cause.run_id, Run.user_id == cause.user_id
            # before the run, as whoever deletes it: another order would be a deadlock
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
        suggestion = select(TopicSuggestion.id).where(
            TopicSuggestion.id == cause.suggestion_id, TopicSuggestion.user_id == cause.user_id
        )
        return CauseRow(suggestion_id=await self.session.scalar(suggestion.with_for_update(key_share=True)))

    async def reserve(self, cause: Cause, held: CauseRow, values: dict[str, Any]) -> UUID:
        """The row of a call that is about to be made."""
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
        """How it ended. Also of one that was believed lost: whoever made it knows better."""
        await self.session.execute(update(Transaction).where(*_unsettled(user_id, call_id)).values(**values))

    async def delete_unbilled(self, user_id: UUID, call_id: UUID) -> None:
        """It has certainly cost nothing."""
        await self.session.execute(delete(Transaction).where(*_unsettled(user_id, call_id)))

    async def mark_lost(self, cause: Cause) -> None:
        """Its calls that have not said how they ended: whoever made them is gone, or is not waited for any more."""
        await self.session.execute(
            update(Transaction)
            .where(Transaction.user_id == cause.user_id, *_of(cause), Transaction.outcome == CallOutcome.calling)
            .values(outcome=CallOutcome.lost)
        )

    async def mark_older_lost(self, than: datetime) -> int:
        """As `mark_lost`, of all users, for what nobody comes back to."""
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
        """By an assistant's runs. What is not known counts as the most that it may be, also while it is being made."""
        figures = []
        for known, most in (
            (Transaction.cost_micros, Transaction.most_micros),
            (Transaction.input_tokens, Transaction.most_input_tokens),
            (Transaction.output_tokens, Transaction.most_output_tokens),
        ):
            figures.append(func.coalesce(func.sum(func.coalesce(known, most)), 0))
            figures.append(func.coalesce(func.sum(case((known.is_(None), most))), 0))
        rows = await self.session.execute(
            select(*figures).where(
                Transaction.user_id == user_id,
                Transaction.assistant_id == assistant_id,
                Transaction.created_at >= since,
                Transaction.created_at < until,
            )
        )
        micros, guessed, given, guessed_in, made, guessed_out = map(int, rows.one())
        return UsedBudget(micros, given + made, guessed, guessed_in + guessed_out)

    async def count_billed(self, cause: Cause, free: Collection[str]) -> int:
        """How many of its calls have cost something, or may have; those of `free` providers never do."""
        query = select(func.count()).where(
            Transaction.user_id == cause.user_id, *_of(cause), Transaction.provider.not_in(free)
        )
        return await self.session.scalar(query) or 0


def _unsettled(user_id: UUID, call_id: UUID) -> tuple[ColumnElement[bool], ...]:
    open_ones = (CallOutcome.calling, CallOutcome.lost)
    return Transaction.id == call_id, Transaction.user_id == user_id, Transaction.outcome.in_(open_ones)


def _of(cause: Cause) -> tuple[ColumnElement[bool], ...]:
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
