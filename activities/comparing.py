"""Compare the stored subscriptions with those of the payment provider."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.billing.subscriptions import SubscriptionService

_BATCH_SIZE = 50
"""Users per attempt: finished batches are not repeated when a later one fails."""


@dataclass(frozen=True)
class ComparisonBatch:
    after: UUID | None = None
    """Start behind this user id; None: at the first user."""


@dataclass(frozen=True)
class ComparisonResult:
    after: UUID | None
    """Start of the next batch; None: this was the last one."""
    differed: int
    """Number of subscriptions that differed: a message of the provider was lost, or is still on its way."""
    on: bool = True
    """Whether billing is switched on."""


@dataclass(frozen=True)
class Comparing:
    service: "SubscriptionService"

    @activity.defn
    async def compare_subscriptions(self, portion: ComparisonBatch) -> ComparisonResult:
        """Store what the provider answers. Fails while it is away."""
        if self.service.stripe is None:
            return ComparisonResult(None, 0, on=False)
        async with heartbeating():
            after, differed = await self.service.compare(portion.after, _BATCH_SIZE)
        return ComparisonResult(after, differed)
