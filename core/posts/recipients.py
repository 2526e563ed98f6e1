"""Which accounts a post goes to, and the row of the ledger that each of them has."""

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
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account


async def chosen_accounts(session: AsyncSession, post: Post) -> Sequence[Account]:
    """Those that are still connected: what a person has chosen, else what its run was made for."""
    if post.source is PostSource.person or post.account_ids:
        chosen = [UUID(account_id) for account_id in post.account_ids]
    elif post.run_id:
        _, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        chosen = list(setup.account_ids)
    else:  # its run went with its assistant
        chosen = [delivery.account_id for delivery in post.deliveries]
    return await AccountRepository(session).connected(post.user_id, chosen)


def address(session: AsyncSession, post: Post, accounts: Sequence[Account]) -> list[Delivery]:
    """Each of the accounts has a delivery of the post as it is now, open unless something of it went out there; those
    of other accounts are cancelled. Returns those that were opened."""
    had = {delivery.account_id: delivery for delivery in post.deliveries}
    opened = []
    for account in accounts:
        delivery = had.pop(account.id, None)
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
            reopen(delivery)
            opened.append(delivery)
        delivery.content_hash, delivery.own_hash = post.content_hash, own_hash(post, account)
        delivery.content = own_text(post, account)
    for delivery in had.values():
        close_delivery(delivery, None, by_hand=True)
    return opened


def open_deliveries(deliveries: Sequence[Delivery]) -> list[Delivery]:
    return [one for one in deliveries if one.state not in FINAL and one.state is not DeliveryState.unknown]


def is_armed(deliveries: Collection[Delivery]) -> bool:
    """Whether one of them waits in a worker for its moment, is being called for, or may have been."""
    return any(
        delivery.state is DeliveryState.publishing or (delivery.called_at is not None and delivery.state not in FINAL)
        for delivery in deliveries
    )


def reopen(delivery: Delivery) -> None:
    """As if nothing was tried yet; its evidence keeps what failed before, and that an earlier call may have worked."""
    if delivery.called_at is not None:
        own_hash = delivery.own_hash or delivery.content_hash
        if delivery.doubted_hash != own_hash or delivery.doubted_at is None:
            delivery.doubted_at = delivery.called_at
        delivery.doubted_hash = own_hash
    if delivery.removed_at is not None:
        delivery.was_out_at = delivery.settled_at
    delivery.state = DeliveryState.pending
    delivery.called_at = delivery.settled_at = delivery.decided_at = delivery.attempt = None
    delivery.error_code = delivery.error_detail = None
    if delivery.removal is not None:  # what was taken down is nothing that this one has made
        delivery.provider_id = delivery.permalink = delivery.site_slug = delivery.site_status = None
        delivery.removal = delivery.removal_due_at = delivery.removed_at = delivery.revised_at = None
        delivery.removal_error_code = delivery.removal_error_detail = None
        delivery.removal_attempts = delivery.attempts = 0
        delivery.failures = []
    delivery.opened_in_version = 0
    delivery.updated_at = utcnow()
