"""Cost of sleeping assistants: memory of worker and server, CPU time, and history.

`python -m benchmarks.sleeping --counts 100 1000 10000`: that many active assistants, each asleep until tomorrow,
started by the reconcile as usual. The idle time that follows is measured.
"""

import argparse
import asyncio
import sys
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select

from benchmarks.engine import Access, Engine, memory_mb_of, process_tree, run_engine
from core.assistants.rules.assistants import AssistantPhase
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant, AssistantStatus
from workflows.names import assistant_workflow

_AT_ONCE = 500


async def wait_until_asleep(access: Access) -> None:
    """Wait until all active assistants are asleep."""
    while True:
        async with access.services.sessions() as session:
            asleep = await session.scalar(
                select(func.count())
                .select_from(AssistantStatus)
                .join(Assistant, Assistant.id == AssistantStatus.assistant_id)
                .where(Assistant.user_id == access.user.id, AssistantStatus.phase == AssistantPhase.asleep)
            )
        if asleep == await _count_active(access):
            return
        await asyncio.sleep(1)


async def _count_active(access: Access) -> int:
    async with access.services.sessions() as session:
        active = select(func.count()).where(Assistant.user_id == access.user.id, Assistant.active.is_(True))
        return await session.scalar(active) or 0


async def _count_events(engine: Engine, assistant_id: UUID) -> int:
    handle = engine.client.get_workflow_handle(assistant_workflow(assistant_id))
    return len((await handle.fetch_history()).events)


async def main(counts: list[int], quiet: float) -> None:
    async with run_engine() as engine:
        await asyncio.sleep(10)
        _print_figures(0, engine, 0.0, await _measure_idle(engine, quiet), 0, 0)
        first: UUID | None = None
        done = 0
        # late tomorrow, so that nothing wakes meanwhile
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoweekday()
        schedule = Schedule(Frequency.weekly, "UTC", days_of_week=(tomorrow,), time_slots=("23:00",))
        for count in counts:
            began = time.monotonic()
            while done < count:
                batch = min(_AT_ONCE, count - done)
                ids = await engine.add_assistants(batch, image=False, schedule=schedule, active=True)
                first = first or ids[0]
                done += batch
            await wait_until_asleep(engine)
            seconds = time.monotonic() - began
            assert first is not None
            before = await _count_events(engine, first)
            await asyncio.sleep(20)
            used = await _measure_idle(engine, quiet)
            _print_figures(count, engine, seconds, used, before, await _count_events(engine, first) - before)


async def _measure_idle(engine: Engine, seconds: float) -> dict[str, float]:
    """Return the percentage of a core that each part uses while idle."""
    before = engine.cpu_seconds()
    await asyncio.sleep(seconds)
    after = engine.cpu_seconds()
    return {name: (after[name] - before[name]) / seconds * 100 for name in ("worker", "temporal", "postgres")}


def format_memory(engine: Engine) -> str:
    """Return the memory of each part in MB, as text."""
    worker = sum(map(memory_mb_of, engine.workers))
    temporal = sum(map(memory_mb_of, process_tree(engine.servers.processes["temporal"])))
    postgres = sum(map(memory_mb_of, process_tree(engine.servers.processes["postgres"])))
    return f"worker {worker:.0f}, temporal {temporal:.0f}, postgres {postgres:.0f}"


def _print_figures(count: int, engine: Engine, seconds: float, used: dict[str, float], events: int, more: int) -> None:
    database = (engine.servers.folder / "temporal.db").stat().st_size / 1e6
    rest = ", ".join(f"{name} {percent:.1f} %" for name, percent in used.items())
    sys.stdout.write(
        f"{count:6} asleep (after {seconds:.0f} s)  memory MB: {format_memory(engine)}  "
        f"history on disk {database:.0f} MB  events of one {events} + {more} asleep  "
        f"of a core: {rest}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--quiet", type=float, default=60, help="seconds of idle time to measure")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.counts, chosen.quiet))
