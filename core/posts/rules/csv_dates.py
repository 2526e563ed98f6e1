"""Dates and times as spreadsheets and other tools write them into CSV files. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import StrEnum
from typing import Final

from core.texts.rules.dates import YEARS


class DateOrder(StrEnum):
    """Order of day and month in dates such as 3/5/2026."""

    day_first = "day_first"
    month_first = "month_first"


@dataclass(frozen=True)
class WrittenDate:
    """A parsed cell. `day_first` and `month_first` differ if the cell is ambiguous; one of them is None if only the
    other order is possible."""

    day_first: date | None
    month_first: date | None
    time_of_day: time | None
    offset: timedelta | None = None
    """From UTC, if the cell names one."""

    @property
    def is_ambiguous(self) -> bool:
        return self.day_first is not None and self.month_first is not None and self.day_first != self.month_first

    @property
    def decides(self) -> DateOrder | None:
        """The order that this cell proves."""
        if self.month_first is None:
            return DateOrder.day_first
        return DateOrder.month_first if self.day_first is None else None

    def on(self, order: DateOrder | None) -> date | None:
        """Return the date; None if `order` does not fit, or is needed and not known."""
        if order is DateOrder.day_first:
            return self.day_first
        if order is DateOrder.month_first:
            return self.month_first
        return None if self.is_ambiguous else self.day_first or self.month_first

    def moment(self, day: date, at: time) -> datetime:
        """Return `day` at that time, with the cell's offset."""
        zone = None if self.offset is None else timezone(self.offset)
        return datetime.combine(day, at, zone)


_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jän jänner",
            "feb february februar",
            "mar march märz mär mrz",
            "apr april",
            "may mai",
            "jun june juni",
            "jul july juli",
            "aug august",
            "sep sept september",
            "oct october okt oktober",
            "nov november",
            "dec december dez dezember",
        ),
        start=1,
    )
    for name in names.split()
}

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4}|\d{2})")
_DAY_NAMED = re.compile(r"(\d{1,2})(?:\.|st|nd|rd|th)?[ -]([^\W\d_]{3,9})\.?[ -](\d{4}|\d{2}(?![\d:.]))")
_NAMED_DAY = re.compile(r"([^\W\d_]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[^\W\d_]*[.,]* (?=\S)")
_BETWEEN = re.compile(r",? ?(?:at|um) |[, t]+")
_TIME = re.compile(
    r"(\d{1,2})(?:(?:[:.]|h)(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?)?(?: ?(?:h|uhr))?(?: ?([ap])\.? ?m\.?)?"
)
_ZONES: Final = {
    **dict.fromkeys(("z", "utc", "gmt"), 0),
    **dict.fromkeys(("cet", "mez"), 60),
    **dict.fromkeys(("cest", "mesz"), 120),
    **dict.fromkeys(("est", "cdt"), -300),
    **dict.fromkeys(("mst", "pdt"), -420),
    "edt": -240,
    "mdt": -360,
    "pst": -480,
}
"""Minutes from UTC, of unambiguous names: CST, BST and IST mean several zones."""
_OFFSET = re.compile(
    rf"(?<=[\dmhr.]) ?\(?(?:(?P<zone>{'|'.join(_ZONES)})"
    r"|(?:(?:utc|gmt)(?=[+-]\d)|(?=[+-]\d\d))(?P<sign>[+-])(?P<hours>\d\d?)(?::?(?P<minutes>\d\d))?(?: utc)?)\)?$"
)
_UNTIL = re.compile(r" (?:→|->) .*$")
"""The end of a period, which is not read."""
_SERIAL = re.compile(r"\d{5}(?:[.,]\d+)?")
_SERIALS: Final = range(36_526, 73_051)
"""Days of 2000 to 2099, as Excel counts them."""
_PART_OF_A_DAY = re.compile(r"0[.,](?:\d|[6-9]\d|\d{3,})")  # 0.30 may be half past midnight, so it is not matched
_EXCEL_ZERO: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - the zone is the file's


def written_date(cell: str) -> WrittenDate | None:
    """Parse a cell; None if it names no day. Known: ISO 8601, 2026/03/05, 05.03.2026, 3/5/2026, English and German
    names of months, Excel's numbers, each with or without a time (24 hours, AM and PM)."""
    text = _UNTIL.sub("", " ".join(cell.casefold().replace("\N{MINUS SIGN}", "-").split()))
    if _SERIAL.fullmatch(text):
        return _serial(float(text.replace(",", ".")))
    text = _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text
    for pattern, days in (
        (_YEAR_FIRST, _year_first),
        (_YEAR_LAST, _year_last),
        (_DAY_NAMED, _named),
        (_NAMED_DAY, _named),
    ):
        if match := pattern.match(text):
            day_first, month_first = days(*match.groups())
            if day_first is None and month_first is None:
                return None
            return _with_time(day_first, month_first, text[match.end() :])
    return None


def written_time(cell: str) -> time | None:
    """Parse a time of day: 9:00, 09.00, 9 AM, 9:00 p.m., 9 Uhr, 9h00, Excel's 0.375. None if `cell` is not a time, or
    is a number that may mean something else."""
    text = " ".join(cell.casefold().split())
    if _PART_OF_A_DAY.fullmatch(text):
        return (_EXCEL_ZERO + timedelta(seconds=round(float(text.replace(",", ".")) * 86_400))).time()
    return None if text.isdecimal() else _time(text)


def date_order(cells: Iterable[WrittenDate]) -> tuple[DateOrder | None, bool]:
    """Return (the order that the cells prove, whether a person has to choose it). Cells that contradict prove
    nothing."""
    dates = list(cells)
    proved = {order for date in dates if (order := date.decides)}
    if len(proved) == 1:
        return proved.pop(), False
    return None, any(date.is_ambiguous for date in dates)


def _year_first(year: str, _: str, month: str, day: str) -> tuple[date | None, date | None]:
    parsed = _day(int(year), int(month), int(day))
    return parsed, parsed


def _year_last(first: str, separator: str, second: str, year: str) -> tuple[date | None, date | None]:
    if len(year) == 2 and separator == "-" and int(year) < 20:
        return None, None  # 26-05-05 more likely begins with the year
    full = _full_year(year)
    day_first = _day(full, int(second), int(first))
    # nobody writes the month first with full stops
    return day_first, day_first if separator == "." else _day(full, int(first), int(second))


def _named(first: str, second: str, year: str) -> tuple[date | None, date | None]:
    day, month = (first, second) if first.isdecimal() else (second, first)
    parsed = _day(_full_year(year), _MONTHS.get(month, 0), int(day))
    return parsed, parsed


def _full_year(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year in YEARS else None
    except ValueError:
        return None


def _with_time(day_first: date | None, month_first: date | None, rest: str) -> WrittenDate | None:
    if not rest.strip():
        return WrittenDate(day_first, month_first, None)
    between = _BETWEEN.match(rest)
    if between is None:
        return None
    time_text, offset = rest[between.end() :], None
    if named := _OFFSET.search(time_text):
        time_text, offset = time_text[: named.start()], _offset(named)
        if offset is None:
            return None
    at = _time(time_text)
    return None if at is None else WrittenDate(day_first, month_first, at, offset)


def _time(text: str) -> time | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds, fraction, half = match.groups()
    hour = int(hours)
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return time(hour, int(minutes or 0), int(seconds or 0), int((fraction or "0").ljust(6, "0")))
    except ValueError:
        return None


def _offset(match: re.Match[str]) -> timedelta | None:
    if match["zone"]:
        return timedelta(minutes=_ZONES[match["zone"]])
    hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
    if hours > 23 or minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes)
    return -offset if match["sign"] == "-" else offset


def _serial(number: float) -> WrittenDate | None:
    """Excel counts days from 1900; the fraction is the time."""
    if int(number) not in _SERIALS:
        return None
    moment = _EXCEL_ZERO + timedelta(seconds=round(number * 86_400))
    day = moment.date()
    return WrittenDate(day, day, None if number.is_integer() else moment.time())
