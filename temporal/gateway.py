"""What API, command line and reconcile say to workflows. No handler or id is named outside of it."""

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import PendingActivityState, TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest, DescribeTaskQueueRequest
from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from core.assistants.configuration import schedule_from_json, stretches_of
from core.assistants.rules.assistants import AssistantPhase
from core.assistants.rules.planning import Outage, replaced
from core.assistants.tables import Assistant, AssistantStatus
from core.clock import utcnow
from core.errors import Conflict, ErrorCode, Unavailable
from core.networks.rules.channels import ChannelKind
from core.notifications.repositories.mails import Waiting
from core.settings import Settings
from core.social_accounts.rules import GrantState
from core.users.repositories.deletion import WorkflowNames
from temporal.away import LATER
from temporal.follow_ups import FollowUpStarter
from temporal.newest import Newest
from temporal.posts import PostMessages
from temporal.registry import queues
from workflows.assistant import AssistantWorkflow
from workflows.comparison import ComparisonWorkflow
from workflows.grant import GrantWorkflow
from workflows.mail import MailWorkflow
from workflows.messages import (
    AssistantState,
    Comparison,
    GrantOrder,
    MailOrder,
    RunNow,
    Setup,
    Skip,
    SuggestionOrder,
    TryoutOrder,
)
from workflows.names import (
    ASSISTANT_ID,
    ASSISTANTS,
    CHANNELS,
    COMPARISON,
    GRANT_STATE,
    RUNS,
    USER_ID,
    assistant_workflow,
    follow_up_workflow,
    grant_workflow,
    mail_workflow,
    post_workflow,
    suggestion_workflow,
    tryout_workflow,
)
from workflows.suggestion import SuggestionWorkflow
from workflows.tryout import TryoutWorkflow

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

# a poll lasts up to a minute, so an older one means that nobody polls
_POLL = timedelta(seconds=70)
# executions deleted at once, and how long one may take
_DELETIONS = 20
_DELETION = timedelta(seconds=10)
# how long somebody who stops a try-out waits to see it stopped
_STOPPING = 5.0  # seconds
# phases that a workflow has told of itself while its assistant was to post
_ALIVE = frozenset(
    {AssistantPhase.asleep, AssistantPhase.planning_failed, AssistantPhase.paused, AssistantPhase.finished}
)
# seconds between two saved configurations of one assistant that are told; it acts on each within a second
_BETWEEN_SAVES = 0.5
# characters of a name in what operators see: its place has 200 bytes
_TITLE = 60


@dataclass(frozen=True)
class Retry:
    """A step that failed and waits for its next try, as Temporal tells it."""

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
    "plan_article": "outline",
    "write_section": "text",
    "write_summary": "summary",
    "write_search": "search",
    "make": "image",
    "check": "check",
    "stage": "stage",
    "deliver": "deliver",
}


def _delivery(activity_id: str) -> UUID | None:
    """`deliver-<id>` and `stage-<id>` name their delivery."""
    kind, _, rest = activity_id.partition("-")
    return UUID(rest) if kind in ("deliver", "stage") and rest else None


async def _told(start: Awaitable[None]) -> bool:
    """Whether Temporal has heard it."""
    try:
        await start
    except (TimeoutError, RuntimeError):
        return False
    except RPCError as error:
        if error.status not in LATER:
            raise
        return False
    return True


async def _answered(update: Awaitable[Answer]) -> Answer:
    """What a workflow answers within three seconds. Raises Conflict with its reason where it refuses, Unavailable where
    nobody answers or it could not be done: then nothing has changed, or asking again finds it done."""
    try:
        async with asyncio.timeout(3):
            return await update
    except WorkflowUpdateFailedError as error:
        cause = error.cause
        code = cause.type if isinstance(cause, ApplicationError) else None
        if code is None or code not in set(ErrorCode) or code == ErrorCode.internal:
            raise Unavailable from error
        right = next(iter(cause.details), None) if isinstance(cause, ApplicationError) else None
        raise (Conflict(ErrorCode(code), slot=str(right)) if right else Conflict(ErrorCode(code))) from error
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError, RuntimeError) as error:
        raise Unavailable from error
    except RPCError as error:
        if error.status not in LATER:
            raise
        raise Unavailable from error


@dataclass(frozen=True)
class _Saved:
    """A saved configuration on its way to its workflow."""

    row: Assistant
    status: AssistantStatus | None
    setup: Setup


class Gateway:
    def __init__(self, client: Client, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self.posts = PostMessages(client, settings)
        self.follow_ups = FollowUpStarter(client, settings)
        self._newest = Newest(self._tell_configuration, pause=_BETWEEN_SAVES)

    async def configure(self, row: Assistant, status: AssistantStatus | None, channels: Iterable[ChannelKind]) -> bool:
        """Tell the workflow of a saved configuration, starting it where it does not run yet.

        True: it has taken this or a later one over. False: Temporal or its worker is away; it takes effect later.
        """
        if not row.active and row.version <= 1:
            return True  # never was active: there is no workflow to tell
        saved = _Saved(row, status, self._setup(row, channels))
        return await self._newest.told(row.id, row.version, saved) >= row.version

    async def _tell_configuration(self, saved: _Saved) -> int:
        """The version in force afterwards, 0 where nobody could say."""
        row, setup = saved.row, saved.setup
        if not row.active:
            return row.version if await self._tell_running(row, setup) else 0
        try:
            async with asyncio.timeout(3):
                applied = await self._client.execute_update_with_start_workflow(
                    AssistantWorkflow.configure,
                    setup,
                    id=f"setup-{row.version}",
                    start_workflow_operation=self._start(row, setup, saved.status),
                )
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError, WorkflowUpdateFailedError, RuntimeError):
            return 0
        except WorkflowAlreadyStartedError:
            return 0
        except RPCError as error:
            if error.status not in LATER:
                raise
            return 0
        return applied

    async def _tell_running(self, row: Assistant, setup: Setup) -> bool:
        """Only one that runs: a closed workflow needs no closing."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(row.id))
        try:
            async with asyncio.timeout(3):
                await handle.execute_update(AssistantWorkflow.configure, setup, id=f"setup-{row.version}")
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError, WorkflowUpdateFailedError, RuntimeError):
            return False
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return True
            if error.status not in LATER:
                raise
            return False
        return True

    async def repair(self, row: Assistant, status: AssistantStatus | None, channels: Iterable[ChannelKind]) -> bool:
        """Bring a workflow that is behind its row up to it; durable at once, answers nothing. For the reconcile.

        True where the workflow was told; False where there is none and none is needed.
        """
        setup = self._setup(row, channels)
        async with asyncio.timeout(10):
            if row.active:
                await self._client.start_workflow(
                    AssistantWorkflow.run,
                    self._state(row, setup, status),
                    id=assistant_workflow(row.id),
                    task_queue=ASSISTANTS,
                    id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                    start_signal="configured",
                    start_signal_args=[setup],
                    static_summary=row.name[:_TITLE],
                    search_attributes=self._attributes(row, setup),
                )
                return True
            handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(row.id))
            try:
                await handle.signal(AssistantWorkflow.configured, setup)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    raise
                return False
            return True

    async def run_now(self, assistant_id: UUID, request_id: UUID) -> UUID:
        """A run beside the schedule; its id, the same for the same request. Raises Unavailable where it cannot be begun
        now, Conflict (assistant_inactive)."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        order = RunNow(request_id)
        started = await _answered(handle.execute_update(AssistantWorkflow.run_now, order, id=f"now-{request_id}"))
        return started.run_id

    async def skip(self, assistant_id: UUID, slot: datetime) -> datetime | None:
        """Leave out the slot that comes next. Until when that can be taken back, if it can.

        Raises Unavailable where it cannot be done now, Conflict: skip_not_next with the right slot, nothing_to_skip,
        run_armed, assistant_inactive.
        """
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        return (await _answered(handle.execute_update(AssistantWorkflow.skip, Skip(slot)))).undo_until

    async def unskip(self, assistant_id: UUID, slot: datetime) -> None:
        """Raises Unavailable where it cannot be done now, Conflict: undo_expired, assistant_inactive."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        await _answered(handle.execute_update(AssistantWorkflow.unskip, Skip(slot)))

    async def replan(self, assistant_id: UUID) -> bool:
        """Let it plan again: its plan was made with other time zone data. False: there is none that runs."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        try:
            async with asyncio.timeout(10):
                await handle.signal(AssistantWorkflow.replan)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    async def running(self, kind: type) -> set[str]:
        """The ids of the workflows of a kind that run, as far as the list knows, which lags behind. Raises RPCError,
        TimeoutError or RuntimeError while Temporal is away."""
        query = f"WorkflowType = '{kind.__name__}' AND ExecutionStatus = 'Running'"
        async with asyncio.timeout(60):
            return {found.id async for found in self._client.list_workflows(query)}

    async def is_running(self, workflow_id: str) -> bool:
        """Raises as `running`."""
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            async with asyncio.timeout(10):
                return (await handle.describe()).status is WorkflowExecutionStatus.RUNNING
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False

    async def send_mails(self, waiting: Sequence[Waiting]) -> int:
        """Start the workflow of each mail that has none running. Returns how many. For the reconcile."""
        if not waiting:
            return 0
        # as far as the list knows, which lags: one that runs all the same is left alone
        running = await self.running(MailWorkflow)
        missing = [mail for mail in waiting if mail_workflow(mail.id) not in running]
        for mail in missing:
            async with asyncio.timeout(10):
                await self._client.start_workflow(
                    MailWorkflow.run,
                    MailOrder(mail.id),
                    id=mail_workflow(mail.id),
                    task_queue=RUNS,
                    id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                    search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(mail.user_id))]),
                )
        return len(missing)

    async def start_tryout(self, user_id: UUID, tryout_id: UUID) -> bool:
        """Start a try-out's workflow. False: Temporal is away; the reconcile starts it later."""
        return await _told(self.ensure_tryout(user_id, tryout_id))

    async def start_suggestion(self, user_id: UUID, suggestion_id: UUID) -> bool:
        """As `start_tryout`."""
        return await _told(self.ensure_suggestion(user_id, suggestion_id))

    async def ensure_tryout(self, user_id: UUID, tryout_id: UUID) -> None:
        """Start its workflow; one that runs is left alone. For the reconcile, which knows what failing means."""
        async with asyncio.timeout(3):
            await self._client.start_workflow(
                TryoutWorkflow.run,
                TryoutOrder(user_id, tryout_id),
                id=tryout_workflow(tryout_id),
                task_queue=RUNS,
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
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="suggestions for a topic",
                search_attributes=TypedSearchAttributes([SearchAttributePair(USER_ID, str(user_id))]),
            )

    async def ensure_comparison(self) -> None:
        """Start the daily comparison of subscriptions; one that runs is left alone. Raises RPCError, TimeoutError or
        RuntimeError while Temporal is away."""
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                ComparisonWorkflow.run,
                Comparison(),
                id=COMPARISON,
                task_queue=RUNS,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                static_summary="subscriptions beside what Stripe says",
            )

    async def tell_grant(self, user_id: UUID, grant_id: UUID, kind: ChannelKind) -> None:
        """Let its workflow look at its row, and start it where it does not run; durable at once. For the reconcile:
        raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
        address = f"{self._settings.public_url}/account"
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                GrantWorkflow.run,
                GrantOrder(user_id, grant_id, kind.value, address),
                id=grant_workflow(grant_id),
                task_queue=RUNS,
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
        """Nothing posts by it any more: its workflow ends. False: Temporal is away; the reconcile tells it later."""
        return await _told(self.tell_unused_grant(grant_workflow(grant_id)))

    async def tell_unused_grant(self, workflow_id: str) -> None:
        """Nothing posts by it any more: where its workflow runs, it finds that out. Raises as `tell_grant`."""
        handle = self._client.get_workflow_handle_for(GrantWorkflow.run, workflow_id)
        try:
            async with asyncio.timeout(10):
                await handle.signal(GrantWorkflow.changed)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise

    async def cancel_tryout(self, tryout_id: UUID) -> bool:
        """Stop a try-out. False: no workflow of it is there, so nothing of it runs.

        True when it has stopped, or where no worker is there to stop it: it is stopped before anything else then.
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

    async def forget(self, user_id: UUID, names: WorkflowNames) -> int:
        """Stop and delete every execution of a user, closed ones too. Returns how many were there.

        `names` are looked up by their ids, which needs no list; lists lag behind, so repeat it until it finds none.
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
            *(grant_workflow(grant_id) for grant_id in names.grant_ids),
            *(follow_up_workflow(kind, row_id) for kind, row_id in names.follow_ups),
        ]
        seen = {workflow_id for workflow_id, _ in listed}
        wanted = [*listed, *((workflow_id, "") for workflow_id in named if workflow_id not in seen)]
        there = 0
        for start in range(0, len(wanted), _DELETIONS):
            portion = wanted[start : start + _DELETIONS]
            there += sum(await asyncio.gather(*(self._delete(*execution) for execution in portion)))
        # one that is listed is not gone, whatever its history says
        return max(there, len(listed))

    async def _delete(self, workflow_id: str, run_id: str) -> bool:
        """Whether it was there. The server ends one that runs; without a run's id it is the latest."""
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
        """Stop runs whose rows say already that they are cancelled: one that cannot be told finds out by itself."""
        for workflow_id in workflow_ids:
            try:
                async with asyncio.timeout(3):
                    await self._client.get_workflow_handle(workflow_id).cancel()
            except (TimeoutError, RuntimeError) as error:
                logger.warning("run %s was not told that it is cancelled (%s)", workflow_id, type(error).__name__)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:
                    logger.warning("run %s was not told that it is cancelled (%s)", workflow_id, error.status.name)

    async def retries(self, workflow_id: str) -> list[Retry]:
        """The steps of a run that wait for their next try. Raises Unavailable while Temporal is away."""
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
                Retry(
                    step=_STEPS.get(pending.activity_type.name, pending.activity_type.name),
                    delivery_id=_delivery(pending.activity_id),
                    attempt=pending.attempt,
                    max_attempts=pending.maximum_attempts or None,
                    # while an attempt is running the time is that attempt's own, which is past
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

    async def reachable(self) -> bool:
        try:
            async with asyncio.timeout(3):
                return await self._client.service_client.check_health(timeout=timedelta(seconds=2))
        except (TimeoutError, RPCError, RuntimeError):
            return False

    async def polled(self) -> bool:
        """Whether somebody polls every queue: a reachable server alone moves nothing."""
        try:
            async with asyncio.timeout(5):
                return all(await asyncio.gather(*map(self._has_poller, queues())))
        except (TimeoutError, RPCError, RuntimeError):
            return False

    async def _has_poller(self, queue: str) -> bool:
        kinds = [TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY]
        if queue in (ASSISTANTS, "runs"):
            kinds.append(TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW)
        if queue == ASSISTANTS:
            kinds = [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW]  # its steps are local
        for kind in kinds:
            answer = await self._client.workflow_service.describe_task_queue(
                DescribeTaskQueueRequest(
                    namespace=self._client.namespace, task_queue=TaskQueue(name=queue), task_queue_type=kind
                )
            )
            newest = max((poller.last_access_time.ToDatetime(tzinfo=UTC) for poller in answer.pollers), default=None)
            if newest is None or datetime.now(UTC) - newest > _POLL:
                return False
        return True

    def _start(
        self, row: Assistant, setup: Setup, status: AssistantStatus | None
    ) -> WithStartWorkflowOperation[AssistantWorkflow, None]:
        return WithStartWorkflowOperation(
            AssistantWorkflow.run,
            self._state(row, setup, status),
            id=assistant_workflow(row.id),
            task_queue=ASSISTANTS,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            static_summary=row.name[:_TITLE],
            search_attributes=self._attributes(row, setup),
        )

    def _state(self, row: Assistant, setup: Setup, status: AssistantStatus | None) -> AssistantState:
        stretches = stretches_of(row)
        cursor = stretches[-1].since if stretches else utcnow()
        missed: tuple[Outage, ...] = ()
        # Activating never catches up. Where the workflow of an active assistant was lost, its successor goes on at the
        # old cursor, so that no slot runs twice or vanishes.
        if status and status.cursor and status.phase in _ALIVE:
            heard = sum(1 for stretch in stretches if stretch.version <= status.applied_version)
            if heard == len(stretches):
                cursor = status.cursor
            else:
                missed = replaced(stretches[max(0, heard - 1) :], status.cursor)
        return AssistantState(
            user_id=row.user_id,
            assistant_id=row.id,
            setup=setup,
            cursor=cursor,
            revision=status.revision if status else 0,
            replaced=missed,
        )

    def _attributes(self, row: Assistant, setup: Setup) -> TypedSearchAttributes:
        return TypedSearchAttributes(
            [
                SearchAttributePair(USER_ID, str(row.user_id)),
                SearchAttributePair(ASSISTANT_ID, str(row.id)),
                SearchAttributePair(CHANNELS, list(setup.channels)),
            ]
        )

    def _setup(self, row: Assistant, channels: Iterable[ChannelKind]) -> Setup:
        schedule = schedule_from_json(row.schedule)
        assert schedule is not None  # saving refuses an assistant without one
        settings = self._settings
        stretches = stretches_of(row)
        return Setup(
            version=row.version,
            since=stretches[-1].since if stretches else None,
            former=stretches[:-1],
            name=row.name[:_TITLE],
            schedule=schedule,
            lead_seconds=row.lead_minutes * 60,
            channels=tuple(sorted({kind.value for kind in channels})),
            active=row.active,
            catch_up_seconds=(settings.catch_up_seconds if row.catch_up_minutes is None else row.catch_up_minutes * 60),
            jitter_seconds=settings.jitter_seconds,
            arm_seconds=settings.arm_seconds,
            arm_spread_seconds=settings.arm_spread_seconds,
            stage_ahead_seconds=settings.stage_ahead_seconds,
            paused=row.paused_at is not None,
            paused_until=row.paused_until,
            paused_since=row.paused_at,
            pause_reason=row.pause_reason or "",
            address=f"{settings.public_url}/assistants/{row.id}",
        )
