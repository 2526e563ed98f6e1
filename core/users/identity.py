"""Identity: sign-up by invitation, e-mail verification, sign-in, password reset, tokens."""

import asyncio
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NoReturn
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.schedules import time_zones
from core.crypto import Vault, new_token, token_hash
from core.database import Sessions
from core.errors import Conflict, Denied, ErrorCode, FieldError, Forbidden, InvalidInput, Unauthenticated
from core.ids import new_id
from core.notifications.notifying import NotifyingService
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.calendar_feed import end_feed
from core.users.invitations import invitation_hash, invitation_proof
from core.users.password_hashing import Hashing
from core.users.repositories.invitations import InvitationRepository
from core.users.repositories.security import SecurityRepository
from core.users.repositories.users import KnownUser, UserRepository
from core.users.rules.email_addresses import normal_email
from core.users.rules.passwords import password_problem
from core.users.security_events import record, record_refusal, record_unseen
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import AccessToken, LinkPurpose, MailLink, Scope, TokenKind, User
from core.users.two_step import check_second_factor

# minimum interval between writes of "last used"
_TOUCH = timedelta(minutes=5)
# from signing in, even if used constantly
_LONGEST_SESSION = timedelta(days=180)
_PROVE_EMAIL = timedelta(hours=24)
_SET_PASSWORD = timedelta(hours=1)
# seconds that a password reset request takes, for known and unknown e-mails: many times the work of either
_FORGOT_TAKES = 0.2
_REFUSALS = {
    ErrorCode.login_failed: SecurityEventKind.sign_in_failed,
    ErrorCode.second_factor_wrong: SecurityEventKind.second_factor_failed,
}


@dataclass(frozen=True)
class SignUp:
    email: str
    password: str = field(repr=False)
    invitation_code: str = field(repr=False)
    language: str
    time_zone: str
    consent: bool
    device: str
    invitation_proof: str = field(default="", repr=False)
    """From the link in the invitation's mail: proves that the holder reads mails to that address."""


@dataclass(frozen=True)
class Access:
    """The caller, and the kind of their token."""

    user: KnownUser
    token_id: UUID
    kind: TokenKind
    scope: Scope
    name: str = ""
    """The name of an API key."""


@dataclass(frozen=True)
class Profile:
    """None: unchanged."""

    display_name: str | None
    language: str | None
    time_zone: str | None


@dataclass(frozen=True)
class IdentityService:
    sessions: Sessions
    reading: Sessions
    vault: Vault
    hashing: Hashing
    session_days: int

    async def sign_up(self, form: SignUp) -> tuple[User, str]:
        """Create the user, sign them in and mail a link to verify the e-mail, unless the invitation's mail has proved
        it.

        Raise InvalidInput with all problems; nothing is saved then.
        """
        problems: list[FieldError] = []
        normal = normal_email(form.email)
        if normal is None:
            problems.append(FieldError("email", ErrorCode.invalid_email))
        email = normal or form.email
        if problem := password_problem(form.password, email):
            problems.append(problem)
        if not form.consent:
            problems.append(FieldError("consent", ErrorCode.consent_required))
        code_hash = invitation_hash(self.vault, form.invitation_code)
        now = datetime.now(UTC)
        async with self.sessions() as session:
            served = await InvitationRepository(session).serves(code_hash, email, now)
            if served is None:
                # without a valid code nobody learns which addresses have accounts
                problems.append(FieldError("invitation_code", ErrorCode.invitation_invalid))
            elif normal and not served:
                problems.append(FieldError("email", ErrorCode.invitation_other_email))
            elif served and await UserRepository(session).by_email(email):
                problems.append(FieldError("email", ErrorCode.email_taken))
        if problems:
            raise InvalidInput(errors=problems)
        hashed = await self.hashing.hash(form.password)
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            user = await users.add(
                User(
                    id=new_id(),
                    email=email,
                    password_hash=hashed,
                    language=form.language,
                    # a browser's guess, maybe from another version of the time zone data
                    time_zone=form.time_zone if form.time_zone in time_zones() else "UTC",
                    consented_at=now,
                )
            )
            redeemed = await InvitationRepository(session).redeem(code_hash, email, user.id, now)
            if redeemed is None:
                raise InvalidInput(errors=[FieldError("invitation_code", ErrorCode.invitation_invalid)])
            proof = invitation_proof(form.invitation_code, email)
            # the inviter knows the code too, but not the proof, which only the mail contains
            proven = redeemed.email == email and self.vault.verify(proof, form.invitation_proof)
            if redeemed.user_id:  # the operator's invitations have no user
                record_unseen(session, redeemed.user_id, SecurityEventKind.invitation_redeemed)
            record(session, user.id, SecurityEventKind.signed_up)
            if proven:
                user.is_email_verified = True
                record(session, user.id, SecurityEventKind.email_verified)
            else:
                await self._mail_link(session, user, LinkPurpose.verify_email, MailKind.verify_email, _PROVE_EMAIL)
            token = self._signed_in(users, user.id, form.device)
        return user, token

    async def try_email_again(self, user_id: UUID) -> User:
        """Allow mails to the user's address again after the mail server has refused it."""
        async with self.sessions.begin() as session:
            await NotifyingService(session).clear_email_refused(user_id)
            return await UserRepository(session).get(user_id)

    async def update(self, user_id: UUID, profile: Profile) -> User:
        """Raise InvalidInput at `time_zone` if it is unknown."""
        zone = profile.time_zone
        if zone is not None and zone not in time_zones():
            raise InvalidInput(errors=[FieldError("time_zone", ErrorCode.unknown_time_zone, value=zone)])
        async with self.sessions.begin() as session:
            user = await UserRepository(session).get(user_id)
            for name, value in asdict(profile).items():
                if value is not None:
                    setattr(user, name, value)
        return user

    # e-mail verification

    async def send_verification(self, user_id: UUID) -> None:
        """Mail a new link to the user's address and void older ones. Raise Conflict (already_verified)."""
        async with self.sessions.begin() as session:
            user = await SecurityRepository(session).locked(user_id)
            if user.is_email_verified:
                raise Conflict(ErrorCode.already_verified)
            # a link to another address stays: it confirms a change of e-mail
            await UserRepository(session).void_links_to(user_id, LinkPurpose.verify_email, user.email)
            await self._mail_link(session, user, LinkPurpose.verify_email, MailKind.verify_email, _PROVE_EMAIL)

    async def verify_email(self, link: str) -> User:
        """Verify the address that the link was mailed to, and make it the user's. Idempotent, so that a mail may be
        opened twice.

        Raise Denied (link_invalid), and InvalidInput (email_taken) if another account took the address meanwhile.
        """
        async with self.sessions.begin() as session:
            users, security = UserRepository(session), SecurityRepository(session)
            proved = await users.proved_by(token_hash(link))
            if proved is not None and _may_act(proved):
                return proved
            user, email = await self._take_link(session, link, LinkPurpose.verify_email)
            if email != user.email:
                await MailRepository(session).add(
                    # to the old address, whose reader has to know
                    Mail(user_id=user.id, kind=MailKind.email_changed, to_email=user.email, language=user.language)
                )
                await users.rename(user, email)
                await NotifyingService(session).clear_email_refused(user.id)
                # links mailed to the old address must not open the account any more
                await security.void_links(user.id, LinkPurpose.reset_password)
                record(session, user.id, SecurityEventKind.email_changed)
            else:
                record(session, user.id, SecurityEventKind.email_verified)
            user.is_email_verified = True
            await security.void_links(user.id, LinkPurpose.verify_email)
        return user

    # a forgotten password

    async def request_password_reset(self, email: str) -> None:
        """Mail a reset link if the e-mail is known; the call takes the same time if it is not."""
        clock = asyncio.get_running_loop()
        until = clock.time() + _FORGOT_TAKES
        async with self.sessions.begin() as session:
            known_user = await UserRepository(session).by_email(normal_email(email) or email)
            security = SecurityRepository(session)
            user = await security.locked(known_user.id) if known_user else None
            if user and _may_act(user):
                await security.void_links(user.id, LinkPurpose.reset_password)
                await self._mail_link(session, user, LinkPurpose.reset_password, MailKind.reset_password, _SET_PASSWORD)
                record(session, user.id, SecurityEventKind.password_reset_asked)
        await asyncio.sleep(until - clock.time())

    async def reset(self, link: str, password: str) -> None:
        """Set the password with the link from the mail: every session ends, API keys stay.

        Raise Denied (link_invalid), and InvalidInput at `password`, after which the link can be used again.
        """
        async with self.sessions() as session:
            user = await UserRepository(session).by_link(
                token_hash(link), LinkPurpose.reset_password, datetime.now(UTC)
            )
        if user is None:
            raise Denied(ErrorCode.link_invalid)
        if problem := password_problem(password, user.email):
            raise InvalidInput(errors=[problem])
        hashed = await self.hashing.hash(password)
        async with self.sessions.begin() as session:
            users, security = UserRepository(session), SecurityRepository(session)
            user, _ = await self._take_link(session, link, LinkPurpose.reset_password)
            user.password_hash = hashed
            await users.remove_sessions(user.id)
            # whoever knew the old password may have requested links to take over the account
            await security.void_links(user.id, LinkPurpose.reset_password)
            await security.void_links(user.id, LinkPurpose.verify_email, but_to=user.email)
            await end_feed(session, user.id)
            record(session, user.id, SecurityEventKind.password_reset)
            await MailRepository(session).add(
                Mail(user_id=user.id, kind=MailKind.password_changed, to_email=user.email, language=user.language)
            )

    # signing in and out

    async def sign_in(self, email: str, password: str, device: str, *, code: str | None = None) -> tuple[User, str]:
        """`code` is the second factor.

        Raise Denied: login_failed for a wrong password or an unknown e-mail, after the same time; with the right
        password second_factor_required or second_factor_wrong. Raise Forbidden (account_disabled).
        """
        async with self.sessions() as session:
            user = await UserRepository(session).by_email(normal_email(email) or email)
        if user and user.deletion_requested_at:
            user = None
        try:
            return await self._sign_in(user, password, code, device)
        except (Denied, Forbidden) as error:
            if error.code is ErrorCode.account_disabled:
                await self._refuse_disabled(user)
            elif kind := _REFUSALS.get(error.code):
                await record_refusal(self.sessions, user.id if user else None, kind)
            raise

    async def _sign_in(self, user: User | None, password: str, code: str | None, device: str) -> tuple[User, str]:
        # at every sign-in, so that the first one takes the same time for known and unknown e-mails
        nobody = await self.hashing.dummy_hash()
        known_hash = user.password_hash if user else nobody
        right, renewed = await self.hashing.renewed(password, known_hash)
        if user is None or not right:
            raise Denied
        async with self.sessions.begin() as session:
            user = await SecurityRepository(session).locked(user.id)
            # changed during the check: a replaced password must not sign in
            if user.password_hash != known_hash:
                if not await self.hashing.fits(password, user.password_hash):
                    raise Denied
                renewed = None
            if user.deletion_requested_at:
                raise Denied
            if user.disabled_at:
                raise Forbidden(ErrorCode.account_disabled)
            await check_second_factor(session, self.vault, user, code, datetime.now(UTC))
            record(session, user.id, SecurityEventKind.signed_in, way="password")
            if renewed:
                user.password_hash = renewed
            token = self._signed_in(UserRepository(session), user.id, device)
        return user, token

    async def sign_in_by_link(self, link: str, device: str) -> tuple[User, str]:
        """Raise Denied, and Forbidden (account_disabled). No second factor is required: only the operator can create
        the link."""
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            user = await users.by_link(token_hash(link), LinkPurpose.sign_in, datetime.now(UTC))
            if user is None:
                raise Denied
            if not user.disabled_at:
                record(session, user.id, SecurityEventKind.signed_in, way="link")
                return user, self._signed_in(users, user.id, device)
        await self._refuse_disabled(user)
        raise Forbidden(ErrorCode.account_disabled)

    async def sign_in_link(self, user_id: UUID, hours: int = 24) -> str:
        """Return a token for /signin?link#token=…, for the operator. It works repeatedly until it expires, since it
        stays in a terminal."""
        link = new_token()
        async with self.sessions.begin() as session:
            SecurityRepository(session).add_link(
                MailLink(
                    user_id=user_id,
                    purpose=LinkPurpose.sign_in,
                    token_hash=token_hash(link),
                    expires_at=datetime.now(UTC) + timedelta(hours=hours),
                )
            )
        return link

    async def authenticate(self, token: str) -> Access:
        """Return the user and token behind a bearer token. Raise Unauthenticated, or Forbidden (account_disabled)."""
        now = datetime.now(UTC)
        async with self.reading() as session:
            user_and_token = await UserRepository(session).by_token(token_hash(token), now)
        if user_and_token is None:
            raise Unauthenticated
        user, used = user_and_token
        stale = used.last_used_at is None or now - used.last_used_at > _TOUCH
        if stale and not user.disabled_at:
            expires = used.expires_at
            if used.kind is TokenKind.session:
                expires = min(now + timedelta(days=self.session_days), used.created_at + _LONGEST_SESSION)
            async with self.sessions.begin() as session:
                if not await UserRepository(session).touch(user.id, used.id, now, expires):
                    raise Unauthenticated
        if user.disabled_at:
            await self._refuse_disabled(user)
            raise Forbidden(ErrorCode.account_disabled)
        return Access(user, used.id, used.kind, used.scope, used.name)

    async def refuse(self, access: Access) -> NoReturn:
        """Record that the token's scope does not allow the call, and raise Forbidden."""
        facts = {"name": access.name} if access.name else {}
        await record_refusal(
            self.sessions,
            access.user.id,
            SecurityEventKind.access_refused,
            repeats=False,
            reason=ErrorCode.scope_missing,
            scope=access.scope,
            **facts,
        )
        raise Forbidden

    async def _refuse_disabled(self, user: User | KnownUser | None) -> None:
        if user:
            await record_refusal(
                self.sessions,
                user.id,
                SecurityEventKind.access_refused,
                repeats=False,
                reason=ErrorCode.account_disabled,
            )

    async def sign_out(self, token: str) -> None:
        """End the session of this token, if it has not ended. Raise Forbidden for an API key: people revoke keys."""
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            if user_id := await users.remove_session(token_hash(token)):
                record(session, user_id, SecurityEventKind.signed_out)
                return
            user_and_token = await users.by_token(token_hash(token), datetime.now(UTC))
        if user_and_token:
            user, used = user_and_token
            await self.refuse(Access(user, used.id, used.kind, used.scope, used.name))

    # the operator

    async def add_verified(self, email: str, *, language: str, time_zone: str, name: str) -> User:
        """Add a user without an invitation, for the demo: sign-in is by link; the password is random."""
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            if existing := await users.by_email(email):
                return existing
            return await users.add(
                User(
                    id=new_id(),
                    email=email,
                    password_hash=await self.hashing.hash(new_token()),
                    is_email_verified=True,
                    display_name=name,
                    language=language,
                    time_zone=time_zone,
                )
            )

    async def _mail_link(
        self, session: AsyncSession, user: User, purpose: LinkPurpose, kind: MailKind, lifetime: timedelta
    ) -> None:
        """Add a link to the user's own address, and its mail, in this transaction."""
        link = new_token()
        SecurityRepository(session).add_link(
            MailLink(
                user_id=user.id,
                purpose=purpose,
                token_hash=token_hash(link),
                email=user.email,
                expires_at=datetime.now(UTC) + lifetime,
            )
        )
        await MailRepository(session).add(
            Mail(
                user_id=user.id,
                kind=kind,
                to_email=user.email,
                language=user.language,
                secret_encrypted=self.vault.encrypt(link),
            )
        )

    async def _take_link(self, session: AsyncSession, link: str, purpose: LinkPurpose) -> tuple[User, str]:
        """Use up a link; return its user, locked, and the address it was mailed to. Raise Denied (link_invalid)."""
        users, hashed, now = UserRepository(session), token_hash(link), datetime.now(UTC)
        known_user = await users.by_link(hashed, purpose, now)
        if known_user is None:
            raise Denied(ErrorCode.link_invalid)
        # lock order: the user before the link, as wherever links are made or voided
        user = await SecurityRepository(session).locked(known_user.id)
        email = await users.take_link(user.id, hashed, purpose, now)
        if email is None or not _may_act(user):
            raise Denied(ErrorCode.link_invalid)
        return user, email

    def _signed_in(self, users: UserRepository, user_id: UUID, device: str) -> str:
        token = new_token()
        users.add_token(
            AccessToken(
                user_id=user_id,
                token_hash=token_hash(token),
                device=device[:200],
                expires_at=datetime.now(UTC) + timedelta(days=self.session_days),
            )
        )
        return token


def _may_act(user: User) -> bool:
    return user.disabled_at is None and user.deletion_requested_at is None
