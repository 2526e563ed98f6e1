"""One try-out of a template: it calls the model, and its user may cancel it."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.tryouts import TryoutEnd, TryoutOutcome, TryoutRef, Tryouts
    from workflows.generation import generate
    from workflows.messages import TryoutOrder, TryoutResult
    from workflows.options import DATABASE_STEP, TRYOUT_STEP, with_summary


@workflow.defn
class TryoutWorkflow:
    @workflow.run
    async def run(self, order: TryoutOrder) -> TryoutResult:
        """Completes for succeeded, failed and cancelled alike; fails only on defects."""
        step = workflow.execute_activity_method(
            Tryouts.make_tryout,
            TryoutRef(order.user_id, order.tryout_id),
            **with_summary(TRYOUT_STEP, "output", owner=order.user_id),
        )

        def end(reason: str | None) -> Coroutine[Any, Any, TryoutOutcome]:
            # the activity learns of a cancellation by its heartbeat, and books its usage until then
            return workflow.execute_activity_method(
                Tryouts.end_tryout,
                TryoutEnd(order.user_id, order.tryout_id, reason),
                **with_summary(DATABASE_STEP, "end"),
            )

        return TryoutResult(*await generate(step, end))
