"""First comments: a workflow of their own after the receipt.

The published post stays as it is, whatever becomes of its comment. The comment has its own fence on the delivery's row:
a call with an unknown outcome is never repeated before the network was asked whether the comment exists. Where the
network takes no comments from the operator's app, its user can copy the comment.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers, wake_reconcile
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.rules.follow_ups import GONE, LEFT_TO_PERSON, FollowUpOutcome, ensure_due, next_attempt
from core.deliveries.tables.deliveries import Delivery
from core.errors import Ambiguous, Conflict, ErrorCode, NeedsReconnect, NotFound, ProviderError, Refused, RetrySafe
from core.live import LiveKind
from core.networks.base import BaseChannel
from core.networks.connections import Credentials
from core.networks.posts import Finding, Receipt
from core.networks.registry import channel
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.outgoing.exchanges import record_exchanges
from core.posts.changes import save_unsynced_change
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import WAITS_FOR_PERSON, CommentAnswer, CommentState
from core.posts.tables.posts import Post
from core.runs.outcomes import post_title
from core.social_accounts.comment_access import comment_refusal
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.reconnecting import handle_access_refused
from core.texts.rules.texts import normal

logger = logging.getLogger(__name__)

_CALL_TIMEOUT: Final = timedelta(seconds=40)
_LEASE: Final = timedelta(seconds=60)
"""How long an attempt owns the comment; longer than its call may take."""
_MAX_ATTEMPTS: Final = 10
"""Over about three hours; then a person is notified, and may ask for more."""


@dataclass(frozen=True)
class _Job:
    network: BaseChannel
    credentials: Credentials
    token_id: UUID | None
    provider_id: str
    text: str
    called_at: datetime | None
    """Time of an earlier call with an unknown outcome."""
    fenced_at: datetime
    """The fence of that call, or of this attempt's own."""


@dataclass(frozen=True)
class FirstCommentService:
    sessions: Sessions
    connecting: ConnectingService

    async def publish_comment(
        self, user_id: UUID, post_id: UUID, delivery_id: UUID, pause: timedelta
    ) -> FollowUpOutcome:
        """Look up the outcome of an earlier call, or call once, and save the result.

        Return the state of the comment; `waiting` where the network says that it does not exist, so that it can be
        published at once. Raises NotFound, and ProviderError to be retried after its `retry_after`, which is at least
        `pause`.
        """
        job = await self._claim(user_id, post_id, delivery_id)
        if isinstance(job, FollowUpOutcome):
            return job
        step = DeliveryStep.look_up_comment if job.called_at else DeliveryStep.comment
        with record_exchanges() as exchanges:
            try:
                finding = await _look_up(job, job.called_at) if job.called_at else Finding(await _call(job))
            except ProviderError as error:
                # a failed look-up leaves the earlier call in doubt
                in_doubt = job.called_at is not None or isinstance(error, Ambiguous)
                return await self._failed(job, (user_id, post_id, delivery_id), error, step, exchanges, pause, in_doubt)
        async with self.sessions.begin() as session:
            post, delivery = await _lock_with_post(session, user_id, post_id, delivery_id)
            log = DeliveryLogRepository(session)
            await log.add_step(delivery, delivery.comment_attempts, step, _log_decision(finding), exchanges)
            if finding.receipt:
                await _settle(session, post, delivery, finding.receipt.provider_id)
            elif _is_overtaken(job, delivery):
                pass  # the fence is not ours to touch
            elif finding.absent:  # the next attempt calls
                delivery.comment_called_at, delivery.comment_due_at = None, utcnow()
            else:
                await _give_up(session, post, delivery, Ambiguous(ErrorCode.comment_unknown))
            return _outcome(delivery)

    async def resolve_comment(self, user_id: UUID, post_id: UUID, delivery_id: UUID, answer: CommentAnswer) -> None:
        """Apply a person's answer about a comment that failed, is unknown or was left to them. Raises NotFound,
        Conflict (post_not_editable) where the comment waits for nobody."""
        async with self.sessions.begin() as session:
            post, delivery = await _lock_with_post(session, user_id, post_id, delivery_id, deleted=False)
            if delivery.comment not in WAITS_FOR_PERSON and not delivery.comment_is_left:
                raise Conflict(ErrorCode.post_not_editable, state=delivery.comment or "none")
            if answer is CommentAnswer.there:
                await _settle(session, post, delivery, None)
                return
            delivery.account.comments_refused_at = None  # the person may have got the role by now
            delivery.comment, delivery.comment_due_at = CommentState.waiting, utcnow()
            delivery.comment_attempts, delivery.comment_called_at = 0, None
            delivery.comment_error_code = delivery.comment_error_detail = None
            await _resolve_notification(session, post)
            await save_unsynced_change(session, post)
            await wake_reconcile(session)

    async def _claim(self, user_id: UUID, post_id: UUID, delivery_id: UUID) -> _Job | FollowUpOutcome:
        """Set the fence unless an earlier call has set it. Return the outcome if nothing is to be done, or if no
        comment can be published there any more. Raises RetrySafe while an earlier attempt may still be running."""
        async with self.sessions.begin() as session:
            post, delivery = await _lock_with_post(session, user_id, post_id, delivery_id)
            if delivery.comment is not CommentState.waiting:
                return _outcome(delivery)
            if delivery.comment_due_at is None:  # its user is being deleted
                return GONE
            ensure_due(delivery.comment_due_at, utcnow())
            network = channel(delivery.channel)
            if delivery.comment_called_at is None and (refusal := comment_refusal(network, delivery.account)):
                return await _leave_to_person(session, post, delivery, refusal.code)
            is_published = delivery.provider_id is not None and delivery.removal is None
            if not is_published or delivery.account.disconnected_at is not None:
                await _give_up(session, post, delivery, Refused(ErrorCode.comment_not_possible))
                return _outcome(delivery)
            assert delivery.provider_id is not None
            delivery.comment_attempts += 1
            delivery.comment_due_at = utcnow() + _LEASE
            called_at = delivery.comment_called_at
            delivery.comment_called_at = fenced_at = called_at or utcnow()
            try:
                to = self.connecting.credentials(delivery.account)
            except ValueError:  # the secret key was lost
                delivery.comment_called_at = called_at
                await _give_up(session, post, delivery, NeedsReconnect(detail="the token cannot be decrypted"))
                return _outcome(delivery)
            text, token_id = normal(post.first_comment), delivery.account.token_id
            return _Job(network, to, token_id, delivery.provider_id, text, called_at, fenced_at)

    async def _failed(
        self,
        job: _Job,
        ids: tuple[UUID, UUID, UUID],
        error: ProviderError,
        step: DeliveryStep,
        exchanges: Sequence[dict[str, Any]],
        pause: timedelta,
        in_doubt: bool,
    ) -> FollowUpOutcome:
        """Give up, or raise a retryable error until there were enough attempts. `in_doubt`: the comment may exist."""
        async with self.sessions.begin() as session:
            post, delivery = await _lock_with_post(session, *ids)
            if isinstance(error, NeedsReconnect):
                wait = await handle_access_refused(session, delivery.account, error, by=job.token_id)
                error = RetrySafe(ErrorCode.access_renewing, retry_after=wait) if wait else error
            if _is_overtaken(job, delivery):
                return _outcome(delivery)  # the fence is not ours to touch
            if not in_doubt:
                delivery.comment_called_at = None
            log = DeliveryLogRepository(session)
            if error.code is ErrorCode.comment_not_allowed and job.network.traits.comment_permission:
                await log.add_step(
                    delivery, delivery.comment_attempts, step, DeliveryDecision.failed, exchanges, error.code
                )
                delivery.account.comments_refused_at = utcnow()
                await notify_browsers(session, post.user_id, LiveKind.account, delivery.account_id)
                return await _leave_to_person(session, post, delivery, ErrorCode.first_comment_refused)
            if not error.retryable or delivery.comment_attempts >= _MAX_ATTEMPTS:
                decision = DeliveryDecision.unknown if in_doubt else DeliveryDecision.failed
                await log.add_step(delivery, delivery.comment_attempts, step, decision, exchanges, error.code)
                await _give_up(session, post, delivery, error)
                return _outcome(delivery)
            decision = DeliveryDecision.look_up if in_doubt else DeliveryDecision.again
            await log.add_step(delivery, delivery.comment_attempts, step, decision, exchanges, error.code)
            delivery.comment_error_code, delivery.comment_error_detail = error.code, error.detail or None
            delivery.comment_due_at = next_attempt(error, pause, utcnow())
            await save_unsynced_change(session, post)
        logger.warning("first comment of delivery %s failed: %s", delivery.id, error.code)
        raise error


async def _leave_to_person(session: AsyncSession, post: Post, delivery: Delivery, reason: ErrorCode) -> FollowUpOutcome:
    """Leave the comment, which the network does not take from this app, to its user, who can copy it. That is no
    failure: nobody is notified."""
    delivery.comment, delivery.comment_due_at = None, None
    delivery.comment_error_code, delivery.comment_error_detail = reason, None
    await _resolve_notification(session, post)
    await save_unsynced_change(session, post)
    return FollowUpOutcome(LEFT_TO_PERSON, reason)


def _outcome(delivery: Delivery) -> FollowUpOutcome:
    """`gone` where the post was published without a comment."""
    if delivery.comment is None:
        return GONE
    gave_up = delivery.comment in WAITS_FOR_PERSON
    return FollowUpOutcome(delivery.comment, delivery.comment_error_code or "" if gave_up else "")


def _is_overtaken(job: _Job, delivery: Delivery) -> bool:
    """Return whether another attempt has settled the comment or called since this one began."""
    return delivery.comment is not CommentState.waiting or delivery.comment_called_at != job.fenced_at


def _log_decision(finding: Finding) -> DeliveryDecision:
    if finding.receipt:
        return DeliveryDecision.done
    return DeliveryDecision.absent if finding.absent else DeliveryDecision.unknown


async def _call(job: _Job) -> Receipt:
    """Publish the comment. Raises ProviderError; Ambiguous where the comment may exist."""
    try:
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            return await job.network.comment(job.credentials, job.provider_id, job.text)
    except Refused as refusal:
        if refusal.code is not ErrorCode.delivery_refused:
            raise
        raise Refused(ErrorCode.comment_refused, detail=refusal.detail) from refusal
    except TimeoutError as late:
        raise Ambiguous(detail="no answer in time") from late


async def _look_up(job: _Job, since: datetime) -> Finding:
    """Ask the network whether the comment exists. Raises ProviderError."""
    try:
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            return await job.network.find_comment(job.credentials, job.provider_id, job.text, since=since)
    except TimeoutError as late:
        raise RetrySafe(detail="no answer in time") from late


async def _settle(session: AsyncSession, post: Post, delivery: Delivery, comment_id: str | None) -> None:
    delivery.comment, delivery.comment_id, delivery.comment_due_at = CommentState.published, comment_id, None
    delivery.comment_error_code = delivery.comment_error_detail = None
    await _resolve_notification(session, post)
    await save_unsynced_change(session, post)


async def _resolve_notification(session: AsyncSession, post: Post) -> None:
    """Mark the notification as read, unless another comment of the post waits for a person."""
    if not any(delivery.comment in WAITS_FOR_PERSON for delivery in post.deliveries):
        await NotifyingService(session).resolve(post.user_id, About(post_id=post.id), NotificationKind.comment_failed)


async def _give_up(session: AsyncSession, post: Post, delivery: Delivery, error: ProviderError) -> None:
    """Mark the comment as failed or unknown, and notify the user once per request of theirs."""
    in_doubt = delivery.comment_called_at is not None
    delivery.comment, delivery.comment_due_at = CommentState.unknown if in_doubt else CommentState.failed, None
    delivery.comment_error_code, delivery.comment_error_detail = error.code, error.detail or None
    logger.warning("first comment of delivery %s is %s: %s", delivery.id, delivery.comment, error.code)
    if post.deleted_at is None:  # a deleted post has no page to link to
        post.acknowledged_at = None
        notifying, cause = NotifyingService(session), f"{delivery.id}:{post.version}"
        user = await notifying.notify(post.user_id, NotificationKind.comment_failed, cause, About(post_id=post.id))
        # a lost login is announced by the account's own mail
        has_account_mail = isinstance(error, NeedsReconnect) and await notifying.wants_mail_now(
            post.user_id, NotificationKind.account_reconnect
        )
        if user and not has_account_mail:
            network = channel(delivery.channel).label
            params = {"post_id": str(post.id), "topic": post_title(post), "networks": [network]}
            await notifying.enqueue_mail(user, MailKind.comment_failed, params)
    await save_unsynced_change(session, post)


async def _lock_with_post(
    session: AsyncSession, user_id: UUID, post_id: UUID, delivery_id: UUID, *, deleted: bool = True
) -> tuple[Post, Delivery]:
    """Return both, locked. Raises NotFound, also for a delivery of another post."""
    post = await PostRepository(session).lock_with_deliveries(user_id, post_id, deleted=deleted)
    match = next((delivery for delivery in post.deliveries if delivery.id == delivery_id), None)
    if match is None:
        raise NotFound(what="delivery", id=str(delivery_id))
    return post, match
