"""An assistant: one workflow that sleeps until the next occurrence and starts one run for each."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributePair, SearchAttributeUpdate, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, ApplicationError, ChildWorkflowError, WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from activities.projecting import AssistantShown, MissedShown, Projecting
    from activities.scheduling import Scheduling
    from activities.steering import SlotRef, SlotSkipped, Steering
    from core.assistants.rules.assistants import AssistantPhase
    from core.assistants.rules.planning import Plan, PlannedSlot, PlanOrder, Stretch, replaced
    from core.errors import ErrorCode
    from core.ids import run_id, run_now_workflow, run_workflow
    from workflows.failures import LOCAL_STEP_FAILED, failure_code
    from workflows.messages import AssistantState, RunNow, RunOrder, RunResult, RunStarted, Setup, Skip, Skipped
    from workflows.names import ASSISTANT_ID, CHANNELS, PHASE, RUN_STATE, RUNS, USER_ID
    from workflows.options import MISSED_STEP, PLAN_STEP, SHOW_STEP, named, steer_step
    from workflows.remedies import pause_remedy, planning_remedy, remedy
    from workflows.run import RunWorkflow

# before it plans again, doubled with each failure
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)


_TICK = timedelta(microseconds=1)


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _second(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


@workflow.defn
class AssistantWorkflow:
    @workflow.init
    def __init__(self, state: AssistantState) -> None:
        self._state = state
        self._next: PlannedSlot | None = None
        self._woken = self._rolling = self._recording = False
        self._last = "none yet"
        self._ended: list[str] = []  # what the last run came to
        self._failures = 0  # to plan, one after the other
        self._failing_since = ""
        self._shown: tuple[AssistantPhase, str, datetime | None] | None = None
        # a slot is either begun or skipped: whoever decides about one holds it
        self._deciding = asyncio.Lock()
        self._asked = state.cursor  # when a run was last asked for

    @workflow.run
    async def run(self, state: AssistantState) -> None:
        if workflow.info().continued_run_id:  # what it carries on does not say which runs it has begun before
            self._last = f"none since {_second(workflow.info().start_time)}"
        while True:
            while self._state.setup.active:
                await self._turn()
            if self._state.replaced:
                await self._keep_replaced()
                self._record()
            self._state = replace(self._state, revision=self._state.revision + 1)
            self._next = None
            await self._show(AssistantPhase.inactive, None)
            await workflow.wait_condition(self._said_goodbye)
            if not self._state.setup.active:  # not activated again while it said goodbye
                return

    async def _turn(self) -> None:
        """Wake, plan, start what is due, sleep; or sleep through a pause."""
        if self._should_roll():  # on waking, never right after starting a run
            await workflow.wait_condition(workflow.all_handlers_finished)
            workflow.continue_as_new(self._state)
        self._woken = False
        self._record()  # what one before it left
        if self._state.setup.pauses(workflow.now()):
            await self._pause()
            return
        async with self._deciding:
            try:
                plan = await workflow.execute_local_activity_method(Scheduling.plan, self._order(), **PLAN_STEP)
            except LOCAL_STEP_FAILED as error:
                failed = failure_code(error)
            else:
                failed, self._failures, self._failing_since = "", 0, ""
                if self._woken:  # edited while planning: plan again, start nothing
                    return
                await self._begin(plan)
        if failed:
            await self._wait_to_plan_again(failed)
            return
        self._record()
        await self._show(AssistantPhase.asleep if plan.next else AssistantPhase.finished, plan)
        await self._sleep()

    async def _begin(self, plan: Plan) -> None:
        state = self._state
        outages = (*state.outages, *plan.replaced, *((plan.outage,) if plan.outage else ()))
        # before any run is started: an edit meanwhile begins where this plan has ended
        self._state = replace(state, cursor=plan.cursor, revision=state.revision + 1, outages=outages, replaced=())
        for due in plan.due:
            await self._start_run(due)
        self._next = plan.next

    async def _pause(self) -> None:
        """Nothing is planned before it is over; without an end only a message ends it, and there is no timer."""
        if self._state.replaced:
            await self._keep_replaced()
            self._record()
            if self._woken:
                return
        setup = self._state.setup
        self._next = None
        self._state = replace(self._state, revision=self._state.revision + 1)
        await self._show(AssistantPhase.paused, None, reason=setup.pause_reason)
        wait = setup.paused_until - workflow.now() if setup.paused_until else None
        if wait is None or wait > timedelta(0):
            with suppress(TimeoutError):
                await workflow.wait_condition(
                    lambda: self._woken,
                    timeout=wait,
                    timeout_summary=f"paused until {_minute(setup.paused_until)}" if setup.paused_until else None,
                )

    async def _keep_replaced(self) -> None:
        """What the schedule missed before it was switched off or paused is written down as well."""
        order = replace(self._order(), cursor=workflow.now())
        try:
            plan = await workflow.execute_local_activity_method(Scheduling.plan, order, **PLAN_STEP)
        except LOCAL_STEP_FAILED:  # whoever writes them down finds out for itself which slots there were
            found = self._state.replaced
        else:
            found = plan.replaced
        self._state = replace(self._state, outages=(*self._state.outages, *found), replaced=())

    async def _wait_to_plan_again(self, code: str) -> None:
        """A failed step is a phase with its reason, never the end."""
        pause = min(_FIRST_PAUSE * 2**self._failures, _LONGEST_PAUSE)
        self._failures += 1
        if not self._failing_since:
            # one that continues as new has its label from before
            before = workflow.info().typed_search_attributes.get(PHASE) == AssistantPhase.planning_failed.value
            self._failing_since = f"{_second(workflow.now())}{' or earlier' if before else ''}"
        retry_at = workflow.now() + pause
        self._next = None
        self._state = replace(self._state, revision=self._state.revision + 1)
        await self._show(AssistantPhase.planning_failed, None, reason=code, retry_at=retry_at)
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._woken, timeout=pause, timeout_summary=f"plans again: {code}, attempt {self._failures + 1}"
            )

    async def _sleep(self) -> None:
        # None: nothing is planned any more, only a message wakes it
        wait = self._next.start - workflow.now() if self._next else None
        if wait is None or wait > timedelta(0):
            with suppress(TimeoutError):
                await workflow.wait_condition(
                    lambda: self._woken,
                    timeout=wait,
                    timeout_summary=f"next slot {_minute(self._next.slot)}" if self._next else None,
                )

    async def _start_run(self, due: PlannedSlot) -> None:
        await self._start_child(run_workflow(self._state.assistant_id, due.slot), due.slot)
        self._last = _minute(due.slot)

    async def _start_child(self, name: str, slot: datetime, *, by_hand: bool = False) -> None:
        state = self._state
        with suppress(WorkflowAlreadyStartedError):  # this slot already has its run, or this request
            child = await workflow.start_child_workflow(
                RunWorkflow.run,
                RunOrder(
                    user_id=state.user_id,
                    assistant_id=state.assistant_id,
                    run_id=run_id(name),
                    slot=slot,
                    catch_up_seconds=state.setup.catch_up_seconds,
                    arm_seconds=state.setup.arm_seconds,
                    arm_spread_seconds=state.setup.arm_spread_seconds,
                    stage_ahead_seconds=state.setup.stage_ahead_seconds,
                    address=state.setup.address,
                    by_hand=by_hand,
                    assistant=state.setup.name,
                ),
                id=name,
                task_queue=RUNS,
                # the policy is applied on continue-as-new too: a run must outlive the roll of its assistant
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=f"{state.setup.name or 'run'}, {'asked for at' if by_hand else 'slot'} {_minute(slot)}",
                search_attributes=TypedSearchAttributes(
                    [
                        SearchAttributePair(USER_ID, str(state.user_id)),
                        SearchAttributePair(ASSISTANT_ID, str(state.assistant_id)),
                        SearchAttributePair(RUN_STATE, "preparing"),
                        SearchAttributePair(CHANNELS, list(state.setup.channels)),
                    ]
                ),
            )
            # for the details alone, and by a callback, since whoever waits for a child cancels it when cancelled
            child.add_done_callback(partial(self._run_ended, name))

    def _run_ended(self, name: str, child: asyncio.Task[RunResult]) -> None:
        """Say what a run came to."""
        if child.cancelled():  # the worker puts this workflow out of its memory
            return
        try:
            result = child.result()
        except ChildWorkflowError:
            came_to, code = "ended from outside", ""
        else:
            came_to, code = result.state, result.reason
        told = remedy(code)
        self._ended = [
            f"- last run ended: {_second(workflow.now())}, {came_to}{f', {code}' if code else ''} ({name})",
            *([f"- what to do about it: {told}"] if told else []),
        ]
        self._tell()

    def _tell(self) -> None:
        """Operators read what is new, in a phase that lasts."""
        if self._shown:
            workflow.set_current_details(self._details(*self._shown))

    def _record(self) -> None:
        """Write missed slots down beside all else: a dead database, or a year of them, must not stop the timer.

        They stay in the state until they are written, so that continuing as new in the middle loses none.
        """
        if self._state.outages and not self._recording:
            self._recording = True
            self._task = asyncio.create_task(self._write_outages())

    async def _write_outages(self) -> None:
        try:
            while self._state.outages:
                oldest = self._state.outages[0]
                await workflow.execute_activity_method(
                    Projecting.missed,
                    MissedShown(self._state.user_id, self._state.assistant_id, oldest),
                    **named(MISSED_STEP, f"missed up to {oldest.until:%Y-%m-%d %H:%M} UTC"),
                )
                self._state = replace(self._state, outages=self._state.outages[1:])
        except ActivityError:  # a defect, since it is repeated without end; the next wake-up tries again
            workflow.logger.exception("missed slots could not be written")
        finally:
            self._recording = False

    def _said_goodbye(self) -> bool:
        return workflow.all_handlers_finished() and (self._state.setup.active or not self._recording)

    async def _show(
        self, phase: AssistantPhase, plan: Plan | None, *, reason: str = "", retry_at: datetime | None = None
    ) -> None:
        state = self._state
        shown = AssistantShown(
            user_id=state.user_id,
            assistant_id=state.assistant_id,
            phase=phase,
            revision=state.revision,
            applied_version=state.setup.version,
            cursor=state.cursor,
            next_slot=plan.next.slot if plan and plan.next else None,
            next_start=plan.next.start if plan and plan.next else None,
            rules=plan.rules if plan else "",
            reason=reason,
            retry_at=retry_at,
        )
        self._shown = phase, reason, retry_at
        self._tell()
        self._label(phase)
        try:
            await workflow.execute_local_activity_method(Projecting.assistant, shown, **SHOW_STEP)
        except LOCAL_STEP_FAILED:
            # the picture is old until the next wake-up; a dead database must not stop the timer
            workflow.logger.warning("could not be shown at revision %d", state.revision)

    def _label(self, phase: AssistantPhase) -> None:
        """What lists of workflows are filtered by, where it has changed."""
        labels = workflow.info().typed_search_attributes
        channels = list(self._state.setup.channels)
        changed: list[SearchAttributeUpdate[Any]] = [
            *([PHASE.value_set(phase.value)] if labels.get(PHASE) != phase.value else []),
            *([CHANNELS.value_set(channels)] if sorted(labels.get(CHANNELS) or []) != channels else []),
        ]
        if changed and workflow.patched("2026-11-phase"):
            workflow.upsert_search_attributes(changed)

    def _details(self, phase: AssistantPhase, reason: str, retry_at: datetime | None) -> str:
        coming = f"{_minute(self._next.slot)}, preparing from {_second(self._next.start)}" if self._next else "none"
        setup = self._state.setup
        return "\n".join(
            (
                f"**{setup.name or 'assistant'}: {phase.value}**",
                "",
                *(self._failure_details(reason, retry_at) if retry_at else []),
                *(self._pause_details(reason) if phase is AssistantPhase.paused else []),
                f"- next slot: {coming}",
                f"- last run started: {self._last}",
                *self._ended,
                f"- schedule: {setup.schedule.frequency.value}, {setup.schedule.time_zone}",
                f"- channels: {', '.join(setup.channels) or 'none (drafts)'}",
                f"- configuration version {setup.version}, revision {self._state.revision}",
                f"- owner: {self._state.user_id}",
                *([f"- in the app: {setup.address}"] if setup.address else []),
            )
        )

    def _failure_details(self, reason: str, retry_at: datetime) -> list[str]:
        return [
            f"- why: it could not be planned, {reason}",
            f"- since: {self._failing_since}, tries: {self._failures}; no run begins meanwhile",
            f"- tries again at {_second(retry_at)}, at once with the signal `replan`",
            f"- what to do: {planning_remedy(reason)}",
        ]

    def _pause_details(self, reason: str) -> list[str]:
        setup = self._state.setup
        until, since = setup.paused_until, setup.paused_since
        return [
            f"- paused {f'until {_minute(until)}' if until else 'until somebody resumes it'}",
            f"- why: {f'it paused itself, {reason}' if reason else 'somebody paused it'}",
            *([f"- since: {_second(since)}; its schedule begins no run meanwhile"] if since else []),
            f"- what to do: {pause_remedy(reason, ends=until is not None)}",
        ]

    def _order(self) -> PlanOrder:
        setup = self._state.setup
        return PlanOrder(
            assistant_id=self._state.assistant_id,
            schedule=setup.schedule,
            cursor=self._state.cursor,
            now=workflow.now(),
            lead_seconds=setup.lead_seconds,
            catch_up_seconds=setup.catch_up_seconds,
            jitter_window_seconds=setup.jitter_seconds,
            replaced=self._state.replaced,
            skipped=self._state.skipped,
        )

    def _should_roll(self) -> bool:
        info = workflow.info()
        return (
            self._rolling
            or info.is_continue_as_new_suggested()
            or info.get_current_history_length() >= self._state.max_events
        )

    def _take(self, setup: Setup) -> None:
        state = self._state
        old = state.setup
        if setup.version <= old.version:
            return
        self._state, self._woken = replace(state, setup=setup), True
        # earlier than the old one where a pause ends before its time
        if setup.since and setup.since != old.since:
            stretches = (
                Stretch(old.version, old.since or state.cursor, old.schedule, old.posts),
                *(stretch for stretch in setup.former if stretch.version > old.version),
                Stretch(setup.version, setup.since, setup.schedule, setup.posts),
            )
            # Slots between the edit and an old cursor further ahead are planned, too: whatever of them has its run
            # keeps it, since a slot's run is started once.
            missed = (*state.replaced, *replaced(stretches, state.cursor))
            self._state = replace(self._state, cursor=setup.since, replaced=missed)

    def _slot(self, slot: datetime) -> SlotRef:
        state, setup = self._state, self._state.setup
        return SlotRef(
            user_id=state.user_id,
            assistant_id=state.assistant_id,
            slot=slot,
            schedule=setup.schedule if setup.posts else None,
            after=setup.since or state.cursor,
            lead_seconds=setup.lead_seconds,
            jitter_window_seconds=setup.jitter_seconds,
        )

    # Handlers set state and flags only, and all effects are in the one loop; but for those of which somebody waits for
    # the effect itself.

    @workflow.update
    def configure(self, setup: Setup) -> int:
        """The version in force afterwards: the answer to whoever saved."""
        self._take(setup)
        return self._state.setup.version

    @workflow.signal
    def configured(self, setup: Setup) -> None:
        """The same, from the reconcile: durable at once, without an answer."""
        self._take(setup)
        self._woken = True

    @workflow.update
    async def run_now(self, order: RunNow) -> RunStarted:
        """A run beside the schedule; its slot is this moment, also in a pause."""
        # no two of the same moment, and none on a whole minute, where the schedule has its slots
        self._asked = max(workflow.now(), self._asked + _TICK)
        if self._asked.second == self._asked.microsecond == 0:
            self._asked += _TICK
        name = run_now_workflow(self._state.assistant_id, order.request_id)
        self._last = f"{_second(self._asked)}, asked for by hand"
        await self._start_child(name, self._asked, by_hand=True)
        self._tell()
        return RunStarted(run_id(name))

    @run_now.validator
    def _can_run(self, order: RunNow) -> None:
        self._must_be_active()

    @workflow.update
    async def skip(self, order: Skip) -> Skipped:
        """Leave out the slot that comes next. Refused with the right one where that is another."""
        async with self._deciding:
            try:
                done: SlotSkipped = await workflow.execute_local_activity_method(
                    Steering.skip, self._slot(order.slot), **steer_step(f"skip {_minute(order.slot)}")
                )
            except LOCAL_STEP_FAILED as error:
                raise ApplicationError("not skipped", type=failure_code(error)) from error
            if done.refused:
                raise ApplicationError("not skipped", done.right, type=done.refused)
            self._leave_out({*self._state.skipped, order.slot})
        return Skipped(order.slot, done.undo_until)

    @skip.validator
    def _can_skip(self, order: Skip) -> None:
        self._must_be_active()

    @workflow.update
    async def unskip(self, order: Skip) -> Skipped:
        """Take that back, before its run would have begun."""
        async with self._deciding:
            try:
                await workflow.execute_local_activity_method(
                    Steering.unskip, self._slot(order.slot), **steer_step(f"unskip {_minute(order.slot)}")
                )
            except LOCAL_STEP_FAILED as error:
                raise ApplicationError("still skipped", type=failure_code(error)) from error
            self._leave_out({*self._state.skipped} - {order.slot})
        return Skipped(order.slot)

    @unskip.validator
    def _can_unskip(self, order: Skip) -> None:
        self._must_be_active()

    def _leave_out(self, slots: set[datetime]) -> None:
        coming = tuple(sorted(slot for slot in slots if slot > workflow.now()))
        self._state, self._woken = replace(self._state, skipped=coming), True

    def _must_be_active(self) -> None:
        if not self._state.setup.active:
            raise ApplicationError("inactive", type=ErrorCode.assistant_inactive)

    @workflow.signal
    def replan(self) -> None:
        """Plan again: time zone data has changed, or an operator has mended what kept it from planning."""
        self._woken = True

    @workflow.signal
    def roll(self) -> None:
        """Continue as new, so that old code is retired."""
        self._rolling = self._woken = True
