"""A year of three slots a day, against a list that is made without the planner: by looking at the clock on the wall in
every minute of that year."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import takewhile
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.assistants.rules.occurrences import occurrences
from core.assistants.rules.schedules import Frequency, MonthEnd, Schedule

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
FIRST, LAST = date(2027, 1, 1), date(2027, 12, 31)
# the first of each is in the hour that clocks leave out or repeat
TIMES = {
    "Europe/Berlin": ("02:30", "09:00", "18:45"),
    "America/New_York": ("01:30", "02:15", "18:45"),
    "Asia/Kolkata": ("02:30", "09:00", "18:45"),
    "Australia/Lord_Howe": ("01:45", "02:15", "18:45"),
}
CHANGES = {"Europe/Berlin": 2, "America/New_York": 2, "Asia/Kolkata": 0, "Australia/Lord_Howe": 2}


@cache
def wall(zone: str) -> list[tuple[datetime, datetime]]:
    """What the clock shows, and when, in every minute of the year and of two days around it."""
    there = ZoneInfo(zone)
    begin = datetime.combine(FIRST - 2 * DAY, time(), UTC)
    minutes = (LAST - FIRST + 5 * DAY) // MINUTE
    moments = (begin + minute * MINUTE for minute in range(minutes))
    return [(moment.astimezone(there).replace(tzinfo=None), moment) for moment in moments]


@cache
def first_shown(zone: str) -> dict[datetime, datetime]:
    shown: dict[datetime, datetime] = {}
    for local, moment in wall(zone):
        shown.setdefault(local, moment)
    return shown


def instant(zone: str, local: datetime) -> datetime:
    """The first minute in which the clock shows it; where it never does, as long after the clock was put forward as it
    is after the minute before."""
    shown = first_shown(zone)
    if local in shown:
        return shown[local]
    before = max(known for known in (local - minute * MINUTE for minute in range(1, 200)) if known in shown)
    return shown[before] + (local - before)


def days(wanted: Callable[[date], bool]) -> list[date]:
    return [day for day in (FIRST + count * DAY for count in range(365)) if wanted(day)]


def is_last_of_month(day: date) -> bool:
    return (day + DAY).day == 1


STARTED = date(2026, 12, 30)
CASES: dict[str, tuple[Frequency, dict[str, Any], Callable[[date], bool]]] = {
    "daily": (Frequency.daily, {}, lambda day: True),
    "weekly": (Frequency.weekly, {"days_of_week": (1, 6, 7)}, lambda day: day.strftime("%a") in ("Mon", "Sat", "Sun")),
    "monthly": (
        Frequency.monthly,
        {"days_of_month": (14, 28, 31)},
        lambda day: day.day in (14, 28) or is_last_of_month(day),
    ),
    "monthly without": (
        Frequency.monthly,
        {"days_of_month": (14, 28, 31), "month_end": MonthEnd.skip},
        lambda day: day.day in (14, 28, 31),
    ),
    "interval": (
        Frequency.interval,
        {"every_days": 4, "start_date": STARTED},
        lambda day: (day.toordinal() - STARTED.toordinal()) % 4 == 0,
    ),
    "cron": (Frequency.cron, {}, lambda day: day.month in (3, 4, 10, 11) and day.strftime("%a") in ("Sat", "Sun")),
}


def of(zone: str, case: str) -> list[Schedule]:
    frequency, more, _ = CASES[case]
    if frequency is not Frequency.cron:
        return [Schedule(frequency, zone, TIMES[zone], **more)]
    # times of different minutes are no one expression
    return [
        Schedule(frequency, zone, cron=f"{int(each[3:])} {int(each[:2])} * 3,4,10,11 SAT,SUN") for each in TIMES[zone]
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("zone", TIMES)
def test_a_year_is_what_the_clock_on_the_wall_says(zone: str, case: str) -> None:
    begin = instant(zone, datetime.combine(FIRST, time()))
    end = instant(zone, datetime.combine(LAST + DAY, time()))
    found = sorted(
        each.slot
        for schedule in of(zone, case)
        for each in takewhile(lambda each: each.slot < end, occurrences(schedule, begin - MINUTE))
    )
    _, _, wanted = CASES[case]
    expected = {
        instant(zone, datetime.combine(day, time.fromisoformat(each))) for day in days(wanted) for each in TIMES[zone]
    }
    assert found == sorted(expected)


@pytest.mark.parametrize("zone", TIMES)
def test_the_year_has_the_clock_changes_that_it_is_to_prove(zone: str) -> None:
    offsets = [local - moment.replace(tzinfo=None) for local, moment in wall(zone)]
    assert sum(one != other for one, other in zip(offsets, offsets[1:], strict=False)) == CHANGES[zone]
    missing = [
        (day, each)
        for day in days(lambda day: True)
        for each in TIMES[zone]
        if datetime.combine(day, time.fromisoformat(each)) not in first_shown(zone)
    ]
    assert len(missing) == CHANGES[zone] // 2
