"""Free moments for posts by hand: at usual hours, with nothing else planned around them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from core.assistants.rules.occurrences import in_utc

QUIET: Final = timedelta(hours=1)
"""Minimum distance to any other post, before or after."""
SOON: Final = timedelta(minutes=15)
"""Minimum time to a suggestion, because a text has to be read once more."""
USUAL: Final = (time(9), time(12, 30), time(17))
"""For users without habits."""
_QUARTER_HOUR = 15
_TIMES = 3
_APART = 90  # minutes
_HABIT = 2
_FULL = 24
"""A day with more posts has no free moment, whatever its gaps."""


def usual_times(posted: Iterable[datetime], zone: ZoneInfo) -> Sequence[time]:
    """Return the three times of day, ascending and rounded down to quarters of an hour, at which most was posted; each
    at least twice.

    Times of `USUAL` replace missing habits. All are at least 90 minutes apart.
    """
    quarters = Counter(
        time(local.hour, local.minute // _QUARTER_HOUR * _QUARTER_HOUR)
        for local in (moment.astimezone(zone) for moment in posted)
    )
    often = sorted(
        (quarter for quarter in quarters.items() if quarter[1] >= _HABIT), key=lambda quarter: (-quarter[1], quarter[0])
    )
    chosen: list[time] = []
    for candidate in [*(quarter for quarter, _ in often), *USUAL]:
        if len(chosen) < _TIMES and all(_minutes_between(candidate, other) >= _APART for other in chosen):
            chosen.append(candidate)
    return sorted(chosen)


def free_moments(
    occupied: Iterable[datetime], usual: Sequence[time], zone: ZoneInfo, now: datetime, until: datetime
) -> Sequence[datetime]:
    """Return moments in UTC, ascending, between `now` and `until` (both aware), at the usual times of day in `zone`.

    Each is at least `QUIET` from all taken moments, and not on a day with more than 24 of them. A time that the clocks
    skip on a day is left out; of a repeated one the first counts.
    """
    busy = sorted(occupied)
    on_day = Counter(moment.astimezone(zone).date() for moment in busy)
    free: list[datetime] = []
    day = now.astimezone(zone).date()
    while day <= until.astimezone(zone).date():
        for at in usual:
            moment = datetime.combine(day, at, zone)
            instant = in_utc(moment)
            exists = instant.astimezone(zone).replace(tzinfo=None) == moment.replace(tzinfo=None)
            in_time = now + SOON <= instant < until
            if exists and in_time and on_day[day] <= _FULL and all(abs(instant - other) >= QUIET for other in busy):
                free.append(instant)
        day += timedelta(days=1)
    return free


def _minutes_between(first: time, other: time) -> int:
    """Return the distance, also across midnight."""
    apart = abs((first.hour - other.hour) * 60 + first.minute - other.minute)
    return min(apart, 24 * 60 - apart)
