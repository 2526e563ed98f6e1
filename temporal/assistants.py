"""Messages to the workflows of assistants."""

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
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

from core.assistants.configuration import schedule_from_json, schedule_versions_of
from core.assistants.rules.assistants import AssistantPhase
from core.assistants.rules.planning import Outage, missed_by_replaced
from core.assistants.tables import Assistant, AssistantStatus
from core.clock import utcnow
from core.errors import Conflict, ErrorCode, Unavailable
from core.networks.rules.channels import ChannelKind
from core.settings import Settings
from temporal.away import LATER
from temporal.newest import Debouncer
from workflows.assistant import AssistantWorkflow
from workflows.messages import AssistantState, RunNow, Setup, Skip
from workflows.names import ASSISTANT_ID, ASSISTANTS, CHANNELS, REQUEST, USER_ID, assistant_workflow, owned_by

Answer = TypeVar("Answer")

# phases of a running workflow of an active assistant
_RUNNING_PHASES = frozenset(
    {AssistantPhase.asleep, AssistantPhase.planning_failed, AssistantPhase.paused, AssistantPhase.finished}
)
# minimum seconds between two configurations sent to one assistant
_SAVE_INTERVAL = 0.5
# characters of a name in static summaries, which have 200 bytes
_TITLE = 60


async def _await_answer(update: Awaitable[Answer]) -> Answer:
    """Return the answer of an update within three seconds. Raises Conflict with the reason if it is refused,
    Unavailable if nobody answers or it failed: then nothing has changed, or a repeat finds it done."""
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
class _SavedConfiguration:
    """A saved configuration to be sent to its workflow."""

    row: Assistant
    status: AssistantStatus | None
    setup: Setup


class AssistantMessages:
    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        self._newest = Debouncer(self._send_configuration, pause=_SAVE_INTERVAL)

    async def configure(self, row: Assistant, status: AssistantStatus | None, channels: Iterable[ChannelKind]) -> bool:
        """Send a saved configuration to its workflow, and start that if needed.

        Return True if the workflow has applied this or a later version; False if Temporal or its worker is away, and it
        takes effect later.
        """
        if not row.active and row.version <= 1:
            return True  # never was active: it has no workflow
        saved = _SavedConfiguration(row, status, self._setup(row, channels))
        return await self._newest.submit(row.id, row.version, saved) >= row.version

    async def _send_configuration(self, saved: _SavedConfiguration) -> int:
        """Return the version in force afterwards, 0 if nobody answered."""
        row, setup = saved.row, saved.setup
        if not row.active:
            return row.version if await self._configure_running(row, setup) else 0
        try:
            async with asyncio.timeout(3):
                applied = await self._client.execute_update_with_start_workflow(
                    AssistantWorkflow.configure,
                    setup,
                    id=f"setup-{row.version}",
                    start_workflow_operation=self._start_operation(row, setup, saved.status),
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

    async def _configure_running(self, row: Assistant, setup: Setup) -> bool:
        """Send the set-up to a running workflow; a closed one needs nothing. Return False if Temporal is away."""
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
        """For the reconcile: send the row's set-up as a signal, which is durable and has no answer. Return False if
        there is no workflow and none is needed."""
        setup = self._setup(row, channels)
        async with asyncio.timeout(10):
            if row.active:
                await self._client.start_workflow(
                    AssistantWorkflow.run,
                    self._state(row, setup, status),
                    id=assistant_workflow(row.id),
                    task_queue=ASSISTANTS,
                    priority=owned_by(row.user_id, REQUEST),
                    id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                    start_signal="configured",
                    start_signal_args=[setup],
                    static_summary=row.name[:_TITLE],
                    search_attributes=self._search_attributes(row, setup),
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
        """Start a run outside the schedule. Return its id, the same for the same request. Raises Unavailable if it
        cannot be started now, Conflict (assistant_inactive)."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        order = RunNow(request_id)
        started = await _await_answer(handle.execute_update(AssistantWorkflow.run_now, order, id=f"now-{request_id}"))
        return started.run_id

    async def skip(self, assistant_id: UUID, slot: datetime) -> datetime | None:
        """Skip the next slot. Return until when that can be undone, None if not.

        Raises Unavailable if it cannot be done now, Conflict: skip_not_next with the actual next slot, nothing_to_skip,
        run_armed, assistant_inactive.
        """
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        return (await _await_answer(handle.execute_update(AssistantWorkflow.skip, Skip(slot)))).undo_until

    async def unskip(self, assistant_id: UUID, slot: datetime) -> None:
        """Undo a skip. Raises Unavailable if it cannot be done now, Conflict: undo_expired, assistant_inactive."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        await _await_answer(handle.execute_update(AssistantWorkflow.unskip, Skip(slot)))

    async def replan(self, assistant_id: UUID) -> bool:
        """Let the assistant plan again, with new time zone data. Return False if it is not running."""
        handle = self._client.get_workflow_handle_for(AssistantWorkflow.run, assistant_workflow(assistant_id))
        try:
            async with asyncio.timeout(10):
                await handle.signal(AssistantWorkflow.replan)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True

    def _start_operation(
        self, row: Assistant, setup: Setup, status: AssistantStatus | None
    ) -> WithStartWorkflowOperation[AssistantWorkflow, None]:
        return WithStartWorkflowOperation(
            AssistantWorkflow.run,
            self._state(row, setup, status),
            id=assistant_workflow(row.id),
            task_queue=ASSISTANTS,
            priority=owned_by(row.user_id, REQUEST),
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            static_summary=row.name[:_TITLE],
            search_attributes=self._search_attributes(row, setup),
        )

    def _state(self, row: Assistant, setup: Setup, status: AssistantStatus | None) -> AssistantState:
        versions = schedule_versions_of(row)
        cursor = versions[-1].since if versions else utcnow()
        missed: tuple[Outage, ...] = ()
        # Activating never catches up. The successor of a lost workflow continues at the old cursor, so that no slot
        # runs twice or is lost.
        if status and status.cursor and status.phase in _RUNNING_PHASES:
            applied = sum(1 for version in versions if version.version <= status.applied_version)
            if applied == len(versions):
                cursor = status.cursor
            else:
                missed = missed_by_replaced(versions[max(0, applied - 1) :], status.cursor)
        return AssistantState(
            user_id=row.user_id,
            assistant_id=row.id,
            setup=setup,
            cursor=cursor,
            revision=status.revision if status else 0,
            replaced=missed,
        )

    def _search_attributes(self, row: Assistant, setup: Setup) -> TypedSearchAttributes:
        return TypedSearchAttributes(
            [
                SearchAttributePair(USER_ID, str(row.user_id)),
                SearchAttributePair(ASSISTANT_ID, str(row.id)),
                SearchAttributePair(CHANNELS, list(setup.channels)),
            ]
        )

    def _setup(self, row: Assistant, channels: Iterable[ChannelKind]) -> Setup:
        schedule = schedule_from_json(row.schedule)
        assert schedule is not None  # saving refuses an assistant without a schedule
        settings = self._settings
        versions = schedule_versions_of(row)
        return Setup(
            version=row.version,
            since=versions[-1].since if versions else None,
            former=versions[:-1],
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
