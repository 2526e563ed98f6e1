"""How an attempt to deliver a post ends."""

from enum import StrEnum
from typing import Final

from core.posts.rules.posts import DeliveryState


class DeliveryOutcome(StrEnum):
    """How a delivery ended for now."""

    published = "published"
    failed = "failed"
    unknown = "unknown"
    missed = "missed"
    moved = "moved"
    """Not yet: it goes out at another time than it was armed for."""
    held = "held"
    """Not yet: it waits for its account, its network or this server's settings."""

    @property
    def went_well(self) -> bool:
        """There is no reason to tell."""
        return self in (DeliveryOutcome.published, DeliveryOutcome.moved)


SETTLED: Final = {
    DeliveryState.published: DeliveryOutcome.published,
    DeliveryState.failed: DeliveryOutcome.failed,
    DeliveryState.unknown: DeliveryOutcome.unknown,
    DeliveryState.cancelled: DeliveryOutcome.missed,
}
ENDED: Final = SETTLED | {DeliveryState.held: DeliveryOutcome.held}
"""How an attempt can end."""
