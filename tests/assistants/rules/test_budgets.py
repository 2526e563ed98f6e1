from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ai.rules.usage import UNKNOWN_USAGE, Usage
from core.assistants.rules.budgets import BudgetUnit, UsedBudget, month_at, needed

ZONES = st.sampled_from(["Europe/Berlin", "Pacific/Auckland", "America/St_Johns", "America/Santiago", "UTC"])
MOMENTS = st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(moment=MOMENTS, zone=ZONES)
def test_every_moment_is_in_one_month_and_the_next_follows_at_once(moment: datetime, zone: str) -> None:
    month = month_at(moment, zone)
    assert month.since <= moment < month.until
    assert timedelta(days=27) < month.until - month.since < timedelta(days=32)
    assert month_at(month.since, zone) == month
    after = month_at(month.until, zone)
    assert (after.since, after.first.day) == (month.until, 1)
    assert after.first != month.first


@pytest.mark.parametrize(
    ("moment", "zone", "first"),
    [
        (datetime(2026, 11, 30, 22, 59, tzinfo=UTC), "Europe/Berlin", (2026, 11)),
        (datetime(2026, 11, 30, 23, tzinfo=UTC), "Europe/Berlin", (2026, 12)),
        (datetime(2026, 12, 31, 11, tzinfo=UTC), "Pacific/Auckland", (2027, 1)),
        (datetime(2027, 1, 1, 4, 59, tzinfo=UTC), "America/New_York", (2026, 12)),
    ],
)
def test_the_month_is_that_of_the_assistants_time_zone(moment: datetime, zone: str, first: tuple[int, int]) -> None:
    found = month_at(moment, zone).first
    assert (found.year, found.month, found.day) == (*first, 1)


def test_what_a_call_needs_is_in_the_budgets_unit() -> None:
    assert needed(BudgetUnit.tokens, Usage(10, 20), None) == 30
    assert needed(BudgetUnit.money, Usage(10, 20), 7) == 7
    assert needed(BudgetUnit.money, Usage(10, 20), None) is None
    assert needed(BudgetUnit.tokens, UNKNOWN_USAGE, 7) is None
    used = UsedBudget(1, 2, 3, 4)
    assert (used.of(BudgetUnit.money), used.estimated(BudgetUnit.money)) == (1, 3)
    assert (used.of(BudgetUnit.tokens), used.estimated(BudgetUnit.tokens)) == (2, 4)
