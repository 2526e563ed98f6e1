"""Keeping what networks have granted alive: new tokens ahead of their end, and in time a word to whoever has to consent
again. The workflow of a grant asks what there is to do, and does it; nobody else asks a network for new tokens."""

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
from core.networks.base import BaseChannel, Grant, TokenLife, supports
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.social_accounts.connecting import lasts, needs_reconnecting
from core.social_accounts.grants import GrantService
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.rules import GrantState, GrantStep
from core.social_accounts.tables import Account
from core.social_accounts.tables import Grant as GrantRow

logger = logging.getLogger(__name__)

# how long the network may take for new tokens, and for how long nobody else asks it meanwhile
_CALL = timedelta(seconds=40)
LEASE = timedelta(minutes=1)
# for all tokens of a grant together: whoever looks waits for it
_TELLS_WITHIN = timedelta(seconds=15)
_ASKED_AT_ONCE = 5
_DAILY = timedelta(days=1)
_SAME_END = timedelta(minutes=1)


@dataclass(frozen=True)
class Outlook:
    step: GrantStep
    state: GrantState = GrantState.connected
    again_at: datetime | None = None
    """When it is looked at again; None: when something of it has changed."""
    expires_at: datetime | None = None


@dataclass(frozen=True)
class RenewingService:
    sessions: Sessions
    grants: GrantService

    async def look(self, user_id: UUID, grant_id: UUID) -> Outlook:
        """What is to be done now. Tells its user what only they can do, once each. Where the network says whether its
        tokens still hold, it is asked, and again within a day."""
        lives = await self._lives(user_id, grant_id)
        async with self.sessions.begin() as session:
            grants, now = GrantRepository(session), utcnow()
            row = await grants.locked(user_id, grant_id)
            if row is None or row.revoke_due_at is not None:
                return Outlook(GrantStep.over)
            accounts = await grants.accounts_of(user_id, grant_id)
            await _follow(session, row, accounts, lives)
            life = self.grants.lifetime(row)
            due = life.renewal_due()
            renew = _is_refused(row) or (due is not None and due <= now)
            lost = row.state is AccountState.needs_reconnecting
            if not lost and renew and not life.can_be_renewed(now):
                renew, lost = False, await self._lose(session, row, accounts, now)
            elif not lost and not renew and row.expires_at is not None and row.expires_at <= now:
                lost = await self._lose(session, row, accounts, now)
            if lost:
                return Outlook(GrantStep.wait, GrantState.needs_reconnecting, None, row.expires_at)
            if not renew:  # else once that was tried
                await _warn(session, row, accounts, life.warning(now))
            state = GrantState.expires_soon if row.warned_days is not None else GrantState.connected
            if renew:
                return Outlook(GrantStep.renew, state, now, row.expires_at)
            again = [at for at in (life.looked_at(now), _asked_again(row, now)) if at is not None]
            return Outlook(GrantStep.wait, state, min(again, default=None), row.expires_at)

    async def _lives(self, user_id: UUID, grant_id: UUID) -> dict[UUID, TokenLife]:
        """What the network says of the tokens that are posted by, by their ids; of the others it could not be told."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
            accounts = await GrantRepository(session).accounts_of(user_id, grant_id)
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
            except (ProviderError, ValueError) as error:  # or the secret key was lost
                logger.warning("grant %s: nothing is told of a token: %s", grant_id, error)

        held = [one for one in accounts if one.state is AccountState.connected]
        sealed = {one.token_id: one.sealed_token for one in held if one.token_id and one.sealed_token}
        with suppress(TimeoutError):
            async with asyncio.timeout(_TELLS_WITHIN.total_seconds()):
                await asyncio.gather(*(ask(*one) for one in sealed.items()))
        return found

    async def renew(self, user_id: UUID, grant_id: UUID) -> bool:
        """Whether there are new tokens now, by one call of the network. What it refuses for good is known afterwards.

        Nothing of the old ones is lost before there are new ones: whoever loses an answer asks once more by the same
        refresh token; where that is tried in vain for a day its user is told. Raises RetrySafe and RateLimited where it
        is to be done later, Misconfigured where an operator has to act.
        """
        async with self.sessions.begin() as session:
            row, now = await GrantRepository(session).locked(user_id, grant_id), utcnow()
            if row is None or not self._wanted(row, now):
                return False
            if row.renewing_until is not None and row.renewing_until > now:
                raise RetrySafe(detail="another caller asks for it", retry_after=row.renewing_until - now)
            row.renewing_until = now + LEASE
            kind, token_id = ChannelKind(row.kind), row.token_id
        found = await self._ask(kind, row)
        async with self.sessions.begin() as session:
            row = await GrantRepository(session).locked(user_id, grant_id)
            if row is None or row.token_id != token_id:  # given back, or its user has consented once more meanwhile
                return False
            row.renewing_until = None
            if isinstance(found, Grant):
                await lasts(session, row)
                given_up, attempts = row.revoke_due_at, row.revoke_attempts
                self.grants.keep(row, found)
                # who has disconnected meanwhile: these are given back in the place of those
                row.revoke_due_at, row.revoke_attempts = given_up, attempts
                await notify_browsers(session, user_id, LiveKind.account)
            elif isinstance(found, NeedsReconnect):
                row.refresh_expires_at = utcnow()
            else:
                accounts = await GrantRepository(session).accounts_of(user_id, grant_id)
                await _warn(session, row, accounts, self.grants.lifetime(row).warning(utcnow()))
        if isinstance(found, Grant):
            return True
        logger.warning("grant %s is not renewed: %s", grant_id, found.code)
        if isinstance(found, NeedsReconnect):
            return False
        raise found

    def _wanted(self, row: GrantRow, now: datetime) -> bool:
        life = self.grants.lifetime(row)
        if row.revoke_due_at is not None or row.state is not AccountState.connected or not life.can_be_renewed(now):
            return False
        due = life.renewal_due()
        return _is_refused(row) or (due is not None and due <= now)

    async def _ask(self, kind: ChannelKind, row: GrantRow) -> Grant | ProviderError:
        try:
            grant = self.grants.opened(row)
        except ValueError:  # the secret key was lost
            return NeedsReconnect(detail="the refresh token cannot be read")
        try:
            async with asyncio.timeout(_CALL.total_seconds()):
                return await channel(kind).refresh(grant)
        except TimeoutError:
            return RetrySafe(detail="no answer in time")
        except ProviderError as error:
            return error

    async def _lose(self, session: AsyncSession, row: GrantRow, accounts: Sequence[Account], now: datetime) -> bool:
        """Whether its tokens have ended. Those that accounts have of their own may last longer: a call says so."""
        ended = _is_refused(row) or (row.expires_at is not None and row.expires_at <= now)
        by_it = next((account for account in accounts if account.own_token_id is None), None)
        if not ended or by_it is None:
            return False
        await needs_reconnecting(session, by_it)
        row.state = AccountState.needs_reconnecting  # also where that account had lost more than this before
        await notify_browsers(session, row.user_id, LiveKind.account)
        return True


async def _follow(
    session: AsyncSession, row: GrantRow, accounts: Sequence[Account], lives: Mapping[UUID, TokenLife]
) -> None:
    """What the network said of tokens that are still those: one that holds no more needs a person, and of the others
    the first end counts."""
    told = [(one, lives[one.token_id]) for one in accounts if one.token_id and one.token_id in lives]
    for account, life in told:
        if not life.valid:
            await needs_reconnecting(session, account)
            await notify_browsers(session, account.user_id, LiveKind.account, account.id)
    ends_at = min((life.access_ends_at for _, life in told if life.valid and life.access_ends_at), default=None)
    if ends_at is None or (row.expires_at and abs(ends_at - row.expires_at) < _SAME_END):
        return
    row.expires_at = ends_at
    await lasts(session, row)
    await notify_browsers(session, row.user_id, LiveKind.account)


def _asked_again(row: GrantRow, now: datetime) -> datetime | None:
    """Spread, so that not all of an installation ask at once; None: the network says nothing of tokens."""
    if not supports(channel(ChannelKind(row.kind)), BaseChannel.token_life):
        return None
    return now + _DAILY * (1 - zlib.crc32(row.id.bytes) % 1000 / 10_000)


def _is_refused(row: GrantRow) -> bool:
    return row.refused_token_id == row.token_id


async def _warn(session: AsyncSession, row: GrantRow, accounts: Sequence[Account], ahead: timedelta | None) -> None:
    """Once for each time ahead; of what was told before, the newest alone is left to be looked at."""
    if ahead is None or row.expires_at is None or not accounts or row.warned_days == ahead.days:
        return
    await lasts(session, row)
    row.warned_days = ahead.days
    notifying, about = NotifyingService(session), About(account_id=accounts[0].id)
    cause = f"{row.token_id}:{row.expires_at:%Y-%m-%d}:{ahead.days}"  # an end may be put off
    if user := await notifying.tell(row.user_id, NotificationKind.account_expires, cause, about):
        params = {
            "account": ", ".join(account.name for account in accounts),
            "network": channel(ChannelKind(row.kind)).label,
            "expires_at": row.expires_at.isoformat(),
        }
        await notifying.mail(user, MailKind.account_expires, params)
    await notify_browsers(session, row.user_id, LiveKind.account)
