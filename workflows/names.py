"""Queues, ids and search attributes: every name used in Temporal."""

from uuid import UUID

from temporalio.common import SearchAttributeKey

from core.deliveries.rules.follow_ups import FollowUpKind

ASSISTANTS = "assistants"
RUNS = "runs"
MODELS = "models"
MAILS = "mails"


def deliver_queue(channel: str) -> str:
    """Return the queue of the network: one each, so that a slow network does not delay others."""
    return f"deliver-{channel}"


def network_of_queue(queue: str) -> str:
    """Return the network of a `deliver_queue`."""
    return queue.removeprefix("deliver-")


USER_ID = SearchAttributeKey.for_keyword("UserId")
ASSISTANT_ID = SearchAttributeKey.for_keyword("AssistantId")
RUN_STATE = SearchAttributeKey.for_keyword("RunState")
POST_ID = SearchAttributeKey.for_keyword("PostId")
PHASE = SearchAttributeKey.for_keyword("AssistantPhase")
GRANT_STATE = SearchAttributeKey.for_keyword("GrantState")
CHANNELS = SearchAttributeKey.for_keyword_list("Channels")
NEXT_SLOT = SearchAttributeKey.for_datetime("NextSlot")
SEARCH_ATTRIBUTES = (USER_ID, ASSISTANT_ID, RUN_STATE, POST_ID, PHASE, GRANT_STATE, CHANNELS, NEXT_SLOT)


COMPARISON = "subscription-comparison"
"""Id of the only workflow of its kind."""


def assistant_workflow(assistant_id: UUID) -> str:
    return f"assistant-{assistant_id}"


def post_workflow(post_id: UUID) -> str:
    return f"post-{post_id}"


def grant_workflow(grant_id: UUID) -> str:
    return f"grant-{grant_id}"


def mail_workflow(mail_id: UUID) -> str:
    return f"mail-{mail_id}"


def follow_up_workflow(kind: FollowUpKind, row_id: UUID) -> str:
    return f"{kind.value.replace('_', '-')}-{row_id}"


def tryout_workflow(tryout_id: UUID) -> str:
    return f"tryout-{tryout_id}"


def suggestion_workflow(suggestion_id: UUID) -> str:
    return f"suggestion-{suggestion_id}"
