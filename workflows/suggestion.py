"""One round of suggested subtopics."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.suggesting import Suggesting, SuggestionEnd, SuggestionOver, SuggestionRef
    from workflows.endings import code_of, surely
    from workflows.messages import SuggestionOrder, SuggestionResult
    from workflows.options import DATABASE_STEP, SUGGESTION_STEP, named


@workflow.defn
class SuggestionWorkflow:
    @workflow.run
    async def run(self, order: SuggestionOrder) -> SuggestionResult:
        """Completes for succeeded, failed and cancelled alike; fails only on defects."""
        workflow.set_current_details("**asking the model**")
        try:
            over: SuggestionOver = await workflow.execute_activity_method(
                Suggesting.suggest,
                SuggestionRef(order.user_id, order.suggestion_id),
                **named(SUGGESTION_STEP, "titles"),
            )
        except (ActivityError, asyncio.CancelledError) as error:  # the latter before the step was begun
            reason = code_of(error)
            return self._over(await self._end(order, reason), reason)
        return self._over(over)

    async def _end(self, order: SuggestionOrder, reason: str | None) -> SuggestionOver:
        # a row that stayed open would keep the next round away
        return await surely(
            workflow.execute_activity_method(
                Suggesting.end_suggestion,
                SuggestionEnd(order.user_id, order.suggestion_id, reason),
                **named(DATABASE_STEP, "ends with its reason"),
            )
        )

    def _over(self, over: SuggestionOver, reason: str | None = None) -> SuggestionResult:
        workflow.set_current_details(f"**{over.state}**" + (f": {reason}" if reason else ""))
        return SuggestionResult(over.state, reason or "")
