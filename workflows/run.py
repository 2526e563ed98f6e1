"""One occurrence: prepare ahead, stage, wait for the slot, deliver on every channel."""

import asyncio
import zlib
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from activities.delivering import Deliver, Delivering, Stage
    from activities.drafting import BeginResult, DeliveryRef, Draft, Drafting, RunRef
    from activities.imaging import Imaging
    from activities.projecting import Projecting, RunFailed, RunOver, RunShown
    from core.domain.assistants import RunState
    from core.domain.errors import ErrorCode
    from workflows.failures import failure_code, failure_or_cancellation, shielded
    from workflows.messages import RunOrder, RunResult
    from workflows.names import RUN_STATE
    from workflows.options import DATABASE_STEP, IMAGE_STEP, TEXT_STEP, delivery_step, named, stage_step

# how long after its slot a delivery may still be retried or looked up
_DELIVERABLE = timedelta(hours=6)


@workflow.defn
class RunWorkflow:
    @workflow.init
    def __init__(self, order: RunOrder) -> None:
        self._order = order
        self._ref = RunRef(order.user_id, order.assistant_id, order.run_id, workflow.info().workflow_id, order.slot)

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        """Completes for published, drafted, failed, missed, unknown and cancelled alike; fails only on defects."""
        try:
            draft = await self._prepare()
            if not draft.deliveries:
                return self._over(RunState.drafted)
            await self._publish(draft)
        except ActivityError as error:
            return await self._give_up(failure_or_cancellation(error) or ErrorCode.run_cancelled)
        except asyncio.CancelledError:
            return await self._give_up(ErrorCode.run_cancelled)
        over = await shielded(
            workflow.execute_activity_method(
                Projecting.finish, RunShown(order.user_id, order.run_id), **named(DATABASE_STEP, "final status")
            )
        )
        return self._over(over.state)

    async def _prepare(self) -> Draft:
        self._say("picking the topic")
        begun: BeginResult = await workflow.execute_activity_method(
            Drafting.begin, self._ref, **named(DATABASE_STEP, "topic")
        )
        late = self._until(timedelta(seconds=self._order.catch_up_seconds))
        self._say("writing the text")
        await workflow.execute_activity_method(Drafting.write, self._ref, **named(TEXT_STEP, "text", until=late))
        if begun.wants_image:
            self._say("making the image")
            await workflow.execute_activity_method(Imaging.make, self._ref, **named(IMAGE_STEP, "image", until=late))
        self._say("checking against the channels' rules")
        return await workflow.execute_activity_method(Drafting.check, self._ref, **named(DATABASE_STEP, "checks"))

    async def _publish(self, draft: Draft) -> None:
        workflow.upsert_search_attributes([RUN_STATE.value_set(RunState.ready)])
        await self._sleep_until(self._order.slot - timedelta(seconds=self._order.stage_ahead_seconds), "staging")
        self._say("staging")
        # one channel neither cancels another nor holds it up; each outcome is in the ledger
        if len(draft.deliveries) == 1 or workflow.patched("2026-11-each-delivery-alone"):
            await asyncio.gather(*map(self._see_through, draft.deliveries))
            return
        ready = await asyncio.gather(*map(self._stage, draft.deliveries))
        arm = self._arm()
        await self._sleep_until(max(self._order.slot - arm, *ready), "slot")
        self._say("armed, publishing at the slot")
        await asyncio.gather(*(self._deliver(to, arm) for to in draft.deliveries))

    async def _see_through(self, to: DeliveryRef) -> None:
        """One delivery from its staging to its end."""
        ready, arm = await self._stage(to), self._arm()
        await self._sleep_until(max(self._order.slot - arm, ready), "slot")
        self._say("armed, publishing at the slot")
        await self._deliver(to, arm)

    async def _stage(self, to: DeliveryRef) -> datetime:
        """When the network is ready for the publishing call."""
        try:
            staged = await workflow.execute_activity_method(
                Delivering.stage,
                Stage(self._order.user_id, to.delivery_id),
                **stage_step(to.channel, to.delivery_id, self._until(_DELIVERABLE)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # the delivering step finds what is missing and says why it fails
            workflow.logger.warning("staging gave up: %s", failure_code(error))
            return workflow.now()
        return workflow.now() + staged.ready_in

    async def _deliver(self, to: DeliveryRef, arm: timedelta) -> None:
        try:
            await workflow.execute_activity_method(
                Delivering.deliver,
                Deliver(self._order.user_id, to.delivery_id, self._order.slot),
                **delivery_step(to.channel, to.delivery_id, arm, self._until(_DELIVERABLE)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # its row in the ledger says what happened; the other channels go on
            workflow.logger.warning("delivery %s gave up: %s", to.delivery_id, failure_code(error))

    async def _give_up(self, code: str) -> RunResult:
        over: RunOver | None = await shielded(
            workflow.execute_activity_method(
                Projecting.fail,
                RunFailed(self._order.user_id, self._order.run_id, code),
                **named(DATABASE_STEP, "ends with its reason"),
            )
        )
        # None: told by a worker of an older release
        return self._over(over.state if over else RunState.failed, code)

    def _over(self, state: RunState, reason: str = "") -> RunResult:
        workflow.upsert_search_attributes([RUN_STATE.value_set(state)])
        self._say(f"{state.value}{': ' + reason if reason else ''}")
        return RunResult(state.value, reason)

    async def _sleep_until(self, moment: datetime, what: str) -> None:
        wait = moment - workflow.now()
        if wait > timedelta(0):
            self._say(f"asleep until {what} at {moment:%Y-%m-%d %H:%M:%S} UTC")
            await workflow.sleep(wait, summary=what)

    def _arm(self) -> timedelta:
        """How long before its slot the delivery waits in a worker: spread, so that a thousand do not arm at once."""
        spread = self._order.arm_spread_seconds
        offset = zlib.crc32(self._order.run_id.bytes) % spread if spread else 0
        return timedelta(seconds=self._order.arm_seconds + offset)

    def _until(self, after: timedelta) -> timedelta:
        """Time left until so long after the slot; never less than a minute, so that a late one gets its try."""
        return max(self._order.slot + after - workflow.now(), timedelta(minutes=1))

    def _say(self, what: str) -> None:
        workflow.set_current_details(f"**{what}**\n\nslot {self._order.slot:%Y-%m-%d %H:%M} UTC")
