from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Uuid,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.ai.rules.usage import CURRENCY
from core.ai.tables.transactions import CallOutcome, Transaction
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import (
    BEGINS_WRITING,
    BY_HAND,
    LASTING,
    OPEN_RUNS,
    ImageFallback,
    RunState,
    StepKind,
    StepState,
    TextKind,
)
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, NotFound
from core.ids import new_id, run_id, run_workflow
from core.posts.repositories.posts import deliveries_by_post
from core.posts.tables.posts import Post
from core.runs.rules.failures import append_failure
from core.runs.rules.runs import RunSetup
from core.runs.tables import Run, RunStep, TextVersion
from core.templates.tables import Template, TemplateVersion
from core.topics.tables import Topic


@dataclass(frozen=True)
class RunSpending:
    """Sums over the model calls of a run. None: no call, or no known figure. `known`: whether all figures are."""

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
    planned_at: datetime | None
    """When its post is published: its slot, unless a person has moved it. None without a post."""
    decide_until: datetime | None
    """Deadline of an approval after which the post is published at once, instead of at its planned time. None if there
    is no such approval."""
    spent: RunSpending


@dataclass(frozen=True)
class RunProgress:
    """What a run in preparation has done so far."""

    wants_image: bool
    steps: Sequence[RunStep]


@dataclass(frozen=True)
class ListedRun:
    """A run with its results."""

    full: FullRun
    time_zone: str
    """Time zone of its slot: that of its set-up, or the assistant's current one if it never began."""
    attempts: int | None
    """The highest number of attempts of its steps and deliveries. None if there was no attempt."""
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True)
class UsedTemplate:
    template_id: UUID
    version_id: UUID
    name: str
    number: int


@dataclass(frozen=True)
class RunEvidence:
    """All that is stored of a run, except its post."""

    run: ListedRun
    steps: list[RunStep]
    texts: list[TextVersion]
    calls: list[Transaction]
    """Its model calls, in order."""
    text_template: UsedTemplate | None
    image_template: UsedTemplate | None
    """None also if the template was deleted since."""
    earlier_id: UUID | None
    later_id: UUID | None


class RunSort(StrEnum):
    newest = "newest"
    oldest = "oldest"


@dataclass(frozen=True)
class RunFilter:
    """Which slots are listed. None: no limit."""

    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""
    without_cancelled: bool = False
    """Without runs that a person has cancelled or skipped."""

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        found: list[ColumnElement[bool]] = []
        if self.since:
            found.append(Run.slot >= self.since)
        if self.until:
            found.append(Run.slot < self.until)
        if self.without_cancelled:
            found.append(~func.coalesce(Run.reason.in_(BY_HAND), False))
        return tuple(found)


_NO_FILTER = RunFilter()


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

    async def list_open(self, before: datetime, limit: int = 1000) -> Sequence[Run]:
        """For the reconcile: return open runs of all users that were not updated since `before`, in random order, so
        that of more than `limit` all get their turn; prepared runs sleep for days."""
        rows = await self.session.scalars(
            select(Run).where(_IS_OPEN, Run.updated_at < before).order_by(func.random()).limit(limit)
        )
        return rows.all()

    async def first_open(self, user_id: UUID, assistant_id: UUID) -> Run | None:
        """Return the scheduled open run with the earliest slot, or None."""
        run: Run | None = await self.session.scalar(
            select(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, _IS_OPEN, Run.by_hand.is_(False))
            .order_by(Run.slot)
            .limit(1)
        )
        return run

    async def lock_open(self, user_id: UUID, assistant_id: UUID) -> Sequence[Run]:
        """Return the assistant's open runs, locked, by slot."""
        rows = await self.session.scalars(
            select(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, _IS_OPEN)
            .order_by(Run.slot)
            .with_for_update()
        )
        return rows.all()

    async def set_state(self, user_id: UUID, run_id: UUID, state: RunState, *, reason: str | None = None) -> None:
        values: dict[str, Any] = {"state": state, "reason": reason}
        if state not in OPEN_RUNS:
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

    async def record_failure(
        self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int, code: str, detail: str = ""
    ) -> None:
        """Save a failed attempt of a started step."""
        step = await self.session.scalar(
            select(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
            .with_for_update()
        )
        if step is not None:
            step.failures = append_failure(step.failures, attempt, code, utcnow(), detail)

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
        section."""
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

    async def list_page(
        self,
        user_id: UUID,
        assistant_id: UUID,
        wanted: RunFilter = _NO_FILTER,
        *,
        state: RunState | None = None,
        sort: RunSort = RunSort.newest,
        offset: int,
        limit: int,
    ) -> tuple[list[ListedRun], dict[RunState, int]]:
        """Return one page of the runs in the state, or in any, and the number of runs per state, in a fixed number of
        queries."""
        mine = (*_of_assistant(user_id, assistant_id), *wanted.conditions())
        counted = await self.session.execute(
            select(state_now := _shown_state(), func.count()).where(*mine).group_by(state_now)
        )
        order = Run.slot.asc() if sort is RunSort.oldest else Run.slot.desc()
        shown = (*_of_assistant(user_id, assistant_id, state), *wanted.conditions())
        rows = await self.session.execute(self._listed(user_id, *shown).order_by(order).offset(offset).limit(limit))
        return await self._with_figures(user_id, rows.all()), {row[0]: row[1] for row in counted}

    async def evidence(self, user_id: UUID, assistant_id: UUID, run_id: UUID, state: RunState | None) -> RunEvidence:
        """Return the run's evidence and its neighbours by slot within the state, or in any, in a fixed number of
        queries."""
        rows = await self.session.execute(self._listed(user_id, Run.assistant_id == assistant_id, Run.id == run_id))
        found = await self._with_figures(user_id, rows.all())
        if not found:
            raise NotFound(what="run", id=str(run_id))
        run = found[0].full.row
        calls = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.run_id == run_id, _is_finished_call())
            .order_by(Transaction.created_at, Transaction.id)
        )
        beside = select(Run.id).where(*_of_assistant(user_id, assistant_id, state)).limit(1)
        setup = run.setup
        templates = await self._templates(user_id, setup) if setup else {}
        return RunEvidence(
            run=found[0],
            steps=await self.list_steps(user_id, run_id),
            texts=list(await self.list_texts(user_id, run_id)),
            calls=list(calls),
            text_template=templates.get(setup.template_version_id) if setup else None,
            image_template=(
                templates.get(setup.image_template_version_id) if setup and setup.image_template_version_id else None
            ),
            earlier_id=await self.session.scalar(beside.where(Run.slot < run.slot).order_by(Run.slot.desc())),
            later_id=await self.session.scalar(beside.where(Run.slot > run.slot).order_by(Run.slot.asc())),
        )

    async def _templates(self, user_id: UUID, setup: RunSetup) -> dict[UUID, UsedTemplate]:
        """Return the templates of the set-up that still exist."""
        wanted = [setup.template_version_id, setup.image_template_version_id]
        rows = await self.session.execute(
            select(TemplateVersion.id, TemplateVersion.number, Template.id, Template.name)
            .join(Template, Template.id == TemplateVersion.template_id)
            .where(TemplateVersion.user_id == user_id, TemplateVersion.id.in_([one for one in wanted if one]))
        )
        return {
            version_id: UsedTemplate(template_id, version_id, name, number)
            for version_id, number, template_id, name in rows
        }

    def _listed(
        self, user_id: UUID, *conditions: ColumnElement[bool]
    ) -> Select[Run, str, UUID, datetime | None, datetime | None, dict[str, Any] | None]:
        return (
            select(Run, Topic.title, _SHOWN_POST, Post.planned_at, _decide_until(), Assistant.schedule)
            .join(Assistant, Assistant.id == Run.assistant_id)
            .outerjoin(Topic, Topic.id == Run.topic_id)
            .outerjoin(Post, Post.run_id == Run.id)
            .where(Run.user_id == user_id, *conditions)
        )

    async def _with_figures(
        self,
        user_id: UUID,
        rows: Sequence[Row[Run, str, UUID, datetime | None, datetime | None, dict[str, Any] | None]],
    ) -> list[ListedRun]:
        ids = [run.id for run, *_ in rows]
        spent = await self.spending(user_id, ids)
        tried = await self.session.execute(
            select(RunStep.run_id, func.max(RunStep.attempt))
            .where(RunStep.user_id == user_id, RunStep.run_id.in_(ids))
            .group_by(RunStep.run_id)
        )
        attempts = {row[0]: row[1] for row in tried}
        deliveries = await deliveries_by_post(self.session, user_id, [post_id for _, _, post_id, *_ in rows if post_id])
        return [
            ListedRun(
                full=FullRun(
                    run, _topic_title(run, title), post_id, planned_at, decide_until, spent.get(run.id, NO_SPENDING)
                ),
                time_zone=run.setup.brief.time_zone if run.setup else (schedule or {}).get("time_zone", "UTC"),
                attempts=max([attempts.get(run.id, 0), *(one.attempts for one in deliveries[post_id])]) or None,
                deliveries=tuple(deliveries[post_id]),
            )
            for run, title, post_id, planned_at, decide_until, schedule in rows
        ]

    async def latest(
        self, user_id: UUID, assistant_ids: Sequence[UUID]
    ) -> tuple[dict[UUID, FullRun], dict[UUID, FullRun]]:
        """Return per assistant the newest ended run, and the open run with the earliest slot. Both are index look-ups,
        however many runs there are."""
        rows = await self.session.execute(_latest_query(), {"user_id": user_id, "assistant_ids": list(assistant_ids)})
        newest: dict[UUID, FullRun] = {}
        under_way: dict[UUID, FullRun] = {}
        for run in await self._full(user_id, list(rows.all())):
            (under_way if run.row.state in OPEN_RUNS else newest)[run.row.assistant_id] = run
        return newest, under_way

    async def _full(
        self, user_id: UUID, rows: Sequence[Row[Run, str, UUID, datetime | None, datetime | None]]
    ) -> list[FullRun]:
        spent = await self.spending(user_id, [row[0].id for row in rows])
        return [
            FullRun(run, _topic_title(run, title), post_id, planned_at, decide_until, spent.get(run.id, NO_SPENDING))
            for run, title, post_id, planned_at, decide_until in rows
        ]

    async def spending(self, user_id: UUID, run_ids: Sequence[UUID]) -> dict[UUID, RunSpending]:
        """Return the spending of those runs that have called a model."""
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
            .where(Transaction.user_id == user_id, Transaction.run_id.in_(run_ids), _is_finished_call())
            .group_by(Transaction.run_id)
        )

        def whole(number: Any) -> int | None:
            return None if number is None else int(number)

        return {
            run_id: RunSpending(whole(given), whole(made), whole(cost), known, currency)
            for run_id, given, made, cost, known, currency in rows
            if run_id is not None
        }


@cache
def _latest_query() -> Select[Run, str, UUID, datetime | None, datetime | None]:
    """Cached: building takes three times as long as executing."""
    wanted = select(func.unnest(bindparam("assistant_ids", type_=ARRAY(Uuid()))).label("id")).subquery()
    mine = select(Run).where(Run.user_id == bindparam("user_id"), Run.assistant_id == wanted.c.id).limit(1)
    # a slot skipped ahead of its time is no result yet
    over = and_(Run.state.not_in(OPEN_RUNS), or_(Run.state != RunState.skipped, Run.slot <= func.now()))
    both = union_all(
        mine.where(over).order_by(Run.slot.desc()).correlate(wanted),
        mine.where(_IS_OPEN).order_by(Run.slot.asc()).correlate(wanted),
    )
    found = aliased(Run, both.lateral())
    return (
        select(found, Topic.title, _SHOWN_POST, Post.planned_at, _decide_until())
        .select_from(wanted)
        .join(found, true())
        .outerjoin(Topic, Topic.id == found.topic_id)
        .outerjoin(Post, Post.run_id == found.id)
    )


# deleted posts are not shown
_SHOWN_POST = case((Post.deleted_at.is_(None), Post.id))
# literal values: PostgreSQL has to see that the partial index over these states applies
_IS_OPEN = Run.state.in_(bindparam("open_states", OPEN_RUNS, expanding=True, literal_execute=True))


def _decide_until() -> ColumnElement[datetime | None]:
    """Deadline of an approval of a `Post` that is published on approval."""
    asked = (
        select(Approval.deadline_at)
        .where(
            Approval.post_id == Post.id,
            Approval.user_id == Post.user_id,
            Approval.content_hash == Post.content_hash,
            Approval.state == ApprovalState.waiting,
            Approval.at_once,
            Approval.at_deadline != AtDeadline.publish,
        )
        .limit(1)
        .correlate(Post)
    )
    return case((~Post.pinned, asked.scalar_subquery()))


def _of_assistant(user_id: UUID, assistant_id: UUID, state: RunState | None = None) -> tuple[ColumnElement[bool], ...]:
    mine = (Run.user_id == user_id, Run.assistant_id == assistant_id)
    return (*mine, _shown_state() == state) if state else mine


def _shown_state() -> ColumnElement[RunState]:
    """The state that users see. Publishing starts some seconds before the slot; until the slot it is shown as ready."""
    ahead = and_(Run.state == RunState.publishing, Run.slot > utcnow())
    return case((ahead, literal(RunState.ready, Run.state.type)), else_=Run.state)


def _is_finished_call() -> ColumnElement[bool]:
    """Calls in progress have no figures yet."""
    return Transaction.outcome != CallOutcome.calling


def _topic_title(run: Run, title: str | None) -> str | None:
    """Return the topic's title when the run began: it may have been renamed or deleted since."""
    return run.setup.brief.topic if run.setup else title
