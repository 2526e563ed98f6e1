"""Renew grants before their end, and warn users who have to consent again. Only the workflow of a grant requests new
tokens."""

import asyncio
import logging
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import NeedsReconnect, ProviderError, RetrySafe
from core.live import LiveKind
from core.networks.base import BaseChannel, supports
from core.networks.connections import Grant, TokenLife
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.social_accounts.grants import GrantService
from core.social_accounts.reconnecting import clear_expiry_warning, mark_needs_reconnecting
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.rules import GrantState, GrantStep
from core.social_accounts.tables import Account
from core.social_accounts.tables import Grant as GrantRow

logger = logging.getLogger(__name__)

# time-out of the call, and how long no other caller requests new tokens
_CALL_TIMEOUT = timedelta(seconds=40)
LEASE = timedelta(minutes=1)
# for all tokens of a grant together: the workflow waits for it
_TELLS_WITHIN = timedelta(seconds=15)
_ASKED_AT_ONCE = 5
_DAILY = timedelta(days=1)
_SAME_END = timedelta(minutes=1)
# without any other date, so that a workflow whose grant is gone ends without anybody looking for it
_LOOK_AGAIN = timedelta(days=30)


@dataclass(frozen=True)
class GrantCheck:
    step: GrantStep
    state: GrantState = GrantState.connected
    again_at: datetime | None = None
    """When to check again; None if nothing is left to check."""
    expires_at: datetime | None = None


@dataclass(frozen=True)
class RenewalService:
    sessions: Sessions
    grants: GrantService

    async def check(self, user_id: UUID, grant_id: UUID) -> GrantCheck:
        """Return what to do now, and warn the user once of what only they can do. Where the network can tell, ask
        whether the tokens are still valid, about once a day."""
        lives = await self._read_token_lives(user_id, grant_id)
        async with self.sessions.begin() as session:
            grants, now = GrantRepository(session), utcnow()
            row = await grants.lock(user_id, grant_id)
            if row is None or row.revoke_due_at is not None:
                return GrantCheck(GrantStep.over)
            accounts = await grants.list_accounts(user_id, grant_id)
            await _apply_token_lives(session, row, accounts, lives)
            life = self.grants.lifetime(row)
            due = life.renewal_due()
            renew = _is_refused(row) or (due is not None and due <= now)
            lost = row.state is AccountState.needs_reconnecting
            if not lost and renew and not life.can_be_renewed(now):
                renew, lost = False, await self._mark_expired(session, row, accounts, now)
            elif not lost and not renew and row.expires_at is not None and row.expires_at <= now:
                lost = await self._mark_expired(session, row, accounts, now)
            if lost:
                return GrantCheck(GrantStep.wait, GrantState.needs_reconnecting, now + _LOOK_AGAIN, row.expires_at)
            if not renew:  # else after the renewal was tried
                await _warn(session, row, accounts, life.due_warning(now))
            state = GrantState.expires_soon if row.warned_days is not None else GrantState.connected
            if renew:
                return GrantCheck(GrantStep.renew, state, now, row.expires_at)
            again = [at for at in (life.next_change(now), _next_check(row, now)) if at is not None]
            return GrantCheck(GrantStep.wait, state, min(again, default=now + _LOOK_AGAIN), row.expires_at)

    async def _read_token_lives(self, user_id: UUID, grant_id: UUID) -> dict[UUID, TokenLife]:
        """Return what the network says about the tokens in use, by token id; unknown ones are left out."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
            accounts = await GrantRepository(session).list_accounts(user_id, grant_id)
        if row is None or row.revoke_due_at is not None:
            return {}
        network = channel(ChannelKind(row.kind))
        if not supports(network, BaseChannel.token_life):
            return {}
        found: dict[UUID, TokenLife] = {}
        turns = asyncio.Semaphore(_ASKED_AT_ONCE)

        async def ask(token_id: UUID, sealed: str) -> None:
            try:
                async with turns:
                    found[token_id] = await network.token_life(self.grants.vault.decrypt(sealed))
            except (ProviderError, ValueError) as error:  # ValueError: the secret key was lost
                logger.warning("grant %s: the token could not be checked: %s", grant_id, error)

        held = [one for one in accounts if one.state is AccountState.connected]
        sealed = {one.token_id: one.sealed_token for one in held if one.token_id and one.sealed_token}
        with suppress(TimeoutError):
            async with asyncio.timeout(_TELLS_WITHIN.total_seconds()):
                await asyncio.gather(*(ask(*one) for one in sealed.items()))
        return found

    async def renew(self, user_id: UUID, grant_id: UUID) -> bool:
        """Request new tokens by one call. Return whether they were stored; a final refusal is stored too.

        The old tokens stay until there are new ones: after a lost answer the same refresh token is used again; the user
        is warned if that fails for a day. Raises RetrySafe and RateLimited to be retried later, Misconfigured where an
        operator has to act.
        """
        async with self.sessions.begin() as session:
            row, now = await GrantRepository(session).lock(user_id, grant_id), utcnow()
            if row is None or not self._is_renewal_due(row, now):
                return False
            if row.renewing_until is not None and row.renewing_until > now:
                raise RetrySafe(detail="another caller renews the grant", retry_after=row.renewing_until - now)
            row.renewing_until = now + LEASE
            kind, token_id = ChannelKind(row.kind), row.token_id
        found = await self._request_tokens(kind, row)
        async with self.sessions.begin() as session:
            row = await GrantRepository(session).lock(user_id, grant_id)
            if row is None or row.token_id != token_id:  # revoked, or its user has consented again meanwhile
                return False
            row.renewing_until = None
            if isinstance(found, Grant):
                await clear_expiry_warning(session, row)
                given_up, attempts = row.revoke_due_at, row.revoke_attempts
                self.grants.store_tokens(row, found)
                # disconnected meanwhile: the new tokens are revoked in place of the old
                row.revoke_due_at, row.revoke_attempts = given_up, attempts
                await notify_browsers(session, user_id, LiveKind.account)
            elif isinstance(found, NeedsReconnect):
                row.refresh_expires_at = utcnow()
            else:
                accounts = await GrantRepository(session).list_accounts(user_id, grant_id)
                await _warn(session, row, accounts, self.grants.lifetime(row).due_warning(utcnow()))
        if isinstance(found, Grant):
            return True
        logger.warning("grant %s could not be renewed: %s", grant_id, found.code)
        if isinstance(found, NeedsReconnect):
            return False
        raise found

    def _is_renewal_due(self, row: GrantRow, now: datetime) -> bool:
        life = self.grants.lifetime(row)
        if row.revoke_due_at is not None or row.state is not AccountState.connected or not life.can_be_renewed(now):
            return False
        due = life.renewal_due()
        return _is_refused(row) or (due is not None and due <= now)

    async def _request_tokens(self, kind: ChannelKind, row: GrantRow) -> Grant | ProviderError:
        try:
            grant = self.grants.decrypt(row)
        except ValueError:  # the secret key was lost
            return NeedsReconnect(detail="the refresh token cannot be decrypted")
        try:
            async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
                return await channel(kind).refresh(grant)
        except TimeoutError:
            return RetrySafe(detail="no answer in time")
        except ProviderError as error:
            return error

    async def _mark_expired(
        self, session: AsyncSession, row: GrantRow, accounts: Sequence[Account], now: datetime
    ) -> bool:
        """Return whether the grant's tokens have ended. Accounts' own tokens may live longer, which a call shows."""
        ended = _is_refused(row) or (row.expires_at is not None and row.expires_at <= now)
        by_it = next((account for account in accounts if account.own_token_id is None), None)
        if not ended or by_it is None:
            return False
        await mark_needs_reconnecting(session, by_it)
        row.state = AccountState.needs_reconnecting  # also if that account had lost more than the grant before
        await notify_browsers(session, row.user_id, LiveKind.account)
        return True


async def _apply_token_lives(
    session: AsyncSession, row: GrantRow, accounts: Sequence[Account], lives: Mapping[UUID, TokenLife]
) -> None:
    """Apply what the network said of tokens that are still in use: an invalid one needs a person, and the earliest end
    counts."""
    told = [(one, lives[one.token_id]) for one in accounts if one.token_id and one.token_id in lives]
    for account, life in told:
        if not life.valid:
            await mark_needs_reconnecting(session, account)
            await notify_browsers(session, account.user_id, LiveKind.account, account.id)
    ends_at = min((life.access_ends_at for _, life in told if life.valid and life.access_ends_at), default=None)
    if ends_at is None or (row.expires_at and abs(ends_at - row.expires_at) < _SAME_END):
        return
    row.expires_at = ends_at
    await clear_expiry_warning(session, row)
    await notify_browsers(session, row.user_id, LiveKind.account)


def _next_check(row: GrantRow, now: datetime) -> datetime | None:
    """Return the time of the next daily check, spread over all grants. None: the network tells nothing about tokens."""
    if not supports(channel(ChannelKind(row.kind)), BaseChannel.token_life):
        return None
    return now + _DAILY * (1 - zlib.crc32(row.id.bytes) % 1000 / 10_000)


def _is_refused(row: GrantRow) -> bool:
    return row.refused_token_id == row.token_id


async def _warn(session: AsyncSession, row: GrantRow, accounts: Sequence[Account], ahead: timedelta | None) -> None:
    """Warn once per lead. Only the newest warning stays unread."""
    if ahead is None or row.expires_at is None or not accounts or row.warned_days == ahead.days:
        return
    await clear_expiry_warning(session, row)
    row.warned_days = ahead.days
    notifying, about = NotifyingService(session), About(account_id=accounts[0].id)
    cause = f"{row.token_id}:{row.expires_at:%Y-%m-%d}:{ahead.days}"  # the end may be postponed
    if user := await notifying.notify(row.user_id, NotificationKind.account_expires, cause, about):
        params = {
            "account": ", ".join(account.name for account in accounts),
            "network": channel(ChannelKind(row.kind)).label,
            "expires_at": row.expires_at.isoformat(),
        }
        await notifying.enqueue_mail(user, MailKind.account_expires, params)
    await notify_browsers(session, row.user_id, LiveKind.account)
