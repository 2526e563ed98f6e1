"""Who somebody is: sign-up by invitation, sign-in, tokens."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from uuid import UUID

from email_validator import EmailNotValidError, validate_email
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from core.crypto import Vault, new_code, new_token, normal_code, shown_code, token_hash
from core.database import Sessions
from core.domain.errors import Denied, ErrorCode, FieldError, InvalidInput, Unauthenticated
from core.domain.ids import new_id
from core.domain.passwords import password_problem
from core.domain.schedules import time_zones
from core.models import AccessToken, Invitation, LinkPurpose, MailLink, User
from core.repositories.users import UserRepository

# how often "last used" is written: not at every request
_TOUCH = timedelta(minutes=5)


@dataclass(frozen=True)
class SignUp:
    email: str
    password: str = field(repr=False)
    invitation_code: str = field(repr=False)
    language: str
    time_zone: str
    consent: bool
    device: str


@dataclass(frozen=True)
class IdentityService:
    sessions: Sessions
    vault: Vault
    session_days: int
    invitation_days: int

    @cached_property
    def _hasher(self) -> PasswordHash:
        return PasswordHash([Argon2Hasher()])

    @cached_property
    def _nobody(self) -> str:
        """Checked where the e-mail is unknown, so that the answer takes the same time."""
        return self._hasher.hash(new_token())

    async def sign_up(self, form: SignUp) -> tuple[User, str]:
        """Create the user and sign them in. Raises InvalidInput with all that is wrong; nothing is saved then."""
        problems: list[FieldError] = []
        normal = _normal(form.email)
        if normal is None:
            problems.append(FieldError("email", ErrorCode.invalid_email))
        email = normal or form.email
        if problem := password_problem(form.password, email):
            problems.append(problem)
        if not form.consent:
            problems.append(FieldError("consent", ErrorCode.consent_required))
        code_hash = self._code_hash(form.invitation_code)
        now = datetime.now(UTC)
        async with self.sessions() as session:
            users = UserRepository(session)
            if not await users.invitation_open(code_hash, now):
                # without a code nobody learns which addresses are known here
                problems.append(FieldError("invitation_code", ErrorCode.invitation_invalid))
            elif await users.by_email(email):
                problems.append(FieldError("email", ErrorCode.email_taken))
        if problems:
            raise InvalidInput(errors=problems)
        hashed = await asyncio.to_thread(self._hasher.hash, form.password)
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            user = await users.add(
                User(
                    id=new_id(),
                    email=email,
                    password_hash=hashed,
                    language=form.language,
                    # a browser's guess, which may be older or newer than our zones
                    time_zone=form.time_zone if form.time_zone in time_zones() else "UTC",
                    consented_at=now,
                )
            )
            if not await users.redeem(code_hash, user.id, now):
                raise InvalidInput(errors=[FieldError("invitation_code", ErrorCode.invitation_invalid)])
            token = self._signed_in(users, user.id, form.device)
        return user, token

    async def sign_in(self, email: str, password: str, device: str) -> tuple[User, str]:
        """Raises Denied for a wrong password and for an unknown e-mail alike, after the same time."""
        async with self.sessions() as session:
            user = await UserRepository(session).by_email(_normal(email) or email)
        # asked for at every sign-in, so that the first one takes its time whoever signs in
        nobody = await asyncio.to_thread(lambda: self._nobody)
        known = user.password_hash if user else nobody
        right, renewed = await asyncio.to_thread(self._hasher.verify_and_update, password, known)
        if user is None or not right:
            raise Denied
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            if renewed:
                (await users.get(user.id)).password_hash = renewed
            token = self._signed_in(users, user.id, device)
        return user, token

    async def sign_in_by_link(self, link: str, device: str) -> tuple[User, str]:
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            user = await users.by_link(token_hash(link), LinkPurpose.sign_in, datetime.now(UTC))
            if user is None:
                raise Denied
            return user, self._signed_in(users, user.id, device)

    async def sign_in_link(self, user_id: UUID, hours: int = 24) -> str:
        """A token for /signin?link=…, for whoever runs this installation."""
        link = new_token()
        async with self.sessions.begin() as session:
            UserRepository(session).add_link(
                MailLink(
                    user_id=user_id,
                    purpose=LinkPurpose.sign_in,
                    token_hash=token_hash(link),
                    expires_at=datetime.now(UTC) + timedelta(hours=hours),
                )
            )
        return link

    async def authenticate(self, token: str) -> User:
        """The user of a bearer token. Raises Unauthenticated."""
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            found = await UserRepository(session).by_token(token_hash(token), now)
            if found is None:
                raise Unauthenticated
            user, used = found
            if now - used.last_used_at > _TOUCH:
                used.last_used_at = now
                used.expires_at = now + timedelta(days=self.session_days)
            return user

    async def sign_out(self, token: str) -> None:
        async with self.sessions.begin() as session:
            await UserRepository(session).remove_token(token_hash(token))

    async def invite(self, user_id: UUID | None) -> str:
        """A new code as shown: XXXXX-XXXXX."""
        code = new_code()
        async with self.sessions.begin() as session:
            UserRepository(session).add_invitation(
                Invitation(
                    user_id=user_id,
                    code_hash=self._code_hash(code),
                    code_encrypted=self.vault.encrypt(code),
                    expires_at=datetime.now(UTC) + timedelta(days=self.invitation_days),
                )
            )
        return shown_code(code)

    async def first_code(self) -> str | None:
        """The operator's open code while nobody has signed up; made when there is none. None once somebody has."""
        async with self.sessions() as session:
            users = UserRepository(session)
            if await users.any_exists():
                return None
            invitation = await users.operators_open_invitation(datetime.now(UTC))
        if invitation is not None:
            return shown_code(self.vault.decrypt(invitation.code_encrypted))
        return await self.invite(None)

    async def add_verified(self, email: str, *, language: str, time_zone: str, name: str) -> User:
        """A user without an invitation, for the demo: signs in by link; the password is nobody's."""
        async with self.sessions.begin() as session:
            users = UserRepository(session)
            if existing := await users.by_email(email):
                return existing
            return await users.add(
                User(
                    id=new_id(),
                    email=email,
                    password_hash=await asyncio.to_thread(self._hasher.hash, new_token()),
                    is_email_verified=True,
                    display_name=name,
                    language=language,
                    time_zone=time_zone,
                )
            )

    def _code_hash(self, code: str) -> str:
        return self.vault.keyed_hash(normal_code(code))

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


def _normal(email: str) -> str | None:
    """The one spelling of an address; None where it is none."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized
    except EmailNotValidError:
        return None
