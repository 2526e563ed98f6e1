"""What a post can be, and what its deliveries add up to."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol


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


class Delivered(Protocol):
    """What the ledger says of one delivery."""

    @property
    def state(self) -> DeliveryState: ...
    @property
    def called_at(self) -> datetime | None: ...
    @property
    def settled_at(self) -> datetime | None: ...


def published_at(deliveries: Iterable[Delivered]) -> datetime | None:
    """When the last of them went out: its publishing call, since the proof of it may have come much later (a lost
    answer, a person who looked). None where nothing went out."""
    moments = [
        moment
        for one in deliveries
        if one.state is DeliveryState.published and (moment := one.called_at or one.settled_at)
    ]
    return max(moments, default=None)
