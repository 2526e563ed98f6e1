"""An assistant's schedule as its user enters it, and its validation. Pure."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from cronsim import CronSim, CronSimError

from core.assistants.rules import public_holidays
from core.errors import ErrorCode, FieldError

MAX_EVERY_DAYS = 366
MAX_PER_DAY = 24 * 60
MAX_LEFT_OUT = 60
"""Ranges of dates: they are part of a workflow's history."""
MAX_CRON_LENGTH = 200

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_ANY_LOCAL_TIME = datetime(2000, 1, 1)  # noqa: DTZ001 - cronsim is given local wall time


class Frequency(StrEnum):
    """CONTRIBUTING.md, "Add a frequency", lists what a new one needs."""

    daily = "daily"
    weekly = "weekly"
    monthly = "monthly"
    interval = "interval"
    """Every X days from a start day."""
    cron = "cron"


class MonthEnd(StrEnum):
    """What day 31 means in a shorter month."""

    last_day = "last_day"
    skip = "skip"


@dataclass(frozen=True)
class DateRange:
    """Days, both ends included; a single day if they are equal."""

    first: date
    last: date


@dataclass(frozen=True)
class Schedule:
    """Days and wall-clock times in one time zone, from `start_date` to `end_date`, both included."""

    frequency: Frequency
    time_zone: str
    time_slots: tuple[str, ...] = ()
    """`HH:MM`, for every frequency except cron."""
    days_of_week: tuple[int, ...] = ()
    """ISO, 1 is Monday."""
    days_of_month: tuple[int, ...] = ()
    month_end: MonthEnd = MonthEnd.last_day
    every_days: int | None = None
    """For interval: counted in local days from `start_date`, the first one."""
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = None
    """Minute, hour, day of month, month, day of week."""
    most_per_day: int | None = None
    """The first slots of a day, over all of `time_slots`; the others are left out."""
    left_out_dates: tuple[DateRange, ...] = ()
    """Days without slots, as on holidays: they are neither run nor missed."""
    holiday_country: str | None = None
    """ISO 3166-1: the country's public holidays are left out."""
    holiday_region: str | None = None
    """A code of `public_holidays.regions`; None: only holidays of the whole country."""


@cache
def time_zones() -> frozenset[str]:
    """Return all IANA names, links included."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return frozenset(names) - {"Factory"}  # the name for "not set"


def validate(schedule: Schedule) -> list[FieldError]:
    """Return all problems by field; an index in a field's path counts from 0, as in JSON."""
    return list(_all_problems(schedule))


@lru_cache(maxsize=512)
def _all_problems(schedule: Schedule) -> tuple[FieldError, ...]:
    return tuple(malformed(schedule) or _never(schedule))


def malformed(schedule: Schedule) -> list[FieldError]:
    """As `validate`, but a well-formed schedule that never occurs is no problem."""
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
        FieldError(f"schedule.left_out_dates.{index}", ErrorCode.invalid_input, minimum=dates.first.isoformat())
        for index, dates in enumerate(schedule.left_out_dates)
        if dates.last < dates.first
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
        # one part at a time, since cronsim names only the first wrong one
        if read_cron(" ".join(["*"] * (position - 1) + [part] + ["*"] * (5 - position))) is None
    ]


def _never(schedule: Schedule) -> list[FieldError]:
    """Return the problem of a cron expression that is well formed but never occurs, such as 30 February."""
    cron = schedule.cron or ""
    if schedule.frequency is not Frequency.cron or read_cron(cron):
        return []
    return [FieldError("schedule.cron", ErrorCode.bad_cron, position=3, value=cron.split()[2])]


def read_cron(cron: str) -> CronSim | None:
    """Parse a cron expression; None if it is invalid, or names days that never come."""
    try:
        return CronSim(" ".join(cron.split()), _ANY_LOCAL_TIME)
    except CronSimError:
        return None
