from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise, takewhile
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from core.assistants.rules.occurrences import Occurrence, occurrences, rules
from core.assistants.rules.planning import (
    MAX_AHEAD,
    Plan,
    PlanOrder,
    ScheduleVersion,
    max_slots_ahead,
    missed_by_replaced,
    missed_slots,
    plan,
)
from core.assistants.rules.schedules import Frequency, MonthEnd, Schedule, time_zones, validate
from core.errors import ErrorCode, InvalidInput
from tests.growth import calls

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
ASSISTANT = UUID("01890000-0000-7000-8000-000000000001")

# clocks forward and back, by 30 minutes, by a whole day, over midnight, and zones with odd offsets
CHANGES = [
    ("Europe/Berlin", date(2026, 3, 29)),
    ("Europe/Berlin", date(2026, 10, 25)),
    ("America/New_York", date(2026, 3, 8)),
    ("America/New_York", date(2026, 11, 1)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("Australia/Lord_Howe", date(2026, 10, 4)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("Pacific/Kwajalein", date(1993, 8, 21)),
    ("America/Sao_Paulo", date(2018, 11, 4)),
    ("America/Santiago", date(2026, 4, 5)),
    ("America/Santiago", date(2026, 9, 6)),
    ("Atlantic/Azores", date(2026, 3, 29)),
    ("Atlantic/Azores", date(2026, 10, 25)),
    ("Africa/Casablanca", date(2026, 2, 15)),
    ("Antarctica/Troll", date(2026, 3, 29)),
    ("Antarctica/Troll", date(2026, 10, 25)),
    ("Asia/Kathmandu", date(1986, 1, 1)),
    ("Pacific/Chatham", date(2026, 9, 27)),
    ("Asia/Pyongyang", date(2018, 5, 5)),
    ("America/Caracas", date(2016, 5, 1)),
    ("America/St_Johns", date(2010, 11, 7)),
    ("UTC", date(2026, 1, 1)),
]


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


def local(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


def daily(time_zone: str, *slots: str, **more: Any) -> Schedule:
    return Schedule(Frequency.daily, time_zone, time_slots=slots, **more)


def cron(expression: str, time_zone: str = "UTC", **more: Any) -> Schedule:
    return Schedule(Frequency.cron, time_zone, cron=expression, **more)


def first(schedule: Schedule, after: datetime, count: int) -> list[Occurrence]:
    return list(islice(occurrences(schedule, after), count))


def local_times(schedule: Schedule, after: datetime, count: int) -> list[str]:
    return [f"{each.local:%Y-%m-%d %H:%M}" for each in first(schedule, after, count)]


def slots_between(schedule: Schedule, after: datetime, until: datetime) -> list[datetime]:
    return [each.slot for each in takewhile(lambda each: each.slot <= until, occurrences(schedule, after))]


# --- the calendar


def test_daily_slots_are_taken_in_order_of_the_clock_and_once() -> None:
    schedule = daily("Europe/Berlin", "18:30", "09:00", "09:00")
    assert local_times(schedule, utc(2026, 1, 1, 8), 3) == [
        "2026-01-01 18:30",
        "2026-01-02 09:00",
        "2026-01-02 18:30",
    ]


def test_an_occurrence_is_strictly_after_the_moment_asked_for() -> None:
    schedule = daily("Europe/Berlin", "09:00")
    assert first(schedule, utc(2026, 1, 1, 8), 1)[0].slot == utc(2026, 1, 2, 8)
    assert first(schedule, utc(2026, 1, 1, 8) - timedelta(microseconds=1), 1)[0].slot == utc(2026, 1, 1, 8)


def test_weekly_counts_monday_as_one() -> None:
    schedule = Schedule(Frequency.weekly, "UTC", ("10:00",), days_of_week=(1, 7))
    found = first(schedule, utc(2026, 1, 1), 3)
    assert [each.slot.date().isoweekday() for each in found] == [7, 1, 7]


def test_day_31_is_the_last_day_of_shorter_months_or_skips_them() -> None:
    schedule = Schedule(Frequency.monthly, "UTC", ("10:00",), days_of_month=(31,))
    days = [each.slot.strftime("%m-%d") for each in first(schedule, utc(2028, 1, 1), 5)]
    assert days == ["01-31", "02-29", "03-31", "04-30", "05-31"]
    skipping = replace(schedule, month_end=MonthEnd.skip)
    days = [each.slot.strftime("%m-%d") for each in first(skipping, utc(2028, 1, 1), 3)]
    assert days == ["01-31", "03-31", "05-31"]


def test_days_30_and_31_are_one_day_in_february() -> None:
    schedule = Schedule(Frequency.monthly, "UTC", ("10:00",), days_of_month=(30, 31))
    days = [each.slot.strftime("%m-%d") for each in first(schedule, utc(2026, 1, 31, 12), 3)]
    assert days == ["02-28", "03-30", "03-31"]


def test_every_x_days_counts_local_days_over_a_clock_change() -> None:
    schedule = Schedule(Frequency.interval, "Europe/Berlin", ("08:00",), every_days=2, start_date=date(2026, 3, 26))
    found = first(schedule, utc(2026, 3, 1), 4)
    assert [f"{each.local:%m-%d %H:%M}" for each in found] == [
        "03-26 08:00",
        "03-28 08:00",
        "03-30 08:00",
        "04-01 08:00",
    ]
    assert [each.slot.hour for each in found] == [7, 7, 6, 6]
    assert [each.clock_change for each in found] == [0, 0, 60, 0]


def test_start_and_end_date_are_included() -> None:
    schedule = daily("Asia/Tokyo", "00:00", "23:59", start_date=date(2026, 5, 2), end_date=date(2026, 5, 3))
    assert [f"{each.local:%d %H:%M}" for each in occurrences(schedule, utc(2020, 1, 1))] == [
        "02 00:00",
        "02 23:59",
        "03 00:00",
        "03 23:59",
    ]


def test_a_start_far_ahead_is_found() -> None:
    schedule = daily("UTC", "10:00", start_date=date(2050, 1, 1))
    assert first(schedule, utc(2026, 1, 1), 1)[0].slot == utc(2050, 1, 1, 10)


def test_cron_days_of_month_and_week_are_either_or_as_in_cron() -> None:
    schedule = cron("30 9 13 * FRI", "Europe/Berlin")
    days = [each.local.strftime("%a %d") for each in first(schedule, utc(2026, 1, 1), 5)]
    assert days == ["Fri 02", "Fri 09", "Tue 13", "Fri 16", "Fri 23"]


def test_cron_knows_the_last_friday_and_the_last_day() -> None:
    assert first(cron("0 9 * * 5L"), utc(2026, 1, 1), 1)[0].slot == utc(2026, 1, 30, 9)
    assert first(cron("0 9 L * *"), utc(2026, 2, 1), 1)[0].slot == utc(2026, 2, 28, 9)


def test_29_february_is_found_over_the_eight_years_without_one() -> None:
    assert [each.slot.year for each in first(cron("0 0 29 2 *"), utc(2095, 1, 1), 3)] == [2096, 2104, 2108]


@pytest.mark.parametrize("expression", ["0 0 31 2 *", "0 0 30 FEB *", "0 0 31 4,6,9,11 *", "0 0 31 2 */7"])
def test_what_never_matches_ends_at_once(expression: str) -> None:
    assert list(occurrences(cron(expression), utc(2026, 1, 1))) == []


def test_what_matches_after_more_than_ten_years_ends_too() -> None:
    assert list(occurrences(cron("0 0 * 2 MON#5"), utc(2026, 1, 1))) == []  # 2044


@pytest.mark.parametrize(("after", "years"), [(utc(1, 1, 1), [1970]), (utc(9999, 12, 31, 23, 59), [])])
def test_the_ends_of_time_are_no_trouble(after: datetime, years: list[int]) -> None:
    assert [each.slot.year for each in first(daily("Pacific/Apia", "10:00"), after, 1)] == years


def test_a_moment_without_time_zone_is_a_defect() -> None:
    with pytest.raises(ValueError, match="time zone"):
        occurrences(daily("UTC", "10:00"), local(2026, 1, 1))


# --- clock changes


@pytest.mark.parametrize(
    ("time_zone", "slots", "after", "expected"),
    [
        # 02:30 does not exist: forward by the gap of an hour, of half an hour, of a day
        ("Europe/Berlin", "02:30", utc(2026, 3, 28, 12), "29 03:30 = 29 01:30 +120 (60)"),
        ("America/New_York", "02:30", utc(2026, 3, 7, 12), "08 03:30 = 08 07:30 -240 (60)"),
        ("Australia/Lord_Howe", "02:15", utc(2026, 10, 3), "04 02:45 = 03 15:45 +660 (30)"),
        ("Pacific/Apia", "10:00", utc(2011, 12, 30, 8), "31 10:00 = 30 20:00 +840 (1440)"),
        # 02:30 happens twice: the first
        ("Europe/Berlin", "02:30", utc(2026, 10, 24, 12), "25 02:30 = 25 00:30 +120 (0)"),
        ("America/New_York", "01:30", utc(2026, 10, 31, 12), "01 01:30 = 01 05:30 -240 (0)"),
        ("Australia/Lord_Howe", "01:45", utc(2026, 4, 4), "05 01:45 = 04 14:45 +660 (0)"),
        # and the change shows at the next one
        ("Europe/Berlin", "02:30", utc(2026, 10, 25, 1), "26 02:30 = 26 01:30 +60 (0)"),
        ("Europe/Berlin", "02:30", utc(2026, 10, 25, 0, 30), "26 02:30 = 26 01:30 +60 (-60)"),
        # moved onto another slot: one occurrence; moved behind another: in order
        (
            "Europe/Berlin",
            "02:30 03:30",
            utc(2026, 3, 28, 12),
            "29 03:30 = 29 01:30 +120 (60), 30 02:30 = 30 00:30 +120 (0)",
        ),
        (
            "Europe/Berlin",
            "02:30 03:00",
            utc(2026, 3, 28, 12),
            "29 03:00 = 29 01:00 +120 (60), 29 03:30 = 29 01:30 +120 (0)",
        ),
        ("Asia/Kathmandu", "09:00", utc(2026, 1, 1), "01 09:00 = 01 03:15 +345 (0)"),
    ],
)
def test_clock_changes(time_zone: str, slots: str, after: datetime, expected: str) -> None:
    found = first(daily(time_zone, *slots.split()), after, expected.count("="))
    assert expected == ", ".join(
        f"{each.local:%d %H:%M} = {each.slot:%d %H:%M} {each.offset_minutes:+} ({each.clock_change})" for each in found
    )


def test_a_skipped_day_leaves_neither_a_gap_nor_a_double() -> None:
    found = local_times(daily("Pacific/Apia", "10:00"), utc(2011, 12, 29), 4)
    assert found == ["2011-12-29 10:00", "2011-12-31 10:00", "2012-01-01 10:00", "2012-01-02 10:00"]


def test_a_slot_moved_into_the_next_day_is_found_from_there() -> None:
    fridays = Schedule(Frequency.weekly, "Pacific/Apia", ("10:00",), days_of_week=(5,))
    assert local_times(fridays, utc(2011, 12, 30, 12), 2) == ["2011-12-31 10:00", "2012-01-06 10:00"]


def test_a_slot_moved_over_midnight_stays_in_order() -> None:
    # the clock went from 23:30 to midnight
    found = local_times(daily("Asia/Pyongyang", "00:05", "23:45"), utc(2018, 5, 4, 12), 4)
    assert found == ["2018-05-05 00:05", "2018-05-05 00:15", "2018-05-05 23:45", "2018-05-06 00:05"]
    # and from 00:01 back to 23:01
    found = local_times(daily("America/St_Johns", "00:00", "00:30", "23:30"), utc(2010, 11, 6, 12), 4)
    assert found == ["2010-11-06 23:30", "2010-11-07 00:00", "2010-11-07 00:30", "2010-11-07 23:30"]


def test_every_minute_over_the_changes_is_each_wall_minute_once() -> None:
    forward = slots_between(cron("* * * * *", "Europe/Berlin"), utc(2026, 3, 28, 22, 59), utc(2026, 3, 29, 21, 59))
    assert forward == [utc(2026, 3, 28, 23) + n * MINUTE for n in range(23 * 60)]
    back = slots_between(cron("* * * * *", "Europe/Berlin"), utc(2026, 10, 24, 23, 59), utc(2026, 10, 25, 2))
    assert utc(2026, 10, 25, 0, 59) in back
    assert utc(2026, 10, 25, 1, 30) not in back  # 02:30 for the second time
    assert utc(2026, 10, 25, 2) in back


def wall_clock(zone: ZoneInfo, since: datetime, until: datetime) -> dict[datetime, datetime]:
    """By watching the clock: local minute → the first instant at which it shows it."""
    seen: dict[datetime, datetime] = {}
    while since <= until:
        seen.setdefault(since.astimezone(zone).replace(tzinfo=None, fold=0), since)
        since += MINUTE
    return seen


def watched(zone: ZoneInfo, wanted: list[datetime]) -> list[datetime]:
    """The rule for clock changes written from the wall clock's side, without offsets."""
    clock = wall_clock(zone, min(wanted).replace(tzinfo=UTC) - 2 * DAY, max(wanted).replace(tzinfo=UTC) + 2 * DAY)
    found = set()
    for shown in wanted:
        before = shown
        while before not in clock:
            before -= MINUTE
        found.add(clock[before] + (shown - before))
    return sorted(found)


@settings(max_examples=40)
@given(
    change=st.sampled_from(CHANGES),
    slots=st.lists(st.integers(0, 1439), min_size=1, max_size=30, unique=True),
)
def test_occurrences_agree_with_watching_the_clock(change: tuple[str, date], slots: list[int]) -> None:
    name, day = change
    first_day, last_day = day - DAY, day + DAY
    texts = tuple(f"{slot // 60:02}:{slot % 60:02}" for slot in slots)
    schedule = daily(name, *texts, start_date=first_day, end_date=last_day)
    wanted = [datetime.combine(first_day + n * DAY, time(slot // 60, slot % 60)) for n in range(3) for slot in slots]
    found = [each.slot for each in occurrences(schedule, utc(1980, 1, 1))]
    assert found == watched(ZoneInfo(name), wanted)


times = st.builds("{:02}:{:02}".format, st.integers(0, 23), st.integers(0, 59))
dates = st.dates(date(2010, 1, 1), date(2030, 12, 31))
zones = st.sampled_from(sorted({name for name, _ in CHANGES}))
crons = st.sampled_from(
    [
        "*/7 * * * *",
        "0 */3 * * *",
        "15,45 2 * * *",
        "0 9 1,15 * MON",
        "30 2 L * *",
        "0 0 29 2 *",
        "5 4 31 2 *",
    ]
)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    frequency = draw(st.sampled_from(Frequency))
    return Schedule(
        frequency,
        draw(zones),
        time_slots=tuple(draw(st.lists(times, min_size=1, max_size=4))),
        days_of_week=tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))),
        days_of_month=tuple(draw(st.lists(st.integers(1, 31), min_size=1, max_size=3))),
        month_end=draw(st.sampled_from(MonthEnd)),
        every_days=draw(st.integers(1, 40)),
        start_date=draw(dates) if frequency is Frequency.interval else draw(st.none() | dates),
        cron=draw(crons) if frequency is Frequency.cron else None,
    )


moments = st.datetimes(local(2009, 1, 1), local(2031, 1, 1), timezones=st.just(UTC))


@given(schedules(), moments)
def test_slots_ascend_strictly_and_match_their_local_time(schedule: Schedule, after: datetime) -> None:
    found = first(schedule, after, 40)
    assert all(one.slot < other.slot for one, other in pairwise(found))
    for each in found:
        assert each.slot > after
        assert (each.slot.second, each.slot.microsecond) == (0, 0)
        assert each.local == (each.slot + timedelta(minutes=each.offset_minutes)).replace(tzinfo=None)


@given(schedules(), moments, st.integers(0, 20))
def test_where_one_starts_changes_nothing(schedule: Schedule, after: datetime, skip: int) -> None:
    found = first(schedule, after, 30)
    if skip < len(found):
        assert first(schedule, found[skip].slot, 29 - skip) == found[skip + 1 :]


# --- validation


def problems(schedule: Schedule) -> list[tuple[str, ErrorCode, dict[str, object]]]:
    return [(error.field, error.code, dict(error.params)) for error in validate(schedule)]


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (daily("", "09:00"), [("schedule.time_zone", "time_zone_required", {})]),
        (daily("Mars/Base", "09:00"), [("schedule.time_zone", "unknown_time_zone", {"value": "Mars/Base"})]),
        (daily("Europe", "09:00"), [("schedule.time_zone", "unknown_time_zone", {"value": "Europe"})]),
        (daily("../zones", "09:00"), [("schedule.time_zone", "unknown_time_zone", {"value": "../zones"})]),
        (daily("UTC"), [("schedule.time_slots", "time_slot_required", {})]),
        (daily("UTC", "09:00", "9:00", "24:00"), [
            ("schedule.time_slots.1", "bad_time", {"value": "9:00"}),
            ("schedule.time_slots.2", "bad_time", {"value": "24:00"}),
        ]),
        (Schedule(Frequency.weekly, "UTC", ("09:00",)), [("schedule.days_of_week", "day_required", {})]),
        (Schedule(Frequency.monthly, "UTC", ("09:00",)), [("schedule.days_of_month", "day_required", {})]),
        (Schedule(Frequency.weekly, "UTC", ("09:00",), days_of_week=(1, 8)), [
            ("schedule.days_of_week.1", "invalid_input", {"value": 8, "minimum": 1, "maximum": 7}),
        ]),
        (Schedule(Frequency.interval, "UTC", ("09:00",), every_days=0), [
            ("schedule.every_days", "invalid_input", {"minimum": 1, "maximum": 366}),
            ("schedule.start_date", "invalid_input", {}),
        ]),
        (daily("UTC", "09:00", start_date=date(2026, 2, 1), end_date=date(2026, 1, 1)), [
            ("schedule.end_date", "invalid_input", {"minimum": "2026-02-01"}),
        ]),
        (cron(""), [("schedule.cron", "bad_cron", {"found": 0})]),
        (cron("@daily"), [("schedule.cron", "bad_cron", {"found": 1})]),
        (cron("* * * * * *"), [("schedule.cron", "bad_cron", {"found": 6})]),
        (cron("61 * * * MOON"), [
            ("schedule.cron", "bad_cron", {"position": 1, "value": "61"}),
            ("schedule.cron", "bad_cron", {"position": 5, "value": "MOON"}),
        ]),
        (cron("0 0 30 2 *"), [("schedule.cron", "bad_cron", {"position": 3, "value": "30"})]),
        (cron("1," * 5000 + "1 * * * *"), [("schedule.cron", "invalid_input", {"maximum": 200})]),
        (cron("*/5 8-18 * JAN-JUN MON-FRI"), []),
    ],
)  # fmt: skip
def test_validation(schedule: Schedule, expected: list[tuple[str, str, dict[str, object]]]) -> None:
    assert problems(schedule) == expected


cron_fields = st.text("0123459*/,#-LW", min_size=1, max_size=5) | st.sampled_from(["*", "*/5", "MON", "1-5"])


@given(st.text(max_size=60) | st.lists(cron_fields, min_size=5, max_size=5).map(" ".join))
def test_any_cron_text_is_judged_and_the_judgement_holds(expression: str) -> None:
    schedule = cron(expression)
    if not validate(schedule):
        assert all(each.slot.second == 0 for each in first(schedule, utc(2026, 1, 1), 2))


def test_an_ill_formed_schedule_is_refused_not_ignored() -> None:
    with pytest.raises(InvalidInput) as caught:
        occurrences(daily("Mars/Base", "09:00"), utc(2026, 1, 1))
    assert [error.field for error in caught.value.errors] == ["schedule.time_zone"]


def test_every_listed_time_zone_works() -> None:
    assert {"Europe/Berlin", "Asia/Kolkata", "America/Argentina/Ushuaia", "UTC"} <= time_zones()
    for name in time_zones():
        assert first(daily(name, "12:00"), utc(2026, 6, 1), 1)[0].local.hour == 12


# --- the planner


def order(schedule: Schedule, cursor: datetime, now: datetime, lead: int = 900, **more: Any) -> PlanOrder:
    return PlanOrder(ASSISTANT, schedule, cursor, now, lead, **more)


def missed(result: Plan) -> list[datetime]:
    return list(missed_slots(result.outage)) if result.outage else []


def test_nothing_is_due_before_its_lead_time() -> None:
    result = plan(order(daily("UTC", "12:00"), utc(2026, 1, 1), utc(2026, 1, 1, 11), jitter_window_seconds=0))
    assert (result.due, result.outage, result.cursor) == ((), None, utc(2026, 1, 1))
    assert result.next
    assert (result.next.slot, result.next.start) == (utc(2026, 1, 1, 12), utc(2026, 1, 1, 11, 45))
    assert result.rules == rules()
    assert rules().startswith("tzdata-20")


def test_at_its_start_a_slot_is_due_and_at_the_next_plan_it_is_not() -> None:
    schedule = daily("UTC", "12:00")
    before = plan(order(schedule, utc(2026, 1, 1), utc(2026, 1, 1)))
    assert before.next
    result = plan(order(schedule, utc(2026, 1, 1), before.next.start))
    assert [due.slot for due in result.due] == [utc(2026, 1, 1, 12)]
    assert result.cursor == utc(2026, 1, 1, 12)
    assert result.next
    assert result.next.slot == utc(2026, 1, 2, 12)
    again = plan(order(schedule, result.cursor, before.next.start))
    assert (again.due, again.outage) == ((), None)


def test_several_slots_within_the_lead_are_all_due() -> None:
    result = plan(order(daily("UTC", "09:00", "12:00", "15:00"), utc(2026, 1, 1, 8), utc(2026, 1, 1, 8), 86_400))
    assert [due.slot.hour for due in result.due] == [9, 12, 15]


def test_of_missed_slots_only_the_newest_within_the_window_runs() -> None:
    schedule = cron("*/20 * * * *")
    result = plan(order(schedule, utc(2026, 1, 1, 8), utc(2026, 1, 1, 10, 5), 0))
    assert [due.slot for due in result.due] == [utc(2026, 1, 1, 10)]
    assert [f"{slot:%H:%M}" for slot in missed(result)] == [
        "08:20",
        "08:40",
        "09:00",
        "09:20",
        "09:40",
    ]


def test_beyond_the_window_all_are_missed() -> None:
    edge = utc(2026, 1, 1, 13)
    inside = plan(order(daily("UTC", "12:00"), utc(2026, 1, 1), edge - timedelta(microseconds=1)))
    outside = plan(order(daily("UTC", "12:00"), utc(2026, 1, 1), edge))
    assert (len(inside.due), len(missed(inside))) == (1, 0)
    assert (len(outside.due), len(missed(outside))) == (0, 1)
    assert inside.cursor == outside.cursor == utc(2026, 1, 1, 12)


def test_after_the_end_nothing_comes() -> None:
    result = plan(order(daily("UTC", "12:00", end_date=date(2026, 1, 1)), utc(2026, 1, 2), utc(2026, 1, 2)))
    assert result == Plan((), utc(2026, 1, 2), None, rules())


def test_jitter_is_the_assistants_own_and_below_window_and_lead() -> None:
    def jitter(assistant: UUID, lead: int, window: int) -> float:
        asked = replace(
            order(daily("UTC", "12:00"), utc(2026, 1, 1), utc(2026, 1, 1), lead),
            assistant_id=assistant,
            jitter_window_seconds=window,
        )
        result = plan(asked).next
        assert result
        return (result.slot - result.start).total_seconds() - lead

    ids = [UUID(int=n * 7919) for n in range(50)]
    assert len({jitter(each, 900, 300) for each in ids}) > 30
    assert all(0 <= jitter(each, 900, 300) < 300 for each in ids)
    assert all(0 <= jitter(each, 20, 300) < 20 for each in ids)
    assert {jitter(each, 0, 300) for each in ids} == {0}


def test_a_year_asleep_with_a_slot_each_minute_plans_at_once_and_stays_small() -> None:
    now = utc(2027, 1, 1, 0, 0, 30)
    asked = order(cron("* * * * *", "Europe/Berlin"), utc(2026, 1, 1), now)
    assert calls(lambda: plan(asked)) < 50_000  # and not some for each of half a million slots
    result = plan(asked)
    assert len(TypeAdapter(Plan).dump_json(result)) < 4096
    assert result.due[0].slot == utc(2027, 1, 1)
    repeated = 60  # the hour that comes twice in October runs once
    assert len(missed(result)) == 365 * 24 * 60 - 1 - repeated
    assert (missed(result)[0], missed(result)[-1]) == (utc(2026, 1, 1, 0, 1), utc(2026, 12, 31, 23, 59))


@pytest.mark.parametrize("schedule", [daily("UTC", "12:00"), cron("0 0 29 2 *"), cron("* * 1 1 *"), cron("0 0 31 2 *")])
def test_fifty_years_asleep_plan_at_once(schedule: Schedule) -> None:
    asked = order(schedule, utc(1976, 1, 1), utc(2026, 1, 1))
    assert calls(lambda: plan(asked)) < 50_000


def test_at_most_twenty_runs_are_prepared_ahead() -> None:
    schedule, began = cron("* * * * *"), utc(2026, 1, 1)
    one = plan(order(schedule, began, began, 7 * 86_400, jitter_window_seconds=0))
    assert [due.slot for due in one.due] == [began + n * MINUTE for n in range(1, MAX_AHEAD + 1)]
    assert one.next
    assert (one.next.slot, one.next.start) == (began + (MAX_AHEAD + 1) * MINUTE, began + MINUTE)

    early = plan(order(schedule, one.cursor, began + timedelta(seconds=30), 7 * 86_400, jitter_window_seconds=0))
    assert (early.due, early.next) == ((), one.next)

    two = plan(order(schedule, one.cursor, one.next.start, 7 * 86_400, jitter_window_seconds=0))
    assert [due.slot for due in two.due] == [one.next.slot]


@pytest.mark.parametrize(
    ("schedule", "lead", "most"),
    [
        (daily("UTC", "12:00"), 15 * 60, 1),
        (daily("UTC", "12:00"), 86_400, 1),
        (daily("UTC", "12:00"), 7 * 86_400, 7),
        (daily("UTC", "09:00", "12:00", "15:00"), 7 * 86_400, 21),
        (cron("* * * * *"), 20 * 60, 20),
        (cron("* * * * *"), 21 * 60, 21),
        (cron("* * * * *"), 7 * 86_400, 21),
        # dense on one day of the year alone
        (cron("*/5 * 24 12 *"), 2 * 3600, 21),
        # the hour left out in March brings all three within an hour
        (daily("Europe/Berlin", "01:59", "02:30", "03:29"), 3600, 3),
    ],
)
def test_how_many_runs_a_lead_prepares_at_once(schedule: Schedule, lead: int, most: int) -> None:
    assert max_slots_ahead(schedule, lead, utc(2026, 1, 1)) == most


def test_an_edit_leaves_what_the_old_schedule_missed_under_the_old_schedule() -> None:
    hourly, half_past = cron("0 * * * *"), cron("30 * * * *")
    stretches = [
        ScheduleVersion(1, utc(2026, 1, 1, 8), hourly, active=True),
        ScheduleVersion(2, utc(2026, 1, 1, 11, 10), half_past, active=False),
        ScheduleVersion(3, utc(2026, 1, 1, 12, 10), half_past, active=True),
        ScheduleVersion(4, utc(2026, 1, 1, 13, 45), hourly, active=True),
    ]
    former = missed_by_replaced(stretches, utc(2026, 1, 1, 9))

    result = plan(replace(order(hourly, utc(2026, 1, 1, 13, 45), utc(2026, 1, 1, 14, 5)), replaced=former))

    assert [f"{slot:%H:%M}" for one in result.replaced for slot in missed_slots(one)] == [
        "10:00",
        "11:00",
        "12:30",
        "13:30",
    ]
    assert [f"{due.slot:%H:%M}" for due in result.due] == ["14:00"]
    assert result.outage is None


def test_an_edit_that_missed_nothing_leaves_nothing_behind() -> None:
    noon = daily("UTC", "12:00")
    stretches = [
        ScheduleVersion(1, utc(2026, 1, 1), noon, active=True),
        ScheduleVersion(2, utc(2026, 1, 1, 14), daily("UTC", "13:00"), active=True),
    ]
    former = missed_by_replaced(stretches, utc(2026, 1, 1, 12))
    result = plan(replace(order(stretches[1].schedule, stretches[1].since, stretches[1].since), replaced=former))
    assert (result.replaced, result.due, result.outage) == ((), (), None)


@given(schedules(), schedules(), moments, st.integers(0, 86_400), st.integers(0, 86_400))
def test_an_edit_runs_no_slot_from_before_itself(
    old: Schedule, new: Schedule, began: datetime, edited: int, later: int
) -> None:
    edit = began + timedelta(seconds=edited)
    stretches = [ScheduleVersion(1, began, old, active=True), ScheduleVersion(2, edit, new, active=True)]
    result = plan(
        replace(
            order(new, edit, edit + timedelta(seconds=later), 86_400), replaced=missed_by_replaced(stretches, began)
        )
    )
    assert all(due.slot > edit for due in result.due)
    assert all(slot > edit for slot in missed(result))
    assert [slot for one in result.replaced for slot in missed_slots(one)] == [
        found.slot for found in takewhile(lambda found: found.slot <= edit, occurrences(old, began))
    ]


def lives(orders: PlanOrder, wakes: list[timedelta]) -> Iterator[tuple[PlanOrder, Plan]]:
    """An assistant that plans, sleeps for whatever time, and plans from its cursor."""
    for wake in wakes:
        orders = replace(orders, now=orders.now + wake)
        result = plan(orders)
        yield orders, result
        orders = replace(orders, cursor=result.cursor)


naps = st.lists(st.integers(0, 3 * 86_400).map(lambda s: timedelta(seconds=s)), min_size=1, max_size=8)


@settings(max_examples=150)
@given(schedules(), moments, naps, st.sampled_from([0, 60, 900, 86_400]), st.sampled_from([0, 60, 3600, 86_400]))
def test_plans_over_time_decide_every_slot_exactly_once(
    schedule: Schedule, began: datetime, wakes: list[timedelta], lead: int, catch_up: int
) -> None:
    initial = order(schedule, began, began, lead, catch_up_seconds=catch_up)
    decided: list[datetime] = []
    cursor = began
    for asked, result in lives(initial, wakes):
        assert plan(asked) == result
        past = [due for due in result.due if due.slot <= asked.now]
        assert len(past) <= 1
        assert all(asked.now < due.slot + timedelta(seconds=catch_up) for due in past)
        assert all(due.start <= asked.now for due in result.due)
        lost = missed(result)
        assert all(slot <= asked.now for slot in lost)
        assert bool(lost) == bool(result.outage)
        here = sorted([due.slot for due in result.due] + lost)
        assert result.cursor == (here[-1] if here else cursor) >= cursor
        if result.next:
            assert result.next.start > asked.now
            assert result.next.slot > result.cursor
        cursor = result.cursor
        decided += here
    assert decided == slots_between(schedule, began, max(cursor, began))
    assert not slots_between(schedule, cursor, began + sum(wakes, timedelta()))


def test_orders_and_plans_survive_json() -> None:
    schedule = Schedule(Frequency.interval, "Europe/Berlin", ("08:00",), every_days=2, start_date=date(2026, 3, 26))
    asked = order(schedule, utc(2026, 3, 1), utc(2026, 4, 1))
    orders, plans = TypeAdapter(PlanOrder), TypeAdapter(Plan)
    assert orders.validate_json(orders.dump_json(asked)) == asked
    result = plan(asked)
    assert result.outage
    assert plans.validate_json(plans.dump_json(result)) == result
    oldest = {"frequency": "daily", "time_zone": "UTC"}
    assert TypeAdapter(Schedule).validate_python(oldest) == Schedule(Frequency.daily, "UTC")
