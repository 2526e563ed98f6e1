"""What is said to the workflows that publish posts: those of runs, and those of posts by hand."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta
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
from temporal.away import LATER
from workflows.messages import CancelOrder, Decision, MoveOrder, PostOrder, RetryOrder
from workflows.names import CHANNELS, POST_ID, RUN_STATE, RUNS, USER_ID, post_workflow
from workflows.post import PostWorkflow
from workflows.publishing import Publication

_PATIENCE = 3  # seconds that somebody waits for the answer
_AT_ONCE = timedelta(milliseconds=100)


_Message = Callable[..., int | Awaitable[int]]


class _Ended(Exception):
    """There is no workflow that the message concerns."""


class PostMessages:
    """Each says whether a workflow has confirmed it, or none needs to. False: Temporal or its worker is away, and the
    reconcile brings it later."""

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings

    async def moved(self, changed: PostChange) -> bool:
        if not changed.followed:
            return True
        assert changed.planned_at is not None
        return await self._tell(changed, Publication.move, MoveOrder(changed.planned_at, changed.version), start=True)

    async def cancelled(self, changed: PostChange) -> bool:
        return await self._tell(changed, Publication.cancel, CancelOrder(changed.version))

    async def decided(self, changed: PostChange, content_hash: str) -> bool:
        return await self._tell(changed, Publication.decide, Decision(content_hash, changed.version))

    async def edited(self, changed: PostChange) -> bool:
        """While a person is asked about it: what there is to deliver may be another. Durable at once."""
        assert changed.run_workflow is not None  # only a run asks
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._signalled(changed.run_workflow)
        except (TimeoutError, RuntimeError):
            return False
        except RPCError as error:
            if error.status not in LATER:
                raise
            return False
        return True

    async def to_deliver(self, changed: PostChange) -> bool:
        """It has deliveries that are to go out at its time, some of which may have been opened anew."""
        if not changed.followed:
            return True
        assert changed.planned_at is not None
        refs = tuple(DeliveryRef(delivery_id, channel.value) for delivery_id, channel in changed.deliveries)
        order = RetryOrder(refs, changed.planned_at, changed.version)
        return await self._tell(changed, Publication.retry, order, start=True)

    async def repair(self, user_id: UUID, post_id: UUID, run_workflow: str | None, *, start: bool) -> None:
        """Let its workflow read its rows, `start` one where none is there; durable at once, answers nothing. For the
        reconcile: raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
        async with asyncio.timeout(10):
            if run_workflow is not None:
                await self._signalled(run_workflow)  # where it is gone, its run is ended by the reconcile of runs
                return
            if not start:
                await self._signalled(post_workflow(post_id))
                return
            await self._client.start_workflow(
                PostWorkflow.run,
                self._order(user_id, post_id),
                id=post_workflow(post_id),
                task_queue=RUNS,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                start_signal="changed",
                search_attributes=_attributes(user_id, post_id, ()),
                static_summary="post",
            )

    async def restart_steps(self, post_id: UUID, delivery_id: UUID, run_workflow: str | None) -> bool:
        """Let Temporal repeat the step of this delivery that a dead worker had begun, at once instead of after its
        heartbeat time-out. Return whether there was one. Raises RPCError, TimeoutError or RuntimeError while Temporal
        is away."""
        workflow_id = run_workflow or post_workflow(post_id)
        found = False
        for step in ("stage", "deliver"):
            handle = self._client.get_async_activity_handle(
                workflow_id=workflow_id, run_id=None, activity_id=f"{step}-{delivery_id}"
            )
            died = ApplicationError("its worker died", type="worker_died", next_retry_delay=_AT_ONCE)
            try:
                async with asyncio.timeout(_PATIENCE):
                    await handle.fail(died)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise
            else:
                found = True
        return found

    async def _signalled(self, workflow_id: str) -> bool:
        try:
            await self._client.get_workflow_handle(workflow_id).signal(Publication.changed)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    async def _tell(self, changed: PostChange, message: _Message, order: object, *, start: bool = False) -> bool:
        name = f"v{changed.version}"
        try:
            if changed.run_workflow is not None:
                try:
                    return await self._told(changed.run_workflow, message, order, name)
                except _Ended:
                    pass
            if start:
                return await self._started(changed, message, order, name)
            try:
                return await self._told(post_workflow(changed.post_id), message, order, name)
            except _Ended:
                return True
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError, WorkflowAlreadyStartedError, RuntimeError):
            return False
        except RPCError as error:
            if error.status not in LATER:
                raise
            return False

    async def _told(self, workflow_id: str, message: _Message, order: object, name: str) -> bool:
        """Raises _Ended where it does not run any more."""
        handle: Any = self._client.get_workflow_handle(workflow_id)
        try:
            async with asyncio.timeout(_PATIENCE):
                await handle.execute_update(message, order, id=name)
        except WorkflowUpdateFailedError as error:
            return _refused(error)
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise _Ended from error
            raise
        return True

    async def _started(self, changed: PostChange, message: _Message, order: object, name: str) -> bool:
        client: Any = self._client
        try:
            async with asyncio.timeout(_PATIENCE):
                await client.execute_update_with_start_workflow(
                    message,
                    order,
                    id=name,
                    start_workflow_operation=WithStartWorkflowOperation(
                        PostWorkflow.run,
                        self._order(changed.user_id, changed.post_id),
                        id=post_workflow(changed.post_id),
                        task_queue=RUNS,
                        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                        search_attributes=_attributes(
                            changed.user_id, changed.post_id, [channel for _, channel in changed.deliveries]
                        ),
                        static_summary=_summary(changed),
                    ),
                )
        except WorkflowUpdateFailedError as error:
            try:
                return _refused(error)
            except _Ended:
                return False  # it was just at its end: the reconcile starts the next one
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
    """Where to and when, as it was when it began; its details tell what it has come to."""
    channels = ", ".join(sorted({channel.value for _, channel in changed.deliveries}))
    due = f", due {changed.planned_at:%Y-%m-%d %H:%M} UTC" if changed.planned_at else ""
    return f"post for {channels or 'no channel'}{due}"


def _attributes(user_id: UUID, post_id: UUID, channels: Collection[ChannelKind]) -> TypedSearchAttributes:
    """`channels`: those of its open deliveries, as far as they are known; its workflow knows them soon."""
    pairs: list[SearchAttributePair[Any]] = [
        SearchAttributePair(USER_ID, str(user_id)),
        SearchAttributePair(POST_ID, str(post_id)),
        SearchAttributePair(RUN_STATE, RunState.ready.value),
    ]
    if channels:
        pairs.append(SearchAttributePair(CHANNELS, sorted({channel.value for channel in channels})))
    return TypedSearchAttributes(pairs)


def _refused(error: WorkflowUpdateFailedError) -> bool:
    """A newer change in force is as good as this one. Raises _Ended where it is at its end."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.type == ErrorCode.stale_version:
        return True
    if isinstance(cause, ApplicationError) and cause.type == ErrorCode.post_ended:
        raise _Ended
    return False
