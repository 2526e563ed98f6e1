from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import NotFound
from core.users.tables.users import Invitation


class InvitationRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def add(self, invitation: Invitation) -> None:
        self.session.add(invitation)

    async def page(self, user_id: UUID, *, search: str, offset: int, limit: int) -> tuple[Sequence[Invitation], int]:
        """Return invitations, newest first, and their total; `search` filters by e-mail."""
        query = select(Invitation).where(Invitation.user_id == user_id)
        if search:
            query = query.where(Invitation.email.icontains(search, autoescape=True))
        total = await self.session.scalar(select(func.count()).select_from(query.subquery()))
        invitations = await self.session.scalars(
            query.order_by(Invitation.created_at.desc(), Invitation.id.desc()).offset(offset).limit(limit)
        )
        return invitations.all(), total or 0

    async def count_open(self, user_id: UUID, now: datetime) -> int:
        count = await self.session.scalar(select(func.count()).where(Invitation.user_id == user_id, _is_open(now)))
        return count or 0

    async def locked(self, user_id: UUID, invitation_id: UUID) -> Invitation:
        """Return the locked invitation, after any redemption in progress."""
        invitation = await self.session.scalar(
            select(Invitation).where(Invitation.id == invitation_id, Invitation.user_id == user_id).with_for_update()
        )
        if invitation is None:
            raise NotFound(what="invitation", id=str(invitation_id))
        return invitation

    async def operators_open(self, now: datetime) -> Invitation | None:
        """Return the operator's oldest open invitation."""
        return await self.session.scalar(
            select(Invitation)
            .where(Invitation.user_id.is_(None), _is_open(now))
            .order_by(Invitation.created_at)
            .limit(1)
        )

    async def serves(self, code_hash: str, email: str, now: datetime) -> bool | None:
        """Return whether an open code lets this address sign up; None if there is no such code."""
        return await self.session.scalar(select(_is_for(email)).where(Invitation.code_hash == code_hash, _is_open(now)))

    async def is_open(self, code_hash: str, now: datetime) -> bool:
        """Return whether the code is open, for any address."""
        query = select(Invitation.id).where(Invitation.code_hash == code_hash, _is_open(now))
        return await self.session.scalar(query) is not None

    async def redeem(self, code_hash: str, email: str, user_id: UUID, now: datetime) -> Invitation | None:
        """Redeem a code; only one of several parallel calls gets it."""
        return await self.session.scalar(
            update(Invitation)
            .where(Invitation.code_hash == code_hash, _is_open(now), _is_for(email))
            .values(accepted_at=now, accepted_by=user_id)
            .returning(Invitation)
        )


def _is_open(now: datetime) -> ColumnElement[bool]:
    return and_(Invitation.accepted_at.is_(None), Invitation.revoked_at.is_(None), Invitation.expires_at > now)


def _is_for(email: str) -> ColumnElement[bool]:
    # compare in the database, as for users' addresses
    return or_(Invitation.email.is_(None), func.lower(Invitation.email) == func.lower(email))
