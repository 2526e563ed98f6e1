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
    NotFound,
    ProviderError,
    Refused,
)
from core.ids import new_id
from core.live import LiveKind
from core.networks.connections import MAX_ID, App, Credentials, Grant, OAuthFlow, Profile
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, AccountType, ChannelKind, FieldName, FormField, GivenBack
from core.social_accounts.grants import LEASE, NEVER_USED, GrantService, is_wanted
from core.social_accounts.reconnecting import clear_expiry_warning, clear_reconnect_notice, notify_other_accounts
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.tables import Account, ConnectAttempt, NetworkApp
from core.social_accounts.tables import Grant as GrantRow
from core.texts.rules.texts import one_line, without_invisible
from core.users.repositories.deletion import AccountDeletionRepository

CONNECT_WITHIN = timedelta(minutes=30)
"""Time from leaving for the network to coming back."""


_MAX_ADDRESS: Final = 2_000
# codes that a network may report to the user; others become connect_failed
_REFUSALS = frozenset(code for code in ErrorCode if code.startswith("connect_"))


@dataclass(frozen=True)
class AuthorizationRequest:
    """A request for the user's consent at a network."""

    authorize_url: str = field(repr=False)
    """Address of the consent page."""
    state: str = field(repr=False)
    """Returned by the network."""
    browser_secret: str = field(repr=False)
    """Kept by the browser, and presented when it comes back."""


@dataclass(frozen=True)
class Candidate:
    """An account that a consent gives access to. `account_id`: if it is connected already."""

    profile: Profile
    account_id: UUID | None


@dataclass(frozen=True)
class AccountChoice:
    """Accounts to choose from; only the grant is stored so far."""

    grant_id: UUID
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class ConnectResult:
    accounts: list[Account]
    choice: AccountChoice | None = None


@dataclass(frozen=True)
class DisconnectResult:
    access: GivenBack
    grant_id: UUID | None
    """The revoked grant: its workflow has to be notified, since its row may be gone."""


OnAdded = Callable[[AsyncSession, Sequence[Account]], Awaitable[None]]
"""Called with newly connected accounts, in the transaction that stores them."""


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
    ) -> AuthorizationRequest | ConnectResult:
        """Return the request for consent; or if the network needs none, the result of its form.

        Raises Conflict (channel_not_configured), InvalidInput at `fields.<name>`, or with one of the `connect_…` codes.
        """
        network = channel(kind)
        if not network.configured():
            raise Conflict(ErrorCode.channel_not_configured, channel=kind)
        fields = _validate_form(network.connection.fields, form or {})
        if not network.connection.consent:
            had: list[Grant] = []
            with translate_refusals():
                async with self._revoke_on_error(user_id, kind, had):
                    grant = await network.sign_in(fields)
                    had.append(grant)
                    profiles = _truncate_profiles(grant, await network.profiles(grant))
            return await self._store_found(user_id, kind, grant, profiles)
        app = await self._register_app(kind, fields) if network.connection.fields else None
        state, browser_secret = new_token(), new_token()
        await self.save_attempt(user_id, kind, state, browser_secret, app.base_url if app else "")
        way = self._oauth_flow(kind, state, browser_secret, app)
        return AuthorizationRequest(network.authorize_url(way), state, browser_secret)

    async def save_attempt(
        self, user_id: UUID, kind: ChannelKind, state: str, browser_secret: str, base_url: str
    ) -> None:
        """Save that the user leaves for a consent page, so that only they can come back, once."""
        async with self.sessions.begin() as session:
            session.add(
                ConnectAttempt(
                    user_id=user_id,
                    kind=kind,
                    state_hash=_attempt_hash(state, browser_secret),
                    base_url=base_url,
                    expires_at=datetime.now(UTC) + CONNECT_WITHIN,
                )
            )

    async def use_attempt(self, user_id: UUID, kind: ChannelKind, state: str, browser_secret: str) -> str:
        """Return the base address of `save_attempt`. Raises InvalidInput: connect_used, connect_expired."""
        hashed, now = _attempt_hash(state, browser_secret), datetime.now(UTC)
        async with self.sessions.begin() as session:
            attempts, used = AccountRepository(session), token_hash(state)
            base_url = await attempts.use_attempt(user_id, kind, hashed, used, now)
            again = base_url is None and await attempts.was_attempt_used(user_id, kind, used)
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
        added: OnAdded | None = None,
    ) -> ConnectResult:
        """Exchange the callback's code for tokens. A single account, and accounts that are connected already, are
        stored at once; of several others the user chooses (`choose`).

        Raises InvalidInput: connect_used (finished already), connect_expired (not started by this user in this browser,
        or too old), connect_denied (the user refused), another `connect_…` (the network refused; details in the
        parameters).
        """
        base_url = await self.use_attempt(user_id, kind, state, browser_secret)
        network = channel(kind)
        if error or not code:
            refusal = network.refusal(error, description) if error else ErrorCode.connect_failed
            raise InvalidInput(refusal, error=error)
        app = await self._find_app(kind, base_url) if base_url else None
        had: list[Grant] = []
        with translate_refusals():
            async with self._revoke_on_error(user_id, kind, had):
                grant = await network.exchange(self._oauth_flow(kind, state, browser_secret, app), code, had.append)
                profiles = _truncate_profiles(grant, await network.profiles(grant))
        return await self._store_found(user_id, kind, grant, profiles, added)

    async def choose(self, user_id: UUID, grant_id: UUID, external_ids: Collection[str]) -> list[Account]:
        """Connect these of the accounts found. The network is asked for them again, because their tokens were not
        stored. Raises NotFound if the grant is gone, InvalidInput with one of the `connect_…`, or at `external_ids` for
        unknown ones."""
        async with self.sessions() as session:
            row = await GrantRepository(session).find(user_id, grant_id)
        if row is None:
            raise NotFound(what="grant", id=str(grant_id))
        with translate_refusals():
            grant = self.grants.decrypt(row)
            profiles = _truncate_profiles(grant, await channel(ChannelKind(row.kind)).profiles(grant))
        chosen = [profile for profile in profiles if profile.external_id in external_ids]
        if len(chosen) < len(set(external_ids)) or not chosen:
            raise InvalidInput(errors=[FieldError("external_ids", ErrorCode.not_found)])
        async with self.sessions.begin() as session:
            await AccountRepository(session).serialize_connecting(user_id)
            held = await GrantRepository(session).lock(user_id, grant_id)
            if held is None or held.token_id != row.token_id or not is_wanted(held):
                raise InvalidInput(ErrorCode.connect_expired)
            held.revoke_due_at, held.revoke_attempts = None, 0
            await GrantRepository(session).mark_changed(held)
            accounts = [(await self._save_account(session, held, profile))[0] for profile in chosen]
            await notify_browsers(session, user_id, LiveKind.account)
        return accounts

    async def _store_found(
        self,
        user_id: UUID,
        kind: ChannelKind,
        grant: Grant,
        profiles: Sequence[Profile],
        added: OnAdded | None = None,
    ) -> ConnectResult:
        async with self.sessions.begin() as session:
            stays = await AccountDeletionRepository(session).lock_remaining(user_id)
            await AccountRepository(session).serialize_connecting(user_id)
            row = await self._save_grant(session, user_id, kind, grant, profiles)
            had = {
                profile.external_id: account.id
                for profile in profiles
                if (
                    account := await AccountRepository(session).lock_by_external_id(
                        user_id, kind, row.base_url, profile.external_id
                    )
                )
                and account.disconnected_at is None
            }
            at_once = (
                profiles if len(profiles) == 1 else [profile for profile in profiles if profile.external_id in had]
            )
            stored = [await self._save_account(session, row, profile) for profile in (at_once if stays else ())]
            if added:
                await added(session, [account for account, new in stored if new])
            if await self._schedule_revocation_if_unused(session, row) and stays:
                row.revoke_due_at = utcnow() + CONNECT_WITHIN  # revoked then, unless the user chooses
            await notify_browsers(session, user_id, LiveKind.account)
        if not stays:  # the user was deleted during the call
            await self.grants.revoke(user_id, row.id)
            raise InvalidInput(ErrorCode.connect_expired)
        left = len(at_once) < len(profiles)
        candidates = tuple(Candidate(profile, had.get(profile.external_id)) for profile in profiles)
        return ConnectResult([account for account, _ in stored], AccountChoice(row.id, candidates) if left else None)

    def _oauth_flow(self, kind: ChannelKind, state: str, browser_secret: str, app: App | None) -> OAuthFlow:
        # not derivable from the addresses alone, and not stored
        verifier = self.vault.keyed_hash(f"pkce\0{state}\0{browser_secret}")
        return OAuthFlow(state, self.redirect_uri(kind), verifier, app)

    async def _register_app(self, kind: ChannelKind, form: Mapping[str, str]) -> App | None:
        """Return this app at the form's server, registered if needed."""
        before: App | None = None

        async def find_app(base_url: str) -> App | None:
            nonlocal before
            before = await self._find_app(kind, base_url)
            return before

        with translate_refusals():
            app = await channel(kind).register(form, self.redirect_uri(kind), find_app)
        if app is None or app == before:
            return app
        await self._save_app(kind, app, before)
        return await self._find_app(kind, app.base_url)

    async def _find_app(self, kind: ChannelKind, base_url: str) -> App | None:
        async with self.sessions() as session:
            row = await AccountRepository(session).find_app(kind, base_url, self.redirect_uri(kind))
        return App(row.base_url, row.client_id, self.vault.decrypt(row.client_secret_encrypted)) if row else None

    async def _save_app(self, kind: ChannelKind, app: App, before: App | None) -> None:
        async with self.sessions.begin() as session:
            row = NetworkApp(
                kind=kind,
                base_url=app.base_url,
                redirect_uri=self.redirect_uri(kind),
                client_id=app.client_id,
                client_secret_encrypted=self.vault.encrypt(app.client_secret),
            )
            await AccountRepository(session).save_app(row, before.client_id if before else None)

    @asynccontextmanager
    async def _revoke_on_error(self, user_id: UUID, kind: ChannelKind, had: Sequence[Grant]) -> AsyncIterator[None]:
        """Revoke tokens that were issued before an error: no account will use them."""
        try:
            yield
        except ProviderError:
            if had:
                await self.grants.revoke_unused(user_id, kind, had[-1])
            raise

    async def delete_expired_attempts(self) -> None:
        """Delete expired attempts."""
        async with self.sessions.begin() as session:
            await AccountRepository(session).delete_expired_attempts(datetime.now(UTC))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> DisconnectResult:
        """Delete the account's tokens; its published posts keep its name. The last account of a grant revokes it at the
        network. Raises NotFound."""
        async with self.sessions.begin() as session:
            grant_id = await self.disconnect_in_session(
                session, await AccountRepository(session).get(user_id, account_id)
            )
        access = await self.grants.revoke(user_id, grant_id) if grant_id else GivenBack.shared
        return DisconnectResult(access, grant_id)

    async def disconnect_in_session(self, session: AsyncSession, account: Account) -> UUID | None:
        """As `disconnect`, within a larger transaction. Return the grant to revoke afterwards; a background round does
        so otherwise."""
        await AccountRepository(session).remove_from_assistants(account.user_id, account.id)
        # locked, so that of two concurrent disconnects one is the last
        row = account.grant_id and await GrantRepository(session).lock(account.user_id, account.grant_id)
        waited = await clear_reconnect_notice(session, account)
        account.disconnected_at = datetime.now(UTC)
        account.access_token_encrypted = account.own_token_id = account.grant = None
        account.own_state = AccountState.connected
        await session.flush()
        await notify_browsers(session, account.user_id, LiveKind.account, account.id)
        if row and waited:
            await notify_other_accounts(session, row)
        return row.id if row and await self._schedule_revocation_if_unused(session, row) else None

    async def _schedule_revocation_if_unused(self, session: AsyncSession, row: GrantRow) -> bool:
        """Return whether no account uses the grant any more; if so, schedule its revocation."""
        if unused := await GrantRepository(session).is_unused(row.user_id, row.id):
            row.revoke_due_at = utcnow() + LEASE
            await GrantRepository(session).mark_changed(row)
        return unused

    async def revoke_all(self, user_id: UUID) -> None:
        """As `GrantService.revoke_all`."""
        await self.grants.revoke_all(user_id)

    def credentials(self, account: Account) -> Credentials:
        """Only called inside activities: tokens never travel through a workflow. Raises ValueError if the secret key
        was lost."""
        sealed = account.sealed_token
        token = self.vault.decrypt(sealed) if sealed else ""
        return Credentials(account.external_id, account.type, token, account.base_url)

    async def _save_grant(
        self, session: AsyncSession, user_id: UUID, kind: ChannelKind, grant: Grant, profiles: Sequence[Profile]
    ) -> GrantRow:
        """Return the grant's row; a repeated consent reuses it, so that all its accounts go on."""
        names, subject = [profile.external_id for profile in profiles], _find_subject(grant, profiles)
        row = await GrantRepository(session).lock_by_subject(user_id, kind, grant.base_url, subject, names)
        if row is not None:
            self.grants.keep_replaced_tokens(session, row, grant)
        if row is None:
            row = GrantRow(id=new_id(), user_id=user_id, kind=kind, base_url=grant.base_url, version=NEVER_USED)
            session.add(row)
        elif row.state is AccountState.needs_reconnecting:
            for account in await GrantRepository(session).list_accounts(user_id, row.id):
                await clear_reconnect_notice(session, account)
        else:
            await clear_expiry_warning(session, row)
        row.subject = subject or row.subject
        row.refused_at = None
        self.grants.store_tokens(row, grant)
        await GrantRepository(session).mark_changed(row)
        return row

    async def _save_account(self, session: AsyncSession, row: GrantRow, profile: Profile) -> tuple[Account, bool]:
        """Return the account, and whether it was not connected before. A reconnected account keeps its id, and with it
        its posts and assistants."""
        accounts, kind = AccountRepository(session), ChannelKind(row.kind)
        account = await accounts.lock_by_external_id(row.user_id, kind, row.base_url, profile.external_id)
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
        await clear_reconnect_notice(session, account)
        account.own_state, account.disconnected_at, account.grant = AccountState.connected, None, row
        account.comments_refused_at = None
        token = profile.access_token
        account.access_token_encrypted, account.own_token_id = (
            (self.vault.encrypt(token), new_id()) if token else (None, None)
        )
        await session.flush()
        if earlier is not None and earlier is not row:
            await self._schedule_revocation_if_unused(session, earlier)
        return account, new


def _attempt_hash(state: str, browser_secret: str) -> str:
    """Return the hash of both parts; neither is of use without the other."""
    return token_hash(f"{state}.{browser_secret}")


def _truncate_profiles(grant: Grant, profiles: Sequence[Profile]) -> list[Profile]:
    """Limit the fields of the network's answer. Raises Refused for an id that is too long."""
    if any(len(id) > MAX_ID for id in (grant.subject or "", *(profile.external_id for profile in profiles))):
        raise Refused(ErrorCode.connect_failed, detail=f"the id has more than {MAX_ID} characters")
    return [
        replace(
            profile,
            name=profile.name[:200],
            handle=profile.handle[:253],
            picture_url=profile.picture_url if len(profile.picture_url or "") <= _MAX_ADDRESS else None,
        )
        for profile in profiles
    ]


def _find_subject(grant: Grant, profiles: Sequence[Profile]) -> str | None:
    """Return who consented; if the network does not say, the person whose account is the only one."""
    [first, *more] = profiles
    return grant.subject or (first.external_id if first.type is AccountType.person and not more else None)


def _validate_form(fields: Sequence[FormField], form: Mapping[str, str]) -> dict[str, str]:
    """Raises InvalidInput, at each field."""
    values = {
        field.name.value: one_line(value) if field.name is FieldName.site_name else without_invisible(value)
        for field in fields
        for value in [form.get(field.name, "")]
    }
    problems = [
        FieldError(
            f"fields.{field.name}", ErrorCode.field_required if not values[field.name] else ErrorCode.field_too_long
        )
        for field in fields
        if not 0 < len(values[field.name]) <= field.max_length
    ]
    if problems:
        raise InvalidInput(errors=problems)
    return values


@contextmanager
def translate_refusals() -> Iterator[None]:
    """Translate a network's refusals for the user, at a form's field if it names one. Raises Misconfigured and Blocked
    unchanged."""
    try:
        yield
    except (Misconfigured, Blocked):
        raise  # another attempt of the user would not help
    except ProviderError as refused:
        code = refused.code if refused.code in _REFUSALS else ErrorCode.connect_failed
        at, scopes = refused.params.get("field"), refused.params.get("scopes")
        if at:
            raise InvalidInput(code, errors=[FieldError(f"fields.{at}", code)]) from refused
        if scopes:
            raise InvalidInput(code, error=refused.detail[:200], scopes=scopes) from refused
        raise InvalidInput(code, error=refused.detail[:200]) from refused
