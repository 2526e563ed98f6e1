"""Temporal after the database was restored from a backup: what its workflows know of the time since then, and a
namespace without them, in which the reconcile starts all workflows anew from the rows."""

import asyncio
from datetime import datetime
from typing import Final
from uuid import UUID

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from temporal.at_once import run_at_once
from temporal.registry import WORKFLOWS
from workflows.names import NEXT_SLOT, POST_ID

_PAGE: Final = 500
_PAUSE: Final = 1.0
"""Seconds between two looks. Lists lag behind, so nothing is left only when several in a row find nothing."""
_LOOKS: Final = 2
_TIMEOUT: Final = 10


def _text(moment: datetime) -> str:
    return moment.isoformat()


async def read_known_times(client: Client, backup_from: datetime, now: datetime) -> list[tuple[UUID, datetime]]:
    """Return (post, planned time) of the posts that were due by `now` and whose workflow is running, or has ended since
    the backup: a person may have moved them after it. Raise RPCError while Temporal is away."""
    query = (
        f"WorkflowType IN ('RunWorkflow', 'PostWorkflow') AND {POST_ID.name} IS NOT NULL "
        f"AND {NEXT_SLOT.name} <= '{_text(now)}' AND {_left_since(backup_from)}"
    )
    return [
        (UUID(post_id), planned_at)
        async for found in client.list_workflows(query, page_size=_PAGE)
        if (post_id := found.typed_search_attributes.get(POST_ID))
        and (planned_at := found.typed_search_attributes.get(NEXT_SLOT))
    ]


async def delete_workflows(client: Client, backup_from: datetime) -> int:
    """Delete all workflows of Postloom in the namespace that are running or have ended since the backup: they know what
    the database does not, and a workflow that the reconcile starts anew needs its id. Return their number. Idempotent.
    Raise RPCError while Temporal is away."""
    types = ", ".join(f"'{one.__name__}'" for one in WORKFLOWS)
    query = f"WorkflowType IN ({types}) AND {_left_since(backup_from)}"
    deleted: set[tuple[str, str]] = set()
    empty = 0
    while empty < _LOOKS:
        listed = client.list_workflows(query, page_size=_PAGE)
        # a list may go on naming what is deleted
        found = {(one.id, one.run_id) async for one in listed} - deleted
        await run_at_once(lambda one: _delete(client, *one), found)
        deleted |= found
        empty = 0 if found else empty + 1
        if empty < _LOOKS:
            await asyncio.sleep(_PAUSE)
    return len(deleted)


def _left_since(backup_from: datetime) -> str:
    return f"(ExecutionStatus = 'Running' OR CloseTime >= '{_text(backup_from)}')"


async def _delete(client: Client, workflow_id: str, run_id: str) -> None:
    """The server terminates a running one."""
    execution = WorkflowExecution(workflow_id=workflow_id, run_id=run_id)
    request = DeleteWorkflowExecutionRequest(namespace=client.namespace, workflow_execution=execution)
    try:
        async with asyncio.timeout(_TIMEOUT):
            await client.workflow_service.delete_workflow_execution(request, retry=True)
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
