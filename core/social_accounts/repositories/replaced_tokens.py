"""Tokens in whose place others have come, until their networks have taken them back."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.social_accounts.repositories.revocations import claim_due
from core.social_accounts.tables import ReplacedToken


class ReplacedTokenRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def find(self, user_id: UUID, token_id: UUID) -> ReplacedToken | None:
        return await self.session.scalar(
            select(ReplacedToken).where(ReplacedToken.id == token_id, ReplacedToken.user_id == user_id)
        )

    async def list_all(self, user_id: UUID) -> Sequence[ReplacedToken]:
        rows = await self.session.scalars(
            select(ReplacedToken).where(ReplacedToken.user_id == user_id).order_by(ReplacedToken.id)
        )
        return rows.all()

    async def claim_due(self, now: datetime, until: datetime, limit: int) -> list[tuple[UUID, UUID]]:
        """Return (user, token) of all users' due revocations, longest waiting first, and postpone them to `until`."""
        return await claim_due(self.session, ReplacedToken, ReplacedToken.due_at, now, until, limit)

    async def postpone(self, user_id: UUID, token_id: UUID, until: datetime) -> None:
        await self.session.execute(
            update(ReplacedToken)
            .where(ReplacedToken.id == token_id, ReplacedToken.user_id == user_id)
            .values(due_at=until, attempts=ReplacedToken.attempts + 1)
            .execution_options(synchronize_session=False)
        )

    async def delete(self, user_id: UUID, token_id: UUID) -> None:
        await self.session.execute(
            delete(ReplacedToken).where(ReplacedToken.id == token_id, ReplacedToken.user_id == user_id)
        )

    async def delete_all(self, user_id: UUID) -> None:
        await self.session.execute(delete(ReplacedToken).where(ReplacedToken.user_id == user_id))
