"""Updates of a published article at its site: requested in the delivery's row, carried out by a workflow.

A site gets the whole article each time, so an attempt that died is simply repeated. While an update is pending, the
article cannot be changed: the site gets what was shown when the update was requested.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.drafts import ensure_not_busy, published_delivery, restore_published
from core.clock import utcnow
from core.database import Sessions, wake_reconcile
from core.deliveries.jobs import DeliveryJobs, translate_file_errors
from core.deliveries.removal import RemovalService, lock_with_post, notify_change_failed
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.rules.follow_ups import GONE, FollowUpOutcome, ensure_due, next_attempt
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode, InvalidInput, NeedsReconnect, NotFound, ProviderError, Refused, RetrySafe
from core.networks.base import BaseChannel, supports
from core.networks.posts import Receipt
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.outgoing.exchanges import record_exchanges
from core.posts.changes import save_unsynced_change
from core.posts.fitting import broken_rules, own_hash, post_hash
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import RevisionState
from core.posts.tables.posts import Post
from core.social_accounts.reconnecting import handle_access_refused
from core.websites.taxonomy import unknown_categories

logger = logging.getLogger(__name__)

_CALL: Final = timedelta(minutes=3)
"""With images; those that an earlier attempt uploaded are found by their names."""
_TAKEN: Final = _CALL + timedelta(seconds=20)
"""No other attempt starts for as long."""
_TRIES: Final = 6
"""Within some five minutes: somebody waits for it, and may request it again."""
_UPDATED: Final = FollowUpOutcome("updated")


@dataclass(frozen=True)
class RevisionService:
    sessions: Sessions
    jobs: DeliveryJobs
    removals: RemovalService

    async def request_update(self, user_id: UUID, article_id: UUID, version: int) -> None:
        """Request the update of the published article to this version."""
        async with self.sessions.begin() as session:
            post, delivery = await _lock_published(session, user_id, article_id, version)
            if delivery.account.disconnected_at is not None:
                raise InvalidInput(ErrorCode.account_disconnected)
            site = channel(ChannelKind(delivery.channel))
            if delivery.provider_id is None or not supports(site, BaseChannel.update):
                raise Conflict(ErrorCode.update_not_possible)
            if problems := [*broken_rules(post, [delivery.account]), *await unknown_categories(session, post)]:
                raise InvalidInput(problems[0].code, errors=problems)
            delivery.revision, delivery.revision_due_at, delivery.revision_attempts = RevisionState.waiting, utcnow(), 0
            delivery.revision_error_code = delivery.revision_error_detail = None
            await _resolve_notifications(session, post)
            await save_unsynced_change(session, post)
            await wake_reconcile(session)

    async def discard_changes(self, user_id: UUID, article_id: UUID, version: int) -> None:
        """Restore the published version. Raises as `request_update`."""
        async with self.sessions.begin() as session:
            post, delivery = await _lock_published(session, user_id, article_id, version)
            if post.at_site is None:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            await restore_published(session, post)
            post.content_hash = post_hash(post, [delivery.account])
            delivery.revision = delivery.revision_error_code = delivery.revision_error_detail = None
            await _resolve_notifications(session, post)
            await save_unsynced_change(session, post)

    async def request_takedown(self, user_id: UUID, article_id: UUID, version: int) -> None:
        """Request the article's deletion at its site; it stays here. Raises as `request_update`, and as
        `RemovalService.request_removal`."""
        async with self.sessions.begin() as session:
            _, delivery = await _lock_published(session, user_id, article_id, version)
        # a change in between makes no difference to a removal
        await self.removals.request_removal(user_id, article_id, [delivery.id], here=False)

    async def attempt_update(
        self, user_id: UUID, article_id: UUID, delivery_id: UUID, pause: timedelta
    ) -> FollowUpOutcome:
        """Call the site once and save the outcome. Return `updated` if the site shows the article as it is here.

        Raises NotFound, and ProviderError, to be retried after its `retry_after`, which is at least `pause`.
        """
        async with self.sessions.begin() as session:
            post, delivery = await lock_with_post(session, user_id, article_id, delivery_id)
            if delivery.revision is RevisionState.failed:
                return _failed(delivery)
            if delivery.revision is None or delivery.revision_due_at is None:  # withdrawn, or the user is leaving
                return GONE
            ensure_due(delivery.revision_due_at, utcnow())
            delivery.revision_attempts += 1
            asked_before = delivery.revision_called_at
            delivery.revision_due_at, delivery.revision_called_at = utcnow() + _TAKEN, utcnow()
            current_hash = own_hash(post, delivery.account)
        with record_exchanges() as exchanges:
            try:
                receipt = await self._update(delivery, current_hash)
            except ProviderError as error:
                return await self._handle_failure(user_id, article_id, delivery, error, asked_before, exchanges, pause)
            except TimeoutError:
                late = RetrySafe(detail="no answer in time")
                return await self._handle_failure(user_id, article_id, delivery, late, asked_before, exchanges, pause)
        async with self.sessions.begin() as session:
            post, delivery = await lock_with_post(session, user_id, article_id, delivery_id)
            delivery.revision = delivery.revision_due_at = delivery.revision_called_at = None
            delivery.revision_error_code = delivery.revision_error_detail = None
            delivery.own_hash, delivery.content_hash, delivery.revised_at = current_hash, post.content_hash, utcnow()
            delivery.permalink, delivery.site_slug = receipt.permalink or delivery.permalink, receipt.slug
            delivery.site_status = receipt.status
            if own_hash(post, delivery.account) == current_hash:
                post.at_site = None
            log = DeliveryLogRepository(session)
            await log.add_step(
                delivery, delivery.revision_attempts, DeliveryStep.revise, DeliveryDecision.done, exchanges
            )
            await save_unsynced_change(session, post)
        return _UPDATED

    async def _update(self, delivery: Delivery, current_hash: str) -> Receipt:
        """`current_hash`: the hash of the content that the site is to have. Raises ProviderError, TimeoutError."""
        site = channel(ChannelKind(delivery.channel))
        if delivery.account.disconnected_at is not None:
            raise Refused(ErrorCode.account_disconnected)
        if delivery.provider_id is None or not supports(site, BaseChannel.update):
            raise Refused(ErrorCode.update_not_possible)
        try:
            with translate_file_errors():
                job = await self.jobs.load_with_files(delivery.user_id, delivery.id)
        except ValueError as error:  # the secret key was lost
            raise NeedsReconnect(detail="the token cannot be decrypted") from error
        async with asyncio.timeout(_CALL.total_seconds()):
            return await site.update(
                job.credentials, delivery.provider_id, job.post, wish=_request_id(delivery, current_hash)
            )

    async def _handle_failure(
        self,
        user_id: UUID,
        article_id: UUID,
        attempted: Delivery,
        error: ProviderError,
        asked_before: datetime | None,
        exchanges: Sequence[dict[str, Any]],
        pause: timedelta,
    ) -> FollowUpOutcome:
        """Give up, or raise a retryable error until the attempts are used up."""
        async with self.sessions.begin() as session:
            post, delivery = await lock_with_post(session, user_id, article_id, attempted.id)
            if isinstance(error, NeedsReconnect):
                wait = await handle_access_refused(session, delivery.account, error, by=attempted.account.token_id)
                error = RetrySafe(ErrorCode.access_renewing, retry_after=wait) if wait else error
            delivery.revision_error_code, delivery.revision_error_detail = error.code, error.detail or None
            again = error.retryable and delivery.revision_attempts < _TRIES
            if not error.retryable:  # this call was refused and changed nothing, but an earlier one may have
                delivery.revision_called_at = asked_before
            if again:
                delivery.revision_due_at = next_attempt(error, pause, utcnow())
            else:
                delivery.revision, delivery.revision_due_at = RevisionState.failed, None
                await notify_change_failed(session, post, delivery, NotificationKind.update_failed, error)
            decision = DeliveryDecision.again if again else DeliveryDecision.failed
            log = DeliveryLogRepository(session)
            attempt = delivery.revision_attempts
            await log.add_step(delivery, attempt, DeliveryStep.revise, decision, exchanges, error.code)
            await save_unsynced_change(session, post)
        logger.warning("delivery %s could not be updated at its site: %s", attempted.id, error.code)
        if again:
            raise error
        return _failed(delivery)


def _failed(delivery: Delivery) -> FollowUpOutcome:
    return FollowUpOutcome(RevisionState.failed, delivery.revision_error_code or "")


async def _resolve_notifications(session: AsyncSession, post: Post) -> None:
    """Resolve notifications of earlier failures."""
    await NotifyingService(session).resolve(post.user_id, About(post_id=post.id), NotificationKind.update_failed)


def _request_id(delivery: Delivery, current_hash: str) -> str:
    """Return an id that differs for each change, so that a return to an earlier content is sent again."""
    since = delivery.revised_at or delivery.settled_at
    return sha256(f"{current_hash} {since.isoformat() if since else ''}".encode()).hexdigest()[:16]


async def _lock_published(
    session: AsyncSession, user_id: UUID, article_id: UUID, version: int
) -> tuple[Post, Delivery]:
    """Lock and return a published article and its delivery. Raises as `RevisionService.request_update`."""
    post = await PostRepository(session).lock_with_deliveries(user_id, article_id)
    if post.article is None:
        raise NotFound(what="article", id=str(article_id))
    if post.version != version:
        raise Conflict(current=post.version)
    delivery = published_delivery(post)
    if delivery is None:
        raise Conflict(ErrorCode.post_not_editable, state=post.status)
    ensure_not_busy(delivery)
    return post, delivery
