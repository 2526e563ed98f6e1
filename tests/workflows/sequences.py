"""Random lives of assistants, step by step, on a real engine and in `tests.workflows.reference`.

Some twenty share a world: its time, and what is away. Each step of each assistant depends on the seed, the assistant's
number and the step's alone, so one is found again without the others, and without some of its steps.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import TypeVar
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import selectinload
from temporalio.api.enums.v1 import EventType

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import FullAssistant
from core.assistants.rules.assistants import OPEN_RUNS, RunState
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.errors import Unavailable
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.runs.tables import Run
from tests.conftest import Networks, Stack
from tests.factories import Factory
from tests.workflows.reference import QUARTER, Calendar, End, Reference, Slot
from tests.workflows.test_assistant import edit, full, switch
from tests.workflows.world import NOTICED, World
from workflows.names import assistant_workflow

STEPS = 30
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago")
# steps are taken so long after a quarter of an hour, when nothing is decided, retries of what was away included
_BESIDE = timedelta(minutes=5)
_RETRIED = timedelta(minutes=6)
# minutes that end beside all of these
_WINDOWS = (0, 13, 58, 88)
_LEADS = (15, 45, 180, 480, 480)
_APART = timedelta(minutes=150)
_WAITS = (15, 30, 60, 120, 240, 300)
# beside the database or the model that is away: each try costs as much as any
_SHORT_WAITS = (15, 30, 45, 60)
_SOON = timedelta(hours=36)
_AT_ONCE = 4
_EVENTS_TOLD = 40
_PATIENCE = 15
"""Seconds for what was begun at the very moment of a look: on a busy machine, a worker and its server take some."""
_PEOPLE = ("mara-lind", "ada-lindqvist")


Answer = TypeVar("Answer")


class Differs(AssertionError):
    """What an assistant did is not what it had to do."""


def changes_of_clocks(after: datetime, until: datetime) -> list[datetime]:
    """Of any of the zones, to the hour before."""
    found = []
    hours = int((until - after) / timedelta(hours=1))
    for zone in map(ZoneInfo, ZONES):
        begun = after.replace(minute=0, second=0, microsecond=0)
        offsets = [(begun + timedelta(hours=hour)).astimezone(zone).utcoffset() for hour in range(hours + 1)]
        found += [begun + timedelta(hours=at) for at in range(hours) if offsets[at] != offsets[at + 1]]
    return sorted(set(found))


def random_calendar(random: Random, today: datetime) -> tuple[Calendar, Schedule]:
    """The same, for the reference and for the product."""
    zone = random.choice(ZONES)
    times: list[time] = []
    for _ in range(random.choice((1, 1, 2, 2))):
        at = time(random.choice((1, 2, 2, *range(24))), random.choice((0, 30)))
        far = (abs(_minutes(at) - _minutes(other)) for other in times)
        if all(_APART <= timedelta(minutes=apart) <= timedelta(days=1) - _APART for apart in far):
            times.append(at)
    times.sort()
    slots = tuple(f"{at:%H:%M}" for at in times)
    first = today.astimezone(ZoneInfo(zone)).date()
    match random.choice(("daily", "daily", "weekly", "interval", "cron")):
        case "weekly":
            days = tuple(sorted(random.sample(range(1, 8), random.choice((4, 5, 6)))))
            return Calendar(zone, tuple(times), days), Schedule(Frequency.weekly, zone, slots, days_of_week=days)
        case "interval":
            schedule = Schedule(Frequency.interval, zone, slots, every_days=2, start_date=first)
            return Calendar(zone, tuple(times), every=2, first=first), schedule
        case "cron" if len({at.minute for at in times}) == 1:
            cron = f"{times[0].minute} {','.join(str(at.hour) for at in times)} * * *"
            return Calendar(zone, tuple(times)), Schedule(Frequency.cron, zone, cron=cron)
    return Calendar(zone, tuple(times)), Schedule(Frequency.daily, zone, slots)


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute


@dataclass
class Life:
    """One assistant and its reference."""

    stack: Stack
    number: int
    seed: int
    assistant: Assistant
    accounts: int
    schedule: Schedule
    reference: Reference
    without: frozenset[int] = frozenset()
    steps: list[str] = field(default_factory=list)
    texts: dict[str, Slot] = field(default_factory=dict)
    """Of what was published."""

    def random(self, step: int) -> Random:
        return Random(f"{self.seed}/{self.number}/{step}")

    def says(self, step: int, what: str) -> None:
        self.steps.append(f"{step:2} {self.reference.now:%a %d %b %H:%M}  {what}")

    # steps

    async def takes(self, step: int) -> None:
        if step in self.without or not self.reference.database:
            self.says(step, "nothing")
            return
        random = self.random(step)
        what = random.choice(self._possible())
        self.says(step, await what(random))

    def _possible(self) -> list[Callable[[Random], Awaitable[str]]]:
        known = self.reference
        found: list[Callable[[Random], Awaitable[str]]] = [self._edits] * 3
        if not known.active:
            return [*found, *[self._switches_on] * 9]
        found += [self._switches_off, self._pauses]
        if known.paused:
            found += [self._resumes] * 4
        if any(self._movable()):
            found += [self._moves] * 4
        if known.worker:
            found.append(self._runs_now)
            if known.comes_next():
                found.append(self._skips)
        return found

    async def _edits(self, random: Random) -> str:
        known = self.reference
        calendar, schedule = random_calendar(random, known.now)
        if random.random() < 0.2:
            calendar, schedule = known.calendar, self.schedule
        lead, window = random.choice(_LEADS), random.choice(_WINDOWS)
        saved = await edit(self.stack, self.assistant, schedule, lead_minutes=lead, catch_up_minutes=window)
        known.edit(calendar, timedelta(minutes=lead), timedelta(minutes=window))
        self.schedule = schedule
        await self._tell(saved)
        when = schedule.cron or f"{' '.join(schedule.time_slots)} {calendar.weekdays}"
        return f"edit: {schedule.frequency} {when}, {calendar.zone}, lead {lead} min, catches up {window} min"

    async def _switches_on(self, random: Random) -> str:
        saved = await switch(self.stack, self.assistant, on=True)
        self.reference.on()
        await self._tell(saved)
        return "on"

    async def _switches_off(self, random: Random) -> str:
        cancel = random.random() < 0.5
        async with self.stack.services.sessions.begin() as session:
            service = AssistantConfigurationService(session)
            await service.deactivate(*self._ids)
            cancelled = await service.cancel_prepared(*self._ids) if cancel else []
        self.reference.off(cancel=cancel)
        await self._tell(await full(self.stack, self.assistant))
        await self.stack.gateway.cancel_runs(cancelled)
        return f"off, what is prepared {'is cancelled' if cancel else 'goes out'}"

    async def _pauses(self, random: Random) -> str:
        cancel = random.random() < 0.3
        hours = random.choice((None, 2, 5, 13, 26))
        now = self.reference.now.replace(second=0, microsecond=0)
        # at no moment at which something else is done: this server refuses a timer that fires while it is cancelled
        until = None if hours is None else now + timedelta(hours=hours, minutes=5)
        async with self.stack.services.sessions.begin() as session:
            service = AssistantConfigurationService(session)
            await service.pause(*self._ids, until)
            cancelled = await service.cancel_prepared(*self._ids) if cancel else []
        self.reference.pause(until, cancel=cancel)
        await self._tell(await full(self.stack, self.assistant))
        await self.stack.gateway.cancel_runs(cancelled)
        return f"pause until {until}{', what is prepared is cancelled' if cancel else ''}"

    async def _resumes(self, random: Random) -> str:
        async with self.stack.services.sessions.begin() as session:
            await AssistantConfigurationService(session).resume(*self._ids)
        self.reference.resume()
        await self._tell(await full(self.stack, self.assistant))
        return "resume"

    async def _skips(self, random: Random) -> str:
        slot = self.reference.comes_next()
        assert slot is not None
        had = slot in self.reference.slots
        undo = await _again(lambda: self.stack.gateway.assistants.skip(self.assistant.id, slot))
        if (undo is None) != had:
            raise Differs(f"skipping {slot}: can be taken back until {undo}")
        self.reference.skip(slot)
        if had:
            async with self.stack.services.sessions() as session:
                run = await session.scalar(select(Run).where(Run.assistant_id == self.assistant.id, Run.slot == slot))
            assert run is not None
            await self.stack.gateway.cancel_runs([run.workflow_id])
        return f"skip {slot}"

    async def _runs_now(self, random: Random) -> str:
        request = uuid4()
        await _again(lambda: self.stack.gateway.assistants.run_now(self.assistant.id, request))
        self.reference.run_now(self.reference.now)
        return "run now"

    def _movable(self) -> list[Slot]:
        return [slot for slot in self.reference.under_way() if slot.written and slot.seen and not slot.by_hand]

    async def _moves(self, random: Random) -> str:
        slot = random.choice(self._movable())
        to = self.reference.now - _BESIDE + QUARTER * random.randint(1, 14)
        to = to.replace(second=0, microsecond=0)
        async with self.stack.services.sessions() as session:
            run = await session.scalar(select(Run).where(Run.assistant_id == self.assistant.id, Run.slot == slot.at))
            assert run is not None
            post = await PostRepository(session).find_by_run(run.user_id, run.id)
        assert post is not None
        changed = await self.stack.services.publishing.move(post.user_id, post.id, post.version, to)
        if self.reference.worker and await self.stack.gateway.posts.send_move(changed):
            await self.stack.services.publishing.mark_synced(changed)
        else:
            await self.stack.gateway.posts.repair(post.user_id, post.id, changed.run_workflow, start=True)
            await self.stack.services.publishing.mark_synced(changed)
        self.reference.move(slot.at, to)
        return f"move {slot.at} to {to:%H:%M}"

    @property
    def _ids(self) -> tuple[UUID, UUID]:
        return self.assistant.user_id, self.assistant.id

    async def _tell(self, saved: FullAssistant) -> None:
        """As saving does it; where no worker answers, as the reconcile does it."""
        kinds = {account.kind for account in saved.accounts}
        if not self.reference.worker or not await self.stack.gateway.assistants.configure(
            saved.row, saved.status, kinds
        ):
            await self.stack.gateway.assistants.repair(saved.row, saved.status, kinds)

    # what has come of it

    def differences(
        self,
        rows: Sequence[Run],
        posts: dict[UUID | None, Post],
        then: Callable[[datetime], datetime],
        shown: Sequence[dict[str, object]],
    ) -> list[str]:
        known = sorted(self.reference.slots.values(), key=lambda slot: slot.at)
        found = self._compare(
            {row.slot: row for row in rows if not row.by_hand}, [one for one in known if not one.by_hand], posts
        )
        asked = sorted((row for row in rows if row.by_hand), key=lambda row: row.slot)
        wanted = [one for one in known if one.by_hand and one.seen]
        if len(asked) != len(wanted):
            found.append(f"{len(asked)} runs by hand, not {len(wanted)}")
        else:
            by_order = dict(zip((one.at for one in wanted), asked, strict=True))
            found += self._compare(by_order, wanted, posts)
        return found + self._at_the_network(posts, then, shown)

    def _compare(self, rows: dict[datetime, Run], known: list[Slot], posts: dict[UUID | None, Post]) -> list[str]:
        found = [
            f"{at}: there is a run, {row.state}" for at, row in rows.items() if at not in {one.at for one in known}
        ]
        for slot in known:
            row = rows.get(slot.at)
            if row is None:
                if slot.seen:
                    found.append(f"{slot.at}: no row, not {slot.end or 'under way'}")
                continue
            if row.state not in _STATES[slot.end]:
                found.append(f"{slot.at}: {row.state} ({row.reason}), not {slot.end or 'under way'}")
                continue
            if slot.end is End.either:
                slot.end = End.published if row.state is RunState.published else End.missed
            post = posts.get(row.id)
            out = [one for one in post.deliveries if one.state is DeliveryState.published] if post else []
            if post and slot.end is End.published:
                self.texts[post.content] = slot
            if len(out) != (self.accounts if row.state is RunState.published else 0):
                found.append(f"{slot.at}: {row.state} with {len(out)} deliveries")
        return found

    def _at_the_network(
        self, posts: dict[UUID | None, Post], then: Callable[[datetime], datetime], shown: Sequence[dict[str, object]]
    ) -> list[str]:
        """One post per account of each run that published; none before its time, none long after it was possible."""
        written = {post.content for post in posts.values()}
        seen = [(str(one["author"]), str(one["text"]), one) for one in shown if one["text"] in written]
        found = []
        if len({(author, text) for author, text, _ in seen}) != len(seen):
            found.append("the same post twice at the network")
        published = [slot for slot in self.reference.slots.values() if slot.end is End.published]
        if len(seen) != len(published) * self.accounts:
            found.append(f"{len(seen)} posts at the network, not {len(published) * self.accounts}")
        for _, text, one in seen:
            moment, slot = then(datetime.fromtimestamp(float(str(one["arrived_at"])), UTC)), self.texts.get(text)
            if slot is None or slot.ended_at is None:
                found.append(f"a post at {moment} of a run that did not publish")
            elif not slot.out_at - NOTICED <= moment <= slot.ended_at + _RETRIED:
                found.append(f"{slot.at}: a post at {moment}, not between {slot.out_at} and {slot.ended_at}")
        return found


_STATES = {
    None: frozenset(OPEN_RUNS),
    End.published: {RunState.published},
    End.missed: {RunState.missed},
    End.skipped: {RunState.skipped},
    End.not_out: {RunState.missed, RunState.failed},
    End.either: {RunState.published, RunState.missed},
}


async def _again(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """A busy machine may let an answer be late; asked again, it is the same."""
    for _ in range(5):
        try:
            return await ask()
        except Unavailable:
            await asyncio.sleep(0.2)
    return await ask()


@dataclass
class Lives:
    """All of one world."""

    world: World
    networks: Networks
    seed: int
    lives: list[Life] = field(default_factory=list)
    away: str = ""

    def ends(self) -> Counter[str]:
        """How often what has happened, so that nobody believes a world in which nothing does."""
        slots = [slot for life in self.lives for slot in life.reference.slots.values()]
        found = Counter(str(slot.end or "under way") for slot in slots)
        out = [slot for slot in slots if slot.end is End.published and slot.ended_at]
        found["published late"] = sum(bool(slot.ended_at and slot.ended_at > slot.out_at) for slot in out)
        found["moved"] = sum(slot.moved for slot in slots)
        found["by hand"] = sum(slot.by_hand for slot in slots)
        return found

    async def begin(self, numbers: Sequence[int], without: frozenset[int]) -> None:
        random, world = Random(f"{self.seed}/world"), self.world
        now = await world.now()
        change = random.choice(changes_of_clocks(now + timedelta(days=7), now + timedelta(days=350)))
        await world.until(_beside(change - timedelta(hours=random.randint(20, 50))))
        await world.worker_comes()
        stack = Stack(
            world.services,
            world.gateway,
            Factory(world.services.sessions, world.services.vault),
            self.networks,
            world.client,
        )
        now = _beside(await world.now())
        await world.until(now)
        self.lives = [await self._life(stack, number, now, without) for number in numbers]

    async def _life(self, stack: Stack, number: int, now: datetime, without: frozenset[int]) -> Life:
        random = Random(f"{self.seed}/{number}")
        calendar, schedule = random_calendar(random, now)
        accounts = random.choice((1, 1, 2))
        user = await stack.make.user()
        connected = [await stack.make.account(user, stack.networks.url, person) for person in _PEOPLE[:accounts]]
        lead, window = random.choice(_LEADS), random.choice(_WINDOWS)
        assistant = await stack.make.assistant(
            user,
            accounts=tuple(one.id for one in connected),
            image=False,
            schedule=schedule,
            lead_minutes=lead,
            catch_up_minutes=window,
        )
        known = Reference(calendar, timedelta(minutes=lead), timedelta(minutes=window), now)
        life = Life(stack, number, self.seed, assistant, accounts, schedule, known, without)
        life.says(
            0,
            f"{schedule.frequency} {schedule.cron or ' '.join(schedule.time_slots)} {calendar.zone}, "
            f"lead {lead} min, catches up {window} min, {accounts} accounts",
        )
        return life

    async def step(self, number: int) -> None:
        random = Random(f"{self.seed}/world/{number}")
        now = self.lives[0].reference.now
        until = now + timedelta(minutes=random.choice(_WAITS))
        shortly = now + timedelta(minutes=random.choice(_SHORT_WAITS))
        if self.away:
            until = until if self.away == "worker" else shortly
            if random.random() < (0.4 if self.away == "worker" else 0.8) or number == STEPS:
                await self._comes_back(number)
            else:
                await self._all_take(number)
        elif number < STEPS and random.random() < 0.3:
            what = random.choice(("worker", "worker", "database", "model"))
            until = until if what == "worker" else shortly
            await self._goes_away(number, what)
        elif random.random() < 0.15 and (change := changes_of_clocks(now, now + _SOON)):
            until = _beside(change[0] + timedelta(hours=2))
            for life in self.lives:
                life.says(number, "over a change of clocks")
        else:
            await self._all_take(number)
        await self._pass(until)
        await self._check(number)

    async def _all_take(self, number: int) -> None:
        # a few at once: a busy machine may give a local step of an assistant a second or two, and no more
        turns = asyncio.Semaphore(_AT_ONCE)

        async def take(life: Life) -> None:
            try:
                async with turns:
                    await life.takes(number)
            except Exception as error:
                raise self._report(life, number, [f"{type(error).__name__}: {error}"]) from error

        await asyncio.gather(*map(take, self.lives))
        for life in self.lives:
            life.reference.happens()

    async def _goes_away(self, number: int, what: str) -> None:
        self.away = what
        match what:
            case "worker":
                await self.world.worker_goes()
            case "database":
                await self.world.database_goes()
            case _:
                self.world.model.is_away(True)
        self._now_is(number, what, here=False)

    async def _comes_back(self, number: int) -> None:
        what, self.away = self.away, ""
        match what:
            case "worker":
                await self.world.worker_comes()
            case "database":
                await self.world.database_comes()
            case _:
                self.world.model.is_away(False)
        self._now_is(number, what, here=True)

    def _now_is(self, number: int, what: str, *, here: bool) -> None:
        for life in self.lives:
            life.says(number, f"the {what} {'is back' if here else 'goes away'}")
            setattr(life.reference, what, here)
            life.reference.happens()

    async def _pass(self, until: datetime) -> None:
        await self.world.until(until)
        for life in self.lives:
            life.reference.passes(until)

    async def _check(self, number: int) -> None:
        if self.away == "database":
            return
        for turn in range(_PATIENCE + 1):
            wrong = await self._wrong()
            if not wrong:
                return
            if turn == _PATIENCE:
                life, differs = wrong[0]
                others = ", ".join(str(other.number) for other, _ in wrong[1:])
                more = [f"others that differ: {others or 'none'}", *await self._history(life)]
                raise self._report(life, number, [*differs, "", *more])
            await asyncio.sleep(1)  # what was begun at this very moment

    async def _wrong(self) -> list[tuple[Life, list[str]]]:
        ids = [life.assistant.id for life in self.lives]
        async with self.world.services.sessions() as session:
            rows = list(await session.scalars(select(Run).where(Run.assistant_id.in_(ids))))
            posts = list(
                await session.scalars(
                    select(Post).where(Post.assistant_id.in_(ids)).options(selectinload(Post.deliveries))
                )
            )
        shown, then = await self.networks.posts(), self.world.clock.then
        found = []
        for life in self.lives:
            mine = [row for row in rows if row.assistant_id == life.assistant.id]
            written = {post.run_id: post for post in posts if post.assistant_id == life.assistant.id}
            if differs := life.differences(mine, written, then, shown):
                found.append((life, differs))
        return found

    async def _history(self, life: Life) -> list[str]:
        """What it said last of itself, and the end of what its workflow has been through: alone, it may not happen
        again."""
        status = (await full(life.stack, life.assistant)).status
        if status is None:
            return ["it was never active"]
        shown = {name: getattr(status, name) for name in ("phase", "reason", "cursor", "next_slot", "applied_version")}
        handle = self.world.client.get_workflow_handle(assistant_workflow(life.assistant.id))
        events = (await handle.fetch_history()).events[-_EVENTS_TOLD:]
        return [
            f"shown at {status.as_of}: {shown}",
            *(f"{event.event_time.ToDatetime():%m-%d %H:%M:%S} {EventType.Name(event.event_type)}" for event in events),
        ]

    def _report(self, life: Life, number: int, differs: list[str]) -> Differs:
        told = "\n".join((*life.steps, "", *differs))
        again = f"--seed {self.seed} --only {life.number}"
        return Differs(f"assistant {life.number} after step {number} (again: {again}):\n{told}")


def _beside(moment: datetime) -> datetime:
    """The next time for a step."""
    begun = moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0) + _BESIDE
    return begun if begun >= moment else begun + QUARTER
