from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Uuid,
    and_,
    case,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.ai.rules.usage import CURRENCY
from core.ai.tables.transactions import CallOutcome, Transaction
from core.approvals.rules import UNDECIDED, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import BY_HAND, OPEN_RUNS, RunState
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import NotFound
from core.posts.repositories.posts import deliveries_by_post
from core.posts.tables.posts import Post
from core.runs.repositories.runs import IS_OPEN, RunRepository
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
    moved: bool
    """A person has set another time than the slot, which may be now."""
    decide_until: datetime | None
    """Deadline of an approval after which the post is published at once, instead of at its planned time. None if there
    is no such approval."""
    spent: RunSpending


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
        conditions: list[ColumnElement[bool]] = []
        if self.since:
            conditions.append(Run.slot >= self.since)
        if self.until:
            conditions.append(Run.slot < self.until)
        if self.without_cancelled:
            conditions.append(~func.coalesce(Run.reason.in_(BY_HAND), False))
        return tuple(conditions)


_NO_FILTER = RunFilter()


class RunListRepository:
    """A run with its results, alone or in lists."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_page(
        self,
        user_id: UUID,
        assistant_id: UUID,
        filter: RunFilter = _NO_FILTER,
        *,
        state: RunState | None = None,
        sort: RunSort = RunSort.newest,
        offset: int,
        limit: int,
    ) -> tuple[list[ListedRun], dict[RunState, int]]:
        """Return one page of the runs in the state, or in any, and the number of runs per state, in a fixed number of
        queries."""
        mine = (*_of_assistant(user_id, assistant_id), *filter.conditions())
        counted = await self.session.execute(
            select(state_now := _shown_state(), func.count()).where(*mine).group_by(state_now)
        )
        order = Run.slot.asc() if sort is RunSort.oldest else Run.slot.desc()
        shown = (*_of_assistant(user_id, assistant_id, state), *filter.conditions())
        rows = await self.session.execute(self._listed(user_id, *shown).order_by(order).offset(offset).limit(limit))
        return await self._with_figures(user_id, rows.all()), {row[0]: row[1] for row in counted}

    async def evidence(self, user_id: UUID, assistant_id: UUID, run_id: UUID, state: RunState | None) -> RunEvidence:
        """Return the run's evidence and its neighbours by slot within the state, or in any, in a fixed number of
        queries."""
        rows = await self.session.execute(self._listed(user_id, Run.assistant_id == assistant_id, Run.id == run_id))
        listed = await self._with_figures(user_id, rows.all())
        if not listed:
            raise NotFound(what="run", id=str(run_id))
        run = listed[0].full.row
        calls = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.run_id == run_id, _is_finished_call())
            .order_by(Transaction.created_at, Transaction.id)
        )
        beside = select(Run.id).where(*_of_assistant(user_id, assistant_id, state)).limit(1)
        setup, runs = run.setup, RunRepository(self.session)
        templates = await self._templates(user_id, setup) if setup else {}
        return RunEvidence(
            run=listed[0],
            steps=await runs.list_steps(user_id, run_id),
            texts=list(await runs.list_texts(user_id, run_id)),
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
        ids = [setup.template_version_id, setup.image_template_version_id]
        rows = await self.session.execute(
            select(TemplateVersion.id, TemplateVersion.number, Template.id, Template.name)
            .join(Template, Template.id == TemplateVersion.template_id)
            .where(TemplateVersion.user_id == user_id, TemplateVersion.id.in_([id for id in ids if id]))
        )
        return {
            version_id: UsedTemplate(template_id, version_id, name, number)
            for version_id, number, template_id, name in rows
        }

    def _listed(
        self, user_id: UUID, *conditions: ColumnElement[bool]
    ) -> Select[Run, str, UUID, datetime | None, bool | None, datetime | None, dict[str, Any] | None]:
        return (
            select(Run, Topic.title, _SHOWN_POST, Post.planned_at, Post.pinned, decide_until(), Assistant.schedule)
            .join(Assistant, Assistant.id == Run.assistant_id)
            .outerjoin(Topic, Topic.id == Run.topic_id)
            .outerjoin(Post, Post.run_id == Run.id)
            .where(Run.user_id == user_id, *conditions)
        )

    async def _with_figures(
        self,
        user_id: UUID,
        rows: Sequence[Row[Run, str, UUID, datetime | None, bool | None, datetime | None, dict[str, Any] | None]],
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
                full=_full_run(run, title, post_id, planned_at, pinned, decide_until, spent),
                time_zone=run.setup.brief.time_zone if run.setup else (schedule or {}).get("time_zone", "UTC"),
                attempts=max(
                    [attempts.get(run.id) or _kept(run), *(delivery.attempts for delivery in deliveries[post_id])]
                )
                or None,
                deliveries=tuple(deliveries[post_id]),
            )
            for run, title, post_id, planned_at, pinned, decide_until, schedule in rows
        ]

    async def latest(
        self, user_id: UUID, assistant_ids: Sequence[UUID]
    ) -> tuple[dict[UUID, FullRun], dict[UUID, FullRun]]:
        """Return per assistant the newest ended run, and the open run with the earliest slot. Both are index look-ups,
        however many runs there are."""
        rows = await self.session.execute(_latest_query(user_id, assistant_ids))
        newest: dict[UUID, FullRun] = {}
        under_way: dict[UUID, FullRun] = {}
        for run in await self._full(user_id, list(rows.all())):
            (under_way if run.row.state in OPEN_RUNS else newest)[run.row.assistant_id] = run
        return newest, under_way

    async def _full(
        self, user_id: UUID, rows: Sequence[Row[Run, str, UUID, datetime | None, bool | None, datetime | None]]
    ) -> list[FullRun]:
        spent = await self.spending(user_id, [row[0].id for row in rows])
        return [_full_run(*row, spent) for row in rows]

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

        def as_int(number: Any) -> int | None:
            return None if number is None else int(number)

        return {
            run_id: RunSpending(as_int(given_tokens), as_int(made_tokens), as_int(cost), is_known, currency)
            for run_id, given_tokens, made_tokens, cost, is_known, currency in rows
            if run_id is not None
        }


def _latest_query(
    user_id: UUID, assistant_ids: Sequence[UUID]
) -> Select[Run, str, UUID, datetime | None, bool | None, datetime | None]:
    assistants = select(func.unnest(literal(list(assistant_ids), ARRAY(Uuid()))).label("id")).subquery()
    mine = select(Run).where(Run.user_id == user_id, Run.assistant_id == assistants.c.id).limit(1)
    # a slot skipped ahead of its time is no result yet
    over = and_(Run.state.not_in(OPEN_RUNS), or_(Run.state != RunState.skipped, Run.slot <= func.now()))
    both = union_all(
        mine.where(over).order_by(Run.slot.desc()).correlate(assistants),
        mine.where(IS_OPEN).order_by(Run.slot.asc()).correlate(assistants),
    )
    latest = aliased(Run, both.lateral())
    return (
        select(latest, Topic.title, _SHOWN_POST, Post.planned_at, Post.pinned, decide_until())
        .select_from(assistants)
        .join(latest, true())
        .outerjoin(Topic, Topic.id == latest.topic_id)
        .outerjoin(Post, Post.run_id == latest.id)
    )


# deleted posts are not shown
_SHOWN_POST = case((Post.deleted_at.is_(None), Post.id))


def decide_until() -> ColumnElement[datetime | None]:
    """Deadline of an approval of a `Post` that is published on approval, also while another text is being written."""
    deadline = (
        select(Approval.deadline_at)
        .where(
            Approval.post_id == Post.id,
            Approval.user_id == Post.user_id,
            Approval.content_hash == Post.content_hash,
            Approval.state.in_(UNDECIDED),
            Approval.at_once,
            Approval.at_deadline != AtDeadline.publish,
        )
        .limit(1)
        .correlate(Post)
    )
    return case((~Post.pinned, deadline.scalar_subquery()))


def _full_run(
    run: Run,
    title: str | None,
    post_id: UUID | None,
    planned_at: datetime | None,
    pinned: bool | None,
    decide_until: datetime | None,
    spent: Mapping[UUID, RunSpending],
) -> FullRun:
    return FullRun(
        row=run,
        topic_title=_topic_title(run, title),
        post_id=post_id,
        planned_at=planned_at,
        moved=bool(pinned) and planned_at is not None and planned_at != run.slot,
        decide_until=decide_until,
        spent=_spent(run, spent),
    )


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


def _spent(run: Run, spent: Mapping[UUID, RunSpending]) -> RunSpending:
    """Return the spending of the run's calls, or what was kept of it when they were removed."""
    kept = run.totals["spent"] if run.totals else None
    return spent.get(run.id) or (RunSpending(**kept) if kept else NO_SPENDING)


def _kept(run: Run) -> int:
    """Return the attempts of removed steps."""
    return (run.totals["attempts"] if run.totals else None) or 0


def _topic_title(run: Run, title: str | None) -> str | None:
    """Return the topic's title when the run began: it may have been renamed or deleted since."""
    return run.setup.brief.topic if run.setup else title
