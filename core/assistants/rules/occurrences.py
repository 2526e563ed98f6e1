"""Occurrences of a schedule in UTC, and the days it leaves out.

Pure: no clock and no I/O except for time zone data and holidays. Both come from wheels (`tzdata`, `holidays`), never
from the machine, so that `rules` names the versions that decided.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from zoneinfo import ZoneInfo

from core.assistants.rules import public_holidays
from core.assistants.rules.schedules import Frequency, MonthEnd, Schedule, malformed, read_cron
from core.errors import InvalidInput
from core.languages import Language

# longer than the eight years without a 29th of February around 2100
LOOK_AHEAD = timedelta(days=3653)

_DAY = timedelta(days=1)
_SHOWN_LEFT_OUT = 100
_OF_DAY = tuple(timedelta(minutes=minute) for minute in range(24 * 60))
# keeps all arithmetic within the range of `datetime`
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)


class LeftOutReason(StrEnum):
    """Why there is no post at a time that the schedule names."""

    date = "date"
    holiday = "holiday"
    day_full = "day_full"


@dataclass(frozen=True)
class LeftOutDay:
    """A day of the schedule without slots, or without some of them (`day_full`)."""

    day: date
    reason: LeftOutReason
    holiday: str = ""
    """The holiday's name."""


@dataclass(frozen=True)
class Occurrence:
    """One slot. `slot` is UTC and a whole minute; `local` is the local wall-clock time.

    `clock_change` is the offset minus that of the previous occurrence (of `after`, for the first), in minutes.
    """

    slot: datetime
    local: datetime
    offset_minutes: int
    clock_change: int = 0


@cache
def rules() -> str:
    """Return the versions of the data, such as `tzdata-2026.6 holidays-0.109`."""
    return f"tzdata-{version('tzdata')} {public_holidays.rules()}"


def occurrences(schedule: Schedule, after: datetime) -> Iterator[Occurrence]:
    """Yield every occurrence strictly after `after` (aware), ascending, no slot twice.

    A local time that does not exist moves forward by the gap; of a repeated one the first counts. Ends at `end_date`,
    or if ten years bring nothing: a schedule that never matches yields nothing. Begins in 1970 at the earliest. Days
    that the schedule leaves out are not included. Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(schedule)
    return _occurrences(rule, in_utc(after))


def preview(
    schedule: Schedule, after: datetime, count: int, language: str = Language.en
) -> tuple[list[Occurrence], list[LeftOutDay]]:
    """Return the next `count` occurrences, and the days left out up to the last of them, both ascending; at most a
    hundred days. `language` is for the names of holidays.

    Raises InvalidInput for a schedule that is not well formed.
    """
    rule, after = _rule(schedule), in_utc(after)
    left_out: list[LeftOutDay] = []
    # go on to the end of the last day, since its left-out slots come after its last slot
    coming: list[Occurrence] = []
    for each in _occurrences(rule, after, left_out):
        if len(coming) >= count and each.local.date() > coming[-1].local.date():
            break
        coming.append(each)
    coming = coming[:count]
    last = coming[-1].local.date() if len(coming) == count else date.max
    days = [day for day in left_out if day.day <= last][:_SHOWN_LEFT_OUT]
    return coming, [_named(schedule, day, language) for day in days]


def _named(schedule: Schedule, left: LeftOutDay, language: str) -> LeftOutDay:
    if left.reason is not LeftOutReason.holiday or schedule.holiday_country is None:
        return left
    name = public_holidays.name_of(schedule.holiday_country, schedule.holiday_region, left.day, language)
    return replace(left, holiday=name)


def days_left_out(schedule: Schedule, first: date, last: date, language: str = Language.en) -> list[LeftOutDay]:
    """Return the days of the schedule from `first` to `last` that it leaves out as a whole, ascending; not those with
    some slots. `language` is for the names of holidays.

    Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(schedule)
    first, last = max(first, rule.first), min(last, rule.last)
    days = (first + timedelta(days=at) for at in range((last - first).days + 1))
    return [
        _named(schedule, LeftOutDay(day, reason), language)
        for day in days
        if rule.matches(day) and (reason := rule.left_out(day)) is not None
    ]


def upcoming(schedule: Schedule, after: datetime, until: datetime = _LATEST) -> Iterator[datetime]:
    """Yield the slots strictly after `after`, ascending: all up to `until`, perhaps some later ones.

    Raises InvalidInput for a schedule that is not well formed.
    """
    return _slots(_rule(schedule), in_utc(after), until)


def newest_two(schedule: Schedule, cursor: datetime, now: datetime, skipped: frozenset[datetime]) -> list[datetime]:
    """Return the newest two slots with cursor < slot ≤ now that are not skipped, ascending; fewer if there are no two.

    Searches back in windows of growing length, so that a year of minutes costs as much as a day of minutes.
    Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(schedule)
    newest: list[datetime] = []
    cursor, high, span = max(cursor, _EARLIEST), min(now, _LATEST), _DAY
    while cursor < high and len(newest) < 2:
        low = max(cursor, high - span)
        window = []
        for slot in _slots(rule, low, until=high):
            if slot > high:
                break
            if slot not in skipped:
                window.append(slot)
        newest = window + newest
        high, span = low, span * 2
    return newest[-2:]


@dataclass(frozen=True)
class _Rule:
    """A compiled schedule: its local days, the minutes of each, and what it leaves out."""

    zone: ZoneInfo
    minutes: tuple[int, ...]
    first: date
    last: date
    matches: Callable[[date], bool]
    left_out: Callable[[date], LeftOutReason | None]
    most_per_day: int | None


def _rule(schedule: Schedule) -> _Rule:
    if errors := malformed(schedule):
        raise InvalidInput(errors=errors)
    zone = _zone(schedule.time_zone)
    first = schedule.start_date or _EARLIEST.date()
    last = min(schedule.end_date or date.max, _LATEST.date())
    limits = _left_out(schedule), schedule.most_per_day
    if schedule.frequency is not Frequency.cron:
        minutes = sorted({int(slot[:2]) * 60 + int(slot[3:]) for slot in schedule.time_slots})
        return _Rule(zone, tuple(minutes), first, last, _matcher(schedule), *limits)
    cron = read_cron(schedule.cron or "")
    if cron is None:
        return _Rule(zone, (), first, last, lambda day: False, *limits)
    # cronsim parses the expression and matches days; its own stepping takes seconds for a year of minutes
    minutes = sorted(hour * 60 + minute for hour in cron.hours for minute in cron.minutes)

    def matches(day: date) -> bool:
        return day.month in cron.months and cron.match_day(day)

    return _Rule(zone, tuple(minutes), first, last, matches, *limits)


def _left_out(schedule: Schedule) -> Callable[[date], LeftOutReason | None]:
    ranges, country, region = schedule.left_out_dates, schedule.holiday_country, schedule.holiday_region
    if not ranges and country is None:
        return lambda day: None

    def reason(day: date) -> LeftOutReason | None:
        if any(dates.first <= day <= dates.last for dates in ranges):
            return LeftOutReason.date
        if country is not None and day in public_holidays.of_year(country, region, day.year):
            return LeftOutReason.holiday
        return None

    return reason


def _matcher(schedule: Schedule) -> Callable[[date], bool]:
    match schedule.frequency:
        case Frequency.weekly:
            weekdays = frozenset(schedule.days_of_week)
            return lambda day: day.isoweekday() in weekdays
        case Frequency.monthly:
            days, latest = frozenset(schedule.days_of_month), max(schedule.days_of_month)
            if schedule.month_end is MonthEnd.skip:
                return lambda day: day.day in days
            return lambda day: day.day in days or (day.day < latest and (day + _DAY).day == 1)
        case Frequency.interval:
            start, step = schedule.start_date or _EARLIEST.date(), schedule.every_days or 1
            return lambda day: (day - start).days % step == 0
        case Frequency.daily | Frequency.cron:
            return lambda day: True


@cache
def _zone(name: str) -> ZoneInfo:
    """Return the zone from the `tzdata` wheel, not from the machine's zone files."""
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)


def days_later(moment: datetime, time_zone: str, days: int) -> datetime:
    """Return the moment `days` later (or earlier) at the same time of day in that zone, in UTC. A local time that does
    not exist moves forward by the gap, of a repeated one the first counts. Raises OverflowError beyond the calendar."""
    zone = _zone(time_zone)
    wall = moment.astimezone(zone).replace(tzinfo=None, fold=0) + days * _DAY
    return wall.replace(tzinfo=zone).astimezone(UTC)


def instant_of(wall: datetime, time_zone: str) -> datetime:
    """Return in UTC when clocks in the zone show `wall`, which has no time zone; gaps as `days_later`."""
    return wall.replace(tzinfo=_zone(time_zone), fold=0).astimezone(UTC)


def in_utc(moment: datetime) -> datetime:
    """Return the same moment in UTC. Raises ValueError without a time zone, an error of the caller."""
    if moment.tzinfo is None:
        raise ValueError("the moment has no time zone")
    return moment.astimezone(UTC)


def _occurrences(rule: _Rule, after: datetime, left: list[LeftOutDay] | None = None) -> Iterator[Occurrence]:
    before = _offset_minutes(min(max(after, _EARLIEST), _LATEST).astimezone(rule.zone))
    for slot in _slots(rule, after, left=left):
        local = slot.astimezone(rule.zone)
        offset = _offset_minutes(local)
        yield Occurrence(slot, local.replace(tzinfo=None, fold=0), offset, offset - before)
        before = offset


def _offset_minutes(local: datetime) -> int:
    return (local.utcoffset() or timedelta(0)) // timedelta(minutes=1)


def _slots(
    rule: _Rule, after: datetime, until: datetime = _LATEST, left: list[LeftOutDay] | None = None
) -> Iterator[datetime]:
    """Yield the instants of `occurrences`: all up to `until`, perhaps some later ones. Days left out that would have
    slots after `after` are added to `left` before the first slot that follows them."""
    if after >= _LATEST:
        return
    newest = max(after, _EARLIEST)
    # a gap moves a time by at most a day; a repeated hour may set the clock back over midnight
    day = max(newest.astimezone(rule.zone).date() - 2 * _DAY, rule.first)
    last = min(until.astimezone(rule.zone).date() + 2 * _DAY, rule.last)
    give_up = min(max(newest.date(), day), _LATEST.date()) + LOOK_AHEAD
    # a gap may move a time past times of the next day
    waiting: list[datetime] = []
    room, soon = _Room(rule), newest.date() + 2 * _DAY
    while day <= last and day <= give_up:
        if rule.matches(day):
            reason = rule.left_out(day)
            if reason is None:
                waiting += _instants(day, rule)
            elif left is not None and (day > soon or max(_instants(day, rule), default=newest) > newest):
                left.append(LeftOutDay(day, reason))
        day += _DAY
        if not waiting:
            continue
        waiting.sort()
        settled = bisect_left(waiting, _midnight(day, rule.zone)) if day <= last else len(waiting)
        # past slots count if a day has a limit
        begin = 0 if rule.most_per_day else bisect_right(waiting, newest)
        for slot in waiting[begin:settled]:
            if rule.most_per_day and not room.takes(slot):
                if left is not None and slot > newest:
                    room.note(slot, left)
            elif slot > newest:
                newest, give_up = slot, day + LOOK_AHEAD
                yield slot
        del waiting[:settled]


class _Room:
    """Counts the slots of a day up to its limit; needs all slots in order."""

    def __init__(self, rule: _Rule) -> None:
        self._zone, self._most = rule.zone, rule.most_per_day or 0
        self._day = date.min
        self._taken = 0
        self._last: datetime | None = None

    def takes(self, slot: datetime) -> bool:
        if slot == self._last:  # a gap makes two times equal
            return self._taken <= self._most
        self._last = slot
        day = slot.astimezone(self._zone).date()
        if day != self._day:
            self._day, self._taken = day, 0
        self._taken += 1
        return self._taken <= self._most

    def note(self, slot: datetime, left: list[LeftOutDay]) -> None:
        full = LeftOutDay(slot.astimezone(self._zone).date(), LeftOutReason.day_full)
        if not left or left[-1] != full:
            left.append(full)


def _instants(day: date, rule: _Rule) -> list[datetime]:
    """Return the instants of a day's times, without seconds (some historic offsets had seconds)."""
    midnight = datetime.combine(day, time(), rule.zone)
    offsets = {each.utcoffset() for each in (midnight, midnight.replace(fold=1), midnight + _DAY)}
    if len(offsets) == 1:  # no change on this day: no zone has ever had two within a week
        begin = midnight.astimezone(UTC).replace(second=0)
        return [begin + _OF_DAY[minute] for minute in rule.minutes]
    # fold=0 moves a time in a gap forward by the gap, and takes the first of two equal times
    moments = (datetime.combine(day, time(*divmod(minute, 60)), rule.zone) for minute in rule.minutes)
    instants = [moment.astimezone(UTC).replace(second=0) for moment in moments]
    # a time that a gap moves to a left-out day is left out too
    return [
        instant
        for instant in instants
        if (local_day := instant.astimezone(rule.zone).date()) == day or rule.left_out(local_day) is None
    ]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the day's earliest instant, even if its midnight is skipped or repeated."""
    midnight = datetime.combine(day, time(), zone)
    return min(midnight.astimezone(UTC), midnight.replace(fold=1).astimezone(UTC)).replace(second=0)
