"""What runs and posts share once a post exists: its time, a person's verdict, and its deliveries.

The rows decide (`core.posts.publishing`). A message carries their latest state, so that a sleeping workflow acts on it
at once; a workflow that missed it finds out when it wakes.
"""

import asyncio
import zlib
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from activities.delivering import Deliver, Delivering, Stage
    from activities.drafting import DeliveryRef
    from activities.post_progress import ApprovalQuery, PostPlan, PostProgress, PostRef
    from core.assistants.rules.assistants import RunState
    from core.assistants.rules.limits import MAX_CATCH_UP
    from core.errors import ErrorCode
    from workflows.failures import failure_code
    from workflows.messages import CancelOrder, Decision, MoveOrder, RetryOrder
    from workflows.names import NEXT_SLOT, REQUEST, RUN_STATE
    from workflows.options import DATABASE_STEP, delivery_step, ready_step, stage_step, with_summary
    from workflows.remedies import STEP, waiting_remedy

# how long after the slot a delivery may still be retried or looked up
_DELIVERABLE = timedelta(minutes=MAX_CATCH_UP)
# the database's clock decides whether time is over, and it may be slightly behind
_CLOCK_MARGIN = timedelta(seconds=1)


class Publication:
    """Base of the workflows that publish a post. Messages only set state; all effects are in the coroutines."""

    def __init__(
        self,
        user_id: UUID,
        planned_at: datetime,
        spread_by: UUID,
        *,
        arm_seconds: int,
        arm_spread_seconds: int,
        stage_ahead_seconds: int,
    ) -> None:
        self._user_id, self._planned_at = user_id, planned_at
        self._arm_seconds, self._arm_spread, self._spread_by = arm_seconds, arm_spread_seconds, spread_by
        self._spread_arming(0)
        self._stage_ahead = timedelta(seconds=stage_ahead_seconds)
        self._version = self._messages = self._edits = 0
        self._followed = 0  # all changes up to this version are known
        self._rows_changed = False
        self._main_task: asyncio.Task[object] | None = None
        self._finished = self._cancel_requested = self._run_ended = False
        self._delivery_tasks: dict[UUID, asyncio.Task[None]] = {}
        self._closed: set[UUID] = set()
        self._reopened: set[UUID] = set()  # by a person, since its attempt began
        self._channels: dict[UUID, str] = {}
        self._held_until: dict[UUID, datetime] = {}
        self._next_attempt_at: dict[UUID, datetime] = {}
        self._held_for: dict[UUID, str] = {}
        self._waiting_for_account: set[UUID] = set()

    def _spread_arming(self, needed: int) -> None:
        """Arm within the time that the posts due at once need, or within the configured one if that is longer."""
        spread = self._arm_spread
        # 0 spreads nothing, whatever is due
        if 0 < spread < needed and self._takes_fewer_steps():
            spread = needed
        self._longest_arm = self._arm_seconds + spread
        offset = zlib.crc32(self._spread_by.bytes) % spread if spread else 0
        self._arm = timedelta(seconds=self._arm_seconds + offset)

    def _takes_fewer_steps(self) -> bool:
        """Return False where a worker of an older release has already gone on without what new steps have told it."""
        return workflow.patched("2026-11-fewer-steps")

    # main coroutines

    async def _wait_for_verdict(self, post_id: UUID) -> str:
        """Return the decision of a person, or of the deadline."""
        while True:
            seen_messages = self._messages
            seen = await workflow.execute_activity_method(
                PostProgress.look,
                ApprovalQuery(self._user_id, post_id, self._longest_arm),
                **with_summary(DATABASE_STEP, "approval", priority=REQUEST),
            )
            self._follow(seen.planned_at, seen.version)
            if seen.look_in is None:
                return seen.verdict
            if self._messages == seen_messages:
                self._set_details(
                    f"waits for a person, next check at {workflow.now() + seen.look_in:%Y-%m-%d %H:%M:%S} UTC",
                    do="nothing: its owner approves or declines it on the post's page",
                )
                await self._wait_for_message(seen_messages, seen.look_in, "waits for a person")

    async def _publish(self, deliveries: tuple[DeliveryRef, ...]) -> None:
        """Run each delivery to its end, including those that are retried meanwhile. They neither cancel nor delay each
        other."""
        for to in deliveries:
            self._start_delivery(to)
        await self._see_through()
        # a message that arrived while the last ones were called has started nothing
        while self._rows_changed and workflow.patched("2026-11-told-before-its-end"):
            await self._refresh()
            await self._see_through()
        self._finished = True

    async def _see_through(self) -> None:
        """Wait until no delivery is under way."""
        failed: ActivityError | None = None
        while under_way := [going for going in self._delivery_tasks.values() if not going.done()]:
            try:
                await asyncio.gather(*under_way)
            except ActivityError as error:
                # fail after the siblings have ended: they may be in the middle of their call
                if is_cancelled_exception(error) or not workflow.patched("2026-11-siblings-go-on"):
                    raise
                failed = failed or error
        if failed is not None:
            raise failed

    def _start_delivery(self, to: DeliveryRef) -> None:
        going = self._delivery_tasks.get(to.delivery_id)
        if going is None or going.done():
            self._delivery_tasks[to.delivery_id] = asyncio.create_task(self._run_delivery(to))

    async def _run_delivery(self, to: DeliveryRef) -> None:
        """Run one delivery from staging to its end."""
        while to.delivery_id not in self._closed:
            arm = self._arm
            stages = to.stages or not self._takes_fewer_steps()
            if not stages:
                await self._sleep_until("slot", arm, unless_edited=True)
            if stages or self._edits:
                await self._sleep_until("staging", self._stage_ahead)
                self._set_details("staging", to, do=STEP)
                seen_edits = self._edits
                ready = await self._stage(to)
                arm = self._arm
                await self._sleep_until("slot", arm, ready, seen_edits=seen_edits)
                if self._is_edited_since(seen_edits):
                    continue  # an upload that began when it is armed would be late
            self._set_details("armed, publishing at the planned time", to, do=STEP)
            seen_messages = self._messages
            self._reopened.discard(to.delivery_id)
            if not await self._deliver(to, arm) and not self._is_reopened(to):
                return
            if until := self._held_until.get(to.delivery_id):
                await self._wait_while_held(to, seen_messages, until)
            else:
                await self._refresh()

    async def _wait_while_held(self, to: DeliveryRef, seen_messages: int, until: datetime) -> None:
        """Wait until the delivery's next attempt is due, its time is over, or any message arrives, for example by the
        reconcile when its account is reconnected or the settings are fixed. The delivering activity then decides, and
        may hold it again."""
        if again_at := self._next_attempt_at.get(to.delivery_id):
            why = self._held_for[to.delivery_id]
            self._set_details(
                f"held until {until:%Y-%m-%d %H:%M:%S} UTC at most: {why}, next attempt at "
                f"{again_at:%Y-%m-%d %H:%M:%S} UTC",
                to,
                do=waiting_remedy(why),
            )
            until = min(until, again_at)
        else:
            self._set_details(
                f"held until {until:%Y-%m-%d %H:%M:%S} UTC: the account needs reconnecting",
                to,
                do="its owner connects the account again (Social Accounts); then the post is published",
            )
        labelled = workflow.patched("2026-11-held-labelled")
        if labelled:
            self._waiting_for_account.add(to.delivery_id)
            self._label_waiting()
        await self._wait_for_message(seen_messages, max(until - workflow.now(), timedelta(0)) + _CLOCK_MARGIN, "held")
        if labelled:
            self._waiting_for_account.discard(to.delivery_id)
            self._label_waiting()
        if self._rows_changed:
            await self._refresh()

    def _label_waiting(self) -> None:
        """Update the search attribute that lists workflows waiting for an account."""
        state = RunState.held if self._waiting_for_account else RunState.ready
        if workflow.info().typed_search_attributes.get(RUN_STATE) != state.value:
            workflow.upsert_search_attributes([RUN_STATE.value_set(state.value)])

    async def _stage(self, to: DeliveryRef) -> datetime:
        """Return when the network is ready for the publishing call."""
        try:
            staged = await workflow.execute_activity_method(
                Delivering.stage,
                Stage(self._user_id, to.delivery_id, to.channel),
                **stage_step(to.channel, to.delivery_id, self._time_to_deliver(to)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # the delivering activity finds what is missing and says why it fails
            workflow.logger.warning("staging failed: %s", failure_code(error))
            return workflow.now()
        ready = workflow.now() + staged.ready_in
        return await self._wait_until_ready(to, ready) if staged.asks_ready else ready

    async def _wait_until_ready(self, to: DeliveryRef, at: datetime) -> datetime:
        """Ask the network from `at` on, as often as it says, until it is ready or the delivery's time is over. Return
        when it was."""
        while workflow.now() < self._planned_at + _DELIVERABLE:
            await workflow.sleep(at - workflow.now(), summary="until the network is ready")
            try:
                found = await workflow.execute_activity_method(
                    Delivering.ready,
                    Stage(self._user_id, to.delivery_id, to.channel),
                    **ready_step(to.channel, to.delivery_id),
                )
            except ActivityError as error:
                if is_cancelled_exception(error):
                    raise
                workflow.logger.warning("asking whether the network is ready failed: %s", failure_code(error))
                break
            if found.again_in is None:
                break
            at = workflow.now() + found.again_in
        return workflow.now()

    async def _deliver(self, to: DeliveryRef, arm: timedelta) -> bool:
        """Return whether the delivery has to be repeated, because it was moved or is held. `arm`: how long before its
        time it is armed."""
        try:
            delivered = await workflow.execute_activity_method(
                Delivering.deliver,
                Deliver(self._user_id, to.delivery_id, self._planned_at),
                **delivery_step(to.channel, to.delivery_id, arm, self._time_to_deliver(to)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # the ledger has the reason; the other channels continue
            workflow.logger.warning("delivery %s failed: %s", to.delivery_id, failure_code(error))
            self._set_details(f"failed: {failure_code(error)}", to)
            return False
        self._set_details(f"{delivered.outcome}{': ' if delivered.reason else ''}{delivered.reason}", to)
        self._run_ended = self._run_ended or delivered.run_ended
        for by_delivery in (self._held_until, self._next_attempt_at, self._held_for):
            by_delivery.pop(to.delivery_id, None)
        if delivered.outcome == "held" and delivered.held_until:
            self._held_until[to.delivery_id] = delivered.held_until
            self._held_for[to.delivery_id] = delivered.reason
            if delivered.again_at:
                self._next_attempt_at[to.delivery_id] = delivered.again_at
        return delivered.outcome in ("moved", "held")

    def _is_reopened(self, to: DeliveryRef) -> bool:
        """Return whether a person may have retried the delivery before the attempt that failed has reported. False
        where an older worker has ended it."""
        return to.delivery_id in self._reopened and workflow.patched("2026-11-reopened-before-its-end")

    async def _refresh(self) -> None:
        """Read the rows after a message without content."""
        self._rows_changed = False
        self._edits += 1
        ref = PostRef(self._user_id, self._post())
        outline: PostPlan = await workflow.execute_activity_method(
            PostProgress.outline, ref, **with_summary(DATABASE_STEP, "changed plan", priority=REQUEST)
        )
        self._follow(outline.planned_at, outline.version)
        self._followed = max(self._followed, outline.version)
        self._spread_arming(outline.arm_spread_seconds)
        still_open = {to.delivery_id for to in outline.deliveries}
        self._closed = {found for found in self._delivery_tasks if found not in still_open}
        for to in outline.deliveries:
            self._start_delivery(to)
        self._messages += 1  # wakes the other deliveries

    def _post(self) -> UUID:
        raise NotImplementedError

    def _follow_message(self, version: int) -> None:
        """A message carries one change only: one before it may have been lost, or arrive later and be refused."""
        if version == self._followed + 1:
            self._followed = version

    def _follow(self, planned_at: datetime | None, version: int) -> None:
        if planned_at is not None and version >= self._version:
            self._set_planned_at(planned_at, version)

    def _set_planned_at(self, planned_at: datetime, version: int) -> None:
        self._planned_at, self._version = planned_at, version
        labelled = workflow.info().typed_search_attributes.get(NEXT_SLOT)
        if labelled != planned_at and workflow.patched("2026-11-next-slot"):
            workflow.upsert_search_attributes([NEXT_SLOT.value_set(planned_at)])

    def _is_edited_since(self, seen_edits: int) -> bool:
        """Return whether the post's content may have changed. False where an older worker has slept on."""
        return self._edits != seen_edits and workflow.patched("2026-11-edited-after-staging")

    async def _sleep_until(
        self,
        what: str,
        ahead: timedelta,
        *not_before: datetime,
        unless_edited: bool = False,
        seen_edits: int | None = None,
    ) -> None:
        """Sleep until `ahead` before the planned time, wherever that is moved, and not before the given moments; with
        `unless_edited` only as long as the post's content cannot have changed, with `seen_edits` since then."""
        while not (unless_edited and self._edits):
            # a message that arrived during an activity wakes nothing
            while self._rows_changed and workflow.patched("2026-11-told-during-a-step"):
                await self._refresh()
            if seen_edits is not None and self._is_edited_since(seen_edits):
                return
            moment = max(self._planned_at - ahead, *not_before) if not_before else self._planned_at - ahead
            wait = moment - workflow.now()
            if wait <= timedelta(0):
                return
            self._set_details(f"asleep until {what} at {moment:%Y-%m-%d %H:%M:%S} UTC")
            await self._wait_for_message(self._messages, wait, what)
            if self._rows_changed:
                await self._refresh()

    async def _wait_for_message(self, seen_messages: int, wait: timedelta, what: str) -> None:
        """Return after the time, or at the first message since `seen_messages`."""
        with suppress(TimeoutError):
            await workflow.wait_condition(lambda: self._messages != seen_messages, timeout=wait, timeout_summary=what)

    def _time_to_deliver(self, to: DeliveryRef) -> timedelta:
        until = max(self._planned_at + _DELIVERABLE, self._held_until.get(to.delivery_id, self._planned_at))
        return max(until - workflow.now(), timedelta(minutes=1))

    def _set_details(self, what: str, to: DeliveryRef | None = None, *, do: str = "") -> None:
        """Set the details for operators, in Markdown: the state and since when, what they can do, and each channel's
        result."""
        if to:
            self._channels[to.delivery_id] = f"{to.channel} ({to.delivery_id}): {what}"
        lines = [
            f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
            *([f"what to do: {do}"] if do else []),
            *self._detail_lines(),
            *self._channels.values(),
        ]
        workflow.set_current_details(f"**{what}**\n\n" + "\n".join(f"- {line}" for line in lines))

    def _detail_lines(self) -> list[str]:
        raise NotImplementedError

    # message handlers

    @workflow.update
    def move(self, order: MoveOrder) -> int:
        """Change the planned time. Return the version in force afterwards."""
        self._set_planned_at(order.planned_at, order.version)
        self._follow_message(order.version)
        self._messages += 1
        return self._version

    @move.validator
    def _may_move(self, order: MoveOrder) -> None:
        self._ensure_newer(order.version)

    @workflow.update
    def cancel(self, order: CancelOrder) -> int:
        """Do not publish the post."""
        self._version, self._cancel_requested = order.version, True
        self._followed = order.version  # it calls off what was opened before
        assert self._main_task is not None
        self._main_task.cancel()
        return self._version

    @cancel.validator
    def _may_cancel(self, order: CancelOrder) -> None:
        self._ensure_newer(order.version)
        if self._main_task is None:
            raise ApplicationError("the workflow has not begun", type=ErrorCode.post_ended)

    @workflow.update
    def decide(self, decision: Decision) -> int:
        """A person has decided: check the verdict at once."""
        self._version = decision.version
        self._follow_message(decision.version)
        self._messages += 1
        return self._version

    @decide.validator
    def _may_decide(self, decision: Decision) -> None:
        self._ensure_newer(decision.version)

    @workflow.update
    def retry(self, order: RetryOrder) -> int:
        """Deliver these again. Also sent after an edit."""
        self._set_planned_at(order.planned_at, order.version)
        self._follow_message(order.version)
        self._edits += 1
        self._messages += 1
        named = {to.delivery_id for to in order.deliveries}
        self._closed -= named
        self._reopened |= named
        for to in order.deliveries:
            self._start_delivery(to)
        return self._version

    @retry.validator
    def _may_retry(self, order: RetryOrder) -> None:
        self._ensure_newer(order.version)

    @workflow.signal
    def changed(self) -> None:
        """Sent by the reconcile, durable without an answer. The rows have the change."""
        self._rows_changed = True
        self._messages += 1

    def _ensure_newer(self, version: int) -> None:
        if self._finished:
            raise ApplicationError("the workflow has ended", type=ErrorCode.post_ended)
        if version <= self._version:
            raise ApplicationError("a newer change is already applied", type=ErrorCode.stale_version)
