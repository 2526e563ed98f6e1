"""Which occurrences an assistant starts now, which it has missed, and under which of its schedules. Pure."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, pairwise, takewhile
from uuid import UUID
from zlib import crc32

from core.assistants.rules.occurrences import in_utc, newest_two, rules, upcoming
from core.assistants.rules.schedules import Schedule

MAX_AHEAD = 20
"""Runs of one assistant that may be prepared ahead of their slots at the same time."""

_YEAR = timedelta(days=366)
# maximum of slots searched for the densest period: for a minutely schedule the first twenty are enough
_LOOKED_AT = 5000


@dataclass(frozen=True)
class ScheduleVersion:
    """From `since` on the assistant uses this schedule, or posts nothing if not `active`.

    `version` is the configuration's.
    """

    version: int
    since: datetime
    schedule: Schedule
    active: bool


@dataclass(frozen=True)
class Outage:
    """All slots of a schedule with after < slot ≤ until that passed while nothing could run. Only the limits, because
    it travels through a workflow's history, and a year of minutes has half a million slots."""

    schedule: Schedule
    after: datetime
    until: datetime


@dataclass(frozen=True)
class PlanOrder:
    """Input of the plan. `cursor` is the last slot decided, or the moment from which the schedule applies: earlier
    slots are not considered. `replaced` are periods ended by edits, with what they may have missed."""

    assistant_id: UUID
    schedule: Schedule
    cursor: datetime
    now: datetime
    lead_seconds: int
    catch_up_seconds: int = 3600
    jitter_window_seconds: int = 300
    replaced: tuple[Outage, ...] = ()
    skipped: tuple[datetime, ...] = ()
    """Slots that a person has skipped: neither due nor missed."""


@dataclass(frozen=True)
class PlannedSlot:
    """`start`: when its preparation begins, which may be past."""

    slot: datetime
    start: datetime


@dataclass(frozen=True)
class Plan:
    """`due` is ascending. `next` is the first slot after `cursor`, None at the schedule's end. `outage` and each of
    `replaced` have at least one slot."""

    due: tuple[PlannedSlot, ...]
    cursor: datetime
    next: PlannedSlot | None
    rules: str
    outage: Outage | None = None
    replaced: tuple[Outage, ...] = ()


def append_schedule_version(
    versions: Sequence[ScheduleVersion],
    version: int,
    now: datetime,
    schedule: Schedule,
    *,
    posts: bool,
    goes_on: datetime | None,
) -> tuple[ScheduleVersion, ...]:
    """Return the versions with what applies from `now` on; `goes_on` is the end of a pause.

    Only the version after that end may lie ahead. A change before it replaces it and inserts one for now before it, so
    that a workflow that knows the old one sees that it never began.
    """
    passed = [stretch for stretch in versions if stretch.since <= now]
    ahead = versions[len(passed) :]
    posted = bool(passed) and passed[-1].active
    if not (posts or posted or goes_on or ahead):
        return tuple(versions)  # it did not post before, and does not now
    same = bool(passed) and (passed[-1].schedule, posted) == (schedule, posts)
    if same and [(stretch.since, stretch.schedule) for stretch in ahead] == ([(goes_on, schedule)] if goes_on else []):
        return tuple(versions)
    after = (ScheduleVersion(version, goes_on, schedule, active=True),) if goes_on else ()
    return (*passed, ScheduleVersion(version, now, schedule, posts), *after)


def missed_by_replaced(stretches: Sequence[ScheduleVersion], cursor: datetime) -> tuple[Outage, ...]:
    """Return what all versions but the last may have missed: the slots after the cursor, up to the edit that ended
    each.

    `cursor` is the last slot decided in the first version. The others are ascending; a first one that lay ahead of
    them, as after a pause, never began, and has decided nothing, like an inactive one.
    """
    if len(stretches) > 1 and (not stretches[0].active or stretches[1].since < stretches[0].since):
        cursor = stretches[1].since
    return tuple(
        Outage(version.schedule, begin, following.since)
        for version, following in pairwise(stretches)
        if version.active and (begin := max(version.since, cursor)) < following.since
    )


def plan(order: PlanOrder) -> Plan:
    """Decide on all slots after the cursor that are past or whose preparation has begun.

    Of the past ones (slot ≤ now) only the newest is due, and only within the catch-up window; the others are missed. Of
    the coming ones each whose start ≤ now is due. Planning again from the returned cursor never decides a slot twice.
    At most 20 coming slots are prepared at once; the next one begins when the first of them is past. Raises
    InvalidInput for an invalid schedule.
    """
    cursor, now = in_utc(order.cursor), in_utc(order.now)
    ahead = _preparation_time(order.lead_seconds, order.jitter_window_seconds, order.assistant_id)
    skipped = frozenset(order.skipped)
    past = newest_two(order.schedule, cursor, now, skipped)
    caught_up = past[-1:] if past and now < past[-1] + timedelta(seconds=order.catch_up_seconds) else []
    missed = past[: len(past) - len(caught_up)]
    outage = Outage(order.schedule, cursor, missed[-1]) if missed else None
    due = [PlannedSlot(slot, slot - ahead) for slot in caught_up]
    coming = None
    cursor = past[-1] if past else cursor
    prepared: deque[datetime] = deque(maxlen=MAX_AHEAD)  # the latest coming slots that are decided
    for slot in upcoming(order.schedule, now):
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
    former = tuple(outage for outage in order.replaced if any(True for _ in missed_slots(outage)))
    return Plan(tuple(due), cursor, coming, rules(), outage, former)


def max_slots_ahead(schedule: Schedule, lead_seconds: int, after: datetime) -> int:
    """Return the maximum number of slots within the lead, counted up to one more than allowed.

    Searches 5,000 slots or a year from `after`, whichever is less. Raises InvalidInput for an invalid schedule.
    """
    lead, most = timedelta(seconds=lead_seconds), 0
    within: deque[datetime] = deque()
    begin = in_utc(after)
    for slot in islice(upcoming(schedule, begin), _LOOKED_AT):
        if slot > begin + _YEAR:
            break
        within.append(slot)
        while within[0] <= slot - lead:
            within.popleft()
        most = max(most, len(within))
        if most > MAX_AHEAD:
            break
    return most


def schedule_periods(stretches: Sequence[ScheduleVersion], after: datetime, until: datetime) -> Iterator[Outage]:
    """Yield the periods planned between two moments: each active schedule with its part, ascending."""
    ends = [*(following.since for following in stretches[1:]), until]
    for version, end in zip(stretches, ends, strict=False):
        begin, end = max(version.since, after), min(end, until)
        if version.active and begin < end:
            yield Outage(version.schedule, begin, end)


def missed_slots(outage: Outage) -> Iterator[datetime]:
    """Yield the slots of an outage, ascending. Raises InvalidInput for an invalid schedule."""
    until = in_utc(outage.until)
    return takewhile(lambda slot: slot <= until, upcoming(outage.schedule, outage.after, until))


def preparation_start(slot: datetime, lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> datetime:
    """Return when the preparation of a slot begins, as in `plan`."""
    return slot - _preparation_time(lead_seconds, jitter_window_seconds, assistant_id)


def _preparation_time(lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> timedelta:
    """Return lead and jitter. The jitter spreads assistants with the same slot, and is constant for each."""
    lead = max(0, lead_seconds)
    jitter = crc32(assistant_id.bytes) % max(1, min(jitter_window_seconds, lead))
    return timedelta(seconds=lead + jitter)
