"""What a post's workflow asks of its rows: a person's verdict, what there is to deliver, and its end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.drafting import DeliveryRef

if TYPE_CHECKING:
    from core.approvals.questions import ApprovingService
    from core.posts.publishing import PublishingService


@dataclass(frozen=True)
class Look:
    user_id: UUID
    post_id: UUID
    arming_seconds: int
    """How long before its time a delivery is armed at the earliest."""


@dataclass(frozen=True)
class Seen:
    """`verdict`: waiting, approved, declined, held, skipped or withdrawn. `look_in`: how long until the next look."""

    verdict: str
    planned_at: datetime
    version: int
    look_in: timedelta | None = None


@dataclass(frozen=True)
class PostRef:
    user_id: UUID
    post_id: UUID


@dataclass(frozen=True)
class PostEnd:
    user_id: UUID
    post_id: UUID
    cancelled: bool = False
    followed: int | None = None
    """The newest version that it has heard of; None of a workflow that began before it told."""


@dataclass(frozen=True)
class PostPlan:
    """What is to be done: `deliveries` are those that are open."""

    version: int
    planned_at: datetime | None
    status: str
    deliveries: tuple[DeliveryRef, ...]


@dataclass(frozen=True)
class PostOver:
    """`reason`: an error code, or nothing; `goes_on`: it is not over after all."""

    status: str
    reason: str = ""
    goes_on: bool = False


@dataclass(frozen=True)
class Publishing:
    service: "PublishingService"
    approving: "ApprovingService"

    @activity.defn
    async def look(self, step: Look) -> Seen:
        """The verdict that applies now; the first look asks, later ones remind, or let the deadline decide."""
        found = await self.approving.look(step.user_id, step.post_id, timedelta(seconds=step.arming_seconds))
        return Seen(found.verdict.value, found.planned_at, found.version, found.look_in)

    @activity.defn
    async def outline(self, ref: PostRef) -> PostPlan:
        """What its rows say of it now."""
        found = await self.service.outline(ref.user_id, ref.post_id)
        deliveries = tuple(DeliveryRef(delivery_id, channel.value) for delivery_id, channel in found.deliveries)
        return PostPlan(found.version, found.planned_at, found.status.value, deliveries)

    @activity.defn
    async def end(self, end: PostEnd) -> PostOver:
        """The final status, from what the ledger says."""
        found = await self.service.end(end.user_id, end.post_id, cancelled=end.cancelled, followed=end.followed)
        return PostOver(found.status.value, found.reason or "", found.goes_on)
