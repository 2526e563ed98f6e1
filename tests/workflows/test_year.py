"""A year of an assistant, in seconds: on the server that skips time while everybody sleeps."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile
from uuid import uuid4

import pytest
from temporalio import activity, workflow
from temporalio.api.enums.v1 import EventType, IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.projecting import AssistantShown
from activities.scheduling import Scheduling
from core.domain.assistants import AssistantPhase, RunState
from core.domain.occurrences import occurrences
from core.domain.planning import Stretch
from core.domain.schedules import Frequency, Schedule
from temporal.client import data_converter
from temporal.time_skipping import find_test_server
from workflows.assistant import AssistantWorkflow
from workflows.messages import AssistantState, RunOrder, RunResult, Setup
from workflows.names import ASSISTANTS, RUNS, SEARCH_ATTRIBUTES

DAY = timedelta(days=1)


BEGUN: list[datetime] = []


@workflow.defn(name="RunWorkflow")
class BriefRun:
    """In the place of a run: it only writes down its slot. What a run does is told by other tests, and a thousand of
    them would take minutes."""

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        if not workflow.unsafe.is_replaying():
            BEGUN.append(order.slot)
        return RunResult(RunState.drafted)


class Diary:
    """The projection's place."""

    def __init__(self) -> None:
        self.shown: AssistantShown | None = None

    def phase(self) -> AssistantPhase | None:
        return self.shown.phase if self.shown else None

    @activity.defn
    async def assistant(self, shown: AssistantShown) -> None:
        assert self.shown is None or shown.revision > self.shown.revision
        self.shown = shown


@asynccontextmanager
async def skipping() -> AsyncIterator[WorkflowEnvironment]:
    async with await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=str(await asyncio.to_thread(find_test_server)),
        test_server_startup_timeout=timedelta(seconds=60),
        data_converter=data_converter(),
    ) as environment:
        client = environment.client
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(
                namespace=client.namespace,
                search_attributes={
                    key.name: IndexedValueType.ValueType(key.indexed_value_type) for key in SEARCH_ATTRIBUTES
                },
            )
        )
        yield environment


@pytest.mark.slow
async def test_a_pause_of_a_week_leaves_out_its_slots_and_no_others() -> None:
    diary = Diary()
    BEGUN.clear()
    async with skipping() as environment:
        client, now = environment.client, await environment.get_current_time()
        schedule = Schedule(Frequency.daily, "Europe/Berlin", ("07:00", "19:00"))
        since, until = now + 3 * DAY, now + 10 * DAY
        assistant_id = uuid4()
        setup = Setup(version=1, schedule=schedule, lead_seconds=900, since=now)
        state = AssistantState(user_id=uuid4(), assistant_id=assistant_id, setup=setup, cursor=now)
        async with (
            Worker(
                client,
                task_queue=ASSISTANTS,
                workflows=[AssistantWorkflow],
                activities=[Scheduling().plan, diary.assistant],
            ),
            Worker(client, task_queue=RUNS, workflows=[BriefRun], workflow_runner=UnsandboxedWorkflowRunner()),
        ):
            handle = await client.start_workflow(
                AssistantWorkflow.run, state, id=f"assistant-{assistant_id}", task_queue=ASSISTANTS
            )
            async with asyncio.timeout(60):
                await environment.sleep(3 * DAY)
            began = await environment.get_current_time()
            paused = replace(
                setup,
                version=2,
                since=until,
                former=(Stretch(2, began, schedule, active=False),),
                paused=True,
                paused_until=until,
            )
            await handle.signal(AssistantWorkflow.configured, paused)
            async with asyncio.timeout(60):
                await environment.sleep(3 * DAY)
            assert diary.phase() is AssistantPhase.paused
            async with asyncio.timeout(60):
                await environment.sleep(6 * DAY)
            end = await environment.get_current_time()
            async with asyncio.timeout(60):
                while diary.phase() is not AssistantPhase.asleep:
                    await asyncio.sleep(0.1)
            await handle.terminate()
    slots = [found.slot for found in takewhile(lambda found: found.slot < end, occurrences(schedule, now))]
    kept = [slot for slot in slots if slot <= since or slot > until]
    assert len(slots) - len(kept) == 14
    # what was being prepared when the pause began goes out; what is due soonest after its end begins at once
    assert kept == [slot for slot in BEGUN if slot < end]


@pytest.mark.slow
async def test_every_slot_of_a_year_runs_once() -> None:
    diary = Diary()
    BEGUN.clear()
    async with skipping() as environment:
        client = environment.client
        now = await environment.get_current_time()
        # three times a day; one of them does not exist when the clocks go forward and repeats when they go back
        schedule = Schedule(
            Frequency.daily,
            "Europe/Berlin",
            ("02:30", "09:00", "18:45"),
            start_date=(now + DAY).date(),
            end_date=(now + 365 * DAY).date(),
        )
        expected = [occurrence.slot for occurrence in occurrences(schedule, now)]
        changes = {occurrence.clock_change for occurrence in occurrences(schedule, now)}
        assert (len(expected), changes) == (3 * 365, {0, 60, -60})
        assistant_id = uuid4()
        state = AssistantState(
            user_id=uuid4(),
            assistant_id=assistant_id,
            setup=Setup(version=1, schedule=schedule, lead_seconds=900),
            cursor=now,
        )
        async with (
            Worker(
                client,
                task_queue=ASSISTANTS,
                workflows=[AssistantWorkflow],
                activities=[Scheduling().plan, diary.assistant],
            ),
            # outside of the sandbox, since it writes down what it sees
            Worker(client, task_queue=RUNS, workflows=[BriefRun], workflow_runner=UnsandboxedWorkflowRunner()),
        ):
            handle = await client.start_workflow(
                AssistantWorkflow.run, state, id=f"assistant-{assistant_id}", task_queue=ASSISTANTS
            )
            # in steps: while the server skips, nobody could tell that it hangs
            for _ in range(14):
                async with asyncio.timeout(120):
                    await environment.sleep(27 * DAY)
            async with asyncio.timeout(120):
                while not (diary.shown and diary.shown.phase is AssistantPhase.finished):
                    await asyncio.sleep(0.1)
            first = client.get_workflow_handle(handle.id, run_id=handle.first_execution_run_id)
            history = await first.fetch_history()
            latest = await handle.describe()
            await handle.terminate()
    assert expected == BEGUN
    assert diary.shown.next_slot is None
    # it was rolled on its way, long before the history of a year had come together
    assert history.events[-1].event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW
    assert len(history.events) < 300
    assert latest.history_length < 300
