"""What runs and posts share from the moment a post is made: its time, a person's verdict, and its deliveries.

The rows decide (`core.posts.publishing`); a message says what they say now, so that a sleeping workflow acts on it
at once, and one that has not heard of it finds out when it wakes.
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
    from activities.publishing import Look, PostPlan, PostRef, Publishing
    from core.assistants.rules.assistants import RunState
    from core.errors import ErrorCode
    from workflows.failures import failure_code
    from workflows.messages import CancelOrder, Decision, MoveOrder, RetryOrder
    from workflows.names import RUN_STATE
    from workflows.options import DATABASE_STEP, delivery_step, named, ready_step, stage_step
    from workflows.remedies import STEP, waiting_remedy

# how long after its time a delivery may still be retried or looked up
_DELIVERABLE = timedelta(hours=6)
# the clock of the database says whether it is over, which may be a little behind
_AFTERWARDS = timedelta(seconds=1)


class Publication:
    """Base of the workflows that publish a post. Its messages set state only; all effects are in the coroutines."""

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
        self._longest_arm = arm_seconds + arm_spread_seconds
        # spread, so that a thousand do not arm at once
        offset = zlib.crc32(spread_by.bytes) % arm_spread_seconds if arm_spread_seconds else 0
        self._arm = timedelta(seconds=arm_seconds + offset)
        self._stage_ahead = timedelta(seconds=stage_ahead_seconds)
        self._version = self._messages = 0
        self._unread = False
        self._story: asyncio.Task[object] | None = None
        self._over = self._taken_back = False
        self._going: dict[UUID, asyncio.Task[None]] = {}
        self._closed: set[UUID] = set()
        self._channels: dict[UUID, str] = {}
        self._held_until: dict[UUID, datetime] = {}
        self._again_at: dict[UUID, datetime] = {}
        self._held_for: dict[UUID, str] = {}
        self._waiting_for_account: set[UUID] = set()

    # the story

    async def _verdict(self, post_id: UUID) -> str:
        """What a person says, or the deadline for them."""
        while True:
            heard = self._messages
            seen = await workflow.execute_activity_method(
                Publishing.look,
                Look(self._user_id, post_id, self._longest_arm),
                **named(DATABASE_STEP, "approval"),
            )
            self._follow(seen.planned_at, seen.version)
            if seen.look_in is None:
                return seen.verdict
            if self._messages == heard:
                self._say(
                    f"waits for a person, looks again at {workflow.now() + seen.look_in:%Y-%m-%d %H:%M:%S} UTC",
                    do="nothing: its owner approves or declines it on the post's page",
                )
                await self._woken(heard, seen.look_in, "waits for a person")

    async def _publish(self, deliveries: tuple[DeliveryRef, ...]) -> None:
        """Each to its end, those too that are asked for meanwhile. One neither cancels another nor holds it up."""
        for to in deliveries:
            self._begin(to)
        failed: ActivityError | None = None
        while under_way := [going for going in self._going.values() if not going.done()]:
            try:
                await asyncio.gather(*under_way)
            except ActivityError as error:
                # what could not read its rows ends; its siblings may be in the middle of their call
                if is_cancelled_exception(error) or not workflow.patched("2026-11-siblings-go-on"):
                    raise
                failed = failed or error
        if failed is not None:
            raise failed
        self._over = True

    def _begin(self, to: DeliveryRef) -> None:
        going = self._going.get(to.delivery_id)
        if going is None or going.done():
            self._going[to.delivery_id] = asyncio.create_task(self._see_through(to))

    async def _see_through(self, to: DeliveryRef) -> None:
        """One delivery from its staging to its end."""
        while to.delivery_id not in self._closed:
            await self._asleep_until("staging", self._stage_ahead)
            self._say("staging", to, do=STEP)
            ready = await self._stage(to)
            await self._asleep_until("slot", self._arm, ready)
            self._say("armed, publishing at its time", to, do=STEP)
            heard = self._messages
            if not await self._deliver(to):
                return
            if until := self._held_until.get(to.delivery_id):
                await self._held(to, heard, until)
            else:
                await self._read()

    async def _held(self, to: DeliveryRef, heard: int, until: datetime) -> None:
        """Until its account is connected again or this server's settings are mended, of which the reconcile tells, or
        its next attempt is due, or it is over. Any message wakes it: the delivering step finds out what that was about,
        and holds it once more where it was another thing."""
        if again_at := self._again_at.get(to.delivery_id):
            why = self._held_for[to.delivery_id]
            self._say(
                f"held until {until:%Y-%m-%d %H:%M:%S} UTC at most: {why}, next attempt at "
                f"{again_at:%Y-%m-%d %H:%M:%S} UTC",
                to,
                do=waiting_remedy(why),
            )
            until = min(until, again_at)
        else:
            self._say(
                f"held until {until:%Y-%m-%d %H:%M:%S} UTC: its account needs reconnecting",
                to,
                do="its owner connects the account again (Social Accounts), and it goes out by itself",
            )
        labelled = workflow.patched("2026-11-held-labelled")
        if labelled:
            self._waiting_for_account.add(to.delivery_id)
            self._label_held()
        await self._woken(heard, max(until - workflow.now(), timedelta(0)) + _AFTERWARDS, "held")
        if labelled:
            self._waiting_for_account.discard(to.delivery_id)
            self._label_held()
        if self._unread:
            await self._read()

    def _label_held(self) -> None:
        """Lists of workflows show those that wait for an account by it."""
        state = RunState.held if self._waiting_for_account else RunState.ready
        if workflow.info().typed_search_attributes.get(RUN_STATE) != state.value:
            workflow.upsert_search_attributes([RUN_STATE.value_set(state.value)])

    async def _stage(self, to: DeliveryRef) -> datetime:
        """When the network is ready for the publishing call."""
        try:
            staged = await workflow.execute_activity_method(
                Delivering.stage,
                Stage(self._user_id, to.delivery_id, to.channel),
                **stage_step(to.channel, to.delivery_id, self._deliverable(to)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # the delivering step finds what is missing and says why it fails
            workflow.logger.warning("staging gave up: %s", failure_code(error))
            return workflow.now()
        ready = workflow.now() + staged.ready_in
        return await self._ready(to, ready) if staged.asks_ready else ready

    async def _ready(self, to: DeliveryRef, at: datetime) -> datetime:
        """Ask at that moment, and again as often as the network says, until it is ready or its time has come."""
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
                workflow.logger.warning("asking whether it is ready gave up: %s", failure_code(error))
                break
            if found.again_in is None:
                break
            at = workflow.now() + found.again_in
        return workflow.now()

    async def _deliver(self, to: DeliveryRef) -> bool:
        """Whether it has to be done again, since it goes out at another time."""
        try:
            delivered = await workflow.execute_activity_method(
                Delivering.deliver,
                Deliver(self._user_id, to.delivery_id, self._planned_at),
                **delivery_step(to.channel, to.delivery_id, self._arm, self._deliverable(to)),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            # its row in the ledger says what happened; the other channels go on
            workflow.logger.warning("delivery %s gave up: %s", to.delivery_id, failure_code(error))
            self._say(f"gave up: {failure_code(error)}", to)
            return False
        self._say(f"{delivered.outcome}{': ' if delivered.reason else ''}{delivered.reason}", to)
        for told in (self._held_until, self._again_at, self._held_for):
            told.pop(to.delivery_id, None)
        if delivered.outcome == "held" and delivered.held_until:
            self._held_until[to.delivery_id] = delivered.held_until
            self._held_for[to.delivery_id] = delivered.reason
            if delivered.again_at:
                self._again_at[to.delivery_id] = delivered.again_at
        return delivered.outcome in ("moved", "held")

    async def _read(self) -> None:
        """What the rows say, of which no message told what it is."""
        self._unread = False
        ref = PostRef(self._user_id, self._post())
        outline: PostPlan = await workflow.execute_activity_method(
            Publishing.outline, ref, **named(DATABASE_STEP, "what has changed")
        )
        self._follow(outline.planned_at, outline.version)
        still_open = {to.delivery_id for to in outline.deliveries}
        self._closed = {found for found in self._going if found not in still_open}
        for to in outline.deliveries:
            self._begin(to)
        self._messages += 1  # the others have slept on

    def _post(self) -> UUID:
        raise NotImplementedError

    def _follow(self, planned_at: datetime | None, version: int) -> None:
        if planned_at is not None and version >= self._version:
            self._planned_at, self._version = planned_at, version

    async def _asleep_until(self, what: str, ahead: timedelta, *not_before: datetime) -> None:
        """Until so long ahead of its time, wherever that is moved meanwhile, and not before these moments."""
        while True:
            # told while a step was under way: nothing would wake it for that
            while self._unread and workflow.patched("2026-11-told-during-a-step"):
                await self._read()
            moment = max(self._planned_at - ahead, *not_before) if not_before else self._planned_at - ahead
            wait = moment - workflow.now()
            if wait <= timedelta(0):
                return
            self._say(f"asleep until {what} at {moment:%Y-%m-%d %H:%M:%S} UTC")
            await self._woken(self._messages, wait, what)
            if self._unread:
                await self._read()

    async def _woken(self, heard: int, wait: timedelta, what: str) -> None:
        """After that time, or by the first message since `heard`."""
        with suppress(TimeoutError):
            await workflow.wait_condition(lambda: self._messages != heard, timeout=wait, timeout_summary=what)

    def _deliverable(self, to: DeliveryRef) -> timedelta:
        until = max(self._planned_at + _DELIVERABLE, self._held_until.get(to.delivery_id, self._planned_at))
        return max(until - workflow.now(), timedelta(minutes=1))

    def _say(self, what: str, to: DeliveryRef | None = None, *, do: str = "") -> None:
        """For operators, in Markdown: what it does and since when, what they can do, what each channel has come to."""
        if to:
            self._channels[to.delivery_id] = f"{to.channel} ({to.delivery_id}): {what}"
        lines = [
            f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
            *([f"what to do: {do}"] if do else []),
            *self._facts(),
            *self._channels.values(),
        ]
        workflow.set_current_details(f"**{what}**\n\n" + "\n".join(f"- {line}" for line in lines))

    def _facts(self) -> list[str]:
        raise NotImplementedError

    # messages

    @workflow.update
    def move(self, order: MoveOrder) -> int:
        """It goes out at another time. Answers with the version in force afterwards."""
        self._planned_at, self._version = order.planned_at, order.version
        self._messages += 1
        return self._version

    @move.validator
    def _may_move(self, order: MoveOrder) -> None:
        self._must_be_newer(order.version)

    @workflow.update
    def cancel(self, order: CancelOrder) -> int:
        """It does not go out."""
        self._version, self._taken_back = order.version, True
        assert self._story is not None
        self._story.cancel()
        return self._version

    @cancel.validator
    def _may_cancel(self, order: CancelOrder) -> None:
        self._must_be_newer(order.version)
        if self._story is None:
            raise ApplicationError("it has not begun", type=ErrorCode.post_ended)

    @workflow.update
    def decide(self, decision: Decision) -> int:
        """A person has decided: it looks at once."""
        self._version = decision.version
        self._messages += 1
        return self._version

    @decide.validator
    def _may_decide(self, decision: Decision) -> None:
        self._must_be_newer(decision.version)

    @workflow.update
    def retry(self, order: RetryOrder) -> int:
        """These deliveries once more."""
        self._planned_at, self._version = order.planned_at, order.version
        self._messages += 1
        self._closed -= {to.delivery_id for to in order.deliveries}
        for to in order.deliveries:
            self._begin(to)
        return self._version

    @retry.validator
    def _may_retry(self, order: RetryOrder) -> None:
        self._must_be_newer(order.version)

    @workflow.signal
    def changed(self) -> None:
        """From the reconcile: durable at once, without an answer. The rows say what."""
        self._unread = True
        self._messages += 1

    def _must_be_newer(self, version: int) -> None:
        if self._over:
            raise ApplicationError("it has ended", type=ErrorCode.post_ended)
        if version <= self._version:
            raise ApplicationError("a newer change is in force", type=ErrorCode.stale_version)
