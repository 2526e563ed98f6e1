"""Thundering herd: very many assistants with the same slot, with the default lead and jitter.

`python -m benchmarks.herd --assistants 10000`: how long preparing all posts takes, how long steps wait for a worker,
and how late the posts arrive. The slot is far enough ahead that all assistants sleep before the first run begins.
"""

import argparse
import asyncio
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select
from temporalio.api.enums.v1 import EventType

from benchmarks.engine import Engine, run_engine
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


async def _read_waits(engine: Engine, names: list[str]) -> list[float]:
    """Return how many seconds each activity of these runs waited for a worker, armed deliveries too."""
    waits: list[float] = []
    for name in names:
        scheduled: dict[int, datetime] = {}
        async for event in engine.client.get_workflow_handle(name).fetch_history_events():
            at = event.event_time.ToDatetime(tzinfo=UTC)
            if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
                scheduled[event.event_id] = at
            elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED:
                scheduled_at = scheduled[event.activity_task_started_event_attributes.scheduled_event_id]
                waits.append((at - scheduled_at).total_seconds())
    return waits


async def _wait_until_finished(engine: Engine, slot: datetime, count: int) -> dict[RunState, int]:
    """Wait until every run of the slot has ended. Return the number of runs by state."""
    while True:
        async with engine.services.sessions() as session:
            states = select(Run.state, func.count()).where(Run.user_id == engine.user.id, Run.slot == slot)
            found = {row[0]: row[1] for row in await session.execute(states.group_by(Run.state))}
            unfinished = await session.scalar(
                select(func.count()).where(Run.user_id == engine.user.id, Run.slot == slot, Run.finished_at.is_(None))
            )
        if sum(found.values()) == count and not unfinished:
            return found
        await asyncio.sleep(2)


async def main(count: int, workers: int, ahead: int | None) -> None:
    async with run_engine(workers=workers) as engine:
        began = time.monotonic()
        # creating an assistant takes about 0.05 s, and starting its workflow as long
        seconds = ahead if ahead is not None else count * 0.15 + 60
        slot = datetime.now(UTC) + timedelta(seconds=seconds) + _BEFORE_SLOT
        slot = slot.replace(second=0, microsecond=0) + timedelta(minutes=1)
        clock = Schedule(Frequency.daily, "UTC", time_slots=(f"{slot:%H:%M}",))
        ids: list[UUID] = []
        while len(ids) < count:
            ids += await engine.add_assistants(min(_BATCH, count - len(ids)), image=False, schedule=clock, active=True)
        await wait_until_asleep(engine)
        left = (slot - _BEFORE_SLOT - datetime.now(UTC)).total_seconds()
        sys.stdout.write(
            f"{count} asleep after {time.monotonic() - began:.0f} s, {left:.0f} s before the first begins; "
            f"memory MB: {format_memory(engine)}\n"
        )
        sys.stdout.flush()
        ended = await _wait_until_finished(engine, slot, count)
        async with engine.services.sessions() as session:
            first, last = (
                await session.execute(
                    select(func.min(RunStep.started_at), func.max(RunStep.finished_at))
                    .join(Run, Run.id == RunStep.run_id)
                    .where(Run.user_id == engine.user.id, Run.slot == slot, RunStep.kind.in_(StepKind))
                )
            ).one()
        assert first
        assert last
        arrivals, _ = await engine.read_arrivals()
        step = max(1, count // _SAMPLES)
        waited = sorted(await _read_waits(engine, [run_workflow(one, slot) for one in ids[::step]]))
        counts = ", ".join(f"{state.value} {number}" for state, number in ended.items())
        sys.stdout.write(
            f"{counts}\nprepared within {(last - first).total_seconds():.0f} s, the last one "
            f"{(slot - last).total_seconds():.0f} s before the slot\n"
            f"steps waited for a worker: p50 {statistics.median(waited) * 1000:.0f} ms, "
            f"p99 {waited[int(len(waited) * 0.99)] * 1000:.0f} ms, max {waited[-1]:.1f} s\n"
            f"lateness {format_lateness([arrived - slot.timestamp() for arrived in arrivals])}\n"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assistants", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1, help="worker processes")
    parser.add_argument("--ahead", type=int, help="seconds for all assistants to fall asleep")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.assistants, chosen.workers, chosen.ahead))
