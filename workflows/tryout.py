"""One try-out of a template: the model is asked, and whoever waits for it may stop it."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.tryouts import TryoutEnd, TryoutOver, TryoutRef, Tryouts
    from workflows.endings import code_of, surely
    from workflows.messages import TryoutOrder, TryoutResult
    from workflows.options import DATABASE_STEP, TRYOUT_STEP, named


@workflow.defn
class TryoutWorkflow:
    @workflow.run
    async def run(self, order: TryoutOrder) -> TryoutResult:
        """Completes for succeeded, failed and cancelled alike; fails only on defects."""
        workflow.set_current_details("**asking the model**")
        try:
            over: TryoutOver = await workflow.execute_activity_method(
                Tryouts.make_tryout, TryoutRef(order.user_id, order.tryout_id), **named(TRYOUT_STEP, "output")
            )
        except (ActivityError, asyncio.CancelledError) as error:  # the latter before the step was begun
            # the step hears of a cancellation by its heartbeat, and books what it has asked for until then
            reason = code_of(error)
            return self._over(await self._end(order, reason), reason)
        return self._over(over)

    async def _end(self, order: TryoutOrder, reason: str | None) -> TryoutOver:
        return await surely(
            workflow.execute_activity_method(
                Tryouts.end_tryout,
                TryoutEnd(order.user_id, order.tryout_id, reason),
                **named(DATABASE_STEP, "ends with its reason"),
            )
        )

    def _over(self, over: TryoutOver, reason: str | None = None) -> TryoutResult:
        workflow.set_current_details(f"**{over.state}**" + (f": {reason}" if reason else ""))
        return TryoutResult(over.state, reason or "")
