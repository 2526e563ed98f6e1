"""Connecting social accounts by OAuth."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.crypto import Vault, new_token, token_hash
from core.database import Sessions, notify_browsers
from core.domain.channels import AccountState, ChannelKind, GivenBack
from core.domain.errors import Conflict, ErrorCode, InvalidInput, NeedsReconnect, ProviderError
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.notifications import NotificationKind
from core.models import Account, ConnectAttempt, MailKind
from core.models import Grant as GrantRow
from core.providers.channels import channel
from core.providers.channels.base import Credentials, Grant, Profile
from core.repositories.account_deletion import AccountDeletionRepository
from core.repositories.accounts import AccountRepository
from core.repositories.grants import GrantRepository
from core.services.granting import LEASE, GrantService
from core.services.notifying import About, NotifyingService

CONNECT_WITHIN = timedelta(minutes=30)
"""From leaving for a network to coming back."""
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

    @cached_property
    def grants(self) -> GrantService:
        return GrantService(self.sessions, self.vault)

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
            row = await self._granted(session, user_id, kind, grant, profiles)
            stored = [await self._store(session, row, profile) for profile in (profiles if stays else ())]
            if added:
                await added(session, [account for account, new in stored if new])
            await self._unused(session, row)
            await notify_browsers(session, user_id, LiveKind.account)
        if not stays:  # the account was deleted while the network was asked
            await self.grants.give_back(user_id, row.id)
            raise InvalidInput(ErrorCode.connect_expired)
        return [account for account, _ in stored]

    async def sweep(self) -> None:
        """Forget ways to a network that nobody came back from in time; call it now and then."""
        async with self.sessions.begin() as session:
            await AccountRepository(session).sweep_attempts(datetime.now(UTC))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> GivenBack:
        """Forget its tokens; the posts that went out through it keep its name. With the last account of a consent the
        network is asked to take that back. Raises NotFound."""
        async with self.sessions.begin() as session:
            grant_id = await self.forget(session, await AccountRepository(session).get(user_id, account_id))
        return await self.grants.give_back(user_id, grant_id) if grant_id else GivenBack.shared

    async def forget(self, session: AsyncSession, account: Account) -> UUID | None:
        """As `disconnect`, as a part of something larger. Returns the grant that is to be given back with it: a
        round of the workers does so, unless whoever calls does."""
        await AccountRepository(session).release(account.user_id, account.id)
        # locked, so that of two that leave at once one is the last
        row = account.grant_id and await GrantRepository(session).locked(account.user_id, account.grant_id)
        await works_again(session, account)
        account.disconnected_at = datetime.now(UTC)
        account.access_token_encrypted = account.own_token_id = account.grant = None
        account.own_state = AccountState.connected
        await session.flush()
        await notify_browsers(session, account.user_id, LiveKind.account, account.id)
        return row.id if row and await self._unused(session, row) else None

    async def _unused(self, session: AsyncSession, row: GrantRow) -> bool:
        """Whether nothing posts by it any more: then it is to be given back."""
        if unused := await GrantRepository(session).unused(row.user_id, row.id):
            row.revoke_due_at = utcnow() + LEASE
        return unused

    async def revoke_all(self, user_id: UUID) -> None:
        """As `GrantService.give_back_all`."""
        await self.grants.give_back_all(user_id)

    def credentials(self, account: Account) -> Credentials:
        """Read inside of an activity only: tokens never travel through a workflow. Raises ValueError where the secret
        key was lost."""
        sealed = account.sealed_token
        token = self.vault.decrypt(sealed) if sealed else ""
        return Credentials(account.external_id, account.type, token, account.base_url)

    async def _granted(
        self, session: AsyncSession, user_id: UUID, kind: ChannelKind, grant: Grant, profiles: Sequence[Profile]
    ) -> GrantRow:
        """The row of this consent: of a repeated one the same, so that all that posts by it goes on."""
        names = [profile.external_id for profile in profiles]
        row = await GrantRepository(session).of_subject(user_id, kind, grant.base_url, grant.subject, names)
        if row is None:
            row = GrantRow(id=new_id(), user_id=user_id, kind=kind, base_url=grant.base_url)
            session.add(row)
        elif row.state is AccountState.needs_reconnecting:
            for account in await GrantRepository(session).accounts_of(user_id, row.id):
                await works_again(session, account)
        row.subject = grant.subject or row.subject
        self.grants.keep(row, grant)
        await session.flush()
        return row

    async def _store(self, session: AsyncSession, row: GrantRow, profile: Profile) -> tuple[Account, bool]:
        """(account, whether it was not connected before). Connected once more it keeps its id, and with it its posts
        and who posts through it."""
        accounts, kind = AccountRepository(session), ChannelKind(row.kind)
        account = await accounts.by_external(row.user_id, kind, row.base_url, profile.external_id)
        new = account is None or account.disconnected_at is not None
        if account is None:
            account = Account(
                id=new_id(), user_id=row.user_id, kind=kind, base_url=row.base_url, external_id=profile.external_id
            )
            session.add(account)
        account.type, account.name, account.picture_url = profile.type, profile.name, profile.picture_url
        earlier = account.grant
        await works_again(session, account)
        account.own_state, account.disconnected_at, account.grant = AccountState.connected, None, row
        token = profile.access_token
        account.access_token_encrypted, account.own_token_id = (
            (self.vault.encrypt(token), new_id()) if token else (None, None)
        )
        await session.flush()
        if earlier is not None and earlier is not row:
            await self._unused(session, earlier)
        return account, new


async def needs_reconnecting(session: AsyncSession, account: Account, error: NeedsReconnect | None = None) -> None:
    """Its network takes the token no longer: with a token of its own that is the account's affair, or where its user
    has lost a role; else nothing that posts by the same consent works. Its user is told once, until it is connected
    again."""
    if account.state is AccountState.needs_reconnecting:
        return
    row = account.grant
    alone = row is None or account.own_token_id is not None or (error is not None and error.of_account)
    if row is None or alone:
        account.own_state = AccountState.needs_reconnecting
    else:
        row.state = AccountState.needs_reconnecting
    # each connection ends once, whatever finds out at the same moment
    ended = f"{account.id if row is None or alone else row.id}:{account.token_id}"
    notifying, about = NotifyingService(session), About(account_id=account.id)
    if user := await notifying.tell(account.user_id, NotificationKind.account_reconnect, ended, about):
        params = {"account": account.name, "network": channel(ChannelKind(account.kind)).label}
        await notifying.mail(user, MailKind.account_needs_reconnecting, params)


async def works_again(session: AsyncSession, account: Account) -> None:
    """Or is not used any more: nobody has to connect it again."""
    if account.state is AccountState.needs_reconnecting:
        about = About(account_id=account.id)
        await NotifyingService(session).over(account.user_id, about, NotificationKind.account_reconnect)


def _bound(state: str, browser_secret: str) -> str:
    """What is kept of both: neither is worth anything without the other."""
    return token_hash(f"{state}.{browser_secret}")
