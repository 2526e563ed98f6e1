"""Feeds of topic trees and their items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import NotFound
from core.feeds.rules.feeds import ItemKeys, ItemState
from core.feeds.tables import TopicFeed, TopicFeedItem
from core.users.tables.users import User

CHANGED_FEED: Final = "postloom_topic_feeds"
"""PostgreSQL channel on which the worker learns of changed feeds."""
_IS_USED: Final = and_(TopicFeed.active, User.deletion_requested_at.is_(None))

CountedFeed = Row[TopicFeed, int, int, int]
"""A feed, the number of its items, of those that became topics, and of those that wait."""


@dataclass(frozen=True)
class UnsyncedFeed:
    """A feed and the version that its workflow has to know. `used`: it is to be asked."""

    user_id: UUID
    id: UUID
    tree_id: UUID
    version: int
    used: bool


@dataclass(frozen=True)
class KnownItem:
    """An item that a feed has shown before."""

    id: UUID
    keys: ItemKeys
    title: str
    published_at: datetime


class FeedRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_of_tree(self, user_id: UUID, tree_id: UUID, waiting_since: datetime) -> Sequence[CountedFeed]:
        """Return the feeds of a tree, oldest first. Items found before `waiting_since` no longer wait."""
        rows = await self.session.execute(
            _counted(user_id, waiting_since)
            .where(TopicFeed.tree_id == tree_id)
            .order_by(TopicFeed.created_at, TopicFeed.id)
        )
        return rows.all()

    async def get(self, user_id: UUID, feed_id: UUID, waiting_since: datetime) -> CountedFeed:
        row = (
            await self.session.execute(_counted(user_id, waiting_since).where(TopicFeed.id == feed_id))
        ).one_or_none()
        if row is None:
            raise NotFound(what="topic_feed", id=str(feed_id))
        return row

    async def find_used(self, user_id: UUID, feed_id: UUID) -> TopicFeed | None:
        """Return the feed if it is to be asked."""
        found: TopicFeed | None = await self.session.scalar(
            select(TopicFeed)
            .join(User, User.id == TopicFeed.user_id)
            .where(TopicFeed.id == feed_id, TopicFeed.user_id == user_id, _IS_USED)
        )
        return found

    async def lock(self, user_id: UUID, feed_id: UUID) -> TopicFeed | None:
        """Return the locked feed. A transaction that also locks its tree does that first."""
        found: TopicFeed | None = await self.session.scalar(
            select(TopicFeed)
            .where(TopicFeed.id == feed_id, TopicFeed.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        return found

    async def lock_of_tree(self, user_id: UUID, tree_id: UUID, feed_id: UUID) -> TopicFeed:
        """As `lock`. Raise NotFound."""
        feed = await self.lock(user_id, feed_id)
        if feed is None or feed.tree_id != tree_id:
            raise NotFound(what="topic_feed", id=str(feed_id))
        return feed

    async def addresses(self, user_id: UUID, tree_id: UUID) -> Sequence[str]:
        rows = await self.session.scalars(
            select(TopicFeed.address).where(TopicFeed.user_id == user_id, TopicFeed.tree_id == tree_id)
        )
        return rows.all()

    async def mark_changed(self, feed: TopicFeed) -> None:
        """Raise the version, so that its workflow is told after the commit."""
        feed.version += 1
        await self.session.flush()
        await wake_feeds(self.session)

    # items

    async def list_known(self, user_id: UUID, feed_id: UUID, keys: Iterable[str]) -> list[KnownItem]:
        """Return the items of the feed that one of the keys names."""
        asked = list(keys)
        rows = await self.session.execute(
            select(
                TopicFeedItem.id,
                TopicFeedItem.own_key,
                TopicFeedItem.link_key,
                TopicFeedItem.title_key,
                TopicFeedItem.title,
                TopicFeedItem.published_at,
            ).where(
                *_of(user_id, feed_id),
                or_(
                    TopicFeedItem.own_key.in_(asked),
                    TopicFeedItem.link_key.in_(asked),
                    TopicFeedItem.title_key.in_(asked),
                ),
            )
        )
        return [
            KnownItem(item_id, ItemKeys(own, link, title_key), title, published_at)
            for item_id, own, link, title_key, title, published_at in rows
        ]

    async def mark_seen(
        self, user_id: UUID, feed_id: UUID, item_ids: Iterable[UUID], now: datetime, before: datetime
    ) -> None:
        """Remember that the feed still shows the items. Those seen since `before` are left alone."""
        await self.session.execute(
            update(TopicFeedItem)
            .where(*_of(user_id, feed_id), TopicFeedItem.id.in_(list(item_ids)), TopicFeedItem.seen_at < before)
            .values(seen_at=now)
            .execution_options(synchronize_session=False)
        )

    async def mark_shown_until(self, user_id: UUID, feed_id: UUID, since: datetime, until: datetime) -> None:
        """Remember that the feed has shown what it showed after `since` until `until`."""
        await self.session.execute(
            update(TopicFeedItem)
            .where(*_of(user_id, feed_id), TopicFeedItem.seen_at > since, TopicFeedItem.seen_at < until)
            .values(seen_at=until)
            .execution_options(synchronize_session=False)
        )

    async def forget(self, user_id: UUID, feed_id: UUID, before: datetime) -> None:
        """Delete the items that the feed has not shown since `before`."""
        await self.session.execute(
            delete(TopicFeedItem)
            .where(*_of(user_id, feed_id), TopicFeedItem.seen_at < before)
            .execution_options(synchronize_session=False)
        )

    async def forget_left_out(self, user_id: UUID, feed_id: UUID, keep: int, shown: Iterable[UUID]) -> None:
        """Delete all items that were left out but the `keep` that the feed has shown last, and those of `shown`."""
        beyond = (
            select(TopicFeedItem.id)
            .where(
                *_of(user_id, feed_id),
                TopicFeedItem.state == ItemState.left_out,
                TopicFeedItem.id.not_in(list(shown)),
            )
            .order_by(TopicFeedItem.seen_at.desc(), TopicFeedItem.id.desc())
            .offset(keep)
        )
        await self.session.execute(
            delete(TopicFeedItem)
            .where(*_of(user_id, feed_id), TopicFeedItem.id.in_(beyond))
            .execution_options(synchronize_session=False)
        )

    async def leave_out(self, user_id: UUID, feed_id: UUID, since: datetime, most: int) -> None:
        """Let no more than the `most` newest items wait, and none that was found before `since`."""
        waiting = (*_of(user_id, feed_id), TopicFeedItem.state == ItemState.waiting)
        beyond = (
            select(TopicFeedItem.id)
            .where(*waiting, TopicFeedItem.found_at > since)
            .order_by(TopicFeedItem.published_at.desc(), TopicFeedItem.id.desc())
            .offset(most)
        )
        await self.session.execute(
            update(TopicFeedItem)
            .where(*waiting, or_(TopicFeedItem.found_at <= since, TopicFeedItem.id.in_(beyond)))
            .values(state=ItemState.left_out, link="", summary="")
            .execution_options(synchronize_session=False)
        )

    async def count_added(self, user_id: UUID, feed_id: UUID, since: datetime) -> int:
        count = select(func.count()).where(
            TopicFeedItem.user_id == user_id,
            TopicFeedItem.feed_id == feed_id,
            TopicFeedItem.state == ItemState.added,
            TopicFeedItem.added_at > since,
        )
        return await self.session.scalar(count) or 0

    async def list_waiting(self, user_id: UUID, feed_id: UUID, since: datetime, limit: int) -> Sequence[TopicFeedItem]:
        """Return the newest items that wait, found after `since`."""
        rows = await self.session.scalars(
            select(TopicFeedItem)
            .where(
                TopicFeedItem.user_id == user_id,
                TopicFeedItem.feed_id == feed_id,
                TopicFeedItem.state == ItemState.waiting,
                TopicFeedItem.found_at > since,
            )
            .order_by(TopicFeedItem.published_at.desc(), TopicFeedItem.id.desc())
            .limit(limit)
        )
        return rows.all()

    async def lock_waiting(self, user_id: UUID, item_id: UUID) -> TopicFeedItem | None:
        found: TopicFeedItem | None = await self.session.scalar(
            select(TopicFeedItem)
            .where(
                TopicFeedItem.id == item_id,
                TopicFeedItem.user_id == user_id,
                TopicFeedItem.state == ItemState.waiting,
            )
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        return found

    # for the reconcile

    async def list_unsynced(self, *, after: UUID | None = None, limit: int) -> list[UnsyncedFeed]:
        """Return a page of changed feeds of all users; those that are not used have to end."""
        return await self._read_page(TopicFeed.told_version < TopicFeed.version, after=after, limit=limit)

    async def list_synced(self, *, after: UUID | None, limit: int) -> list[UnsyncedFeed]:
        """Return a page of used feeds of all users whose workflow knows their version."""
        return await self._read_page(TopicFeed.told_version == TopicFeed.version, _IS_USED, after=after, limit=limit)

    async def mark_synced(self, user_id: UUID, feed_id: UUID, version: int) -> None:
        await self.session.execute(
            update(TopicFeed)
            .where(TopicFeed.id == feed_id, TopicFeed.user_id == user_id)
            .values(told_version=version, updated_at=TopicFeed.updated_at)
            .execution_options(synchronize_session=False)
        )

    async def _read_page(self, *wanted: ColumnElement[bool], after: UUID | None, limit: int) -> list[UnsyncedFeed]:
        query = (
            select(TopicFeed.user_id, TopicFeed.id, TopicFeed.tree_id, TopicFeed.version, _IS_USED.label("used"))
            .join(User, User.id == TopicFeed.user_id)
            .where(*wanted)
            .order_by(TopicFeed.id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(TopicFeed.id > after)
        rows = await self.session.execute(query)
        return [UnsyncedFeed(*row) for row in rows]


async def wake_feeds(session: AsyncSession) -> None:
    """Let the reconcile look at changed feeds when this transaction commits."""
    await session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGED_FEED})


def _of(user_id: UUID, feed_id: UUID) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return TopicFeedItem.user_id == user_id, TopicFeedItem.feed_id == feed_id


def _counted(user_id: UUID, waiting_since: datetime) -> Select[TopicFeed, int, int, int]:
    mine = (TopicFeedItem.feed_id == TopicFeed.id, TopicFeedItem.user_id == user_id)
    added = TopicFeedItem.state == ItemState.added
    waiting = and_(TopicFeedItem.state == ItemState.waiting, TopicFeedItem.found_at > waiting_since)
    return select(
        TopicFeed,
        select(func.count()).where(*mine).scalar_subquery(),
        select(func.count()).where(*mine, added).scalar_subquery(),
        select(func.count()).where(*mine, waiting).scalar_subquery(),
    ).where(TopicFeed.user_id == user_id)
