"""When a post by hand would have the audience to itself."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as some

from core.posts.rules.free_moments import QUIET, SOON, USUAL, free_moments, usual_times

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 23, 7, tzinfo=UTC)  # 08:00 in Berlin
ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")]

YEAR = datetime(2026, 1, 1, tzinfo=UTC)
instants = some.integers(0, 365 * 24 * 60).map(lambda minutes: YEAR + timedelta(minutes=minutes))


def at(said: str) -> datetime:
    return datetime.fromisoformat(f"{said}+01:00")


def test_nobody_with_habits_is_given_the_usual_times() -> None:
    assert usual_times([], BERLIN) == sorted(USUAL)
    assert usual_times([at("2026-11-20T08:05")], BERLIN) == sorted(USUAL), "once is no habit"


def test_habits_come_first_to_the_quarter_and_well_apart() -> None:
    posted = [at(f"2026-11-{day}T{clock}") for day in (16, 17, 18) for clock in ("08:05", "08:35", "20:14")]
    assert usual_times(posted, BERLIN) == [time(8), time(12, 30), time(20)]


def test_the_next_ones_keep_an_hour_from_what_is_planned() -> None:
    taken = [at("2026-11-23T09:30"), at("2026-11-23T18:00"), at("2026-11-24T12:30")]
    found = free_moments(taken, USUAL, BERLIN, MONDAY, MONDAY + timedelta(days=2))
    assert found == [
        at("2026-11-23T12:30"),
        at("2026-11-23T17:00"),
        at("2026-11-24T09:00"),
        at("2026-11-24T17:00"),
    ]


def test_a_full_day_has_none() -> None:
    taken = [at("2026-11-23T00:00") + timedelta(minutes=minute) for minute in range(25)]
    found = free_moments(taken, USUAL, BERLIN, MONDAY, MONDAY + timedelta(days=2))
    assert found[0] == at("2026-11-24T09:00")


def test_an_hour_that_clocks_leave_out_is_none_and_of_a_double_one_the_first() -> None:
    spring = free_moments(
        [], [time(2, 30)], BERLIN, datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 30, 12, tzinfo=UTC)
    )
    assert spring == [datetime(2026, 3, 30, 0, 30, tzinfo=UTC)]
    autumn = free_moments(
        [], [time(2, 30)], BERLIN, datetime(2026, 10, 24, 12, tzinfo=UTC), datetime(2026, 10, 25, 12, tzinfo=UTC)
    )
    assert autumn == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC)]


@given(instants, some.lists(instants, max_size=30), some.lists(instants, max_size=12), some.sampled_from(ZONES))
def test_each_is_to_come_usual_and_alone(
    now: datetime, posted: list[datetime], taken: list[datetime], zone: ZoneInfo
) -> None:
    usual, until = usual_times(posted, zone), now + timedelta(days=14)
    found = free_moments(taken, usual, zone, now, until)
    assert len(usual) == 3
    assert all(one < other for one, other in pairwise(found))
    for moment in found:
        assert now + SOON <= moment < until
        assert moment.astimezone(zone).time() in usual
        assert all(abs(moment - other) >= QUIET for other in taken)
