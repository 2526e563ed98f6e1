"""A feed of a topic tree: asked from time to time, its new items added as topics. One workflow for each feed."""

from contextlib import suppress
from datetime import datetime, timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.feeding import Feeding, FeedRef, FeedStatus
    from workflows.messages import FeedOrder
    from workflows.options import FEED_STEP, with_summary
    from workflows.remedies import STEP, remedy


@workflow.defn
class FeedWorkflow:
    """The rows decide; a message says that they have changed."""

    @workflow.init
    def __init__(self, order: FeedOrder) -> None:
        self._order, self._ref = order, FeedRef(order.user_id, order.feed_id)
        self._messages = 0
        self._roll_requested = False

    @workflow.run
    async def run(self, order: FeedOrder) -> None:
        """Completes once the feed is not to be asked any more."""
        while True:
            if self._roll_requested or self._has_long_history():
                workflow.continue_as_new(order)
            seen_messages = self._messages
            self._set_details("reads the feed", do=STEP)
            seen: FeedStatus = await workflow.execute_activity_method(
                Feeding.read_feed, self._ref, **with_summary(FEED_STEP, "new items")
            )
            if seen.next_at is None:
                self._set_details("ended: the feed was stopped or deleted")
                return
            what = f"asleep until {seen.next_at:%Y-%m-%d %H:%M} UTC"
            self._set_details(f"{what}: {seen.error}" if seen.error else what, do=remedy(seen.error) or "nothing")
            await self._wait_for_message(seen_messages, seen.next_at, what)

    async def _wait_for_message(self, seen_messages: int, at: datetime, what: str) -> None:
        """Return at that moment, or at the first message since `seen_messages`."""
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._roll_requested or self._messages != seen_messages,
                timeout=max(at - workflow.now(), timedelta(0)),
                timeout_summary=what,
            )

    def _has_long_history(self) -> bool:
        info = workflow.info()
        return info.is_continue_as_new_suggested() or info.get_current_history_length() >= self._order.max_events

    def _set_details(self, what: str, *, do: str = "") -> None:
        """Set the details for operators, in Markdown."""
        order = self._order
        lines = [
            f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
            *([f"what to do: {do}"] if do else []),
            f"feed {order.feed_id}",
            f"owner {order.user_id}",
            *([f"in the app: {order.address}"] if order.address else []),
        ]
        workflow.set_current_details(f"**{what}**\n\n" + "\n".join(f"- {line}" for line in lines))

    # message handlers

    @workflow.signal
    def changed(self) -> None:
        """Sent by the reconcile: the rows have changed."""
        self._messages += 1

    @workflow.signal
    def roll(self) -> None:
        """Continue as new, with the newest code."""
        self._roll_requested = True
