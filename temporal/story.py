"""What Temporal knows about one workflow, for an operator."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from temporalio.api.enums.v1 import EventType, PendingActivityState
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflow.v1 import PendingActivityInfo
from temporalio.client import Client, WorkflowExecutionDescription
from temporalio.service import RPCError, RPCStatusCode

_TIMEOUT = 20  # seconds
_ENDS = {
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED: "the workflow failed",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT: "the workflow timed out",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED: "the workflow was terminated",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED: "the workflow was cancelled",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED: "cancellation was requested",
}


@dataclass(frozen=True)
class WorkflowStory:
    workflow_id: str
    facts: Sequence[str]
    failures: Sequence[tuple[datetime, str]]
    """Failed attempts and tasks, in order."""


async def read_workflow(client: Client, workflow_id: str) -> WorkflowStory | None:
    """Return the story of the latest execution, or None if the server has none, since it was never started or its
    retention is over. Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
    handle = client.get_workflow_handle(workflow_id)
    try:
        async with asyncio.timeout(_TIMEOUT):
            described = await handle.describe()
            history = [event async for event in handle.fetch_history_events()]
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise
    return WorkflowStory(workflow_id, await _facts(described), list(_failures(history)))


async def _facts(described: WorkflowExecutionDescription) -> list[str]:
    status = described.status.name.lower() if described.status else "unknown"
    closed = f", closed {described.close_time:%F %T} UTC" if described.close_time else ""
    facts = [
        f"{described.workflow_type} {status}, started {described.start_time:%F %T} UTC{closed}, "
        f"{described.history_length} events",
        f"execution {described.run_id}",
    ]
    if request_id := await described.memo_value("request_id", default=None):
        facts.append(f"started by request {request_id}")
    raw = described.raw_description
    if raw.HasField("pending_workflow_task") and raw.pending_workflow_task.attempt > 1:
        facts.append(f"its code fails: attempt {raw.pending_workflow_task.attempt} of a workflow task")
    return facts + [_pending_text(pending) for pending in raw.pending_activities]


def _pending_text(pending: PendingActivityInfo) -> str:
    text = f"pending: {pending.activity_type.name}, attempt {pending.attempt}"
    if pending.HasField("last_failure"):
        text += f", last failure {_code(pending.last_failure)}"
    waits = pending.state == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
    if waits and pending.HasField("scheduled_time"):
        text += f", next try {pending.scheduled_time.ToDatetime(tzinfo=UTC):%F %T} UTC"
    return text


def _failures(history: Sequence[HistoryEvent]) -> Iterator[tuple[datetime, str]]:
    names: dict[int, str] = {}
    for event in history:
        at = event.event_time.ToDatetime(tzinfo=UTC)
        if event.HasField("activity_task_scheduled_event_attributes"):
            names[event.event_id] = event.activity_task_scheduled_event_attributes.activity_type.name
        elif event.HasField("activity_task_started_event_attributes"):
            started = event.activity_task_started_event_attributes
            if started.HasField("last_failure"):
                name = names.get(started.scheduled_event_id, "activity")
                yield (
                    at,
                    f"{name}: attempt {started.attempt} began after {_code(started.last_failure)}",
                )
        elif event.HasField("activity_task_failed_event_attributes"):
            failed = event.activity_task_failed_event_attributes
            yield at, f"{names.get(failed.scheduled_event_id, 'activity')} failed: {_code(failed.failure)}"
        elif event.HasField("activity_task_timed_out_event_attributes"):
            late = event.activity_task_timed_out_event_attributes
            yield at, f"{names.get(late.scheduled_event_id, 'activity')} timed out: {_code(late.failure)}"
        elif event.HasField("workflow_task_failed_event_attributes"):
            cause = event.workflow_task_failed_event_attributes
            yield at, f"a workflow task failed: {_code(cause.failure)}"
        elif event.event_type in _ENDS:
            yield at, _ENDS[event.event_type]


def _code(failure: Failure) -> str:
    """Return the innermost error type, which is an error code or a class's name, also where messages are encrypted."""
    while failure.HasField("cause"):
        failure = failure.cause
    if failure.HasField("application_failure_info"):
        return failure.application_failure_info.type
    if failure.HasField("timeout_failure_info"):
        return "timeout"
    return "cancelled" if failure.HasField("canceled_failure_info") else failure.message or "unknown"
