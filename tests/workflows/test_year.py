"""A year of an assistant, in seconds: on the server that skips time while everybody sleeps."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from temporalio import activity, workflow
from temporalio.api.enums.v1 import EventType, IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import (
    Interceptor,
    StartChildWorkflowInput,
    UnsandboxedWorkflowRunner,
    Worker,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)

from activities.projecting import AssistantUpdate
from activities.scheduling import Scheduling
from core.assistants.rules.assistants import AssistantPhase, RunState
from core.assistants.rules.occurrences import occurrences
from core.assistants.rules.planning import ScheduleVersion
from core.assistants.rules.schedules import Frequency, Schedule
from core.ids import run_workflow
from temporal.client import data_converter
from temporal.time_skipping import find_test_server
from tests.patience import PATIENCE
from tests.workflows.reference import Calendar
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
        self.shown: AssistantUpdate | None = None

    def phase(self) -> AssistantPhase | None:
        return self.shown.phase if self.shown else None

    @activity.defn
    async def assistant(self, shown: AssistantUpdate) -> None:
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
@pytest.mark.parametrize("begins", [time(12, 0), time(18, 55)], ids=["between two slots", "within the lead of one"])
async def test_a_pause_of_a_week_leaves_out_its_slots_and_no_others(begins: time) -> None:
    diary = Diary()
    BEGUN.clear()
    async with skipping() as environment:
        client = environment.client
        # the server begins with the true time: it is brought to one of the schedule's day, whenever the test runs
        here = (await environment.get_current_time()).astimezone(ZoneInfo("Europe/Berlin"))
        wanted = datetime.combine(here.date() + timedelta(days=1), begins, here.tzinfo)
        await environment.sleep(wanted.astimezone(UTC) - here.astimezone(UTC))
        now = await environment.get_current_time()
        schedule = Schedule(Frequency.daily, "Europe/Berlin", ("07:00", "19:00"))
        until = now + 10 * DAY
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
            async with asyncio.timeout(PATIENCE):
                await environment.sleep(3 * DAY)
            began = await environment.get_current_time()
            paused = replace(
                setup,
                version=2,
                since=until,
                former=(ScheduleVersion(2, began, schedule, active=False),),
                paused=True,
                paused_until=until,
            )
            await handle.signal(AssistantWorkflow.configured, paused)
            async with asyncio.timeout(PATIENCE):
                await environment.sleep(3 * DAY)
            assert diary.phase() is AssistantPhase.paused
            async with asyncio.timeout(PATIENCE):
                await environment.sleep(6 * DAY)
            end = await environment.get_current_time()
            async with asyncio.timeout(PATIENCE):
                while diary.phase() is not AssistantPhase.asleep:
                    await asyncio.sleep(0.1)
            await handle.terminate()
    slots = [found.slot for found in takewhile(lambda found: found.slot < end, occurrences(schedule, now))]
    # what was being prepared when the pause began goes out; what is due soonest after its end begins at once
    kept = [slot for slot in slots if slot - timedelta(seconds=setup.lead_seconds) <= began or slot > until]
    assert len(slots) - len(kept) in (13, 14)  # of a pause that begins within the lead, the first goes out
    assert kept == [slot for slot in BEGUN if slot < end]


class Ordered(Interceptor):
    """In the place of the server where a run is to begin: it only writes down its slot. What becomes of a child is told
    by other tests, and so many of them would take minutes."""

    def workflow_interceptor_class(self, input: WorkflowInterceptorClassInput) -> type[WorkflowInboundInterceptor]:
        return _Inbound


class _Inbound(WorkflowInboundInterceptor):
    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        super().init(_Outbound(outbound))


class _Outbound(WorkflowOutboundInterceptor):
    async def start_child_workflow(self, input: StartChildWorkflowInput) -> Any:
        [order] = input.args
        assert input.id == run_workflow(order.assistant_id, order.slot)
        if not workflow.unsafe.is_replaying():
            ORDERED[order.assistant_id].append(order.slot)
        return asyncio.get_running_loop().create_future()  # a run that goes on


ORDERED: defaultdict[UUID, list[datetime]] = defaultdict(list)


ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")


def year_in(zone: str, first: date) -> list[tuple[Schedule, Calendar]]:
    """A year of each frequency with three slots a day, of which one or two are left out and shown twice by the clocks.
    The second of each is the same in the words of the plain reference. Of daily ones only the first zone has the whole
    year, the others the week of a change: a slot takes fifteen milliseconds of a processor."""
    last = first + 364 * DAY
    slots = (time(1, 45), time(2, 15), time(18, 45))
    sundays = [day for day in (first + DAY * ahead for ahead in range(365)) if day.isoweekday() == 7]
    change = next((day for day in sundays if _clocks_change(zone, day)), sundays[-1])
    begin, end = (first, last) if zone == ZONES[0] else (change - 3 * DAY, change + 3 * DAY)
    fortnight = next(day for day in sundays if (change - day).days % 14 == 0)

    def of(frequency: Frequency, begin: date = first, end: date = last, **more: Any) -> Schedule:
        given = () if frequency is Frequency.cron else tuple(f"{at:%H:%M}" for at in slots)
        return Schedule(frequency, zone, given, start_date=begin, end_date=end, **more)

    always = Calendar(zone, slots, first=first, last=last)
    four = tuple(time(hour, minute) for hour in (1, 2) for minute in (15, 45))
    return [
        (of(Frequency.daily, begin, end), replace(always, first=begin, last=end)),
        (of(Frequency.weekly, days_of_week=(7,)), replace(always, weekdays=(7,))),
        (of(Frequency.monthly, days_of_month=(1, 31)), replace(always, month_days=(1, 31))),
        (of(Frequency.interval, fortnight, every_days=14), replace(always, first=fortnight, every=14)),
        (
            of(Frequency.cron, cron="15,45 1-2 * 3,4,10,11 SUN"),
            replace(always, times=four, weekdays=(7,), months=(3, 4, 10, 11)),
        ),
    ]


def _clocks_change(zone: str, day: date) -> bool:
    begin = datetime.combine(day, time(), ZoneInfo(zone))
    return begin.utcoffset() != (begin + DAY).utcoffset()


@pytest.mark.slow
async def test_every_slot_of_a_year_runs_once_by_all_frequencies_in_four_zones() -> None:
    diaries: defaultdict[UUID, Diary] = defaultdict(Diary)

    @activity.defn(name="assistant")
    async def show(shown: AssistantUpdate) -> None:
        await diaries[shown.assistant_id].assistant(shown)

    ORDERED.clear()
    async with skipping() as environment:
        client, now = environment.client, await environment.get_current_time()
        calendars: dict[UUID, Calendar] = {}
        handles = []
        async with Worker(
            client,
            task_queue=ASSISTANTS,
            workflows=[AssistantWorkflow],
            activities=[Scheduling().plan, show],
            interceptors=[Ordered()],
            # a third faster than in the sandbox, in which it is everywhere else
            workflow_runner=UnsandboxedWorkflowRunner(),
        ):
            for zone in ZONES:
                for schedule, calendar in year_in(zone, (now + 2 * DAY).date()):
                    assistant_id = uuid4()
                    calendars[assistant_id] = calendar
                    setup = Setup(version=1, schedule=schedule, lead_seconds=900)
                    state = AssistantState(user_id=uuid4(), assistant_id=assistant_id, setup=setup, cursor=now)
                    name = f"assistant-{assistant_id}"
                    handles.append(
                        await client.start_workflow(AssistantWorkflow.run, state, id=name, task_queue=ASSISTANTS)
                    )
            # in steps: while the server skips, nobody could tell that it hangs
            for _ in range(37):
                async with asyncio.timeout(PATIENCE):
                    await environment.sleep(10 * DAY)
            async with asyncio.timeout(PATIENCE):
                while {diary.phase() for diary in diaries.values()} != {AssistantPhase.finished}:
                    await asyncio.sleep(0.1)
            daily = handles[0]
            first = client.get_workflow_handle(daily.id, run_id=daily.first_execution_run_id)
            history = await first.fetch_history()
            # the test server describes an unset date in a way that the SDK cannot read
            latest = await daily.fetch_history()
            for handle in handles:
                await handle.terminate()
    assert len(diaries) == len(calendars) == 20
    for assistant_id, calendar in calendars.items():
        expected = calendar.slots(now, now + 400 * DAY)
        assert expected == ORDERED[assistant_id], calendar
        assert len(expected) >= 3 * 7
        shown = diaries[assistant_id].shown
        assert shown is not None
        assert shown.next_slot is None
    # it was rolled on its way, long before the history of a year had come together
    assert history.events[-1].event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW
    assert len(history.events) < 300
    assert len(latest.events) < 300


@pytest.mark.parametrize("zone", [zone for zone in ZONES if zone != "Asia/Kolkata"])
def test_the_years_have_what_the_clocks_leave_out_and_what_they_show_twice(zone: str) -> None:
    """Else they would say nothing about it."""
    begin = datetime.now(UTC) + 2 * DAY
    for schedule, calendar in year_in(zone, begin.date()):
        slots = [slot.astimezone(ZoneInfo(zone)) for slot in calendar.slots(begin - DAY, begin + 400 * DAY)]
        moved = [slot for slot in slots if slot.time() not in calendar.times]
        twice = [slot for slot in slots if slot.utcoffset() != slot.replace(fold=1).utcoffset()]
        if schedule.frequency is Frequency.weekly:
            assert moved
            assert twice
        elif schedule.frequency is not Frequency.monthly:
            assert moved or twice, schedule
