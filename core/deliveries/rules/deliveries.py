"""How an attempt to deliver a post ends."""

from enum import StrEnum
from typing import Final

from core.posts.rules.posts import DeliveryState


class DeliveryOutcome(StrEnum):
    """How an attempt ended."""

    published = "published"
    failed = "failed"
    unknown = "unknown"
    missed = "missed"
    moved = "moved"
    """Not yet published: its planned time has changed since it was armed."""
    held = "held"
    """Not yet published: it waits for its account, its network or this server's settings."""

    @property
    def went_well(self) -> bool:
        """Whether the user needs no notification."""
        return self in (DeliveryOutcome.published, DeliveryOutcome.moved)


SETTLED: Final = {
    DeliveryState.published: DeliveryOutcome.published,
    DeliveryState.failed: DeliveryOutcome.failed,
    DeliveryState.unknown: DeliveryOutcome.unknown,
    DeliveryState.cancelled: DeliveryOutcome.missed,
}
ENDED: Final = SETTLED | {DeliveryState.held: DeliveryOutcome.held}
"""Outcomes of the states in which an attempt can end."""
