"""What of a schedule is left out: dates, public holidays, and more than so many a day."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice, takewhile
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.assistants.rules import public_holidays
from core.assistants.rules.occurrences import LeftOutDay, LeftOutReason, occurrences, preview, rules
from core.assistants.rules.planning import Outage, PlanOrder, missed_slots, plan
from core.assistants.rules.schedules import MAX_LEFT_OUT, DateRange, Frequency, Schedule, validate
from core.errors import ErrorCode

ASSISTANT = UUID("01890000-0000-7000-8000-000000000001")
DAY = timedelta(days=1)
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Nuuk", "America/Santiago"]
# as the law of Bavaria has them, written down by hand
BAVARIA = {
    date(2026, 12, 25),
    date(2026, 12, 26),
    date(2027, 1, 1),
    date(2027, 1, 6),
    date(2027, 3, 26),
    date(2027, 3, 29),
    date(2027, 5, 1),
    date(2027, 5, 6),
    date(2027, 5, 17),
    date(2027, 5, 27),
    date(2027, 10, 3),
    date(2027, 11, 1),
    date(2027, 12, 25),
    date(2027, 12, 26),
}


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


def daily(*slots: str, zone: str = "Europe/Berlin") -> Schedule:
    return Schedule(Frequency.daily, zone, slots)


def day(*parts: int) -> DateRange:
    return DateRange(date(*parts), date(*parts))


def local_times(schedule: Schedule, after: datetime, count: int) -> list[str]:
    return [f"{each.local:%Y-%m-%d %H:%M}" for each in islice(occurrences(schedule, after), count)]


def test_days_and_ranges_have_no_slot() -> None:
    schedule = replace(
        daily("09:00"), left_out_dates=(day(2026, 12, 2), DateRange(date(2026, 12, 4), date(2026, 12, 6)))
    )
    assert local_times(schedule, utc(2026, 12, 1), 3) == ["2026-12-01 09:00", "2026-12-03 09:00", "2026-12-07 09:00"]


def test_holidays_of_a_region_have_no_slot() -> None:
    schedule = replace(
        daily("09:00"),
        start_date=date(2026, 12, 24),
        end_date=date(2027, 12, 31),
        holiday_country="DE",
        holiday_region="BY",
    )
    posts = {each.local.date() for each in occurrences(schedule, utc(2026, 1, 1))}
    every = {date(2026, 12, 24) + count * DAY for count in range(373)}
    assert every - posts == BAVARIA


def test_of_the_whole_country_only_what_is_a_holiday_everywhere() -> None:
    schedule = replace(daily("09:00"), start_date=date(2027, 1, 6), end_date=date(2027, 1, 6), holiday_country="DE")
    assert local_times(schedule, utc(2026, 1, 1), 2) == ["2027-01-06 09:00"]


def test_a_day_takes_its_first_slots() -> None:
    schedule = replace(daily("18:00", "09:00", "12:00"), most_per_day=2)
    assert local_times(schedule, utc(2026, 12, 1), 4) == [
        "2026-12-01 09:00",
        "2026-12-01 12:00",
        "2026-12-02 09:00",
        "2026-12-02 12:00",
    ]
    # what is past has taken its place
    assert local_times(schedule, utc(2026, 12, 1, 9), 2) == ["2026-12-01 12:00", "2026-12-02 09:00"]
    assert local_times(schedule, utc(2026, 12, 1, 12), 1) == ["2026-12-02 09:00"]


def test_a_time_that_the_clock_moves_into_a_day_left_out_is_left_out() -> None:
    """In Nuuk the last hour of a Saturday is skipped."""
    schedule = daily("23:30", zone="America/Nuuk")
    moved = next(
        each for each in occurrences(schedule, utc(2027, 3, 1)) if each.local.hour == 0
    )  # on the Sunday, though it was meant for the Saturday
    assert moved.local.date() == date(2027, 3, 28)
    for left_out in (day(2027, 3, 27), day(2027, 3, 28)):
        found = occurrences(replace(schedule, left_out_dates=(left_out,)), utc(2027, 3, 26))
        assert moved.slot not in [each.slot for each in islice(found, 5)]


def test_a_schedule_that_leaves_everything_out_ends() -> None:
    schedule = replace(
        Schedule(Frequency.cron, "UTC", cron="* * * * *"), left_out_dates=(DateRange(date(2000, 1, 1), date.max),)
    )
    assert list(occurrences(schedule, utc(2026, 1, 1))) == []
    coming, left = preview(schedule, utc(2026, 1, 1), 10)
    assert (coming, len(left)) == ([], 100)


def test_slots_left_out_are_neither_due_nor_missed() -> None:
    schedule = replace(daily("09:00"), left_out_dates=(DateRange(date(2026, 12, 2), date(2026, 12, 5)),))
    order = PlanOrder(ASSISTANT, schedule, cursor=utc(2026, 12, 1, 8), now=utc(2026, 12, 4, 8), lead_seconds=900)
    made = plan(order)
    assert (made.due, made.outage) == ((), None)
    assert made.next is not None
    assert made.next.slot == utc(2026, 12, 6, 8)
    later = plan(replace(order, now=utc(2026, 12, 7, 8), catch_up_seconds=3600))
    assert [each.slot for each in later.due] == [utc(2026, 12, 7, 8)]
    assert later.outage is not None
    assert list(missed_slots(later.outage)) == [utc(2026, 12, 6, 8)]


def test_the_preview_names_what_is_left_out_and_why() -> None:
    schedule = replace(
        daily("09:00", "18:00"),
        left_out_dates=(day(2026, 12, 28),),
        holiday_country="DE",
        most_per_day=1,
    )
    coming, left = preview(schedule, utc(2026, 12, 24), 4, "de")
    assert [f"{each.local:%d %H}" for each in coming] == ["24 09", "27 09", "29 09", "30 09"]
    assert left == [
        LeftOutDay(date(2026, 12, 24), LeftOutReason.day_full),
        LeftOutDay(date(2026, 12, 25), LeftOutReason.holiday, "Erster Weihnachtstag"),
        LeftOutDay(date(2026, 12, 26), LeftOutReason.holiday, "Zweiter Weihnachtstag"),
        LeftOutDay(date(2026, 12, 27), LeftOutReason.day_full),
        LeftOutDay(date(2026, 12, 28), LeftOutReason.date),
        LeftOutDay(date(2026, 12, 29), LeftOutReason.day_full),
        LeftOutDay(date(2026, 12, 30), LeftOutReason.day_full),
    ]
    assert coming == list(islice(occurrences(schedule, utc(2026, 12, 24)), 4))


def test_a_day_whose_times_are_over_is_no_news() -> None:
    schedule = replace(daily("09:00"), left_out_dates=(day(2026, 12, 2),))
    assert preview(schedule, utc(2026, 12, 2, 7), 1)[1] == [LeftOutDay(date(2026, 12, 2), LeftOutReason.date)]
    assert preview(schedule, utc(2026, 12, 2, 8), 1)[1] == []


def test_at_the_ends_of_time_nothing_is_left_out() -> None:
    schedule = replace(daily("09:00"), start_date=date.max, left_out_dates=(day(9999, 12, 31),), holiday_country="DE")
    assert preview(schedule, utc(2026, 12, 2), 1) == ([], [])
    assert preview(replace(schedule, start_date=None), utc(9998, 12, 2), 1) == ([], [])


def test_holidays_have_a_name_in_the_language_of_the_reader_where_there_is_one() -> None:
    christmas = date(2026, 12, 25)
    assert public_holidays.name_of("DE", None, christmas, "en") == "Christmas Day"
    assert public_holidays.name_of("DE", None, christmas, "de") == "Erster Weihnachtstag"
    assert public_holidays.name_of("US", None, christmas, "de") == "Christmas Day"
    assert public_holidays.name_of("DE", None, date(2026, 12, 24), "de") == ""


def test_regions_have_names() -> None:
    names = {region.code: region.name for region in public_holidays.regions("DE")}
    assert names["BY"] == "Bayern"
    assert names["Augsburg"] == "Augsburg"
    assert {region.code: region.name for region in public_holidays.regions("AT")}["2"] == "Kärnten"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"most_per_day": 0}, "schedule.most_per_day", ErrorCode.invalid_input),
        ({"most_per_day": 1441}, "schedule.most_per_day", ErrorCode.invalid_input),
        (
            {"left_out_dates": (day(2026, 1, 1), DateRange(date(2026, 2, 2), date(2026, 2, 1)))},
            "schedule.left_out_dates.1",
            ErrorCode.invalid_input,
        ),
        (
            {"left_out_dates": (day(2026, 1, 1),) * (MAX_LEFT_OUT + 1)},
            "schedule.left_out_dates",
            ErrorCode.invalid_input,
        ),
        ({"holiday_country": "XX"}, "schedule.holiday_country", ErrorCode.unknown_holidays),
        ({"holiday_country": "DE", "holiday_region": "CA"}, "schedule.holiday_region", ErrorCode.unknown_holidays),
        ({"holiday_region": "BY"}, "schedule.holiday_country", ErrorCode.unknown_holidays),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, object], field: str, code: ErrorCode) -> None:
    [problem] = validate(replace(daily("09:00"), **change))  # type: ignore[arg-type]
    assert (problem.field, problem.code) == (field, code)


def test_the_rules_name_the_calendars() -> None:
    assert rules().split() == [rules().split()[0], public_holidays.rules()]


RANGES = st.lists(
    st.builds(
        lambda first, length: DateRange(first, first + length * DAY),
        st.dates(date(2026, 12, 15), date(2027, 4, 15)),
        st.integers(0, 9),
    ),
    max_size=4,
).map(tuple)
SLOTS = st.lists(st.times().map(lambda each: f"{each:%H:%M}"), min_size=1, max_size=6).map(tuple)
BEGIN, END = utc(2026, 12, 20), utc(2027, 4, 10)


@settings(deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    slots=SLOTS,
    ranges=RANGES,
    most=st.none() | st.integers(1, 4),
    holidays=st.booleans(),
    after=st.datetimes(datetime(2026, 12, 20), datetime(2027, 4, 9), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_what_is_left_is_the_plain_schedule_without_what_is_left_out(
    zone: str,
    slots: tuple[str, ...],
    ranges: tuple[DateRange, ...],
    most: int | None,
    holidays: bool,
    after: datetime,
) -> None:
    plain = Schedule(Frequency.daily, zone, slots)
    limited = replace(
        plain,
        left_out_dates=ranges,
        most_per_day=most,
        holiday_country="DE" if holidays else None,
        holiday_region="BY" if holidays else None,
    )

    def open_days(found: date) -> bool:
        return not any(one.first <= found <= one.last for one in ranges) and not (holidays and found in BAVARIA)

    taken: dict[date, int] = {}
    expected = []
    for each in takewhile(lambda each: each.slot <= END, occurrences(plain, BEGIN - 3 * DAY)):
        there = each.local.date()
        # by a skipped hour, one meant for the day before
        meant = there if f"{each.local:%H:%M}" in slots else min(there, (each.local - timedelta(hours=1)).date())
        if open_days(there) and open_days(meant):
            taken[there] = taken.get(there, 0) + 1
            if most is None or taken[there] <= most:
                expected.append(each.slot)
    expected = [slot for slot in expected if slot > after]
    found = [each.slot for each in takewhile(lambda each: each.slot <= END, occurrences(limited, after))]
    assert found == expected
    # looked at from anywhere, it is the same
    outage = Outage(limited, after, END)
    assert list(missed_slots(outage)) == expected
    made = plan(PlanOrder(ASSISTANT, limited, cursor=after, now=END, lead_seconds=60, catch_up_seconds=0))
    assert (list(missed_slots(made.outage)) if made.outage else []) == expected
