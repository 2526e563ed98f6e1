"""Topic, text and checks of one occurrence. Idempotent by the run's id."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from core.deliveries.rules.arming import needed_spread

if TYPE_CHECKING:  # workflows import this module, so nothing that does I/O may load with it
    from core.runs.drafting import DraftingService


@dataclass(frozen=True)
class RunRef:
    """A run. `workflow_id` seeds the choice of the topic."""

    user_id: UUID
    assistant_id: UUID
    run_id: UUID
    workflow_id: str
    slot: datetime
    by_hand: bool = False


@dataclass(frozen=True)
class BeginResult:
    wants_image: bool
    publishes: bool
    article: bool = False
    """Written section by section, by `activities.articles`."""
    text_only: bool = False
    """Whether one step writes and checks it. False in histories without this field."""


@dataclass(frozen=True)
class DeliveryRef:
    delivery_id: UUID
    channel: str
    stages: bool = True
    """Whether something is staged at its network before the slot. True in messages and histories without this field."""


@dataclass(frozen=True)
class Draft:
    """The draft by id and hash; its content stays in the database."""

    post_id: UUID
    content_hash: str
    deliveries: tuple[DeliveryRef, ...]
    asks: bool = False
    """Whether a person may decide about the post first."""
    arm_spread_seconds: int = 0
    """Over how many seconds the posts of its time have to be armed; 0 in histories without this field."""
    version: int = 0
    """The post's version; 0 in histories without this field."""


@dataclass(frozen=True)
class Drafting:
    service: "DraftingService"

    @activity.defn
    async def begin(self, ref: RunRef) -> BeginResult:
        """Create the run's row and pick its topic; a repeat finds the topic."""
        result = await self.service.begin(
            ref.user_id, ref.assistant_id, ref.run_id, ref.workflow_id, ref.slot, by_hand=ref.by_hand
        )
        text_only = not result.wants_image and not result.article
        return BeginResult(result.wants_image, result.publishes, result.article, text_only)

    @activity.defn
    async def write(self, ref: RunRef) -> None:
        """Write the text; a repeat finds the post and calls no model again."""
        async with heartbeating():
            await self.service.write(ref.user_id, ref.run_id, activity.info().attempt)

    @activity.defn
    async def write_checked(self, ref: RunRef) -> Draft:
        """Write and check a post without an image; a repeat continues where the last attempt ended."""
        await self.write(ref)
        return await self.check(ref)

    @activity.defn
    async def check(self, ref: RunRef) -> Draft:
        """Check the channels' rules, and store the content's hash and one delivery per account."""
        checked = await self.service.check(ref.user_id, ref.run_id)
        deliveries = tuple(DeliveryRef(one.id, one.channel.value, one.stages) for one in checked.deliveries)
        spread = needed_spread(checked.due)
        return Draft(checked.post_id, checked.content_hash, deliveries, checked.asks, spread, checked.version)
