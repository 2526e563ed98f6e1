"""Feeds that this installation serves itself: their addresses and descriptions, and reading them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.rules.articles import slug_of
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.ids import new_id
from core.media.storage import Storage
from core.social_accounts.tables import Account
from core.texts.rules.texts import one_line
from core.users.tables.users import User
from core.websites.feed_storage import file_key
from core.websites.repositories.feeds import FeedRepository
from core.websites.rules.feeds import (
    FEEDS,
    MAX_ADDRESS,
    MAX_AUTHOR,
    MAX_DESCRIPTION,
    RESERVED,
    FeedEntry,
    FeedHead,
    FeedLine,
    FeedPage,
)
from core.websites.tables.feeds import Feed
from core.websites.tables.websites import Website

ON_A_PAGE: Final = 20
IN_A_FEED: Final = 50
MOST_IN_A_FEED: Final = 2_000_000
"""Limit of characters of all texts in a feed; the newest article is always whole."""
IN_A_SITEMAP: Final = 50_000


class FeedGone(NotFound):
    """The feed or article existed before."""


@dataclass(frozen=True)
class FeedFacts:
    """The owner's settings of a feed."""

    description: str
    author: str
    indexed: bool


@dataclass(frozen=True)
class Neighbours:
    older: FeedLine | None
    newer: FeedLine | None


@dataclass(frozen=True)
class FeedService:
    sessions: Sessions
    reading: Sessions
    storage: Storage
    public_url: str

    # for the owner

    async def ensure_address_free(self, user_id: UUID, form: Mapping[str, str], website_id: UUID | None) -> None:
        """Check the address before connecting. `website_id`: the website that is connected again. Raises InvalidInput
        at `fields.address` if another user has or had the address, or if another website of the user has it, since both
        would become one."""
        address = slug_of(form.get("address", ""))[:MAX_ADDRESS].strip("-")
        async with self.sessions() as session:
            feeds = FeedRepository(session)
            website = await feeds.website_at(user_id, address)
            is_taken = not await feeds.owns_address(user_id, address) and (
                address in RESERVED or await feeds.was_address_taken(address)
            )
        if website is not None and website.id != website_id:
            code = ErrorCode.connect_address_own
            raise InvalidInput(errors=[FieldError("fields.address", code, name=website.name)])
        if is_taken:
            raise _address_taken()

    async def open(self, session: AsyncSession, account: Account) -> None:
        """Create the feed of an account that was just connected. Raises InvalidInput if the address was taken
        meanwhile."""
        feeds, now = FeedRepository(session), utcnow()
        if await feeds.find_by_account(account.user_id, account.id):
            await feeds.changed(account.user_id, account.id, now)
        elif account.external_id not in RESERVED and await feeds.take_address(account.external_id, now):
            session.add(
                Feed(
                    id=new_id(),
                    user_id=account.user_id,
                    account_id=account.id,
                    address=account.external_id,
                    changed_at=now,
                )
            )
        else:
            raise _address_taken()

    async def describe(self, session: AsyncSession, website: Website, facts: FeedFacts | None) -> None:
        """Change the feed's settings; None: only the website's name has changed. Raises InvalidInput at
        `feed.<name>`."""
        feed = await FeedRepository(session).find_by_account(website.user_id, website.account_id)
        if feed is None:
            return
        feed.changed_at = utcnow()
        if facts is None:
            return
        description, author = facts.description.strip(), one_line(facts.author)
        problems = [
            FieldError(f"feed.{name}", ErrorCode.content_too_long, length=len(text), limit=most)
            for name, text, most in (
                ("description", description, MAX_DESCRIPTION),
                ("author", author, MAX_AUTHOR),
            )
            if len(text) > most
        ]
        if problems:
            raise InvalidInput(errors=problems)
        feed.description, feed.author, feed.indexed = description, author, facts.indexed

    # for readers; all but the first raise NotFound, or FeedGone for a feed or article that existed

    async def head(self, address: str) -> FeedHead | None:
        """Return the metadata of a feed that is shown."""
        async with self.reading() as session:
            row = await FeedRepository(session).shown(address)
            return self._head(*row) if row else None

    async def read_head(self, address: str) -> FeedHead:
        async with self.reading() as session:
            return (await self._shown(session, address))[1]

    async def index(self, address: str, number: int) -> tuple[FeedHead, FeedPage[FeedLine]]:
        async with self.reading() as session:
            feed, head = await self._shown(session, address)
            page = await _page(session, feed, number, ON_A_PAGE)
            lines = await FeedRepository(session).lines(feed, offset=(number - 1) * ON_A_PAGE, limit=ON_A_PAGE)
            return head, FeedPage(lines, number, page)

    async def newest(self, address: str, number: int = 1) -> tuple[FeedHead, FeedPage[FeedEntry]]:
        """Return the newest articles for programs. Articles beyond MOST_IN_A_FEED have a summary and no text."""
        async with self.reading() as session:
            feed, head = await self._shown(session, address)
            count = await _page(session, feed, number, IN_A_FEED)
            entries = await FeedRepository(session).entries(feed, offset=(number - 1) * IN_A_FEED, limit=IN_A_FEED)
            return head, FeedPage(_sendable(entries), number, count)

    async def all(self, address: str) -> tuple[FeedHead, Sequence[FeedLine]]:
        async with self.reading() as session:
            feed, head = await self._shown(session, address)
            return head, await FeedRepository(session).lines(feed, offset=0, limit=IN_A_SITEMAP)

    async def entry(self, address: str, slug: str) -> tuple[FeedHead, FeedEntry, Neighbours]:
        async with self.reading() as session:
            feed, head = await self._shown(session, address)
            feeds = FeedRepository(session)
            entry = await feeds.entry(feed, slug)
            if entry is None:
                was_published = await feeds.was_published(feed, slug)
                raise (FeedGone if was_published else NotFound)(what="feed_article", id=slug)
            return head, entry, Neighbours(*await feeds.neighbours(feed, entry))

    async def image_key(self, address: str, slug: str, name: str) -> str:
        """Return the storage key of an image that the article shows."""
        async with self.reading() as session:
            feed, _ = await self._shown(session, address)
            entry, owner = await FeedRepository(session).entry(feed, slug), feed.user_id
        if entry is None or not any(name in image.names for image in entry.text.images):
            raise NotFound(what="feed_image", id=name)
        return file_key(owner, name)

    async def read_image(self, key: str) -> bytes:
        return await self.storage.get(key)

    async def _shown(self, session: AsyncSession, address: str) -> tuple[Feed, FeedHead]:
        feeds = FeedRepository(session)
        row = await feeds.shown(address)
        if row is None:
            raise (FeedGone if await feeds.was_address_taken(address) else NotFound)(what="feed", id=address)
        feed, website, owner = row
        return feed, self._head(feed, website, owner)

    def _head(self, feed: Feed, website: Website, owner: User) -> FeedHead:
        return FeedHead(
            name=website.name,
            language=website.language,
            description=feed.description,
            author=feed.author,
            indexed=feed.indexed,
            time_zone=owner.time_zone,
            url=f"{self.public_url}{FEEDS}/{feed.address}/",
            changed_at=feed.changed_at,
        )


async def _page(session: AsyncSession, feed: Feed, number: int, size: int) -> int:
    """Return the number of pages of that size. Raises NotFound for a `number` beyond them."""
    count = max(1, -(-await FeedRepository(session).count(feed) // size))
    if not 1 <= number <= count:
        raise NotFound(what="feed_page", id=str(number))
    return count


def _sendable(entries: Sequence[FeedEntry]) -> list[FeedEntry]:
    length = 0
    sendable: list[FeedEntry] = []
    for entry in entries:
        length += len(entry.text.html)
        with_text = length <= MOST_IN_A_FEED or not sendable
        sendable.append(entry if with_text else replace(entry, text=replace(entry.text, html="")))
    return sendable


def _address_taken() -> InvalidInput:
    return InvalidInput(errors=[FieldError("fields.address", ErrorCode.connect_address_taken)])
