"""Users and what opens their account: signed-in devices and links of mails. The anonymous look-ups (sign-in, a bearer
token, a link) are the only queries of the product without an owner: they find out who the owner is."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from core.database import violates
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.users.tables.users import AccessToken, LinkPurpose, MailLink, Scope, TokenKind, User

_EMAIL_TAKEN: Final = "uq_users_email_lower"


@dataclass(frozen=True, slots=True)
class KnownUser:
    """What a call knows of who makes it: no secret of theirs, and nothing that could be changed and saved."""

    id: UUID
    email: str
    is_email_verified: bool
    email_refused_at: datetime | None
    display_name: str
    language: str
    time_zone: str
    disabled_at: datetime | None
    totp_enabled_at: datetime | None


@dataclass(frozen=True, slots=True)
class UsedToken:
    """By which they make it."""

    id: UUID
    kind: TokenKind
    scope: Scope
    name: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None


_OF_USER: Final = len(fields(KnownUser))


class UserRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def get(self, user_id: UUID) -> User:
        user = await self.session.get(User, user_id)
        if user is None:
            raise NotFound(what="user", id=str(user_id))
        return user

    async def by_email(self, email: str) -> User | None:
        # the database lowers both: Python's idea of it differs beyond ASCII
        found: User | None = await self.session.scalar(select(User).where(func.lower(User.email) == func.lower(email)))
        return found

    async def any_exists(self) -> bool:
        return bool(await self.session.scalar(select(select(User.id).exists())))

    async def add(self, user: User) -> User:
        """Raises InvalidInput (email_taken) where somebody signed up with that address a moment ago."""
        self.session.add(user)
        try:
            await self.session.flush()
        except IntegrityError as error:
            if not violates(error, _EMAIL_TAKEN):
                raise
            raise InvalidInput(errors=[FieldError("email", ErrorCode.email_taken)]) from error
        return user

    async def mark_email_refused(self, user_id: UUID, email: str, now: datetime) -> bool:
        """Mark the user's address as one that the mail server takes nothing for. Return whether it is news: false for
        another address than theirs."""
        marked = await self.session.scalar(
            update(User)
            .where(User.id == user_id, User.email == email, User.email_refused_at.is_(None))
            .values(email_refused_at=now)
            .returning(User.id)
        )
        return marked is not None

    async def clear_email_refused(self, user_id: UUID, email: str | None = None) -> bool:
        """Take the mark away, where it is that address: it may be asked again. Return whether there was one."""
        query = update(User).where(User.id == user_id, User.email_refused_at.is_not(None))
        if email is not None:
            query = query.where(User.email == email)
        return await self.session.scalar(query.values(email_refused_at=None).returning(User.id)) is not None

    async def rename(self, user: User, email: str) -> None:
        """Raises InvalidInput (email_taken) where another account has that address."""
        user.email = email
        try:
            await self.session.flush()
        except IntegrityError as error:
            if not violates(error, _EMAIL_TAKEN):
                raise
            raise InvalidInput(ErrorCode.email_taken) from error

    # signed-in devices and API keys

    def add_token(self, token: AccessToken) -> None:
        self.session.add(token)

    async def by_token(self, token_hash: str, now: datetime) -> tuple[KnownUser, UsedToken] | None:
        rows = await self.session.execute(
            select(
                *(getattr(User, field.name) for field in fields(KnownUser)),
                *(getattr(AccessToken, field.name) for field in fields(UsedToken)),
            )
            .join(AccessToken, AccessToken.user_id == User.id)
            .where(
                AccessToken.token_hash == token_hash,
                or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > now),
                User.deletion_requested_at.is_(None),
            )
        )
        if (found := rows.one_or_none()) is None:
            return None
        return KnownUser(*found[:_OF_USER]), UsedToken(*found[_OF_USER:])

    async def touch(self, user_id: UUID, token_id: UUID, now: datetime, expires_at: datetime | None) -> bool:
        """Note the use of a token; false where it was revoked a moment ago."""
        touched = await self.session.scalar(
            update(AccessToken)
            .where(AccessToken.id == token_id, AccessToken.user_id == user_id)
            .values(last_used_at=now, expires_at=expires_at)
            .returning(AccessToken.id)
        )
        return touched is not None

    async def remove_session(self, token_hash: str) -> UUID | None:
        """Whose session it was; None where the token is none of a session: unknown, gone already, or an API key."""
        removed: UUID | None = await self.session.scalar(
            delete(AccessToken)
            .where(AccessToken.token_hash == token_hash, AccessToken.kind == TokenKind.session)
            .returning(AccessToken.user_id)
        )
        return removed

    async def remove_sessions(self, user_id: UUID) -> None:
        """Every device is signed out; API keys are no sessions."""
        await self.session.execute(
            delete(AccessToken).where(AccessToken.user_id == user_id, AccessToken.kind == TokenKind.session)
        )

    # links of mails

    async def by_link(self, token_hash: str, purpose: LinkPurpose, now: datetime) -> User | None:
        """Whose open link it is. It stays open."""
        found: User | None = await self.session.scalar(
            select(User)
            .join(MailLink, MailLink.user_id == User.id)
            .where(
                MailLink.token_hash == token_hash,
                MailLink.purpose == purpose,
                MailLink.used_at.is_(None),
                MailLink.expires_at > now,
                User.deletion_requested_at.is_(None),
            )
        )
        return found

    async def proved_by(self, token_hash: str) -> User | None:
        """Whose address was proved by that link, as long as it is theirs."""
        found: User | None = await self.session.scalar(
            select(User)
            .join(MailLink, MailLink.user_id == User.id)
            .where(
                MailLink.token_hash == token_hash,
                MailLink.purpose == LinkPurpose.verify_email,
                MailLink.used_at.is_not(None),
                func.lower(MailLink.email) == func.lower(User.email),
                User.is_email_verified,
            )
        )
        return found

    async def take_link(self, user_id: UUID, token_hash: str, purpose: LinkPurpose, now: datetime) -> str | None:
        """Single use, however many ask at the same time: the address that it was mailed to, once."""
        email: str | None = await self.session.scalar(
            update(MailLink)
            .where(
                MailLink.user_id == user_id,
                MailLink.token_hash == token_hash,
                MailLink.purpose == purpose,
                MailLink.used_at.is_(None),
                MailLink.expires_at > now,
            )
            .values(used_at=now)
            .returning(MailLink.email)
        )
        return email

    async def void_links_to(self, user_id: UUID, purpose: LinkPurpose, email: str) -> None:
        """The unused ones that were mailed to that address open nothing any more."""
        await self.session.execute(
            delete(MailLink).where(
                MailLink.user_id == user_id,
                MailLink.purpose == purpose,
                MailLink.used_at.is_(None),
                func.lower(MailLink.email) == func.lower(email),
            )
        )
