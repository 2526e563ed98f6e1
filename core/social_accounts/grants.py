"""Tokens granted by networks: stored encrypted, and revoked once no account uses them."""

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
from core.networks.base import BaseChannel, supports
from core.networks.connections import MAX_ID, App, Grant
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind, GivenBack
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.repositories.replaced_tokens import ReplacedTokenRepository
from core.social_accounts.rules import TokenLifetime
from core.social_accounts.tables import Grant as GrantRow
from core.social_accounts.tables import ReplacedToken
from core.users.repositories.deletion import AccountDeletionRepository

logger = logging.getLogger(__name__)

# time-out of the call, and how long no other caller revokes the same
_CALL_TIMEOUT = timedelta(seconds=8)
LEASE = timedelta(minutes=1)
# pauses between attempts, for about two weeks
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=5), timedelta(days=1)
_MAX_ATTEMPTS = 20
# seconds before each attempt while a user is deleted: nobody can repeat it later
_AT_ONCE = (0.0, 1.0, 3.0)
_BATCH = 20
_CALL_GRACE = timedelta(minutes=5)
"""Calls with a replaced token have ended after this time; later ones use the new token."""
NEVER_USED: Final = 0
"""Version of a grant that no account has ever used."""


@dataclass(frozen=True)
class GrantService:
    sessions: Sessions
    vault: Vault

    def decrypt(self, row: GrantRow) -> Grant:
        """Raises ValueError if the secret key was lost."""
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
    def lifetime(row: GrantRow) -> TokenLifetime:
        network = channel(ChannelKind(row.kind))
        renews = supports(network, BaseChannel.refresh) and row.refresh_token_encrypted is not None
        return TokenLifetime(row.id, row.token_since, row.expires_at, renews, row.refresh_expires_at)

    def store_tokens(self, row: GrantRow, grant: Grant) -> None:
        """Store these tokens, and mark the grant as connected."""
        row.access_token_encrypted, row.token_id = self.vault.encrypt(grant.access_token), new_id()
        row.token_since, row.refused_token_id, row.renewing_until = utcnow(), None, None
        if grant.refresh_token:  # a reconnect never replaces a good refresh token by an empty one
            row.refresh_token_encrypted = self.vault.encrypt(grant.refresh_token)
            row.refresh_expires_at = grant.refresh_expires_at
        row.expires_at, row.scopes = grant.expires_at, list(grant.scopes)
        row.state, row.revoke_due_at, row.revoke_attempts = AccountState.connected, None, 0
        row.warned_days = None

    def keep_replaced_tokens(self, session: AsyncSession, row: GrantRow, grant: Grant) -> None:
        """Before `store_tokens` replaces the tokens by another consent's: keep the old ones for their revocation, where
        that ends nothing else. Not if the server has issued the same ones again."""
        kind = ChannelKind(row.kind)
        if not channel(kind).traits.revokes_token_alone:
            return
        try:
            had = self._tokens(row)
        except ValueError:  # the secret key was lost: nobody can use them any more
            logger.warning("the tokens of grant %s cannot be decrypted, so they are not revoked", row.id)
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
                    due_at=utcnow() + _CALL_GRACE,
                )
            )

    async def revoke(self, user_id: UUID, grant_id: UUID) -> GivenBack:
        """Try once to revoke the grant at its network. If that fails for now, `retry_revocations` repeats it a limited
        number of times."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
            mine = await GrantRepository(session).list_all(user_id) if row else []
        if row is None or row.revoke_due_at is None:
            return GivenBack.shared
        shared = any(self._shares_access(row, other) for other in mine)
        # a user who leaves does not learn that another user has the same grant
        left = shared or await self._is_used_by_others(row)
        error = None if left else await self._call_revoke(row)
        async with self.sessions.begin() as session:
            grants = GrantRepository(session)
            if pause := _retry_pause(error, row.revoke_attempts):
                await grants.postpone(user_id, grant_id, row.token_id, utcnow() + pause)
                return GivenBack.waiting
            await grants.delete(user_id, grant_id, row.token_id)
        if shared:
            return GivenBack.shared
        if error or left:
            return GivenBack.refused
        await self._recheck_grants(row)
        return GivenBack.revoked

    async def _recheck_grants(self, row: GrantRow) -> None:
        """Let other grants be checked that may have been issued by the consent that was just revoked."""
        kind = ChannelKind(row.kind)
        if channel(kind).traits.revokes_token_alone:
            return
        async with self.sessions.begin() as session:
            grants = GrantRepository(session)
            others = await grants.list_of_others(row.user_id, _kinds_of_same_app(kind), row.base_url, row.subject)
            mine = [other for other in await grants.list_all(row.user_id) if self._shares_access(row, other)]
            if since := [(grant.user_id, grant.id) for grant in (*filter(is_wanted, others), *mine)]:
                await grants.mark_all_changed(since)

    async def _revoke_replaced(self, user_id: UUID, token_id: UUID) -> None:
        """As `revoke`, for replaced tokens."""
        async with self.sessions() as session:
            row = await ReplacedTokenRepository(session).find(user_id, token_id)
            mine = await GrantRepository(session).list_all(user_id) if row else []
        if row is None:
            return
        left = any(self._shares_access(row, other) for other in mine) or await self._is_used_by_others(row)
        error = None if left else await self._call_revoke(row)
        async with self.sessions.begin() as session:
            replaced = ReplacedTokenRepository(session)
            if pause := _retry_pause(error, row.attempts):
                await replaced.postpone(user_id, token_id, utcnow() + pause)
            else:
                await replaced.delete(user_id, token_id)

    async def revoke_unused(self, user_id: UUID, kind: ChannelKind, grant: Grant) -> None:
        """As `revoke`, for tokens of a consent that led to no account."""
        row = GrantRow(id=new_id(), user_id=user_id, kind=kind, base_url=grant.base_url, version=NEVER_USED)
        row.subject = grant.subject if len(grant.subject or "") <= MAX_ID else None
        self.store_tokens(row, grant)
        row.revoke_due_at = utcnow() + LEASE
        async with self.sessions.begin() as session:
            if stays := await AccountDeletionRepository(session).lock_remaining(user_id):
                session.add(row)
        if stays:
            await self.revoke(user_id, row.id)
        elif not await self._is_used_by_others(row):
            await self._call_revoke(row)

    async def retry_revocations(self) -> int:
        """Retry due revocations, also of replaced tokens. Return their number."""
        now = utcnow()
        async with self.sessions.begin() as session:
            due = await GrantRepository(session).claim_due(now, now + LEASE, _BATCH)
            replaced = await ReplacedTokenRepository(session).claim_due(now, now + LEASE, _BATCH)
        await asyncio.gather(*(self.revoke(*key) for key in due), *(self._revoke_replaced(*key) for key in replaced))
        return len(due) + len(replaced)

    async def revoke_all(self, user_id: UUID) -> None:
        """Revoke all tokens of a user at their networks, also replaced ones, then delete them. At most half a minute
        for each.

        Failures are logged: they do not stop the deletion, and the tokens expire by themselves.
        """
        async with self.sessions() as session:
            rows: list[GrantRow | ReplacedToken] = [*await GrantRepository(session).list_all(user_id)]
            rows += await ReplacedTokenRepository(session).list_all(user_id)
        for row in rows:
            if not await self._is_used_by_others(row):
                await self._call_revoke(row, _AT_ONCE)
        async with self.sessions.begin() as session:
            await GrantRepository(session).delete_all(user_id)
            await ReplacedTokenRepository(session).delete_all(user_id)

    def _shares_access(self, row: GrantRow | ReplacedToken, other: GrantRow) -> bool:
        """Return whether revoking `row` would also end `other` of the same user: networks of one app may have one
        consent per person. The last of them revokes it. For a grant that was never used, a doubt is enough."""
        if other.id == row.id or other.base_url != row.base_url or not is_wanted(other):
            return False
        if channel(ChannelKind(row.kind)).traits.revokes_token_alone:
            return other.kind == row.kind and self._has_tokens_of(row, other)
        unused = isinstance(row, GrantRow) and row.version == NEVER_USED
        same = other.subject == row.subject if other.subject and row.subject else unused
        return same and (
            ChannelKind(other.kind) in _kinds_of_same_app(ChannelKind(row.kind)) if row.kind != other.kind else unused
        )

    async def _is_used_by_others(self, row: GrantRow | ReplacedToken) -> bool:
        """Return whether revoking would end a grant of another user: of the same person, as far as that cannot be
        excluded."""
        kind = ChannelKind(row.kind)
        network = channel(kind)
        if not supports(network, BaseChannel.revoke):
            return False
        traits = network.traits
        kinds = [kind] if traits.revokes_token_alone else _kinds_of_same_app(kind)
        async with self.sessions() as session:
            others = await GrantRepository(session).list_of_others(row.user_id, kinds, row.base_url, row.subject)
        in_use = filter(is_wanted, others)
        return any(not traits.revokes_token_alone or self._has_tokens_of(row, other) for other in in_use)

    def _has_tokens_of(self, row: GrantRow | ReplacedToken, other: GrantRow) -> bool:
        """Return whether both have the same token: a server may issue the same one for each consent of a person."""
        try:
            return _same_tokens(self._tokens(row), self._tokens(other))
        except ValueError:  # the secret key was lost: nobody uses it
            return False

    async def _load_apps(self, kind: ChannelKind, base_url: str) -> list[App]:
        """Raises ValueError if the secret key was lost."""
        if not base_url:
            return []
        async with self.sessions() as session:
            rows = await AccountRepository(session).list_apps(kind, base_url)
        return [App(row.base_url, row.client_id, self.vault.decrypt(row.client_secret_encrypted)) for row in rows]

    async def _call_revoke(
        self, row: GrantRow | ReplacedToken, pauses: Sequence[float] = (0.0,)
    ) -> ProviderError | None:
        """Return the error, or None if it was revoked."""
        kind = ChannelKind(row.kind)
        try:
            grant = self._tokens(row)
            apps = await self._load_apps(kind, row.base_url)
        except ValueError:  # the secret key was lost: nobody can use it any more
            logger.warning("the tokens of grant %s cannot be decrypted, so they are not revoked", row.id)
            return Refused(detail="the token cannot be decrypted")
        error: ProviderError | None = None
        for pause in pauses:
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
                    await channel(kind).revoke(grant, apps)
                return None
            except TimeoutError:
                error = RetrySafe(detail="no answer in time")
            except ProviderError as refused:
                error = refused
            logger.warning("%s did not revoke a token: %s", kind, error.code)
            if not error.retryable:
                break
        return error


def _retry_pause(error: ProviderError | None, attempts: int) -> timedelta | None:
    """Return the pause before the next attempt, or None for no further one."""
    # an operator can fix wrong settings
    passing = error is not None and (error.retryable or isinstance(error, Misconfigured))
    if error is None or not passing or attempts + 1 >= _MAX_ATTEMPTS:
        return None
    pause: timedelta = min(_FIRST_PAUSE * 2**attempts, _LONGEST_PAUSE)
    return max(pause, error.retry_after or timedelta(0))


def _same_tokens(first: Grant, other: Grant) -> bool:
    return first.access_token == other.access_token or (
        first.refresh_token is not None and first.refresh_token == other.refresh_token
    )


def is_wanted(row: GrantRow) -> bool:
    """Return whether an account uses the grant, or its user is still choosing one. Any other may be revoked at any
    time."""
    return row.revoke_due_at is None or (row.revoke_attempts == 0 and row.revoke_due_at > utcnow() + LEASE)


def _kinds_of_same_app(kind: ChannelKind) -> list[ChannelKind]:
    """Return the network and others that are connected by the same app."""
    settings = channel(kind).connection.settings
    return [
        other for other in ChannelKind if other == kind or (settings and channel(other).connection.settings == settings)
    ]
