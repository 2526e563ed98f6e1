"""One attempt at what follows a publication. An attempt that may succeed later raises the failure, which Temporal
retries; any other ends with its row's state."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.pausing import pause_after
from core.domain.follow_ups import FollowUpOutcome

if TYPE_CHECKING:
    from core.services.announcing_itself import AnnouncingItselfService
    from core.services.commenting import CommentingService
    from core.services.removing import RemovingService
    from core.services.revising import RevisingService


@dataclass(frozen=True)
class DeliveryRequest:
    """What is asked for of one delivery that went out."""

    user_id: UUID
    post_id: UUID
    delivery_id: UUID


@dataclass(frozen=True)
class AnnouncementRequest:
    user_id: UUID
    announcement_id: UUID


def _pause() -> timedelta:
    """Return how long Temporal waits until the next attempt."""
    return pause_after(activity.info()) or timedelta(0)


@dataclass(frozen=True)
class Commenting:
    service: "CommentingService"

    @activity.defn
    async def put_first_comment(self, request: DeliveryRequest) -> FollowUpOutcome:
        """Put the comment, or ask the network what an earlier call has done; never a second comment. `waiting`: the
        network says that it is not there, so that it can be put."""
        async with heartbeating():
            return await self.service.put(request.user_id, request.post_id, request.delivery_id, _pause())


@dataclass(frozen=True)
class Removing:
    service: "RemovingService"

    @activity.defn
    async def remove_at_network(self, request: DeliveryRequest) -> FollowUpOutcome:
        """Delete what was published, by one call; a repeat of one that is deleted changes nothing."""
        async with heartbeating():
            return await self.service.remove(request.user_id, request.post_id, request.delivery_id, _pause())


@dataclass(frozen=True)
class Revising:
    service: "RevisingService"

    @activity.defn
    async def update_at_site(self, request: DeliveryRequest) -> FollowUpOutcome:
        """Let the site have the article as it is here; a repeat tells it the whole article again."""
        async with heartbeating():
            return await self.service.revise(request.user_id, request.post_id, request.delivery_id, _pause())


@dataclass(frozen=True)
class Announcing:
    service: "AnnouncingItselfService"

    @activity.defn
    async def announce_article(self, request: AnnouncementRequest) -> FollowUpOutcome:
        """Do the next step: the draft once readers get the article, then its text, each once however often it is
        tried."""
        async with heartbeating():
            return await self.service.step(request.user_id, request.announcement_id, _pause())
