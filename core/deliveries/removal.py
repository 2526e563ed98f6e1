"""Deleting on the networks: requested in the ledger's row, and carried out by a workflow.

Deleting twice is deleting once, so there is no fence: an attempt that died is simply made again.
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
from core.notifications.notifying import About, NotifyingService, of_article
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.outgoing.exchanges import record_exchanges
from core.posts.changes import noted, run_workflow
from core.posts.recipients import is_armed
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus, Removable, RemovalState, RevisionState, status_of
from core.posts.tables.posts import Post
from core.runs.outcomes import place_of, title_of
from core.social_accounts.connecting import ConnectingService, access_refused

logger = logging.getLogger(__name__)

_CALL: Final = timedelta(seconds=40)
_TAKEN: Final = timedelta(seconds=60)
"""For as long nobody else asks: longer than a call may take."""
_TRIES: Final = 10
"""Over some three hours; then a person is told, and may ask for more."""
_STAYED: Final = (NotificationKind.removal_failed, NotificationKind.takedown_failed)
"""What is told of a post and of an article that are still there."""


def removable(delivery: Delivery) -> Removable:
    """Only what we have published, under the id that its network gave it."""
    if delivery.state is not DeliveryState.published or delivery.removal is RemovalState.removed:
        return Removable.not_there
    if not supports(channel(ChannelKind(delivery.channel)), BaseChannel.delete):
        return Removable.not_by_api
    if delivery.provider_id is None:
        return Removable.unnamed
    if delivery.account.disconnected_at is not None:
        return Removable.disconnected
    return Removable.yes


async def must_be_over(session: AsyncSession, post: Post) -> None:
    """Raises Conflict (post_unclear, post_going_out, post_on_its_way): what may still go out is stopped before it is
    deleted, and of what may be out somebody says so first."""
    if {delivery.state for delivery in post.deliveries} - FINAL == {DeliveryState.unknown}:
        raise Conflict(ErrorCode.post_unclear)
    if is_armed(post.deliveries):
        raise Conflict(ErrorCode.post_going_out)
    waits = any(delivery.state not in FINAL for delivery in post.deliveries)
    if post.status is PostStatus.complete or waits or await run_workflow(session, post):
        raise Conflict(ErrorCode.post_on_its_way)


@dataclass(frozen=True)
class RemovingService:
    sessions: Sessions
    connecting: ConnectingService

    async def ask(self, user_id: UUID, post_id: UUID, delivery_ids: Collection[UUID], *, here: bool) -> None:
        """Delete these at their networks, and `here` once all of them are gone there; what failed before is tried anew.

        Raises Conflict as `must_be_over` and article_busy while one is being changed there, NotFound for what is no
        delivery of the post, InvalidInput (removal_not_possible) with the reason of each.
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            if here:
                await must_be_over(session, post)
            theirs = {delivery.id: delivery for delivery in post.deliveries}
            if strange := [one for one in delivery_ids if one not in theirs]:
                raise NotFound(what="delivery", id=str(strange[0]))
            wanted = [theirs[one] for one in delivery_ids]
            problems = [
                FieldError(f"delivery_ids.{at}", ErrorCode.removal_not_possible, reason=reason)
                for at, delivery in enumerate(wanted)
                if (reason := removable(delivery)) is not Removable.yes
            ]
            if problems:
                raise InvalidInput(ErrorCode.removal_not_possible, errors=problems)
            if any(delivery.revision is RevisionState.waiting for delivery in wanted):
                raise Conflict(ErrorCode.article_busy)
            for delivery in wanted:
                if delivery.removal is RemovalState.waiting:
                    continue
                delivery.removal, delivery.removal_due_at = RemovalState.waiting, utcnow()
                delivery.removal_attempts = 0
                delivery.removal_error_code = delivery.removal_error_detail = None
            post.leaves = here
            await NotifyingService(session).over(user_id, About(post_id=post.id), *_STAYED)
            await noted(session, post)
            await wake_reconcile(session)

    async def remove(self, user_id: UUID, post_id: UUID, delivery_id: UUID, pause: timedelta) -> FollowUpOutcome:
        """Ask the network once, and write down what it says. Return the state of the removal.

        Raises NotFound, and ProviderError, to be retried after its `retry_after`, which is at least `pause`.
        """
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.removal is not RemovalState.waiting:
                return _outcome(delivery)
            if delivery.removal_due_at is None:  # its user leaves
                return GONE
            ensure_due(delivery.removal_due_at, utcnow())
            delivery.removal_attempts += 1
            delivery.removal_due_at = utcnow() + _TAKEN
        with record_exchanges() as heard:
            try:
                await self._delete(delivery)
            except ProviderError as error:
                return await self._refused(user_id, post_id, delivery, error, heard, pause)
            except TimeoutError:
                late = RetrySafe(detail="no answer in time")
                return await self._refused(user_id, post_id, delivery, late, heard, pause)
        async with self.sessions.begin() as session:
            post, delivery = await locked_with_post(session, user_id, post_id, delivery_id)
            delivery.removal, delivery.removed_at, delivery.removal_due_at = RemovalState.removed, utcnow(), None
            delivery.removal_error_code = delivery.removal_error_detail = None
            log = DeliveryLogRepository(session)
            await log.note(delivery, delivery.removal_attempts, DeliveryStep.remove, DeliveryDecision.done, heard)
            still_there = {RemovalState.waiting, RemovalState.failed}
            if not any(one.removal is RemovalState.failed for one in post.deliveries):
                over = (*_STAYED, NotificationKind.update_failed)
                await NotifyingService(session).over(user_id, About(post_id=post.id), *over)
            if post.leaves and not any(one.removal in still_there for one in post.deliveries):
                post.deleted_at, post.leaves = utcnow(), False
            if post.article is not None and not post.leaves:
                take_down(post, delivery)
            await noted(session, post)
            return _outcome(delivery)

    async def _delete(self, delivery: Delivery) -> None:
        """Raises ProviderError, TimeoutError."""
        if removable(delivery) is not Removable.yes or delivery.provider_id is None:
            raise Refused(ErrorCode.removal_not_possible)
        try:
            to = self.connecting.credentials(delivery.account)
        except ValueError as error:  # the secret key was lost
            raise NeedsReconnect(detail="the token cannot be read") from error
        async with asyncio.timeout(_CALL.total_seconds()):
            await channel(ChannelKind(delivery.channel)).delete(to, delivery.provider_id)

    async def _refused(
        self,
        user_id: UUID,
        post_id: UUID,
        asked: Delivery,
        error: ProviderError,
        heard: Sequence[dict[str, Any]],
        pause: timedelta,
    ) -> FollowUpOutcome:
        """Give up, or raise what may pass, to be asked again after a while until it was asked often enough."""
        async with self.sessions.begin() as session:
            post, delivery = await locked_with_post(session, user_id, post_id, asked.id)
            if isinstance(error, NeedsReconnect):
                wait = await access_refused(session, delivery.account, error, by=asked.account.token_id)
                error = RetrySafe(ErrorCode.access_renewing, retry_after=wait) if wait else error
            delivery.removal_error_code, delivery.removal_error_detail = error.code, error.detail or None
            again = error.retryable and delivery.removal_attempts < _TRIES
            decision = DeliveryDecision.again if again else DeliveryDecision.failed
            log = DeliveryLogRepository(session)
            await log.note(delivery, delivery.removal_attempts, DeliveryStep.remove, decision, heard, error.code)
            if again:
                delivery.removal_due_at = next_attempt(error, pause, utcnow())
            else:
                delivery.removal, delivery.removal_due_at = RemovalState.failed, None
                post.acknowledged_at = None
                kind = NotificationKind.takedown_failed if post.article else NotificationKind.removal_failed
                await tell_of_wish(session, post, delivery, kind, error)
            await noted(session, post)
        logger.warning("deleting delivery %s at its network: %s", asked.id, error.code)
        if again:
            raise error
        return _outcome(delivery)


def _outcome(delivery: Delivery) -> FollowUpOutcome:
    if delivery.removal is None:
        return GONE
    failed = delivery.removal is RemovalState.failed
    return FollowUpOutcome(delivery.removal, delivery.removal_error_code or "" if failed else "")


def take_down(post: Post, delivery: Delivery) -> None:
    """An article that its site shows no longer stays here as a draft, as it was written last: published again, it is
    another one there."""
    delivery.state, delivery.called_at, delivery.attempt = DeliveryState.cancelled, None, None
    delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
    delivery.revision = delivery.revision_due_at = delivery.revision_called_at = None
    delivery.revision_error_code = delivery.revision_error_detail = None
    delivery.revision_attempts = 0
    post.status = status_of([one.state for one in post.deliveries])
    post.planned_at, post.pinned, post.at_site = None, False, None


async def tell_of_wish(
    session: AsyncSession, post: Post, delivery: Delivery, kind: NotificationKind, error: ProviderError
) -> None:
    """What somebody wanted there was not done, and waits for them: once for each wish."""
    if post.deleted_at is not None:  # here it leads nowhere any more
        return
    notifying, cause = NotifyingService(session), f"{delivery.id}:{post.version}"
    user = await notifying.tell(post.user_id, kind, cause, About(post_id=post.id))
    # of a lost login its account's own mail tells
    told = isinstance(error, NeedsReconnect) and await notifying.at_once(
        post.user_id, NotificationKind.account_reconnect
    )
    if user and not told:
        params = {"post_id": str(post.id), "topic": title_of(post), "networks": [place_of(delivery)]}
        await notifying.mail(user, MailKind(kind.value), params | of_article(post.article is not None))


async def locked_with_post(
    session: AsyncSession, user_id: UUID, post_id: UUID, delivery_id: UUID
) -> tuple[Post, Delivery]:
    """Also of a post that is deleted: it may still be at its network. Raises NotFound."""
    post = await PostRepository(session).locked_for_sending(user_id, post_id, deleted=True)
    found = next((delivery for delivery in post.deliveries if delivery.id == delivery_id), None)
    if found is None:
        raise NotFound(what="delivery", id=str(delivery_id))
    return post, found
