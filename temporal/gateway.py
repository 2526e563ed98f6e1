"""Messages of API, command line and reconcile to workflows. Handlers and ids are named only here."""

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import PendingActivityState, TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest, DescribeTaskQueueRequest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowFailureError
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy
from temporalio.service import RPCError, RPCStatusCode

from core.errors import ErrorCode, Unavailable
from core.installation.start_checks import StartRefused
from core.networks.rules.channels import ChannelKind
from core.notifications.repositories.mails import PendingMail
from core.settings import Settings
from core.social_accounts.rules import GrantState
from core.users.repositories.deletion import WorkflowNames
from temporal.assistants import AssistantMessages
from temporal.attributes import describe_missing, ensure_namespace, find_missing_attributes
from temporal.away import has_reached
from temporal.follow_ups import FollowUpStarter
from temporal.posts import PostMessages
from temporal.registry import queues
from temporal.runs import RunMessages
from temporal.versioning import LONGEST_POLL, build_of
from workflows.comparison import ComparisonWorkflow
from workflows.feed import FeedWorkflow
from workflows.grant import GrantWorkflow
from workflows.mail import MailWorkflow
from workflows.messages import Comparison, FeedOrder, GrantOrder, MailOrder, SuggestionOrder, TryoutOrder
from workflows.names import (
    ASSISTANTS,
    CHANNELS,
    COMPARISON,
    GRANT_STATE,
    HOUSEKEEPING,
    RECORD,
    RUNS,
    USER_ID,
    WRITING,
    assistant_workflow,
    feed_workflow,
    follow_up_workflow,
    grant_workflow,
    mail_workflow,
    owned_by,
    post_workflow,
    suggestion_workflow,
    tryout_workflow,
)
from workflows.suggestion import SuggestionWorkflow
from workflows.tryout import TryoutWorkflow

logger = logging.getLogger(__name__)

_COUNTED_EVERY = 60.0  # seconds
# executions deleted at once, and the time-out of each
_DELETIONS = 20
_DELETION = timedelta(seconds=10)
# how long a user waits to see a try-out cancelled
_STOPPING = 5.0  # seconds


@dataclass(frozen=True)
class PendingRetry:
    """A failed activity that waits for its next attempt, as Temporal reports it."""

    step: str
    delivery_id: UUID | None
    attempt: int
    max_attempts: int | None
    next_try_at: datetime | None
    code: str
    detail: str


_STEPS = {
    "begin": "topic",
    "write": "text",
    "write_checked": "text",
    "plan_article": "outline",
    "write_section": "text",
    "write_summary": "summary",
    "write_search": "search",
    "make": "image",
    "check": "check",
    "stage": "stage",
    "deliver": "deliver",
}


def _delivery_id(activity_id: str) -> UUID | None:
    """Return the delivery's id of `deliver-<id>` and `stage-<id>`, else None."""
    kind, _, rest = activity_id.partition("-")
    return UUID(rest) if kind in ("deliver", "stage") and rest else None


@dataclass(frozen=True)
class Queues:
    """Whether all queues are polled, and how many tasks wait in them, about; None while Temporal is away."""

    polled: bool
    backlog: int | None


class Gateway:
    _stuck: tuple[float, int] | None = None
    """When stuck workflows were counted, and their number."""

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._is_set_up = False
        self.assistants = AssistantMessages(client, settings)
        self.posts = PostMessages(client, settings)
        self.runs = RunMessages(client, settings)
        self.follow_ups = FollowUpStarter(client, settings)

    async def running_ids(self, workflow_ids: Collection[str]) -> set[str]:
        """Return which of at most a page of workflows are running, from a list that lags behind. Asking for these alone
        costs the server one indexed query, however many others are running. Raises RPCError, TimeoutError or
        RuntimeError while Temporal is away."""
        if not workflow_ids:
            return set()
        wanted = ", ".join(f"'{workflow_id}'" for workflow_id in workflow_ids)
        query = f"WorkflowId IN ({wanted}) AND ExecutionStatus = 'Running'"
        async with asyncio.timeout(60):
            return {found.id async for found in self._client.list_workflows(query)}

    async def find_status(self, workflow_id: str) -> WorkflowExecutionStatus | None:
        """Return the status of the workflow's latest execution, None if Temporal knows none. Raises as
        `running_ids`."""
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            async with asyncio.timeout(10):
                return (await handle.describe()).status
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return None

    async def start_mail(self, mail: PendingMail) -> None:
        """For the reconcile: start the workflow unless it is running. Raises RPCError, TimeoutError or RuntimeError
        while Temporal is away."""
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                MailWorkflow.run,
                MailOrder(mail.id),
                id=mail_workflow(mail.id),
                task_queue=RUNS,
                priority=owned_by(mail.user_id, RECORD),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(mail.user_id))]),
            )

    async def start_tryout(self, user_id: UUID, tryout_id: UUID) -> bool:
        """Start a try-out's workflow. Return False while Temporal is away; the reconcile starts it later."""
        return await has_reached(self.ensure_tryout(user_id, tryout_id))

    async def start_suggestion(self, user_id: UUID, suggestion_id: UUID) -> bool:
        """As `start_tryout`."""
        return await has_reached(self.ensure_suggestion(user_id, suggestion_id))

    async def ensure_tryout(self, user_id: UUID, tryout_id: UUID) -> None:
        """For the reconcile: start the workflow unless it is running. Raises RPCError, TimeoutError or RuntimeError
        while Temporal is away."""
        async with asyncio.timeout(3):
            await self._client.start_workflow(
                TryoutWorkflow.run,
                TryoutOrder(user_id, tryout_id),
                id=tryout_workflow(tryout_id),
                task_queue=RUNS,
                priority=owned_by(user_id, WRITING),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="try-out of a template",
                search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(user_id))]),
            )

    async def ensure_suggestion(self, user_id: UUID, suggestion_id: UUID) -> None:
        """As `ensure_tryout`."""
        async with asyncio.timeout(3):
            await self._client.start_workflow(
                SuggestionWorkflow.run,
                SuggestionOrder(user_id, suggestion_id),
                id=suggestion_workflow(suggestion_id),
                task_queue=RUNS,
                priority=owned_by(user_id, WRITING),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="suggestions for a topic",
                search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(user_id))]),
            )

    async def ensure_comparison(self) -> None:
        """Start the daily comparison of subscriptions unless it is running. Raises RPCError, TimeoutError or
        RuntimeError while Temporal is away."""
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                ComparisonWorkflow.run,
                Comparison(),
                id=COMPARISON,
                task_queue=RUNS,
                priority=HOUSEKEEPING,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="comparison of subscriptions with Stripe",
            )

    async def notify_grant(self, user_id: UUID, grant_id: UUID, kind: ChannelKind) -> None:
        """For the reconcile: let the grant's workflow read its row, and start it if needed; durable. Raises RPCError,
        TimeoutError or RuntimeError while Temporal is away."""
        address = f"{self._settings.public_url}/account"
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                GrantWorkflow.run,
                GrantOrder(user_id, grant_id, kind.value, address),
                id=grant_workflow(grant_id),
                task_queue=RUNS,
                priority=owned_by(user_id, WRITING),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                start_signal="changed",
                static_summary=f"access to {kind.value}",
                search_attributes=TypedSearchAttributes(
                    [
                        SearchAttributePair(USER_ID, str(user_id)),
                        SearchAttributePair(CHANNELS, [kind.value]),
                        SearchAttributePair(GRANT_STATE, GrantState.connected.value),
                    ]
                ),
            )

    async def end_grant(self, grant_id: UUID) -> bool:
        """Let the workflow of an unused grant end. Return False while Temporal is away; the reconcile does it later."""
        return await has_reached(self.notify_unused_grant(grant_id))

    async def notify_unused_grant(self, grant_id: UUID) -> None:
        """Let the workflow of an unused grant, if it is running, read its row and end. Raises as `notify_grant`."""
        handle = self._client.get_workflow_handle_for(GrantWorkflow.run, grant_workflow(grant_id))
        try:
            async with asyncio.timeout(10):
                await handle.signal(GrantWorkflow.changed)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise

    async def notify_feed(self, user_id: UUID, feed_id: UUID, tree_id: UUID) -> None:
        """For the reconcile: let the feed's workflow read its row, and start it if needed; durable. Raises as
        `notify_grant`."""
        address = f"{self._settings.public_url}/topics/{tree_id}"
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                FeedWorkflow.run,
                FeedOrder(user_id, feed_id, address),
                id=feed_workflow(feed_id),
                task_queue=RUNS,
                priority=owned_by(user_id, HOUSEKEEPING),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                start_signal="changed",
                static_summary="feed of a topic tree",
                search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(user_id))]),
            )

    async def notify_unused_feed(self, feed_id: UUID) -> None:
        """Let the workflow of a stopped or deleted feed, if it is running, read its row and end. Raises as
        `notify_grant`."""
        handle = self._client.get_workflow_handle_for(FeedWorkflow.run, feed_workflow(feed_id))
        try:
            async with asyncio.timeout(10):
                await handle.signal(FeedWorkflow.changed)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise

    async def end_feed(self, feed_id: UUID) -> bool:
        """Let the workflow of a deleted feed end. Return False while Temporal is away; it then ends when it wakes."""
        return await has_reached(self.notify_unused_feed(feed_id))

    async def cancel_tryout(self, tryout_id: UUID) -> bool:
        """Cancel a try-out. Return False if it has no workflow, so nothing is running.

        Returns True when it has stopped, or if no worker is there to stop it: then it stops before anything else runs.
        Raises Unavailable while Temporal is away.
        """
        handle = self._client.get_workflow_handle_for(TryoutWorkflow.run, tryout_workflow(tryout_id))
        try:
            async with asyncio.timeout(3):
                await handle.cancel()
        except (TimeoutError, RuntimeError) as error:
            raise Unavailable from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return False
            raise Unavailable from error
        with suppress(TimeoutError, RPCError, RuntimeError, WorkflowFailureError):
            async with asyncio.timeout(_STOPPING):
                await handle.result()
        return True

    async def delete_workflows(self, user_id: UUID, names: WorkflowNames) -> int:
        """Terminate and delete all executions of a user, closed ones too. Return how many existed.

        `names` are deleted by their ids, without a list; lists lag behind, so repeat it until it finds none.
        """
        query = f"{USER_ID.name} = '{user_id}'"
        listed = [(found.id, found.run_id) async for found in self._client.list_workflows(query)]
        named = [
            *(assistant_workflow(assistant_id) for assistant_id in names.assistant_ids),
            *names.run_workflows,
            *(post_workflow(post_id) for post_id in names.post_ids),
            *(mail_workflow(mail_id) for mail_id in names.mail_ids),
            *(tryout_workflow(tryout_id) for tryout_id in names.tryout_ids),
            *(suggestion_workflow(suggestion_id) for suggestion_id in names.suggestion_ids),
            *(feed_workflow(feed_id) for feed_id in names.feed_ids),
            *(grant_workflow(grant_id) for grant_id in names.grant_ids),
            *(follow_up_workflow(kind, row_id) for kind, row_id in names.follow_ups),
        ]
        seen = {workflow_id for workflow_id, _ in listed}
        wanted = [*listed, *((workflow_id, "") for workflow_id in named if workflow_id not in seen)]
        there = 0
        for start in range(0, len(wanted), _DELETIONS):
            portion = wanted[start : start + _DELETIONS]
            there += sum(await asyncio.gather(*(self._delete(*execution) for execution in portion)))
        # an execution that is still listed is not gone
        return max(there, len(listed))

    async def _delete(self, workflow_id: str, run_id: str) -> bool:
        """Return whether it existed. The server terminates a running one; without a run's id it is the latest."""
        try:
            await self._client.workflow_service.delete_workflow_execution(
                DeleteWorkflowExecutionRequest(
                    namespace=self._client.namespace,
                    workflow_execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
                ),
                retry=True,
                timeout=_DELETION,
            )
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    async def cancel_runs(self, workflow_ids: Sequence[str]) -> None:
        """Cancel runs whose rows are cancelled already; a run that is not reached finds out by itself."""
        for workflow_id in workflow_ids:
            try:
                async with asyncio.timeout(3):
                    await self._client.get_workflow_handle(workflow_id).cancel()
            except (TimeoutError, RuntimeError) as error:
                logger.warning("run %s could not be cancelled (%s)", workflow_id, type(error).__name__)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    logger.warning("run %s could not be cancelled (%s)", workflow_id, error.status.name)

    async def list_retries(self, workflow_id: str) -> list[PendingRetry]:
        """Return the activities of a run that wait for their next attempt. Raises Unavailable while Temporal is
        away."""
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            async with asyncio.timeout(3):
                described = await handle.describe()
        except (TimeoutError, RuntimeError) as error:
            raise Unavailable from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return []
            raise Unavailable from error
        found = []
        for pending in described.raw_description.pending_activities:
            if pending.attempt <= 1 and not pending.HasField("last_failure"):
                continue
            failure = pending.last_failure
            info = failure.application_failure_info
            found.append(
                PendingRetry(
                    step=_STEPS.get(pending.activity_type.name, pending.activity_type.name),
                    delivery_id=_delivery_id(pending.activity_id),
                    attempt=pending.attempt,
                    max_attempts=pending.maximum_attempts or None,
                    # during an attempt this is the start of that attempt, which is past
                    next_try_at=(
                        pending.scheduled_time.ToDatetime(tzinfo=UTC)
                        if pending.state == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
                        and pending.HasField("scheduled_time")
                        else None
                    ),
                    code=info.type if info.type in set(ErrorCode) else ErrorCode.internal.value,
                    detail="",
                )
            )
        return found

    async def is_reachable(self) -> bool:
        try:
            async with asyncio.timeout(3):
                return await self._client.service_client.check_health(timeout=timedelta(seconds=2))
        except (TimeoutError, RPCError, RuntimeError):
            return False

    async def find_setup_problem(self) -> str | None:
        """Return what namespace or search attributes lack, or None; nothing is asked again after it was None."""
        if self._is_set_up:
            return None
        try:
            async with asyncio.timeout(5):
                await ensure_namespace(self._client)
                missing = await find_missing_attributes(self._client)
        except StartRefused as refused:
            return str(refused)
        except (TimeoutError, RPCError, RuntimeError) as error:
            return f"Temporal: namespace and search attributes cannot be read ({type(error).__name__})"
        if missing:
            return describe_missing(self._client.namespace, missing)
        self._is_set_up = True
        return None

    async def has_pollers(self) -> bool:
        """Return whether every queue is polled: a reachable server alone does nothing."""
        return (await self.read_queues()).polled

    async def read_queues(self) -> Queues:
        """Return whether every queue is polled, and how many tasks wait in them."""
        try:
            async with asyncio.timeout(5):
                found = await asyncio.gather(*map(self._read_queue, queues()))
        except (TimeoutError, RPCError, RuntimeError):
            return Queues(False, None)
        return Queues(all(one.polled for one in found), sum(one.backlog or 0 for one in found))

    async def list_unpolled(self) -> list[str]:
        """Return the queues that no worker polls. Raises TimeoutError, RPCError or RuntimeError."""
        async with asyncio.timeout(5):
            found = await asyncio.gather(*map(self._read_queue, queues()))
        return [name for name, queue in zip(queues(), found, strict=True) if not queue.polled]

    async def _read_queue(self, queue: str) -> Queues:
        kinds = [TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY]
        if queue in (ASSISTANTS, "runs"):
            kinds.append(TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW)
        if queue == ASSISTANTS:
            kinds = [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW]  # its activities are local
        polled, backlog = True, 0
        for kind in kinds:
            answer = await self._client.workflow_service.describe_task_queue(
                DescribeTaskQueueRequest(
                    namespace=self._client.namespace,
                    task_queue=TaskQueue(name=queue),
                    task_queue_type=kind,
                    report_stats=True,
                )
            )
            # workers of another build get nothing but what is pinned to it
            current = answer.versioning_info.current_deployment_version.build_id
            working = [poller for poller in answer.pollers if build_of(poller) == current]
            newest = max((poller.last_access_time.ToDatetime(tzinfo=UTC) for poller in working), default=None)
            polled = polled and newest is not None and datetime.now(UTC) - newest <= LONGEST_POLL
            backlog += answer.stats.approximate_backlog_count
        return Queues(polled, backlog)

    async def count_stuck(self) -> int | None:
        """Return how many workflows have reported that their tasks keep failing; None while Temporal is away, or if the
        server is too old to tell. Asks at most once a minute, since the server counts among all workflows."""
        if self._stuck is None or time.monotonic() - self._stuck[0] > _COUNTED_EVERY:
            try:
                async with asyncio.timeout(5):
                    found = await self._client.count_workflows(
                        "TemporalReportedProblems IS NOT NULL AND ExecutionStatus = 'Running'"
                    )
            except (TimeoutError, RPCError, RuntimeError):
                return None
            self._stuck = time.monotonic(), found.count
        return self._stuck[1]
