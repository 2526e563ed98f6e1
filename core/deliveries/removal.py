"""Delete published posts at their networks: requested in the delivery's row, carried out by a workflow.

Deleting twice has the effect of deleting once, so there is no fence: an attempt that died is repeated.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, wake_reconcile
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.rules.follow_ups import GONE, FollowUpOutcome, ensure_due, next_attempt
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    Conflict,
    ErrorCode,
    FieldError,
    InvalidInput,
    NeedsReconnect,
    NotFound,
    ProviderError,
    Refused,
    RetrySafe,
)
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.notifications.notifying import About, NotifyingService, article_params
from core.notifications.rules import MailKind, NotificationKind
from core.outgoing.exchanges import record_exchanges
from core.posts.changes import open_run_workflow, save_unsynced_change
from core.posts.recipients import is_armed
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus, Removable, RemovalState, RevisionState, status_of
from core.posts.tables.posts import Post
from core.runs.outcomes import destination_name, post_title
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.reconnecting import handle_access_refused

logger = logging.getLogger(__name__)

_CALL_TIMEOUT: Final = timedelta(seconds=40)
_LEASE: Final = timedelta(seconds=60)
"""How long an attempt owns the removal; longer than its call may take."""
_MAX_ATTEMPTS: Final = 10
"""Over about three hours; then a person is notified, and may ask for more."""
_STILL_THERE_KINDS: Final = (NotificationKind.removal_failed, NotificationKind.takedown_failed)
"""Notifications of a post and of an article that could not be deleted."""


def removable(delivery: Delivery) -> Removable:
    """Return whether the delivery can be deleted at its network. Only what this app has published can, by the id that
    the network gave it."""
    if delivery.state is not DeliveryState.published or delivery.removal is RemovalState.removed:
        return Removable.not_there
    if not supports(channel(ChannelKind(delivery.channel)), BaseChannel.delete):
        return Removable.not_by_api
    if delivery.provider_id is None:
        return Removable.unnamed
    if delivery.account.disconnected_at is not None:
        return Removable.disconnected
    return Removable.yes


async def ensure_settled(session: AsyncSession, post: Post) -> None:
    """Raises Conflict (post_unclear, post_going_out, post_on_its_way) unless all deliveries are final: what may still
    go out has to be stopped first, and a person has to decide unknown ones."""
    if {delivery.state for delivery in post.deliveries} - FINAL == {DeliveryState.unknown}:
        raise Conflict(ErrorCode.post_unclear)
    if is_armed(post.deliveries):
        raise Conflict(ErrorCode.post_going_out)
    waits = any(delivery.state not in FINAL for delivery in post.deliveries)
    if post.status is PostStatus.complete or waits or await open_run_workflow(session, post):
        raise Conflict(ErrorCode.post_on_its_way)


@dataclass(frozen=True)
class RemovalService:
    sessions: Sessions
    connecting: ConnectingService

    async def request_removal(
        self, user_id: UUID, post_id: UUID, delivery_ids: Collection[UUID], *, here: bool
    ) -> None:
        """Request the deletion of these deliveries at their networks, and with `here` of the post once all are deleted
        there. Failed removals are tried anew.

        Raises Conflict as `ensure_settled`, and article_busy while a change of the article is under way; NotFound for a
        delivery of another post; InvalidInput (removal_not_possible) with the reason of each.
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
            if here:
                await ensure_settled(session, post)
            theirs = {delivery.id: delivery for delivery in post.deliveries}
            if strange := [delivery_id for delivery_id in delivery_ids if delivery_id not in theirs]:
                raise NotFound(what="delivery", id=str(strange[0]))
            chosen = [theirs[delivery_id] for delivery_id in delivery_ids]
            problems = [
                FieldError(f"delivery_ids.{at}", ErrorCode.removal_not_possible, reason=reason)
                for at, delivery in enumerate(chosen)
                if (reason := removable(delivery)) is not Removable.yes
            ]
            if problems:
                raise InvalidInput(ErrorCode.removal_not_possible, errors=problems)
            if any(delivery.revision is RevisionState.waiting for delivery in chosen):
                raise Conflict(ErrorCode.article_busy)
            for delivery in chosen:
                if delivery.removal is RemovalState.waiting:
                    continue
                delivery.removal, delivery.removal_due_at = RemovalState.waiting, utcnow()
                delivery.removal_attempts = 0
                delivery.removal_error_code = delivery.removal_error_detail = None
            post.pending_deletion = here
            await NotifyingService(session).resolve(user_id, About(post_id=post.id), *_STILL_THERE_KINDS)
            await save_unsynced_change(session, post)
            await wake_reconcile(session)

    async def attempt_removal(
        self, user_id: UUID, post_id: UUID, delivery_id: UUID, pause: timedelta
    ) -> FollowUpOutcome:
        """Ask the network once to delete the post, and save the answer. Return the state of the removal.

        Raises NotFound, and ProviderError to be retried after its `retry_after`, which is at least `pause`.
        """
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if delivery.removal is not RemovalState.waiting:
                return _outcome(delivery)
            if delivery.removal_due_at is None:  # its user is being deleted
                return GONE
            ensure_due(delivery.removal_due_at, utcnow())
            delivery.removal_attempts += 1
            delivery.removal_due_at = utcnow() + _LEASE
        with record_exchanges() as exchanges:
            try:
                await self._delete(delivery)
            except ProviderError as error:
                return await self._handle_failure(user_id, post_id, delivery, error, exchanges, pause)
            except TimeoutError:
                late = RetrySafe(detail="no answer in time")
                return await self._handle_failure(user_id, post_id, delivery, late, exchanges, pause)
        async with self.sessions.begin() as session:
            post, delivery = await lock_with_post(session, user_id, post_id, delivery_id)
            delivery.removal, delivery.removed_at, delivery.removal_due_at = RemovalState.removed, utcnow(), None
            delivery.removal_error_code = delivery.removal_error_detail = None
            log = DeliveryLogRepository(session)
            await log.add_step(
                delivery, delivery.removal_attempts, DeliveryStep.remove, DeliveryDecision.done, exchanges
            )
            still_there = {RemovalState.waiting, RemovalState.failed}
            if not any(delivery.removal is RemovalState.failed for delivery in post.deliveries):
                kinds = (*_STILL_THERE_KINDS, NotificationKind.update_failed)
                await NotifyingService(session).resolve(user_id, About(post_id=post.id), *kinds)
            if post.pending_deletion and not any(delivery.removal in still_there for delivery in post.deliveries):
                post.deleted_at, post.pending_deletion = utcnow(), False
            if post.article is not None and not post.pending_deletion:
                reset_to_draft(post, delivery)
            await save_unsynced_change(session, post)
            return _outcome(delivery)

    async def _delete(self, delivery: Delivery) -> None:
        """Make the call. Raises ProviderError, TimeoutError."""
        if removable(delivery) is not Removable.yes or delivery.provider_id is None:
            raise Refused(ErrorCode.removal_not_possible)
        try:
            to = self.connecting.credentials(delivery.account)
        except ValueError as error:  # the secret key was lost
            raise NeedsReconnect(detail="the token cannot be decrypted") from error
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            await channel(ChannelKind(delivery.channel)).delete(to, delivery.provider_id)

    async def _handle_failure(
        self,
        user_id: UUID,
        post_id: UUID,
        attempted: Delivery,
        error: ProviderError,
        exchanges: Sequence[dict[str, Any]],
        pause: timedelta,
    ) -> FollowUpOutcome:
        """Give up, or raise a retryable error until there were enough attempts."""
        async with self.sessions.begin() as session:
            post, delivery = await lock_with_post(session, user_id, post_id, attempted.id)
            if isinstance(error, NeedsReconnect):
                wait = await handle_access_refused(session, delivery.account, error, by=attempted.account.token_id)
                error = RetrySafe(ErrorCode.access_renewing, retry_after=wait) if wait else error
            delivery.removal_error_code, delivery.removal_error_detail = error.code, error.detail or None
            again = error.retryable and delivery.removal_attempts < _MAX_ATTEMPTS
            decision = DeliveryDecision.again if again else DeliveryDecision.failed
            log = DeliveryLogRepository(session)
            await log.add_step(
                delivery, delivery.removal_attempts, DeliveryStep.remove, decision, exchanges, error.code
            )
            if again:
                delivery.removal_due_at = next_attempt(error, pause, utcnow())
            else:
                delivery.removal, delivery.removal_due_at = RemovalState.failed, None
                post.acknowledged_at = None
                kind = NotificationKind.takedown_failed if post.article else NotificationKind.removal_failed
                await notify_change_failed(session, post, delivery, kind, error)
            await save_unsynced_change(session, post)
        logger.warning("delivery %s could not be deleted at its network: %s", attempted.id, error.code)
        if again:
            raise error
        return _outcome(delivery)


def _outcome(delivery: Delivery) -> FollowUpOutcome:
    if delivery.removal is None:
        return GONE
    failed = delivery.removal is RemovalState.failed
    return FollowUpOutcome(delivery.removal, delivery.removal_error_code or "" if failed else "")


def reset_to_draft(post: Post, delivery: Delivery) -> None:
    """Make an article that was deleted at its site a draft again, with its latest text. Published again, it is a new
    article there."""
    delivery.state, delivery.called_at, delivery.attempt = DeliveryState.cancelled, None, None
    delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
    delivery.revision = delivery.revision_due_at = delivery.revision_called_at = None
    delivery.revision_error_code = delivery.revision_error_detail = None
    delivery.revision_attempts = 0
    post.status = status_of([delivery.state for delivery in post.deliveries])
    post.planned_at, post.pinned, post.at_site = None, False, None


async def notify_change_failed(
    session: AsyncSession, post: Post, delivery: Delivery, kind: NotificationKind, error: ProviderError
) -> None:
    """Notify the user once per request that a removal or an update at the network failed."""
    if post.deleted_at is not None:  # a deleted post has no page to link to
        return
    notifying, cause = NotifyingService(session), f"{delivery.id}:{post.version}"
    user = await notifying.notify(post.user_id, kind, cause, About(post_id=post.id))
    # a lost login is announced by the account's own mail
    has_account_mail = isinstance(error, NeedsReconnect) and await notifying.wants_mail_now(
        post.user_id, NotificationKind.account_reconnect
    )
    if user and not has_account_mail:
        params = {"post_id": str(post.id), "topic": post_title(post), "networks": [destination_name(delivery)]}
        await notifying.enqueue_mail(user, MailKind(kind.value), params | article_params(post.article is not None))


async def lock_with_post(
    session: AsyncSession, user_id: UUID, post_id: UUID, delivery_id: UUID
) -> tuple[Post, Delivery]:
    """Return both, locked; also of a deleted post, which may still exist at its network. Raises NotFound."""
    post = await PostRepository(session).lock_with_deliveries(user_id, post_id, deleted=True)
    match = next((delivery for delivery in post.deliveries if delivery.id == delivery_id), None)
    if match is None:
        raise NotFound(what="delivery", id=str(delivery_id))
    return post, match
