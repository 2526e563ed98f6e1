"""Storage of articles that this installation serves itself, used by the adapter of such sites."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions
from core.errors import (
    Ambiguous,
    ErrorCode,
    InvalidInput,
    NeedsReconnect,
    ProviderError,
    Refused,
    RetrySafe,
    StagedLost,
    Unavailable,
)
from core.media.storage import Storage
from core.media.uploads import Decoder, measured
from core.networks.base import Place
from core.networks.posts import Image
from core.texts.rules.markdown import plain, unfollowed, words_of
from core.texts.rules.texts import cut_text
from core.users.repositories.deletion import AccountDeletionRepository
from core.websites.repositories.feeds import FeedRepository, all_images, set_text
from core.websites.rules.feeds import BEGINNING, FeedImage, FeedText
from core.websites.tables.feeds import Feed, FeedArticle

_IMAGES: Final = UUID("2f0f4c5e-6f3f-5d3b-9f43-0a8f6f6f7d21")
_MOST_PIXELS, _MOST_BYTES = 2_500_000, 1_000_000
"""Limits of the JPEG: the most that a page shows on a dense screen, and what programs load instead."""


@dataclass(frozen=True)
class FeedStorage:
    sessions: Sessions
    storage: Storage
    decoder: Decoder
    public_url: str

    async def look(self, place: Place) -> None:
        async with self._open(place):
            pass

    async def close(self, place: Place) -> None:
        async with self._transaction() as session:
            feed = await FeedRepository(session).lock_by_address(place.address, lock=True)
            if feed is not None:
                feed.closed_key = place.key_hash

    async def keep_image(self, place: Place, folder: str, image: Image) -> str:
        digest = hashlib.sha256(image.data).hexdigest()
        try:
            plain = await self.decoder.fitted(image.data, _MOST_PIXELS, _MOST_BYTES)
            width, height = await asyncio.to_thread(measured, plain)
            id = uuid5(_IMAGES, f"{place.address} {folder} {digest}")
            stored = FeedImage(id, width, height, len(plain))
            small = await self.decoder.narrowed(image.data, stored.widths)
        except InvalidInput as error:
            raise Refused(ErrorCode.image_refused, detail=error.code) from error
        # the owner stays locked, so that no file is stored after they have left
        async with self._open(place) as (session, feed):
            if not await AccountDeletionRepository(session).lock_remaining(feed.user_id):
                raise NeedsReconnect(detail="the feed's owner was deleted")
            for name, data in zip(stored.names, [plain, *small], strict=True):
                await self.storage.put(file_key(feed.user_id, name), data, mime_of(name))
        return stored.ref

    async def publish(self, place: Place, id: UUID, slug: str, text: FeedText) -> str:
        text = await asyncio.to_thread(_rendered, text)
        async with self._open(place, changing=True, publishing=True) as (session, feed):
            feeds, now = FeedRepository(session), utcnow()
            row = await feeds.article(feed, id)
            if row is not None and row.removed_at is not None:  # a new article needs another id
                raise StagedLost(detail="the article was taken down")
            if row is None:
                row = FeedArticle(id=id, user_id=feed.user_id, feed_id=feed.id, published_at=now)
                row.slug = await feeds.free_slug(feed, slug)
                session.add(row)
            set_text(row, text, now)
            feed.changed_at = now
            return row.slug

    async def find(self, place: Place, id: UUID) -> tuple[str | None, bool]:
        async with self._open(place) as (session, feed):
            row = await FeedRepository(session).article(feed, id)
            return row.slug if row and row.removed_at is None else None, row is not None

    async def change(self, place: Place, id: UUID, text: FeedText) -> str | None:
        text = await asyncio.to_thread(_rendered, text)
        async with self._open(place, changing=True) as (session, feed):
            row = await FeedRepository(session).article(feed, id)
            if row is None or row.removed_at is not None:
                return None
            before, now = all_images(row), utcnow()
            set_text(row, text, now)
            feed.changed_at = now
            used_ids = await FeedRepository(session).used_image_ids(feed, row) | {image.id for image in text.images}
            unused = [replace(image, gone=True) for image in before if image.id not in used_ids]
            # the row lists them until they are removed, so that a repeat can finish the removal
            row.images = [*row.images, *(image.to_json() for image in unused)]
            slug, owner = row.slug, feed.user_id
        await self._remove(owner, unused)
        if unused:
            await self._forget(place, id, {image.id for image in unused})
        return slug

    async def _forget(self, place: Place, id: UUID, removed: Collection[UUID]) -> None:
        async with self._transaction() as session:
            feeds = FeedRepository(session)
            feed = await feeds.lock_by_address(place.address, lock=True)
            row = await feeds.article(feed, id) if feed else None
            if row is not None:
                left = [image for image in all_images(row) if not (image.gone and image.id in removed)]
                row.images = [image.to_json() for image in left]

    async def take_down(self, place: Place, id: UUID) -> None:
        async with self._open(place, changing=True) as (session, feed):
            row = await FeedRepository(session).article(feed, id)
            if row is None:
                return
            images = all_images(row)
            if row.removed_at is None:
                _clear_article(row, utcnow())
                feed.changed_at = utcnow()
            used_ids, owner = await FeedRepository(session).used_image_ids(feed, row), feed.user_id
        # the row lists them until they are removed
        await self._remove(owner, [image for image in images if image.id not in used_ids])

    async def _remove(self, owner: UUID, images: list[FeedImage]) -> None:
        for image in images:
            for name in image.names:
                try:
                    await self.storage.delete(file_key(owner, name))
                except Unavailable as error:
                    raise RetrySafe(detail="the storage is unavailable") from error

    @asynccontextmanager
    async def _open(
        self, place: Place, *, changing: bool = False, publishing: bool = False
    ) -> AsyncIterator[tuple[AsyncSession, Feed]]:
        """Open the feed in a transaction; if `changing`, locked against other changes."""
        async with self._transaction(publishing=publishing) as session:
            feed = await FeedRepository(session).lock_by_address(place.address, lock=changing)
            if feed is None or feed.closed_key == place.key_hash:
                raise NeedsReconnect(detail="the feed is closed")
            yield session, feed

    @asynccontextmanager
    async def _transaction(self, *, publishing: bool = False) -> AsyncIterator[AsyncSession]:
        """Open a transaction. A failure before its commit has changed nothing. Raises Ambiguous if `publishing` and the
        commit fails."""
        ending = False
        try:
            async with self.sessions() as session:
                yield session
                ending = publishing
                await session.commit()
        except ProviderError:
            raise
        except (SQLAlchemyError, Unavailable, OSError) as error:
            kind = Ambiguous if ending else RetrySafe
            raise kind(detail=type(error).__name__) from error


def file_key(owner: UUID, name: str) -> str:
    """Return the storage key of an image file for readers, which is deleted with its owner."""
    return f"{owner}/feeds/{name}"


def mime_of(name: str) -> str:
    return "image/webp" if name.endswith(".webp") else "image/jpeg"


def _rendered(text: FeedText) -> FeedText:
    """Return the text with all that pages derive from it: publishing waits for this instead of readers."""
    text_only = plain(text.markdown)
    beginning = cut_text(" ".join(text_only.split()), BEGINNING)
    return replace(text, html=unfollowed(text.html), beginning=beginning, words=words_of(text_only))


def _clear_article(row: FeedArticle, now: datetime) -> None:
    """Clear the content; the row stays, with the files that are still to be removed."""
    images = row.images
    set_text(row, FeedText(title="", summary="", html="", markdown=""), now)
    row.images, row.removed_at = images, now
