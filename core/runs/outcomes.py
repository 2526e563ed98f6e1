"""How runs end, and what a delivery's late answer makes of its post and its run."""

from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import record_lost_calls
from core.ai.repositories.provider_faults import FaultRepository
from core.approvals.repositories.approvals import ApprovalRepository
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import AWAITED, BY_HAND, RunState, StepState, given_up
from core.clock import utcnow
from core.database import notify_browsers
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_NETWORK, Conflict, ErrorCode
from core.live import LiveKind
from core.networks.registry import channel
from core.notifications.notifying import About, NotifyingService, of_article
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus, status_of
from core.posts.tables.posts import Post
from core.runs.model_steps import causes_of
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import run_state_of


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


async def tell_how_it_ended(session: AsyncSession, post: Post) -> None:
    """What of it a person should look at. That of before which is so no more is read. Repeatable."""
    unclear = [delivery for delivery in post.deliveries if delivery.state is DeliveryState.unknown]
    failed = post.status is PostStatus.failed and post.acknowledged_at is None
    notifying, about, cause = NotifyingService(session), About(post_id=post.id), f"{post.id}:{post.version}"
    params = {"post_id": str(post.id), "topic": title_of(post)} | of_article(post.article is not None)
    over = []
    if not any(one.state is DeliveryState.held and one.error_code in WAITS_FOR_NETWORK for one in post.deliveries):
        over.append(NotificationKind.post_waits)
    if not unclear:
        over.append(NotificationKind.post_unknown)
    elif user := await notifying.tell(post.user_id, NotificationKind.post_unknown, cause, about):
        networks = sorted({place_of(delivery) for delivery in unclear})
        await notifying.mail(user, MailKind.post_unknown, params | {"networks": networks})
    if not failed:
        over.append(NotificationKind.post_failed)
    elif (user := await notifying.tell(post.user_id, NotificationKind.post_failed, cause, about)) and not (
        (instead := _told_by(post)) and await notifying.at_once(post.user_id, instead)
    ):
        await notifying.mail(user, MailKind.post_failed, params)
    if over:
        await notifying.over(post.user_id, about, *over)


async def tell_that_it_waits(session: AsyncSession, delivery: Delivery) -> None:
    """Tell the owner of a delivery that is held for its network or for this server's settings, once for each time that
    its post was to go out. There is nothing for them to do, so no mail of its own is sent."""
    planned_at = await PostRepository(session).planned_at(delivery.user_id, delivery.post_id)
    cause = f"{delivery.post_id}:{planned_at:%Y%m%dT%H%M}" if planned_at else str(delivery.post_id)
    about = About(post_id=delivery.post_id)
    await NotifyingService(session).tell(delivery.user_id, NotificationKind.post_waits, cause, about)


_ONCE_FOR_ALL: Final = {
    ErrorCode.delivery_needs_reconnect: NotificationKind.account_reconnect,
    ErrorCode.reconnected_too_late: NotificationKind.account_reconnect,
    ErrorCode.subscription_required: NotificationKind.allowance_reached,
}


def _told_by(post: Post) -> NotificationKind | None:
    """What tells of the one thing that it failed for, by a mail of its own, once for all posts."""
    failed = {delivery.error_code for delivery in post.deliveries if delivery.state is DeliveryState.failed}
    return next((kind for code, kind in _ONCE_FOR_ALL.items() if failed == {code}), None)


def place_of(delivery: Delivery) -> str:
    """Where it goes, as a person says it: a network, or a website by its name."""
    return delivery.account.called if delivery.channel.is_site else channel(delivery.channel).label


def title_of(post: Post) -> str:
    """What a person has composed has no topic."""
    return post.topic_title or next(iter(post.content.split("\n", 1)))[:200]


async def _tell_of_run(session: AsyncSession, user_id: UUID, run_id: UUID, code: str) -> None:
    """It came to nothing, and there is no post to look at. What it waited for in vain is told once for all that do."""
    run = await RunRepository(session).get(user_id, run_id)
    if run.assistant_id is None:  # its assistant was deleted meanwhile
        return
    notifying, about = NotifyingService(session), About(assistant_id=run.assistant_id)
    since = await FaultRepository(session).since(code)
    cause = f"{code}:{since.isoformat()}" if since else str(run_id)
    if user := await notifying.tell(user_id, NotificationKind.run_failed, cause, about):
        row = (await AssistantRepository(session).get(user_id, run.assistant_id)).row
        params = {"assistant_id": str(run.assistant_id), "assistant": row.name, "slot": run.slot.isoformat()}
        # one that did not begin makes what its assistant makes
        site = run.stored_setup.get("website_id") if run.stored_setup else row.website_id
        article = of_article(bool(site))
        await notifying.mail(user, MailKind.run_failed, params | article)


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
    # else a person was faster than the workflow of the run that they had ended
    if post and not _is_sent_after_all(post):
        await ApprovalRepository(session).withdraw(user_id, post.id)
        about = About(post_id=post.id)
        await NotifyingService(session).over(user_id, about, NotificationKind.approval_needed)
        for delivery in post.deliveries:
            close(delivery, None, by_hand=code in BY_HAND)
        states = [delivery.state for delivery in post.deliveries]
        if any(found is not DeliveryState.cancelled for found in states):
            post.status, state = status_of(states), run_state_of(states)
        else:
            post.status = PostStatus.failed if state is RunState.failed else PostStatus.draft
        await tell_how_it_ended(session, post)
        await notify_browsers(session, user_id, LiveKind.post, post.id)
    # a lost connection is told of the account, once
    elif post is None and (state is RunState.failed or code in AWAITED - {ErrorCode.delivery_needs_reconnect}):
        await _tell_of_run(session, user_id, run_id, code)
    await runs.set_state(user_id, run_id, state, reason=None if state is RunState.published else code)
    # the run before its calls, as whoever reserves one: another order would be a deadlock
    await record_lost_calls(session, *causes_of(user_id, run_id))
    await notify_browsers(session, user_id, LiveKind.run, run_id)
    return state


def _is_sent_after_all(post: Post) -> bool:
    """Whether it goes out by itself, since the run that made it was ended."""
    return any(one.opened_in_version and one.settled_at is None for one in post.deliveries)


async def cancel_prepared(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> list[str]:
    """No run of the assistant that is not in flight goes out any more. Returns the ids of their workflows, which are to
    be cancelled after the commit; one that does not hear of it finds its deliveries cancelled."""
    cancelled = []
    for run in await RunRepository(session).open_of(user_id, assistant_id):
        if not await is_in_flight(session, user_id, run.id):
            await give_up(session, user_id, run.id, ErrorCode.run_cancelled)
            cancelled.append(run.workflow_id)
    return cancelled


async def must_not_be_armed(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> None:
    """Raises Conflict (run_armed) while one of its runs is."""
    for run in await RunRepository(session).open_of(user_id, assistant_id):
        if await is_in_flight(session, user_id, run.id):
            raise Conflict(ErrorCode.run_armed)


async def is_in_flight(session: AsyncSession, user_id: UUID, run_id: UUID) -> bool:
    """Return whether a delivery of the run is armed, or was called for and has no outcome yet. Locks the deliveries."""
    posts = PostRepository(session)
    post = await posts.of_run(user_id, run_id)
    found = [await posts.delivery(user_id, delivery.id) for delivery in post.deliveries] if post else []
    ended = FINAL | {DeliveryState.unknown}
    return any(
        delivery.state is DeliveryState.publishing or (delivery.called_at is not None and delivery.state not in ended)
        for delivery in found
    )


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
