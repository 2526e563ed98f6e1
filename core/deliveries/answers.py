"""What a person decides: the outcome of a delivery that the network could not tell, and having seen a failure."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.repository import AnnouncementRepository
from core.clock import utcnow
from core.database import Sessions, notify_browsers, wake_reconcile
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.live import LiveKind
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import WAITS_FOR_PERSON, CommentState, DeliveryState, PostStatus, RemovalState
from core.runs.outcomes import notify_outcome, update_from_deliveries
from core.social_accounts.comment_access import comment_refusal

_DECIDED_STATES: Final = (DeliveryState.published, DeliveryState.failed)
"""The states that a person's decision can lead to."""


@dataclass(frozen=True)
class DeliveryDecisionService:
    sessions: Sessions

    async def decide(self, user_id: UUID, delivery_id: UUID, *, there: bool, address: str = "") -> None:
        """Settle an unknown delivery: `there` if the person has found the post at the network, optionally with its
        address. No provider id is known for it, so it can never be deleted there.

        Raises Conflict (post_not_editable) unless it is unknown, InvalidInput (delivery_address_unusable).
        """
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if delivery.state is not DeliveryState.unknown:
                raise Conflict(ErrorCode.post_not_editable, state=delivery.state)
            if there and address:
                network, server = channel(ChannelKind(delivery.channel)), delivery.account.base_url
                delivery.permalink = network.permalink_in(address, server)
                if delivery.permalink is None:
                    raise InvalidInput(errors=[FieldError("address", ErrorCode.delivery_address_unusable)])
            # since the backup it may have been announced already
            was_restored = delivery.error_code == ErrorCode.restored_from_backup
            delivery.state = DeliveryState.published if there else DeliveryState.failed
            delivery.decided_at = now = utcnow()
            delivery.settled_at = (delivery.called_at or now) if there else now
            delivery.error_code = None if there else ErrorCode.delivery_unknown
            await _fail_first_comment(session, delivery, there=there)
            await session.flush()
            if (
                there
                and not was_restored
                and delivery.channel.is_site
                and await AnnouncementRepository(session).add_for_articles([delivery.post_id])
            ):
                await wake_reconcile(session)
            post = await update_from_deliveries(session, user_id, delivery.post_id)
            if not there and post.status is PostStatus.failed:
                post.acknowledged_at = now  # they know of the failure already
            await notify_outcome(session, post)
            await notify_browsers(session, user_id, LiveKind.post, delivery.post_id)

    async def reopen(self, user_id: UUID, delivery_id: UUID) -> None:
        """Make the delivery unknown again, as before the person's decision. Raises Conflict (post_not_editable) if
        nobody has decided, or it was sent again since."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if delivery.decided_at is None or delivery.state not in _DECIDED_STATES:
                raise Conflict(ErrorCode.post_not_editable, state=delivery.state)
            delivery.state, delivery.error_code = DeliveryState.unknown, ErrorCode.delivery_unknown
            delivery.decided_at = delivery.settled_at = delivery.permalink = None
            delivery.comment = delivery.comment_error_code = None
            await session.flush()
            post = await update_from_deliveries(session, user_id, delivery.post_id)
            post.acknowledged_at = None
            about = About(post_id=delivery.post_id)
            await NotifyingService(session).reopen(user_id, about, NotificationKind.post_unknown)
            await notify_browsers(session, user_id, LiveKind.post, delivery.post_id)

    async def acknowledge(self, user_id: UUID, post_id: UUID) -> None:
        """Mark as seen that a post failed or was kept at its deadline, that a network did not delete it, or that its
        first comment failed. Raises Conflict (post_not_editable) if none of these applies."""
        async with self.sessions.begin() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
            was_kept = post.status is PostStatus.draft and post.approval is not None and post.approval.kept
            waits = any(
                delivery.removal is RemovalState.failed or delivery.comment in WAITS_FOR_PERSON
                for delivery in post.deliveries
            )
            if post.status is not PostStatus.failed and not was_kept and not waits:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            post.acknowledged_at = post.acknowledged_at or utcnow()
            kinds = (
                NotificationKind.post_failed,
                NotificationKind.approval_needed,
                NotificationKind.removal_failed,
                NotificationKind.takedown_failed,
                NotificationKind.comment_failed,
            )
            await NotifyingService(session).resolve(user_id, About(post_id=post_id), *kinds)
            await notify_browsers(session, user_id, LiveKind.post, post_id)


async def _fail_first_comment(session: AsyncSession, delivery: Delivery, *, there: bool) -> None:
    """Mark the first comment as failed: the post was found by a person, so its provider id is unknown. Leave it to
    them if the operator's app may publish none."""
    post = await PostRepository(session).get_with_files(delivery.user_id, delivery.post_id)
    network = channel(delivery.channel)
    if not (there and post.first_comment and supports(network, BaseChannel.comment)):
        return
    if refusal := comment_refusal(network, delivery.account):
        delivery.comment_error_code = refusal.code
    else:
        delivery.comment, delivery.comment_error_code = CommentState.failed, ErrorCode.comment_not_possible
