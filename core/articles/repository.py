"""Queries for automatic announcements of articles."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import cast, func, literal, select, type_coerce, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.rules.announcements import OPEN_ANNOUNCEMENTS, AnnouncementState
from core.articles.tables import Announcement
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.websites.tables.websites import Website


class AnnouncementRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add_for_articles(self, post_ids: Collection[UUID]) -> bool:
        """Add an announcement for each of these posts that is a published article of a website with announcements; once
        per article, however often it is published. Return whether any was added."""
        now = utcnow()
        rows = (
            select(
                func.gen_random_uuid(),
                Post.user_id,
                Post.id,
                Website.announce_assistant_id,
                Website.announce_publishes,
                type_coerce(literal(AnnouncementState.waiting.value), Announcement.state.type),
                cast(literal(now), Announcement.due_at.type),
                literal(0),
                func.gen_random_uuid(),
                cast(literal(now), Announcement.created_at.type),
                cast(literal(now), Announcement.updated_at.type),
            )
            .join(Delivery, Delivery.post_id == Post.id)
            .join(Website, (Website.account_id == Delivery.account_id) & (Website.user_id == Post.user_id))
            .where(Post.id.in_(post_ids), Post.article.is_not(None), Website.announce_assistant_id.is_not(None))
            .where(Delivery.state == DeliveryState.published)
        )
        columns = ["id", "user_id", "article_id", "assistant_id", "publishes", "state", "due_at", "attempts"]
        added = await self.session.execute(
            insert(Announcement)
            .from_select([*columns, "post_id", "created_at", "updated_at"], rows)
            .on_conflict_do_nothing(index_elements=[Announcement.article_id])
            .returning(Announcement.id)
        )
        return bool(added.scalars().all())

    async def fail_open(self, code: ErrorCode) -> None:
        """After the database was restored: end the open announcements of all users, which may have been published."""
        await self.session.execute(
            update(Announcement)
            .where(Announcement.state.in_(OPEN_ANNOUNCEMENTS))
            .values(state=AnnouncementState.failed, error_code=code)
        )

    async def lock(self, user_id: UUID, announcement_id: UUID) -> Announcement | None:
        return await self.session.scalar(
            select(Announcement)
            .where(Announcement.id == announcement_id, Announcement.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def find_by_article(self, user_id: UUID, article_id: UUID) -> Announcement | None:
        return await self.session.scalar(
            select(Announcement).where(Announcement.user_id == user_id, Announcement.article_id == article_id)
        )
