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
# slots in which the densest is looked for: a schedule of every minute is told by its first twenty
_LOOKED_AT = 5000


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
    cursor, now = in_utc(order.cursor), in_utc(order.now)
    ahead = _ahead(order.lead_seconds, order.jitter_window_seconds, order.assistant_id)
    skipped = frozenset(order.skipped)
    past = newest_two(order.schedule, cursor, now, skipped)
    caught_up = past[-1:] if past and now < past[-1] + timedelta(seconds=order.catch_up_seconds) else []
    missed = past[: len(past) - len(caught_up)]
    outage = Outage(order.schedule, cursor, missed[-1]) if missed else None
    due = [PlannedSlot(slot, slot - ahead) for slot in caught_up]
    coming = None
    cursor = past[-1] if past else cursor
    prepared: deque[datetime] = deque(maxlen=MAX_AHEAD)  # the latest slots to come that are decided
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
    former = tuple(one for one in order.replaced if any(True for _ in missed_slots(one)))
    return Plan(tuple(due), cursor, coming, rules(), outage, former)


def most_ahead(schedule: Schedule, lead_seconds: int, after: datetime) -> int:
    """How many slots a lead reaches over at most; counted up to one more than is allowed.

    Looks at 5,000 slots or a year from `after`, whichever is less.
    Raises InvalidInput for a schedule that is not well formed.
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


def phases(stretches: Sequence[Stretch], after: datetime, until: datetime) -> Iterator[Outage]:
    """What the stretches have planned between two moments: each schedule with its part, ascending. Of stretches that
    do not post there is none."""
    ends = [*(following.since for following in stretches[1:]), until]
    for one, end in zip(stretches, ends, strict=False):
        begin, end = max(one.since, after), min(end, until)
        if one.active and begin < end:
            yield Outage(one.schedule, begin, end)


def missed_slots(outage: Outage) -> Iterator[datetime]:
    """The slots of an outage, ascending.

    Raises InvalidInput for a schedule that is not well formed.
    """
    until = in_utc(outage.until)
    return takewhile(lambda slot: slot <= until, upcoming(outage.schedule, outage.after, until))


def begins(slot: datetime, lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> datetime:
    """When the preparation of a slot begins, as `plan` has it."""
    return slot - _ahead(lead_seconds, jitter_window_seconds, assistant_id)


def _ahead(lead_seconds: int, jitter_window_seconds: int, assistant_id: UUID) -> timedelta:
    """Lead and jitter. The jitter spreads assistants with the same slot; it is always the same for one."""
    lead = max(0, lead_seconds)
    jitter = crc32(assistant_id.bytes) % max(1, min(jitter_window_seconds, lead))
    return timedelta(seconds=lead + jitter)
