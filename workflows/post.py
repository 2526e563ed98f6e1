"""A post without an open run: sent by a person, or retried after its run has ended."""

import asyncio
from typing import Any
from uuid import UUID

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.post_progress import PostEnd, PostOutcome, PostPlan, PostProgress, PostRef
    from core.assistants.rules.assistants import RunState
    from core.errors import ErrorCode
    from core.posts.rules.posts import PostStatus
    from workflows.failures import failure_or_cancellation, shielded
    from workflows.messages import PostOrder, PostResult
    from workflows.names import CHANNELS, RECORD, RUN_STATE
    from workflows.options import DATABASE_STEP, with_summary
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
        self._main_task = asyncio.current_task()
        while (over := await self._publish_and_end(order)).goes_on or self._has_changed_meanwhile():
            self._finished = self._cancel_requested = False
            self._closed.clear()
        self._label(_run_state(over))
        self._set_details(f"{over.status}{': ' + over.reason if over.reason else ''}", do=remedy(over.reason))
        return PostResult(over.status, over.reason)

    async def _publish_and_end(self, order: PostOrder) -> PostOutcome:
        cancelled, followed = False, True
        try:
            plan: PostPlan = await workflow.execute_activity_method(
                PostProgress.outline,
                PostRef(order.user_id, order.post_id),
                **with_summary(DATABASE_STEP, "plan"),
            )
            self._follow(plan.planned_at, plan.version)
            self._followed = max(self._followed, plan.version)
            self._spread_arming(plan.arm_spread_seconds)
            self._label(RunState.ready, sorted({delivery.channel for delivery in plan.deliveries}))
            await self._publish(plan.deliveries)
        except ActivityError as error:
            cancelled = failure_or_cancellation(error) is None
            followed = cancelled and self._cancel_requested
        except asyncio.CancelledError:
            cancelled, followed = True, self._cancel_requested
        self._finished, self._rows_changed = True, False
        over: PostOutcome = await shielded(
            workflow.execute_activity_method(
                PostProgress.end,
                # a cancellation by an operator or a defect ends everything
                PostEnd(order.user_id, order.post_id, cancelled, self._followed if followed else None),
                **with_summary(DATABASE_STEP, "final status", priority=RECORD),
            )
        )
        return over

    def _has_changed_meanwhile(self) -> bool:
        """Return whether the rows have changed since they were last read."""
        return self._rows_changed and workflow.patched("2026-11-told-at-its-end")

    def _label(self, state: RunState, channels: list[str] | None = None) -> None:
        """Update the search attributes that have changed."""
        labels = workflow.info().typed_search_attributes
        changed: list[SearchAttributeUpdate[Any]] = []
        if labels.get(RUN_STATE) != state.value:
            changed.append(RUN_STATE.value_set(state.value))
        if channels and sorted(labels.get(CHANNELS) or []) != channels:
            changed.append(CHANNELS.value_set(channels))
        if changed and workflow.patched("2026-11-post-labelled"):
            workflow.upsert_search_attributes(changed)

    def _post(self) -> UUID:
        return self._post_id

    def _detail_lines(self) -> list[str]:
        return [
            f"planned for {self._planned_at:%Y-%m-%d %H:%M:%S} UTC",
            f"post {self._post_id}",
            f"owner {self._user_id}",
            *([f"in the app: {self._address}"] if self._address else []),
        ]


def _run_state(over: PostOutcome) -> RunState:
    """Return the state that a run would have ended with."""
    if over.status == PostStatus.published:
        return RunState.published
    if over.status == PostStatus.failed:
        return RunState.unknown if over.reason == ErrorCode.delivery_unknown else RunState.failed
    return RunState.skipped
