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
    from activities.projecting import AssistantUpdate, MissedSlots, Projecting
    from activities.scheduling import Scheduling
    from activities.steering import SkipResult, SlotRef, Steering
    from core.assistants.rules.assistants import AssistantPhase
    from core.assistants.rules.planning import Plan, PlannedSlot, PlanOrder, ScheduleVersion, missed_by_replaced
    from core.errors import ErrorCode
    from core.ids import run_id, run_now_workflow, run_workflow
    from workflows.failures import LOCAL_STEP_FAILED, failure_code
    from workflows.messages import AssistantState, RunNow, RunOrder, RunResult, RunStarted, Setup, Skip, Skipped
    from workflows.names import ASSISTANT_ID, CHANNELS, DELIVERY, NEXT_SLOT, PHASE, RUN_STATE, RUNS, USER_ID, owned_by
    from workflows.options import MISSED_STEP, PLAN_STEP, SHOW_STEP, steer_step, with_summary
    from workflows.remedies import pause_remedy, planning_remedy, remedy
    from workflows.run import RunWorkflow

# pause before planning again, doubled with each failure
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)


_TICK = timedelta(microseconds=1)


def _minute_text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _second_text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


@workflow.defn
class AssistantWorkflow:
    @workflow.init
    def __init__(self, state: AssistantState) -> None:
        self._state = state
        self._next: PlannedSlot | None = None
        self._wake_requested = self._roll_requested = self._recording = False
        self._last_run = "none yet"
        self._last_run_end: list[str] = []  # details of the last run's end
        self._failures = 0  # consecutive planning failures
        self._failing_since = ""
        self._shown: tuple[AssistantPhase, str, datetime | None] | None = None
        # a slot is either started or skipped: the decision holds this lock
        self._deciding = asyncio.Lock()
        self._last_request = state.cursor  # time of the last run by hand

    @workflow.run
    async def run(self, state: AssistantState) -> None:
        if workflow.info().continued_run_id:  # the carried-over state does not include earlier runs
            self._last_run = f"none since {_second_text(workflow.info().start_time)}"
        while True:
            while self._state.setup.active:
                await self._run_cycle()
            if self._state.replaced:
                await self._collect_replaced()
                self._start_recording()
            self._state = replace(self._state, revision=self._state.revision + 1)
            self._next = None
            await self._project(AssistantPhase.inactive, None)
            await workflow.wait_condition(self._is_drained)
            if not self._state.setup.active:  # unless it was activated again while draining
                return

    async def _run_cycle(self) -> None:
        """Wake, plan, start what is due, sleep; or sleep through a pause."""
        if self._should_continue_as_new():  # on waking, never right after starting a run
            await workflow.wait_condition(workflow.all_handlers_finished)
            workflow.continue_as_new(self._state)
        self._wake_requested = False
        self._start_recording()  # outages that an earlier cycle left
        if self._state.setup.pauses(workflow.now()):
            await self._wait_while_paused()
            return
        async with self._deciding:
            try:
                plan = await workflow.execute_local_activity_method(Scheduling.plan, self._plan_order(), **PLAN_STEP)
            except LOCAL_STEP_FAILED as error:
                failed = failure_code(error)
            else:
                failed, self._failures, self._failing_since = "", 0, ""
                if self._wake_requested:  # edited while planning: plan again, start nothing
                    return
                await self._start_due_runs(plan)
        if failed:
            await self._wait_to_replan(failed)
            return
        self._start_recording()
        await self._project(AssistantPhase.asleep if plan.next else AssistantPhase.finished, plan)
        await self._sleep()

    async def _start_due_runs(self, plan: Plan) -> None:
        state = self._state
        outages = (*state.outages, *plan.replaced, *((plan.outage,) if plan.outage else ()))
        # before any run starts: a concurrent edit continues from this plan's end
        self._state = replace(state, cursor=plan.cursor, revision=state.revision + 1, outages=outages, replaced=())
        for due in plan.due:
            await self._start_run(due)
        self._next = plan.next

    async def _wait_while_paused(self) -> None:
        """Plan nothing until the pause is over. A pause without an end has no timer and is ended by a message."""
        if self._state.replaced:
            await self._collect_replaced()
            self._start_recording()
            if self._wake_requested:
                return
        setup = self._state.setup
        self._next = None
        self._state = replace(self._state, revision=self._state.revision + 1)
        await self._project(AssistantPhase.paused, None, reason=setup.pause_reason)
        wait = setup.paused_until - workflow.now() if setup.paused_until else None
        if wait is None or wait > timedelta(0):
            with suppress(TimeoutError):
                await workflow.wait_condition(
                    lambda: self._wake_requested,
                    timeout=wait,
                    timeout_summary=f"paused until {_minute_text(setup.paused_until)}" if setup.paused_until else None,
                )

    async def _collect_replaced(self) -> None:
        """Record the slots that the schedule missed before it was switched off or paused."""
        order = replace(self._plan_order(), cursor=workflow.now())
        try:
            plan = await workflow.execute_local_activity_method(Scheduling.plan, order, **PLAN_STEP)
        except LOCAL_STEP_FAILED:  # the recording activity finds out itself which slots there were
            found = self._state.replaced
        else:
            found = plan.replaced
        self._state = replace(self._state, outages=(*self._state.outages, *found), replaced=())

    async def _wait_to_replan(self, code: str) -> None:
        """Show the failed planning as a phase with its reason, and wait for the next try. Never ends the workflow."""
        pause = min(_FIRST_PAUSE * 2**self._failures, _LONGEST_PAUSE)
        self._failures += 1
        if not self._failing_since:
            # after continue-as-new the label is from before
            before = workflow.info().typed_search_attributes.get(PHASE) == AssistantPhase.planning_failed.value
            self._failing_since = f"{_second_text(workflow.now())}{' or earlier' if before else ''}"
        retry_at = workflow.now() + pause
        self._next = None
        self._state = replace(self._state, revision=self._state.revision + 1)
        await self._project(AssistantPhase.planning_failed, None, reason=code, retry_at=retry_at)
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._wake_requested,
                timeout=pause,
                timeout_summary=f"planning again: {code}, attempt {self._failures + 1}",
            )

    async def _sleep(self) -> None:
        # None: nothing is planned, only a message wakes it
        wait = self._next.start - workflow.now() if self._next else None
        if wait is None or wait > timedelta(0):
            with suppress(TimeoutError):
                await workflow.wait_condition(
                    lambda: self._wake_requested,
                    timeout=wait,
                    timeout_summary=f"next slot {_minute_text(self._next.slot)}" if self._next else None,
                )

    async def _start_run(self, due: PlannedSlot) -> None:
        await self._start_child(run_workflow(self._state.assistant_id, due.slot), due.slot)
        self._last_run = _minute_text(due.slot)

    async def _start_child(self, name: str, slot: datetime, *, by_hand: bool = False) -> None:
        state, reason = self._state, "asked for at" if by_hand else "slot"
        with suppress(WorkflowAlreadyStartedError):  # this slot, or this request, has its run already
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
                priority=owned_by(state.user_id, DELIVERY),
                # also applied on continue-as-new: a run must outlive that of its assistant
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=f"{state.setup.name or 'run'}, {reason} {_minute_text(slot)}",
                search_attributes=TypedSearchAttributes(
                    [
                        SearchAttributePair(USER_ID, str(state.user_id)),
                        SearchAttributePair(ASSISTANT_ID, str(state.assistant_id)),
                        SearchAttributePair(RUN_STATE, "preparing"),
                        SearchAttributePair(CHANNELS, list(state.setup.channels)),
                        SearchAttributePair(NEXT_SLOT, slot),
                    ]
                ),
            )
            # Only for the details. A callback, since awaiting a child would cancel it on cancellation.
            child.add_done_callback(partial(self._show_run_end, name))

    def _show_run_end(self, name: str, child: asyncio.Task[RunResult]) -> None:
        """Show in the details how the run ended."""
        if child.cancelled():  # evicted from the worker's cache
            return
        try:
            result = child.result()
        except ChildWorkflowError:
            came_to, code = "ended from outside", ""
        else:
            came_to, code = result.state, result.reason
        advice = remedy(code)
        self._last_run_end = [
            f"- last run ended: {_second_text(workflow.now())}, {came_to}{f', {code}' if code else ''} ({name})",
            *([f"- what to do about it: {advice}"] if advice else []),
        ]
        self._update_details()

    def _update_details(self) -> None:
        """Update the operators' details within the same phase."""
        if self._shown:
            workflow.set_current_details(self._details(*self._shown))

    def _start_recording(self) -> None:
        """Record missed slots in a task of its own: neither a dead database nor a year of slots may stop the timer.

        They stay in the state until they are recorded, so that continue-as-new loses none.
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
                    MissedSlots(self._state.user_id, self._state.assistant_id, oldest),
                    **with_summary(MISSED_STEP, f"missed up to {oldest.until:%Y-%m-%d %H:%M} UTC"),
                )
                self._state = replace(self._state, outages=self._state.outages[1:])
        except ActivityError:  # a defect, since retries are unlimited; the next cycle tries again
            workflow.logger.exception("missed slots could not be recorded")
        finally:
            self._recording = False

    def _is_drained(self) -> bool:
        return workflow.all_handlers_finished() and (self._state.setup.active or not self._recording)

    async def _project(
        self, phase: AssistantPhase, plan: Plan | None, *, reason: str = "", retry_at: datetime | None = None
    ) -> None:
        state = self._state
        shown = AssistantUpdate(
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
        self._update_details()
        self._label(phase)
        try:
            await workflow.execute_local_activity_method(Projecting.assistant, shown, **SHOW_STEP)
        except LOCAL_STEP_FAILED:
            # the shown state is old until the next cycle; a dead database must not stop the timer
            workflow.logger.warning("the state could not be shown at revision %d", state.revision)

    def _label(self, phase: AssistantPhase) -> None:
        """Update the search attributes that have changed."""
        labels = workflow.info().typed_search_attributes
        slot = self._next.slot if self._next else None
        channels = list(self._state.setup.channels)
        changed: list[SearchAttributeUpdate[Any]] = [
            *([PHASE.value_set(phase.value)] if labels.get(PHASE) != phase.value else []),
            *([CHANNELS.value_set(channels)] if sorted(labels.get(CHANNELS) or []) != channels else []),
        ]
        if labels.get(NEXT_SLOT) != slot and workflow.patched("2026-11-next-slot"):
            changed.append(NEXT_SLOT.value_set(slot) if slot else NEXT_SLOT.value_unset())
        if changed and workflow.patched("2026-11-phase"):
            workflow.upsert_search_attributes(changed)

    def _details(self, phase: AssistantPhase, reason: str, retry_at: datetime | None) -> str:
        coming = (
            f"{_minute_text(self._next.slot)}, preparing from {_second_text(self._next.start)}"
            if self._next
            else "none"
        )
        setup = self._state.setup
        return "\n".join(
            (
                f"**{setup.name or 'assistant'}: {phase.value}**",
                "",
                *(self._failure_details(reason, retry_at) if retry_at else []),
                *(self._pause_details(reason) if phase is AssistantPhase.paused else []),
                f"- next slot: {coming}",
                f"- last run started: {self._last_run}",
                *self._last_run_end,
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
            f"- tries again at {_second_text(retry_at)}, at once with the signal `replan`",
            f"- what to do: {planning_remedy(reason)}",
        ]

    def _pause_details(self, reason: str) -> list[str]:
        setup = self._state.setup
        until, since = setup.paused_until, setup.paused_since
        return [
            f"- paused {f'until {_minute_text(until)}' if until else 'until somebody resumes it'}",
            f"- why: {f'it paused itself, {reason}' if reason else 'somebody paused it'}",
            *([f"- since: {_second_text(since)}; scheduled runs do not begin meanwhile"] if since else []),
            f"- what to do: {pause_remedy(reason, ends=until is not None)}",
        ]

    def _plan_order(self) -> PlanOrder:
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

    def _should_continue_as_new(self) -> bool:
        info = workflow.info()
        return (
            self._roll_requested
            or info.is_continue_as_new_suggested()
            or info.get_current_history_length() >= self._state.max_events
        )

    def _apply_setup(self, setup: Setup) -> None:
        state = self._state
        old = state.setup
        if setup.version <= old.version:
            return
        self._state, self._wake_requested = replace(state, setup=setup), True
        # may be earlier than the old one, where a pause ends early
        if setup.since and setup.since != old.since:
            stretches = (
                ScheduleVersion(old.version, old.since or state.cursor, old.schedule, old.posts),
                *(stretch for stretch in setup.former if stretch.version > old.version),
                ScheduleVersion(setup.version, setup.since, setup.schedule, setup.posts),
            )
            # Slots between the edit and an old cursor further ahead are planned too: a slot that has its run keeps it,
            # since a run starts only once per slot.
            missed = (*state.replaced, *missed_by_replaced(stretches, state.cursor))
            self._state = replace(self._state, cursor=setup.since, replaced=missed)

    def _slot_ref(self, slot: datetime) -> SlotRef:
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

    # Handlers only set state and flags, and the main loop has all effects, except where a caller waits for the effect.

    @workflow.update
    def configure(self, setup: Setup) -> int:
        """Apply the set-up unless it is older. Return the version in force."""
        self._apply_setup(setup)
        return self._state.setup.version

    @workflow.signal
    def configured(self, setup: Setup) -> None:
        """As `configure`, sent by the reconcile: durable without an answer."""
        self._apply_setup(setup)
        self._wake_requested = True

    @workflow.update
    async def run_now(self, order: RunNow) -> RunStarted:
        """Start a run outside the schedule, whose slot is this moment; also during a pause."""
        # unique, and never on a whole minute, where scheduled slots are
        self._last_request = max(workflow.now(), self._last_request + _TICK)
        if self._last_request.second == self._last_request.microsecond == 0:
            self._last_request += _TICK
        name = run_now_workflow(self._state.assistant_id, order.request_id)
        self._last_run = f"{_second_text(self._last_request)}, asked for by hand"
        await self._start_child(name, self._last_request, by_hand=True)
        self._update_details()
        return RunStarted(run_id(name))

    @run_now.validator
    def _validate_run_now(self, order: RunNow) -> None:
        self._ensure_active()

    @workflow.update
    async def skip(self, order: Skip) -> Skipped:
        """Skip the next slot. Refused with the actual next slot if that is another one."""
        async with self._deciding:
            try:
                done: SkipResult = await workflow.execute_local_activity_method(
                    Steering.skip, self._slot_ref(order.slot), **steer_step(f"skip {_minute_text(order.slot)}")
                )
            except LOCAL_STEP_FAILED as error:
                raise ApplicationError("the slot was not skipped", type=failure_code(error)) from error
            if done.refused:
                raise ApplicationError("the slot was not skipped", done.right, type=done.refused)
            self._set_skipped({*self._state.skipped, order.slot})
        return Skipped(order.slot, done.undo_until)

    @skip.validator
    def _validate_skip(self, order: Skip) -> None:
        self._ensure_active()

    @workflow.update
    async def unskip(self, order: Skip) -> Skipped:
        """Undo the skip, before the slot's run would begin."""
        async with self._deciding:
            try:
                await workflow.execute_local_activity_method(
                    Steering.unskip, self._slot_ref(order.slot), **steer_step(f"unskip {_minute_text(order.slot)}")
                )
            except LOCAL_STEP_FAILED as error:
                raise ApplicationError("the slot is still skipped", type=failure_code(error)) from error
            self._set_skipped({*self._state.skipped} - {order.slot})
        return Skipped(order.slot)

    @unskip.validator
    def _validate_unskip(self, order: Skip) -> None:
        self._ensure_active()

    def _set_skipped(self, slots: set[datetime]) -> None:
        coming = tuple(sorted(slot for slot in slots if slot > workflow.now()))
        self._state, self._wake_requested = replace(self._state, skipped=coming), True

    def _ensure_active(self) -> None:
        if not self._state.setup.active:
            raise ApplicationError("inactive", type=ErrorCode.assistant_inactive)

    @workflow.signal
    def replan(self) -> None:
        """Plan again: time zone data has changed, or an operator has fixed what kept it from planning."""
        self._wake_requested = True

    @workflow.signal
    def roll(self) -> None:
        """Continue as new, so that old code is retired."""
        self._roll_requested = self._wake_requested = True
