"""What a network granted, for as long as something posts by it: renewed ahead of its end, and in time a word to whoever
has to consent again. One of each grant, since its accounts post by the same token."""

from contextlib import suppress
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from activities.granting import Granting, GrantRef, GrantSeen
    from core.social_accounts.rules import GrantState, GrantStep
    from workflows.failures import failure_code
    from workflows.messages import GrantOrder
    from workflows.names import GRANT_STATE
    from workflows.options import DATABASE_STEP, named, renew_step
    from workflows.remedies import STEP, remedy

# after an hour of tries, what an operator has to mend included
_AGAIN = timedelta(hours=1)


@workflow.defn
class GrantWorkflow:
    """The rows decide; a message says that they have changed."""

    @workflow.init
    def __init__(self, order: GrantOrder) -> None:
        self._order, self._ref = order, GrantRef(order.user_id, order.grant_id)
        self._messages = 0
        self._rolling = False

    @workflow.run
    async def run(self, order: GrantOrder) -> None:
        """Completes once nothing posts by it any more."""
        while True:
            if self._rolling or self._is_long():
                workflow.continue_as_new(order)
            heard = self._messages
            seen: GrantSeen = await workflow.execute_activity_method(
                Granting.look_at_grant, self._ref, **named(DATABASE_STEP, "how it is with its tokens")
            )
            if seen.step == GrantStep.over:
                self._say("over: nothing posts by it any more")
                return
            self._label(seen.state)
            if seen.step == GrantStep.renew:
                await self._renew(seen, heard)
            else:
                self._say(_waiting(seen), seen, do=_TO_DO[GrantState(seen.state)])
                await self._woken(heard, seen.again_at, _waiting(seen))

    async def _renew(self, seen: GrantSeen, heard: int) -> None:
        self._say("asks the network for new tokens", seen, do=STEP)
        try:
            await workflow.execute_activity_method(Granting.renew_grant, self._ref, **renew_step(self._order.channel))
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            code, again_at = failure_code(error), workflow.now() + _AGAIN
            workflow.logger.warning("renewing gave up for now: %s", code)
            self._say(f"could not be renewed: {code}; again at {again_at:%Y-%m-%d %H:%M} UTC", seen, do=remedy(code))
            await self._woken(heard, again_at, "until it is tried again")

    async def _woken(self, heard: int, at: datetime | None, what: str) -> None:
        """At that moment, or by the first message since `heard`."""
        wait = None if at is None else max(at - workflow.now(), timedelta(0))
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._rolling or self._messages != heard, timeout=wait, timeout_summary=what
            )

    def _is_long(self) -> bool:
        info = workflow.info()
        return info.is_continue_as_new_suggested() or info.get_current_history_length() >= self._order.max_events

    def _label(self, state: str) -> None:
        """What lists of workflows are filtered by, where it has changed."""
        if workflow.info().typed_search_attributes.get(GRANT_STATE) != state:
            workflow.upsert_search_attributes([GRANT_STATE.value_set(state)])

    def _say(self, what: str, seen: GrantSeen | None = None, *, do: str = "") -> None:
        """For operators, in Markdown."""
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

    # messages

    @workflow.signal
    def changed(self) -> None:
        """From the reconcile: the rows say what."""
        self._messages += 1

    @workflow.signal
    def roll(self) -> None:
        """Go on by the newest code."""
        self._rolling = True


_TO_DO = {
    GrantState.connected: "nothing",
    GrantState.expires_soon: "its owner connects the account again (Social Accounts), of which they were told",
    GrantState.needs_reconnecting: "its owner connects the account again (Social Accounts), of which they were told",
}


def _waiting(seen: GrantSeen) -> str:
    """What it waits for."""
    if seen.state == GrantState.needs_reconnecting:
        return "needs reconnecting: waits for its owner"
    if seen.again_at is None:
        return "connected, and does not end"
    words = "expires soon, " if seen.state == GrantState.expires_soon else ""
    return f"{words}asleep until {seen.again_at:%Y-%m-%d %H:%M} UTC"
