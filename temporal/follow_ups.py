"""Start the workflows of follow-ups. Only the reconcile does so: the row that requests one wakes it on commit."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from temporalio.client import Client
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy
from temporalio.service import RPCError

from core.deliveries.rules.follow_ups import FollowUp, FollowUpKind
from core.settings import Settings
from temporal.at_once import run_at_once
from temporal.away import AWAY
from workflows.follow_ups import AnnouncementWorkflow, FirstCommentWorkflow, RemovalWorkflow, RevisionWorkflow
from workflows.names import CHANNELS, POST_ID, RECORD, RUNS, USER_ID, follow_up_workflow, owned_by

logger = logging.getLogger(__name__)

_TIMEOUT: Final = 10  # seconds

_Workflow = type[AnnouncementWorkflow | FirstCommentWorkflow | RemovalWorkflow | RevisionWorkflow]

_WORKFLOWS: Final[Mapping[FollowUpKind, tuple[_Workflow, str]]] = {
    FollowUpKind.first_comment: (FirstCommentWorkflow, "first comment at {channel}"),
    FollowUpKind.removal: (RemovalWorkflow, "removal at {channel}"),
    FollowUpKind.revision: (RevisionWorkflow, "update of an article at {channel}"),
    FollowUpKind.announcement: (AnnouncementWorkflow, "announcement of an article"),
}
"""Workflow and summary for operators."""


class FollowUpStarter:
    def __init__(
        self, client: Client, settings: Settings, running_ids: Callable[[Collection[str]], Awaitable[set[str]]]
    ) -> None:
        self._client, self._settings, self._running_ids = client, settings, running_ids

    async def start(self, due: Sequence[FollowUp]) -> int:
        """Start the workflow of each of a page that has none. Return their number. Raises RPCError, TimeoutError or
        RuntimeError while Temporal is away; a failure of one alone does not stop the others."""
        # the list lags: a workflow that is running all the same is left alone
        running = await self._running_ids([follow_up_workflow(one.kind, one.id) for one in due])
        missing = [one for one in due if follow_up_workflow(one.kind, one.id) not in running]
        return sum(await run_at_once(self._start, missing))

    async def _start(self, one: FollowUp) -> bool:
        workflow, summary = _WORKFLOWS[one.kind]
        try:
            async with asyncio.timeout(_TIMEOUT):
                await self._client.start_workflow(
                    workflow.run,
                    replace(one, address=self._address(one)),
                    id=follow_up_workflow(one.kind, one.id),
                    task_queue=RUNS,
                    priority=owned_by(one.user_id, RECORD),
                    id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                    static_summary=summary.format(channel=one.channel),
                    search_attributes=TypedSearchAttributes(
                        [
                            SearchAttributePair(USER_ID, str(one.user_id)),
                            SearchAttributePair(POST_ID, str(one.post_id)),
                            SearchAttributePair(CHANNELS, [one.channel] if one.channel else []),
                        ]
                    ),
                )
        except RPCError as error:
            if error.status in AWAY:
                raise
            logger.warning("reconcile: the %s of %s could not be started (%s)", one.kind, one.id, error.status.name)
            return False
        return True

    def _address(self, one: FollowUp) -> str:
        of_article = one.kind in (FollowUpKind.revision, FollowUpKind.announcement)
        return f"{self._settings.public_url}/{'articles' if of_article else 'social-media-posts'}/{one.post_id}"
