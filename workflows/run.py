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
    from activities.projecting import Projecting, RunFailure, RunOutcome, RunToFinish
    from activities.rewriting import Rewrite, RewriteFailure, Rewriting
    from core.assistants.rules.assistants import RunState
    from core.errors import ErrorCode
    from workflows.failures import failure_code, failure_or_cancellation, shielded
    from workflows.messages import RunOrder, RunResult
    from workflows.names import POST_ID, RECORD, RUN_STATE, WRITING
    from workflows.options import DATABASE_STEP, IMAGE_STEP, TEXT_STEP, with_summary
    from workflows.publishing import Publication
    from workflows.remedies import STEP, remedy

# the reason of a run whose post was not approved
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
        self._main_task = asyncio.current_task()
        try:
            draft = self._draft = await self._prepare()
            self._spread_arming(draft.arm_spread_seconds)
            self._followed = max(self._followed, draft.version)
            if not draft.deliveries:
                return self._result(RunState.drafted)
            if draft.asks:
                workflow.upsert_search_attributes(
                    [RUN_STATE.value_set(RunState.waiting), POST_ID.value_set(str(draft.post_id))]
                )
                # this verdict is newer than the oldest histories, which never reach this line
                while (verdict := await self._wait_for_verdict(draft.post_id)) == "rewritten":
                    await self._rewrite()
                if code := _NOT_APPROVED.get(verdict):
                    return await self._end_unpublished(code)
            await self._publish_draft(draft)
        except ActivityError as error:
            return await self._end_unpublished(failure_or_cancellation(error) or ErrorCode.run_cancelled)
        except asyncio.CancelledError:
            return await self._end_unpublished(ErrorCode.run_cancelled)
        self._finished = True
        if self._run_ended and self._takes_fewer_steps():  # the last receipt has ended it
            return self._result(RunState.published)
        over = await shielded(
            workflow.execute_activity_method(
                Projecting.finish,
                RunToFinish(order.user_id, order.run_id, draft.post_id, self._followed or None),
                **with_summary(DATABASE_STEP, "final status", priority=RECORD),
            )
        )
        return self._result(over.state, over.reason)

    async def _prepare(self) -> Draft:
        self._set_details("picking the topic")
        begun: BeginResult = await workflow.execute_activity_method(
            Drafting.begin, self._ref, **with_summary(DATABASE_STEP, "topic", priority=WRITING)
        )
        late = self._time_until(timedelta(seconds=self._order.catch_up_seconds))
        if begun.text_only and self._takes_fewer_steps():
            self._set_details("writing the text", do=STEP)
            return await workflow.execute_activity_method(
                Drafting.write_checked,
                self._ref,
                **with_summary(TEXT_STEP, "text and checks", until=late, owner=self._user_id),
            )
        if begun.article:
            await self._write_article(late)
        else:
            self._set_details("writing the text", do=STEP)
            await workflow.execute_activity_method(
                Drafting.write, self._ref, **with_summary(TEXT_STEP, "text", until=late, owner=self._user_id)
            )
        if begun.wants_image:
            self._set_details("making the image", do=STEP)
            await workflow.execute_activity_method(
                Imaging.make, self._ref, **with_summary(IMAGE_STEP, "image", until=late, owner=self._user_id)
            )
        self._set_details("checking against the channels' rules")
        return await workflow.execute_activity_method(
            Drafting.check, self._ref, **with_summary(DATABASE_STEP, "checks", priority=WRITING)
        )

    async def _write_article(self, late: timedelta) -> None:
        order = self._order
        self._set_details("planning the article", do=STEP)
        outlined = await workflow.execute_activity_method(
            ArticleWriting.plan_article,
            self._ref,
            **with_summary(TEXT_STEP, "outline", until=late, owner=order.user_id),
        )
        for number in range(outlined.sections):
            label = f"section {number + 1} of {outlined.sections}"
            self._set_details(f"writing {label}", do=STEP)
            await workflow.execute_activity_method(
                ArticleWriting.write_section,
                Section(order.user_id, order.run_id, number),
                **with_summary(TEXT_STEP, label, until=late, owner=order.user_id),
            )
        self._set_details("writing the summary", do=STEP)
        await workflow.execute_activity_method(
            ArticleWriting.write_summary,
            self._ref,
            **with_summary(TEXT_STEP, "summary", until=late, owner=order.user_id),
        )
        self._set_details("writing the text for search results", do=STEP)
        await workflow.execute_activity_method(
            ArticleWriting.write_search,
            self._ref,
            **with_summary(TEXT_STEP, "search results", until=late, owner=order.user_id),
        )

    async def _rewrite(self) -> None:
        """Write the requested new text and ask about it, or about the old one if that fails."""
        self._set_details("writing another text", do=STEP)
        order = self._order
        left = max(self._planned_at - timedelta(seconds=self._longest_arm) - workflow.now(), timedelta(seconds=1))
        try:
            await workflow.execute_activity_method(
                Rewriting.write_again,
                Rewrite(order.user_id, order.run_id, self._longest_arm),
                **with_summary(TEXT_STEP, "another text", until=left, owner=order.user_id),
            )
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            await workflow.execute_activity_method(
                Rewriting.keep_text,
                RewriteFailure(order.user_id, order.run_id, failure_code(error)),
                **with_summary(DATABASE_STEP, "no other text", priority=WRITING),
            )

    async def _publish_draft(self, draft: Draft) -> None:
        workflow.upsert_search_attributes([RUN_STATE.value_set(RunState.ready), POST_ID.value_set(str(draft.post_id))])
        # channels neither cancel nor delay each other; each outcome is in the ledger
        if len(draft.deliveries) == 1 or workflow.patched("2026-11-each-delivery-alone"):
            if self._rows_changed and workflow.patched("2026-11-edited-while-asked"):
                await self._refresh()  # its accounts may have changed since it was made
            await self._publish(draft.deliveries)
            return
        # Runs that began before November 2026. A run ends within months: remove this and the patch in June 2027.
        await self._sleep_until("staging", self._stage_ahead)
        self._set_details("staging", do=STEP)
        ready = await asyncio.gather(*map(self._stage, draft.deliveries))
        await self._sleep_until("slot", self._arm, *ready)
        self._set_details("armed, publishing at the slot", do=STEP)
        await asyncio.gather(*(self._deliver(to, self._arm) for to in draft.deliveries))

    async def _end_unpublished(self, code: str) -> RunResult:
        self._finished = True
        over: RunOutcome | None = await shielded(
            workflow.execute_activity_method(
                Projecting.fail,
                RunFailure(self._order.user_id, self._order.run_id, code),
                **with_summary(DATABASE_STEP, "end", priority=RECORD),
            )
        )
        # None: answered by a worker of an older release
        return self._result(over.state if over else RunState.failed, code)

    def _result(self, state: RunState, reason: str = "") -> RunResult:
        workflow.upsert_search_attributes([RUN_STATE.value_set(state)])
        self._set_details(f"{state.value}{': ' + reason if reason else ''}", do=remedy(reason))
        return RunResult(state.value, reason, self._draft.post_id if self._draft else None)

    def _time_until(self, after: timedelta) -> timedelta:
        """Return the time left until `after` the slot, at least a minute, so that a late step gets one attempt."""
        return max(self._order.slot + after - workflow.now(), timedelta(minutes=1))

    def _post(self) -> UUID:
        assert self._draft is not None  # messages about a post arrive only after it was made
        return self._draft.post_id

    def _detail_lines(self) -> list[str]:
        order = self._order
        moved = f", planned for {self._planned_at:%Y-%m-%d %H:%M} UTC" if self._planned_at != order.slot else ""
        return [
            f"slot {order.slot:%Y-%m-%d %H:%M} UTC{moved}",
            f"assistant {f'{order.assistant} ({order.assistant_id})' if order.assistant else order.assistant_id}",
            f"owner {order.user_id}",
            *([f"post {self._draft.post_id}"] if self._draft else []),
            *([f"in the app: {order.address}?tab=runs&run={order.run_id}"] if order.address else []),
        ]
