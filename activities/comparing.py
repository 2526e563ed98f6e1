"""What is known of subscriptions beside what the payment provider says."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.billing.subscriptions import SubscribingService

_PORTION = 50
"""Users of one attempt: what has been compared is not asked for again when another one fails."""


@dataclass(frozen=True)
class Portion:
    after: UUID | None = None
    """The users that come after this one in the order of their ids; None: from the first."""


@dataclass(frozen=True)
class Compared:
    after: UUID | None
    """Where the next portion begins; None: that was the last one."""
    differed: int
    """For how many it was something else: a message of the provider had been lost, or is still on its way."""
    on: bool = True
    """Whether anybody is charged at all."""


@dataclass(frozen=True)
class Comparing:
    service: "SubscribingService"

    @activity.defn
    async def compare_subscriptions(self, portion: Portion) -> Compared:
        """Fails while the provider is away; what it says is kept."""
        if self.service.stripe is None:
            return Compared(None, 0, on=False)
        async with heartbeating():
            after, differed = await self.service.compare(portion.after, _PORTION)
        return Compared(after, differed)
