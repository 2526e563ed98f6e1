"""Connecting social accounts: by consent at the network, by a form, or by a form that leads to consent."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.crypto import Vault, new_token, token_hash
from core.database import Sessions, notify_browsers
from core.errors import (
    Blocked,
    Conflict,
    ErrorCode,
    FieldError,
    InvalidInput,
    Misconfigured,
    NeedsReconnect,
    NotFound,
    ProviderError,
    Refused,
    TokenRefused,
)
from core.ids import new_id
from core.live import LiveKind
from core.networks.base import MAX_ID, App, Credentials, Grant, OAuthFlow, Profile
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, AccountType, ChannelKind, FieldName, FormField, GivenBack
from core.notifications.notifying import About, NotifyingService, of_article
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.social_accounts.grants import LEASE, NEVER_USED, GrantService, is_wanted
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.tables import Account, ConnectAttempt, NetworkApp
from core.social_accounts.tables import Grant as GrantRow
from core.texts.rules.texts import one_line, without_invisible
from core.users.repositories.deletion import AccountDeletionRepository

CONNECT_WITHIN = timedelta(minutes=30)
"""From leaving for a network to coming back."""


_MAX_ADDRESS: Final = 2_000
# what a network may say of a person who wants to connect; anything else is told as connect_failed
_REFUSALS = frozenset(code for code in ErrorCode if code.startswith("connect_"))


@dataclass(frozen=True)
class AuthorizationRequest:
    """On the way to a network's consent page."""

    authorize_url: str = field(repr=False)
    """Where the browser goes."""
    state: str = field(repr=False)
    """The network hands it back."""
    browser_secret: str = field(repr=False)
    """The browser keeps it, and shows it when it is back."""


@dataclass(frozen=True)
class Candidate:
    """An account that a consent leads to. `account_id`: as which it is connected already."""

    profile: Profile
    account_id: UUID | None


@dataclass(frozen=True)
class Choice:
    """What a person chooses from; nothing of it is stored but the grant."""

    grant_id: UUID
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Connected:
    accounts: list[Account]
    choice: Choice | None = None


@dataclass(frozen=True)
class Disconnected:
    access: GivenBack
    grant_id: UUID | None
    """What is over with it: its workflow is to be told, since its row may be gone."""


Added = Callable[[AsyncSession, Sequence[Account]], Awaitable[None]]
"""Told of those that were not connected before, in the transaction that stores them."""


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

    async def start(
        self, user_id: UUID, kind: ChannelKind, form: Mapping[str, str] | None = None
    ) -> AuthorizationRequest | Connected:
        """The way to the network's consent page, or where it wants none, what its form leads to.

        Raises Conflict (channel_not_configured), InvalidInput at `fields.<name>`, or with one of the `connect_…`.
        """
        network = channel(kind)
        if not network.configured():
            raise Conflict(ErrorCode.channel_not_configured, channel=kind)
        given = _checked(network.connection.fields, form or {})
        if not network.connection.consent:
            had: list[Grant] = []
            with as_told():
                async with self._or_given_back(user_id, kind, had):
                    grant = await network.sign_in(given)
                    had.append(grant)
                    profiles = _fitting(grant, await network.profiles(grant))
            return await self._found(user_id, kind, grant, profiles)
        app = await self._registered(kind, given) if network.connection.fields else None
        state, browser_secret = new_token(), new_token()
        await self.remember(user_id, kind, state, browser_secret, app.base_url if app else "")
        way = self._way(kind, state, browser_secret, app)
        return AuthorizationRequest(network.authorize_url(way), state, browser_secret)

    async def remember(self, user_id: UUID, kind: ChannelKind, state: str, browser_secret: str, base_url: str) -> None:
        """That somebody leaves for a page, so that they alone come back by it, once."""
        async with self.sessions.begin() as session:
            session.add(
                ConnectAttempt(
                    user_id=user_id,
                    kind=kind,
                    state_hash=_bound(state, browser_secret),
                    base_url=base_url,
                    expires_at=datetime.now(UTC) + CONNECT_WITHIN,
                )
            )

    async def come_back(self, user_id: UUID, kind: ChannelKind, state: str, browser_secret: str) -> str:
        """The base address of `remember`. Raises InvalidInput: connect_used, connect_expired."""
        hashed, now = _bound(state, browser_secret), datetime.now(UTC)
        async with self.sessions.begin() as session:
            attempts, used = AccountRepository(session), token_hash(state)
            base_url = await attempts.take_attempt(user_id, kind, hashed, used, now)
            again = base_url is None and await attempts.was_used(user_id, kind, used)
        if base_url is None:
            raise InvalidInput(ErrorCode.connect_used if again else ErrorCode.connect_expired)
        return base_url

    async def finish(
        self,
        user_id: UUID,
        kind: ChannelKind,
        *,
        state: str,
        browser_secret: str,
        code: str | None,
        error: str | None,
        description: str = "",
        added: Added | None = None,
    ) -> Connected:
        """Trade the callback's code for tokens. One account is stored at once, and so are those that are connected
        already; of several others a person chooses (`choose`).

        Raises InvalidInput: connect_used (finished already), connect_expired (not begun by this user in this browser,
        or too old), connect_denied (the person said no), another one of the `connect_…` (the network refused; its
        detail in the parameters).
        """
        base_url = await self.come_back(user_id, kind, state, browser_secret)
        network = channel(kind)
        if error or not code:
            refusal = network.refusal(error, description) if error else ErrorCode.connect_failed
            raise InvalidInput(refusal, error=error)
        app = await self._app(kind, base_url) if base_url else None
        had: list[Grant] = []
        with as_told():
            async with self._or_given_back(user_id, kind, had):
                grant = await network.exchange(self._way(kind, state, browser_secret, app), code, had.append)
                profiles = _fitting(grant, await network.profiles(grant))
        return await self._found(user_id, kind, grant, profiles, added)

    async def choose(self, user_id: UUID, grant_id: UUID, external_ids: Collection[str]) -> list[Account]:
        """Connect those of the accounts found. The network is asked for them once more: what it gives them was not
        kept. Raises NotFound where the consent is not there any more, InvalidInput with one of the `connect_…`, or at
        `external_ids` for what was not found."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
        if row is None:
            raise NotFound(what="grant", id=str(grant_id))
        with as_told():
            grant = self.grants.opened(row)
            profiles = _fitting(grant, await channel(ChannelKind(row.kind)).profiles(grant))
        chosen = [profile for profile in profiles if profile.external_id in external_ids]
        if len(chosen) < len(set(external_ids)) or not chosen:
            raise InvalidInput(errors=[FieldError("external_ids", ErrorCode.not_found)])
        async with self.sessions.begin() as session:
            await AccountRepository(session).in_turn(user_id)
            held = await GrantRepository(session).locked(user_id, grant_id)
            if held is None or held.token_id != row.token_id or not is_wanted(held):
                raise InvalidInput(ErrorCode.connect_expired)
            held.revoke_due_at, held.revoke_attempts = None, 0
            await GrantRepository(session).changed(held)
            accounts = [(await self._store(session, held, profile))[0] for profile in chosen]
            await notify_browsers(session, user_id, LiveKind.account)
        return accounts

    async def _found(
        self,
        user_id: UUID,
        kind: ChannelKind,
        grant: Grant,
        profiles: Sequence[Profile],
        added: Added | None = None,
    ) -> Connected:
        async with self.sessions.begin() as session:
            stays = await AccountDeletionRepository(session).stays(user_id)
            await AccountRepository(session).in_turn(user_id)
            row = await self._granted(session, user_id, kind, grant, profiles)
            had = {
                profile.external_id: account.id
                for profile in profiles
                if (
                    account := await AccountRepository(session).by_external(
                        user_id, kind, row.base_url, profile.external_id
                    )
                )
                and account.disconnected_at is None
            }
            at_once = profiles if len(profiles) == 1 else [one for one in profiles if one.external_id in had]
            stored = [await self._store(session, row, profile) for profile in (at_once if stays else ())]
            if added:
                await added(session, [account for account, new in stored if new])
            if await self._unused(session, row) and stays:
                row.revoke_due_at = utcnow() + CONNECT_WITHIN  # for whoever does not choose
            await notify_browsers(session, user_id, LiveKind.account)
        if not stays:  # the account was deleted while the network was asked
            await self.grants.give_back(user_id, row.id)
            raise InvalidInput(ErrorCode.connect_expired)
        left = len(at_once) < len(profiles)
        candidates = tuple(Candidate(profile, had.get(profile.external_id)) for profile in profiles)
        return Connected([account for account, _ in stored], Choice(row.id, candidates) if left else None)

    def _way(self, kind: ChannelKind, state: str, browser_secret: str, app: App | None) -> OAuthFlow:
        # known to nobody who sees the addresses alone, and kept nowhere
        verifier = self.vault.keyed_hash(f"pkce\0{state}\0{browser_secret}")
        return OAuthFlow(state, self.redirect_uri(kind), verifier, app)

    async def _registered(self, kind: ChannelKind, form: Mapping[str, str]) -> App | None:
        """Us at the server that the form names, as we are known there from now on."""
        before: App | None = None

        async def known(base_url: str) -> App | None:
            nonlocal before
            before = await self._app(kind, base_url)
            return before

        with as_told():
            app = await channel(kind).register(form, self.redirect_uri(kind), known)
        if app is None or app == before:
            return app
        await self._keep_app(kind, app, before)
        return await self._app(kind, app.base_url)

    async def _app(self, kind: ChannelKind, base_url: str) -> App | None:
        async with self.sessions() as session:
            row = await AccountRepository(session).app(kind, base_url, self.redirect_uri(kind))
        return App(row.base_url, row.client_id, self.vault.decrypt(row.client_secret_encrypted)) if row else None

    async def _keep_app(self, kind: ChannelKind, app: App, before: App | None) -> None:
        async with self.sessions.begin() as session:
            row = NetworkApp(
                kind=kind,
                base_url=app.base_url,
                redirect_uri=self.redirect_uri(kind),
                client_id=app.client_id,
                client_secret_encrypted=self.vault.encrypt(app.client_secret),
            )
            await AccountRepository(session).keep_app(row, before.client_id if before else None)

    @asynccontextmanager
    async def _or_given_back(self, user_id: UUID, kind: ChannelKind, had: Sequence[Grant]) -> AsyncIterator[None]:
        """Tokens that came before something went wrong are nobody's: nothing will ever post by them."""
        try:
            yield
        except ProviderError:
            if had:
                await self.grants.give_back_unused(user_id, kind, had[-1])
            raise

    async def sweep(self) -> None:
        """Forget ways to a network whose time is over; call it now and then."""
        async with self.sessions.begin() as session:
            await AccountRepository(session).sweep_attempts(datetime.now(UTC))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> Disconnected:
        """Forget its tokens; the posts that went out through it keep its name. With the last account of a consent the
        network is asked to take that back. Raises NotFound."""
        async with self.sessions.begin() as session:
            grant_id = await self.forget(session, await AccountRepository(session).get(user_id, account_id))
        access = await self.grants.give_back(user_id, grant_id) if grant_id else GivenBack.shared
        return Disconnected(access, grant_id)

    async def forget(self, session: AsyncSession, account: Account) -> UUID | None:
        """As `disconnect`, as a part of something larger. Returns the grant that is to be given back with it: a
        round of the workers does so, unless whoever calls does."""
        await AccountRepository(session).release(account.user_id, account.id)
        # locked, so that of two that leave at once one is the last
        row = account.grant_id and await GrantRepository(session).locked(account.user_id, account.grant_id)
        waited = await works_again(session, account)
        account.disconnected_at = datetime.now(UTC)
        account.access_token_encrypted = account.own_token_id = account.grant = None
        account.own_state = AccountState.connected
        await session.flush()
        await notify_browsers(session, account.user_id, LiveKind.account, account.id)
        if row and waited:
            await _tell_of_others(session, row)
        return row.id if row and await self._unused(session, row) else None

    async def _unused(self, session: AsyncSession, row: GrantRow) -> bool:
        """Whether nothing posts by it any more: then it is to be given back."""
        if unused := await GrantRepository(session).unused(row.user_id, row.id):
            row.revoke_due_at = utcnow() + LEASE
            await GrantRepository(session).changed(row)
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
        names, subject = [profile.external_id for profile in profiles], _whose(grant, profiles)
        row = await GrantRepository(session).of_subject(user_id, kind, grant.base_url, subject, names)
        if row is not None:
            self.grants.put_aside(session, row, grant)
        if row is None:
            row = GrantRow(id=new_id(), user_id=user_id, kind=kind, base_url=grant.base_url, version=NEVER_USED)
            session.add(row)
        elif row.state is AccountState.needs_reconnecting:
            for account in await GrantRepository(session).accounts_of(user_id, row.id):
                await works_again(session, account)
        else:
            await lasts(session, row)
        row.subject = subject or row.subject
        row.refused_at = None
        self.grants.keep(row, grant)
        await GrantRepository(session).changed(row)
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
        account.handle = profile.handle
        if profile.limits is not None:
            account.server_limits = dict(profile.limits)
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


RENEWED_WITHIN: Final = timedelta(seconds=2)
"""How long whoever was refused waits for a new token before they look again."""
# a new token that is refused as well, within this time, is not renewed once more
_ONCE = timedelta(hours=1)
# how long a network may refuse a token that it has just made
_KNOWN_WITHIN = timedelta(seconds=30)


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
    notifying, about, names = NotifyingService(session), About(account_id=account.id), [account.called]
    if row is not None and not alone:
        await GrantRepository(session).changed(row)
        await lasts(session, row)
        names = [one.called for one in await GrantRepository(session).accounts_of(row.user_id, row.id)] or names
    if user := await notifying.tell(account.user_id, NotificationKind.account_reconnect, ended, about):
        params = {"account": ", ".join(names), "network": channel(ChannelKind(account.kind)).label}
        article = of_article(account.kind.is_site)
        await notifying.mail(user, MailKind.account_needs_reconnecting, params | article)


async def works_again(session: AsyncSession, account: Account) -> bool:
    """Or is not used any more: nobody has to connect it again. Whether somebody was told that they had to."""
    told = False
    if account.state is AccountState.needs_reconnecting:
        about = About(account_id=account.id)
        told = await NotifyingService(session).over(account.user_id, about, NotificationKind.account_reconnect)
    if account.grant is not None:
        await lasts(session, account.grant)
    return told


async def _tell_of_others(session: AsyncSession, row: GrantRow) -> None:
    """What was told of an account that is gone is so of those that post by the same. No mail: they had that."""
    if row.state is not AccountState.needs_reconnecting:
        return
    for account in (await GrantRepository(session).accounts_of(row.user_id, row.id))[:1]:
        about, cause = About(account_id=account.id), f"{account.id}:{row.token_id}"
        await NotifyingService(session).tell(row.user_id, NotificationKind.account_reconnect, cause, about)


async def lasts(session: AsyncSession, row: GrantRow) -> None:
    """Nobody has to look at its end any more: it has another one, or has come."""
    if row.warned_days is not None:
        row.warned_days = None
        for account in await GrantRepository(session).accounts_of(row.user_id, row.id):
            about = About(account_id=account.id)
            await NotifyingService(session).over(row.user_id, about, NotificationKind.account_expires)


async def access_refused(
    session: AsyncSession, account: Account, error: NeedsReconnect, *, by: UUID | None
) -> timedelta | None:
    """A call was refused that was made `by` the token with that id, which the account posted by. Where it is the token
    alone, and another one can be had without a person, the workflow of its grant gets that, once for all whose calls
    were refused. Returns how long to wait for it; None: the account needs a person, who was told. Of a token that it
    has no more, nothing follows."""
    if account.token_id != by:
        return RENEWED_WITHIN
    row, now = account.grant, utcnow()
    if isinstance(error, TokenRefused) and row is not None and account.own_token_id is None:
        if renewing(account):  # another call was refused before this one
            return RENEWED_WITHIN
        asked = row.refused_at is not None and now - row.refused_at < _ONCE
        if asked and now - row.token_since < _KNOWN_WITHIN:  # a network may not know everywhere what it has just made
            return RENEWED_WITHIN
        lives = row.state is AccountState.connected and GrantService.lifetime(row).can_be_renewed(now)
        if lives and not asked:
            row.refused_token_id, row.refused_at = row.token_id, now
            await GrantRepository(session).changed(row)
            return RENEWED_WITHIN
    await needs_reconnecting(session, account, error)
    await notify_browsers(session, account.user_id, LiveKind.account, account.id)
    return None


def renewing(account: Account) -> bool:
    """Whether its token was refused, and another one is being asked for."""
    row = account.grant
    return (
        row is not None
        and account.own_token_id is None
        and row.refused_token_id == row.token_id
        and row.state is AccountState.connected
    )


def _bound(state: str, browser_secret: str) -> str:
    """What is kept of both: neither is worth anything without the other."""
    return token_hash(f"{state}.{browser_secret}")


def _fitting(grant: Grant, profiles: Sequence[Profile]) -> list[Profile]:
    """What is kept of accounts, as any server says it. Raises Refused for an id that no network has."""
    if any(len(one) > MAX_ID for one in (grant.subject or "", *(profile.external_id for profile in profiles))):
        raise Refused(ErrorCode.connect_failed, detail=f"an id of more than {MAX_ID} characters")
    return [
        replace(
            profile,
            name=profile.name[:200],
            handle=profile.handle[:253],
            picture_url=profile.picture_url if len(profile.picture_url or "") <= _MAX_ADDRESS else None,
        )
        for profile in profiles
    ]


def _whose(grant: Grant, profiles: Sequence[Profile]) -> str | None:
    """Who consented: where the network does not say it with the tokens, a person whose account is all that they lead
    to."""
    [first, *more] = profiles
    return grant.subject or (first.external_id if first.type is AccountType.person and not more else None)


def _checked(fields: Sequence[FormField], form: Mapping[str, str]) -> dict[str, str]:
    """Raises InvalidInput, at each field."""
    given = {
        one.name.value: one_line(said) if one.name is FieldName.site_name else without_invisible(said)
        for one in fields
        for said in [form.get(one.name, "")]
    }
    problems = [
        FieldError(f"fields.{one.name}", ErrorCode.field_required if not given[one.name] else ErrorCode.field_too_long)
        for one in fields
        if not 0 < len(given[one.name]) <= one.max_length
    ]
    if problems:
        raise InvalidInput(errors=problems)
    return given


@contextmanager
def as_told() -> Iterator[None]:
    """What a network refuses, as a person is told it: at a field of the form where it names one. Also raises
    Misconfigured and Blocked."""
    try:
        yield
    except (Misconfigured, Blocked):
        raise  # nothing that another try of theirs would mend
    except ProviderError as refused:
        code = refused.code if refused.code in _REFUSALS else ErrorCode.connect_failed
        at, scopes = refused.params.get("field"), refused.params.get("scopes")
        if at:
            raise InvalidInput(code, errors=[FieldError(f"fields.{at}", code)]) from refused
        if scopes:
            raise InvalidInput(code, error=refused.detail[:200], scopes=scopes) from refused
        raise InvalidInput(code, error=refused.detail[:200]) from refused
