from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, select, update
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.assistants import OPEN_RUNS, RunState, StepKind, StepState
from core.domain.errors import ErrorCode, NotFound
from core.domain.ids import run_id, run_workflow
from core.domain.usage import CURRENCY
from core.models import Post, Run, RunStep, Topic, Transaction
from core.models.base import utcnow


@dataclass(frozen=True)
class RunSpending:
    """Sums over the calls of a run. None: no call, or none whose figure is known; `known` says that all are."""

    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None
    known: bool
    currency: str


NO_SPENDING = RunSpending(None, None, None, True, CURRENCY)


@dataclass(frozen=True)
class FullRun:
    row: Run
    topic_title: str | None
    post_id: UUID | None
    spent: RunSpending


class RunRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def begin(self, run: Run) -> Run:
        """Insert it, or find the row that an earlier attempt made."""
        await self.session.execute(
            insert(Run)
            .values(
                id=run.id,
                user_id=run.user_id,
                assistant_id=run.assistant_id,
                workflow_id=run.workflow_id,
                slot=run.slot,
                state=RunState.preparing,
            )
            .on_conflict_do_nothing(index_elements=[Run.assistant_id, Run.slot])
        )
        found = await self.session.scalar(
            select(Run).where(Run.user_id == run.user_id, Run.assistant_id == run.assistant_id, Run.slot == run.slot)
        )
        if found is None:
            raise NotFound(what="run", id=str(run.id))
        return found

    async def record_missed(
        self, user_id: UUID, assistant_id: UUID, slots: Sequence[datetime], reason: ErrorCode
    ) -> None:
        """Slots (at least one, at most 5,000) that will never run; one that has its run already keeps it."""
        now = utcnow()
        named = [(run_workflow(assistant_id, slot), slot) for slot in slots]
        await self.session.execute(
            insert(Run)
            .values(
                [
                    {
                        "id": run_id(name),
                        "user_id": user_id,
                        "assistant_id": assistant_id,
                        "workflow_id": name,
                        "slot": slot,
                        "state": RunState.missed,
                        "reason": reason,
                        "finished_at": now,
                    }
                    for name, slot in named
                ]
            )
            .on_conflict_do_nothing(index_elements=[Run.assistant_id, Run.slot])
        )

    async def get(self, user_id: UUID, run_id: UUID) -> Run:
        run = await self.session.scalar(select(Run).where(Run.id == run_id, Run.user_id == user_id))
        if run is None:
            raise NotFound(what="run", id=str(run_id))
        return run

    async def set_state(self, user_id: UUID, run_id: UUID, state: RunState, *, reason: str | None = None) -> None:
        values: dict[str, Any] = {"state": state, "reason": reason}
        if state not in OPEN_RUNS:
            values["finished_at"] = utcnow()
        await self.session.execute(update(Run).where(Run.id == run_id, Run.user_id == user_id).values(**values))

    async def start_step(self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int) -> None:
        statement = insert(RunStep).values(
            user_id=user_id, run_id=run_id, kind=kind, attempt=attempt, state=StepState.active
        )
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[RunStep.run_id, RunStep.kind],
                set_={"attempt": attempt, "state": StepState.active},
                where=RunStep.state != StepState.done,
            )
        )

    async def finish_step(
        self,
        user_id: UUID,
        run_id: UUID,
        kind: StepKind,
        *,
        state: StepState = StepState.done,
        facts: dict[str, Any] | None = None,
    ) -> None:
        now = utcnow()
        statement = insert(RunStep).values(
            user_id=user_id, run_id=run_id, kind=kind, state=state, facts=facts or {}, finished_at=now
        )
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[RunStep.run_id, RunStep.kind],
                set_={"state": state, "facts": facts or {}, "finished_at": now},
            )
        )

    async def fail_active_steps(self, user_id: UUID, run_id: UUID, code: str) -> None:
        await self.session.execute(
            update(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.state == StepState.active)
            .values(state=StepState.failed, finished_at=utcnow(), facts={"code": code})
        )

    async def steps(self, user_id: UUID, run_id: UUID) -> list[RunStep]:
        order = {kind: at for at, kind in enumerate(StepKind)}
        rows = await self.session.scalars(select(RunStep).where(RunStep.run_id == run_id, RunStep.user_id == user_id))
        return sorted(rows, key=lambda step: order[step.kind])

    async def page(self, user_id: UUID, assistant_id: UUID, *, offset: int, limit: int) -> tuple[list[FullRun], int]:
        mine = (Run.user_id == user_id, Run.assistant_id == assistant_id)
        total = await self.session.scalar(select(func.count()).select_from(Run).where(*mine))
        rows = await self.session.execute(
            select(Run, Topic.title, Post.id)
            .outerjoin(Topic, Topic.id == Run.topic_id)
            .outerjoin(Post, Post.run_id == Run.id)
            .where(*mine)
            .order_by(Run.slot.desc())
            .offset(offset)
            .limit(limit)
        )
        return await self._full(user_id, list(rows.all())), total or 0

    async def newest(self, user_id: UUID, assistant_ids: Sequence[UUID]) -> dict[UUID, FullRun]:
        """The newest run of each assistant that is over, in one query."""
        return await self._one_each(user_id, assistant_ids, open_ones=False)

    async def open(self, user_id: UUID, assistant_ids: Sequence[UUID]) -> dict[UUID, FullRun]:
        """The run of each assistant that is under way and due first."""
        return await self._one_each(user_id, assistant_ids, open_ones=True)

    async def _one_each(self, user_id: UUID, assistant_ids: Sequence[UUID], *, open_ones: bool) -> dict[UUID, FullRun]:
        rows = await self.session.execute(
            select(Run, Topic.title, Post.id)
            .ext(distinct_on(Run.assistant_id))
            .outerjoin(Topic, Topic.id == Run.topic_id)
            .outerjoin(Post, Post.run_id == Run.id)
            .where(
                Run.user_id == user_id,
                Run.assistant_id.in_(assistant_ids),
                Run.state.in_(OPEN_RUNS) if open_ones else Run.state.not_in(OPEN_RUNS),
            )
            .order_by(Run.assistant_id, Run.slot.asc() if open_ones else Run.slot.desc())
        )
        full = await self._full(user_id, list(rows.all()))
        return {run.row.assistant_id: run for run in full}

    async def _full(self, user_id: UUID, rows: Sequence[Row[Run, str, UUID]]) -> list[FullRun]:
        spent = await self._spent(user_id, [row[0].id for row in rows])
        return [FullRun(run, title, post_id, spent.get(run.id, NO_SPENDING)) for run, title, post_id in rows]

    async def _spent(self, user_id: UUID, run_ids: Sequence[UUID]) -> dict[UUID, RunSpending]:
        if not run_ids:
            return {}
        rows = await self.session.execute(
            select(
                Transaction.run_id,
                func.sum(Transaction.input_tokens),
                func.sum(Transaction.output_tokens),
                func.sum(Transaction.cost_micros),
                func.bool_and(Transaction.cost_micros.is_not(None)),
                func.min(Transaction.currency),
            )
            .where(Transaction.user_id == user_id, Transaction.run_id.in_(run_ids))
            .group_by(Transaction.run_id)
        )

        def whole(number: Any) -> int | None:
            return None if number is None else int(number)

        return {
            run_id: RunSpending(whole(given), whole(made), whole(cost), known, currency)
            for run_id, given, made, cost, known, currency in rows
            if run_id is not None
        }
