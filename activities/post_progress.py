"""A post's progress, for its workflow: its approval, its plan and its end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.drafting import DeliveryRef
from core.deliveries.rules.arming import needed_spread

if TYPE_CHECKING:
    from core.approvals.questions import ApprovalService
    from core.posts.publishing import PublishingService


@dataclass(frozen=True)
class ApprovalQuery:
    user_id: UUID
    post_id: UUID
    arming_seconds: int
    """How long before its time a delivery is armed at the earliest."""


@dataclass(frozen=True)
class ApprovalStatus:
    """`verdict`: waiting, approved, declined, held, skipped or withdrawn. `look_in`: time until the next check."""

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
    """The newest version that the workflow knows; None in histories from before this field."""


@dataclass(frozen=True)
class PostPlan:
    """`deliveries`: the open ones."""

    version: int
    planned_at: datetime | None
    status: str
    deliveries: tuple[DeliveryRef, ...]
    arm_spread_seconds: int = 0
    """As of `Draft`."""


@dataclass(frozen=True)
class PostOutcome:
    """`reason`: an error code or ""; `goes_on`: the workflow has to continue."""

    status: str
    reason: str = ""
    goes_on: bool = False


@dataclass(frozen=True)
class PostProgress:
    service: "PublishingService"
    approvals: "ApprovalService"

    @activity.defn
    async def look(self, step: ApprovalQuery) -> ApprovalStatus:
        """Return the current verdict. The first call requests the approval, later ones send the reminder or apply the
        deadline."""
        result = await self.approvals.check(step.user_id, step.post_id, timedelta(seconds=step.arming_seconds))
        return ApprovalStatus(result.verdict.value, result.planned_at, result.version, result.look_in)

    @activity.defn
    async def outline(self, ref: PostRef) -> PostPlan:
        """Return the post's current state."""
        plan = await self.service.outline(ref.user_id, ref.post_id)
        deliveries = tuple(DeliveryRef(one.id, one.channel.value, one.stages) for one in plan.deliveries)
        spread = needed_spread(plan.due)
        return PostPlan(plan.version, plan.planned_at, plan.status.value, deliveries, spread)

    @activity.defn
    async def end(self, end: PostEnd) -> PostOutcome:
        """Set the final status, from the ledger."""
        ending = await self.service.end(end.user_id, end.post_id, cancelled=end.cancelled, followed=end.followed)
        return PostOutcome(ending.status.value, ending.reason or "", ending.goes_on)
