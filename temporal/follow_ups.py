"""Start the workflows of follow-ups. Only the reconcile does so: the row that requests one wakes it on commit."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from temporalio.client import Client
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy

from core.deliveries.rules.follow_ups import FollowUp, FollowUpKind
from core.settings import Settings
from workflows.follow_ups import AnnouncementWorkflow, FirstCommentWorkflow, RemovalWorkflow, RevisionWorkflow
from workflows.names import CHANNELS, POST_ID, RECORD, RUNS, USER_ID, follow_up_workflow, owned_by

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
    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings

    async def start(self, one: FollowUp) -> None:
        """Start the workflow unless it is running. Raises RPCError, TimeoutError or RuntimeError while Temporal is
        away."""
        workflow, summary = _WORKFLOWS[one.kind]
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

    def _address(self, one: FollowUp) -> str:
        of_article = one.kind in (FollowUpKind.revision, FollowUpKind.announcement)
        return f"{self._settings.public_url}/{'articles' if of_article else 'social-media-posts'}/{one.post_id}"
