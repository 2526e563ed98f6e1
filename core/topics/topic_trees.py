"""Saving topic trees, and changing them topic by topic.

Each change locks the tree, so that two tabs never break its order, takes the same few statements for a tree of any
size, and raises the tree's version.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import notify_browsers, replan_queries
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.ids import new_id
from core.live import LiveKind
from core.service import InTransaction
from core.texts.rules.endings import normal_link
from core.topics.repositories.topics import CountedTree, Span, TopicRepository
from core.topics.rules import (
    MAX_LINK,
    MAX_TOPICS,
    ImportedTopic,
    clean_title,
    export_hyphens,
    parse_branch,
    parse_hyphens,
    title_problems,
)
from core.topics.tables import Topic, TopicTree

UNDO = timedelta(days=1)
"""How long a deleted topic can be restored."""
_SWEPT_AT_ONCE = 20  # trees


class TopicTreeService(InTransaction):
    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session)
        self.topics = TopicRepository(session)

    async def create(self, user_id: UUID, name: str, text: str, description: str = "") -> CountedTree:
        """Create a tree from lines with hyphens; a single line makes a tree with only a root.

        Raise InvalidInput with every bad line; then nothing is saved."""
        name = clean_title(name)
        parsed = await asyncio.to_thread(parse_hyphens, text, name)
        problems = list(parsed.errors)
        if not name:
            problems.insert(0, FieldError("name", ErrorCode.name_required))
        if problems:
            raise InvalidInput(errors=problems)
        tree = TopicTree(id=new_id(), user_id=user_id, name=name, description=description)
        self.session.add(tree)
        await self.session.flush()
        await self.topics.insert(user_id, tree.id, parsed.topics)
        await notify_browsers(self.session, user_id, LiveKind.topic_tree, tree.id)
        return await self.topics.get(user_id, tree.id)

    async def export(self, user_id: UUID, tree_id: UUID, topic_id: UUID | None) -> str:
        """Return lines with hyphens: the whole tree, or one topic with its subtopics. Raise NotFound."""
        await self.topics.get(user_id, tree_id)
        within = None if topic_id is None else (await self.topics.spans(user_id, tree_id, topic_id))[0]
        return export_hyphens(await self.topics.nodes(user_id, tree_id, within))

    async def add_branch(self, user_id: UUID, tree_id: UUID, topic_id: UUID, text: str) -> CountedTree:
        """As `create`, but under an existing topic, after its children. Raise InvalidInput with every bad line, or
        topic_too_many."""
        parsed = await asyncio.to_thread(parse_branch, text)
        tree = await self.topics.lock(user_id, tree_id)
        [parent] = await self.topics.spans(user_id, tree_id, topic_id)
        if parsed.errors:
            raise InvalidInput(errors=list(parsed.errors))
        await self._insert(tree, parent, parent.end, parsed.topics)
        await self._changed(tree)
        return await self.topics.get(user_id, tree_id)

    async def add(self, user_id: UUID, tree_id: UUID, parent_id: UUID, after_id: UUID | None, title: str) -> Topic:
        """Add a topic after a child of the parent, or as its first. Raise InvalidInput: topic_empty_title,
        topic_title_too_long, topic_too_many; NotFound."""
        tree = await self.topics.lock(user_id, tree_id)
        parent, position = await self._place(tree, parent_id, after_id)
        return await self._add(tree, parent, position, title)

    async def append(
        self, user_id: UUID, tree_id: UUID, parent_id: UUID, title: str, *, notes: str = "", link: str = ""
    ) -> Topic:
        """As `add`, as the parent's last child. `link`: the page that it is about."""
        tree = await self.topics.lock(user_id, tree_id)
        [parent] = await self.topics.spans(user_id, tree_id, parent_id)
        topic = await self._add(tree, parent, parent.end, title)
        topic.notes, topic.link = notes, link
        return topic

    async def change(
        self,
        user_id: UUID,
        tree_id: UUID,
        topic_id: UUID,
        *,
        title: str | None,
        notes: str | None,
        enabled: bool | None,
        weight: int | None,
        link: str | None = None,
        notes_before: str | None = None,
    ) -> Topic:
        """None leaves a value unchanged. `notes_before`: the notes that the user edited.

        Raise InvalidInput: topic_empty_title, topic_title_too_long, link_not_usable on `link`; Conflict (stale_version)
        if the saved notes are neither `notes_before` nor already the new ones, as after a lost response."""
        tree = await self.topics.lock(user_id, tree_id)
        topic = await self.topics.topic(user_id, tree_id, topic_id)
        if title is not None:
            topic.title = _checked(title)
        if notes is not None:
            if notes_before is not None and topic.notes not in (notes_before, notes):
                raise Conflict(current=tree.version)
            topic.notes = notes
        if link is not None:
            topic.link = _checked_link(link)
        if enabled is not None:
            topic.enabled = enabled
        if weight is not None:
            topic.weight = weight
        if self.session.is_modified(topic):
            await self._changed(tree)
        return topic

    async def move(
        self, user_id: UUID, tree_id: UUID, topic_id: UUID, parent_id: UUID, after_id: UUID | None
    ) -> CountedTree:
        """Move a topic with its subtopics. Raise InvalidInput: topic_inside_itself, topic_root_stays; NotFound."""
        tree = await self.topics.lock(user_id, tree_id)
        moved, parent = await self.topics.spans(user_id, tree_id, topic_id, parent_id)
        if moved.parent_id is None:
            raise InvalidInput(ErrorCode.topic_root_stays)
        if moved.holds(parent):
            raise InvalidInput(ErrorCode.topic_inside_itself)
        if after_id != topic_id or moved.parent_id != parent_id:  # else it would stay in its place
            parent, position = await self._place(tree, parent_id, after_id)
            if (moved.parent_id, moved.start) != (parent_id, position):
                await self.topics.move(user_id, tree_id, moved, parent, position)
                await self._changed(tree)
        return await self.topics.get(user_id, tree_id)

    async def remove(self, user_id: UUID, tree_id: UUID, topic_id: UUID) -> tuple[UUID, int]:
        """Return (id for `restore`, number of deleted topics). Raise InvalidInput (topic_root_stays)."""
        tree = await self.topics.lock(user_id, tree_id)
        [span] = await self.topics.spans(user_id, tree_id, topic_id)
        if span.parent_id is None:
            raise InvalidInput(ErrorCode.topic_root_stays)
        deletion_id = new_id()
        count = await self.topics.mark_deleted(user_id, tree_id, span, deletion_id)
        # limits a tree to twice `MAX_TOPICS` rows, however much is imported and deleted in a day
        await self.topics.purge_oldest(user_id, tree_id, MAX_TOPICS)
        await self._changed(tree)
        return deletion_id, count

    async def restore(self, user_id: UUID, tree_id: UUID, deletion_id: UUID) -> CountedTree:
        """Restore topics to their former place. Raise Conflict (undo_expired) after a day, if the parent is deleted,
        or if they are restored already; InvalidInput (topic_too_many)."""
        tree = await self.topics.lock(user_id, tree_id)
        deletion = await self.topics.deletion(user_id, tree_id, deletion_id)
        if deletion is None or not deletion.under_live or deletion.deleted_at < utcnow() - UNDO:
            raise Conflict(ErrorCode.undo_expired)
        await self._expect_room(tree, deletion.topics)
        await self.topics.restore(user_id, tree_id, deletion_id)
        await self._changed(tree)
        return await self.topics.get(user_id, tree_id)

    async def rename(
        self, user_id: UUID, tree_id: UUID, version: int, name: str, description: str | None = None
    ) -> CountedTree:
        """Raise Conflict (stale_version) if name or description changed since that version. Changed topics are no
        conflict: renaming overwrites none of them."""
        name = clean_title(name)
        if not name:
            raise InvalidInput(errors=[FieldError("name", ErrorCode.name_required)])
        tree = await self.topics.lock_at_state(user_id, tree_id, version)
        tree.name = name
        if description is not None:
            tree.description = description
        tree.renamed_version = tree.version + 1
        await self._changed(tree)
        return await self.topics.get(user_id, tree_id)

    async def delete(self, user_id: UUID, tree_id: UUID) -> None:
        """Raise Conflict (in_use) while an assistant takes its topics from the tree."""
        await self.topics.lock(user_id, tree_id)
        tree, _, assistants = await self.topics.get(user_id, tree_id)
        if assistants:
            raise Conflict(ErrorCode.in_use, count=assistants)
        await replan_queries(self.session)
        await self.session.delete(tree)
        await notify_browsers(self.session, user_id, LiveKind.topic_tree, tree_id)

    async def purge_deleted(self) -> int:
        """Purge topics of all users deleted too long ago to be restored, of a limited number of trees per call.
        Return the number of topics."""
        return await self.topics.purge(utcnow() - UNDO, trees=_SWEPT_AT_ONCE)

    async def _place(self, tree: TopicTree, parent_id: UUID, after_id: UUID | None) -> tuple[Span, int]:
        """Return the parent and the position after the given child or, without one, after the parent itself."""
        if after_id is None:
            [parent] = await self.topics.spans(tree.user_id, tree.id, parent_id)
            return parent, parent.start + 1
        parent, after = await self.topics.spans(tree.user_id, tree.id, parent_id, after_id)
        if after.parent_id != parent_id:
            raise NotFound(what="topic", id=str(after_id))
        return parent, after.end

    async def _add(self, tree: TopicTree, parent: Span, position: int, title: str) -> Topic:
        [topic_id] = await self._insert(tree, parent, position, [ImportedTopic(_checked(title), 0, None)])
        await self._changed(tree)
        return await self.topics.topic(tree.user_id, tree.id, topic_id)

    async def _insert(
        self, tree: TopicTree, parent: Span, position: int, topics: Sequence[ImportedTopic]
    ) -> list[UUID]:
        await self._expect_room(tree, len(topics))
        await self.topics.make_room(tree.user_id, tree.id, position, len(topics))
        return await self.topics.insert(
            tree.user_id, tree.id, topics, parent_id=parent.id, depth=parent.depth + 1, position=position
        )

    async def _expect_room(self, tree: TopicTree, more: int) -> None:
        count = await self.topics.count(tree.user_id, tree.id) + more
        if count > MAX_TOPICS:
            raise InvalidInput(ErrorCode.topic_too_many, found=count, limit=MAX_TOPICS)

    async def _changed(self, tree: TopicTree) -> None:
        tree.version += 1
        await self.session.flush()
        await notify_browsers(self.session, tree.user_id, LiveKind.topic_tree, tree.id)


def _checked_link(typed: str) -> str:
    """Return the address with its scheme, or "" for none. Raise InvalidInput."""
    if not typed.strip():
        return ""
    link = normal_link(typed, MAX_LINK)
    if link is None:
        raise InvalidInput(errors=[FieldError("link", ErrorCode.link_not_usable)])
    return link


def _checked(title: str) -> str:
    """Return the cleaned title. Raise InvalidInput."""
    title = clean_title(title)
    if problems := title_problems(title):
        raise InvalidInput(errors=problems)
    return title
