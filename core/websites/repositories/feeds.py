"""Feeds served by this installation, for their owner, their adapter and readers."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, Select, func, literal, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.users.tables.users import User
from core.websites.rules.feeds import FeedEntry, FeedImage, FeedLine, FeedText
from core.websites.tables.feeds import Feed, FeedAddress, FeedArticle
from core.websites.tables.websites import Website

_LINE: Final = (
    FeedArticle.id,
    FeedArticle.slug,
    FeedArticle.title,
    FeedArticle.summary,
    FeedArticle.language,
    FeedArticle.published_at,
    FeedArticle.changed_at,
)
_NEWEST: Final = (FeedArticle.published_at.desc(), FeedArticle.id.desc())


class FeedRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    # for the owner

    async def find_by_account(self, user_id: UUID, account_id: UUID) -> Feed | None:
        return await self.session.scalar(select(Feed).where(Feed.user_id == user_id, Feed.account_id == account_id))

    async def by_accounts(self, user_id: UUID, account_ids: Sequence[UUID]) -> dict[UUID, Feed]:
        """Return the feeds by account."""
        rows = await self.session.scalars(select(Feed).where(Feed.user_id == user_id, Feed.account_id.in_(account_ids)))
        return {row.account_id: row for row in rows}

    async def changed(self, user_id: UUID, account_id: UUID, now: datetime) -> None:
        """Mark the feed as changed for its readers."""
        await self.session.execute(
            update(Feed).where(Feed.user_id == user_id, Feed.account_id == account_id).values(changed_at=now)
        )

    async def owns_address(self, user_id: UUID, address: str) -> bool:
        """Return whether the address is the user's own."""
        return bool(await self.session.scalar(select(Feed.id).where(Feed.user_id == user_id, Feed.address == address)))

    async def website_at(self, user_id: UUID, address: str) -> Website | None:
        """Return the user's website that is shown at the address."""
        return await self.session.scalar(
            select(Website)
            .join(Feed, Feed.account_id == Website.account_id)
            .where(Website.user_id == user_id, Feed.user_id == user_id, Feed.address == address)
        )

    async def take_address(self, address: str, now: datetime) -> bool:
        """Take the address. Return False if anybody has or had it."""
        statement = insert(FeedAddress).values(digest=_digest(address), taken_at=now)
        new = statement.on_conflict_do_nothing().returning(FeedAddress.digest)
        return await self.session.scalar(new) is not None

    async def was_address_taken(self, address: str) -> bool:
        query = select(FeedAddress.digest).where(FeedAddress.digest == _digest(address))
        return await self.session.scalar(query) is not None

    # for the adapter, which has the feed's key

    async def lock_by_address(self, address: str, *, lock: bool = False) -> Feed | None:
        """Return the feed of any user. With `lock`, changes of the feed run one after another."""
        query = select(Feed).where(Feed.address == address)
        return await self.session.scalar(query.with_for_update() if lock else query)

    async def article(self, feed: Feed, id: UUID) -> FeedArticle | None:
        """Return the article, also one that was taken down."""
        query = select(FeedArticle).where(FeedArticle.user_id == feed.user_id, FeedArticle.feed_id == feed.id)
        return await self.session.scalar(query.where(FeedArticle.id == id))

    async def free_slug(self, feed: Feed, preferred: str) -> str:
        """Return the slug, with a number if another article has it."""
        mine = select(FeedArticle.slug).where(FeedArticle.user_id == feed.user_id, FeedArticle.feed_id == feed.id)
        taken_slugs = set(
            await self.session.scalars(
                mine.where(FeedArticle.removed_at.is_(None), FeedArticle.slug.startswith(preferred, autoescape=True))
            )
        )
        slug, number = preferred, 2
        while slug in taken_slugs:
            slug, number = f"{preferred}-{number}", number + 1
        return slug

    # for readers

    async def shown(self, address: str) -> tuple[Feed, Website, User] | None:
        """Return the feed if it has a website, and its owner is neither disabled nor leaving."""
        rows = await self.session.execute(
            select(Feed, Website, User)
            .join(Website, Website.account_id == Feed.account_id)
            .join(User, User.id == Feed.user_id)
            .where(Feed.address == address, User.disabled_at.is_(None), User.deletion_requested_at.is_(None))
        )
        row = rows.one_or_none()
        return (row[0], row[1], row[2]) if row else None

    def _published_entries(self, feed: Feed) -> Select[FeedArticle]:
        return select(FeedArticle).where(
            FeedArticle.user_id == feed.user_id, FeedArticle.feed_id == feed.id, FeedArticle.removed_at.is_(None)
        )

    async def count(self, feed: Feed) -> int:
        return await self.session.scalar(self._published_entries(feed).with_only_columns(func.count())) or 0

    async def lines(self, feed: Feed, *, offset: int, limit: int) -> list[FeedLine]:
        """Newest first."""
        newest = self._published_entries(feed).order_by(*_NEWEST).with_only_columns(*_LINE)
        return [_line(row) for row in await self.session.execute(newest.offset(offset).limit(limit))]

    async def entries(self, feed: Feed, *, offset: int, limit: int) -> list[FeedEntry]:
        """Newest first."""
        newest = self._published_entries(feed).order_by(*_NEWEST)
        return [_entry(row) for row in await self.session.scalars(newest.offset(offset).limit(limit))]

    async def entry(self, feed: Feed, slug: str) -> FeedEntry | None:
        row: FeedArticle | None = await self.session.scalar(
            self._published_entries(feed).where(FeedArticle.slug == slug)
        )
        return _entry(row) if row else None

    async def was_published(self, feed: Feed, slug: str) -> bool:
        """Return whether an article with that slug was ever published in the feed."""
        query = select(FeedArticle.id).where(FeedArticle.user_id == feed.user_id, FeedArticle.feed_id == feed.id)
        return await self.session.scalar(query.where(FeedArticle.slug == slug).limit(1)) is not None

    async def neighbours(self, feed: Feed, of: FeedLine) -> tuple[FeedLine | None, FeedLine | None]:
        """Return (the older article, the newer one)."""
        out, key = (
            self._published_entries(feed).with_only_columns(*_LINE),
            tuple_(FeedArticle.published_at, FeedArticle.id),
        )
        place = tuple_(literal(of.published_at), literal(of.id))
        earlier = out.where(key < place).order_by(*_NEWEST).limit(1)
        later = out.where(key > place).order_by(FeedArticle.published_at, FeedArticle.id).limit(1)
        before, after = [(await self.session.execute(query)).one_or_none() for query in (earlier, later)]
        return before and _line(before), after and _line(after)

    async def used_image_ids(self, feed: Feed, of: FeedArticle) -> set[UUID]:
        """Return the ids of images that other articles show."""
        others = self._published_entries(feed).where(FeedArticle.id != of.id).with_only_columns(FeedArticle.images)
        return {
            image.id
            for images in await self.session.scalars(others)
            for image in map(FeedImage.from_json, images)
            if not image.gone
        }


def set_text(row: FeedArticle, text: FeedText, now: datetime) -> None:
    """Replace the row's content by the published text."""
    row.title, row.summary, row.html, row.markdown = text.title, text.summary, text.html, text.markdown
    row.tags, row.language, row.canonical_url = list(text.tags), text.language, text.canonical_url
    row.seo_title, row.seo_description, row.featured = text.seo_title, text.seo_description, text.featured
    row.beginning, row.words = text.beginning, text.words
    row.images, row.changed_at = [image.to_json() for image in text.images], now


def all_images(row: FeedArticle) -> tuple[FeedImage, ...]:
    """Return all images, also those no longer shown."""
    return tuple(FeedImage.from_json(image) for image in row.images)


def _line(row: Row[Any, *tuple[Any, ...]]) -> FeedLine:
    return FeedLine(**row._mapping)


def _entry(row: FeedArticle) -> FeedEntry:
    text = FeedText(
        title=row.title,
        summary=row.summary,
        html=row.html,
        markdown=row.markdown,
        tags=tuple(row.tags),
        language=row.language,
        seo_title=row.seo_title,
        seo_description=row.seo_description,
        canonical_url=row.canonical_url,
        images=tuple(image for image in all_images(row) if not image.gone),
        featured=row.featured,
        beginning=row.beginning,
        words=row.words,
    )
    return FeedEntry(row.id, row.slug, row.title, row.summary, row.language, row.published_at, row.changed_at, text)


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()
