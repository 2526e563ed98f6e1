"""One try-out of a template: the model is asked, and whoever waits for it may stop it."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.tryouts import TryoutEnd, TryoutOver, TryoutRef, Tryouts
    from workflows.generation import generate
    from workflows.messages import TryoutOrder, TryoutResult
    from workflows.options import DATABASE_STEP, TRYOUT_STEP, named


@workflow.defn
class TryoutWorkflow:
    @workflow.run
    async def run(self, order: TryoutOrder) -> TryoutResult:
        """Completes for succeeded, failed and cancelled alike; fails only on defects."""
        step = workflow.execute_activity_method(
            Tryouts.make_tryout, TryoutRef(order.user_id, order.tryout_id), **named(TRYOUT_STEP, "output")
        )

        def end(reason: str | None) -> Coroutine[Any, Any, TryoutOver]:
            # the step hears of a cancellation by its heartbeat, and books what it has asked for until then
            return workflow.execute_activity_method(
                Tryouts.end_tryout,
                TryoutEnd(order.user_id, order.tryout_id, reason),
                **named(DATABASE_STEP, "ends with its reason"),
            )

        return TryoutResult(*await generate(step, end))
