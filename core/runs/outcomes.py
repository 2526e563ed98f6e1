"""How runs end, and how late outcomes of deliveries change their post and run."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import record_lost_calls
from core.ai.repositories.provider_faults import FaultRepository
from core.approvals.repositories.approvals import ApprovalRepository
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import AWAITED, BY_HAND, RunState, StepState, unpublished_state
from core.clock import utcnow
from core.database import notify_browsers
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_NETWORK, Conflict, ErrorCode
from core.live import LiveKind
from core.networks.registry import channel
from core.notifications.notifying import About, NotifyingService, article_params
from core.notifications.rules import MailKind, NotificationKind
from core.posts.changes import open_run_workflow
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus, status_of
from core.posts.tables.posts import Post
from core.runs.model_steps import model_causes
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import run_state_of


async def update_from_deliveries(session: AsyncSession, user_id: UUID, post_id: UUID) -> Post:
    """Set the status of the post, and of its run if that has ended, from the deliveries. Return the post, locked: of
    two transactions that change a delivery each, the second one sees what the first one has saved."""
    posts, runs = PostRepository(session), RunRepository(session)
    post = await posts.lock(user_id, post_id, deleted=True)
    states = [delivery.state for delivery in post.deliveries]
    if post.run_id is None:
        post.status = status_of(states)
        return post
    run = await runs.get(user_id, post.run_id)
    # an open run sets its state itself when it ends
    if run.finished_at is not None or all(state in FINAL for state in states):
        post.status = status_of(states)
        reason = next((delivery.error_code for delivery in post.deliveries if delivery.error_code), None)
        await runs.set_state(user_id, run.id, run_state_of(states), reason=reason)
        await notify_browsers(session, user_id, LiveKind.run, run.id)
    return post


async def notify_outcome(session: AsyncSession, post: Post) -> None:
    """Create notifications of failed and unknown deliveries, and mark outdated ones as read. Idempotent."""
    unclear = [delivery for delivery in post.deliveries if delivery.state is DeliveryState.unknown]
    failed = post.status is PostStatus.failed and post.acknowledged_at is None
    notifying, about, cause = NotifyingService(session), About(post_id=post.id), f"{post.id}:{post.version}"
    params: dict[str, Any] = {"post_id": str(post.id), "topic": post_title(post)}
    params |= article_params(post.article is not None)
    outdated = []
    if not any(
        delivery.state is DeliveryState.held and delivery.error_code in WAITS_FOR_NETWORK
        for delivery in post.deliveries
    ):
        outdated.append(NotificationKind.post_waits)
    if not unclear:
        outdated.append(NotificationKind.post_unknown)
    elif user := await notifying.notify(post.user_id, NotificationKind.post_unknown, cause, about):
        await notifying.enqueue_mail(user, MailKind.post_unknown, params | {"networks": _destinations(unclear)})
    if not failed:
        outdated.append(NotificationKind.post_failed)
    elif (user := await notifying.notify(post.user_id, NotificationKind.post_failed, cause, about)) and not (
        (instead := _notification_instead(post)) and await notifying.wants_mail_now(post.user_id, instead)
    ):
        of_state = {
            state: _destinations(row for row in post.deliveries if row.state is state and row.removed_at is None)
            for state in (DeliveryState.failed, DeliveryState.published)
        }
        params |= {"networks": of_state[DeliveryState.failed], "published": of_state[DeliveryState.published]}
        await notifying.enqueue_mail(user, MailKind.post_failed, params)
    if outdated:
        await notifying.resolve(post.user_id, about, *outdated)


async def notify_waiting(session: AsyncSession, delivery: Delivery) -> None:
    """Notify the owner that a delivery is held for its network or this server's settings, once per planned time. There
    is nothing for them to do, so no mail is sent."""
    planned_at = await PostRepository(session).planned_at(delivery.user_id, delivery.post_id)
    cause = f"{delivery.post_id}:{planned_at:%Y%m%dT%H%M}" if planned_at else str(delivery.post_id)
    about = About(post_id=delivery.post_id)
    await NotifyingService(session).notify(delivery.user_id, NotificationKind.post_waits, cause, about)


_COVERED_BY: Final = {
    ErrorCode.delivery_needs_reconnect: NotificationKind.account_reconnect,
    ErrorCode.reconnected_too_late: NotificationKind.account_reconnect,
    ErrorCode.subscription_required: NotificationKind.allowance_reached,
}


def _notification_instead(post: Post) -> NotificationKind | None:
    """Return the kind of notification that covers this failure for all posts with one mail of its own, if there is
    one."""
    failed = {delivery.error_code for delivery in post.deliveries if delivery.state is DeliveryState.failed}
    return next((kind for code, kind in _COVERED_BY.items() if failed == {code}), None)


def _destinations(deliveries: Iterable[Delivery]) -> list[str]:
    return sorted({destination_name(delivery) for delivery in deliveries})


def destination_name(delivery: Delivery) -> str:
    """Return the name of the network, or of the website."""
    return delivery.account.called if delivery.channel.is_site else channel(delivery.channel).label


def post_title(post: Post) -> str:
    """Return the topic, or the first line of a post that has none."""
    return post.topic_title or next(iter(post.content.split("\n", 1)))[:200]


async def _notify_run_failed(session: AsyncSession, user_id: UUID, run_id: UUID, code: str) -> None:
    """Notify the owner of a run that ended without a post. A standing fault is notified once for all runs that it
    stops."""
    runs = RunRepository(session)
    assistant_id = await runs.assistant_id(user_id, run_id)
    if assistant_id is None:  # its assistant was deleted, perhaps before the run's row was there
        return
    run = await runs.get(user_id, run_id)
    notifying, about = NotifyingService(session), About(assistant_id=assistant_id)
    since = await FaultRepository(session).since(code)
    cause = f"{code}:{since.isoformat()}" if since else str(run_id)
    if user := await notifying.notify(user_id, NotificationKind.run_failed, cause, about):
        row = (await AssistantRepository(session).get(user_id, assistant_id)).row
        params = {"assistant_id": str(assistant_id), "assistant": row.name, "slot": run.slot.isoformat()}
        # a run without a topic has no set-up of its own
        site = run.stored_setup.get("website_id") if run.stored_setup else row.website_id
        article = article_params(bool(site))
        await notifying.enqueue_mail(user, MailKind.run_failed, params | article)


async def end_unpublished(session: AsyncSession, user_id: UUID, run_id: UUID, code: str) -> RunState:
    """End the run for the reason `code`. Return its state: missed if it was too late, skipped if it may not spend more
    or a person ended it, else failed, or what an earlier call of a delivery led to.

    The reason of a run that a person has ended stays, and so does that of a run that was closed before its workflow
    stopped.
    """
    runs, posts = RunRepository(session), PostRepository(session)
    # lock in the order in which arming locks: another order would deadlock
    post = await posts.lock_by_run(user_id, run_id)
    already = await runs.missed_reason(user_id, run_id)
    if already and (already in BY_HAND or code == ErrorCode.run_cancelled):
        code = already
    state = unpublished_state(code)
    for step in await runs.lock_active_steps(user_id, run_id):
        step.state, step.finished_at, step.facts = StepState.failed, utcnow(), {"code": code}
    # else a person has sent the post themselves since they ended the run
    if post and not _was_sent_by_person(post):
        # after the end, the time is one that a person has given the draft
        if post.approval and post.approval.sets_time and not post.pinned and await open_run_workflow(session, post):
            post.planned_at = None  # there is nothing to answer any more
        await ApprovalRepository(session).withdraw(user_id, post.id)
        about = About(post_id=post.id)
        await NotifyingService(session).resolve(user_id, about, NotificationKind.approval_needed)
        for delivery in post.deliveries:
            close_delivery(delivery, None, by_hand=code in BY_HAND)
        states = [delivery.state for delivery in post.deliveries]
        if any(state is not DeliveryState.cancelled for state in states):
            post.status, state = status_of(states), run_state_of(states)
        else:
            post.status = PostStatus.failed if state is RunState.failed else PostStatus.draft
        await notify_outcome(session, post)
        await notify_browsers(session, user_id, LiveKind.post, post.id)
    # a lost connection has one notification per account
    elif post is None and (state is RunState.failed or code in AWAITED - {ErrorCode.delivery_needs_reconnect}):
        await _notify_run_failed(session, user_id, run_id, code)
    await runs.set_state(user_id, run_id, state, reason=None if state is RunState.published else code)
    # lock the run before its calls, as reserving a call does: another order would deadlock
    await record_lost_calls(session, *model_causes(user_id, run_id))
    await notify_browsers(session, user_id, LiveKind.run, run_id)
    return state


def _was_sent_by_person(post: Post) -> bool:
    """Return whether a person has sent the post after its run was ended, and it is not settled yet."""
    return any(delivery.opened_in_version and delivery.settled_at is None for delivery in post.deliveries)


async def cancel_prepared(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> list[str]:
    """End all runs of the assistant that are not in flight. Return the ids of their workflows, to be cancelled after
    the commit; a workflow that misses it finds its deliveries cancelled."""
    cancelled = []
    for run in await RunRepository(session).lock_open(user_id, assistant_id):
        # the post of an ended run is on its way because a person has sent it
        if run.is_open and not await is_in_flight(session, user_id, run.id):
            await end_unpublished(session, user_id, run.id, ErrorCode.run_cancelled)
            cancelled.append(run.workflow_id)
    return cancelled


async def ensure_no_run_in_flight(session: AsyncSession, user_id: UUID, assistant_id: UUID) -> None:
    """Raises Conflict (run_armed) while a run of the assistant is in flight."""
    for run in await RunRepository(session).lock_open(user_id, assistant_id):
        if await is_in_flight(session, user_id, run.id):
            raise Conflict(ErrorCode.run_armed)


async def is_in_flight(session: AsyncSession, user_id: UUID, run_id: UUID) -> bool:
    """Return whether a delivery of the run is armed, or was called for and has no outcome yet. Locks the deliveries."""
    posts = PostRepository(session)
    post = await posts.find_by_run(user_id, run_id)
    locked = [await posts.lock_delivery(user_id, delivery.id) for delivery in post.deliveries] if post else []
    ended = FINAL | {DeliveryState.unknown}
    return any(
        delivery.state is DeliveryState.publishing or (delivery.called_at is not None and delivery.state not in ended)
        for delivery in locked
    )


def unfinished_code(post: Post) -> ErrorCode:
    """Return why a delivery is closed whose workflow ends without its outcome: before its time it was not missed, but a
    step has failed."""
    is_early = post.planned_at is not None and utcnow() < post.planned_at
    return ErrorCode.internal if is_early else ErrorCode.missed_outage


def close_delivery(delivery: Delivery, code: ErrorCode | None, *, by_hand: bool = False) -> None:
    """Close a delivery that no workflow continues. After a call it may have been published, so it becomes unknown."""
    if delivery.state in FINAL or delivery.state is DeliveryState.unknown:
        return
    if delivery.called_at is not None:
        was_restored = delivery.error_code == ErrorCode.restored_from_backup
        delivery.state = DeliveryState.unknown
        delivery.error_code = ErrorCode.restored_from_backup if was_restored else ErrorCode.delivery_unknown
    elif (delivery.error_code or code is ErrorCode.internal) and not by_hand:
        # its last attempt gave a reason, and no further one came in time; or a defect ended it
        delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
        delivery.error_code = delivery.error_code or code
    else:
        delivery.state, delivery.error_code, delivery.settled_at = DeliveryState.cancelled, code, utcnow()
