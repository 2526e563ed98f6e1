from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.ai.tables.transactions import Transaction
from core.errors import NotFound
from core.topics.tables import Topic, TopicSuggestion


@dataclass(frozen=True)
class TopicContext:
    """A topic and the titles around it. `path` holds the titles above, root first; the others are in reading order."""

    topic: Topic
    path: tuple[str, ...]
    siblings: tuple[str, ...]
    children: tuple[str, ...]


class SuggestionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def topic_context(self, user_id: UUID, topic: Topic) -> TopicContext:
        """Return the topic's context without deleted topics."""
        children = await self._titles(user_id, topic.id)
        siblings = await self._titles(user_id, topic.parent_id) if topic.parent_id else []
        above = (
            select(Topic.parent_id, Topic.title, Topic.depth)
            .where(Topic.id == topic.parent_id, Topic.user_id == user_id)
            .cte("above", recursive=True)
        )
        parent = aliased(Topic)
        above = above.union_all(
            select(parent.parent_id, parent.title, parent.depth).where(
                parent.id == above.c.parent_id, parent.user_id == user_id
            )
        )
        path = await self.session.scalars(select(above.c.title).order_by(above.c.depth))
        others = list(siblings)
        if topic.title in others:
            others.remove(topic.title)
        return TopicContext(topic, tuple(path), tuple(others), tuple(children))

    async def _titles(self, user_id: UUID, parent_id: UUID) -> Sequence[str]:
        titles = await self.session.scalars(
            select(Topic.title)
            .where(Topic.user_id == user_id, Topic.parent_id == parent_id, Topic.deletion_id.is_(None))
            .order_by(Topic.position)
        )
        return titles.all()

    async def is_open(self, user_id: UUID, topic_id: UUID) -> bool:
        """Return whether a round under the topic is open."""
        open_suggestion = select(TopicSuggestion.id).where(
            TopicSuggestion.user_id == user_id,
            TopicSuggestion.topic_id == topic_id,
            TopicSuggestion.state.in_(OPEN_GENERATIONS),
        )
        return bool(await self.session.scalar(select(open_suggestion.exists())))

    async def latest(self, user_id: UUID, topic_id: UUID) -> TopicSuggestion | None:
        return await self.session.scalar(
            select(TopicSuggestion)
            .where(TopicSuggestion.user_id == user_id, TopicSuggestion.topic_id == topic_id)
            .order_by(TopicSuggestion.created_at.desc(), TopicSuggestion.id.desc())
            .limit(1)
        )

    async def list_open(self, user_id: UUID, tree_id: UUID, since: datetime) -> Sequence[TopicSuggestion]:
        """Return the newest round of each topic if the user should see it: open, with an undecided title, or finished
        without titles after `since`. In the order of the tree."""
        newest = (
            select(TopicSuggestion.id)
            .ext(distinct_on(TopicSuggestion.topic_id))
            .where(TopicSuggestion.user_id == user_id, TopicSuggestion.tree_id == tree_id)
            .order_by(TopicSuggestion.topic_id, TopicSuggestion.created_at.desc(), TopicSuggestion.id.desc())
        )
        titles = func.jsonb_array_length(TopicSuggestion.titles)
        decided = (
            select(func.count())
            .select_from(func.jsonb_object_keys(TopicSuggestion.decided).table_valued("index"))
            .scalar_subquery()
        )
        fruitless = and_(
            TopicSuggestion.state.in_((GenerationState.succeeded, GenerationState.failed)),
            titles == 0,
            TopicSuggestion.finished_at >= since,
        )
        rows = await self.session.scalars(
            select(TopicSuggestion)
            .join(Topic, Topic.id == TopicSuggestion.topic_id)
            .where(TopicSuggestion.user_id == user_id, TopicSuggestion.id.in_(newest), Topic.deletion_id.is_(None))
            .where(or_(TopicSuggestion.state.in_(OPEN_GENERATIONS), titles > decided, fruitless))
            .order_by(Topic.position)
        )
        return rows.all()

    async def lock(self, user_id: UUID, tree_id: UUID, suggestion_id: UUID) -> TopicSuggestion:
        """Return the locked round. Raise NotFound."""
        row = await self.find_locked(user_id, suggestion_id)
        if row is None or row.tree_id != tree_id:
            raise NotFound(what="topic_suggestion", id=str(suggestion_id))
        return row

    async def find_locked(self, user_id: UUID, suggestion_id: UUID) -> TopicSuggestion | None:
        """Return the locked round, or None if it was deleted with its topic."""
        return await self.session.scalar(
            select(TopicSuggestion)
            .where(TopicSuggestion.id == suggestion_id, TopicSuggestion.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def list_calls(self, user_id: UUID, suggestion_id: UUID) -> Sequence[Transaction]:
        """Return the round's model calls in order."""
        rows = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.suggestion_id == suggestion_id)
            .order_by(Transaction.created_at, Transaction.id)
        )
        return rows.all()
