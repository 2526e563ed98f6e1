from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload
from sqlalchemy.orm.interfaces import ORMOption

from core.domain.errors import NotFound
from core.domain.posts import DeliveryState, PostStatus
from core.models import Assistant, Delivery, Post, PostFile, Run

NamedPost = Row[Post, str]


def _whole() -> Sequence[ORMOption]:
    return (
        selectinload(Post.files).joinedload(PostFile.media, innerjoin=True),
        selectinload(Post.deliveries).joinedload(Delivery.account, innerjoin=True),
    )


def has_unclear() -> ColumnElement[bool]:
    """Whether the outcome of one of its deliveries is known to nobody."""
    return (
        exists()
        .where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, Delivery.state == DeliveryState.unknown)
        .correlate(Post)
    )


def waits_for_person() -> ColumnElement[bool]:
    """A question is open that only a person can answer, or nobody has seen yet that it failed."""
    return or_(has_unclear(), and_(Post.status == PostStatus.failed, Post.acknowledged_at.is_(None)))


class PostRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self,
        user_id: UUID,
        *,
        search: str,
        status: PostStatus | None,
        assistant_id: UUID | None,
        waiting: bool = False,
        offset: int,
        limit: int,
    ) -> tuple[list[NamedPost], int]:
        query = (
            select(Post, Assistant.name)
            .outerjoin(Assistant, Assistant.id == Post.assistant_id)
            .where(Post.user_id == user_id)
        )
        if search:
            titles = Post.topic_title.icontains(search, autoescape=True)
            query = query.where(or_(titles, Post.content.icontains(search, autoescape=True)))
        if status:
            query = query.where(Post.status == status)
        if assistant_id:
            query = query.where(Post.assistant_id == assistant_id)
        if waiting:
            query = query.where(waits_for_person())
        total = await self.session.scalar(select(func.count()).select_from(query.with_only_columns(Post.id).subquery()))
        rows = await self.session.execute(
            query.options(*_whole())
            .order_by(Post.planned_at.desc().nulls_last(), Post.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return list(rows.all()), total or 0

    async def get(self, user_id: UUID, post_id: UUID) -> NamedPost:
        """Another user's post is missing, never forbidden."""
        row = (
            await self.session.execute(
                select(Post, Assistant.name)
                .outerjoin(Assistant, Assistant.id == Post.assistant_id)
                .where(Post.id == post_id, Post.user_id == user_id)
                .options(*_whole())
            )
        ).one_or_none()
        if row is None:
            raise NotFound(what="post", id=str(post_id))
        return row

    async def unclear(self, user_id: UUID, assistant_id: UUID, *, beside: UUID | None) -> list[UUID]:
        """Posts of the assistant with a delivery that nobody knows the outcome of, but for those of the run `beside`,
        newest first."""
        rows = await self.session.scalars(
            select(Post.id)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                has_unclear(),
            )
            .order_by(Post.planned_at.desc(), Post.id.desc())
        )
        return list(rows)

    async def of_run(self, user_id: UUID, run_id: UUID) -> Post | None:
        found: Post | None = await self.session.scalar(
            select(Post).where(Post.run_id == run_id, Post.user_id == user_id).options(*_whole())
        )
        return found

    async def count_of(self, user_id: UUID, assistant_id: UUID | None) -> int:
        """How many posts the assistant has made."""
        made = select(func.count()).where(Post.user_id == user_id, Post.assistant_id == assistant_id)
        return await self.session.scalar(made) or 0

    async def recent_topics(self, user_id: UUID, assistant_id: UUID, limit: int) -> list[UUID]:
        """Topics of the assistant's latest runs, newest first."""
        rows = await self.session.scalars(
            select(Run.topic_id)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.topic_id.is_not(None))
            .order_by(Run.slot.desc())
            .limit(limit)
        )
        return [topic_id for topic_id in rows if topic_id is not None]

    async def delivery(self, user_id: UUID, delivery_id: UUID) -> Delivery:
        """Locked: the ledger's row belongs to one at a time."""
        found = await self.session.scalar(
            select(Delivery)
            .where(Delivery.id == delivery_id, Delivery.user_id == user_id)
            .options(selectinload(Delivery.account))
            .with_for_update()
        )
        if found is None:
            raise NotFound(what="delivery", id=str(delivery_id))
        return found
