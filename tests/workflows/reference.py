"""What an assistant has to do, told once more and in another way than the product does it: a person's account of its
days, without rows, workflows or clocks. Written from the promises of the product (decisions 3, 31, 33 and 34), it knows
nothing of its code.

All that is decided happens on a quarter of an hour; whoever asks looks some minutes beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

QUARTER = timedelta(minutes=15)
DAY = timedelta(days=1)
# a post is not late at once
LEAST = timedelta(minutes=1)


@dataclass(frozen=True)
class Calendar:
    """Times of the clock on the wall, on all days for which everything holds that is said here."""

    zone: str
    times: tuple[time, ...]
    weekdays: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    """ISO."""
    month_days: tuple[int, ...] = ()
    """A 31st is the last day of a shorter month."""
    months: tuple[int, ...] = tuple(range(1, 13))
    first: date = date.min
    last: date = date.max
    every: int = 1
    """Counted in days from the first."""

    def slots(self, after: datetime, until: datetime) -> list[datetime]:
        """after < slot ≤ until. A time that the clocks leave out moves forward, one that comes twice is the first."""
        found = set()
        zone = ZoneInfo(self.zone)
        day, end = after.astimezone(zone).date() - DAY, until.astimezone(zone).date() + DAY
        while day <= end:
            if self._has(day):
                # of what is not there the offset before counts, as of what comes twice
                found |= {datetime.combine(day, at, zone).astimezone(UTC) for at in self.times}
            day += DAY
        return sorted(slot for slot in found if after < slot <= until)

    def _has(self, day: date) -> bool:
        last_of_month = (day + DAY).month != day.month
        return (
            self.first <= day <= self.last
            and day.isoweekday() in self.weekdays
            and day.month in self.months
            and (
                not self.month_days
                or any(day.day == one or (last_of_month and one > day.day) for one in self.month_days)
            )
            and (day - self.first).days % self.every == 0
        )


class End(StrEnum):
    published = "published"
    missed = "missed"
    skipped = "skipped"
    not_out = "not out"
    """Missed or failed: it waited for something that did not come in time."""
    either = "either"
    """Published or missed: it and a newer one became possible at one moment, and only the newer has to go out."""


@dataclass
class Slot:
    """One that was decided about."""

    at: datetime
    out_at: datetime
    window: timedelta
    by_hand: bool = False
    moved: bool = False
    written: bool = False
    seen: bool = False
    """Whether there is a row of it."""
    end: End | None = None
    ended_at: datetime | None = None


@dataclass
class Reference:
    calendar: Calendar
    lead: timedelta
    catch_up: timedelta
    now: datetime
    active: bool = False
    paused: bool = False
    paused_until: datetime | None = None
    since: datetime | None = None
    """From when on this calendar counts."""
    worker: bool = True
    database: bool = True
    model: bool = True
    slots: dict[datetime, Slot] = field(default_factory=dict)

    # what time does

    def passes(self, until: datetime) -> None:
        moment = self.now
        while moment < until:
            moment = min(_next_quarter(moment), until, self._end_of_pause(moment) or until)
            self.now = moment
            self.happens()

    def happens(self) -> None:
        """What is possible now."""
        if self.paused and self.paused_until and self.now >= self.paused_until:
            self.paused, self.since, self.paused_until = False, self.paused_until, None
        if self.worker:
            self._begin()
            if self.database:
                self._go_on()

    def _end_of_pause(self, after: datetime) -> datetime | None:
        return self.paused_until if self.paused and self.paused_until and self.paused_until > after else None

    def _undecided(self, until: datetime) -> list[datetime]:
        assert self.since is not None
        return [slot for slot in self.calendar.slots(self.since, until) if slot not in self.slots]

    def _begin(self) -> None:
        if not self.active or self.paused:
            return
        undecided = self._undecided(self.now + self.lead)
        past = [slot for slot in undecided if slot <= self.now]
        for slot in undecided:
            # of those that nobody could begin only the newest is made up, and not for long
            if slot > self.now or (slot == past[-1] and self.now < slot + self.catch_up):
                self.slots[slot] = Slot(slot, slot, max(self.catch_up, LEAST))
            else:
                self.slots[slot] = Slot(slot, slot, LEAST, seen=True, end=End.missed)

    def _go_on(self) -> None:
        new = {slot.at for slot in self.slots.values() if not slot.seen}
        for slot in self.slots.values():
            slot.seen = True
        for slot in sorted(self.under_way(), key=lambda slot: slot.at, reverse=True):
            if slot.written and self.now < slot.out_at:
                continue
            newer = [one for one in self.slots.values() if _takes_its_place(one, slot) and one.at <= self.now]
            if self.now >= slot.out_at + slot.window:
                self._ends(slot, End.missed if slot.written else End.not_out)
            elif any(one.at not in new and _may_go_out(one) for one in newer):
                self._ends(slot, End.missed)
            elif not (slot.written or self.model):
                continue
            elif any(_may_go_out(one) or one.ended_at == self.now for one in newer):
                # which of the two is looked at first is open
                self._ends(slot, End.either)
            else:
                slot.written = True
                if self.now >= slot.out_at:
                    self._ends(slot, End.published)

    def _ends(self, slot: Slot, end: End) -> None:
        slot.end, slot.ended_at = end, self.now

    # what a person does

    def edit(self, calendar: Calendar, lead: timedelta, catch_up: timedelta) -> None:
        if calendar != self.calendar:
            self._another_stretch()
        self.calendar, self.lead, self.catch_up = calendar, lead, catch_up

    def off(self, *, cancel: bool) -> None:
        self._another_stretch()
        self.active = self.paused = False
        self.paused_until = None
        if cancel:
            self._cancel()

    def on(self) -> None:
        self.active, self.since = True, self.now

    def pause(self, until: datetime | None, *, cancel: bool) -> None:
        self._another_stretch()
        self.paused, self.paused_until = True, until
        if cancel:
            self._cancel()

    def resume(self) -> None:
        self._another_stretch()
        self.paused, self.paused_until = False, None

    def _another_stretch(self) -> None:
        """What nobody began until now was missed, and is not made up by what comes now."""
        if self.active and not self.paused and self.since is not None:
            for slot in self._undecided(self.now):
                self.slots[slot] = Slot(slot, slot, LEAST, end=End.missed)
        self.since = self.now

    def _cancel(self) -> None:
        for slot in self.under_way():
            if slot.seen:
                self._ends(slot, End.skipped)

    def comes_next(self) -> datetime | None:
        """What a person sees as the next one."""
        begun = [slot.at for slot in self.under_way() if not slot.by_hand]
        posts = self.active and (not self.paused or self.paused_until is not None)
        after = max(self.now, self.paused_until or self.now)
        coming = self.calendar.slots(after, after + 30 * DAY) if posts else []
        coming = [slot for slot in coming if slot not in self.slots]
        return min([*begun, *coming[:1]], default=None)

    def skip(self, at: datetime) -> None:
        slot = self.slots.setdefault(at, Slot(at, at, LEAST, seen=True))
        self._ends(slot, End.skipped)

    def run_now(self, at: datetime) -> None:
        self.slots[at] = Slot(at, at, max(self.catch_up, LEAST), by_hand=True)

    def move(self, at: datetime, to: datetime) -> None:
        self.slots[at].out_at, self.slots[at].moved = to, True

    def under_way(self) -> Iterator[Slot]:
        return (slot for slot in self.slots.values() if slot.end is None)


def _takes_its_place(newer: Slot, older: Slot) -> bool:
    """Once it is due: what a person asked for, or gave a time of its own, stands beside the schedule."""
    return newer.at > older.at and not (newer.by_hand or older.by_hand or older.moved)


def _may_go_out(slot: Slot) -> bool:
    return slot.end in (None, End.published, End.either)


def _next_quarter(moment: datetime) -> datetime:
    begun = moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0)
    return begun + QUARTER
