"""The baseline workflow, a run without effects: the activities, timers and upserts of a real run, in the same order.

`python -m benchmarks.baseline` is its worker, tuned like the product's. Its cost is the cost of durability alone.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from temporalio import activity, workflow

with workflow.unsafe.imports_passed_through():
    from workflows.names import POST_ID, RUN_STATE
    from workflows.options import DATABASE_STEP, with_summary

QUEUE = "baseline"


@dataclass(frozen=True)
class BaselineOrder:
    """A run's order: its slot, how long before the slot it is staged, and whether it has an image."""

    slot: datetime
    stage_ahead: timedelta
    image: bool


@activity.defn
async def do_nothing(_: str) -> str:
    """A step without an effect."""
    return "nothing"


@workflow.defn
class BaselineRun:
    @workflow.run
    async def run(self, order: BaselineOrder) -> str:
        """The shortest workflow with these steps."""
        for step in ("topic", "text", "image", "checks") if order.image else ("topic", "text and checks"):
            await self._run_step(step)
        workflow.upsert_search_attributes([RUN_STATE.value_set("ready"), POST_ID.value_set("none")])
        if order.image:
            await self._sleep_until(order.slot - order.stage_ahead)
            await self._run_step("stage")
        await self._sleep_until(order.slot)
        await self._run_step("deliver")
        workflow.upsert_search_attributes([RUN_STATE.value_set("published")])
        return "published"

    async def _run_step(self, name: str) -> None:
        config = with_summary(DATABASE_STEP, name)
        config["task_queue"] = QUEUE
        await workflow.execute_activity(do_nothing, name, **config)

    async def _sleep_until(self, moment: datetime) -> None:
        if (left := moment - workflow.now()) > timedelta(0):
            await workflow.sleep(left)


async def main() -> None:
    from core.settings import load_environment, read_settings
    from temporal.client import connect
    from temporal.registry import WorkerGroup
    from temporal.worker import build_workers

    load_environment()
    client = await connect(read_settings())
    [worker] = build_workers(client, [WorkerGroup(QUEUE, [BaselineRun], [do_nothing])], timedelta(seconds=1))
    await worker.run()


if __name__ == "__main__":
    asyncio.run(main())
