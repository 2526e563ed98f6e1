"""When an assistant posts: the calendar, its occurrences in UTC, and which of them are due.

Pure: no clock and no I/O but the time zone data, which always comes from the installed `tzdata` wheel, never
from the machine, so that `Plan.rules` names what really decided, and the calendars of holidays, which are a wheel too.
"""

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from importlib.metadata import version
from importlib.resources import files
from itertools import islice, pairwise, takewhile
from uuid import UUID
from zlib import crc32
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from core.domain import public_holidays
from core.domain.errors import ErrorCode, FieldError, InvalidInput

MAX_EVERY_DAYS = 366
MAX_PER_DAY = 24 * 60
MAX_LEFT_OUT = 60
"""Ranges of dates: they travel with the schedule through a workflow's history."""
MAX_CRON_LENGTH = 500
MAX_AHEAD = 20
"""Runs of one assistant that may be prepared ahead of their slots at the same time."""
# longer than the eight years between two 29th of February around 2100
LOOK_AHEAD = timedelta(days=3653)

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_DAY = timedelta(days=1)
_YEAR = timedelta(days=366)
_SHOWN_LEFT_OUT = 100
# slots in which the densest is looked for: a schedule of every minute is told by its first twenty
_LOOKED_AT = 5000
_OF_DAY = tuple(timedelta(minutes=minute) for minute in range(24 * 60))
# keeps all arithmetic inside what `datetime` can hold
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_ANY_LOCAL_TIME = datetime(2000, 1, 1)  # noqa: DTZ001 - cronsim is given local wall time


class Frequency(StrEnum):
    daily = "daily"
    weekly = "weekly"
    monthly = "monthly"
    interval = "interval"
    cron = "cron"


class MonthEnd(StrEnum):
    """What day 31 means in a shorter month."""

    last_day = "last_day"
    skip = "skip"


class LeftOutReason(StrEnum):
    """Why there is no post at a time that the schedule names."""

    date = "date"
    holiday = "holiday"
    day_full = "day_full"


@dataclass(frozen=True)
class DateRange:
    """Days, both ends included; one day where they are the same."""

    first: date
    last: date


@dataclass(frozen=True)
class Schedule:
    """Days and wall-clock times in one time zone, from `start_date` to `end_date`, both included."""

    frequency: Frequency
    time_zone: str
    time_slots: tuple[str, ...] = ()
    """`HH:MM`, for every frequency but cron."""
    days_of_week: tuple[int, ...] = ()
    """ISO, 1 is Monday."""
    days_of_month: tuple[int, ...] = ()
    month_end: MonthEnd = MonthEnd.last_day
    every_days: int | None = None
    """For interval: counted in local days from `start_date`, which is the first."""
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = None
    """Minute, hour, day of month, month, day of week."""
    most_per_day: int | None = None
    """Of a day's slots the first ones, over all of `time_slots`; the others are left out."""
    left_out_dates: tuple[DateRange, ...] = ()
    """Days without a slot, as the holidays: neither run nor missed."""
    holiday_country: str | None = None
    """ISO 3166-1: its public holidays are left out."""
    holiday_region: str | None = None
    """As `public_holidays.regions` has them; None: what is a holiday in all of the country."""


@dataclass(frozen=True)
class LeftOutDay:
    """A day of the schedule on which it does not post, or not at all of its times (`day_full`)."""

    day: date
    reason: LeftOutReason
    holiday: str = ""
    """What is celebrated."""


@dataclass(frozen=True)
class Occurrence:
    """One slot, resolved. `slot` is UTC and a whole minute; `local` is what the clock on the wall then shows.

    `clock_change` is the offset minus that of the occurrence before (of `after`, for the first), in minutes.
    """

    slot: datetime
    local: datetime
    offset_minutes: int
    clock_change: int = 0


@dataclass(frozen=True)
class Stretch:
    """From `since` on an assistant was to post by this schedule, or not at all where it was not active.

    `version` is that of the configuration which began it.
    """

    version: int
    since: datetime
    schedule: Schedule
    active: bool


@dataclass(frozen=True)
class Outage:
    """All slots of a schedule with after < slot ≤ until passed while nothing could run. Only the ends, not the slots:
    it travels through a workflow's history, and a year of minutes has half a million."""

    schedule: Schedule
    after: datetime
    until: datetime


@dataclass(frozen=True)
class PlanOrder:
    """What is to be planned. `cursor` is the last slot decided, or the moment from which the schedule applies: nothing
    up to it is looked at again. `replaced` are stretches that edits have ended, with what they may have missed."""

    assistant_id: UUID
    schedule: Schedule
    cursor: datetime
    now: datetime
    lead_seconds: int
    catch_up_seconds: int = 3600
    jitter_window_seconds: int = 300
    replaced: tuple[Outage, ...] = ()
    skipped: tuple[datetime, ...] = ()
    """Slots that a person has left out: neither due nor missed."""


@dataclass(frozen=True)
class PlannedSlot:
    """`start`: when its preparation begins, which may already be past."""

    slot: datetime
    start: datetime


@dataclass(frozen=True)
class Plan:
    """`due` ascends. `next` is the first slot after `cursor`, None when the schedule is over. `outage` and each of
    `replaced` have at least one slot."""

    due: tuple[PlannedSlot, ...]
    cursor: datetime
    next: PlannedSlot | None
    rules: str
    outage: Outage | None = None
    replaced: tuple[Outage, ...] = ()


@cache
def time_zones() -> frozenset[str]:
    """All IANA names, links included."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return frozenset(names) - {"Factory"}  # the name for "not set"


@cache
def rules() -> str:
    """The versions of what decides, such as `tzdata-2026.6 holidays-0.109`."""
    return f"tzdata-{version('tzdata')} {public_holidays.rules()}"


def validate(schedule: Schedule) -> list[FieldError]:
    """Everything that is wrong, by field; an index in a field's path counts from 0, as in JSON."""
    return list(_all_problems(schedule))


@lru_cache(maxsize=512)
def _all_problems(schedule: Schedule) -> tuple[FieldError, ...]:
    return tuple(_problems(schedule) or _never(schedule))


def occurrences(schedule: Schedule, after: datetime) -> Iterator[Occurrence]:
    """Every occurrence strictly after `after` (aware), ascending, no slot twice.

    A local time that does not exist moves forward by the gap; one that happens twice is used the first time.
    Ends at `end_date`, or when ten years bring nothing: a schedule that never matches yields nothing. Begins
    in 1970 at the earliest. What the schedule leaves out is not there.
    Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(schedule)
    return _occurrences(rule, _utc(after))


def preview(
    schedule: Schedule, after: datetime, count: int, language: str = "en"
) -> tuple[list[Occurrence], list[LeftOutDay]]:
    """The next `count` occurrences, and the days left out up to the last of them, both ascending; at most a hundred
    days, where hardly anything else comes. `language` is for the names of holidays.

    Raises InvalidInput for a schedule that is not well formed.
    """
    rule, after = _rule(schedule), _utc(after)
    found: list[LeftOutDay] = []
    # one day more, so that the last of them is complete: what of it is left out comes after its last slot
    coming: list[Occurrence] = []
    for each in _occurrences(rule, after, found):
        if len(coming) >= count and each.local.date() > coming[-1].local.date():
            break
        coming.append(each)
    coming = coming[:count]
    last = coming[-1].local.date() if len(coming) == count else date.max
    days = [one for one in found if one.day <= last][:_SHOWN_LEFT_OUT]
    return coming, [_named(schedule, one, language) for one in days]


def _named(schedule: Schedule, left: LeftOutDay, language: str) -> LeftOutDay:
    if left.reason is not LeftOutReason.holiday or schedule.holiday_country is None:
        return left
    name = public_holidays.name_of(schedule.holiday_country, schedule.holiday_region, left.day, language)
    return replace(left, holiday=name)


def stretched(
    known: Sequence[Stretch], version: int, now: datetime, schedule: Schedule, *, posts: bool, goes_on: datetime | None
) -> tuple[Stretch, ...]:
    """What applies from `now` on, after what has begun by then; `goes_on` is the end of a pause.

    The stretch after that end is the only one that may lie ahead. Whatever changes before puts another in its place,
    and one of now before it, so that a workflow which has heard of the old one sees that it never began.
    """
    passed = [stretch for stretch in known if stretch.since <= now]
    ahead = known[len(passed) :]
    posted = bool(passed) and passed[-1].active
    if not (posts or posted or goes_on or ahead):
        return tuple(known)  # it was not to post before, and it is not now
    same = bool(passed) and (passed[-1].schedule, posted) == (schedule, posts)
    if same and [(one.since, one.schedule) for one in ahead] == ([(goes_on, schedule)] if goes_on else []):
        return tuple(known)
    after = (Stretch(version, goes_on, schedule, active=True),) if goes_on else ()
    return (*passed, Stretch(version, now, schedule, posts), *after)


def replaced(stretches: Sequence[Stretch], cursor: datetime) -> tuple[Outage, ...]:
    """What each but the last stretch may have missed: its slots after the cursor, up to the edit that ended it.

    `cursor` is the last slot that was decided in the first. The others ascend; a first one that lay ahead of them, as
    after a pause, never began, and like one that did not post it has decided nothing.
    """
    if len(stretches) > 1 and (not stretches[0].active or stretches[1].since < stretches[0].since):
        cursor = stretches[1].since
    return tuple(
        Outage(one.schedule, begin, following.since)
        for one, following in pairwise(stretches)
        if one.active and (begin := max(one.since, cursor)) < following.since
    )


def plan(order: PlanOrder) -> Plan:
    """Decides on all slots after the cursor that are past or whose preparation has begun.

    Of the past ones (slot ≤ now) only the newest, and only within the catch-up window, is due; the others are
    missed. Of the coming ones each whose start ≤ now is due. Planning again from the returned cursor never
    decides a slot twice.
    Bounded: at most 20 coming slots are in preparation at once; the next one begins when the first of them is past.
    Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(order.schedule)
    cursor, now = _utc(order.cursor), _utc(order.now)
    ahead = _ahead(order.lead_seconds, order.jitter_window_seconds, order.assistant_id)
    skipped = frozenset(order.skipped)
    past = _newest(rule, cursor, now, skipped)
    caught_up = past[-1:] if past and now < past[-1] + timedelta(seconds=order.catch_up_seconds) else []
    missed = past[: len(past) - len(caught_up)]
    outage = Outage(order.schedule, cursor, missed[-1]) if missed else None
    due = [PlannedSlot(slot, slot - ahead) for slot in caught_up]
    coming = None
    cursor = past[-1] if past else cursor
    prepared: deque[datetime] = deque(maxlen=MAX_AHEAD)  # the latest slots to come that are decided
    for slot in _slots(rule, now):
        if slot in skipped:
            continue
        if slot > cursor:
            start = slot - ahead
            if len(prepared) == MAX_AHEAD:
                start = max(start, prepared[0])
            coming = PlannedSlot(slot, start)
            if start > now:
                break
            due.append(coming)
            cursor, coming = slot, None
        prepared.append(slot)
    former = tuple(one for one in order.replaced if any(True for _ in missed_slots(one)))
    return Plan(tuple(due), cursor, coming, rules(), outage, former)


def most_ahead(schedule: Schedule, lead_seconds: int, after: datetime) -> int:
    """How many slots a lead reaches over at most; counted up to one more than is allowed.

    Looks at 5,000 slots or a year from `after`, whichever is less.
    Raises InvalidInput for a schedule that is not well formed.
    """
    lead, most = timedelta(seconds=lead_seconds), 0
    within: deque[datetime] = deque()
    begin = _utc(after)
    for slot in islice(_slots(_rule(schedule), begin), _LOOKED_AT):
        if slot > begin + _YEAR:
            break
        within.append(slot)
        while within[0] <= slot - lead:
            within.popleft()
        most = max(most, len(within))
        if most > MAX_AHEAD:
            break
    return most


def missed_slots(outage: Outage) -> Iterator[datetime]:
    """The slots of an outage, ascending.

    Raises InvalidInput for a schedule that is not well formed.
    """
    rule = _rule(outage.schedule)
    until = _utc(outage.until)
    return takewhile(lambda slot: slot <= until, _slots(rule, _utc(outage.after), until))


def upcoming(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    """Its slots strictly after `after`, ascending.

    Raises InvalidInput for a schedule that is not well formed.
    """
    return _slots(_rule(schedule), _utc(after))


def begins(slot: datetime, lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> datetime:
    """When the preparation of a slot begins, as `plan` has it."""
    return slot - _ahead(lead_seconds, jitter_window_seconds, assistant_id)


def _ahead(lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> timedelta:
    """Lead and jitter. The jitter spreads assistants with the same slot; it is always the same for one."""
    lead = max(0, lead_seconds)
    jitter = crc32(assistant_id.bytes) % max(1, min(jitter_window_seconds, lead))
    return timedelta(seconds=lead + jitter)


# --- what is wrong with a schedule


def _problems(schedule: Schedule) -> list[FieldError]:
    errors = [*_zone_problems(schedule.time_zone), *_day_problems(schedule)]
    if schedule.frequency is Frequency.cron:
        errors += _cron_problems(schedule.cron or "")
    else:
        errors += _time_problems(schedule.time_slots)
    if schedule.start_date and schedule.end_date and schedule.end_date < schedule.start_date:
        earliest = schedule.start_date.isoformat()
        errors.append(FieldError("schedule.end_date", ErrorCode.invalid_input, minimum=earliest))
    return errors + _left_out_problems(schedule)


def _left_out_problems(schedule: Schedule) -> list[FieldError]:
    errors = []
    if schedule.most_per_day is not None and not 1 <= schedule.most_per_day <= MAX_PER_DAY:
        limits = {"minimum": 1, "maximum": MAX_PER_DAY}
        errors.append(FieldError("schedule.most_per_day", ErrorCode.invalid_input, **limits))
    if len(schedule.left_out_dates) > MAX_LEFT_OUT:
        errors.append(FieldError("schedule.left_out_dates", ErrorCode.invalid_input, maximum=MAX_LEFT_OUT))
    errors += [
        FieldError(f"schedule.left_out_dates.{index}", ErrorCode.invalid_input, minimum=one.first.isoformat())
        for index, one in enumerate(schedule.left_out_dates)
        if one.last < one.first
    ]
    country, region = schedule.holiday_country, schedule.holiday_region
    if country is None and region is not None:
        errors.append(FieldError("schedule.holiday_country", ErrorCode.unknown_holidays, value=region))
    elif country is not None and not public_holidays.is_known(country, None):
        errors.append(FieldError("schedule.holiday_country", ErrorCode.unknown_holidays, value=country))
    elif country is not None and not public_holidays.is_known(country, region):
        errors.append(FieldError("schedule.holiday_region", ErrorCode.unknown_holidays, value=region))
    return errors


def _zone_problems(time_zone: str) -> list[FieldError]:
    if not time_zone.strip():
        return [FieldError("schedule.time_zone", ErrorCode.time_zone_required)]
    if time_zone not in time_zones():
        return [FieldError("schedule.time_zone", ErrorCode.unknown_time_zone, value=time_zone)]
    return []


def _time_problems(time_slots: tuple[str, ...]) -> list[FieldError]:
    if not time_slots:
        return [FieldError("schedule.time_slots", ErrorCode.time_slot_required)]
    return [
        FieldError(f"schedule.time_slots.{index}", ErrorCode.bad_time, value=value)
        for index, value in enumerate(time_slots)
        if not _TIME.fullmatch(value)
    ]


def _day_problems(schedule: Schedule) -> list[FieldError]:
    match schedule.frequency:
        case Frequency.weekly:
            return _chosen_days("schedule.days_of_week", schedule.days_of_week, 7)
        case Frequency.monthly:
            return _chosen_days("schedule.days_of_month", schedule.days_of_month, 31)
        case Frequency.interval:
            errors = []
            if schedule.every_days is None or not 1 <= schedule.every_days <= MAX_EVERY_DAYS:
                limits = {"minimum": 1, "maximum": MAX_EVERY_DAYS}
                errors.append(FieldError("schedule.every_days", ErrorCode.invalid_input, **limits))
            if schedule.start_date is None:
                errors.append(FieldError("schedule.start_date", ErrorCode.invalid_input))
            return errors
        case Frequency.daily | Frequency.cron:
            return []


def _chosen_days(field: str, days: tuple[int, ...], maximum: int) -> list[FieldError]:
    if not days:
        return [FieldError(field, ErrorCode.day_required)]
    return [
        FieldError(f"{field}.{index}", ErrorCode.invalid_input, value=day, minimum=1, maximum=maximum)
        for index, day in enumerate(days)
        if not 1 <= day <= maximum
    ]


def _cron_problems(cron: str) -> list[FieldError]:
    if len(cron) > MAX_CRON_LENGTH:
        return [FieldError("schedule.cron", ErrorCode.invalid_input, maximum=MAX_CRON_LENGTH)]
    parts = cron.split()
    if len(parts) != 5:
        return [FieldError("schedule.cron", ErrorCode.bad_cron, found=len(parts))]
    return [
        FieldError("schedule.cron", ErrorCode.bad_cron, position=position, value=part)
        for position, part in enumerate(parts, 1)
        # each alone, since cronsim names only the first that is wrong
        if _cron(["*"] * (position - 1) + [part] + ["*"] * (5 - position)) is None
    ]


def _never(schedule: Schedule) -> list[FieldError]:
    """Fields that are right by themselves and never meet, such as 30 February."""
    parts = (schedule.cron or "").split()
    if schedule.frequency is not Frequency.cron or _cron(parts):
        return []
    return [FieldError("schedule.cron", ErrorCode.bad_cron, position=3, value=parts[2])]


def _cron(parts: list[str]) -> CronSim | None:
    try:
        return CronSim(" ".join(parts), _ANY_LOCAL_TIME)
    except CronSimError:
        return None


# --- from a schedule to instants


@dataclass(frozen=True)
class _Rule:
    """A schedule ready to be asked: which local days, which minutes of each, and what of that is left out."""

    zone: ZoneInfo
    minutes: tuple[int, ...]
    first: date
    last: date
    matches: Callable[[date], bool]
    left_out: Callable[[date], LeftOutReason | None]
    most_per_day: int | None


def _rule(schedule: Schedule) -> _Rule:
    if errors := _problems(schedule):
        raise InvalidInput(errors=errors)
    zone = _zone(schedule.time_zone)
    first = schedule.start_date or _EARLIEST.date()
    last = min(schedule.end_date or date.max, _LATEST.date())
    limits = _left_out(schedule), schedule.most_per_day
    if schedule.frequency is not Frequency.cron:
        minutes = sorted({int(slot[:2]) * 60 + int(slot[3:]) for slot in schedule.time_slots})
        return _Rule(zone, tuple(minutes), first, last, _matcher(schedule), *limits)
    cron = _cron((schedule.cron or "").split())
    if cron is None:
        return _Rule(zone, (), first, last, lambda day: False, *limits)
    # cronsim reads the expression and judges days; its own stepping would take seconds for a year of minutes
    minutes = sorted(hour * 60 + minute for hour in cron.hours for minute in cron.minutes)

    def matches(day: date) -> bool:
        return day.month in cron.months and cron.match_day(day)

    return _Rule(zone, tuple(minutes), first, last, matches, *limits)


def _left_out(schedule: Schedule) -> Callable[[date], LeftOutReason | None]:
    ranges, country, region = schedule.left_out_dates, schedule.holiday_country, schedule.holiday_region
    if not ranges and country is None:
        return lambda day: None

    def reason(day: date) -> LeftOutReason | None:
        if any(one.first <= day <= one.last for one in ranges):
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
    """From the wheel, whatever zone files the machine has."""
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
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
    """The instants of `occurrences`; all up to `until`, perhaps some later ones too. Days that are left out, as far as
    something of them would come after `after`, are added to `left` before the first slot that follows them."""
    if after >= _LATEST:
        return
    newest = max(after, _EARLIEST)
    # a gap moves a time by at most a day, a repeated hour may put the clock back over midnight
    day = max(newest.astimezone(rule.zone).date() - 2 * _DAY, rule.first)
    last = min(until.astimezone(rule.zone).date() + 2 * _DAY, rule.last)
    give_up = min(max(newest.date(), day), _LATEST.date()) + LOOK_AHEAD
    # by a gap a time may be moved past times of the next day
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
        # what is past counts where a day takes only so many
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
    """How many slots a day still takes. It is asked for all of them, in their order."""

    def __init__(self, rule: _Rule) -> None:
        self._zone, self._most = rule.zone, rule.most_per_day or 0
        self._day = date.min
        self._taken = 0
        self._last: datetime | None = None

    def takes(self, slot: datetime) -> bool:
        if slot == self._last:  # by a gap two times are one
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
    """When the times of a day are; seconds (offsets of long ago had some) are cut off."""
    midnight = datetime.combine(day, time(), rule.zone)
    offsets = {each.utcoffset() for each in (midnight, midnight.replace(fold=1), midnight + _DAY)}
    if len(offsets) == 1:  # no change on this day, since no zone has ever had two within a week
        begin = midnight.astimezone(UTC).replace(second=0)
        return [begin + _OF_DAY[minute] for minute in rule.minutes]
    # fold=0 does both: the offset before a gap moves a time forward by it; of two equal times it is the first
    moments = (datetime.combine(day, time(*divmod(minute, 60)), rule.zone) for minute in rule.minutes)
    instants = [moment.astimezone(UTC).replace(second=0) for moment in moments]
    # what a gap moves to a day that is left out is left out with it
    return [
        instant
        for instant in instants
        if (there := instant.astimezone(rule.zone).date()) == day or rule.left_out(there) is None
    ]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """No instant of this or a later day is earlier, even if its midnight is skipped or repeated."""
    midnight = datetime.combine(day, time(), zone)
    return min(midnight.astimezone(UTC), midnight.replace(fold=1).astimezone(UTC)).replace(second=0)


def _newest(rule: _Rule, cursor: datetime, now: datetime, skipped: frozenset[datetime]) -> list[datetime]:
    """The newest two slots with cursor < slot ≤ now that are not skipped, ascending; fewer, if there are no two.

    Walks back in windows of growing length, so that a year of minutes costs what a day of minutes costs.
    """
    found: list[datetime] = []
    cursor, high, span = max(cursor, _EARLIEST), min(now, _LATEST), _DAY
    while cursor < high and len(found) < 2:
        low = max(cursor, high - span)
        window = []
        for slot in _slots(rule, low, until=high):
            if slot > high:
                break
            if slot not in skipped:
                window.append(slot)
        found = window + found
        high, span = low, span * 2
    return found[-2:]
