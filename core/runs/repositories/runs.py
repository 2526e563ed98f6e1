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
from core.posts.repositories.posts import deliveries_of
from core.posts.tables.posts import Post
from core.runs.rules.failures import with_failure
from core.runs.rules.runs import RunSetup
from core.runs.tables import Run, RunStep, TextVersion
from core.templates.tables import Template, TemplateVersion
from core.topics.tables import Topic


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
    planned_at: datetime | None
    """When its post goes out: its slot, unless somebody has moved it. None without a post."""
    decide_until: datetime | None
    """Its post waits so long for a person, and goes out the moment they approve it rather than when it is planned.
    None: it does not."""
    spent: RunSpending


@dataclass(frozen=True)
class Preparing:
    """What a run that is being prepared has done so far."""

    wants_image: bool
    steps: Sequence[RunStep]


@dataclass(frozen=True)
class ListedRun:
    """A run with what it came to."""

    full: FullRun
    time_zone: str
    """In which its slot was meant: the one of then, or today's of the assistant for a run that never began."""
    attempts: int | None
    """The most that one of its steps or deliveries took; None where nothing was tried."""
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True)
class UsedTemplate:
    template_id: UUID
    version_id: UUID
    name: str
    number: int


@dataclass(frozen=True)
class RunEvidence:
    """All that is kept of a run but its post."""

    run: ListedRun
    steps: list[RunStep]
    texts: list[TextVersion]
    calls: list[Transaction]
    """What was asked of models for it, in order."""
    text_template: UsedTemplate | None
    image_template: UsedTemplate | None
    """None also where the template was deleted since."""
    earlier_id: UUID | None
    later_id: UUID | None


class RunSort(StrEnum):
    newest = "newest"
    oldest = "oldest"


@dataclass(frozen=True)
class RunFilter:
    """Which slots are looked at; None: from or to any."""

    since: datetime | None = None
    until: datetime | None = None
    """Not among them."""
    by_itself: bool = False
    """Without what a person has cancelled or left out."""

    def conditions(self) -> tuple[ColumnElement[bool], ...]:
        found: list[ColumnElement[bool]] = []
        if self.since:
            found.append(Run.slot >= self.since)
        if self.until:
            found.append(Run.slot < self.until)
        if self.by_itself:
            found.append(~func.coalesce(Run.reason.in_(BY_HAND), False))
        return tuple(found)


_EVERY = RunFilter()


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

    async def skip(self, user_id: UUID, assistant_id: UUID, slot: datetime) -> None:
        """A slot that a person leaves out before its run has begun."""
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
        """Take that back. False: there is no such row."""
        gone = await self.session.execute(
            delete(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.slot == slot)
            .where(Run.reason == ErrorCode.skipped_by_hand, Run.stored_setup == {}, ~Run.by_hand)
            .returning(Run.id)
        )
        return gone.first() is not None

    async def of_slots(self, user_id: UUID, assistant_id: UUID, slots: Sequence[datetime]) -> dict[datetime, Run]:
        """The runs of these slots, where there are some."""
        rows = await self.session.scalars(
            select(Run).where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.slot.in_(slots))
        )
        return {run.slot: run for run in rows}

    async def newest_ends(
        self, user_id: UUID, assistant_id: UUID, since: datetime | None, limit: int
    ) -> list[tuple[RunState, str | None]]:
        """State and reason of the runs that ended last, newest first; without those that were skipped, or missed for
        what does not last."""
        ended = (Run.user_id == user_id, Run.assistant_id == assistant_id, Run.finished_at.is_not(None))
        lasts = func.coalesce(Run.reason.in_(LASTING), False)
        wanted = select(Run.state, Run.reason).where(
            *ended, Run.state != RunState.skipped, or_(Run.state != RunState.missed, lasts)
        )
        if since:
            wanted = wanted.where(Run.finished_at > since)
        rows = await self.session.execute(wanted.order_by(Run.finished_at.desc(), Run.slot.desc()).limit(limit))
        return [(row[0], row[1]) for row in rows]

    async def assistant_of(self, user_id: UUID, run_id: UUID) -> UUID | None:
        """None of a run that is gone."""
        found: UUID | None = await self.session.scalar(
            select(Run.assistant_id).where(Run.id == run_id, Run.user_id == user_id)
        )
        return found

    async def left_out(self, user_id: UUID, run_id: UUID) -> str | None:
        """Why it was missed or skipped, if it was."""
        reason: str | None = await self.session.scalar(
            select(Run.reason)
            .where(Run.id == run_id, Run.user_id == user_id)
            .where(Run.state.in_((RunState.missed, RunState.skipped)))
        )
        return reason

    async def get(self, user_id: UUID, run_id: UUID) -> Run:
        run = await self.session.scalar(select(Run).where(Run.id == run_id, Run.user_id == user_id))
        if run is None:
            raise NotFound(what="run", id=str(run_id))
        return run

    async def begun(self, user_id: UUID, run_id: UUID) -> tuple[Run, RunSetup]:
        """One that has its topic. Raises NotFound."""
        run = await self.get(user_id, run_id)
        if (setup := run.setup) is None:
            raise NotFound(what="run", id=str(run_id))
        return run, setup

    async def under_way(self, before: datetime, limit: int = 1000) -> Sequence[Run]:
        """Open ones of all users that nothing was written to since, drawn anew each time: prepared ones sleep for days,
        and of more than `limit` all have their turn. For the reconcile."""
        rows = await self.session.scalars(
            select(Run).where(_IS_OPEN, Run.updated_at < before).order_by(func.random()).limit(limit)
        )
        return rows.all()

    async def first_open(self, user_id: UUID, assistant_id: UUID) -> Run | None:
        """The one of the earliest slot that is not over; none that a person asked for."""
        run: Run | None = await self.session.scalar(
            select(Run)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, _IS_OPEN, Run.by_hand.is_(False))
            .order_by(Run.slot)
            .limit(1)
        )
        return run

    async def open_of(self, user_id: UUID, assistant_id: UUID) -> Sequence[Run]:
        """Those of an assistant that are not over, locked, by slot."""
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
        """Empty where it has not begun."""
        found = await self.session.scalar(
            select(RunStep.facts).where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
        )
        return found or {}

    async def note_failure(
        self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int, code: str, detail: str = ""
    ) -> None:
        """A failed attempt of a step that has started; another one may follow."""
        step = await self.session.scalar(
            select(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
            .with_for_update()
        )
        if step is not None:
            step.failures = with_failure(step.failures, attempt, code, utcnow(), detail)

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

    async def texts(self, user_id: UUID, run_id: UUID) -> Sequence[TextVersion]:
        """What its text step has got so far, in order."""
        rows = await self.session.scalars(
            select(TextVersion)
            .where(TextVersion.run_id == run_id, TextVersion.user_id == user_id)
            .order_by(TextVersion.created_at, TextVersion.id)
        )
        return rows.all()

    async def keep_text(
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
        """For good: the one that an earlier attempt left stays. `part`: which of an article's sections."""
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

    async def active_steps(self, user_id: UUID, run_id: UUID) -> Sequence[RunStep]:
        """Locked."""
        rows = await self.session.scalars(
            select(RunStep)
            .where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.state == StepState.active)
            .order_by(RunStep.id)
            .with_for_update()
        )
        return rows.all()

    async def held_for_image(self, user_id: UUID, run_id: UUID) -> str | None:
        """Why its image could not be had, where a person is to decide about it."""
        step = await self.step(user_id, run_id, StepKind.image)
        asks = step is not None and step.facts.get("fallback") == ImageFallback.ask
        return str(step.facts["code"]) if step and asks else None

    async def step(self, user_id: UUID, run_id: UUID, kind: StepKind) -> RunStep | None:
        found: RunStep | None = await self.session.scalar(
            select(RunStep).where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind == kind)
        )
        return found

    async def has_begun_writing(self, user_id: UUID, run_id: UUID) -> bool:
        begun = exists().where(RunStep.run_id == run_id, RunStep.user_id == user_id, RunStep.kind.in_(BEGINS_WRITING))
        return bool(await self.session.scalar(select(begun)))

    async def steps(self, user_id: UUID, run_id: UUID) -> list[RunStep]:
        order = {kind: at for at, kind in enumerate(StepKind)}
        rows = await self.session.scalars(select(RunStep).where(RunStep.run_id == run_id, RunStep.user_id == user_id))
        return sorted(rows, key=lambda step: order[step.kind])

    async def preparing(self, user_id: UUID, run_id: UUID) -> Preparing | None:
        """None where it is not being prepared: what it makes is there, or never will be."""
        run: Run | None = await self.session.scalar(
            select(Run).where(Run.id == run_id, Run.user_id == user_id, Run.state == RunState.preparing)
        )
        if run is None or run.setup is None:
            return None
        return Preparing(run.setup.wants_image, await self.steps(user_id, run_id))

    async def being_prepared(self, user_id: UUID, run_ids: Collection[UUID]) -> frozenset[UUID]:
        """Those of them that still make what they are for."""
        if not run_ids:
            return frozenset()
        found = select(Run.id).where(Run.id.in_(run_ids), Run.user_id == user_id, Run.state == RunState.preparing)
        return frozenset(await self.session.scalars(found))

    async def page(
        self,
        user_id: UUID,
        assistant_id: UUID,
        wanted: RunFilter = _EVERY,
        *,
        state: RunState | None = None,
        sort: RunSort = RunSort.newest,
        offset: int,
        limit: int,
    ) -> tuple[list[ListedRun], dict[RunState, int]]:
        """Of what is wanted those in the state, or all of it, and how much of it there is in each; in a fixed number of
        queries."""
        mine = (*_of(user_id, assistant_id), *wanted.conditions())
        counted = await self.session.execute(
            select(state_now := _state_now(), func.count()).where(*mine).group_by(state_now)
        )
        order = Run.slot.asc() if sort is RunSort.oldest else Run.slot.desc()
        shown = (*_of(user_id, assistant_id, state), *wanted.conditions())
        rows = await self.session.execute(self._listed(user_id, *shown).order_by(order).offset(offset).limit(limit))
        return await self._with_figures(user_id, rows.all()), {row[0]: row[1] for row in counted}

    async def evidence(self, user_id: UUID, assistant_id: UUID, run_id: UUID, state: RunState | None) -> RunEvidence:
        """With its neighbours by slot among those in the state, or all of them; in a fixed number of queries."""
        rows = await self.session.execute(self._listed(user_id, Run.assistant_id == assistant_id, Run.id == run_id))
        found = await self._with_figures(user_id, rows.all())
        if not found:
            raise NotFound(what="run", id=str(run_id))
        run = found[0].full.row
        calls = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.run_id == run_id, _over())
            .order_by(Transaction.created_at, Transaction.id)
        )
        beside = select(Run.id).where(*_of(user_id, assistant_id, state)).limit(1)
        setup = run.setup
        templates = await self._templates(user_id, setup) if setup else {}
        return RunEvidence(
            run=found[0],
            steps=await self.steps(user_id, run_id),
            texts=list(await self.texts(user_id, run_id)),
            calls=list(calls),
            text_template=templates.get(setup.template_version_id) if setup else None,
            image_template=(
                templates.get(setup.image_template_version_id) if setup and setup.image_template_version_id else None
            ),
            earlier_id=await self.session.scalar(beside.where(Run.slot < run.slot).order_by(Run.slot.desc())),
            later_id=await self.session.scalar(beside.where(Run.slot > run.slot).order_by(Run.slot.asc())),
        )

    async def _templates(self, user_id: UUID, setup: RunSetup) -> dict[UUID, UsedTemplate]:
        """What there still is of the versions that a run was set to."""
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
        spent = await self.spent(user_id, ids)
        tried = await self.session.execute(
            select(RunStep.run_id, func.max(RunStep.attempt))
            .where(RunStep.user_id == user_id, RunStep.run_id.in_(ids))
            .group_by(RunStep.run_id)
        )
        attempts = {row[0]: row[1] for row in tried}
        deliveries = await deliveries_of(self.session, user_id, [post_id for _, _, post_id, *_ in rows if post_id])
        return [
            ListedRun(
                full=FullRun(
                    run, _topic(run, title), post_id, planned_at, decide_until, spent.get(run.id, NO_SPENDING)
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
        """Of each assistant the newest run that is over, and the one under way that is due first. Each is where an
        index begins, however many runs there are."""
        rows = await self.session.execute(_latest(), {"user_id": user_id, "assistant_ids": list(assistant_ids)})
        newest: dict[UUID, FullRun] = {}
        under_way: dict[UUID, FullRun] = {}
        for run in await self._full(user_id, list(rows.all())):
            (under_way if run.row.state in OPEN_RUNS else newest)[run.row.assistant_id] = run
        return newest, under_way

    async def _full(
        self, user_id: UUID, rows: Sequence[Row[Run, str, UUID, datetime | None, datetime | None]]
    ) -> list[FullRun]:
        spent = await self.spent(user_id, [row[0].id for row in rows])
        return [
            FullRun(run, _topic(run, title), post_id, planned_at, decide_until, spent.get(run.id, NO_SPENDING))
            for run, title, post_id, planned_at, decide_until in rows
        ]

    async def spent(self, user_id: UUID, run_ids: Sequence[UUID]) -> dict[UUID, RunSpending]:
        """Of those that have called a model."""
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
            .where(Transaction.user_id == user_id, Transaction.run_id.in_(run_ids), _over())
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
def _latest() -> Select[Run, str, UUID, datetime | None, datetime | None]:
    """Built once: that takes three times as long as asking."""
    wanted = select(func.unnest(bindparam("assistant_ids", type_=ARRAY(Uuid()))).label("id")).subquery()
    mine = select(Run).where(Run.user_id == bindparam("user_id"), Run.assistant_id == wanted.c.id).limit(1)
    # a slot that is skipped ahead of its time is no result yet
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


# one that is deleted is nowhere to be seen
_SHOWN_POST = case((Post.deleted_at.is_(None), Post.id))
# spelled out in the statement: PostgreSQL has to see that the index over these states serves it
_IS_OPEN = Run.state.in_(bindparam("open_states", OPEN_RUNS, expanding=True, literal_execute=True))


def _decide_until() -> ColumnElement[datetime | None]:
    """Of a `Post`."""
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


def _of(user_id: UUID, assistant_id: UUID, state: RunState | None = None) -> tuple[ColumnElement[bool], ...]:
    mine = (Run.user_id == user_id, Run.assistant_id == assistant_id)
    return (*mine, _state_now() == state) if state else mine


def _state_now() -> ColumnElement[RunState]:
    """As people are shown it. Its publishing step starts some seconds ahead of the slot: before that it is ready, and
    nothing goes out."""
    ahead = and_(Run.state == RunState.publishing, Run.slot > utcnow())
    return case((ahead, literal(RunState.ready, Run.state.type)), else_=Run.state)


def _over() -> ColumnElement[bool]:
    """Of a call that is being made nothing can be told yet."""
    return Transaction.outcome != CallOutcome.calling


def _topic(run: Run, title: str | None) -> str | None:
    """As it was called when the run began: the topic may have been renamed or deleted since."""
    return run.setup.brief.topic if run.setup else title
