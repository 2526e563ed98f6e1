"""An assistant: one workflow that sleeps until the next occurrence and starts one run for each."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from activities.projecting import AssistantShown, MissedShown, Projecting
    from activities.scheduling import Scheduling
    from core.domain.assistants import AssistantPhase
    from core.domain.ids import run_id, run_workflow
    from core.domain.schedules import Plan, PlannedSlot, PlanOrder, Stretch, replaced
    from workflows.failures import LOCAL_STEP_FAILED, failure_code
    from workflows.messages import AssistantState, RunOrder, Setup
    from workflows.names import ASSISTANT_ID, CHANNELS, RUN_STATE, RUNS, USER_ID
    from workflows.options import MISSED_STEP, PLAN_STEP, SHOW_STEP, named
    from workflows.run import RunWorkflow

# before it plans again, doubled with each failure
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)


@workflow.defn
class AssistantWorkflow:
    @workflow.init
    def __init__(self, state: AssistantState) -> None:
        self._state = state
        self._next: PlannedSlot | None = None
        self._woken = self._rolling = self._recording = False
        self._last = "none yet"
        self._failures = 0  # to plan, one after the other

    @workflow.run
    async def run(self, state: AssistantState) -> None:
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
        """Wake, plan, start what is due, sleep."""
        if self._should_roll():  # on waking, never right after starting a run
            await workflow.wait_condition(workflow.all_handlers_finished)
            workflow.continue_as_new(self._state)
        self._woken = False
        self._record()  # what one before it left
        try:
            plan = await workflow.execute_local_activity_method(Scheduling.plan, self._order(), **PLAN_STEP)
        except LOCAL_STEP_FAILED as error:
            await self._wait_to_plan_again(failure_code(error))
            return
        self._failures = 0
        if self._woken:  # edited while planning: plan again, start nothing
            return
        state = self._state
        outages = (*state.outages, *plan.replaced, *((plan.outage,) if plan.outage else ()))
        # before any run is started: an edit meanwhile begins where this plan has ended
        self._state = replace(state, cursor=plan.cursor, revision=state.revision + 1, outages=outages, replaced=())
        for due in plan.due:
            await self._start_run(due)
        self._next = plan.next
        self._record()
        await self._show(AssistantPhase.asleep if plan.next else AssistantPhase.finished, plan)
        await self._sleep()

    async def _keep_replaced(self) -> None:
        """What the schedule missed before it was switched off is written down as well."""
        try:
            plan = await workflow.execute_local_activity_method(Scheduling.plan, self._order(), **PLAN_STEP)
        except LOCAL_STEP_FAILED:  # whoever writes them down finds out for itself which slots there were
            found = self._state.replaced
        else:
            found = plan.replaced
        self._state = replace(self._state, outages=(*self._state.outages, *found), replaced=())

    async def _wait_to_plan_again(self, code: str) -> None:
        """A failed step is a phase with its reason, never the end."""
        pause = min(_FIRST_PAUSE * 2**self._failures, _LONGEST_PAUSE)
        self._failures += 1
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
                    timeout_summary=f"next slot {self._next.slot:%Y-%m-%d %H:%M} UTC" if self._next else None,
                )

    async def _start_run(self, due: PlannedSlot) -> None:
        state = self._state
        name = run_workflow(state.assistant_id, due.slot)
        with suppress(WorkflowAlreadyStartedError):  # this slot already has its run
            await workflow.start_child_workflow(
                RunWorkflow.run,
                RunOrder(
                    user_id=state.user_id,
                    assistant_id=state.assistant_id,
                    run_id=run_id(name),
                    slot=due.slot,
                    catch_up_seconds=state.setup.catch_up_seconds,
                    arm_seconds=state.setup.arm_seconds,
                    arm_spread_seconds=state.setup.arm_spread_seconds,
                    stage_ahead_seconds=state.setup.stage_ahead_seconds,
                ),
                id=name,
                task_queue=RUNS,
                # the policy is applied on continue-as-new too: a run must outlive the roll of its assistant
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=f"slot {due.slot:%Y-%m-%d %H:%M} UTC",
                search_attributes=TypedSearchAttributes(
                    [
                        SearchAttributePair(USER_ID, str(state.user_id)),
                        SearchAttributePair(ASSISTANT_ID, str(state.assistant_id)),
                        SearchAttributePair(RUN_STATE, "preparing"),
                        SearchAttributePair(CHANNELS, list(state.setup.channels)),
                    ]
                ),
            )
        self._last = f"{due.slot:%Y-%m-%d %H:%M} UTC"

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
        workflow.set_current_details(self._details(phase, reason, retry_at))
        try:
            await workflow.execute_local_activity_method(Projecting.assistant, shown, **SHOW_STEP)
        except LOCAL_STEP_FAILED:
            # the picture is old until the next wake-up; a dead database must not stop the timer
            workflow.logger.warning("could not be shown at revision %d", state.revision)

    def _details(self, phase: AssistantPhase, reason: str, retry_at: datetime | None) -> str:
        coming = (
            f"{self._next.slot:%Y-%m-%d %H:%M} UTC, preparing from {self._next.start:%Y-%m-%d %H:%M:%S} UTC"
            if self._next
            else "none"
        )
        setup = self._state.setup
        return "\n".join(
            (
                f"**{setup.name or 'assistant'}: {phase.value}**",
                "",
                *([f"- why: {reason}; tries again at {retry_at:%Y-%m-%d %H:%M:%S} UTC"] if retry_at else []),
                f"- next slot: {coming}",
                f"- last run started: {self._last}",
                f"- schedule: {setup.schedule.frequency.value}, {setup.schedule.time_zone}",
                f"- channels: {', '.join(setup.channels) or 'none (drafts)'}",
                f"- configuration version {setup.version}, revision {self._state.revision}",
            )
        )

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
        if setup.since and (old.since is None or setup.since > old.since):
            stretches = (
                Stretch(old.version, old.since or state.cursor, old.schedule, old.active),
                *(stretch for stretch in setup.former if stretch.version > old.version),
                Stretch(setup.version, setup.since, setup.schedule, setup.active),
            )
            # Slots between the edit and an old cursor further ahead are planned, too: whatever of them has its run
            # keeps it, since a slot's run is started once.
            missed = (*state.replaced, *replaced(stretches, state.cursor))
            self._state = replace(self._state, cursor=setup.since, replaced=missed)

    # Handlers set state and flags only; all effects are in the one loop.

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

    @workflow.signal
    def replan(self) -> None:
        """Plan again: time zone data has changed, or an operator has mended what kept it from planning."""
        self._woken = True

    @workflow.signal
    def roll(self) -> None:
        """Continue as new, so that old code is retired."""
        self._rolling = self._woken = True
