"""A network's grant, while accounts use it: renewed before its end, with a warning to its user where they have to
consent again. One workflow per grant, since its accounts share the tokens."""

from contextlib import suppress
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from activities.granting import Granting, GrantRef, GrantStatus
    from core.social_accounts.rules import GrantState, GrantStep
    from workflows.failures import failure_code
    from workflows.messages import GrantOrder
    from workflows.names import GRANT_STATE
    from workflows.options import DATABASE_STEP, renew_step, with_summary
    from workflows.remedies import STEP, remedy

# after an hour of attempts, also for what an operator has to fix
_RETRY_PAUSE = timedelta(hours=1)


@workflow.defn
class GrantWorkflow:
    """The rows decide; a message says that they have changed."""

    @workflow.init
    def __init__(self, order: GrantOrder) -> None:
        self._order, self._ref = order, GrantRef(order.user_id, order.grant_id)
        self._messages = 0
        self._roll_requested = False

    @workflow.run
    async def run(self, order: GrantOrder) -> None:
        """Completes once no account uses the grant any more."""
        while True:
            if self._roll_requested or self._has_long_history():
                workflow.continue_as_new(order)
            seen_messages = self._messages
            seen: GrantStatus = await workflow.execute_activity_method(
                Granting.look_at_grant, self._ref, **with_summary(DATABASE_STEP, "state of the tokens")
            )
            if seen.step == GrantStep.over:
                self._set_details("ended: no account uses the grant")
                return
            self._label(seen.state)
            if seen.step == GrantStep.renew:
                await self._renew(seen, seen_messages)
            else:
                self._set_details(_waiting_text(seen), seen, do=_TO_DO[GrantState(seen.state)])
                await self._wait_for_message(seen_messages, seen.again_at, _waiting_text(seen))

    async def _renew(self, seen: GrantStatus, seen_messages: int) -> None:
        self._set_details("asks the network for new tokens", seen, do=STEP)
        try:
            await workflow.execute_activity_method(Granting.renew_grant, self._ref, **renew_step(self._order.channel))
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            code, again_at = failure_code(error), workflow.now() + _RETRY_PAUSE
            workflow.logger.warning("the grant could not be renewed for now: %s", code)
            self._set_details(
                f"could not be renewed: {code}; next attempt at {again_at:%Y-%m-%d %H:%M} UTC", seen, do=remedy(code)
            )
            await self._wait_for_message(seen_messages, again_at, "until the next attempt")

    async def _wait_for_message(self, seen_messages: int, at: datetime | None, what: str) -> None:
        """Return at that moment, or at the first message since `seen_messages`."""
        wait = None if at is None else max(at - workflow.now(), timedelta(0))
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._roll_requested or self._messages != seen_messages, timeout=wait, timeout_summary=what
            )

    def _has_long_history(self) -> bool:
        info = workflow.info()
        return info.is_continue_as_new_suggested() or info.get_current_history_length() >= self._order.max_events

    def _label(self, state: str) -> None:
        """Update the search attribute if it has changed."""
        if workflow.info().typed_search_attributes.get(GRANT_STATE) != state:
            workflow.upsert_search_attributes([GRANT_STATE.value_set(state)])

    def _set_details(self, what: str, seen: GrantStatus | None = None, *, do: str = "") -> None:
        """Set the details for operators, in Markdown."""
        order = self._order
        lines = [
            f"since {workflow.now():%Y-%m-%d %H:%M:%S} UTC",
            *([f"what to do: {do}"] if do else []),
            *([f"tokens end at {seen.expires_at:%Y-%m-%d %H:%M} UTC"] if seen and seen.expires_at else []),
            f"network {order.channel}",
            f"grant {order.grant_id}",
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


_TO_DO = {
    GrantState.connected: "nothing",
    GrantState.expires_soon: "its owner connects the account again (Social Accounts); a notification was sent",
    GrantState.needs_reconnecting: "its owner connects the account again (Social Accounts); a notification was sent",
}


def _waiting_text(seen: GrantStatus) -> str:
    """Return what it waits for."""
    if seen.state == GrantState.needs_reconnecting:
        return "needs reconnecting: waits for the owner"
    if seen.again_at is None:
        return "connected without an end"
    words = "expires soon, " if seen.state == GrantState.expires_soon else ""
    return f"{words}asleep until {seen.again_at:%Y-%m-%d %H:%M} UTC"
