"""A post that goes out without a run: by a person's hand, or once more after its run has ended."""

import asyncio
from uuid import UUID

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.publishing import PostEnd, PostOver, PostPlan, PostRef, Publishing
    from workflows.failures import failure_or_cancellation, shielded
    from workflows.messages import PostOrder, PostResult
    from workflows.options import DATABASE_STEP, named
    from workflows.publishing import Publication
    from workflows.remedies import remedy


@workflow.defn
class PostWorkflow(Publication):
    @workflow.init
    def __init__(self, order: PostOrder) -> None:
        super().__init__(
            order.user_id,
            workflow.now(),
            order.post_id,
            arm_seconds=order.arm_seconds,
            arm_spread_seconds=order.arm_spread_seconds,
            stage_ahead_seconds=order.stage_ahead_seconds,
        )
        self._post_id, self._address = order.post_id, order.address

    @workflow.run
    async def run(self, order: PostOrder) -> PostResult:
        """Completes however its deliveries ended; fails only on defects."""
        self._story = asyncio.current_task()
        cancelled = False
        try:
            plan: PostPlan = await workflow.execute_activity_method(
                Publishing.outline, PostRef(order.user_id, order.post_id), **named(DATABASE_STEP, "what is to go out")
            )
            self._follow(plan.planned_at, plan.version)
            await self._publish(plan.deliveries)
        except ActivityError as error:
            cancelled = failure_or_cancellation(error) is None
        except asyncio.CancelledError:
            cancelled = True
        self._over = True
        over: PostOver = await shielded(
            workflow.execute_activity_method(
                Publishing.end,
                PostEnd(order.user_id, order.post_id, cancelled),
                **named(DATABASE_STEP, "final status"),
            )
        )
        self._say(f"{over.status}{': ' + over.reason if over.reason else ''}", do=remedy(over.reason))
        return PostResult(over.status, over.reason)

    def _post(self) -> UUID:
        return self._post_id

    def _facts(self) -> list[str]:
        return [
            f"goes out at {self._planned_at:%Y-%m-%d %H:%M:%S} UTC",
            f"post {self._post_id}",
            f"owner {self._user_id}",
            *([f"in the app: {self._address}"] if self._address else []),
        ]
