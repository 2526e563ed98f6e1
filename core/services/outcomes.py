"""How runs end, and what a delivery's late answer makes of its post and its run."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import notify_browsers
from core.domain.assistants import BY_HAND, RunState, StepState, given_up
from core.domain.errors import Conflict, ErrorCode
from core.domain.live import LiveKind
from core.domain.posts import FINAL, DeliveryState, PostStatus, status_of
from core.domain.runs import run_state_of
from core.models import Delivery, Post
from core.repositories.approvals import ApprovalRepository
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository
from core.services.model_calls import record_lost_calls
from core.services.model_steps import causes_of


async def follow_deliveries(session: AsyncSession, user_id: UUID, post_id: UUID) -> Post:
    """Post and run say what the deliveries say, also where the run ended before they did."""
    posts, runs = PostRepository(session), RunRepository(session)
    post, _ = await posts.get(user_id, post_id, deleted=True)
    states = [delivery.state for delivery in post.deliveries]
    if post.run_id is None:
        post.status = status_of(states)
        return post
    run = await runs.get(user_id, post.run_id)
    if run.finished_at is not None or all(state in FINAL for state in states):  # else it says so itself when it ends
        post.status = status_of(states)
        reason = next((one.error_code for one in post.deliveries if one.error_code), None)
        await runs.set_state(user_id, run.id, run_state_of(states), reason=reason)
        await notify_browsers(session, user_id, LiveKind.run, run.id)
    return post


async def give_up(session: AsyncSession, user_id: UUID, run_id: UUID, code: str) -> RunState:
    """The run ends without going out, with its reason. Returns its state: missed where it was too late, skipped where
    it may not spend more or a person ended it, else failed, or what a delivery says that was called for after all.

    One that a person has ended keeps that reason, and one that was over before its workflow was stopped keeps its own.
    """
    runs, posts = RunRepository(session), PostRepository(session)
    already = await runs.left_out(user_id, run_id)
    if already and (already in BY_HAND or code == ErrorCode.run_cancelled):
        code = already
    state = given_up(code)
    for step in await runs.active_steps(user_id, run_id):
        step.state, step.finished_at, step.facts = StepState.failed, utcnow(), {"code": code}
    post = await posts.of_run(user_id, run_id)
    if post:
        await ApprovalRepository(session).withdraw(user_id, post.id)
        for delivery in post.deliveries:
            close(delivery, None, by_hand=code in BY_HAND)
        states = [delivery.state for delivery in post.deliveries]
        if any(found is not DeliveryState.cancelled for found in states):
            post.status, state = status_of(states), run_state_of(states)
        else:
            post.status = PostStatus.failed if state is RunState.failed else PostStatus.draft
        await notify_browsers(session, user_id, LiveKind.post, post.id)
    await runs.set_state(user_id, run_id, state, reason=None if state is RunState.published else code)
    # the run before its calls, as whoever reserves one: another order would be a deadlock
    await record_lost_calls(session, *causes_of(user_id, run_id))
    await notify_browsers(session, user_id, LiveKind.run, run_id)
    return state


async def cancel_prepared(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> list[str]:
    """No run of the assistant that is not armed yet goes out any more. Returns the ids of their workflows, which are to
    be cancelled after the commit; one that does not hear of it finds its deliveries cancelled."""
    cancelled = []
    for run in await RunRepository(session).open_of(user_id, assistant_id):
        if not await is_armed(session, user_id, run.id):
            await give_up(session, user_id, run.id, ErrorCode.run_cancelled)
            cancelled.append(run.workflow_id)
    return cancelled


async def must_not_be_armed(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> None:
    """Raises Conflict (run_armed) while one of its runs is."""
    for run in await RunRepository(session).open_of(user_id, assistant_id):
        if await is_armed(session, user_id, run.id):
            raise Conflict(ErrorCode.run_armed)


async def is_armed(session: AsyncSession, user_id: UUID, run_id: UUID) -> bool:
    """Whether one of its deliveries waits for its moment, or is being called for. Locks them."""
    posts = PostRepository(session)
    post = await posts.of_run(user_id, run_id)
    found = [await posts.delivery(user_id, delivery.id) for delivery in post.deliveries] if post else []
    return any(delivery.state is DeliveryState.publishing or delivery.called_at is not None for delivery in found)


def close(delivery: Delivery, missed: ErrorCode | None, *, by_hand: bool = False) -> None:
    """End what nobody works on any more. One that was called for may have gone out, whatever was written of it."""
    if delivery.state in FINAL or delivery.state is DeliveryState.unknown:
        return
    if delivery.called_at is not None:
        delivery.state, delivery.error_code = DeliveryState.unknown, ErrorCode.delivery_unknown
    elif delivery.error_code and not by_hand:  # its last attempt said why, and no further one came in time
        delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
    else:
        delivery.state, delivery.error_code, delivery.settled_at = DeliveryState.cancelled, missed, utcnow()
