"""Users, signed-in devices and mailed links. The anonymous look-ups (sign-in, bearer token, link) are the only queries
of the product without an owner: they identify the owner."""

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
    """The user of a call: without secrets, and not changeable."""

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
    """The token of a call."""

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
        # compare in the database: Python lowers non-ASCII differently
        return await self.session.scalar(select(User).where(func.lower(User.email) == func.lower(email)))

    async def any_exists(self) -> bool:
        return bool(await self.session.scalar(select(select(User.id).exists())))

    async def add(self, user: User) -> User:
        """Add a user. Raise InvalidInput (email_taken) if somebody signed up with that address meanwhile."""
        self.session.add(user)
        try:
            await self.session.flush()
        except IntegrityError as error:
            if not violates(error, _EMAIL_TAKEN):
                raise
            raise InvalidInput(errors=[FieldError("email", ErrorCode.email_taken)]) from error
        return user

    async def mark_email_refused(self, user_id: UUID, email: str, now: datetime) -> bool:
        """Mark the user's address as refused by the mail server. Return whether it was newly marked: false for another
        address than the user's."""
        marked = await self.session.scalar(
            update(User)
            .where(User.id == user_id, User.email == email, User.email_refused_at.is_(None))
            .values(email_refused_at=now)
            .returning(User.id)
        )
        return marked is not None

    async def clear_email_refused(self, user_id: UUID, email: str | None = None) -> bool:
        """Remove the mark, if `email` is the user's address. Return whether there was one."""
        query = update(User).where(User.id == user_id, User.email_refused_at.is_not(None))
        if email is not None:
            query = query.where(User.email == email)
        return await self.session.scalar(query.values(email_refused_at=None).returning(User.id)) is not None

    async def rename(self, user: User, email: str) -> None:
        """Change the address. Raise InvalidInput (email_taken) if another account has it."""
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
        if (row := rows.one_or_none()) is None:
            return None
        return KnownUser(*row[:_OF_USER]), UsedToken(*row[_OF_USER:])

    async def touch(self, user_id: UUID, token_id: UUID, now: datetime, expires_at: datetime | None) -> bool:
        """Record the use of a token; return False if it was revoked meanwhile."""
        touched = await self.session.scalar(
            update(AccessToken)
            .where(AccessToken.id == token_id, AccessToken.user_id == user_id)
            .values(last_used_at=now, expires_at=expires_at)
            .returning(AccessToken.id)
        )
        return touched is not None

    async def remove_session(self, token_hash: str) -> UUID | None:
        """Delete a session and return its user; None if the token is unknown, already deleted, or an API key."""
        return await self.session.scalar(
            delete(AccessToken)
            .where(AccessToken.token_hash == token_hash, AccessToken.kind == TokenKind.session)
            .returning(AccessToken.user_id)
        )

    async def remove_sessions(self, user_id: UUID) -> None:
        """Sign out every device; API keys stay."""
        await self.session.execute(
            delete(AccessToken).where(AccessToken.user_id == user_id, AccessToken.kind == TokenKind.session)
        )

    # links of mails

    async def by_link(self, token_hash: str, purpose: LinkPurpose, now: datetime) -> User | None:
        """Return the user of an unused link, which stays unused."""
        return await self.session.scalar(
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

    async def proved_by(self, token_hash: str) -> User | None:
        """Return the user whose address the link proved, if it still is theirs."""
        return await self.session.scalar(
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

    async def take_link(self, user_id: UUID, token_hash: str, purpose: LinkPurpose, now: datetime) -> str | None:
        """Use up a link and return the address it was mailed to; only one of several parallel calls gets it."""
        return await self.session.scalar(
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

    async def void_links_to(self, user_id: UUID, purpose: LinkPurpose, email: str) -> None:
        """Delete the unused links that were mailed to this address."""
        await self.session.execute(
            delete(MailLink).where(
                MailLink.user_id == user_id,
                MailLink.purpose == purpose,
                MailLink.used_at.is_(None),
                func.lower(MailLink.email) == func.lower(email),
            )
        )
