"""What a post can be, and what its deliveries add up to."""

from collections.abc import Sequence
from enum import StrEnum


class PostStatus(StrEnum):
    """draft → complete → published | failed; failed → complete by a retry."""

    draft = "draft"
    complete = "complete"
    published = "published"
    failed = "failed"


class PostSource(StrEnum):
    assistant = "assistant"
    person = "person"


class DeliveryState(StrEnum):
    pending = "pending"
    publishing = "publishing"
    published = "published"
    retrying = "retrying"
    unknown = "unknown"
    failed = "failed"
    cancelled = "cancelled"


FINAL = frozenset({DeliveryState.published, DeliveryState.failed, DeliveryState.cancelled})


def status_of(states: Sequence[DeliveryState]) -> PostStatus:
    """The status a post has once its deliveries are under way.

    An unknown delivery keeps it complete until a person has decided; one final failure makes it failed, and what
    went out stays out.
    """
    counted = [state for state in states if state is not DeliveryState.cancelled]
    if not counted:
        return PostStatus.draft
    if any(state not in FINAL for state in counted):
        return PostStatus.complete
    if all(state is DeliveryState.published for state in counted):
        return PostStatus.published
    return PostStatus.failed
