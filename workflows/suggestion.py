"""One round of suggested subtopics."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.suggesting import Suggesting, SuggestionEnd, SuggestionOutcome, SuggestionRef
    from workflows.generation import generate
    from workflows.messages import SuggestionOrder, SuggestionResult
    from workflows.options import DATABASE_STEP, SUGGESTION_STEP, with_summary


@workflow.defn
class SuggestionWorkflow:
    @workflow.run
    async def run(self, order: SuggestionOrder) -> SuggestionResult:
        """Completes for succeeded, failed and cancelled alike; fails only on defects."""
        step = workflow.execute_activity_method(
            Suggesting.suggest,
            SuggestionRef(order.user_id, order.suggestion_id),
            **with_summary(SUGGESTION_STEP, "titles", owner=order.user_id),
        )

        def end(reason: str | None) -> Coroutine[Any, Any, SuggestionOutcome]:
            # an open row would block the next round
            return workflow.execute_activity_method(
                Suggesting.end_suggestion,
                SuggestionEnd(order.user_id, order.suggestion_id, reason),
                **with_summary(DATABASE_STEP, "end"),
            )

        return SuggestionResult(*await generate(step, end))
