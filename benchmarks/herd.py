"""Thundering herd: very many assistants with the same slot, with the default lead and jitter.

`python -m benchmarks.herd --assistants 10000`: how long preparing all posts takes, how long steps wait for a worker,
and how late the posts arrive. The slot is far enough ahead that all assistants sleep before the first run begins.
"""

import argparse
import asyncio
import itertools
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select
from temporalio.api.enums.v1 import EventType

from benchmarks.engine import Access, run_engine
from benchmarks.lateness import format_lateness
from benchmarks.sleeping import format_memory, wait_until_asleep
from core.assistants.rules.assistants import RunState, StepKind
from core.assistants.rules.schedules import Frequency, Schedule
from core.ids import run_workflow
from core.runs.tables import Run, RunStep

_BATCH = 500
_BEFORE_SLOT = timedelta(minutes=20)
"""The lead of 15 minutes and the jitter of 5."""
_SAMPLES = 100
_IS_RUN = "WorkflowType = 'RunWorkflow'"


@dataclass(frozen=True)
class Histories:
    """What the histories of some runs tell."""

    waits: list[float]
    """Seconds that each activity waited for a worker, ascending; armed deliveries too."""
    events: list[int]
    """Number of events of each run, ascending."""
    timed_out: list[int]
    """Number of workflow-task time-outs of each run."""

    def describe_waits(self) -> str:
        return (
            f"p50 {statistics.median(self.waits) * 1000:.0f} ms, "
            f"p99 {self.waits[int(len(self.waits) * 0.99)] * 1000:.0f} ms, max {self.waits[-1]:.1f} s"
        )


async def read_histories(access: Access, ids: Sequence[UUID], slot: datetime) -> Histories:
    """Return what the histories of some of these assistants' runs tell, 100 at most."""
    waits: list[float] = []
    events: list[int] = []
    timed_out: list[int] = []
    for assistant_id in ids[:: max(1, len(ids) // _SAMPLES)]:
        scheduled: dict[int, datetime] = {}
        events.append(0)
        timed_out.append(0)
        handle = access.client.get_workflow_handle(run_workflow(assistant_id, slot))
        async for event in handle.fetch_history_events():
            at = event.event_time.ToDatetime(tzinfo=UTC)
            events[-1] += 1
            if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
                scheduled[event.event_id] = at
            elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED:
                scheduled_at = scheduled[event.activity_task_started_event_attributes.scheduled_event_id]
                waits.append((at - scheduled_at).total_seconds())
            elif event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT:
                timed_out[-1] += 1
    return Histories(sorted(waits), sorted(events), timed_out)


async def wait_until_finished(access: Access, slot: datetime, count: int) -> dict[RunState, int]:
    """Wait until every run of the slot has ended, and Temporal has closed its workflow: the last receipt ends the run
    first. Return the number of runs by state."""
    while True:
        async with access.services.sessions() as session:
            of_slot = Run.user_id == access.user.id, Run.slot == slot
            states = select(Run.state, func.count()).where(*of_slot).group_by(Run.state)
            found = {row[0]: row[1] for row in await session.execute(states)}
            unfinished = await session.scalar(select(func.count()).where(*of_slot, Run.finished_at.is_(None)))
        if sum(found.values()) == count and not unfinished:
            under_way = await access.client.count_workflows(f"{_IS_RUN} AND ExecutionStatus = 'Running'")
            if not under_way.count:
                return found
        await asyncio.sleep(2)


async def read_ends(access: Access) -> dict[str, datetime]:
    """Return when Temporal closed the workflow of each run, by the workflow's id."""
    listed = access.client.list_workflows(f"{_IS_RUN} AND ExecutionStatus != 'Running'", page_size=1000)
    return {found.id: found.close_time async for found in listed if found.close_time}


async def read_preparation(access: Access, slot: datetime) -> tuple[float, float]:
    """Return how many seconds passed from the first step of the slot's runs to the last one's end, and how many were
    left then until the slot."""
    async with access.services.sessions() as session:
        first, last = (
            await session.execute(
                select(func.min(RunStep.started_at), func.max(RunStep.finished_at))
                .join(Run, Run.id == RunStep.run_id)
                .where(Run.user_id == access.user.id, Run.slot == slot, RunStep.kind.in_(StepKind))
            )
        ).one()
    assert first
    assert last
    return (last - first).total_seconds(), (slot - last).total_seconds()


async def add_sleeping(
    access: Access, count: int, slot: datetime, accounts: Sequence[UUID | None] = (None,), **more: int
) -> list[UUID]:
    """Create active assistants with the same daily slot, on these accounts in turn, and wait until all are asleep.
    Return their ids."""
    clock = Schedule(Frequency.daily, "UTC", time_slots=(f"{slot:%H:%M}",))
    ids: list[UUID] = []
    for account in itertools.cycle(accounts):
        batch = min(_BATCH, -(-count // len(accounts)), count - len(ids))
        ids += await access.add_assistants(batch, image=False, schedule=clock, active=True, account=account, **more)
        if len(ids) == count:
            break
    await wait_until_asleep(access)
    return ids


async def main(count: int, workers: int, ahead: int | None) -> None:
    async with run_engine(workers=workers) as engine:
        began = time.monotonic()
        # creating an assistant takes about 0.05 s, and starting its workflow as long
        seconds = ahead if ahead is not None else count * 0.15 + 60
        slot = datetime.now(UTC) + timedelta(seconds=seconds) + _BEFORE_SLOT
        slot = slot.replace(second=0, microsecond=0) + timedelta(minutes=1)
        ids = await add_sleeping(engine, count, slot)
        left = (slot - _BEFORE_SLOT - datetime.now(UTC)).total_seconds()
        sys.stdout.write(
            f"{count} asleep after {time.monotonic() - began:.0f} s, {left:.0f} s before the first begins; "
            f"memory MB: {format_memory(engine)}\n"
        )
        sys.stdout.flush()
        ended = await wait_until_finished(engine, slot, count)
        seconds, ahead_of_slot = await read_preparation(engine, slot)
        arrivals, _ = await engine.read_arrivals()
        histories = await read_histories(engine, ids, slot)
        sys.stdout.write(
            f"{format_states(ended)}\n"
            f"prepared within {seconds:.0f} s, the last one {ahead_of_slot:.0f} s before the slot\n"
            f"steps waited for a worker: {histories.describe_waits()}\n"
            f"lateness {format_lateness([arrived - slot.timestamp() for arrived in arrivals])}\n"
        )


def format_states(states: dict[RunState, int]) -> str:
    return ", ".join(f"{state.value} {number}" for state, number in states.items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assistants", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1, help="worker processes")
    parser.add_argument("--ahead", type=int, help="seconds for all assistants to fall asleep")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.assistants, chosen.workers, chosen.ahead))
