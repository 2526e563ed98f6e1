"""Connecting social accounts by OAuth."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.crypto import Vault, new_token, token_hash
from core.database import Sessions, notify_browsers
from core.domain.channels import AccountState, ChannelKind
from core.domain.errors import Conflict, ErrorCode, InvalidInput, ProviderError
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.notifications import NotificationKind
from core.models import Account, ConnectAttempt, MailKind
from core.providers.channels import channel
from core.providers.channels.base import Credentials, Grant, Profile
from core.repositories.account_deletion import AccountDeletionRepository
from core.repositories.accounts import AccountRepository
from core.services.notifying import About, NotifyingService

logger = logging.getLogger(__name__)

CONNECT_WITHIN = timedelta(minutes=30)
"""From leaving for a network to coming back."""
# seconds before each try to give a token back, and how long one may take
_REVOKE_WAITS = (0, 1, 3)
_REVOKE_SECONDS = 8
DENIED = frozenset({"user_cancelled_login", "user_cancelled_authorize", "access_denied"})


@dataclass(frozen=True)
class Departure:
    """On the way to a network's consent page."""

    authorize_url: str = field(repr=False)
    """Where the browser goes."""
    state: str = field(repr=False)
    """The network hands it back."""
    browser_secret: str = field(repr=False)
    """The browser keeps it, and shows it when it is back."""


@dataclass(frozen=True)
class ConnectingService:
    sessions: Sessions
    vault: Vault
    public_url: str

    def redirect_uri(self, kind: ChannelKind) -> str:
        return f"{self.public_url}/account/connect/{kind}/callback/"

    async def start(self, user_id: UUID, kind: ChannelKind) -> Departure:
        """Raises Conflict (channel_not_configured)."""
        network = channel(kind)
        if not network.configured():
            raise Conflict(ErrorCode.channel_not_configured, channel=kind)
        state, browser_secret = new_token(), new_token()
        async with self.sessions.begin() as session:
            session.add(
                ConnectAttempt(
                    user_id=user_id,
                    kind=kind,
                    state_hash=_bound(state, browser_secret),
                    expires_at=datetime.now(UTC) + CONNECT_WITHIN,
                )
            )
        address = network.authorize_url(state=state, redirect_uri=self.redirect_uri(kind))
        return Departure(address, state, browser_secret)

    async def finish(
        self,
        user_id: UUID,
        kind: ChannelKind,
        *,
        state: str,
        browser_secret: str,
        code: str | None,
        error: str | None,
        added: Callable[[AsyncSession, Sequence[Account]], Awaitable[None]] | None = None,
    ) -> list[Account]:
        """Trade the callback's code for tokens and store the accounts found. `added` is called with those that were not
        connected before, in the transaction that stores them.

        Raises InvalidInput: connect_expired (not begun by this user in this browser, finished already, or too old),
        connect_denied (the person said no), connect_failed (the network refused; its detail in the parameters).
        """
        hashed, now = _bound(state, browser_secret), datetime.now(UTC)
        async with self.sessions.begin() as session:
            mine = await AccountRepository(session).take_attempt(user_id, kind, hashed, now)
        if not mine:
            raise InvalidInput(ErrorCode.connect_expired)
        if error or not code:
            denied = error in DENIED
            raise InvalidInput(ErrorCode.connect_denied if denied else ErrorCode.connect_failed, error=error)
        network = channel(kind)
        try:
            grant = await network.exchange(code=code, redirect_uri=self.redirect_uri(kind))
            profiles = await network.profiles(grant)
        except ProviderError as refused:
            raise InvalidInput(ErrorCode.connect_failed, error=refused.detail[:200]) from refused
        async with self.sessions.begin() as session:
            stays = await AccountDeletionRepository(session).stays(user_id)
            stored = [
                await self._store(AccountRepository(session), user_id, kind, grant, profile)
                for profile in (profiles if stays else ())
            ]
            if added:
                await added(session, [account for account, new in stored if new])
            await notify_browsers(session, user_id, LiveKind.account)
        if not stays:  # the account was deleted while the network was asked
            await self._revoke(kind, {grant.access_token, grant.refresh_token or ""})
            raise InvalidInput(ErrorCode.connect_expired)
        return [account for account, _ in stored]

    async def sweep(self) -> None:
        """Forget ways to a network that nobody came back from in time; call it now and then."""
        async with self.sessions.begin() as session:
            await AccountRepository(session).sweep_attempts(datetime.now(UTC))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> None:
        """Forget the tokens; the posts that went out through it keep its name."""
        async with self.sessions.begin() as session:
            await self.forget(session, await AccountRepository(session).get(user_id, account_id))

    async def forget(self, session: AsyncSession, account: Account) -> None:
        """As `disconnect`, as a part of something larger."""
        await AccountRepository(session).release(account.user_id, account.id)
        account.disconnected_at = datetime.now(UTC)
        account.access_token_encrypted = self.vault.encrypt("")
        account.refresh_token_encrypted = None
        await _works_again(session, account)
        await notify_browsers(session, account.user_id, LiveKind.account, account.id)

    async def revoke_all(self, user_id: UUID) -> None:
        """Give all tokens of a user back to their networks, then forget them. Takes at most half a minute per token.

        What a network refuses, or is away for, is logged: it keeps nobody here, and its tokens end by themselves.
        """
        async with self.sessions() as session:
            accounts = await AccountRepository(session).ever_connected(user_id)
        held: dict[ChannelKind, set[str]] = {}
        for account in accounts:
            held.setdefault(ChannelKind(account.kind), set()).update(self._tokens(account))
        for kind, tokens in held.items():
            await self._revoke(kind, tokens)
        async with self.sessions.begin() as session:
            await AccountRepository(session).forget_tokens(user_id, self.vault.encrypt(""))

    def _tokens(self, account: Account) -> set[str]:
        try:
            return {
                self.vault.decrypt(sealed)
                for sealed in (account.access_token_encrypted, account.refresh_token_encrypted)
                if sealed
            }
        except ValueError:  # the secret key was lost: nobody can use them any more
            logger.warning("the tokens of account %s cannot be read, so they are not revoked", account.id)
            return set()

    async def _revoke(self, kind: ChannelKind, tokens: set[str]) -> None:
        for token in filter(None, tokens):
            for pause in _REVOKE_WAITS:
                await asyncio.sleep(pause)
                try:
                    async with asyncio.timeout(_REVOKE_SECONDS):
                        await channel(kind).revoke(token)
                    break
                except TimeoutError:
                    logger.warning("%s does not take a token back: no answer", kind)
                except ProviderError as error:
                    logger.warning("%s does not take a token back: %s", kind, error.code)
                    if not error.retryable:
                        break

    def credentials(self, account: Account) -> Credentials:
        """Read inside of an activity only: tokens never travel through a workflow."""
        return Credentials(account.external_id, account.type, self.vault.decrypt(account.access_token_encrypted))

    async def _store(
        self,
        accounts: AccountRepository,
        user_id: UUID,
        kind: ChannelKind,
        grant: Grant,
        profile: Profile,
    ) -> tuple[Account, bool]:
        """(account, whether it was not connected before)."""
        account = await accounts.by_external(user_id, kind, profile.external_id)
        new = account is None or account.disconnected_at is not None
        if account is None:
            account = Account(id=new_id(), user_id=user_id, kind=kind, external_id=profile.external_id)
            accounts.session.add(account)
        account.type, account.name, account.picture_url = profile.type, profile.name, profile.picture_url
        if account.state is AccountState.needs_reconnecting:
            await _works_again(accounts.session, account)
        account.state, account.disconnected_at = AccountState.connected, None
        account.access_token_encrypted = self.vault.encrypt(grant.access_token)
        if grant.refresh_token:  # a reconnect never stores an empty one over a good one
            account.refresh_token_encrypted = self.vault.encrypt(grant.refresh_token)
        account.expires_at, account.scopes = grant.expires_at, list(grant.scopes)
        await accounts.session.flush()
        return account, new


async def needs_reconnecting(session: AsyncSession, account: Account) -> None:
    """Its network takes the token no longer. Its user is told once, until it is connected again."""
    if account.state is AccountState.needs_reconnecting:
        return
    account.state = AccountState.needs_reconnecting
    # each connection ends once, whatever finds out at the same moment; nobody learns a token from this
    ended = f"{account.id}:{token_hash(account.access_token_encrypted)[:32]}"
    notifying, about = NotifyingService(session), About(account_id=account.id)
    if user := await notifying.tell(account.user_id, NotificationKind.account_reconnect, ended, about):
        params = {"account": account.name, "network": channel(ChannelKind(account.kind)).label}
        await notifying.mail(user, MailKind.account_needs_reconnecting, params)


async def _works_again(session: AsyncSession, account: Account) -> None:
    """Or is not used any more: nobody has to connect it again."""
    about = About(account_id=account.id)
    await NotifyingService(session).over(account.user_id, about, NotificationKind.account_reconnect)


def _bound(state: str, browser_secret: str) -> str:
    """What is kept of both: neither is worth anything without the other."""
    return token_hash(f"{state}.{browser_secret}")
