"""Runs per second and the length of their histories, compared with a workflow of the same steps without effects.

`python -m benchmarks.throughput --runs 300 --at-once 60`: rounds of real and bare runs alternate. Each run's slot is
some seconds after its start, so that its timers are real; enough runs are in progress to keep the CPUs busy.
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

from benchmarks import baseline
from benchmarks.baseline import BareOrder, BareRun
from benchmarks.engine import Engine, engine
from core.assistants.rules.assistants import RunState
from core.ids import new_id, run_id
from workflows.messages import RunOrder
from workflows.names import RUNS
from workflows.run import RunWorkflow

Begin = Callable[[], Awaitable[WorkflowHandle[Any, Any]]]

_AHEAD = timedelta(seconds=4)
_STAGE_AHEAD = timedelta(seconds=2)


async def _real(made: Engine, assistant_id: UUID) -> WorkflowHandle[Any, Any]:
    name = f"run-{assistant_id}-{new_id()}"
    order = RunOrder(
        user_id=made.user.id,
        assistant_id=assistant_id,
        run_id=run_id(name),
        slot=datetime.now(UTC) + _AHEAD,
        arm_seconds=0,
        arm_spread_seconds=0,
        stage_ahead_seconds=int(_STAGE_AHEAD.total_seconds()),
        by_hand=True,  # many runs of one assistant may be in progress at once
    )
    return await made.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)


async def _bare(made: Engine, *, image: bool) -> WorkflowHandle[Any, Any]:
    order = BareOrder(datetime.now(UTC) + _AHEAD, _STAGE_AHEAD, image)
    return await made.client.start_workflow(BareRun.run, order, id=f"bare-{uuid4()}", task_queue=baseline.QUEUE)


async def _measure(
    made: Engine, name: str, begin: Callable[[], Awaitable[WorkflowHandle[Any, Any]]], runs: int, at_once: int
) -> float:
    """Print the figures of these runs. Return runs per second."""
    left = iter(range(runs))
    events: list[int] = []

    async def one_after_another() -> None:
        for number in left:
            handle = await begin()
            ended = await handle.result()
            if getattr(ended, "state", ended) != RunState.published:
                raise SystemExit(f"a run did not publish: {ended}")
            if number == runs // 2:
                events.append(len((await handle.fetch_history()).events))

    before, began = made.processor(), time.monotonic()
    await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    seconds, used = time.monotonic() - began, made.processor()
    spent = ", ".join(f"{part} {(used[part] - before[part]) / runs * 1000:.0f}" for part in used)
    sys.stdout.write(
        f"{name:22} {runs / seconds:6.1f} runs/s   events per run {events[0]:3}   processor ms per run: {spent}\n"
    )
    sys.stdout.flush()
    return runs / seconds


async def main(runs: int, at_once: int, pairs: int, images: bool) -> None:
    async with engine() as made:
        await made.here.start("benchmarks.baseline")
        await asyncio.sleep(6)
        for image in [False, True] if images else [False]:
            [assistant_id] = await made.assistants(1, image=image)
            kind = "with image" if image else "text"
            await _measure(made, f"(warming up) {kind}", partial(_real, made, assistant_id), at_once, at_once)
            for _ in range(pairs):
                real = await _measure(made, f"runs, {kind}", partial(_real, made, assistant_id), runs, at_once)
                of_nothing = await _measure(made, f"bare, {kind}", partial(_bare, made, image=image), runs, at_once)
                sys.stdout.write(f"{'':22} {real / of_nothing:6.2f} × bare\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--at-once", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=2)
    parser.add_argument("--images", action="store_true")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.runs, chosen.at_once, chosen.pairs, chosen.images))
