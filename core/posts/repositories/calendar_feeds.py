from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.posts.tables.calendar import CalendarFeed
from core.users.tables.users import User


class CalendarFeedRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def get(self, user_id: UUID) -> CalendarFeed | None:
        return await self.session.scalar(select(CalendarFeed).where(CalendarFeed.user_id == user_id))

    async def put(self, user_id: UUID, token_hash: str, token_encrypted: str, now: datetime) -> None:
        """Insert the feed, or replace the user's previous one."""
        values = {"token_hash": token_hash, "token_encrypted": token_encrypted, "created_at": now}
        await self.session.execute(
            insert(CalendarFeed)
            .values(user_id=user_id, **values)
            .on_conflict_do_update(index_elements=[CalendarFeed.user_id], set_=values)
        )

    async def remove(self, user_id: UUID) -> bool:
        """Return whether there was a feed."""
        removed = delete(CalendarFeed).where(CalendarFeed.user_id == user_id).returning(CalendarFeed.user_id)
        return await self.session.scalar(removed) is not None

    async def reader(self, token_hash: str) -> User | None:
        """Return the owner of the calendar; None if the user is disabled or leaving."""
        return await self.session.scalar(
            select(User)
            .join(CalendarFeed, CalendarFeed.user_id == User.id)
            .where(
                CalendarFeed.token_hash == token_hash,
                User.disabled_at.is_(None),
                User.deletion_requested_at.is_(None),
            )
        )
