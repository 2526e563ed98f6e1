"""One attempt at a follow-up of a publication. An error that may pass is raised, and Temporal retries; any other ends
with its row's state."""

from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.next_attempt import pause_after
from core.deliveries.rules.follow_ups import GONE, FollowUp, FollowUpOutcome
from core.errors import NotFound

if TYPE_CHECKING:
    from core.articles.auto_announcements import AutoAnnouncementService
    from core.articles.revisions import RevisionService
    from core.deliveries.first_comments import FirstCommentService
    from core.deliveries.removal import RemovalService


def _next_pause() -> timedelta:
    """Return how long Temporal waits until the next attempt."""
    return pause_after(activity.info()) or timedelta(0)


async def _attempt_outcome(attempt: Awaitable[FollowUpOutcome]) -> FollowUpOutcome:
    async with heartbeating():
        try:
            return await attempt
        except NotFound:  # deleted with its post or user
            return GONE


@dataclass(frozen=True)
class Commenting:
    service: "FirstCommentService"

    @activity.defn
    async def put_first_comment(self, job: FollowUp) -> FollowUpOutcome:
        """Publish the comment, or look up what an earlier call has done; never a second comment. `waiting`: it does not
        exist, so it can be published."""
        return await _attempt_outcome(self.service.publish_comment(job.user_id, job.post_id, job.id, _next_pause()))


@dataclass(frozen=True)
class Removing:
    service: "RemovalService"

    @activity.defn
    async def remove_at_network(self, job: FollowUp) -> FollowUpOutcome:
        """Delete the post by one call; deleting it again changes nothing."""
        return await _attempt_outcome(self.service.attempt_removal(job.user_id, job.post_id, job.id, _next_pause()))


@dataclass(frozen=True)
class Revising:
    service: "RevisionService"

    @activity.defn
    async def update_at_site(self, job: FollowUp) -> FollowUpOutcome:
        """Update the article at its site; a repeat sends all of it again."""
        return await _attempt_outcome(self.service.attempt_update(job.user_id, job.post_id, job.id, _next_pause()))


@dataclass(frozen=True)
class Announcing:
    service: "AutoAnnouncementService"

    @activity.defn
    async def announce_article(self, job: FollowUp) -> FollowUpOutcome:
        """Do the next step: the draft once readers see the article, then its text; each once, however often it is
        tried."""
        return await _attempt_outcome(self.service.do_next_step(job.user_id, job.id, _next_pause()))
