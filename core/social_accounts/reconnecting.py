"""Refused calls: a new token where the network gives one, else a reconnect, about which the user is notified."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import notify_browsers
from core.errors import NeedsReconnect, TokenRefused
from core.live import LiveKind
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.notifying import About, NotifyingService, article_params
from core.notifications.rules import MailKind, NotificationKind
from core.social_accounts.grants import GrantService
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.tables import Account
from core.social_accounts.tables import Grant as GrantRow

RENEWED_WITHIN: Final = timedelta(seconds=2)
"""How long to wait for a new token before the next attempt."""
# a new token that is refused within this time is not renewed again
_RENEWAL_INTERVAL = timedelta(hours=1)
# how long a network may refuse a token that it has just issued
_PROPAGATION_TIME = timedelta(seconds=30)


async def mark_needs_reconnecting(session: AsyncSession, account: Account, error: NeedsReconnect | None = None) -> None:
    """Mark the account as needing a reconnect; if its own token or a lost role is not the reason, its whole grant.
    Notify its user once per connection."""
    if account.state is AccountState.needs_reconnecting:
        return
    row = account.grant
    alone = row is None or account.own_token_id is not None or (error is not None and error.of_account)
    if row is None or alone:
        account.own_state = AccountState.needs_reconnecting
    else:
        row.state = AccountState.needs_reconnecting
    # one notification per connection, even if several calls find out at once
    ended = f"{account.id if row is None or alone else row.id}:{account.token_id}"
    notifying, about, names = NotifyingService(session), About(account_id=account.id), [account.called]
    if row is not None and not alone:
        await GrantRepository(session).mark_changed(row)
        await clear_expiry_warning(session, row)
        names = [linked.called for linked in await GrantRepository(session).list_accounts(row.user_id, row.id)] or names
    if user := await notifying.notify(account.user_id, NotificationKind.account_reconnect, ended, about):
        params = {"account": ", ".join(names), "network": channel(ChannelKind(account.kind)).label}
        article = article_params(account.kind.is_site)
        await notifying.enqueue_mail(user, MailKind.account_reconnect, params | article)


async def clear_reconnect_notice(session: AsyncSession, account: Account) -> bool:
    """Resolve the notification that the account needs reconnecting: it works again, or is not used any more. Return
    whether there was one."""
    cleared = False
    if account.state is AccountState.needs_reconnecting:
        about = About(account_id=account.id)
        cleared = await NotifyingService(session).resolve(account.user_id, about, NotificationKind.account_reconnect)
    if account.grant is not None:
        await clear_expiry_warning(session, account.grant)
    return cleared


async def notify_other_accounts(session: AsyncSession, row: GrantRow) -> None:
    """Move the notification of a removed account to another account of the same grant. No mail: it was sent before."""
    if row.state is not AccountState.needs_reconnecting:
        return
    for account in (await GrantRepository(session).list_accounts(row.user_id, row.id))[:1]:
        about, cause = About(account_id=account.id), f"{account.id}:{row.token_id}"
        await NotifyingService(session).notify(row.user_id, NotificationKind.account_reconnect, cause, about)


async def clear_expiry_warning(session: AsyncSession, row: GrantRow) -> None:
    """Resolve warnings of the grant's end: it has a new end, or has ended."""
    if row.warned_days is not None:
        row.warned_days = None
        for account in await GrantRepository(session).list_accounts(row.user_id, row.id):
            about = About(account_id=account.id)
            await NotifyingService(session).resolve(row.user_id, about, NotificationKind.account_expires)


async def handle_access_refused(
    session: AsyncSession, account: Account, error: NeedsReconnect, *, by: UUID | None
) -> timedelta | None:
    """Handle a refused call that was made with the token `by`. If only the token was refused and can be renewed,
    request that once. Return how long to wait for a new token; None if the account needs a person, who is notified. A
    token that was replaced already has no consequences."""
    if account.token_id != by:
        return RENEWED_WITHIN
    row, now = account.grant, utcnow()
    if isinstance(error, TokenRefused) and row is not None and account.own_token_id is None:
        if is_renewing(account):  # an earlier call was refused already
            return RENEWED_WITHIN
        was_refused = row.refused_at is not None and now - row.refused_at < _RENEWAL_INTERVAL
        if was_refused and now - row.token_since < _PROPAGATION_TIME:
            # a new token may not be known to all of the network's servers yet
            return RENEWED_WITHIN
        lives = row.state is AccountState.connected and GrantService.lifetime(row).can_be_renewed(now)
        if lives and not was_refused:
            row.refused_token_id, row.refused_at = row.token_id, now
            await GrantRepository(session).mark_changed(row)
            return RENEWED_WITHIN
    await mark_needs_reconnecting(session, account, error)
    await notify_browsers(session, account.user_id, LiveKind.account, account.id)
    return None


def is_renewing(account: Account) -> bool:
    """Return whether its token was refused and a new one is being requested."""
    row = account.grant
    return (
        row is not None
        and account.own_token_id is None
        and row.refused_token_id == row.token_id
        and row.state is AccountState.connected
    )
