"""Runs per second and the length of their histories, compared with a workflow of the same steps without effects.

`python -m benchmarks.throughput --runs 300 --at-once 60`: rounds of real and baseline runs alternate. Each run's slot
is some seconds after its start, so that its timers are real; enough runs are in progress to keep the CPUs busy.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from temporalio.client import WorkflowHandle

from benchmarks.baseline import QUEUE, BaselineOrder, BaselineRun
from benchmarks.engine import Engine, run_engine
from core.assistants.rules.assistants import RunState
from core.ids import new_id, run_id
from workflows.messages import RunOrder
from workflows.names import RUNS
from workflows.run import RunWorkflow

Start = Callable[[], Awaitable[WorkflowHandle[Any, Any]]]

_AHEAD = timedelta(seconds=4)
_STAGE_AHEAD = timedelta(seconds=2)


async def _start_run(engine: Engine, assistant_id: UUID) -> WorkflowHandle[Any, Any]:
    name = f"run-{assistant_id}-{new_id()}"
    order = RunOrder(
        user_id=engine.user.id,
        assistant_id=assistant_id,
        run_id=run_id(name),
        slot=datetime.now(UTC) + _AHEAD,
        arm_seconds=0,
        arm_spread_seconds=0,
        stage_ahead_seconds=int(_STAGE_AHEAD.total_seconds()),
        by_hand=True,  # many runs of one assistant may be in progress at once
    )
    return await engine.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)


async def _start_baseline(engine: Engine, *, image: bool) -> WorkflowHandle[Any, Any]:
    order = BaselineOrder(datetime.now(UTC) + _AHEAD, _STAGE_AHEAD, image)
    name = f"baseline-{uuid4()}"
    return await engine.client.start_workflow(BaselineRun.run, order, id=name, task_queue=QUEUE)


async def _measure(engine: Engine, name: str, start: Start, runs: int, at_once: int) -> float:
    """Print the figures of these runs. Return runs per second."""
    left = iter(range(runs))
    events: list[int] = []

    async def run_in_turn() -> None:
        for number in left:
            handle = await start()
            ended = await handle.result()
            if getattr(ended, "state", ended) != RunState.published:
                raise SystemExit(f"a run did not publish: {ended}")
            if number == runs // 2:
                events.append(len((await handle.fetch_history()).events))

    before, began = engine.cpu_seconds(), time.monotonic()
    await asyncio.gather(*(run_in_turn() for _ in range(at_once)))
    seconds, used = time.monotonic() - began, engine.cpu_seconds()
    spent = ", ".join(f"{part} {(used[part] - before[part]) / runs * 1000:.0f}" for part in used)
    sys.stdout.write(
        f"{name:22} {runs / seconds:6.1f} runs/s   events per run {events[0]:3}   CPU ms per run: {spent}\n"
    )
    sys.stdout.flush()
    return runs / seconds


async def main(runs: int, at_once: int, pairs: int, images: bool) -> None:
    async with run_engine() as engine:
        await engine.servers.start("benchmarks.baseline")
        await asyncio.sleep(6)
        for image in [False, True] if images else [False]:
            [assistant_id] = await engine.add_assistants(1, image=image)
            kind = "with image" if image else "text"
            await _measure(engine, f"(warming up) {kind}", partial(_start_run, engine, assistant_id), at_once, at_once)
            for _ in range(pairs):
                real = await _measure(engine, f"runs, {kind}", partial(_start_run, engine, assistant_id), runs, at_once)
                start_baseline = partial(_start_baseline, engine, image=image)
                reference = await _measure(engine, f"baseline, {kind}", start_baseline, runs, at_once)
                sys.stdout.write(f"{'':22} {real / reference:6.2f} × baseline\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300, help="runs per round")
    parser.add_argument("--at-once", type=int, default=60, help="runs in progress at once")
    parser.add_argument("--pairs", type=int, default=2, help="rounds of each kind")
    parser.add_argument("--images", action="store_true", help="also runs with an image")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.runs, chosen.at_once, chosen.pairs, chosen.images))
