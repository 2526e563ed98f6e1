"""Security actions of a signed-in user: password, e-mail, sessions, API keys, second factor."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

import segno
from pyotp import random_base32

from core.crypto import Vault, new_code, new_token, shown_code, token_hash
from core.database import Sessions
from core.errors import Conflict, Denied, ErrorCode, FieldError, InvalidInput
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.calendar_feed import end_feed
from core.users.password_hashing import Hashing
from core.users.repositories.security import SecurityRepository
from core.users.repositories.users import UserRepository
from core.users.rules.email_addresses import normal_email
from core.users.rules.passwords import password_problem
from core.users.security_events import record, record_refusal
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import AccessToken, LinkPurpose, MailLink, Scope, TokenKind, User
from core.users.two_step import authenticator, check_second_factor, recovery_code_hash, step_of

_API_KEYS = 20
_RECOVERY_CODES = 10
_PROVE_EMAIL = timedelta(hours=24)


@dataclass(frozen=True)
class Offer:
    secret: str = field(repr=False)
    uri: str = field(repr=False)
    qr_svg: str = field(repr=False)


@dataclass(frozen=True)
class AccountSecurityService:
    sessions: Sessions
    vault: Vault
    hashing: Hashing

    # password and e-mail

    async def prove_password(self, user_id: UUID, password: str) -> User:
        """Return the user if the password is theirs. Raise Denied (password_wrong)."""
        return await self._proven(user_id, password)

    async def change_password(self, user_id: UUID, current: str, new: str, *, keep: UUID) -> None:
        """Change the password and end all sessions but `keep`; API keys stay. Raise Denied (password_wrong), and
        InvalidInput at `new_password`."""
        user = await self._proven(user_id, current)
        if problem := password_problem(new, user.email):
            raise InvalidInput(errors=[FieldError("new_password", problem.code, **problem.params)])
        hashed = await self.hashing.hash(new)
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            user = await self._unchanged(security, user)
            user.password_hash = hashed
            await security.remove_sessions(user_id, keep=keep)
            # whoever knew the old password may have requested links to take over the account
            await security.void_links(user_id, LinkPurpose.reset_password)
            await security.void_links(user_id, LinkPurpose.verify_email, but_to=user.email)
            await end_feed(session, user_id)
            record(session, user_id, SecurityEventKind.password_changed)
            await MailRepository(session).add(
                Mail(user_id=user_id, kind=MailKind.password_changed, to_email=user.email, language=user.language)
            )

    async def change_email(self, user_id: UUID, current_password: str, email: str) -> None:
        """Mail a link to the new address. Raise Denied (password_wrong), and InvalidInput at `email`."""
        # password first: without it nobody learns which addresses have accounts
        user = await self._proven(user_id, current_password)
        new = normal_email(email)
        if new is None:
            raise InvalidInput(errors=[FieldError("email", ErrorCode.invalid_email)])
        link = new_token()
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            user = await self._unchanged(security, user)
            if other_user := await UserRepository(session).by_email(new):
                code = ErrorCode.email_unchanged if other_user.id == user_id else ErrorCode.email_taken
                raise InvalidInput(errors=[FieldError("email", code)])
            await security.void_links(user_id, LinkPurpose.verify_email)
            record(session, user_id, SecurityEventKind.email_change_asked)
            security.add_link(
                MailLink(
                    user_id=user_id,
                    purpose=LinkPurpose.verify_email,
                    token_hash=token_hash(link),
                    email=new,
                    expires_at=datetime.now(UTC) + _PROVE_EMAIL,
                )
            )
            await MailRepository(session).add(
                Mail(
                    user_id=user_id,
                    kind=MailKind.change_email,
                    to_email=new,
                    language=user.language,
                    secret_encrypted=self.vault.encrypt(link),
                )
            )

    # signed-in devices

    async def sessions_of(self, user_id: UUID) -> Sequence[AccessToken]:
        async with self.sessions() as session:
            return await SecurityRepository(session).sessions(user_id, datetime.now(UTC))

    async def end_sessions(self, user_id: UUID, *, keep: UUID) -> None:
        async with self.sessions.begin() as session:
            await SecurityRepository(session).remove_sessions(user_id, keep=keep)
            record(session, user_id, SecurityEventKind.other_sessions_ended)

    async def end_session(self, user_id: UUID, session_id: UUID) -> None:
        """End a session, which may be the caller's. Raise NotFound."""
        async with self.sessions.begin() as session:
            ended = await SecurityRepository(session).remove_token(user_id, TokenKind.session, session_id)
            record(session, user_id, SecurityEventKind.session_ended, device=ended.device)

    # API keys

    async def api_keys(self, user_id: UUID) -> Sequence[AccessToken]:
        async with self.sessions() as session:
            return await SecurityRepository(session).api_keys(user_id)

    async def make_api_key(
        self, user_id: UUID, current_password: str, name: str, scope: Scope, *, days: int | None
    ) -> tuple[AccessToken, str]:
        """As `add_api_key`, with the password: a key outlives its session, so a stolen session must not create one.

        Raise InvalidInput (name_required), Denied (password_wrong), and Conflict (api_key_limit).
        """
        if not name:
            raise InvalidInput(errors=[FieldError("name", ErrorCode.name_required)])
        proven = await self._proven(user_id, current_password)
        return await self.add_api_key(user_id, name, scope, days=days, proven=proven)

    async def add_api_key(
        self, user_id: UUID, name: str, scope: Scope, *, days: int | None = None, proven: User | None = None
    ) -> tuple[AccessToken, str]:
        """Return the key and its token; it expires after `days`, or never. Raise Conflict (api_key_limit), and Denied
        (password_wrong) if the password was changed since it was proven."""
        token = new_token()
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            # lock, so that parallel calls are counted one after the other
            await (self._unchanged(security, proven) if proven else security.locked(user_id))
            if len(await security.api_keys(user_id)) >= _API_KEYS:
                raise Conflict(ErrorCode.api_key_limit, limit=_API_KEYS)
            key = AccessToken(
                user_id=user_id,
                token_hash=token_hash(token),
                kind=TokenKind.api_key,
                scope=scope,
                name=name,
                expires_at=None if days is None else datetime.now(UTC) + timedelta(days=days),
            )
            await security.add_api_key(key)
            record(session, user_id, SecurityEventKind.api_key_made, name=name, scope=scope)
        return key, token

    async def revoke_api_key(self, user_id: UUID, key_id: UUID) -> None:
        """Raise NotFound."""
        async with self.sessions.begin() as session:
            revoked = await SecurityRepository(session).remove_token(user_id, TokenKind.api_key, key_id)
            record(session, user_id, SecurityEventKind.api_key_revoked, name=revoked.name)

    # second factor

    async def recovery_codes_left(self, user_id: UUID) -> int:
        async with self.sessions() as session:
            return await SecurityRepository(session).recovery_codes_left(user_id)

    async def offer_second_factor(self, user_id: UUID, current_password: str) -> Offer:
        """Return a new secret, which replaces an unconfirmed one. Raise Denied (password_wrong), and Conflict
        (second_factor_on)."""
        user = await self._proven(user_id, current_password)
        secret = random_base32()
        async with self.sessions.begin() as session:
            user = await self._unchanged(SecurityRepository(session), user)
            if user.totp_enabled_at:
                raise Conflict(ErrorCode.second_factor_on)
            user.totp_secret_encrypted, user.totp_last_step = self.vault.encrypt(secret), None
        uri = authenticator(secret, user.email).provisioning_uri()
        return Offer(secret, uri, _qr_svg(uri))

    async def confirm_second_factor(self, user_id: UUID, code: str) -> list[str]:
        """Turn two-step login on and return the recovery codes. The code used here cannot sign in any more.

        Raise Conflict (second_factor_on; second_factor_off if nothing was offered), and Denied (second_factor_wrong).
        """
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            user = await security.locked(user_id)
            if user.totp_enabled_at:
                raise Conflict(ErrorCode.second_factor_on)
            if user.totp_secret_encrypted is None:
                raise Conflict(ErrorCode.second_factor_off)
            step = step_of(self.vault.decrypt(user.totp_secret_encrypted), code, now)
            if step is not None:
                user.totp_enabled_at, user.totp_last_step = now, step
                record(session, user_id, SecurityEventKind.second_factor_on)
                return await self._new_recovery_codes(security, user_id)
        await record_refusal(self.sessions, user_id, SecurityEventKind.second_factor_failed)
        raise Denied(ErrorCode.second_factor_wrong)

    async def remove_second_factor(self, user_id: UUID, current_password: str, code: str) -> None:
        """Turn two-step login off with both steps: `code` is the app's or a recovery code.

        Raise Denied (password_wrong, second_factor_required, second_factor_wrong), and Conflict (second_factor_off).
        """
        user = await self._proven(user_id, current_password)
        try:
            await self._remove_second_factor(user, code)
        except Denied as error:
            if error.code is ErrorCode.second_factor_wrong:
                await record_refusal(self.sessions, user_id, SecurityEventKind.second_factor_failed)
            raise

    async def _remove_second_factor(self, user: User, code: str) -> None:
        user_id = user.id
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            user = await self._unchanged(security, user)
            if user.totp_enabled_at is None:
                raise Conflict(ErrorCode.second_factor_off)
            await check_second_factor(session, self.vault, user, code, datetime.now(UTC))
            user.totp_secret_encrypted = user.totp_enabled_at = user.totp_last_step = None
            await security.replace_recovery_codes(user_id, ())
            record(session, user_id, SecurityEventKind.second_factor_off)

    async def renew_recovery_codes(self, user_id: UUID, current_password: str) -> list[str]:
        """Raise Denied (password_wrong), and Conflict (second_factor_off)."""
        user = await self._proven(user_id, current_password)
        async with self.sessions.begin() as session:
            security = SecurityRepository(session)
            user = await self._unchanged(security, user)
            if user.totp_enabled_at is None:
                raise Conflict(ErrorCode.second_factor_off)
            record(session, user_id, SecurityEventKind.recovery_codes_renewed)
            return await self._new_recovery_codes(security, user_id)

    async def _proven(self, user_id: UUID, password: str) -> User:
        """Return the user as read before the slow password check. Raise Denied (password_wrong)."""
        async with self.sessions() as session:
            user = await UserRepository(session).get(user_id)
        if not await self.hashing.fits(password, user.password_hash):
            await record_refusal(self.sessions, user_id, SecurityEventKind.password_refused)
            raise Denied(ErrorCode.password_wrong)
        return user

    async def _unchanged(self, security: SecurityRepository, proven: User) -> User:
        """Return the locked user. Raise Denied (password_wrong) if the password was changed during the check."""
        user = await security.locked(proven.id)
        if user.password_hash != proven.password_hash:
            raise Denied(ErrorCode.password_wrong)
        return user

    async def _new_recovery_codes(self, security: SecurityRepository, user_id: UUID) -> list[str]:
        codes = [new_code() for _ in range(_RECOVERY_CODES)]
        await security.replace_recovery_codes(
            user_id, [recovery_code_hash(self.vault, user_id, code) for code in codes]
        )
        return [shown_code(code) for code in codes]


def _qr_svg(uri: str) -> str:
    """Return a QR code in black on white, which cameras need in dark mode too; it scales to its container."""
    drawn = io.BytesIO()
    segno.make(uri, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, nl=False, omitsize=True, dark="#000", light="#fff"
    )
    # crisp edges: smoothed ones leave grey lines between the rows
    return drawn.getvalue().decode().replace("<svg", '<svg shape-rendering="crispEdges"', 1)
