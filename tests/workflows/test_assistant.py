"""An assistant on the real server: asleep, edited, rolled, switched off and on, and after an outage."""

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from temporalio import activity
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowHandle
from temporalio.service import RetryConfig, RPCError, RPCStatusCode

from activities.scheduling import Scheduling
from core.assistants.configuration import AssistantConfigurationService, AssistantForm, schedule_to_json
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules import planning
from core.assistants.rules.assistants import AssistantPhase, Mode, RunState
from core.assistants.rules.planning import Plan, PlannedSlot, PlanOrder, ScheduleVersion
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant, AssistantStatus
from core.clock import utcnow
from core.errors import ErrorCode
from core.ids import run_workflow
from core.runs.repositories.run_lists import FullRun, RunListRepository
from temporal import reconcile
from temporal.client import data_converter
from temporal.gateway import Gateway
from temporal.registry import Steps, groups
from temporal.worker import build_workers, run_worker
from tests.conftest import GRACEFUL, Stack
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import automatic, calls, eventually
from workflows.assistant import AssistantWorkflow
from workflows.messages import AssistantState, RunResult, Setup
from workflows.names import ASSISTANT_ID, ASSISTANTS, CHANNELS, RUN_STATE, USER_ID, assistant_workflow


def daily(*ahead: timedelta, since: datetime | None = None) -> Schedule:
    """Every day at these distances from now, on whole minutes; two of one test that share a time have to say since
    when, as a minute may end between them."""
    moments = [(since or datetime.now(UTC)) + distance for distance in ahead]
    return Schedule(Frequency.daily, "UTC", tuple(sorted({f"{moment:%H:%M}" for moment in moments})))


LATER = timedelta(hours=6)


async def full(stack: Stack, assistant: Assistant) -> FullAssistant:
    async with stack.services.sessions() as session:
        return await AssistantRepository(session).get(assistant.user_id, assistant.id)


async def switch(stack: Stack, assistant: Assistant, *, on: bool) -> FullAssistant:
    async with stack.services.sessions.begin() as session:
        service = AssistantConfigurationService(session)
        change = service.activate if on else service.deactivate
        return await change(assistant.user_id, assistant.id)


async def edit(stack: Stack, assistant: Assistant, schedule: Schedule, **changes: Any) -> FullAssistant:
    """As saving does it: the row first, with its version."""
    before = await full(stack, assistant)
    kept = (name for name in AssistantForm.__dataclass_fields__ if hasattr(before.row, name))
    values = {name: getattr(before.row, name) for name in kept}
    accounts = tuple(account.id for account in before.accounts)
    form = AssistantForm(
        **{**values, "tags": tuple(before.row.tags), "schedule": schedule, "account_ids": accounts, **changes}
    )
    async with stack.services.sessions.begin() as session:
        await AssistantConfigurationService(session).update(assistant.user_id, assistant.id, before.row.version, form)
    return await full(stack, assistant)


async def tell(stack: Stack, saved: FullAssistant) -> None:
    """As whoever saves tells it, and then the reconcile: until it has heard, which a busy machine may take longer for
    than a person waits."""
    kinds = {account.kind for account in saved.accounts}
    await eventually(lambda: stack.gateway.assistants.configure(saved.row, saved.status, kinds))


async def shown(
    stack: Stack, assistant: Assistant, phase: AssistantPhase, version: int, seconds: float = PATIENCE
) -> AssistantStatus:
    """The projection, once it says so."""
    found: list[AssistantStatus] = []

    async def so() -> bool:
        status = (await full(stack, assistant)).status
        if status and (status.phase, status.applied_version) == (phase, version):
            found.append(status)
        return bool(found)

    await eventually(so, seconds)
    return found[0]


async def runs(stack: Stack, assistant: Assistant) -> list[FullRun]:
    async with stack.services.sessions() as session:
        found, _ = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=100)
    return [listed.full for listed in found]


def handle_of(stack: Stack, assistant: Assistant) -> WorkflowHandle[AssistantWorkflow, None]:
    return stack.client.get_workflow_handle(assistant_workflow(assistant.id))


async def status_of(handle: WorkflowHandle[AssistantWorkflow, None]) -> WorkflowExecutionStatus | None:
    return (await handle.describe()).status


async def events(handle: WorkflowHandle[AssistantWorkflow, None], kind: EventType.ValueType) -> list[HistoryEvent]:
    return [event for event in (await handle.fetch_history()).events if event.event_type == kind]


@asynccontextmanager
async def workers(stack: Stack, scheduling: Scheduling | None = None) -> AsyncIterator[None]:
    """Workers alone: without the reconcile, which would repair what a test is about."""
    steps = Steps.of(stack.services)
    if scheduling:
        steps = replace(steps, scheduling=scheduling)
    async with AsyncExitStack() as started:
        for worker in build_workers(stack.client, groups(steps), GRACEFUL):
            await started.enter_async_context(worker)
        yield


async def asleep(stack: Stack, schedule: Schedule) -> tuple[Assistant, AssistantStatus]:
    """An assistant that was switched on and has told so."""
    assistant = await automatic(stack)
    await edit(stack, assistant, schedule)
    saved = await switch(stack, assistant, on=True)
    assert saved.status is not None
    assert saved.status.phase is AssistantPhase.activating
    await tell(stack, saved)
    return assistant, await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)


async def test_switched_on_edited_switched_off_and_on_again(stack: Stack) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        assert first.next_slot is not None
        assert abs(first.next_slot - (datetime.now(UTC) + LATER)) < timedelta(minutes=2)
        assert first.next_start == first.next_slot - timedelta(minutes=assistant.lead_minutes)
        assert first.rules.startswith("tzdata-")
        revisions = [first.revision]

        # what operators see
        handle = handle_of(stack, assistant)
        described = await handle.describe()
        assert described.status is WorkflowExecutionStatus.RUNNING
        assert described.typed_search_attributes[USER_ID] == str(assistant.user_id)
        assert described.typed_search_attributes[ASSISTANT_ID] == str(assistant.id)
        assert list(described.typed_search_attributes[CHANNELS]) == ["linkedin"]
        assert await described.static_summary() == "Commuter tips"
        [timer] = await events(handle, EventType.EVENT_TYPE_TIMER_STARTED)
        named = data_converter().payload_converter.from_payload(timer.user_metadata.summary, str)
        assert named == f"next slot {first.next_slot:%Y-%m-%d %H:%M} UTC"
        told = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
        assert f"next slot: {first.next_slot:%Y-%m-%d %H:%M} UTC" in told.current_details
        assert "**Commuter tips: asleep**" in told.current_details

        # an edit wakes it at once, and it plans anew
        saved = await edit(stack, assistant, daily(LATER / 2))
        await tell(stack, saved)
        second = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version, 5)
        assert second.next_slot is not None
        assert second.next_slot < first.next_slot
        revisions.append(second.revision)
        # an older version changes nothing any more
        older = replace(saved, row=_copy(saved.row, version=1, schedule=schedule_to_json(daily(LATER))))
        await stack.gateway.assistants.repair(older.row, older.status, ())
        await handle.signal(AssistantWorkflow.replan)

        async def planned_again() -> bool:
            status = (await full(stack, assistant)).status
            return status is not None and status.revision > revisions[-1]

        await eventually(planned_again)
        status = (await full(stack, assistant)).status
        assert status is not None
        assert (status.applied_version, status.next_slot) == (saved.row.version, second.next_slot)
        revisions.append(status.revision)

        saved = await switch(stack, assistant, on=False)
        await tell(stack, saved)
        await asyncio.wait_for(handle.result(), PATIENCE)
        off = await shown(stack, assistant, AssistantPhase.inactive, saved.row.version)
        assert off.next_slot is None
        revisions.append(off.revision)

        saved = await switch(stack, assistant, on=True)
        await tell(stack, saved)
        on = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert on.next_slot == second.next_slot
        revisions.append(on.revision)
        assert revisions == sorted(set(revisions))
        assert await status_of(handle) is WorkflowExecutionStatus.RUNNING
    assert await runs(stack, assistant) == []


def _copy(row: Assistant, **changes: object) -> Assistant:
    """The same row with other values, in no session."""
    values = {column.key: getattr(row, column.key) for column in Assistant.__table__.columns}
    return Assistant(**{**values, **changes})


@dataclass(frozen=True)
class OneSoon(Scheduling):
    """Plans one slot some seconds from now, then nothing before tomorrow."""

    seconds: float
    given: dict[str, datetime]

    @activity.defn
    async def plan(self, order: PlanOrder) -> Plan:
        tomorrow = PlannedSlot(order.now + timedelta(days=1), order.now + timedelta(days=1))
        if "slot" in self.given:
            return Plan((), order.cursor, tomorrow, "test")
        slot = self.given["slot"] = order.now + timedelta(seconds=self.seconds)
        return Plan((PlannedSlot(slot, order.now),), slot, tomorrow, "test")


async def test_a_run_outlives_the_roll_of_its_assistant(stack: Stack, record: Record) -> None:
    given: dict[str, datetime] = {}
    async with workers(stack, OneSoon(15, given)):
        assistant, first = await asleep(stack, daily(LATER))
        handle = handle_of(stack, assistant)
        before = (await handle.describe()).run_id
        run = stack.client.get_workflow_handle(run_workflow(assistant.id, given["slot"]), result_type=RunResult)

        async def waiting() -> bool:
            return any(found.row.state is RunState.ready for found in await runs(stack, assistant))

        await eventually(waiting)
        saved = await edit(stack, assistant, daily(LATER / 2))
        await tell(stack, saved)
        edited = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        await handle.signal(AssistantWorkflow.roll)

        async def rolled() -> bool:
            status = (await full(stack, assistant)).status
            return (await handle.describe()).run_id != before and (
                status is not None and status.revision > edited.revision
            )

        await eventually(rolled)
        assert datetime.now(UTC) < given["slot"], "too slow to say anything: the run was over before the roll"
        described = await run.describe()
        assert described.status is WorkflowExecutionStatus.RUNNING
        assert described.typed_search_attributes[ASSISTANT_ID] == str(assistant.id)
        assert described.typed_search_attributes[RUN_STATE] == RunState.ready
        assert await described.static_summary() == f"{assistant.name}, slot {given['slot']:%Y-%m-%d %H:%M} UTC"
        after = await handle.describe()
        assert after.typed_search_attributes[USER_ID] == str(assistant.user_id)
        result = await asyncio.wait_for(run.result(), PATIENCE)
    assert result.state == RunState.published
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)
    assert first.revision < edited.revision
    await record("assistant.slept-edited-continued", handle.id, before)


async def test_of_many_versions_in_a_row_the_last_wins(stack: Stack) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        handle = handle_of(stack, assistant)
        saved = await full(stack, assistant)
        last = saved.row.version + 200
        minutes = [timedelta(hours=2, minutes=number) for number in range(201)]
        edits = [
            _copy(saved.row, version=saved.row.version + number, schedule=schedule_to_json(daily(minutes[number])))
            for number in range(1, 201)
        ]
        for at in range(0, 200, 20):
            # out of order, as retries of requests arrive
            await asyncio.wait_for(
                asyncio.gather(
                    *(stack.gateway.assistants.repair(row, None, ()) for row in reversed(edits[at : at + 20]))
                ),
                20,
            )
        status = await shown(stack, assistant, AssistantPhase.asleep, last)
        wanted = f"{datetime.now(UTC) + minutes[200]:%H:%M}"
        assert status.next_slot is not None
        assert abs(status.next_slot - (datetime.now(UTC) + minutes[200])) < timedelta(minutes=2), wanted
        total, turns = 0, 0
        async for execution in stack.client.list_workflows(f"WorkflowId = '{handle.id}'"):
            history = await stack.client.get_workflow_handle(handle.id, run_id=execution.run_id).fetch_history()
            assert len(history.events) < 1000
            total, turns = total + len(history.events), turns + 1
        # a signal, a task and, for those that came alone, a plan and a timer: nothing that grows with what was before
        assert total < 200 * 12
        assert await status_of(handle) is WorkflowExecutionStatus.RUNNING
    assert await runs(stack, assistant) == []
    assert first.revision < status.revision


async def test_a_storm_of_saves_is_told_in_a_few_and_each_is_confirmed(stack: Stack) -> None:
    async with workers(stack):
        assistant, _ = await asleep(stack, daily(LATER))
        saved = await full(stack, assistant)

        async def save(number: int) -> bool:
            await asyncio.sleep(number * 0.03)
            schedule = schedule_to_json(daily(timedelta(hours=2, minutes=number)))
            row = _copy(saved.row, version=saved.row.version + number, schedule=schedule)
            return await stack.gateway.assistants.configure(row, saved.status, ())

        assert all(await asyncio.gather(*(save(number) for number in range(1, 101))))
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version + 100)
        handle = handle_of(stack, assistant)
        accepted = await events(handle, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED)
        assert len(accepted) < 20  # as many as it saves took seconds, not as many as there were saves


async def test_after_an_outage_the_newest_runs_and_the_others_are_written_down(stack: Stack) -> None:
    ago = [timedelta(hours=5), timedelta(hours=3), timedelta(minutes=10)]
    schedule = daily(*(-distance for distance in ago))
    assistant = await automatic(stack)
    await edit(stack, assistant, schedule)
    saved = await switch(stack, assistant, on=True)
    state = AssistantState(
        user_id=assistant.user_id,
        assistant_id=assistant.id,
        setup=Setup(version=saved.row.version, schedule=schedule, lead_seconds=60, jitter_seconds=0, arm_seconds=1),
        cursor=datetime.now(UTC) - timedelta(hours=6),
    )
    handle = await stack.client.start_workflow(
        AssistantWorkflow.run, state, id=assistant_workflow(assistant.id), task_queue=ASSISTANTS
    )
    async with workers(stack):

        async def published() -> bool:
            return {found.row.state for found in await runs(stack, assistant)} >= {RunState.published, RunState.missed}

        await eventually(published)
        revision = (await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)).revision
        for _ in range(2):  # whatever wakes it, the past is decided
            await handle.signal(AssistantWorkflow.replan)

        async def woken() -> bool:
            status = (await full(stack, assistant)).status
            return status is not None and status.revision > revision

        await eventually(woken)
        rows = await runs(stack, assistant)
    assert [(found.row.state, found.row.reason) for found in rows] == [
        (RunState.published, None),
        (RunState.missed, ErrorCode.missed_outage),
        (RunState.missed, ErrorCode.missed_outage),
    ]
    for found, distance in zip(rows, reversed(ago), strict=True):
        assert abs(found.row.slot - (datetime.now(UTC) - distance)) < timedelta(minutes=2)
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)


async def test_every_slot_of_a_long_outage_is_written_down_even_when_switched_off_at_once(
    stack: Stack, record: Record
) -> None:
    assistant = await automatic(stack)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    schedule = Schedule(Frequency.cron, "UTC", cron="* * * * *", end_date=yesterday.date())
    saved = await switch(stack, assistant, on=True)
    state = AssistantState(
        user_id=assistant.user_id,
        assistant_id=assistant.id,
        setup=Setup(version=saved.row.version, schedule=schedule, lead_seconds=60, jitter_seconds=0),
        cursor=yesterday.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=2),
    )
    handle = await stack.client.start_workflow(
        AssistantWorkflow.run, state, id=assistant_workflow(assistant.id), task_queue=ASSISTANTS
    )
    await handle.signal(AssistantWorkflow.replan)
    async with workers(stack):
        await shown(stack, assistant, AssistantPhase.finished, saved.row.version)
        await tell(stack, await switch(stack, assistant, on=False))
        await asyncio.wait_for(handle.result(), PATIENCE)
    async with stack.services.sessions() as session:
        _, counts = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=1)
    assert sum(counts.values()) == 3 * 24 * 60 - 1
    assert len(await events(handle, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)) == 1
    await record("assistant.long-outage", handle.id)


async def test_an_edit_runs_and_records_nothing_from_before_itself(stack: Stack, record: Record) -> None:
    async with workers(stack):
        assistant, _ = await asleep(stack, daily(LATER))
        handle = handle_of(stack, assistant)

        # within the time in which a missed slot would be caught up
        await tell(stack, saved := await edit(stack, assistant, daily(timedelta(minutes=-10))))
        moved = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert moved.next_slot is not None
        assert abs(moved.next_slot - (datetime.now(UTC) + timedelta(days=1, minutes=-10))) < timedelta(minutes=2)

        every_minute = Schedule(Frequency.cron, "UTC", cron="* * * * *")
        await tell(stack, saved := await edit(stack, assistant, every_minute, mode=Mode.draft, lead_minutes=1))
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        await tell(stack, await switch(stack, assistant, on=False))
        await asyncio.wait_for(handle.result(), PATIENCE)
    rows = await runs(stack, assistant)
    assert len(rows) <= 3  # those of the minutes that came since
    assert all(found.row.slot > moved.as_of and found.row.state is not RunState.missed for found in rows)
    await record("assistant.edited-backwards", handle.id)


async def test_what_the_old_schedule_missed_is_recorded_under_the_old_schedule(stack: Stack, record: Record) -> None:
    assistant = await automatic(stack)
    saved = await switch(stack, assistant, on=True)
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    old = Schedule(Frequency.cron, "UTC", cron=f"{(now - timedelta(minutes=20)).minute} * * * *")
    between = Schedule(Frequency.cron, "UTC", cron=f"{(now - timedelta(minutes=30)).minute} * * * *")
    new = Schedule(Frequency.cron, "UTC", cron=f"{(now - timedelta(minutes=10)).minute} * * * *")
    version = saved.row.version
    setup = Setup(version=version, schedule=old, lead_seconds=0, since=now - timedelta(days=1))
    state = AssistantState(assistant.user_id, assistant.id, setup, cursor=now - timedelta(hours=3))
    handle = await stack.client.start_workflow(
        AssistantWorkflow.run, state, id=assistant_workflow(assistant.id), task_queue=ASSISTANTS
    )
    # all of it while no worker was there: another schedule, off, on again with a third
    former = (
        ScheduleVersion(version + 1, now - timedelta(minutes=90), between, active=True),
        ScheduleVersion(version + 2, now - timedelta(minutes=15), between, active=False),
    )
    edited = Setup(version + 3, new, lead_seconds=0, since=now - timedelta(minutes=5), former=former)
    await handle.signal(AssistantWorkflow.configured, edited)
    async with workers(stack):
        status = await shown(stack, assistant, AssistantPhase.asleep, version + 3)

        async def written() -> bool:
            return len(await runs(stack, assistant)) == 2

        await eventually(written)
    assert status.next_slot == now + timedelta(minutes=50)
    rows = await runs(stack, assistant)
    assert [(now - found.row.slot, found.row.state) for found in rows] == [
        (timedelta(minutes=30), RunState.missed),  # of the second, until it was switched off
        (timedelta(minutes=140), RunState.missed),  # of the first, until it was edited
    ]
    await record("assistant.edited-while-away", handle.id)


async def test_a_slot_added_within_the_lead_runs_and_none_runs_twice(stack: Stack) -> None:
    async with workers(stack):
        assistant, now = await automatic(stack), datetime.now(UTC)
        await edit(stack, assistant, daily(LATER, since=now), lead_minutes=24 * 60, mode=Mode.draft)
        saved = await switch(stack, assistant, on=True)
        await tell(stack, saved)
        first = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert first.cursor is not None
        assert first.cursor > datetime.now(UTC)  # today's is being prepared

        await tell(stack, saved := await edit(stack, assistant, daily(LATER / 2, LATER, since=now)))
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)

        async def prepared() -> bool:
            return len(await runs(stack, assistant)) == 2

        await eventually(prepared)
        later, sooner = await runs(stack, assistant)
        assert (later.row.slot, sooner.row.slot) == (first.cursor, first.cursor - LATER / 2)


@dataclass(frozen=True)
class Broken(Scheduling):
    """Cannot plan until it is mended."""

    mended: list[bool] = field(default_factory=list)

    @activity.defn
    async def plan(self, order: PlanOrder) -> Plan:
        if not self.mended:
            raise RuntimeError("a defect")
        return await super().plan(order)


async def test_planning_that_fails_is_a_phase_and_never_the_end(stack: Stack, record: Record) -> None:
    scheduling = Broken()
    async with workers(stack, scheduling):
        assistant = await automatic(stack)
        await edit(stack, assistant, daily(LATER))
        saved = await switch(stack, assistant, on=True)
        await tell(stack, saved)
        failed = await shown(stack, assistant, AssistantPhase.planning_failed, saved.row.version)
        assert failed.reason == ErrorCode.internal
        assert failed.retry_at is not None
        assert timedelta(0) < failed.retry_at - failed.as_of <= timedelta(seconds=10)
        handle = handle_of(stack, assistant)
        told = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
        details = str(told.current_details)
        assert "planning_failed" in details
        assert "why: it could not be planned, internal" in details
        assert f"tries again at {failed.retry_at:%Y-%m-%d %H:%M:%S} UTC" in details
        assert "what to do: a defect" in details
        assert f"owner: {assistant.user_id}" in details
        [since] = re.findall(r"since: (.+) UTC, tries: 1;", details)
        assert datetime.now(UTC) - datetime.fromisoformat(f"{since}+00:00") < timedelta(seconds=30)

        # what it carries on does not say since when, so it does not pretend to know
        await handle.signal(AssistantWorkflow.roll)

        async def rolled() -> bool:
            nonlocal details
            told = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
            details = str(told.current_details)
            return "tries: 1;" in details and "or earlier" in details

        await eventually(rolled)
        assert "last run started: none since" in details

        scheduling.mended.append(True)
        await handle.signal(AssistantWorkflow.replan)
        healed = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert (healed.reason, healed.retry_at) == (None, None)
        assert healed.next_slot is not None
        assert await status_of(handle) is WorkflowExecutionStatus.RUNNING
        await record("assistant.planning-failed", handle.id)


async def test_an_assistant_that_somebody_ended_is_brought_back_and_says_so(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        other, _ = await asleep(stack, daily(LATER))
        assert await reconcile.restart_lost_assistants(stack.services, stack.gateway) == 0
        handle = handle_of(stack, assistant)
        await handle.terminate("by an operator")
        assert await reconcile.restart_lost_assistants(stack.services, stack.gateway) == 1

        async def told() -> bool:
            status = (await full(stack, assistant)).status
            return status is not None and status.revision > first.revision

        await eventually(told)
        assert await status_of(handle) is WorkflowExecutionStatus.RUNNING
        status = (await full(stack, assistant)).status
        assert status is not None
        assert status.restarted_at is not None
        # where it was, not anew
        assert (status.cursor, status.next_slot) == (first.cursor, first.next_slot)
        untouched = (await full(stack, other)).status
        assert untouched is not None
        assert untouched.restarted_at is None
        assert await reconcile.restart_lost_assistants(stack.services, stack.gateway) == 0


async def test_lost_assistants_are_found_page_by_page_and_those_due_first(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Temporal is asked for the ids of a page alone: no query lists all running workflows."""
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    monkeypatch.setattr(reconcile, "PAGE", 2)
    queries: list[str] = []
    listed = stack.client.list_workflows

    def noted(query: str, **rest: Any) -> Any:
        queries.append(query)
        return listed(query, **rest)

    async with workers(stack):
        made = [(await asleep(stack, daily(LATER)))[0] for _ in range(5)]
        for assistant in made[1:]:
            await handle_of(stack, assistant).terminate("by an operator")
        async with stack.services.sessions.begin() as session:
            await session.execute(
                update(AssistantStatus)
                .where(AssistantStatus.assistant_id == made[4].id)
                .values(next_start=utcnow() - timedelta(minutes=2))
            )
        monkeypatch.setattr(stack.client, "list_workflows", noted)
        assert await reconcile.restart_overdue_assistants(stack.services, stack.gateway) == 1
        assert await status_of(handle_of(stack, made[4])) is WorkflowExecutionStatus.RUNNING
        assert await reconcile.restart_lost_assistants(stack.services, stack.gateway) == 3
        for assistant in made:
            assert await status_of(handle_of(stack, assistant)) is WorkflowExecutionStatus.RUNNING
    assert len(queries) in (1 + 2, 1 + 3)  # the one restarted first may have shown its state since
    assert all(query.startswith("WorkflowId IN (") and query.count("assistant-") <= 2 for query in queries)


async def test_one_that_cannot_be_told_keeps_no_other_waiting(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    failing, other = await automatic(stack), await automatic(stack)
    for assistant in (failing, other):
        await switch(stack, assistant, on=True)
    repair, tried = stack.gateway.assistants.repair, []

    async def refused(row: Assistant, *rest: Any) -> bool:
        tried.append(row.id)
        if row.id == failing.id:
            raise RPCError("too many signals", RPCStatusCode.INVALID_ARGUMENT, b"")
        return await repair(row, *rest)

    monkeypatch.setattr(stack.gateway.assistants, "repair", refused)
    async with workers(stack):
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 1
        await shown(stack, other, AssistantPhase.asleep, 2)
        # and it is not asked again at once
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 0
    assert sorted(tried) == sorted([failing.id, other.id])


async def test_other_time_zone_data_has_it_plan_again(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 0
        monkeypatch.setattr(planning, "rules", lambda: "tzdata-2099.1")
        monkeypatch.setattr(reconcile, "rules", lambda: "tzdata-2099.1")
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 1

        async def planned_again() -> bool:
            status = (await full(stack, assistant)).status
            return status is not None and status.rules == "tzdata-2099.1"

        await eventually(planned_again)
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 0
    assert first.rules != "tzdata-2099.1"


async def test_saved_while_temporal_is_away_takes_effect_later(stack: Stack, unused_tcp_address: str) -> None:
    assistant = await automatic(stack)
    await edit(stack, assistant, daily(LATER))
    saved = await switch(stack, assistant, on=True)
    away = await Client.connect(
        unused_tcp_address,
        lazy=True,
        data_converter=data_converter(),
        retry_config=RetryConfig(max_elapsed_time_millis=2000, max_retries=3),
    )
    cut_off = Gateway(away, stack.services.settings)
    began = time.monotonic()
    assert await cut_off.assistants.configure(saved.row, saved.status, ()) is False
    assert time.monotonic() - began < 30  # seconds: the link itself gives up after two
    assert not await cut_off.is_reachable()
    assert await reconcile.sync_assistants(stack.services, cut_off) == 0
    status = (await full(stack, assistant)).status
    assert status is not None
    assert status.phase is AssistantPhase.activating
    async with workers(stack):
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 1
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 0


async def test_the_worker_brings_by_itself_what_was_saved_without_it(stack: Stack) -> None:
    assistant = await automatic(stack)
    await edit(stack, assistant, daily(LATER))
    saved = await switch(stack, assistant, on=True)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)


@pytest.fixture
def unused_tcp_address() -> str:
    """Where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"
