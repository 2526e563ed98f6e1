"""When tokens are renewed, and when their user hears that they end."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.social_accounts.rules import TokenLifetime

DAY = timedelta(days=1)
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
ID = UUID(int=7)


def lifetime(days: float | None, *, renewable: bool = False, until: float | None = None) -> TokenLifetime:
    ends = None if days is None else NOW + days * DAY
    return TokenLifetime(ID, NOW, ends, renewable, None if until is None else NOW + until * DAY)


def told(life: TokenLifetime) -> list[float]:
    """Days after its beginning at which its user hears of it for the first time each."""
    found: list[float] = []
    last = None
    for hour in range(24 * 400):
        warning = life.due_warning(NOW + timedelta(hours=hour))
        if warning != last:
            found.append(hour / 24)
            last = warning
    return found


@pytest.mark.parametrize(
    ("life", "days"),
    [
        (lifetime(60), [46, 53, 59]),
        (lifetime(10), [3, 9]),
        (lifetime(1), []),
        (lifetime(None), []),
        (lifetime(60, renewable=True, until=60), [46, 53, 59]),
    ],
)
def test_what_cannot_be_renewed_is_told_two_weeks_one_week_and_a_day_ahead(
    life: TokenLifetime, days: list[float]
) -> None:
    assert told(life) == days


def test_what_is_renewed_is_told_only_where_that_is_tried_in_vain() -> None:
    life = lifetime(60, renewable=True, until=365)
    due = life.renewal_due()
    assert due is not None
    assert NOW + 47 * DAY <= due <= NOW + 50 * DAY
    assert life.due_warning(due) is None
    assert told(life) == [53, 59]


def test_nothing_is_renewed_that_would_not_last_longer() -> None:
    assert lifetime(60, renewable=True, until=60.0001).renewal_due() is None
    assert lifetime(60, renewable=True, until=60.1).renewal_due() is not None
    assert lifetime(None, renewable=True).renewal_due() is None
    assert lifetime(60).renewal_due() is None


@given(
    seconds=st.integers(min_value=1, max_value=400 * 86400),
    later=st.none() | st.integers(min_value=0, max_value=400 * 86400),
    passed=st.integers(min_value=0, max_value=500 * 86400),
)
def test_whatever_its_life_it_is_looked_at_in_time(seconds: int, later: int | None, passed: int) -> None:
    ends = NOW + timedelta(seconds=seconds)
    until = None if later is None else ends + timedelta(seconds=later)
    life = TokenLifetime(uuid4(), NOW, ends, True, until)
    now = NOW + timedelta(seconds=passed)
    looked_at, due = life.next_change(now), life.renewal_due()
    assert looked_at is None or looked_at > now
    if due is not None:
        assert due >= NOW + timedelta(minutes=1), "never in a loop"
        assert due < ends or seconds <= 120
        if now < due:
            assert looked_at is not None
            assert looked_at <= due
    if now < ends:
        assert looked_at is not None
        assert looked_at <= ends
