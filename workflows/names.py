"""Queues, ids, search attributes and priorities: every name used in Temporal."""

from dataclasses import replace
from hashlib import sha256
from typing import Final
from uuid import UUID

from temporalio.common import Priority, SearchAttributeKey

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


def feed_workflow(feed_id: UUID) -> str:
    return f"topic-feed-{feed_id}"


def mail_workflow(mail_id: UUID) -> str:
    return f"mail-{mail_id}"


def follow_up_workflow(kind: FollowUpKind, row_id: UUID) -> str:
    return f"{kind.value.replace('_', '-')}-{row_id}"


def tryout_workflow(tryout_id: UUID) -> str:
    return f"tryout-{tryout_id}"


def suggestion_workflow(suggestion_id: UUID) -> str:
    return f"suggestion-{suggestion_id}"


# What a worker does first where tasks wait in a queue. A workflow gets its priority when it is started, and its steps
# inherit it unless they name another one. Servers without priorities ignore them.

DELIVERY: Final = Priority(priority_key=1)
"""What has to happen on time."""
REQUEST: Final = Priority(priority_key=2)
"""What a person waits for, approvals and changes, and uploads shortly before a delivery."""
WRITING: Final = Priority(priority_key=3)
"""Texts and images, which are made ahead."""
RECORD: Final = Priority(priority_key=4)
"""What follows: final states, mails, first comments."""
HOUSEKEEPING: Final = Priority(priority_key=5)


def owned_by(user_id: UUID, priority: Priority) -> Priority:
    """Return the priority with a key of its owner: of two users with the same priority, the one with ten thousand
    waiting texts does not hold up the other, where the server has fairness. The key is a hash, since no codec encrypts
    it."""
    return replace(priority, fairness_key=sha256(user_id.bytes).hexdigest()[:32])
