"""What fits into an allowance, whatever is used of it in which order."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.billing.rules import UNLIMITED, Limit, Limits, fits

AMOUNTS = st.integers(0, 1_000)
ALLOWED = st.none() | AMOUNTS


@given(ALLOWED, st.lists(st.none() | AMOUNTS))
def test_what_is_used_never_passes_what_is_allowed(allowed: int | None, wanted: list[int | None]) -> None:
    """Each taken where it fits, and nothing refused for which there was room."""
    used = 0
    for more in wanted:
        if fits(allowed, used, more):
            used += more or 0
        else:
            assert allowed is not None
            assert used + (more or 0) > allowed
        assert allowed is None or used <= allowed


@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_more_room_and_less_need_never_refuse(allowed: int, used: int, more: int, less: int) -> None:
    if fits(allowed, used, more):
        assert fits(allowed + less, used, more)
        assert fits(None, used, more)
        assert fits(allowed, max(0, used - less), more)
        assert fits(allowed, used, max(0, more - less))
        assert fits(allowed, used, None)


@given(AMOUNTS, AMOUNTS)
def test_what_nobody_can_count_is_refused_only_where_what_is_known_is_too_much(allowed: int, used: int) -> None:
    assert fits(allowed, used, None) is (used <= allowed)


def test_a_limit_is_the_one_of_its_name() -> None:
    limits = Limits(1, 2, 3)
    assert [limit.of(limits) for limit in Limit] == [1, 2, 3]
    assert {limit.of(UNLIMITED) for limit in Limit} == {None}
    for limit in Limit:
        assert limit.of(replace(limits, **{limit.value: None})) is None
