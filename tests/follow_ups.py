"""Steps of a worker for follow-ups of a publication, without Temporal."""

from collections.abc import Awaitable
from datetime import timedelta

from core.clock import utcnow
from core.container import Services
from core.deliveries.repositories.follow_ups import FollowUpRepository
from core.deliveries.rules.follow_ups import FollowUp, FollowUpKind, FollowUpOutcome
from core.errors import ProviderError
from workflows.options import FOLLOW_UP_STEP, REVISION_STEP

_DONE = {"published", "removed", "updated", "made"}


async def due(services: Services, kind: FollowUpKind) -> list[FollowUp]:
    async with services.sessions() as session:
        return await FollowUpRepository(session).list_due(kind, utcnow(), limit=1000)


async def attempt(services: Services, kind: FollowUpKind) -> list[bool]:
    """Attempt each due follow-up of that kind once, as its workflow does. Return for each whether it is done."""
    return [await _attempted(_step(services, one)) for one in await due(services, kind)]


async def carry_out(services: Services, kind: FollowUpKind) -> int:
    """Attempt each due follow-up of that kind once. Return how many are done."""
    return sum(await attempt(services, kind))


def _step(services: Services, one: FollowUp) -> Awaitable[FollowUpOutcome]:
    policy = (REVISION_STEP if one.kind is FollowUpKind.revision else FOLLOW_UP_STEP)["retry_policy"]
    assert policy is not None
    pause: timedelta = policy.initial_interval
    if one.kind is FollowUpKind.announcement:
        return services.auto_announcements.do_next_step(one.user_id, one.id, pause)
    steps = {
        FollowUpKind.first_comment: services.first_comments.publish_comment,
        FollowUpKind.removal: services.removals.attempt_removal,
        FollowUpKind.revision: services.revisions.attempt_update,
    }
    return steps[one.kind](one.user_id, one.post_id, one.id, pause)


async def _attempted(step: Awaitable[FollowUpOutcome]) -> bool:
    try:
        return (await step).state in _DONE
    except ProviderError as error:
        if not error.retryable:  # a permanent failure must end with a state, not an error
            raise
        return False
