"""The accounts that a post is published on, and their deliveries."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.posts.fitting import own_hash, own_text
from core.posts.rules.posts import FINAL, DeliveryState, PostSource
from core.posts.tables.posts import Post
from core.runs.outcomes import close_delivery
from core.runs.repositories.runs import RunRepository
from core.runs.rules.failures import close_failures
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account


async def chosen_accounts(session: AsyncSession, post: Post) -> Sequence[Account]:
    """Return those of the post's accounts that are still connected: a person's choice, else those of its run."""
    if post.source is PostSource.person or post.account_ids:
        chosen = [UUID(account_id) for account_id in post.account_ids]
    elif post.run_id:
        _, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        chosen = list(setup.account_ids)
    else:  # its run was deleted with its assistant
        chosen = [delivery.account_id for delivery in post.deliveries]
    return await AccountRepository(session).filter_connected(post.user_id, chosen)


def assign_deliveries(session: AsyncSession, post: Post, accounts: Sequence[Account]) -> list[Delivery]:
    """Give each account an open delivery with the post's current content, unless it was published or called there;
    cancel those of other accounts. Return the deliveries that were opened."""
    existing = {delivery.account_id: delivery for delivery in post.deliveries}
    opened = []
    for account in accounts:
        delivery = existing.pop(account.id, None)
        if delivery is None:
            delivery = Delivery(
                id=new_id(),
                user_id=post.user_id,
                post_id=post.id,
                account_id=account.id,
                channel=account.kind,
                state=DeliveryState.pending,
                content_hash=post.content_hash,
            )
            session.add(delivery)
            opened.append(delivery)
        elif delivery.state is DeliveryState.published or delivery.called_at is not None:
            continue
        elif delivery.state in FINAL:
            reset_delivery(delivery)
            opened.append(delivery)
        delivery.content_hash, delivery.own_hash = post.content_hash, own_hash(post, account)
        delivery.content = own_text(post, account)
    for delivery in existing.values():
        close_delivery(delivery, None, by_hand=True)
    return opened


def open_deliveries(deliveries: Sequence[Delivery]) -> list[Delivery]:
    settled = FINAL | {DeliveryState.unknown}
    return [delivery for delivery in deliveries if delivery.state not in settled]


def is_armed(deliveries: Collection[Delivery]) -> bool:
    """Return whether one of the deliveries is armed, being called, or may have been called."""
    return any(
        delivery.state is DeliveryState.publishing or (delivery.called_at is not None and delivery.state not in FINAL)
        for delivery in deliveries
    )


def reset_delivery(delivery: Delivery) -> None:
    """Make the delivery pending again, with all its attempts. Its row keeps the failures, and that an earlier call may
    have worked."""
    if delivery.called_at is not None:
        if delivery.doubted_hash != delivery.current_hash or delivery.doubted_at is None:
            delivery.doubted_at = delivery.called_at
        delivery.doubted_hash = delivery.current_hash
    if delivery.removed_at is not None:
        delivery.was_out_at = delivery.settled_at
    delivery.state = DeliveryState.pending
    delivery.called_at = delivery.settled_at = delivery.decided_at = delivery.attempt = None
    delivery.error_code = delivery.error_detail = None
    delivery.failures = close_failures(delivery.failures)
    if delivery.removal is not None:  # the removed post belongs to an earlier publication
        delivery.provider_id = delivery.permalink = delivery.site_slug = delivery.site_status = None
        delivery.removal = delivery.removal_due_at = delivery.removed_at = delivery.revised_at = None
        delivery.removal_error_code = delivery.removal_error_detail = None
        delivery.removal_attempts = delivery.attempts = 0
        delivery.failures = []
    if delivery.comment is None:
        delivery.comment_called_at = delivery.comment_error_code = None
    delivery.opened_in_version = 0
    delivery.updated_at = utcnow()
