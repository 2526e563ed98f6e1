"""The more posts are due at once, the earlier some of them are armed."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from core.container import Services
from core.deliveries.rules.arming import ARMED_PER_SECOND, LONGEST_SPREAD, MOST_COUNTED, needed_spread
from core.ids import new_id
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from tests.factories import Factory
from workflows.publishing import Publication

SLOT = datetime(2031, 3, 4, 9, tzinfo=UTC)


class Spread(Publication):
    """Begun by this release, or gone on with by a worker of an older one."""

    begun_by_this = True

    def _takes_fewer_steps(self) -> bool:
        return self.begun_by_this


def arming(*, configured: int, needed: int, begun_by_this: bool = True) -> timedelta:
    """How long before its time a delivery is armed at the earliest."""
    publication = Spread(
        UUID(int=1), SLOT, new_id(), arm_seconds=15, arm_spread_seconds=configured, stage_ahead_seconds=600
    )
    publication.begun_by_this = begun_by_this
    publication._spread_arming(needed)
    assert timedelta(seconds=15) <= publication._arm < timedelta(seconds=publication._longest_arm + 1)
    return timedelta(seconds=publication._longest_arm)


def test_the_spread_grows_with_what_is_due_up_to_two_minutes() -> None:
    assert needed_spread(0) == needed_spread(ARMED_PER_SECOND - 1) == 0
    assert needed_spread(800) == 100
    assert needed_spread(MOST_COUNTED) == needed_spread(100_000) == LONGEST_SPREAD


@pytest.mark.parametrize(
    ("configured", "needed", "longest"), [(60, 5, 75), (60, 250, 265), (400, 300, 415), (0, 250, 15)]
)
def test_it_is_never_below_what_is_configured_and_nothing_where_that_is_nothing(
    configured: int, needed: int, longest: int
) -> None:
    assert arming(configured=configured, needed=needed) == timedelta(seconds=longest)


def test_what_an_older_worker_has_armed_keeps_its_time() -> None:
    assert arming(configured=60, needed=250, begun_by_this=False) == timedelta(seconds=75)


async def test_what_is_scheduled_for_about_the_same_time_is_counted_for_all_users(
    services: Services, make: Factory
) -> None:
    for status, planned_at in (
        (PostStatus.complete, SLOT),
        (PostStatus.complete, SLOT + timedelta(seconds=29)),
        (PostStatus.draft, SLOT),
        (PostStatus.published, SLOT),
        (PostStatus.complete, SLOT + timedelta(seconds=31)),
        (PostStatus.complete, SLOT - timedelta(seconds=31)),
    ):
        user = await make.user()
        async with services.sessions.begin() as session:
            session.add(Post(id=new_id(), user_id=user.id, content="A post", status=status, planned_at=planned_at))
    async with services.sessions() as session:
        assert await PostRepository(session).count_due_with(SLOT) == 2
