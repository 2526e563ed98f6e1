"""How late posts arrive at the network when many have the same slot.

`python -m benchmarks.lateness --posts 200 --pairs 1`: all posts are prepared and staged ahead; then the arrival of
each publishing call at a receiver is compared with the slot. Rounds with armed deliveries (the product) and with a
timer at the slot alternate. Everything runs on this machine: PostgreSQL, Temporal, receiver, workers.
"""

import argparse
import asyncio
import statistics
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from temporalio.client import WorkflowHandle

from benchmarks.engine import Engine, run_engine
from core.assistants.rules.assistants import RunState
from core.deliveries.rules.arming import LONGEST_SPREAD
from core.ids import run_id, run_workflow
from core.runs.repositories.run_lists import RunListRepository
from workflows.messages import RunOrder
from workflows.names import RUNS
from workflows.run import RunWorkflow

_ARMING_SECONDS = LONGEST_SPREAD + 30


@dataclass(frozen=True)
class Figures:
    """Figures of one round; lateness in seconds."""

    kind: str
    lateness: list[float]
    events: int
    receiver_seconds: float
    """CPU seconds of the receiver."""
    prepare_seconds: float
    """Seconds from the first start until all were ready."""

    def describe(self) -> str:
        return (
            f"{self.kind:18} {format_lateness(self.lateness)}  events per run {self.events}  "
            f"all prepared in {self.prepare_seconds:.0f} s  "
            f"receiver {self.receiver_seconds * 1000 / len(self.lateness):.2f} ms CPU time per post"
        )


def format_lateness(seconds: list[float]) -> str:
    """Return number, percentiles and extremes in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[max(0, round(len(ordered) * 0.99) - 1)]
    return (
        f"n={len(ordered):5}  p50 {statistics.median(ordered) * 1000:7.0f} ms  p99 {p99 * 1000:7.0f} ms  "
        f"max {ordered[-1] * 1000:7.0f} ms  min {ordered[0] * 1000:7.0f} ms"
    )


async def _measure(engine: Engine, ids: list[UUID], *, armed: bool, prepare: float) -> Figures:
    slot = datetime.now(UTC) + timedelta(seconds=len(ids) * prepare + _ARMING_SECONDS + 20)
    slot = slot.replace(second=0, microsecond=0) + timedelta(minutes=1)

    async def start_run(assistant_id: UUID) -> WorkflowHandle[Any, Any]:
        name = run_workflow(assistant_id, slot)
        order = RunOrder(
            user_id=engine.user.id,
            assistant_id=assistant_id,
            run_id=run_id(name),
            slot=slot,
            arm_seconds=15 if armed else 0,
            arm_spread_seconds=60 if armed else 0,
        )
        return await engine.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)

    before, used_before = await engine.read_arrivals()
    began = asyncio.get_running_loop().time()
    # all at once, as at a full hour
    handles = await asyncio.gather(*map(start_run, ids))
    await _wait_until_prepared(engine, ids, slot)
    prepared = asyncio.get_running_loop().time() - began
    results = await asyncio.gather(*(handle.result() for handle in handles))
    assert [result.state for result in results] == [RunState.published] * len(ids), "a run did not publish"
    found, used = await engine.read_arrivals()
    arrivals = [arrived - slot.timestamp() for arrived in found[len(before) :]]
    assert len(arrivals) == len(ids), f"{len(arrivals)} posts at the network for {len(ids)} runs"
    history = await handles[0].fetch_history()
    kind = "armed" if armed else "timer at the slot"
    return Figures(kind, arrivals, len(history.events), used - used_before, prepared)


async def _wait_until_prepared(engine: Engine, ids: list[UUID], slot: datetime) -> None:
    """Wait until every draft is ready, well before the slot, so that only the delivery causes lateness."""
    deadline = slot - timedelta(seconds=_ARMING_SECONDS - 10)
    while True:
        async with engine.services.sessions() as session:
            ended, under_way = await RunListRepository(session).latest(engine.user.id, ids)
        if ended:
            run = next(iter(ended.values())).row
            raise SystemExit(f"run {run.id} ended before its slot: {run.state}, {run.reason}")
        ready = sum(run.row.state is RunState.ready for run in under_way.values())
        if ready == len(ids):
            return
        if datetime.now(UTC) > deadline:
            raise SystemExit(f"only {ready} of {len(ids)} posts were prepared in time")
        await asyncio.sleep(2)


async def main(posts: int, pairs: int, image: bool, workers: int, prepare: float, alone: bool) -> None:
    async with run_engine(workers=workers) as engine:
        ids = await engine.add_assistants(posts, image=image)
        for _ in range(pairs):
            for armed in (True,) if alone else (True, False):
                figures = await _measure(engine, ids, armed=armed, prepare=prepare)
                sys.stdout.write(figures.describe() + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="no rounds with a timer at the slot")
    parser.add_argument("--image", action="store_true", help="an image for each post")
    parser.add_argument("--workers", type=int, default=1, help="worker processes")
    parser.add_argument("--prepare", type=float, default=0.5, help="seconds planned for preparing one post")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.posts, chosen.pairs, chosen.image, chosen.workers, chosen.prepare, chosen.alone))
