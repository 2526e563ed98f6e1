"""The tokens that networks have granted: kept encrypted, and given back once nothing posts by them any more."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.crypto import Vault
from core.database import Sessions
from core.errors import Misconfigured, ProviderError, Refused, RetrySafe
from core.ids import new_id
from core.networks.base import MAX_ID, App, BaseChannel, Grant, supports
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind, GivenBack
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.repositories.replaced_tokens import ReplacedTokenRepository
from core.social_accounts.rules import Lifetime
from core.social_accounts.tables import Grant as GrantRow
from core.social_accounts.tables import ReplacedToken
from core.users.repositories.deletion import AccountDeletionRepository

logger = logging.getLogger(__name__)

# how long the network may take for its answer, and for how long nobody else asks it meanwhile
_CALL = timedelta(seconds=8)
LEASE = timedelta(minutes=1)
# between asking it again and again, for about two weeks
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(days=1)
_TRIES = 20
# seconds before each try while an account is deleted: nobody can ask again later
_AT_ONCE = (0.0, 1.0, 3.0)
_ROUND = 20
_UNDER_WAY = timedelta(minutes=5)
"""After so long a call by a replaced token is over; a step that has begun with it goes on by the new one."""
NEVER_USED: Final = 0
"""The version of a grant by which nothing ever posted."""


@dataclass(frozen=True)
class GrantService:
    sessions: Sessions
    vault: Vault

    def opened(self, row: GrantRow) -> Grant:
        """Raises ValueError where the secret key was lost."""
        return replace(
            self._tokens(row),
            expires_at=row.expires_at,
            scopes=tuple(row.scopes),
            refresh_expires_at=row.refresh_expires_at,
        )

    def _tokens(self, row: GrantRow | ReplacedToken) -> Grant:
        sealed = row.refresh_token_encrypted
        return Grant(
            access_token=self.vault.decrypt(row.access_token_encrypted),
            refresh_token=self.vault.decrypt(sealed) if sealed else None,
            expires_at=None,
            scopes=(),
            subject=row.subject,
            base_url=row.base_url,
        )

    @staticmethod
    def lifetime(row: GrantRow) -> Lifetime:
        network = channel(ChannelKind(row.kind))
        renews = supports(network, BaseChannel.refresh) and row.refresh_token_encrypted is not None
        return Lifetime(row.id, row.token_since, row.expires_at, renews, row.refresh_expires_at)

    def keep(self, row: GrantRow, grant: Grant) -> None:
        """It has these tokens from now on, and is in order."""
        row.access_token_encrypted, row.token_id = self.vault.encrypt(grant.access_token), new_id()
        row.token_since, row.refused_token_id, row.renewing_until = utcnow(), None, None
        if grant.refresh_token:  # a reconnect never stores an empty one over a good one
            row.refresh_token_encrypted = self.vault.encrypt(grant.refresh_token)
            row.refresh_expires_at = grant.refresh_expires_at
        row.expires_at, row.scopes = grant.expires_at, list(grant.scopes)
        row.state, row.revoke_due_at, row.revoke_attempts = AccountState.connected, None, 0
        row.warned_days = None

    def put_aside(self, session: AsyncSession, row: GrantRow, grant: Grant) -> None:
        """Before `keep` puts another consent's tokens in the place of its own: these are given back by a round, where
        that ends nothing else. A server may have handed out the same ones again."""
        kind = ChannelKind(row.kind)
        if not channel(kind).traits.revokes_token_alone:
            return
        try:
            had = self._tokens(row)
        except ValueError:  # the secret key was lost: nobody can use them any more
            logger.warning("the tokens of grant %s cannot be read, so they are not revoked", row.id)
            return
        if not _same_tokens(had, grant):
            session.add(
                ReplacedToken(
                    id=new_id(),
                    user_id=row.user_id,
                    kind=kind,
                    base_url=row.base_url,
                    subject=row.subject,
                    access_token_encrypted=row.access_token_encrypted,
                    refresh_token_encrypted=row.refresh_token_encrypted,
                    due_at=utcnow() + _UNDER_WAY,
                )
            )

    async def give_back(self, user_id: UUID, grant_id: UUID) -> GivenBack:
        """One try. What the network does not answer is asked again by `round`, until it was asked often enough."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
            mine = await GrantRepository(session).all(user_id) if row else []
        if row is None or row.revoke_due_at is None:
            return GivenBack.shared
        shared = any(self._shares_access(row, other) for other in mine)
        # who leaves is not told that somebody else is here
        left = shared or await self._others_stand_on(row)
        error = None if left else await self._revoked(row)
        async with self.sessions.begin() as session:
            grants = GrantRepository(session)
            if pause := _pause(error, row.revoke_attempts):
                await grants.postpone(user_id, grant_id, row.token_id, utcnow() + pause)
                return GivenBack.waiting
            await grants.forget(user_id, grant_id, row.token_id)
        if shared:
            return GivenBack.shared
        if error or left:
            return GivenBack.refused
        await self._look_again(row)
        return GivenBack.revoked

    async def _look_again(self, row: GrantRow) -> None:
        """Whoever has got tokens by the same consent in the moment in which it ended is to hear of it now."""
        kind = ChannelKind(row.kind)
        if channel(kind).traits.revokes_token_alone:
            return
        async with self.sessions.begin() as session:
            grants = GrantRepository(session)
            others = await grants.of_others(row.user_id, _of_one_app(kind), row.base_url, row.subject)
            mine = [one for one in await grants.all(row.user_id) if self._shares_access(row, one)]
            if since := [(one.user_id, one.id) for one in (*filter(is_wanted, others), *mine)]:
                await grants.looked_at_again(since)

    async def _give_back_replaced(self, user_id: UUID, token_id: UUID) -> None:
        """As `give_back`."""
        async with self.sessions() as session:
            row = await ReplacedTokenRepository(session).find(user_id, token_id)
            mine = await GrantRepository(session).all(user_id) if row else []
        if row is None:
            return
        left = any(self._shares_access(row, other) for other in mine) or await self._others_stand_on(row)
        error = None if left else await self._revoked(row)
        async with self.sessions.begin() as session:
            replaced = ReplacedTokenRepository(session)
            if pause := _pause(error, row.attempts):
                await replaced.postpone(user_id, token_id, utcnow() + pause)
            else:
                await replaced.forget(user_id, token_id)

    async def give_back_unused(self, user_id: UUID, kind: ChannelKind, grant: Grant) -> None:
        """As `give_back`, of what came by a consent that then led nowhere."""
        row = GrantRow(id=new_id(), user_id=user_id, kind=kind, base_url=grant.base_url, version=NEVER_USED)
        row.subject = grant.subject if len(grant.subject or "") <= MAX_ID else None
        self.keep(row, grant)
        row.revoke_due_at = utcnow() + LEASE
        async with self.sessions.begin() as session:
            if stays := await AccountDeletionRepository(session).stays(user_id):
                session.add(row)
        if stays:
            await self.give_back(user_id, row.id)
        elif not await self._others_stand_on(row):
            await self._revoked(row)

    async def round(self) -> int:
        """Ask once more for all that are due, and for tokens that others have replaced. Returns how many were asked
        for."""
        now = utcnow()
        async with self.sessions.begin() as session:
            due = await GrantRepository(session).take_due(now, now + LEASE, _ROUND)
            replaced = await ReplacedTokenRepository(session).take_due(now, now + LEASE, _ROUND)
        await asyncio.gather(
            *(self.give_back(*one) for one in due), *(self._give_back_replaced(*one) for one in replaced)
        )
        return len(due) + len(replaced)

    async def give_back_all(self, user_id: UUID) -> None:
        """Give everything of a user back to their networks, also what was replaced, then forget it. Takes at most half
        a minute for each.

        What a network refuses, or is away for, is logged: it keeps nobody here, and its tokens end by themselves.
        """
        async with self.sessions() as session:
            rows: list[GrantRow | ReplacedToken] = [*await GrantRepository(session).all(user_id)]
            rows += await ReplacedTokenRepository(session).all(user_id)
        for row in rows:
            if not await self._others_stand_on(row):
                await self._revoked(row, _AT_ONCE)
        async with self.sessions.begin() as session:
            await GrantRepository(session).forget_all(user_id)
            await ReplacedTokenRepository(session).forget_all(user_id)

    def _shares_access(self, row: GrantRow | ReplacedToken, other: GrantRow) -> bool:
        """Whether giving back one of a person's takes the other one, too: networks of one app may know one consent of
        each person. The last of them gives it back. Of what nothing ever posted by, a doubt is enough."""
        if other.id == row.id or other.base_url != row.base_url or not is_wanted(other):
            return False
        if channel(ChannelKind(row.kind)).traits.revokes_token_alone:
            return other.kind == row.kind and self._has_tokens_of(row, other)
        unused = isinstance(row, GrantRow) and row.version == NEVER_USED
        same = other.subject == row.subject if other.subject and row.subject else unused
        return same and (
            ChannelKind(other.kind) in _of_one_app(ChannelKind(row.kind)) if row.kind != other.kind else unused
        )

    async def _others_stand_on(self, row: GrantRow | ReplacedToken) -> bool:
        """Whether giving it back would take what other users of this installation post by, or choose from: of the same
        person, as far as that can be excluded."""
        kind = ChannelKind(row.kind)
        network = channel(kind)
        if not supports(network, BaseChannel.revoke):
            return False
        traits = network.traits
        kinds = [kind] if traits.revokes_token_alone else _of_one_app(kind)
        async with self.sessions() as session:
            others = await GrantRepository(session).of_others(row.user_id, kinds, row.base_url, row.subject)
        wanted = filter(is_wanted, others)
        return any(not traits.revokes_token_alone or self._has_tokens_of(row, other) for other in wanted)

    def _has_tokens_of(self, row: GrantRow | ReplacedToken, other: GrantRow) -> bool:
        """A server may hand out the same token for each consent of a person."""
        try:
            return _same_tokens(self._tokens(row), self._tokens(other))
        except ValueError:  # of a key that was lost: nobody posts by it
            return False

    async def _apps(self, kind: ChannelKind, base_url: str) -> list[App]:
        """Raises ValueError where the secret key was lost."""
        if not base_url:
            return []
        async with self.sessions() as session:
            rows = await AccountRepository(session).apps(kind, base_url)
        return [App(row.base_url, row.client_id, self.vault.decrypt(row.client_secret_encrypted)) for row in rows]

    async def _revoked(self, row: GrantRow | ReplacedToken, pauses: Sequence[float] = (0.0,)) -> ProviderError | None:
        """Why it could not be given back."""
        kind = ChannelKind(row.kind)
        try:
            grant = self._tokens(row)
            apps = await self._apps(kind, row.base_url)
        except ValueError:  # the secret key was lost: nobody can use it any more
            logger.warning("the tokens of grant %s cannot be read, so they are not revoked", row.id)
            return Refused(detail="the token cannot be read")
        error: ProviderError | None = None
        for pause in pauses:
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(_CALL.total_seconds()):
                    await channel(kind).revoke(grant, apps)
                return None
            except TimeoutError:
                error = RetrySafe(detail="no answer in time")
            except ProviderError as refused:
                error = refused
            logger.warning("%s does not take a token back: %s", kind, error.code)
            if not error.retryable:
                break
        return error


def _pause(error: ProviderError | None, attempts: int) -> timedelta | None:
    """Until the network is asked once more; None: it is not."""
    # an operator can put right what is wrong here
    passing = error is not None and (error.retryable or isinstance(error, Misconfigured))
    if error is None or not passing or attempts + 1 >= _TRIES:
        return None
    pause: timedelta = min(_FIRST_PAUSE * 2**attempts, _LONGEST_PAUSE)
    return max(pause, error.retry_after or timedelta(0))


def _same_tokens(one: Grant, other: Grant) -> bool:
    return one.access_token == other.access_token or (
        one.refresh_token is not None and one.refresh_token == other.refresh_token
    )


def is_wanted(row: GrantRow) -> bool:
    """Something posts by it, or its user is still choosing what does. Of any other the network may be asked by now to
    take it back."""
    return row.revoke_due_at is None or (row.revoke_attempts == 0 and row.revoke_due_at > utcnow() + LEASE)


def _of_one_app(kind: ChannelKind) -> list[ChannelKind]:
    """That one and the others that people connect by the same app of ours."""
    settings = channel(kind).connection.settings
    return [one for one in ChannelKind if one == kind or (settings and channel(one).connection.settings == settings)]
