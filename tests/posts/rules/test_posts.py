"""What a post's deliveries add up to."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.posts.rules.posts import DeliveryState, PostStatus, published_at, status_of

published, failed, cancelled, unknown, retrying = (
    DeliveryState.published,
    DeliveryState.failed,
    DeliveryState.cancelled,
    DeliveryState.unknown,
    DeliveryState.retrying,
)
NINE = datetime(2026, 11, 23, 9, tzinfo=UTC)
TEN = NINE + timedelta(hours=1)


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ([], PostStatus.draft),
        ([cancelled], PostStatus.draft),
        ([published], PostStatus.published),
        ([published, cancelled], PostStatus.published),
        ([failed], PostStatus.failed),
        ([published, failed], PostStatus.failed),
        ([unknown], PostStatus.complete),
        ([published, unknown], PostStatus.complete),
        ([failed, retrying], PostStatus.complete),
    ],
)
def test_a_posts_status_is_that_of_its_deliveries(states: list[DeliveryState], status: PostStatus) -> None:
    assert status_of(states) is status


@given(st.lists(st.sampled_from(DeliveryState), max_size=5), st.data())
def test_their_order_decides_nothing(states: list[DeliveryState], data: st.DataObject) -> None:
    assert status_of(data.draw(st.permutations(states))) is status_of(states)


@dataclass(frozen=True)
class Told:
    state: DeliveryState
    called_at: datetime | None = None
    settled_at: datetime | None = None


@pytest.mark.parametrize(
    ("deliveries", "moment"),
    [
        ([], None),
        ([Told(failed, NINE, TEN)], None),
        ([Told(published)], None),
        # proof that came late is not when it went out
        ([Told(published, NINE, TEN)], NINE),
        ([Told(published, None, TEN)], TEN),
        ([Told(published, NINE), Told(published, TEN), Told(failed, TEN + timedelta(hours=1))], TEN),
    ],
)
def test_a_post_went_out_with_its_last_call(deliveries: list[Told], moment: datetime | None) -> None:
    assert published_at(deliveries) == moment
