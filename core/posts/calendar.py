"""A user's calendar: posts, runs without a post, planned slots of assistants, and days that are left out."""

import asyncio
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import groupby, islice, pairwise
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from core.assistants.configuration import schedule_versions_of
from core.assistants.rules import public_holidays
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.occurrences import LOOK_AHEAD, LeftOutReason, days_left_out, in_utc, upcoming
from core.assistants.rules.planning import ScheduleVersion, schedule_periods
from core.assistants.rules.schedules import validate
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.dashboard.overview import day_bounds
from core.database import Sessions
from core.errors import ErrorCode, FieldError, InvalidInput
from core.networks.rules.channels import ChannelKind
from core.posts.repositories.calendar import (
    BareRun,
    CalendarQuery,
    CalendarRepository,
    EntryStarts,
    PlannedPost,
    SentPost,
)
from core.posts.repositories.post_lists import PostFact
from core.posts.rules.free_moments import QUIET, free_moments, usual_times
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus
from core.texts.rules.texts import cut_text

LONGEST_DAYS = 62
MOST = 2100
"""Limit of entries per kind in one answer, over all days: each hour of six weeks for two assistants."""
UNCUT = 10_000
"""The same where no single day can be opened: more than anybody plans, and a file of two seconds."""
# slots counted in one answer: ten assistants that post each minute of six weeks; of later days only the first slots are
# read, and one more to say that there are more
_COUNTED = 600_000
# slots searched for the next one
_LOOKED_AT = 100
_INSTANT, _HOUR = timedelta(microseconds=1), timedelta(hours=1)
_FREE = 3
_FREE_AHEAD, _HABITS = timedelta(days=14), timedelta(days=30)
_TITLE = 160


class EntryStatus(StrEnum):
    """Statuses to filter entries by: those of posts, facts about posts, and those of slots without a post."""

    planned = "planned"
    """A future slot, or one whose post is being prepared."""
    draft = "draft"
    waiting = "waiting"
    complete = "complete"
    held = "held"
    published = "published"
    unknown = "unknown"
    failed = "failed"
    missed = "missed"
    skipped = "skipped"


# entries that occupy their time
_TAKING = frozenset({EntryStatus.planned, EntryStatus.draft, EntryStatus.complete, EntryStatus.published})

_FACTS = {
    EntryStatus.waiting: PostFact.waiting,
    EntryStatus.held: PostFact.held,
    EntryStatus.unknown: PostFact.unknown,
    EntryStatus.missed: PostFact.missed,
}
_OF_RUNS = {
    EntryStatus.planned: RunState.preparing,
    EntryStatus.failed: RunState.failed,
    EntryStatus.missed: RunState.missed,
    EntryStatus.skipped: RunState.skipped,
}


@dataclass(frozen=True)
class Entries:
    """The filter of a calendar; `statuses` None means all."""

    begin: datetime
    end: datetime
    statuses: frozenset[EntryStatus] | None = None
    assistant_id: UUID | None = None
    channel: ChannelKind | None = None

    def wants(self, status: EntryStatus) -> bool:
        return self.statuses is None or status in self.statuses


@dataclass(frozen=True)
class PlannedSlot:
    """A future slot without a run."""

    assistant_id: UUID
    assistant_name: str
    slot: datetime
    time_zone: str
    """The schedule's zone."""
    mode: Mode
    channels: Sequence[ChannelKind]
    is_next: bool
    """Skipping would leave out this slot."""
    others: int = 0
    """Number of further slots of the same hour that this entry stands for, if a schedule is too dense."""
    last: datetime | None = None
    """The last of these slots."""


@dataclass(frozen=True)
class LeftOut:
    """A day that the schedules of these assistants name but leave out."""

    day: date
    reason: LeftOutReason
    holiday: str
    assistant_names: Sequence[str]


@dataclass(frozen=True)
class Calendar:
    posts: Sequence[PlannedPost]
    runs: Sequence[BareRun]
    planned: Sequence[PlannedSlot]
    left_out: Sequence[LeftOut]
    more: Mapping[date, int]
    """Minimum number of entries that are not shown, by day; only for days that have any."""


@dataclass(frozen=True)
class CalendarService:
    sessions: Sessions

    async def read(self, user_id: UUID, entries: Entries, time_zone: str, language: str) -> Calendar:
        """Return the calendar: days are in `time_zone`, names of holidays in `language`.

        Raises InvalidInput: invalid_input if the end is not after the beginning, period_too_long.
        """
        if entries.end <= entries.begin:
            minimum = entries.begin.isoformat()
            raise InvalidInput(errors=[FieldError("to", ErrorCode.invalid_input, minimum=minimum)])
        # an hour more, for a period in which the clocks go back
        if entries.end - entries.begin > timedelta(days=LONGEST_DAYS, hours=1):
            raise InvalidInput(
                ErrorCode.period_too_long, errors=[FieldError("to", ErrorCode.period_too_long, maximum=LONGEST_DAYS)]
            )
        return await self.entries(user_id, entries, time_zone, language)

    async def free_moments(self, user_id: UUID, time_zone: str, language: str) -> Sequence[datetime]:
        """Return the next three moments at the user's usual times with neither a post nor an assistant's slot within an
        hour. Empty if the two weeks ahead are full."""
        now, zone = utcnow(), ZoneInfo(time_zone)
        until = now + _FREE_AHEAD
        calendar = await self.entries(user_id, Entries(now - _HABITS, until, _TAKING), time_zone, language, UNCUT)
        posted = [post.planned_at for post in calendar.posts if post.status is PostStatus.published]
        occupied = [post.planned_at for post in calendar.posts]
        occupied += [run.slot for run in calendar.runs]
        occupied += [moment for slot in calendar.planned for moment in (slot.slot, slot.last) if moment]
        near = [moment for moment in occupied if moment > now - QUIET]
        return free_moments(near, usual_times(posted, zone), zone, now, until)[:_FREE]

    async def entries(
        self, user_id: UUID, entries: Entries, time_zone: str, language: str, most: int | None = None
    ) -> Calendar:
        """As `read`, for a period of any length. `most`: limit of entries per kind; None for `MOST`."""
        most = most or MOST
        bounds = _bounds(in_utc(entries.begin), in_utc(entries.end), time_zone)
        query = CalendarQuery(bounds, max(1, most // (len(bounds) - 1)), entries.assistant_id, entries.channel)
        statuses = [status for status in PostStatus if entries.wants(EntryStatus(status))]
        states = [state for status, state in _OF_RUNS.items() if entries.wants(status)]
        now = utcnow()
        async with self.sessions() as session:
            rows = CalendarRepository(session)
            facts = [fact for status, fact in _FACTS.items() if entries.wants(status)]
            posts, more = await rows.posts(user_id, query, statuses, facts)
            runs, more_runs = await rows.bare_runs(user_id, query, states)
            active = await rows.active(user_id, entries.assistant_id, entries.channel)
            starts = await rows.beginnings(user_id, [row.id for row, _ in active], now)
        # in a thread, because a hundred schedules would block the event loop
        planned, more_planned, left_out = await asyncio.to_thread(
            _plans, active, starts, query, now, language, most if entries.wants(EntryStatus.planned) else 0
        )
        more = more + more_runs + more_planned
        zone = ZoneInfo(time_zone)
        by_day = {first.astimezone(zone).date(): more[first] for first in bounds[:-1] if more[first]}
        return Calendar(posts, runs, planned, left_out, by_day)


def fixed_reason(status: PostStatus, deliveries: Sequence[SentPost]) -> ErrorCode | None:
    """Return the error code that moving the post would raise; None if it can be moved."""
    if any(
        sent.state is DeliveryState.publishing or (sent.called_at is not None and sent.state not in FINAL)
        for sent in deliveries
    ):
        return ErrorCode.post_going_out
    is_open = any(sent.state not in FINAL and sent.state is not DeliveryState.unknown for sent in deliveries)
    moves = status is PostStatus.draft or (status is PostStatus.complete and is_open)
    return None if moves else ErrorCode.post_ended


class TitledEntry(Protocol):
    @property
    def beginning(self) -> str: ...
    @property
    def topic_title(self) -> str: ...


def title_of(post: TitledEntry) -> str:
    """Return the first line of the post's text, or its topic."""
    line = next((line.strip() for line in post.beginning.splitlines() if line.strip()), "")
    title = line or post.topic_title
    return cut_text(title, _TITLE) or title[:_TITLE]


def _bounds(begin: datetime, end: datetime, time_zone: str) -> list[datetime]:
    """Return the beginning, each midnight in between, and the end."""
    first = begin.astimezone(ZoneInfo(time_zone)).date()
    days = (end.astimezone(ZoneInfo(time_zone)).date() - first).days + 1
    return [begin, *(midnight for midnight in day_bounds(first, days, time_zone) if begin < midnight < end), end]


@dataclass(frozen=True)
class _Plan:
    """An assistant's slots by the versions of its schedule."""

    row: Assistant
    channels: Sequence[ChannelKind]
    stretches: Sequence[ScheduleVersion]

    def slots(self, after: datetime, until: datetime) -> Iterator[datetime]:
        """Yield the slots with after < slot < until."""
        for part in schedule_periods(self.stretches, after, until):
            for slot in upcoming(part.schedule, part.after, part.until):
                if slot >= part.until:
                    break
                yield slot


def _plan(row: Assistant, channels: Sequence[ChannelKind]) -> _Plan:
    """Return the assistant's plan, in which invalid versions of its schedule have no slots."""
    stretches = schedule_versions_of(row)
    if any(period.schedule.holiday_country for period in stretches):
        public_holidays.load()
    return _Plan(
        row, channels, [replace(period, active=period.active and not validate(period.schedule)) for period in stretches]
    )


def _plans(
    active: Sequence[tuple[Assistant, Sequence[ChannelKind]]],
    starts: EntryStarts,
    query: CalendarQuery,
    now: datetime,
    language: str,
    most: int,
) -> tuple[list[PlannedSlot], Counter[datetime], list[LeftOut]]:
    """Return the future slots by time, the number of further slots per day, and the days left out."""
    plans = [_plan(row, channels) for row, channels in active]
    planned: list[PlannedSlot] = []
    more: Counter[datetime] = Counter()
    if most:
        ahead = [_slots_of(plan, starts, query, now, len(plans)) for plan in plans]
        share = fair_share([len(slots) for slots, _ in ahead], most)
        for plan, (slots, uncounted) in zip(plans, ahead, strict=True):
            shown, beyond = [[slot] for slot in slots], Counter[datetime]()
            if len(slots) > share:  # too dense to show each slot
                shown, beyond = _by_hours(slots, query, share)
            planned += _planned(plan, starts, now, shown)
            more = more + uncounted + beyond
    planned.sort(key=lambda slot: (slot.slot, slot.assistant_name, slot.assistant_id))
    for surplus in planned[most:]:
        more[_day_of(surplus.slot, query.bounds)] += 1 + surplus.others
    return planned[:most], more, _left_out(plans, query, language)


def fair_share(numbers: Sequence[int], most: int) -> int:
    """Return the most that each may have so that the sum is at most `most`; the others get what some do not need."""
    left = most
    for done, number in enumerate(sorted(numbers)):
        share = left // (len(numbers) - done)
        if number > share:
            return share
        left -= number
    return most


def _day_of(moment: datetime, bounds: Sequence[datetime]) -> datetime:
    return bounds[bisect_right(bounds, moment) - 1]


def _slots_of(
    plan: _Plan, starts: EntryStarts, query: CalendarQuery, now: datetime, among: int
) -> tuple[list[datetime], Counter[datetime]]:
    """Return the plan's slots without a run, and the minimum number of further slots of each day that is not counted to
    its end. The limits are shared `among` that many plans."""
    bounds = query.bounds
    a_day, most = max(1, query.a_day // among), _COUNTED // among
    begin = max(now, bounds[0] - _INSTANT)
    slots = list(islice(plan.slots(begin, bounds[-1]), most))
    more: Counter[datetime] = Counter()
    if len(slots) == most:
        last = _day_of(slots[-1], bounds)
        slots = [slot for slot in slots if slot < last]
        for first, end in pairwise(bounds[bounds.index(last) :]):
            of_first = list(islice(plan.slots(max(begin, first - _INSTANT), end), a_day + 1))
            slots += of_first[:a_day]
            more[first] = len(of_first[a_day:])
    return [slot for slot in slots if (plan.row.id, slot) not in starts.slots], more


def _by_hours(
    slots: Sequence[datetime], query: CalendarQuery, share: int
) -> tuple[list[list[datetime]], Counter[datetime]]:
    """Group the slots by hour, up to a limit of hours per day. Return the groups and the number of slots left over per
    day."""

    def hour_of(slot: datetime) -> tuple[datetime, int]:
        day = _day_of(slot, query.bounds)
        return day, (slot - day) // _HOUR

    a_day = max(1, share // (len(query.bounds) - 1))
    more: Counter[datetime] = Counter()
    shown: list[list[datetime]] = []
    for day, of_day in groupby(((hour, list(of)) for hour, of in groupby(slots, hour_of)), lambda group: group[0][0]):
        hours = [of for _, of in of_day]
        shown += hours[:a_day]
        more[day] += sum(map(len, hours[a_day:]))
    return shown, more


def _planned(
    plan: _Plan, starts: EntryStarts, now: datetime, shown: Sequence[Sequence[datetime]]
) -> Iterator[PlannedSlot]:
    row, following = plan.row, _next(plan, starts, now)
    for slot, *others in shown:
        yield PlannedSlot(
            assistant_id=row.id,
            assistant_name=row.name,
            slot=slot,
            time_zone=row.time_zone,
            mode=row.mode,
            channels=plan.channels,
            is_next=slot == following,
            others=len(others),
            last=others[-1] if others else None,
        )


def _next(plan: _Plan, starts: EntryStarts, now: datetime) -> datetime | None:
    """Return the next slot, which skipping would leave out; None if an open run comes before it."""
    assistant_id = plan.row.id
    under_way = starts.under_way.get(assistant_id)
    for slot in islice(plan.slots(now, now + LOOK_AHEAD), _LOOKED_AT):
        if under_way and under_way <= slot:
            return None
        if (assistant_id, slot) not in starts.slots:
            return slot
    return None


def _left_out(plans: Sequence[_Plan], query: CalendarQuery, language: str) -> list[LeftOut]:
    names: dict[tuple[date, LeftOutReason, str], list[str]] = {}
    for plan in plans:
        for part in schedule_periods(plan.stretches, query.bounds[0], query.bounds[-1]):
            zone = ZoneInfo(part.schedule.time_zone)
            first, last = (moment.astimezone(zone).date() for moment in (part.after, part.until - _INSTANT))
            for omission in days_left_out(part.schedule, first, last, language):
                of_day = names.setdefault((omission.day, omission.reason, omission.holiday), [])
                if plan.row.name not in of_day:
                    of_day.append(plan.row.name)
    return [LeftOut(*day, slots) for day, slots in sorted(names.items())]
