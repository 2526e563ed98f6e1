"""When a post by hand would have the audience to itself: at an hour that is usual, with nothing else around it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from core.assistants.rules.occurrences import in_utc

QUIET: Final = timedelta(hours=1)
"""No other post is closer than this, before or after."""
SOON: Final = timedelta(minutes=15)
"""Nothing is suggested that is nearer than this: a text has to be read once more."""
USUAL: Final = (time(9), time(12, 30), time(17))
"""Of those who have no habits yet."""
_QUARTER_HOUR = 15
_TIMES = 3
_APART = 90  # minutes
_HABIT = 2
_FULL = 24
"""Posts after which a day has no moment to itself, whatever its gaps."""


def usual_times(posted: Iterable[datetime], zone: ZoneInfo) -> Sequence[time]:
    """The times of day, ascending and to the quarter of an hour, at which most was posted; each at least twice.

    Three of them; where there are fewer habits, those of `USUAL` make up for it. They are at least 90 minutes apart.
    """
    quarters = Counter(
        time(local.hour, local.minute // _QUARTER_HOUR * _QUARTER_HOUR)
        for local in (moment.astimezone(zone) for moment in posted)
    )
    often = sorted((found for found in quarters.items() if found[1] >= _HABIT), key=lambda found: (-found[1], found[0]))
    chosen: list[time] = []
    for candidate in [*(quarter for quarter, _ in often), *USUAL]:
        if len(chosen) < _TIMES and all(_minutes_between(candidate, other) >= _APART for other in chosen):
            chosen.append(candidate)
    return sorted(chosen)


def free_moments(
    taken: Iterable[datetime], usual: Sequence[time], zone: ZoneInfo, now: datetime, until: datetime
) -> Sequence[datetime]:
    """Moments in UTC, ascending, between `now` and `until` (both aware), at the usual times of day in `zone`.

    Each is at least `QUIET` from all that are taken; none is on a day with more than 24 of these. A time that the
    clocks leave out on a day is none; of one that comes twice it is the first.
    """
    busy = sorted(taken)
    on_day = Counter(moment.astimezone(zone).date() for moment in busy)
    found: list[datetime] = []
    day = now.astimezone(zone).date()
    while day <= until.astimezone(zone).date():
        for at in usual:
            moment = datetime.combine(day, at, zone)
            there = in_utc(moment)
            exists = there.astimezone(zone).replace(tzinfo=None) == moment.replace(tzinfo=None)
            in_time = now + SOON <= there < until
            if exists and in_time and on_day[day] <= _FULL and all(abs(there - other) >= QUIET for other in busy):
                found.append(there)
        day += timedelta(days=1)
    return found


def _minutes_between(one: time, other: time) -> int:
    """Around midnight, too."""
    apart = abs((one.hour - other.hour) * 60 + one.minute - other.minute)
    return min(apart, 24 * 60 - apart)
