"""Saving topic trees."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.domain.ids import new_id
from core.domain.topics import parse_hyphens
from core.models import TopicTree
from core.repositories.topics import CountedTree, TopicRepository


class TopicTreeService:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session
        self.topics = TopicRepository(session)

    async def create(self, user_id: UUID, name: str, text: str) -> CountedTree:
        """A tree from lines that start with hyphens. Raises InvalidInput with every bad line; nothing is saved."""
        found = parse_hyphens(text, name)
        problems = list(found.errors)
        if not name:
            problems.insert(0, FieldError("name", ErrorCode.name_required))
        if problems:
            raise InvalidInput(errors=problems)
        tree = TopicTree(id=new_id(), user_id=user_id, name=name)
        self.session.add(tree)
        await self.session.flush()
        ids = [new_id() for _ in found.topics]
        await self.topics.add_nodes(
            {
                "id": ids[at],
                "user_id": user_id,
                "tree_id": tree.id,
                "parent_id": None if topic.parent is None else ids[topic.parent],
                "position": at,
                "depth": topic.depth,
                "title": topic.title,
            }
            for at, topic in enumerate(found.topics)
        )
        return await self.topics.get(user_id, tree.id)

    async def rename(self, user_id: UUID, tree_id: UUID, version: int, name: str) -> CountedTree:
        if not name:
            raise InvalidInput(errors=[FieldError("name", ErrorCode.name_required)])
        tree = await self.topics.locked(user_id, tree_id, version)
        tree.name, tree.version = name, tree.version + 1
        await self.session.flush()
        return await self.topics.get(user_id, tree_id)

    async def delete(self, user_id: UUID, tree_id: UUID) -> None:
        """Raises Conflict (in_use) while an assistant takes its topics from it."""
        tree, _, assistants = await self.topics.get(user_id, tree_id)
        if assistants:
            raise Conflict(ErrorCode.in_use, count=assistants)
        await self.session.delete(tree)
