from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload, selectinload
from sqlalchemy.orm.attributes import set_committed_value

from core.domain.errors import NotFound
from core.domain.posts import DeliveryState, PostStatus
from core.models import Assistant, Delivery, Post, PostFile, Run
from core.repositories.among import among

NamedPost = Row[Post, str]


async def _fill(session: AsyncSession, user_id: UUID, posts: Sequence[Post]) -> None:
    """With their files and deliveries: two statements, the same ones for any number of posts."""
    ids = [post.id for post in posts]
    files = await session.scalars(_files_of(), {"user_id": user_id, "ids": ids})
    of_post: defaultdict[UUID, list[PostFile]] = defaultdict(list)
    for file in files:
        of_post[file.post_id].append(file)
    deliveries = await deliveries_of(session, user_id, ids)
    for post in posts:
        set_committed_value(post, "files", of_post[post.id])
        set_committed_value(post, "deliveries", deliveries[post.id])


async def deliveries_of(
    session: AsyncSession, user_id: UUID, post_ids: Sequence[UUID]
) -> defaultdict[UUID, list[Delivery]]:
    """By post, each with its account."""
    found: defaultdict[UUID, list[Delivery]] = defaultdict(list)
    for delivery in await session.scalars(_deliveries_of(), {"user_id": user_id, "ids": list(post_ids)}):
        found[delivery.post_id].append(delivery)
    return found


# built once: that takes as long as asking


@cache
def _files_of() -> Select[PostFile]:
    return (
        select(PostFile)
        .where(PostFile.user_id == bindparam("user_id"), among(PostFile.post_id, "ids"))
        .options(joinedload(PostFile.media, innerjoin=True))
        .order_by(PostFile.position)
    )


@cache
def _deliveries_of() -> Select[Delivery]:
    return (
        select(Delivery)
        .where(Delivery.user_id == bindparam("user_id"), among(Delivery.post_id, "ids"))
        .options(joinedload(Delivery.account, innerjoin=True))
        .order_by(Delivery.id)
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
        total = await self.session.scalar(query.with_only_columns(func.count(Post.id)))
        rows = await self.session.execute(
            query.order_by(Post.planned_at.desc().nulls_last(), Post.id.desc()).offset(offset).limit(limit)
        )
        found = list(rows.all())
        await _fill(self.session, user_id, [row[0] for row in found])
        return found, total or 0

    async def get(self, user_id: UUID, post_id: UUID) -> NamedPost:
        """Another user's post is missing, never forbidden."""
        row = (
            await self.session.execute(
                select(Post, Assistant.name)
                .outerjoin(Assistant, Assistant.id == Post.assistant_id)
                .where(Post.id == post_id, Post.user_id == user_id)
            )
        ).one_or_none()
        if row is None:
            raise NotFound(what="post", id=str(post_id))
        await _fill(self.session, user_id, [row[0]])
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
            select(Post).where(Post.run_id == run_id, Post.user_id == user_id)
        )
        if found:
            await _fill(self.session, user_id, [found])
        return found

    async def find(self, user_id: UUID, post_id: UUID) -> Post | None:
        """As `get`, where it may be gone."""
        found: Post | None = await self.session.scalar(select(Post).where(Post.id == post_id, Post.user_id == user_id))
        if found:
            await _fill(self.session, user_id, [found])
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
