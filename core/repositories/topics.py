from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from sqlalchemy import Row, Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import Conflict, NotFound
from core.models import Assistant, Topic, TopicTree

CountedTree = Row[TopicTree, int, int]


class TopicRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _counted(self, user_id: UUID) -> Select[TopicTree, int, int]:
        topics = select(func.count()).where(Topic.tree_id == TopicTree.id).scalar_subquery()
        assistants = select(func.count()).where(Assistant.topic_tree_id == TopicTree.id).scalar_subquery()
        return select(TopicTree, topics, assistants).where(TopicTree.user_id == user_id)

    async def page(self, user_id: UUID, *, search: str, offset: int, limit: int) -> tuple[list[CountedTree], int]:
        query = self._counted(user_id)
        total_of = select(func.count()).select_from(TopicTree).where(TopicTree.user_id == user_id)
        if search:
            named = TopicTree.name.icontains(search, autoescape=True)
            query, total_of = query.where(named), total_of.where(named)
        rows = await self.session.execute(
            query.order_by(TopicTree.updated_at.desc(), TopicTree.id).offset(offset).limit(limit)
        )
        return list(rows.all()), await self.session.scalar(total_of) or 0

    async def get(self, user_id: UUID, tree_id: UUID) -> CountedTree:
        row = (await self.session.execute(self._counted(user_id).where(TopicTree.id == tree_id))).one_or_none()
        if row is None:
            raise NotFound(what="topic_tree", id=str(tree_id))
        return row

    async def locked(self, user_id: UUID, tree_id: UUID, version: int) -> TopicTree:
        tree = await self.session.scalar(
            select(TopicTree).where(TopicTree.id == tree_id, TopicTree.user_id == user_id).with_for_update()
        )
        if tree is None:
            raise NotFound(what="topic_tree", id=str(tree_id))
        if tree.version != version:
            raise Conflict(current=tree.version)
        return tree

    async def nodes(self, user_id: UUID, tree_id: UUID) -> list[Topic]:
        """In reading order."""
        rows = await self.session.scalars(
            select(Topic).where(Topic.user_id == user_id, Topic.tree_id == tree_id).order_by(Topic.position)
        )
        return list(rows)

    async def add_nodes(self, rows: Iterable[dict[str, object]]) -> None:
        """Each row belongs to a user already; one statement for all of them."""
        batch = list(rows)
        if batch:
            await self.session.execute(insert(Topic), batch)

    async def count_use(self, user_id: UUID, topic_id: UUID, slot: datetime) -> None:
        """One statement, so that runs which pick the same topic at once are all counted."""
        await self.session.execute(
            update(Topic)
            .where(Topic.id == topic_id, Topic.user_id == user_id)
            .values(times_used=Topic.times_used + 1, last_used_at=func.greatest(Topic.last_used_at, slot))
            .execution_options(synchronize_session=False)
        )
