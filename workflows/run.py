"""One occurrence: prepare ahead, stage, wait for the slot, deliver on every channel."""

import asyncio
from datetime import timedelta
from uuid import UUID

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from activities.articles import ArticleWriting, Section
    from activities.drafting import BeginResult, Draft, Drafting, RunRef
    from activities.imaging import Imaging
    from activities.projecting import Projecting, RunFailed, RunOver, RunShown
    from activities.rewriting import NotRewritten, Rewrite, Rewriting
    from core.assistants.rules.assistants import RunState
    from core.errors import ErrorCode
    from workflows.failures import failure_code, failure_or_cancellation, shielded
    from workflows.messages import RunOrder, RunResult
    from workflows.names import POST_ID, RUN_STATE
    from workflows.options import DATABASE_STEP, IMAGE_STEP, TEXT_STEP, named
    from workflows.publishing import Publication
    from workflows.remedies import STEP, remedy

# how a run ends whose post nobody has approved
_NOT_APPROVED = {
    "declined": ErrorCode.approval_declined,
    "held": ErrorCode.approval_held,
    "skipped": ErrorCode.approval_expired,
    "withdrawn": ErrorCode.run_cancelled,
}


@workflow.defn
class RunWorkflow(Publication):
    @workflow.init
    def __init__(self, order: RunOrder) -> None:
        super().__init__(
            order.user_id,
            order.slot,
            order.run_id,
            arm_seconds=order.arm_seconds,
            arm_spread_seconds=order.arm_spread_seconds,
            stage_ahead_seconds=order.stage_ahead_seconds,
        )
        self._order = order
        self._ref = RunRef(
            order.user_id,
            order.assistant_id,
            order.run_id,
            workflow.info().workflow_id,
            order.slot,
            order.by_hand,
        )
        self._draft: Draft | None = None

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        """Completes for published, drafted, held, failed, missed, skipped, unknown and cancelled alike; fails only on
        defects."""
        self._story = asyncio.current_task()
        try:
            draft = self._draft = await self._prepare()
            if not draft.deliveries:
                return self._ended(RunState.drafted)
            if draft.asks:
                workflow.upsert_search_attributes(
                    [RUN_STATE.value_set(RunState.waiting), POST_ID.value_set(str(draft.post_id))]
                )
                # a verdict that no older release has given: what those have recorded never comes here
                while (verdict := await self._verdict(draft.post_id)) == "rewritten":
                    await self._write_again()
                if code := _NOT_APPROVED.get(verdict):
                    return await self._give_up(code)
            await self._go_out(draft)
        except ActivityError as error:
            return await self._give_up(failure_or_cancellation(error) or ErrorCode.run_cancelled)
        except asyncio.CancelledError:
            return await self._give_up(ErrorCode.run_cancelled)
        self._over = True
        over = await shielded(
            workflow.execute_activity_method(
                Projecting.finish,
                RunShown(order.user_id, order.run_id, draft.post_id),
                **named(DATABASE_STEP, "final status"),
            )
        )
        return self._ended(over.state, over.reason)

    async def _prepare(self) -> Draft:
        self._say("picking the topic")
        begun: BeginResult = await workflow.execute_activity_method(
            Drafting.begin, self._ref, **named(DATABASE_STEP, "topic")
        )
        late = self._until(timedelta(seconds=self._order.catch_up_seconds))
        if begun.article:
            await self._write_article(late)
        else:
            self._say("writing the text", do=STEP)
            await workflow.execute_activity_method(Drafting.write, self._ref, **named(TEXT_STEP, "text", until=late))
        if begun.wants_image:
            self._say("making the image", do=STEP)
            await workflow.execute_activity_method(Imaging.make, self._ref, **named(IMAGE_STEP, "image", until=late))
        self._say("checking against the channels' rules")
        return await workflow.execute_activity_method(Drafting.check, self._ref, **named(DATABASE_STEP, "checks"))

    async def _write_article(self, late: timedelta) -> None:
        order = self._order
        self._say("planning the article", do=STEP)
        outlined = await workflow.execute_activity_method(
            ArticleWriting.plan_article, self._ref, **named(TEXT_STEP, "outline", until=late)
        )
        for number in range(outlined.sections):
            told = f"section {number + 1} of {outlined.sections}"
            self._say(f"writing {told}", do=STEP)
            await workflow.execute_activity_method(
                ArticleWriting.write_section,
                Section(order.user_id, order.run_id, number),
                **named(TEXT_STEP, told, until=late),
            )
        self._say("writing the summary", do=STEP)
        await workflow.execute_activity_method(
            ArticleWriting.write_summary, self._ref, **named(TEXT_STEP, "summary", until=late)
        )
        self._say("writing what search results show", do=STEP)
        await workflow.execute_activity_method(
            ArticleWriting.write_search, self._ref, **named(TEXT_STEP, "search results", until=late)
        )

    async def _write_again(self) -> None:
        """A person wants another text: they are asked about that, or about the old one where there is none."""
        self._say("writing another text", do=STEP)
        order = self._order
        left = max(self._planned_at - timedelta(seconds=self._longest_arm) - workflow.now(), timedelta(seconds=1))
        try:
            await workflow.execute_activity_method(
                Rewriting.write_again,
                Rewrite(order.user_id, order.run_id, self._longest_arm),
                **named(TEXT_STEP, "another text", until=left),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            await workflow.execute_activity_method(
                Rewriting.keep_text,
                NotRewritten(order.user_id, order.run_id, failure_code(error)),
                **named(DATABASE_STEP, "no other text"),
            )

    async def _go_out(self, draft: Draft) -> None:
        workflow.upsert_search_attributes([RUN_STATE.value_set(RunState.ready), POST_ID.value_set(str(draft.post_id))])
        # one channel neither cancels another nor holds it up; each outcome is in the ledger
        if len(draft.deliveries) == 1 or workflow.patched("2026-11-each-delivery-alone"):
            if self._unread and workflow.patched("2026-11-edited-while-asked"):
                await self._read()  # it may go to other accounts than it was made for
            await self._publish(draft.deliveries)
            return
        # of runs that began before November 2026; a run ends within months: remove this, and the patch, in June 2027
        await self._asleep_until("staging", self._stage_ahead)
        self._say("staging", do=STEP)
        ready = await asyncio.gather(*map(self._stage, draft.deliveries))
        await self._asleep_until("slot", self._arm, *ready)
        self._say("armed, publishing at the slot", do=STEP)
        await asyncio.gather(*map(self._deliver, draft.deliveries))

    async def _give_up(self, code: str) -> RunResult:
        self._over = True
        over: RunOver | None = await shielded(
            workflow.execute_activity_method(
                Projecting.fail,
                RunFailed(self._order.user_id, self._order.run_id, code),
                **named(DATABASE_STEP, "ends with its reason"),
            )
        )
        # None: told by a worker of an older release
        return self._ended(over.state if over else RunState.failed, code)

    def _ended(self, state: RunState, reason: str = "") -> RunResult:
        workflow.upsert_search_attributes([RUN_STATE.value_set(state)])
        self._say(f"{state.value}{': ' + reason if reason else ''}", do=remedy(reason))
        return RunResult(state.value, reason, self._draft.post_id if self._draft else None)

    def _until(self, after: timedelta) -> timedelta:
        """Time left until so long after the slot; never less than a minute, so that a late one gets its try."""
        return max(self._order.slot + after - workflow.now(), timedelta(minutes=1))

    def _post(self) -> UUID:
        assert self._draft is not None  # a message about a post comes when there is one
        return self._draft.post_id

    def _facts(self) -> list[str]:
        order = self._order
        moved = f", goes out at {self._planned_at:%Y-%m-%d %H:%M} UTC" if self._planned_at != order.slot else ""
        return [
            f"slot {order.slot:%Y-%m-%d %H:%M} UTC{moved}",
            f"assistant {f'{order.assistant} ({order.assistant_id})' if order.assistant else order.assistant_id}",
            f"owner {order.user_id}",
            *([f"post {self._draft.post_id}"] if self._draft else []),
            *([f"in the app: {order.address}?tab=runs&run={order.run_id}"] if order.address else []),
        ]
