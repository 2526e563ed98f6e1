from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.assistants import (
    BEGINS_WRITING,
    GONE_BY,
    LASTING,
    OPEN_RUNS,
    ImageFallback,
    Mode,
    RunState,
    StepKind,
    StepState,
    TextKind,
)
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, NotFound
from core.ids import new_id, run_id, run_workflow
from core.posts.tables.posts import Post
from core.runs.rules.failures import append_failure
from core.runs.rules.runs import RunSetup
from core.runs.tables import Run, RunStep, TextVersion
from core.users.tables.users import User


@dataclass(frozen=True)
class RunProgress:
    """What a run in preparation has done so far."""

    wants_image: bool
    steps: Sequence[RunStep]


# literal values: PostgreSQL has to see that the partial index over these states applies
IS_OPEN = Run.state.in_(bindparam("open_states", OPEN_RUNS, expanding=True, literal_execute=True))

_HAS_NOT_ENDED = (
    # a run that has ended is publishing again while a workflow of its post delivers what a person has sent
    Run.finished_at.is_(None),
    Run.user_id.not_in(select(User.id).where(User.deletion_requested_at.is_not(None))),
)
"""Conditions on an open run that its workflow has to continue."""


@dataclass(frozen=True)
class SlotRun:
    """The run of a slot."""

    state: RunState
    planned_at: datetime | None
    """When its post is published. None without a post."""
    passed_over: bool
    """Nothing is published at the slot itself."""


def is_passed_over() -> ColumnElement[bool]:
    """Whether nothing is published at the slot of a `Run`, whose `Post` is joined if it has one: the run has ended
    without it, or a person has deleted the post or set another time."""
    return or_(
        Run.state.in_(GONE_BY),
        Post.deleted_at.is_not(None),
        and_(Post.id.is_not(None), Post.planned_at.is_distinct_from(Run.slot)),
    )


class RunRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def insert_or_get(self, run: Run) -> Run:
        """Insert the run, or return the row of an earlier attempt."""
        await self.session.execute(
            insert(Run)
            .values(
                id=run.id,
                user_id=run.user_id,
                assistant_id=run.assistant_id,
                workflow_id=run.workflow_id,
                slot=run.slot,
                by_hand=run.by_hand,
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
        """Insert missed runs for 1 to 5,000 slots. Slots with a run keep it."""
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

    async def skip(self, user_id: UUID, assistant_id: UUID, slot: datetime) -> None:
        """Insert a skipped run for a slot whose run has not begun."""
        name = run_workflow(assistant_id, slot)
        await self.session.execute(
            insert(Run)
            .values(
                id=run_id(name),
                user_id=user_id,
                assistant_id=assistant_id,
                workflow_id=name,
                slot=slot,
                state=RunState.skipped,
                reason=ErrorCode.skipped_by_hand,
                finished_at=utcnow(),
            )
            .on_conflict_do_nothing(index_elements=[Run.assistant_id, Run.slot])
        )

    async def unskip(self, user_id: UUID, assistant_id: UUID, slot: datetime) -> bool:
        """Delete the skipped run. Return False if there is none."""
        gone = await self.session.execute(
            delete(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.slot == slot)
            .where(Run.reason == ErrorCode.skipped_by_hand, Run.stored_setup == {}, ~Run.by_hand)
            .returning(Run.id)
        )
        return gone.first() is not None

    async def by_slot(self, user_id: UUID, assistant_id: UUID, slots: Sequence[datetime]) -> dict[datetime, Run]:
        """Return the existing runs of these slots."""
        rows = await self.session.scalars(
            select(Run).where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.slot.in_(slots))
        )
        return {run.slot: run for run in rows}

    async def list_at(self, user_id: UUID, assistant_id: UUID, slots: Sequence[datetime]) -> dict[datetime, SlotRun]:
        """Return the existing runs of these slots, and when their posts are published."""
        rows = await self.session.execute(
            select(Run.slot, Run.state, Post.planned_at, is_passed_over())
            .outerjoin(Post, and_(Post.run_id == Run.id, Post.user_id == user_id))
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.slot.in_(slots))
        )
        return {slot: SlotRun(state, planned_at, passed_over) for slot, state, planned_at, passed_over in rows}

    async def latest_results(
        self, user_id: UUID, assistant_id: UUID, since: datetime | None, limit: int
    ) -> list[tuple[RunState, str | None]]:
        """Return state and reason of the runs that ended last, newest first, without skipped runs and those missed for
        a temporary reason."""
        ended = (Run.user_id == user_id, Run.assistant_id == assistant_id, Run.finished_at.is_not(None))
        lasts = func.coalesce(Run.reason.in_(LASTING), False)
        wanted = select(Run.state, Run.reason).where(
            *ended, Run.state != RunState.skipped, or_(Run.state != RunState.missed, lasts)
        )
        if since:
            wanted = wanted.where(Run.finished_at > since)
        rows = await self.session.execute(wanted.order_by(Run.finished_at.desc(), Run.slot.desc()).limit(limit))
        return [(row[0], row[1]) for row in rows]

    async def assistant_id(self, user_id: UUID, run_id: UUID) -> UUID | None:
        """Return the run's assistant, or None if the run was deleted."""
        found: UUID | None = await self.session.scalar(
            select(Run.assistant_id).where(Run.id == run_id, Run.user_id == user_id)
        )
        return found

    async def missed_reason(self, user_id: UUID, run_id: UUID) -> str | None:
        """Return why the run was missed or skipped, or None."""
        reason: str | None = await self.session.scalar(
            select(Run.reason)
            .where(Run.id == run_id, Run.user_id == user_id)
            .where(Run.state.in_((RunState.missed, RunState.skipped)))
        )
        return reason

    async def get(self, user_id: UUID, run_id: UUID) -> Run:
        """Raises NotFound."""
        run = await self.session.scalar(select(Run).where(Run.id == run_id, Run.user_id == user_id))
        if run is None:
            raise NotFound(what="run", id=str(run_id))
        return run

    async def get_with_setup(self, user_id: UUID, run_id: UUID) -> tuple[Run, RunSetup]:
        """Return a run that has begun and its set-up. Raises NotFound."""
        run = await self.get(user_id, run_id)
        if (setup := run.setup) is None:
            raise NotFound(what="run", id=str(run_id))
        return run, setup

    async def list_open(self, before: datetime, *, after: tuple[UUID, datetime] | None, limit: int) -> Sequence[Run]:
        """For the reconcile: return a page of runs of all users that have not ended and were not updated since
        `before`, in the order of their index, without those of users who are being deleted. `after`: the assistant and
        slot of the last page's last run."""
        query = (
            select(Run)
            .where(IS_OPEN, *_HAS_NOT_ENDED, Run.updated_at < before)
            .order_by(Run.assistant_id, Run.slot)
            .limit(limit)
        )
        if after is not None:
            query = query.where(tuple_(Run.assistant_id, Run.slot) > tuple_(*after))
        return (await self.session.scalars(query)).all()

    async def list_due_without_delivery(self, now: datetime) -> Sequence[tuple[UUID, UUID]]:
        """After the database was restored: return (user, run) of the open runs of all users that are due by `now` and
        have no delivery yet, without those that only make a draft."""
        has_delivery = exists().where(Delivery.post_id == Post.id, Post.run_id == Run.id)
        publishes = func.coalesce(Run.stored_setup["mode"].astext, "") != Mode.draft.value
        rows = await self.session.execute(
            select(Run.user_id, Run.id)
            .outerjoin(Post, Post.run_id == Run.id)
            .where(IS_OPEN, *_HAS_NOT_ENDED, func.coalesce(Post.planned_at, Run.slot) <= now, ~has_delivery, publishes)
            .order_by(Run.slot)
        )
        return [(user_id, run_id) for user_id, run_id in rows]

    async def lock_unfinished(self, user_id: UUID, run_id: UUID) -> Run | None:
        """For the reconcile: return the run, locked, or None if it has ended or its user is being deleted."""
        run: Run | None = await self.session.scalar(
            select(Run).where(Run.id == run_id, Run.user_id == user_id, IS_OPEN, *_HAS_NOT_ENDED).with_for_update()
        )
        return run

    async def first_open(self, user_id: UUID, assistant_id: UUID) -> Run | None:
        """Return the scheduled open run with the earliest slot, or None."""
        run: Run | None = await self.session.scalar(
            select(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, IS_OPEN, Run.by_hand.is_(False))
            .where(Run.finished_at.is_(None))
            .order_by(Run.slot)
            .limit(1)
        )
        return run

    async def lock_open(self, user_id: UUID, assistant_id: UUID) -> Sequence[Run]:
        """Return the assistant's open runs, locked, by slot; before them their deliveries and posts, in the order in
        which arming locks."""
        which = (Run.user_id == user_id, Run.assistant_id == assistant_id, IS_OPEN)
        of_posts = select(Post.id).join(Run, Post.run_id == Run.id).where(Post.user_id == user_id, *which)
        deliveries = select(Delivery.id).where(Delivery.user_id == user_id, Delivery.post_id.in_(of_posts))
        await self.session.execute(deliveries.order_by(Delivery.id).with_for_update())
        posts = select(Post.id).where(Post.user_id == user_id, Post.id.in_(of_posts))
        await self.session.execute(posts.order_by(Post.id).with_for_update())
        rows = await self.session.scalars(select(Run).where(*which).order_by(Run.slot).with_for_update())
        return rows.all()

    async def set_state(
        self, user_id: UUID, run_id: UUID, state: RunState, *, reason: str | None = None, ended: bool = False
    ) -> None:
        """`ended`: its workflow has ended although its post is still published."""
        values: dict[str, Any] = {"state": state, "reason": reason}
        if ended or state not in OPEN_RUNS:
            values["finished_at"] = utcnow()
        await self.session.execute(update(Run).where(Run.id == run_id, Run.user_id == user_id).values(**values))

    async def start_step(
        self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int, *, facts: dict[str, Any]
    ) -> None:
        statement = insert(RunStep).values(
            user_id=user_id, run_id=run_id, kind=kind, attempt=attempt, state=StepState.active, facts=facts
        )
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[RunStep.run_id, RunStep.kind],
                set_={"attempt": attempt, "state": StepState.active, "facts": facts},
                where=RunStep.state != StepState.done,
            )
        )

    async def step_facts(self, user_id: UUID, run_id: UUID, kind: StepKind) -> dict[str, Any]:
        """Return the facts of a step, {} if it has not begun."""
        found = await self.session.scalar(
            select(RunStep.facts).where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
        )
        return found or {}

    async def add_facts(self, user_id: UUID, run_id: UUID, kind: StepKind, facts: dict[str, Any]) -> None:
        """Add facts to a started step."""
        step = await self._lock_step(user_id, run_id, kind)
        if step is not None:
            step.facts = step.facts | facts

    async def record_failure(
        self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int, code: str, detail: str = ""
    ) -> None:
        """Save a failed attempt of a started step."""
        step = await self._lock_step(user_id, run_id, kind)
        if step is not None:
            step.failures = append_failure(step.failures, attempt, code, utcnow(), detail)

    async def _lock_step(self, user_id: UUID, run_id: UUID, kind: StepKind) -> RunStep | None:
        found: RunStep | None = await self.session.scalar(
            select(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
            .with_for_update()
        )
        return found

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

    async def list_texts(self, user_id: UUID, run_id: UUID) -> Sequence[TextVersion]:
        """Return the stored answers of the text step, in order."""
        rows = await self.session.scalars(
            select(TextVersion)
            .where(TextVersion.run_id == run_id, TextVersion.user_id == user_id)
            .order_by(TextVersion.created_at, TextVersion.id)
        )
        return rows.all()

    async def add_text(
        self,
        user_id: UUID,
        run_id: UUID,
        kind: TextKind,
        *,
        part: int = 0,
        content: str | None = None,
        reason: ErrorCode | None = None,
        used: dict[str, Any] | None = None,
    ) -> TextVersion:
        """Insert the answer, or return the one that an earlier attempt stored. `part`: number of an article's
        section, or of a network in the run's set-up, from 0. Negative ones are of second answers, and of an answer that
        should have had the texts of several networks and had none (`core.runs.writing`)."""
        made: TextVersion | None = await self.session.scalar(
            insert(TextVersion)
            .values(
                id=new_id(),
                user_id=user_id,
                run_id=run_id,
                kind=kind,
                part=part,
                content=content,
                reason=reason,
                used=used or {},
                created_at=utcnow(),
            )
            .on_conflict_do_nothing(index_elements=[TextVersion.run_id, TextVersion.kind, TextVersion.part])
            .returning(TextVersion)
        )
        if made is not None:
            return made
        kept = select(TextVersion).where(
            TextVersion.run_id == run_id,
            TextVersion.user_id == user_id,
            TextVersion.kind == kind,
            TextVersion.part == part,
        )
        return (await self.session.scalars(kept)).one()

    async def lock_active_steps(self, user_id: UUID, run_id: UUID) -> Sequence[RunStep]:
        """Return them, locked."""
        rows = await self.session.scalars(
            select(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.state == StepState.active)
            .order_by(RunStep.id)
            .with_for_update()
        )
        return rows.all()

    async def image_problem(self, user_id: UUID, run_id: UUID) -> str | None:
        """Return the error code of its image if a person has to decide about it, else None."""
        step = await self.step(user_id, run_id, StepKind.image)
        asks = step is not None and step.facts.get("fallback") == ImageFallback.ask
        return str(step.facts["code"]) if step and asks else None

    async def step(self, user_id: UUID, run_id: UUID, kind: StepKind) -> RunStep | None:
        found: RunStep | None = await self.session.scalar(
            select(RunStep).where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
        )
        return found

    async def is_checked(self, user_id: UUID, run_id: UUID) -> bool:
        """Return whether its draft has passed the checks. From then on a person may have edited or approved the
        post, so steps that are repeated after Temporal has lost their workflow must not write it."""
        return await self.step(user_id, run_id, StepKind.check) is not None

    async def has_started_writing(self, user_id: UUID, run_id: UUID) -> bool:
        begun = exists().where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind.in_(BEGINS_WRITING))
        return bool(await self.session.scalar(select(begun)))

    async def list_steps(self, user_id: UUID, run_id: UUID) -> list[RunStep]:
        order = {kind: at for at, kind in enumerate(StepKind)}
        rows = await self.session.scalars(select(RunStep).where(RunStep.run_id == run_id, RunStep.user_id == user_id))
        return sorted(rows, key=lambda step: order[step.kind])

    async def progress(self, user_id: UUID, run_id: UUID) -> RunProgress | None:
        """Return the progress of a run in preparation, else None."""
        run: Run | None = await self.session.scalar(
            select(Run).where(Run.id == run_id, Run.user_id == user_id, Run.state == RunState.preparing)
        )
        if run is None or run.setup is None:
            return None
        return RunProgress(run.setup.wants_image, await self.list_steps(user_id, run_id))

    async def preparing_ids(self, user_id: UUID, run_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those of the runs that are in preparation."""
        if not run_ids:
            return frozenset()
        found = select(Run.id).where(Run.id.in_(run_ids), Run.user_id == user_id, Run.state == RunState.preparing)
        return frozenset(await self.session.scalars(found))
