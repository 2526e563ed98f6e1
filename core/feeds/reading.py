"""One round of a feed: ask its server, remember its new items, and make topics of them.

Nothing is lost and nothing doubled wherever a round is cut off: what a feed says is stored together with its items, and
an item says that it was added in the transaction that adds its topic."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import httpx2
from sqlalchemy.exc import DataError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import ErrorCode, InvalidInput, NotFound, ProviderError
from core.feeds.articles import ArticleReader
from core.feeds.feeds import FEED_TYPES, MAX_FEED_BYTES, parse
from core.feeds.repository import FeedRepository, KnownItem
from core.feeds.rules.feeds import (
    DAY,
    FIRST_ITEMS,
    KEPT,
    MAX_ADDRESS,
    MAX_NOTES,
    MOST_LEFT_OUT,
    WAITS,
    FeedDocument,
    FeedItem,
    ItemKeys,
    ItemState,
    is_same,
    keys_of,
    max_age,
    pause_after_answer,
    pause_after_failure,
)
from core.feeds.tables import TopicFeed, TopicFeedItem
from core.ids import new_id
from core.live import LiveKind
from core.outgoing import http
from core.outgoing.pages import FetchedPage, PageReader
from core.texts.rules.mentions import without_mentions
from core.texts.rules.texts import cleaned, cut_text
from core.topics.repositories.topics import TopicRepository
from core.topics.topic_trees import TopicTreeService

logger = logging.getLogger(__name__)

_SEEN_AGAIN: Final = DAY
"""How often it is written down that an item is still shown."""
_MAX_HEADER: Final = {"etag": 1000, "last-modified": 200}


@dataclass(frozen=True)
class FeedRound:
    """What is known after a round. `error`: an ErrorCode, or empty. `added`: topics that this round has made."""

    next_at: datetime
    error: str
    added: int


@dataclass(frozen=True)
class FeedReadingService:
    """`least`: the shortest pause between two times that a feed is asked."""

    sessions: Sessions
    pages: PageReader
    least: timedelta

    async def read(self, user_id: UUID, feed_id: UUID) -> FeedRound | None:
        """Ask the feed if it is due, and add what waits. None: it is not to be asked any more. The server's failures
        are stored, not raised."""
        async with self.sessions() as session:
            feed = await FeedRepository(session).find_used(user_id, feed_id)
        if feed is None:
            return None
        if feed.next_at is None or feed.next_at <= utcnow():
            try:
                await self._ask(feed)
            except Exception as error:
                if not _would_fail_again(error):
                    raise
                logger.exception("feed %s could not be read", feed.id)
                await self._store_failure(feed, ErrorCode.topic_feed_unusable, None)
        added = await self._add_waiting(user_id, feed_id)
        async with self.sessions() as session:
            feed = await FeedRepository(session).find_used(user_id, feed_id)
        if feed is None:
            return None
        return FeedRound(feed.next_at or utcnow() + self.least, feed.error or "", added)

    async def _ask(self, feed: TopicFeed) -> None:
        headers = {"If-None-Match": feed.etag, "If-Modified-Since": feed.last_modified}
        sendable = {name: value for name, value in headers.items() if value and _is_sendable(value)}
        try:
            fetched = await self.pages.fetch(
                feed.address,
                accept=FEED_TYPES,
                headers=sendable,
                max_bytes=MAX_FEED_BYTES,
            )
        except ProviderError as error:
            logger.info("feed %s could not be read: %s", feed.id, error.detail)
            await self._store_failure(feed, ErrorCode.topic_feed_unreachable, None)
            return
        answer = fetched.answer
        if answer.status_code == httpx2.codes.NOT_MODIFIED:
            await self._store(feed, fetched, None)
        elif answer.status_code == httpx2.codes.GONE:
            await self._store_failure(feed, ErrorCode.topic_feed_gone, None)
        elif not answer.is_success:
            await self._store_failure(feed, ErrorCode.topic_feed_unreachable, http.retry_after(answer))
        elif document := await parse(fetched):
            await self._store(feed, fetched, document)
        else:
            await self._store_failure(feed, ErrorCode.topic_feed_unusable, None)

    async def _store_failure(self, asked: TopicFeed, code: ErrorCode, retry_after: timedelta | None) -> None:
        now = utcnow()
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock(asked.user_id, asked.id)
            if feed is None or feed.asked_at != asked.asked_at:  # deleted, or another attempt has asked
                return
            feed.asked_at, feed.error = now, code
            feed.next_at = now + pause_after_failure(feed.id, feed.failures, asked_for=retry_after, least=self.least)
            feed.failures += 1
            if code is ErrorCode.topic_feed_gone:
                feed.active = False
            await notify_browsers(session, feed.user_id, LiveKind.topic_feed, feed.tree_id)

    async def _store(self, asked: TopicFeed, fetched: FetchedPage, document: FeedDocument | None) -> None:
        """Store the answer and its new items. `document`: None if nothing has changed."""
        now, headers = utcnow(), fetched.answer.headers
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock(asked.user_id, asked.id)
            if feed is None or feed.asked_at != asked.asked_at:
                return
            if document is not None:
                await self._store_items(session, feed, document, now)
                feed.title = document.title or feed.title
                feed.pause_seconds = int(document.pause.total_seconds()) if document.pause else None
                feed.etag, feed.last_modified = _header(headers, "etag"), _header(headers, "last-modified")
            # more would find no room within their week
            await FeedRepository(session).leave_out(feed.user_id, feed.id, now - WAITS, feed.daily * WAITS.days)
            others = set(await FeedRepository(session).addresses(feed.user_id, feed.tree_id)) - {feed.address}
            _follow_move(feed, fetched.moved if fetched.moved not in others else feed.address)
            feed.asked_at = feed.answered_at = now
            feed.failures, feed.error = 0, None
            feed.next_at = now + pause_after_answer(
                feed.id, now=now, newest=feed.newest_at, asked_for=_asked_pause(feed, headers), least=self.least
            )
            await notify_browsers(session, feed.user_id, LiveKind.topic_feed, feed.tree_id)

    async def _store_items(self, session: AsyncSession, feed: TopicFeed, document: FeedDocument, now: datetime) -> None:
        feeds = FeedRepository(session)
        keyed = list(zip(document.items, keys_of(document.items), strict=True))
        known = await _known_by_key(feeds, feed, {key for _, keys in keyed for key in keys.all})
        shown: set[UUID] = set()
        new: dict[str, TopicFeedItem] = {}
        for index, (item, keys) in enumerate(keyed):
            same = {
                one.id
                for key in keys.all
                for one in known[key]
                if is_same(item, keys, one.keys, one.title, one.published_at)
            }
            shown |= same
            if not same and item.title:
                # feeds without dates show the newest first
                new.setdefault(keys.own, _row(feed, item, keys, now, now - timedelta(microseconds=index)))
        await feeds.mark_seen(feed.user_id, feed.id, shown, now, now - _SEEN_AGAIN)
        if feed.shown_at is not None:  # unchanged until now, or not asked
            await feeds.mark_shown_until(feed.user_id, feed.id, feed.shown_at - _SEEN_AGAIN, now - _SEEN_AGAIN)
        feed.shown_at = now
        rows = sorted(new.values(), key=lambda row: row.published_at, reverse=True)
        if feed.answered_at is None:  # the others were there before
            for row in rows[min(FIRST_ITEMS, feed.daily) :]:
                _set_aside(row)
        for row in reversed(rows):  # ids are ascending: of two with one date the first of the feed is the newer
            row.id = new_id()
        session.add_all(rows)
        await session.flush()
        feed.newest_at = max([row.published_at for row in rows] + [feed.newest_at or now - KEPT])
        await feeds.forget(feed.user_id, feed.id, now - KEPT)
        await feeds.forget_left_out(feed.user_id, feed.id, MOST_LEFT_OUT, shown)

    async def _add_waiting(self, user_id: UUID, feed_id: UUID) -> int:
        """Make topics of waiting items, newest first, as many as the feed may add now. Return their number."""
        now = utcnow()
        async with self.sessions() as session:
            feeds = FeedRepository(session)
            feed = await feeds.find_used(user_id, feed_id)
            if feed is None:
                return 0
            room = feed.daily - await feeds.count_added(user_id, feed_id, now - DAY)
            items = await feeds.list_waiting(user_id, feed_id, now - WAITS, room) if room > 0 else ()
        articles = ArticleReader(self.pages)
        added = 0
        # the newest are chosen; they are added in the order of their dates
        for item in reversed(items):
            text = await _page_text(articles, item.link) if feed.full_text and item.link else ""
            try:
                added += await self._add(feed, item, _notes(feed, item, text))
            except (NotFound, InvalidInput) as error:
                gone = isinstance(error, NotFound)
                await self._refuse(feed, ErrorCode.topic_feed_branch_deleted if gone else error.code)
                break
            except Exception as error:
                if not _would_fail_again(error):
                    raise
                logger.exception("an item of feed %s could not be added", feed.id)
                await self._refuse(feed, ErrorCode.topic_feed_unusable)
                break
        return added

    async def _add(self, feed: TopicFeed, item: TopicFeedItem, notes: str) -> bool:
        """Add the item's topic, unless another attempt has. Raise NotFound if the branch was deleted, InvalidInput
        (topic_too_many) if the tree is full."""
        now = utcnow()
        async with self.sessions.begin() as session:
            feeds, trees = FeedRepository(session), TopicTreeService(session)
            # the tree first, as all who change it
            await TopicRepository(session).lock(feed.user_id, feed.tree_id)
            current = await feeds.lock(feed.user_id, feed.id)
            waiting = await feeds.lock_waiting(feed.user_id, item.id)
            if current is None or not current.active or waiting is None:
                return False
            if await feeds.count_added(feed.user_id, feed.id, now - DAY) >= current.daily:
                return False
            if current.branch_purged:
                raise NotFound(what="topic", id=str(current.topic_id))
            topic = await trees.append(
                feed.user_id, feed.tree_id, current.topic_id, waiting.title, notes=notes, link=waiting.link
            )
            waiting.state, waiting.added_at, waiting.topic_id = ItemState.added, now, topic.id
            waiting.summary = ""
            if current.error in (ErrorCode.topic_feed_branch_deleted, ErrorCode.topic_too_many):
                current.error = None
            await notify_browsers(session, feed.user_id, LiveKind.topic_feed, feed.tree_id)
        return True

    async def _refuse(self, seen: TopicFeed, code: ErrorCode) -> None:
        """Say why nothing can be added; the items wait."""
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock(seen.user_id, seen.id)
            if feed is not None:
                feed.error = code
                await notify_browsers(session, feed.user_id, LiveKind.topic_feed, feed.tree_id)


def _would_fail_again(error: Exception) -> bool:
    """Return whether a round would fail again if it was repeated at once, without end: at what a server says, also at
    values that the database refuses. A database that cannot be reached may be there at the next attempt."""
    return isinstance(error, DataError) or not isinstance(error, SQLAlchemyError)


async def _known_by_key(
    feeds: FeedRepository, feed: TopicFeed, keys: Iterable[str]
) -> defaultdict[str, list[KnownItem]]:
    known: defaultdict[str, list[KnownItem]] = defaultdict(list)
    for one in await feeds.list_known(feed.user_id, feed.id, keys):
        for key in one.keys.all:
            known[key].append(one)
    return known


def _row(feed: TopicFeed, item: FeedItem, keys: ItemKeys, now: datetime, undated: datetime) -> TopicFeedItem:
    """`undated`: its date if it has none."""
    return TopicFeedItem(
        user_id=feed.user_id,
        feed_id=feed.id,
        own_key=keys.own,
        link_key=keys.link,
        title_key=keys.title,
        state=ItemState.waiting,
        title=item.title,
        link=item.link,
        summary=item.summary,
        published_at=item.published_at or undated,
        found_at=now,
        seen_at=now,
    )


async def _page_text(articles: ArticleReader, link: str) -> str:
    try:
        return await articles.read(link)
    except Exception:
        # strangers make pages; one of them must not stop the feed, whose round would be tried again without end
        logger.exception("a page of a feed could not be read")
        return ""


def _set_aside(row: TopicFeedItem) -> None:
    """Keep what the item is recognised by."""
    row.state, row.link, row.summary = ItemState.left_out, "", ""


def _notes(feed: TopicFeed, item: TopicFeedItem, text: str) -> str:
    """Return the notes of an item's topic: whose it is and from when, and its text."""
    source = without_mentions(f"{feed.title or feed.address}, {item.published_at:%Y-%m-%d}")
    body = cut_text(without_mentions(cleaned(text or item.summary)), MAX_NOTES - len(source) - 2)
    return f"{source}\n\n{body}" if body else source


def _follow_move(feed: TopicFeed, moved: str) -> None:
    """Take over an address that the server has named twice for good."""
    if moved == feed.address or len(moved) > MAX_ADDRESS:
        feed.moved_to = None
    elif feed.moved_to == moved:
        feed.address, feed.moved_to = moved, None
    else:
        feed.moved_to = moved


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name)
    return value if value and len(value) <= _MAX_HEADER[name] and _is_sendable(value) else None


def _is_sendable(value: str) -> bool:
    """Return whether a header may be sent back: its server may send characters that none may be asked with."""
    return value.isascii() and value.isprintable()


def _asked_pause(feed: TopicFeed, headers: Mapping[str, str]) -> timedelta | None:
    """Return the longest pause that the feed or its server asks for."""
    said = timedelta(seconds=feed.pause_seconds) if feed.pause_seconds else None
    fresh = max_age(headers.get("cache-control", ""))
    return max((pause for pause in (said, fresh) if pause), default=None)
