"""Dates of files as other programs write them."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.posts.rules.csv_dates import DateOrder, date_order, written_date, written_time

FIFTH_OF_MARCH = date(2026, 3, 5)


@pytest.mark.parametrize(
    ("cell", "at"),
    [
        ("2026-03-05 09:00", time(9)),
        ("2026-03-05T09:00:30.25", time(9, 0, 30, 250_000)),
        ("2026/03/05 09:00", time(9)),
        ("2026-03-05", None),
        ("05.03.2026", None),
        ("05.03.2026 9:00", time(9)),
        ("05.03.2026 9.00", time(9)),
        ("5. 3. 2026, 09:00 Uhr", time(9)),
        ("5.3.26 9 Uhr", time(9)),
        ("Do., 05.03.2026 um 21:15", time(21, 15)),
        ("Thursday, 5 March 2026 at 9:00\u202fPM", time(21)),
        ("Mar 5, 2026 12:00 am", time(0)),
        ("5. März 2026 12:30 p.m.", time(12, 30)),
        ("5-Mar-2026 09:00", time(9)),
        ("5th March 2026", None),
        ("5-Mar-26", None),
        ("5. Mär 26 9:00", time(9)),
        ("Mar 5, 2026 9:00 AM → 10:00 AM", time(9)),
        ("Mar 5, 2026 → Mar 7, 2026", None),
        ("46086", None),
        ("46086.375", time(9)),
        ("46086,7083333333", time(17)),
    ],
)
def test_a_day_that_can_be_read_in_one_way(cell: str, at: time | None) -> None:
    found = written_date(cell)
    assert found is not None
    assert (found.on(None), found.time_of_day, found.offset) == (FIFTH_OF_MARCH, at, None)
    assert not found.is_ambiguous
    assert found.on(DateOrder.day_first) == found.on(DateOrder.month_first) == FIFTH_OF_MARCH


@pytest.mark.parametrize("cell", ["3/5/2026 9:00 AM", "03-05-2026 09:00", "3/5/26, 9:00", "3/5/2026 9.00"])
def test_a_day_that_can_be_read_in_two_ways(cell: str) -> None:
    found = written_date(cell)
    assert found is not None
    assert (found.is_ambiguous, found.on(None), found.time_of_day) == (True, None, time(9))
    assert found.on(DateOrder.month_first) == FIFTH_OF_MARCH
    assert found.on(DateOrder.day_first) == date(2026, 5, 3)


@pytest.mark.parametrize(
    ("cell", "offset"),
    [
        ("2026-03-05T09:00:00Z", 0),
        ("2026-03-05T09:00:00+0100", 60),
        ("2026-03-05 09:00 +01:00", 60),
        ("2026-03-05 09:00-03:30", -210),
        ("2026-03-05 09:00 UTC", 0),
        ("March 5, 2026 9:00 AM (GMT+1)", 60),
        ("2026-03-05 09:00 UTC+2", 120),
        ("2026-03-05 09:00 (UTC-03:30)", -210),
        ("2026-03-05 09:00:00 +0000 UTC", 0),
        ("2026-03-05T09:00:00−05:00", -300),
        ("05.03.2026 09:00 MEZ", 60),
        ("05.03.2026 9 Uhr CEST", 120),
        ("3/5/2026 9:00 a.m. PST", -480),
        ("March 5, 2026 9:00 AM EDT", -240),
    ],
)
def test_an_offset_is_kept(cell: str, offset: int) -> None:
    found = written_date(cell)
    assert found is not None
    assert (found.time_of_day, found.offset) == (time(9), timedelta(minutes=offset))


@pytest.mark.parametrize(
    "cell",
    [
        *("", "tomorrow", "9:00", "2026", "12", "30.02.2026", "2026-13-01", "99/99/2026", "9999-12-31 23:59"),
        *("2026-03-05 25:00", "2026-03-05 9:60", "2026-03-05T09:00+99:00", "3/5/2026 13:00 AM", "3/5/2026 soon"),
        *("12345", "99999", "460861", "Marsch 5, 2026", "1.2.3", "+49 30 1234", "5.3.2026abc", "03052026"),
        *("2026-03-05 09:00 CST", "2026-03-05 09:00 Europe/Berlin", "26-03-05", "26-03-05 09:00"),
    ],
)
def test_what_is_no_date(cell: str) -> None:
    assert written_date(cell) is None


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        *(("9:00", time(9)), ("09.30", time(9, 30)), ("9 AM", time(9)), ("12:05 pm", time(12, 5)), ("9 Uhr", time(9))),
        *(("9h30", time(9, 30)), ("21:15:10", time(21, 15, 10)), ("9", None), ("", None), ("noon", None)),
        *(("0.375", time(9)), ("0,7083333333", time(17)), ("0.5", time(12)), ("0.25", time(0, 25))),
    ],
)
def test_a_time_of_day(cell: str, expected: time | None) -> None:
    assert written_time(cell) == expected


@pytest.mark.parametrize(
    ("cells", "order", "asked"),
    [
        (["3/5/2026", "25/3/2026"], DateOrder.day_first, False),
        (["3/5/2026", "3/25/2026"], DateOrder.month_first, False),
        (["3/5/2026", "4/6/2026"], None, True),
        (["3/3/2026", "2026-03-05", "05.03.2026"], None, False),
        # some lines prove one order, others the other: nobody but a person knows
        (["25/3/2026", "3/25/2026", "3/5/2026"], None, True),
        (["25/3/2026", "3/25/2026"], None, False),
        ([], None, False),
    ],
)
def test_the_column_decides_or_a_person_does(cells: list[str], order: DateOrder | None, asked: bool) -> None:
    assert date_order(found for cell in cells if (found := written_date(cell))) == (order, asked)


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.integers(0, 23), st.integers(0, 59))
def test_what_programs_write_is_read_as_it_was_meant(day: date, hour: int, minute: int) -> None:
    moment = datetime.combine(day, time(hour, minute))
    serial = (day - date(1899, 12, 30)).days + (60 * hour + minute) / 1440
    for cell in (
        moment.isoformat(),
        f"{moment:%d.%m.%Y %H:%M}",
        f"{moment:%Y/%m/%d %H:%M}",
        f"{moment:%B} {moment.day}, {moment:%Y %I:%M %p}",
    ):
        found = written_date(cell)
        assert found is not None
        assert (found.on(None), found.time_of_day) == (moment.date(), moment.time()), cell
    for order, cell in (
        (DateOrder.month_first, f"{moment.month}/{moment.day}/{moment:%Y %I:%M %p}"),
        (DateOrder.day_first, f"{moment:%d/%m/%Y %H:%M}"),
    ):
        found = written_date(cell)
        assert found is not None
        assert (found.on(order), found.time_of_day) == (moment.date(), moment.time()), cell
    found = written_date(f"{serial:.10f}")
    assert found is not None
    assert (found.on(None), found.time_of_day or time(0)) == (moment.date(), moment.time())
    # the day alone, as Excel writes a midnight
    whole = written_date(str(int(serial)))
    assert whole is not None
    assert whole.time_of_day is None


@given(st.text(max_size=30) | st.text("0123456789./-:, TZapm+", max_size=25))
def test_no_cell_breaks_it(cell: str) -> None:
    written_date(cell)
    written_time(cell)
