"""Users, their signed-in devices and invitations. The anonymous look-ups (sign-in, a bearer token, a code) are the
only queries of the product without an owner: they find out who the owner is."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.models import AccessToken, Invitation, LinkPurpose, MailLink, User


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
            raise InvalidInput(errors=[FieldError("email", ErrorCode.email_taken)]) from error
        return user

    # signed-in devices

    def add_token(self, token: AccessToken) -> None:
        self.session.add(token)

    async def by_token(self, token_hash: str, now: datetime) -> tuple[User, AccessToken] | None:
        row = (
            await self.session.execute(
                select(User, AccessToken)
                .join(AccessToken, AccessToken.user_id == User.id)
                .where(AccessToken.token_hash == token_hash, AccessToken.expires_at > now)
            )
        ).one_or_none()
        return (row[0], row[1]) if row else None

    async def remove_token(self, token_hash: str) -> None:
        await self.session.execute(delete(AccessToken).where(AccessToken.token_hash == token_hash))

    def add_link(self, link: MailLink) -> None:
        self.session.add(link)

    async def by_link(self, token_hash: str, purpose: LinkPurpose, now: datetime) -> User | None:
        found: User | None = await self.session.scalar(
            select(User)
            .join(MailLink, MailLink.user_id == User.id)
            .where(MailLink.token_hash == token_hash, MailLink.purpose == purpose, MailLink.expires_at > now)
        )
        return found

    # invitations

    def add_invitation(self, invitation: Invitation) -> None:
        self.session.add(invitation)

    async def operators_open_invitation(self, now: datetime) -> Invitation | None:
        found: Invitation | None = await self.session.scalar(
            select(Invitation)
            .where(Invitation.user_id.is_(None), Invitation.accepted_at.is_(None), Invitation.expires_at > now)
            .order_by(Invitation.created_at)
            .limit(1)
        )
        return found

    async def invitation_open(self, code_hash: str, now: datetime) -> bool:
        return bool(
            await self.session.scalar(
                select(
                    select(Invitation.id)
                    .where(
                        Invitation.code_hash == code_hash,
                        Invitation.accepted_at.is_(None),
                        Invitation.expires_at > now,
                    )
                    .exists()
                )
            )
        )

    async def redeem(self, code_hash: str, user_id: UUID, now: datetime) -> bool:
        """One code, one user: the row can be taken only once, however many ask at the same time."""
        taken = await self.session.scalar(
            update(Invitation)
            .where(
                Invitation.code_hash == code_hash,
                Invitation.accepted_at.is_(None),
                Invitation.expires_at > now,
            )
            .values(accepted_at=now, accepted_by=user_id)
            .returning(Invitation.id)
        )
        return taken is not None
