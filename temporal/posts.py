"""Messages to the workflows that publish posts: those of runs, and those of posts without a run."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from activities.drafting import DeliveryRef
from core.assistants.rules.assistants import RunState
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.posts.changes import PostChange
from core.settings import Settings
from temporal.away import LATER, has_reached
from workflows.messages import CancelOrder, Decision, MoveOrder, PostOrder, RetryOrder
from workflows.names import CHANNELS, DELIVERY, NEXT_SLOT, POST_ID, RUN_STATE, RUNS, USER_ID, owned_by, post_workflow
from workflows.post import PostWorkflow
from workflows.publishing import Publication

_TIMEOUT = 3  # seconds that somebody waits for the answer
_AT_ONCE = timedelta(milliseconds=100)


_Message = Callable[..., int | Awaitable[int]]


class _NotRunning(Exception):
    """No workflow is running that the message concerns."""


class PostMessages:
    """Each method returns True if the workflow has confirmed the message, or none needs it; False while Temporal or its
    worker is away, and the reconcile sends it later."""

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings

    async def send_move(self, changed: PostChange) -> bool:
        if not changed.followed:
            return True
        assert changed.planned_at is not None
        return await self._send(changed, Publication.move, MoveOrder(changed.planned_at, changed.version), start=True)

    async def send_cancel(self, changed: PostChange) -> bool:
        return await self._send(changed, Publication.cancel, CancelOrder(changed.version))

    async def send_decision(self, changed: PostChange, content_hash: str) -> bool:
        return await self._send(changed, Publication.decide, Decision(content_hash, changed.version))

    async def send_edit(self, changed: PostChange) -> bool:
        """For a post that waits for an approval: its deliveries may have changed. Durable."""
        assert changed.run_workflow is not None  # only runs ask for approvals
        return await has_reached(asyncio.wait_for(self._signal(changed.run_workflow), _TIMEOUT))

    async def send_deliveries(self, changed: PostChange) -> bool:
        """The post has deliveries for its planned time, some of which may have been reopened."""
        if not changed.followed:
            return True
        assert changed.planned_at is not None
        refs = tuple(DeliveryRef(delivery_id, channel.value) for delivery_id, channel in changed.deliveries)
        order = RetryOrder(refs, changed.planned_at, changed.version)
        return await self._send(changed, Publication.retry, order, start=True)

    async def repair(self, user_id: UUID, post_id: UUID, run_workflow: str | None, *, start: bool) -> None:
        """For the reconcile: let the post's workflow read its rows, with `start` also start it; durable, without an
        answer. Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
        async with asyncio.timeout(10):
            if run_workflow is not None:
                await self._signal(run_workflow)  # if it is gone, end_lost_runs ends the run
                return
            if not start:
                await self._signal(post_workflow(post_id))
                return
            await self._client.start_workflow(
                PostWorkflow.run,
                self._order(user_id, post_id),
                id=post_workflow(post_id),
                task_queue=RUNS,
                priority=owned_by(user_id, DELIVERY),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                start_signal="changed",
                search_attributes=_search_attributes(user_id, post_id, (), None),
                static_summary="post",
            )

    async def restart_steps(self, post_id: UUID, delivery_id: UUID, run_workflow: str | None) -> bool:
        """Let Temporal repeat this delivery's activity of a dead worker at once, instead of after its heartbeat
        time-out. Return whether there was one. Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
        workflow_id = run_workflow or post_workflow(post_id)
        found = False
        for step in ("stage", "deliver"):
            handle = self._client.get_async_activity_handle(
                workflow_id=workflow_id, run_id=None, activity_id=f"{step}-{delivery_id}"
            )
            died = ApplicationError("the worker died", type="worker_died", next_retry_delay=_AT_ONCE)
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await handle.fail(died)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise
            else:
                found = True
        return found

    async def _signal(self, workflow_id: str) -> bool:
        try:
            await self._client.get_workflow_handle(workflow_id).signal(Publication.changed)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    async def _send(self, changed: PostChange, message: _Message, order: object, *, start: bool = False) -> bool:
        name = f"v{changed.version}"
        try:
            if changed.run_workflow is not None:
                try:
                    return await self._update(changed.run_workflow, message, order, name)
                except _NotRunning:
                    pass
            if start:
                return await self._update_with_start(changed, message, order, name)
            try:
                return await self._update(post_workflow(changed.post_id), message, order, name)
            except _NotRunning:
                return True
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError, WorkflowAlreadyStartedError, RuntimeError):
            return False
        except RPCError as error:
            if error.status not in LATER:
                raise
            return False

    async def _update(self, workflow_id: str, message: _Message, order: object, name: str) -> bool:
        """Raises _NotRunning."""
        handle: Any = self._client.get_workflow_handle(workflow_id)
        try:
            async with asyncio.timeout(_TIMEOUT):
                await handle.execute_update(message, order, id=name)
        except WorkflowUpdateFailedError as error:
            return _is_superseded(error, message)
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise _NotRunning from error
            raise
        return True

    async def _update_with_start(self, changed: PostChange, message: _Message, order: object, name: str) -> bool:
        client: Any = self._client
        try:
            async with asyncio.timeout(_TIMEOUT):
                await client.execute_update_with_start_workflow(
                    message,
                    order,
                    id=name,
                    start_workflow_operation=WithStartWorkflowOperation(
                        PostWorkflow.run,
                        self._order(changed.user_id, changed.post_id),
                        id=post_workflow(changed.post_id),
                        task_queue=RUNS,
                        priority=owned_by(changed.user_id, DELIVERY),
                        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                        search_attributes=_search_attributes(
                            changed.user_id,
                            changed.post_id,
                            [channel for _, channel in changed.deliveries],
                            changed.planned_at,
                        ),
                        static_summary=_summary(changed),
                    ),
                )
        except WorkflowUpdateFailedError as error:
            try:
                return _is_superseded(error, message)
            except _NotRunning:
                return False  # it was just ending: the reconcile starts the next one
        return True

    def _order(self, user_id: UUID, post_id: UUID) -> PostOrder:
        settings = self._settings
        return PostOrder(
            user_id,
            post_id,
            arm_seconds=settings.arm_seconds,
            arm_spread_seconds=settings.arm_spread_seconds,
            stage_ahead_seconds=settings.stage_ahead_seconds,
            address=f"{settings.public_url}/social-media-posts/{post_id}",
        )


def _summary(changed: PostChange) -> str:
    """Return destination and time when it started; its details have the result."""
    channels = ", ".join(sorted({channel.value for _, channel in changed.deliveries}))
    due = f", due {changed.planned_at:%Y-%m-%d %H:%M} UTC" if changed.planned_at else ""
    return f"post for {channels or 'no channel'}{due}"


def _search_attributes(
    user_id: UUID, post_id: UUID, channels: Collection[ChannelKind], planned_at: datetime | None
) -> TypedSearchAttributes:
    """`channels`: those of its open deliveries. What is not known yet is added by the workflow."""
    pairs: list[SearchAttributePair[Any]] = [
        SearchAttributePair(USER_ID, str(user_id)),
        SearchAttributePair(POST_ID, str(post_id)),
        SearchAttributePair(RUN_STATE, RunState.ready.value),
    ]
    if channels:
        pairs.append(SearchAttributePair(CHANNELS, sorted({channel.value for channel in channels})))
    if planned_at:
        pairs.append(SearchAttributePair(NEXT_SLOT, planned_at))
    return TypedSearchAttributes(pairs)


def _is_superseded(error: WorkflowUpdateFailedError, message: _Message) -> bool:
    """Return True if a newer change is in force that replaces this one, False for other refusals. Raises _NotRunning if
    the workflow is ending."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.type == ErrorCode.stale_version:
        # a newer message does not name the deliveries that this one has opened
        return message is not Publication.retry
    if isinstance(cause, ApplicationError) and cause.type == ErrorCode.post_ended:
        raise _NotRunning
    return False
