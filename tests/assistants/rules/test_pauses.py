"""Pauses as stretches of a schedule: whatever is saved, and whenever the workflow hears of it, every slot that was to
be posted is decided once, and none of a pause ever."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import example, given
from hypothesis import strategies as st

from core.assistants.configuration import schedule_to_json, update_schedule_versions
from core.assistants.rules.assistants import AssistantPhase, RunState, lasting_failure
from core.assistants.rules.occurrences import upcoming
from core.assistants.rules.planning import PlanOrder, append_schedule_version, missed_slots, plan, preparation_start
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant, AssistantStatus
from core.errors import ErrorCode
from core.ids import new_id
from core.settings import Settings
from temporal.assistants import AssistantMessages
from workflows.assistant import AssistantWorkflow

START = datetime(2026, 3, 2, 6, 0, 30, tzinfo=UTC)
SCHEDULES = [Schedule(Frequency.cron, "UTC", cron=cron) for cron in ("*/7 * * * *", "*/5 * * * *", "0 */2 * * *")]
MINUTE = timedelta(minutes=1)


@dataclass
class Life:
    """A row, its workflow, and what each slot should have come to. A worker is there only when `hear` is called."""

    now: datetime = START
    row: Assistant = field(
        default_factory=lambda: Assistant(
            id=new_id(),
            user_id=UUID(int=1),
            name="A",
            version=1,
            active=False,
            stretches=[],
            lead_minutes=0,
            schedule=schedule_to_json(SCHEDULES[0]),
        )
    )
    status: AssistantStatus = field(
        default_factory=lambda: AssistantStatus(
            phase=AssistantPhase.inactive, applied_version=0, revision=0, cursor=None
        )
    )
    workflow: AssistantWorkflow | None = None
    schedule: int = 0
    wanted: list[datetime] = field(default_factory=list)
    decided: list[datetime] = field(default_factory=list)

    def wait(self, minutes: int) -> None:
        """Time passes, and what falls into it should be posted, or not."""
        until = self.now + minutes * MINUTE
        for slot in upcoming(SCHEDULES[self.schedule], self.now):
            if slot > until:
                break
            if self.row.active and not self.row.pause(slot - timedelta(microseconds=1)):
                self.wanted.append(slot)
        self.now = until

    def save(self) -> None:
        self.row.version += 1
        update_schedule_versions(self.row, self.status.applied_version, self.now)
        self.now += timedelta(seconds=1)

    def act(self, deed: str) -> None:
        row = self.row
        match deed.split():
            case ["edit", number]:
                self.schedule = int(number)
                row.schedule = schedule_to_json(SCHEDULES[self.schedule])
            case ["on"]:
                row.active = True
            case ["off"]:
                row.active, row.paused_at, row.paused_until = False, None, None
            case ["pause"] if row.active:
                row.paused_at, row.paused_until = self.now, None
            case ["pause", minutes] if row.active:
                row.paused_at, row.paused_until = self.now, self.now + int(minutes) * MINUTE
            case ["resume"]:
                row.paused_at, row.paused_until = None, None
            case ["hear"]:
                self.hear()
                return
        self.save()
        if self.workflow is None:  # whoever switches it on tells it; without a workflow nobody misses anything
            self.hear()

    def hear(self) -> None:
        """The workflow is told what was saved last, starts where it does not run, and plans."""
        row, messages = self.row, AssistantMessages(None, Settings(environment="test"))  # type: ignore[arg-type] # asks nobody
        setup = replace(messages._setup(row, ()), lead_seconds=0)
        if self.workflow is None:
            if not row.active:
                return
            self.workflow = AssistantWorkflow(replace(messages._state(row, setup, self.status), setup=setup))
        self.workflow._apply_setup(setup)
        state = self.workflow._state
        order = PlanOrder(row.id, state.setup.schedule, state.cursor, self.now, 0, 3600, 0, state.replaced)
        rests = not state.setup.active or state.setup.pauses(self.now)
        result = plan(replace(order, cursor=self.now) if rests else order)
        for outage in (*result.replaced, *((result.outage,) if result.outage and not rests else ())):
            self.decided += missed_slots(outage)
        cursor = state.cursor if rests else result.cursor
        if not rests:
            self.decided += [due.slot for due in result.due]
        self.workflow._state = replace(state, cursor=cursor, replaced=())
        phase = AssistantPhase.asleep
        if rests:
            phase = AssistantPhase.paused if state.setup.active else AssistantPhase.inactive
        self.status.phase, self.status.cursor, self.status.applied_version = phase, cursor, state.setup.version
        if not state.setup.active:
            self.workflow = None  # it has ended


deeds = st.one_of(
    st.sampled_from(["on", "off", "pause", "resume", "hear", "hear", "edit 0", "edit 1", "edit 2"]),
    st.integers(1, 600).map(lambda minutes: f"pause {minutes}"),
)
lives = st.lists(st.tuples(st.integers(0, 400), deeds), max_size=12)


@given(lives)
# the end of a pause moved forward, back, and taken away, heard or not
@example([(0, "hear"), (30, "pause 60"), (10, "hear"), (10, "pause 200"), (90, "hear")])
@example([(0, "hear"), (30, "pause 600"), (10, "hear"), (10, "pause 20"), (90, "hear")])
@example([(0, "hear"), (30, "pause 600"), (10, "hear"), (10, "resume"), (90, "hear")])
@example([(0, "hear"), (30, "pause 600"), (10, "hear"), (10, "edit 1"), (700, "hear")])
# a worker that was away over all of it
@example([(0, "hear"), (30, "pause 60"), (90, "edit 1"), (30, "pause"), (60, "off"), (10, "on"), (60, "hear")])
# ended sooner than was heard, and edited, while it was away
@example([(2, "hear"), (1, "pause 300"), (8, "hear"), (7, "pause 2"), (60, "edit 2")])
# off and on while it pauses
@example([(0, "hear"), (30, "pause 600"), (5, "hear"), (30, "off"), (30, "on"), (60, "hear")])
def test_every_slot_outside_of_pauses_is_decided_once_and_none_within(deeds: list[tuple[int, str]]) -> None:
    life = Life()
    life.act("on")
    for minutes, deed in deeds:
        life.wait(minutes)
        life.act(deed)
    life.wait(60)
    life.act("hear")
    assert sorted(life.decided) == life.wanted
    # what is kept does not grow with what was heard
    for deed in ("on", "resume", "hear", "edit 0", "hear", "edit 1", "edit 2"):
        life.act(deed)
    assert len(life.row.stretches) <= 4


def test_a_pause_that_never_came_to_its_end_leaves_no_stretch_ahead() -> None:
    known = append_schedule_version((), 1, START, SCHEDULES[0], posts=True, goes_on=None)
    paused = append_schedule_version(known, 2, START + MINUTE, SCHEDULES[0], posts=False, goes_on=START + 60 * MINUTE)
    assert [(one.since - START, one.active) for one in paused] == [
        (timedelta(0), True),
        (MINUTE, False),
        (60 * MINUTE, True),
    ]
    # saved again without a change of it
    assert (
        append_schedule_version(paused, 3, START + 2 * MINUTE, SCHEDULES[0], posts=False, goes_on=START + 60 * MINUTE)
        == paused
    )
    resumed = append_schedule_version(paused, 3, START + 2 * MINUTE, SCHEDULES[0], posts=True, goes_on=None)
    assert [(one.since - START, one.active) for one in resumed[1:]] == [(MINUTE, False), (2 * MINUTE, True)]


@given(st.integers(0, 3), st.integers(0, 90), st.lists(st.integers(0, 40), max_size=6), st.sampled_from([0, 600, 3600]))
def test_a_slot_that_is_skipped_is_neither_due_nor_missed_and_takes_nobodys_place(
    hours: int, minutes: int, chosen: list[int], lead: int
) -> None:
    schedule, now = SCHEDULES[0], START + hours * timedelta(hours=1) + minutes * MINUTE
    slots = [slot for slot, _ in zip(upcoming(schedule, START), range(41), strict=False)]
    skipped = tuple(slots[index] for index in chosen)
    order = PlanOrder(UUID(int=7), schedule, START, now, lead, 3600, 0)
    whole, without = plan(order), plan(replace(order, skipped=skipped))
    lost = set(missed_slots(without.outage)) if without.outage else set()
    due = {found.slot for found in without.due}
    assert not due & set(skipped)
    assert without.next is None or without.next.slot not in skipped
    coming = {found.slot for found in whole.due if found.slot > now} - set(skipped)
    assert {slot for slot in due if slot > now} >= coming
    past = [slot for slot in slots if slot <= now and slot not in skipped]
    if past and now < past[-1] + timedelta(hours=1):
        assert past[-1] in due
    assert set(past) == (lost - set(skipped)) | {slot for slot in due if slot <= now}


def test_a_preparation_begins_when_the_plan_says() -> None:
    order = PlanOrder(UUID(int=99), SCHEDULES[2], START, START, 900, 3600, 300)
    planned = plan(order).next
    assert planned is not None
    assert preparation_start(planned.slot, 900, 300, order.assistant_id) == planned.start


FAILED = (RunState.failed, ErrorCode.delivery_needs_reconnect)


def test_three_in_a_row_for_the_same_lasting_reason() -> None:
    assert lasting_failure([FAILED] * 3) is ErrorCode.delivery_needs_reconnect
    assert lasting_failure([FAILED] * 4) is ErrorCode.delivery_needs_reconnect
    for others in (
        [FAILED] * 2,
        [FAILED, FAILED, (RunState.published, None)],
        [FAILED, (RunState.failed, ErrorCode.model_misconfigured), FAILED],
        [(RunState.failed, ErrorCode.model_unavailable)] * 3,
        [(RunState.unknown, ErrorCode.delivery_needs_reconnect)] * 3,
        [(RunState.failed, None)] * 3,
    ):
        assert lasting_failure(others) is None
