"""Feeds of topic trees: adding, changing and deleting them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, ProviderError
from core.feeds.repository import CountedFeed, FeedRepository, wake_feeds
from core.feeds.rules.feeds import MAX_ADDRESS, MAX_FEEDS, WAITS, FeedDocument
from core.feeds.rules.parsing import document_from_json, feed_links
from core.feeds.tables import TopicFeed
from core.ids import new_id
from core.live import LiveKind
from core.outgoing.pages import GONE, HTML, FetchedPage, PageReader, decoded, in_time, type_of
from core.script_processes import run_script
from core.topics.repositories.topics import TopicRepository

FEED_TYPES: Final = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"
MAX_FEED_BYTES: Final = 5_000_000
_LEAST_BETWEEN: Final = timedelta(minutes=1)
"""Between two times that a person lets a feed be asked."""


@dataclass(frozen=True)
class FeedForm:
    """`topic_id`: the branch. `daily`: topics in 24 hours."""

    topic_id: UUID
    address: str
    daily: int
    full_text: bool


@dataclass(frozen=True)
class FeedChange:
    """None leaves a value unchanged."""

    topic_id: UUID | None = None
    daily: int | None = None
    full_text: bool | None = None
    active: bool | None = None


@dataclass(frozen=True)
class TopicFeedService:
    """Each change raises the feed's version; the reconcile tells its workflow."""

    sessions: Sessions
    pages: PageReader

    async def list(self, user_id: UUID, tree_id: UUID) -> Sequence[CountedFeed]:
        """Raise NotFound for the tree."""
        async with self.sessions() as session:
            await TopicRepository(session).get(user_id, tree_id)
            return await FeedRepository(session).list_of_tree(user_id, tree_id, utcnow() - WAITS)

    async def add(self, user_id: UUID, tree_id: UUID, form: FeedForm) -> CountedFeed:
        """Find the feed at the address of a feed, or of a page that names one, and add it.

        Raise NotFound for the tree or the topic; Conflict: topic_feed_known, topic_feed_too_many; InvalidInput at
        `address`: address_malformed, address_not_allowed, topic_feed_unreachable, topic_feed_unusable."""
        async with self.sessions() as session:
            await TopicRepository(session).get(user_id, tree_id)
            await self._expect_room(session, user_id, tree_id, form.topic_id, None)
        async with in_time(_wrong(ErrorCode.topic_feed_unreachable)):
            address, document = await self._find(form.address)
        async with self.sessions.begin() as session:
            await TopicRepository(session).lock(user_id, tree_id)
            await self._expect_room(session, user_id, tree_id, form.topic_id, address)
            feed = TopicFeed(
                id=new_id(),
                user_id=user_id,
                tree_id=tree_id,
                topic_id=form.topic_id,
                address=address,
                title=document.title,
                daily=form.daily,
                full_text=form.full_text,
                version=1,
            )
            session.add(feed)
            await session.flush()
            await wake_feeds(session)
            return await self._saved(session, feed)

    async def change(self, user_id: UUID, tree_id: UUID, feed_id: UUID, change: FeedChange) -> CountedFeed:
        """Raise NotFound for the feed or the topic."""
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock_of_tree(user_id, tree_id, feed_id)
            if change.topic_id is not None:
                await TopicRepository(session).topic(user_id, tree_id, change.topic_id)
                feed.topic_id, feed.branch_purged = change.topic_id, False
            if change.daily is not None:
                feed.daily = change.daily
            if change.full_text is not None:
                feed.full_text = change.full_text
            if change.active is not None:
                feed.active = change.active
            if session.is_modified(feed):
                # what stopped it may be over
                feed.error, feed.failures = None, 0
                feed.next_at = feed.asked_at and feed.asked_at + _LEAST_BETWEEN
                await FeedRepository(session).mark_changed(feed)
            return await self._saved(session, feed)

    async def ask_now(self, user_id: UUID, tree_id: UUID, feed_id: UUID) -> CountedFeed:
        """Let the feed be asked at once, or a minute after it was asked last. Raise NotFound."""
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock_of_tree(user_id, tree_id, feed_id)
            feed.next_at = max(utcnow(), feed.asked_at + _LEAST_BETWEEN) if feed.asked_at else None
            await FeedRepository(session).mark_changed(feed)
            return await self._saved(session, feed)

    async def delete(self, user_id: UUID, tree_id: UUID, feed_id: UUID) -> None:
        """Delete the feed; its topics stay. Raise NotFound."""
        async with self.sessions.begin() as session:
            feed = await FeedRepository(session).lock_of_tree(user_id, tree_id, feed_id)
            await session.delete(feed)
            await notify_browsers(session, user_id, LiveKind.topic_feed, tree_id)

    async def _saved(self, session: AsyncSession, feed: TopicFeed) -> CountedFeed:
        await session.flush()
        await notify_browsers(session, feed.user_id, LiveKind.topic_feed, feed.tree_id)
        return await FeedRepository(session).get(feed.user_id, feed.id, utcnow() - WAITS)

    async def _expect_room(
        self, session: AsyncSession, user_id: UUID, tree_id: UUID, topic_id: UUID, address: str | None
    ) -> None:
        await TopicRepository(session).topic(user_id, tree_id, topic_id)
        known = await FeedRepository(session).addresses(user_id, tree_id)
        if address in known:
            raise Conflict(ErrorCode.topic_feed_known)
        if len(known) >= MAX_FEEDS:
            raise Conflict(ErrorCode.topic_feed_too_many, limit=MAX_FEEDS)

    async def _find(self, typed: str) -> tuple[str, FeedDocument]:
        """Return the address of the feed and what it says."""
        url = self.pages.url_of(typed)
        if url is None:
            raise _wrong(self.pages.refusal_of(typed))
        if len(url) > MAX_ADDRESS:
            raise _wrong(ErrorCode.address_malformed)
        fetched = await self._ask(url)
        if document := await parse(fetched):
            return fetched.moved, document
        links = feed_links(decoded(fetched.answer), fetched.url) if type_of(fetched.answer) in HTML.split(",") else []
        named = next((link for href in links if (link := self.pages.url_of(href)) and len(link) <= MAX_ADDRESS), None)
        if named is None:
            raise _wrong(ErrorCode.topic_feed_unusable)
        fetched = await self._ask(named)
        if document := await parse(fetched):
            return fetched.moved, document
        raise _wrong(ErrorCode.topic_feed_unusable)

    async def _ask(self, url: str) -> FetchedPage:
        try:
            fetched = await self.pages.fetch(url, accept=f"{FEED_TYPES}, {HTML}", max_bytes=MAX_FEED_BYTES)
        except ProviderError as error:
            raise _wrong(ErrorCode.topic_feed_unreachable) from error
        if fetched.answer.status_code in GONE:
            raise _wrong(ErrorCode.topic_feed_unusable)
        if not fetched.answer.is_success or len(fetched.moved) > MAX_ADDRESS:
            raise _wrong(ErrorCode.topic_feed_unreachable)
        return fetched


async def parse(fetched: FetchedPage) -> FeedDocument | None:
    """Return what an answer says, or None if it is no feed, or one that takes longer than ten seconds to read. It is
    read in a process of its own: a feed can be made so that it takes hours."""
    answer = fetched.answer
    about = {"url": fetched.url, "type": answer.headers.get("content-type", ""), "now": utcnow().isoformat()}
    output = await run_script("core.feeds.parsing_script", json.dumps(about).encode() + b"\n" + answer.content)
    stored = json.loads(output) if output else None
    return document_from_json(stored) if stored else None


def _wrong(code: ErrorCode) -> InvalidInput:
    return InvalidInput(errors=[FieldError("address", code)])
