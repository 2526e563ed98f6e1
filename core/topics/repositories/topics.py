from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    Text,
    Uuid,
    case,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    literal_column,
    select,
    update,
    values,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.assistants.tables import Assistant
from core.clock import utcnow
from core.database import replan_queries
from core.errors import Conflict, NotFound
from core.feeds.tables import TopicFeed
from core.ids import new_id
from core.topics.rules import ImportedTopic, TopicNode
from core.topics.tables import Topic, TopicTree

CountedTree = Row[TopicTree, int, int]
"""A tree, the number of its topics and the number of assistants that use it."""

_LIVE = Topic.deletion_id.is_(None)
_AS_IT_IS = {"updated_at": Topic.updated_at}
"""Keeps `updated_at` of topics whose content is unchanged."""


@dataclass(frozen=True)
class Span:
    """A topic with all its subtopics, deleted ones too: positions from `start` up to `end`, exclusive. There may be
    gaps."""

    id: UUID
    parent_id: UUID | None
    depth: int
    start: int
    end: int

    def holds(self, other: "Span") -> bool:
        return self.start <= other.start < self.end


@dataclass(frozen=True)
class Deletion:
    """Topics that were deleted together. `under_live`: their parent is not deleted."""

    topics: int
    deleted_at: datetime
    under_live: bool


class TopicRepository:
    """Methods that change positions expect the tree to be locked by `lock`."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _counted(self, user_id: UUID) -> Select[TopicTree, int, int]:
        topics = select(func.count()).where(Topic.tree_id == TopicTree.id, _LIVE).scalar_subquery()
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

    async def lock(self, user_id: UUID, tree_id: UUID) -> TopicTree:
        """Wait for other changes of the tree, then lock it until the end of the transaction. Raise NotFound."""
        tree = await self.session.scalar(
            select(TopicTree)
            .where(TopicTree.id == tree_id, TopicTree.user_id == user_id)
            .with_for_update(key_share=True)  # rows that refer to the tree can still be saved
            .execution_options(populate_existing=True)
        )
        if tree is None:
            raise NotFound(what="topic_tree", id=str(tree_id))
        return tree

    async def lock_at_state(self, user_id: UUID, tree_id: UUID, version: int) -> TopicTree:
        """As `lock`. Raise Conflict (stale_version) if name or description changed since."""
        tree = await self.lock(user_id, tree_id)
        if not tree.renamed_version <= version <= tree.version:
            raise Conflict(current=tree.version)
        return tree

    # topics

    def _nodes(self, user_id: UUID, tree_id: UUID) -> Select[*tuple[Any, ...]]:
        """Select the fields of a TopicNode, in its order."""
        return (
            select(
                Topic.id,
                Topic.parent_id,
                Topic.depth,
                Topic.title,
                Topic.notes,
                Topic.enabled,
                Topic.weight,
                Topic.times_used,
                Topic.last_used_at,
                Topic.link,
            )
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, _LIVE)
            .order_by(Topic.position)
        )

    async def nodes(self, user_id: UUID, tree_id: UUID, within: Span | None = None) -> list[TopicNode]:
        """Return the nodes of the whole tree, or of one topic with its subtopics, in reading order."""
        query = self._nodes(user_id, tree_id)
        if within:
            query = query.where(Topic.position >= within.start, Topic.position < within.end)
        return list(map(TopicNode._make, await self.session.execute(query)))

    async def write_notes(self, user_id: UUID, tree_id: UUID, notes: Mapping[str, str]) -> None:
        """Set notes by title, for a new tree that no user has seen yet."""
        new_notes = values(column("title", String), column("notes", Text), name="new_notes").data(list(notes.items()))
        await self.session.execute(
            update(Topic)
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, Topic.title == new_notes.c.title)
            .values(notes=new_notes.c.notes)
            .execution_options(synchronize_session=False)
        )

    async def nodes_json(self, user_id: UUID, tree_id: UUID) -> str:
        """Return all `nodes` of a tree as a JSON list, written by the database: in Python, 10,000 rows take twice as
        long and block other requests."""
        rows = self._nodes(user_id, tree_id).subquery("topic")
        row = cast(func.row_to_json(literal_column("topic")), Text)
        return f"[{await self.session.scalar(select(func.string_agg(row, ',')).select_from(rows)) or ''}]"

    async def topic(self, user_id: UUID, tree_id: UUID, topic_id: UUID) -> Topic:
        topic = await self.session.scalar(
            select(Topic)
            .where(Topic.id == topic_id, Topic.user_id == user_id, Topic.tree_id == tree_id, _LIVE)
            .execution_options(populate_existing=True)
        )
        if topic is None:
            raise NotFound(what="topic", id=str(topic_id))
        return topic

    async def spans(self, user_id: UUID, tree_id: UUID, *topic_ids: UUID) -> list[Span]:
        """Return the spans in the order of the ids. Raise NotFound for the first id that does not exist."""
        other = aliased(Topic)
        same = (other.user_id == user_id, other.tree_id == tree_id)
        beyond = (
            select(other.position)
            .where(*same, other.position > Topic.position, other.depth <= Topic.depth)
            .order_by(other.position)
            .limit(1)
            .correlate(Topic)
            .scalar_subquery()
        )
        last = select(func.max(other.position) + 1).where(*same).scalar_subquery()
        rows = await self.session.execute(
            select(Topic.id, Topic.parent_id, Topic.depth, Topic.position, func.coalesce(beyond, last)).where(
                Topic.id.in_(topic_ids), Topic.user_id == user_id, Topic.tree_id == tree_id, _LIVE
            )
        )
        spans = {row[0]: Span(*row) for row in rows}
        for topic_id in topic_ids:
            if topic_id not in spans:
                raise NotFound(what="topic", id=str(topic_id))
        return [spans[topic_id] for topic_id in topic_ids]

    async def count(self, user_id: UUID, tree_id: UUID) -> int:
        live = select(func.count()).where(Topic.user_id == user_id, Topic.tree_id == tree_id, _LIVE)
        return await self.session.scalar(live) or 0

    async def insert(
        self,
        user_id: UUID,
        tree_id: UUID,
        topics: Sequence[ImportedTopic],
        *,
        parent_id: UUID | None = None,
        depth: int = 0,
        position: int = 0,
    ) -> list[UUID]:
        """Insert topics at a position with room for them; those of depth 0 get the given parent and depth. One
        statement for all. Return their ids."""
        ids = [new_id() for _ in topics]
        parents = [parent_id if topic.parent is None else ids[topic.parent] for topic in topics]
        rows = (
            func.unnest(
                literal(ids, ARRAY(Uuid)),
                literal(parents, ARRAY(Uuid)),
                literal([topic.depth for topic in topics], ARRAY(Integer)),
                literal([topic.title for topic in topics], ARRAY(Text)),
            )
            .table_valued(
                column("id", Uuid),
                column("parent_id", Uuid),
                column("depth", Integer),
                column("title", Text),
                with_ordinality="number",
            )
            .render_derived()
        )
        values = select(
            literal(user_id),
            literal(tree_id),
            rows.c.id,
            rows.c.parent_id,
            rows.c.depth + depth,
            rows.c.title,
            rows.c.number - 1 + position,
        )
        names = ["user_id", "tree_id", "id", "parent_id", "depth", "title", "position"]
        if len(ids) > 1:
            await replan_queries(self.session)
        await self.session.execute(insert(Topic).from_select(names, values))
        return ids

    async def make_room(self, user_id: UUID, tree_id: UUID, position: int, size: int) -> None:
        """Shift the topics from this position on by `size`."""
        await self.session.execute(
            update(Topic)
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, Topic.position >= position)
            .values(position=Topic.position + size, **_AS_IT_IS)
            .execution_options(synchronize_session=False)
        )

    async def move(self, user_id: UUID, tree_id: UUID, moved: Span, parent: Span, position: int) -> None:
        """Move a topic with its subtopics to a position outside its span, under a new or the same parent; shift the
        topics in between the other way."""
        size = moved.end - moved.start
        if position <= moved.start:
            low, high, by, others = position, moved.end, position - moved.start, size
        else:
            low, high, by, others = moved.start, position, position - moved.end, -size
        inside = Topic.position.between(moved.start, moved.end - 1)
        itself = Topic.id == moved.id
        await self.session.execute(
            update(Topic)
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, Topic.position.between(low, high - 1))
            .values(
                position=Topic.position + case((inside, by), else_=others),
                depth=Topic.depth + case((inside, parent.depth + 1 - moved.depth), else_=0),
                parent_id=case((itself, parent.id), else_=Topic.parent_id),
                updated_at=case((itself, utcnow()), else_=Topic.updated_at),
            )
            .execution_options(synchronize_session=False)
        )

    async def mark_deleted(self, user_id: UUID, tree_id: UUID, span: Span, deletion_id: UUID) -> int:
        """Return how many topics were marked. Topics deleted before keep their `deletion_id`."""
        deleted_ids = await self.session.scalars(
            update(Topic)
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, _LIVE)
            .where(Topic.position >= span.start, Topic.position < span.end)
            .values(deletion_id=deletion_id, deleted_at=utcnow(), **_AS_IT_IS)
            .returning(Topic.id)
            .execution_options(synchronize_session=False)
        )
        return len(deleted_ids.all())

    async def deletion(self, user_id: UUID, tree_id: UUID, deletion_id: UUID) -> Deletion | None:
        mine = (Topic.user_id == user_id, Topic.tree_id == tree_id)
        row = (
            await self.session.execute(
                select(func.count().over(), Topic.deleted_at, Topic.parent_id)
                .where(*mine, Topic.deletion_id == deletion_id)
                .order_by(Topic.position)  # the first topic is above all others
                .limit(1)
            )
        ).one_or_none()
        if row is None:
            return None
        topics, deleted_at, parent_id = row
        assert deleted_at is not None  # set with the deletion
        above = await self.session.scalar(select(Topic.id).where(*mine, Topic.id == parent_id, _LIVE))
        return Deletion(topics, deleted_at, under_live=above is not None)

    async def restore(self, user_id: UUID, tree_id: UUID, deletion_id: UUID) -> None:
        await self.session.execute(
            update(Topic)
            .where(Topic.user_id == user_id, Topic.tree_id == tree_id, Topic.deletion_id == deletion_id)
            .values(deletion_id=None, deleted_at=None, **_AS_IT_IS)
            .execution_options(synchronize_session=False)
        )

    async def purge_oldest(self, user_id: UUID, tree_id: UUID, keep: int) -> None:
        """Purge whole deletions until at most the newest `keep` deleted topics are left.

        Subtopics of a deleted topic were deleted no later, so the same statement deletes them: the database need not
        cascade along a chain of parents, which may be longer than it can follow."""
        mine = (Topic.user_id == user_id, Topic.tree_id == tree_id)
        rows = await self.session.execute(
            select(Topic.deletion_id, func.count())
            .where(*mine, Topic.deletion_id.is_not(None))
            .group_by(Topic.deletion_id)
            .order_by(func.max(Topic.deleted_at).desc())
        )
        deletions = list(rows)
        totals = accumulate(count for _, count in deletions)
        too_many = [deletion_id for (deletion_id, _), count in zip(deletions, totals, strict=True) if count > keep]
        if too_many:
            await replan_queries(self.session)
            await self._part_feeds(*mine, Topic.deletion_id.in_(too_many))
            await self.session.execute(
                delete(Topic).where(*mine, Topic.deletion_id.in_(too_many)).execution_options(synchronize_session=False)
            )

    async def purge(self, before: datetime, *, trees: int) -> int:
        """Purge topics deleted before `before`, of at most `trees` trees of all users; locked trees are skipped until
        the next call. As in `purge_oldest`, one statement per call. Return the number of topics."""
        expired = (Topic.deletion_id.is_not(None), Topic.deleted_at < before)
        tree_ids = await self.session.scalars(select(Topic.tree_id).where(*expired).distinct().limit(trees))
        if not (ids := list(tree_ids)):
            return 0
        locked = await self.session.scalars(
            select(TopicTree.id).where(TopicTree.id.in_(ids)).with_for_update(key_share=True, skip_locked=True)
        )
        purged = (Topic.tree_id.in_(list(locked)), *expired)
        await replan_queries(self.session)
        await self._part_feeds(*purged)
        deleted_ids = await self.session.scalars(
            delete(Topic).where(*purged).returning(Topic.id).execution_options(synchronize_session=False)
        )
        return len(deleted_ids.all())

    async def _part_feeds(self, *purged: ColumnElement[bool]) -> None:
        """Let feeds outlive the topics under which they add: the database deletes them with these."""
        root = aliased(Topic)
        await self.session.execute(
            update(TopicFeed)
            .where(TopicFeed.topic_id.in_(select(Topic.id).where(*purged)))
            .values(
                topic_id=select(root.id)
                .where(root.tree_id == TopicFeed.tree_id, root.user_id == TopicFeed.user_id, root.parent_id.is_(None))
                .scalar_subquery(),
                branch_purged=True,
                updated_at=TopicFeed.updated_at,
            )
            .execution_options(synchronize_session=False)
        )

    async def count_use(self, user_id: UUID, topic_id: UUID, slot: datetime) -> None:
        """Count a use in one statement, so that concurrent runs of the same topic are all counted."""
        await self.session.execute(
            update(Topic)
            .where(Topic.id == topic_id, Topic.user_id == user_id)
            .values(times_used=Topic.times_used + 1, last_used_at=func.greatest(Topic.last_used_at, slot))
            .execution_options(synchronize_session=False)
        )
