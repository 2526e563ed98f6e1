"""One attempt at what follows a publication. An attempt that may succeed later raises the failure, which Temporal
retries; any other ends with its row's state."""

from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.pausing import pause_after
from core.deliveries.rules.follow_ups import GONE, FollowUp, FollowUpOutcome
from core.errors import NotFound

if TYPE_CHECKING:
    from core.articles.auto_announcements import AnnouncingItselfService
    from core.articles.revisions import RevisingService
    from core.deliveries.first_comments import FirstCommentService
    from core.deliveries.removal import RemovalService


def _pause() -> timedelta:
    """Return how long Temporal waits until the next attempt."""
    return pause_after(activity.info()) or timedelta(0)


async def _attempted(attempt: Awaitable[FollowUpOutcome]) -> FollowUpOutcome:
    async with heartbeating():
        try:
            return await attempt
        except NotFound:  # it went with its post or its user
            return GONE


@dataclass(frozen=True)
class Commenting:
    service: "FirstCommentService"

    @activity.defn
    async def put_first_comment(self, one: FollowUp) -> FollowUpOutcome:
        """Put the comment, or ask the network what an earlier call has done; never a second comment. `waiting`: the
        network says that it is not there, so that it can be put."""
        return await _attempted(self.service.publish_comment(one.user_id, one.post_id, one.id, _pause()))


@dataclass(frozen=True)
class Removing:
    service: "RemovalService"

    @activity.defn
    async def remove_at_network(self, one: FollowUp) -> FollowUpOutcome:
        """Delete what was published, by one call; a repeat of one that is deleted changes nothing."""
        return await _attempted(self.service.attempt_removal(one.user_id, one.post_id, one.id, _pause()))


@dataclass(frozen=True)
class Revising:
    service: "RevisingService"

    @activity.defn
    async def update_at_site(self, one: FollowUp) -> FollowUpOutcome:
        """Let the site have the article as it is here; a repeat tells it the whole article again."""
        return await _attempted(self.service.revise(one.user_id, one.post_id, one.id, _pause()))


@dataclass(frozen=True)
class Announcing:
    service: "AnnouncingItselfService"

    @activity.defn
    async def announce_article(self, one: FollowUp) -> FollowUpOutcome:
        """Do the next step: the draft once readers get the article, then its text, each once however often it is
        tried."""
        return await _attempted(self.service.step(one.user_id, one.id, _pause()))
