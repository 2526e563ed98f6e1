"""Postloom itself as a site: it shows articles as pages, RSS, JSON Feed and Markdown.

No network is involved: a published article is a row of ours, under an id chosen at staging, so each call is idempotent
and its outcome is always known. Facts: `docs/networks/feed.md`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from core.articles.rules.articles import MAX_TITLE, slug_of
from core.crypto import new_token, token_hash
from core.errors import ErrorCode, Refused
from core.ids import new_id
from core.networks.base import ArticleStore, BaseChannel, Place, Traits
from core.networks.connections import App, Connection, Credentials, Grant, Profile
from core.networks.posts import Article, Finding, Keep, Outgoing, Receipt, Staged, forget, upload_all
from core.networks.rules.channels import (
    AccountType,
    ChannelKind,
    ChannelLimits,
    Counting,
    FieldKind,
    FieldName,
    FormField,
)
from core.outgoing.destinations import Outside
from core.outgoing.redaction import conceal
from core.websites.rules.feeds import FEEDS, MAX_ADDRESS, FeedImage, FeedText

MAX_IMAGES: Final = 50
"""Maximum images per article, as on other sites."""
_ARTICLE: Final = re.compile(rf"{FEEDS}/([a-z0-9-]+)/([a-z0-9-]+)(?:/|\.md)?")


class HostedFeedChannel(BaseChannel):
    kind = ChannelKind.hosted_feed
    label = "Postloom Feed"
    limits = ChannelLimits(
        max_characters=100_000,
        max_images=MAX_IMAGES,
        counting=Counting.code_points,
        # readers get smaller images made from these
        max_image_bytes=20_000_000,
        image_types=("image/jpeg", "image/png", "image/webp", "image/gif"),
        # more extreme images are unusable in the formats that readers get
        min_ratio=0.1,
        max_ratio=10,
    )
    call_timeout = timedelta(seconds=10)
    traits = Traits(can_list_own=True, stages_post=True, revokes_token_alone=True)
    connection = Connection(
        consent=False,
        fields=(
            FormField(FieldName.site_name, FieldKind.text, "Notes from the garden", max_length=120),
            FormField(FieldName.address, FieldKind.text, "garden-notes", max_length=MAX_ADDRESS),
        ),
    )

    def __init__(self) -> None:
        self._store: ArticleStore | None = None

    def use_article_store(self, store: ArticleStore) -> None:
        self._store = store

    @property
    def store(self) -> ArticleStore:
        assert self._store is not None, "set when the services are wired"
        return self._store

    @property
    def outside(self) -> Outside:
        return Outside.from_setting(self.store.public_url)

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self.store.public_url}{FEEDS}/{external_id}/"

    def feeds_of(self, address: str) -> Sequence[str]:
        site = self.posts_url(AccountType.organisation, address)
        return f"{site}rss.xml", f"{site}feed.json"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        try:
            parts, here = urlsplit(address), urlsplit(self.store.public_url)
        except ValueError:
            return None
        match = _ARTICLE.fullmatch(parts.path)
        if match is None or (parts.scheme, parts.netloc.lower()) != (here.scheme, here.netloc):
            return None
        return self._permalink(match[1], match[2])

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        """Return a key of our own, with which the site is published to until it is revoked."""
        address = slug_of(form["address"])[:MAX_ADDRESS].strip("-")
        if not address:
            raise Refused(ErrorCode.connect_address_unusable, field="address")
        key = new_token()
        conceal(key)
        return Grant(key, None, None, (), subject=address)

    async def profiles(self, grant: Grant) -> list[Profile]:
        address = grant.subject or ""
        return [Profile(address, f"{FEEDS}/{address}"[1:], AccountType.organisation, None, handle=address)]

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        await self.store.close(Place(grant.subject or "", token_hash(grant.access_token)))

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Store the images, then choose the article's id."""
        article, place = _article(post), _place(to)
        await self.store.look(place)
        refs = await upload_all(
            post.images, lambda image: self.store.keep_image(place, article.slug, image), had=had, keep=keep
        )
        if len(refs) == len(post.images):
            name = str(new_id())
            refs = (*refs, name)
            await keep(name)
        return Staged(refs, timedelta(0))

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> "_Publishing":
        article = _article(post)
        if len(refs) != len(post.images) + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=len(post.images), staged=len(refs) - 1)
        return _Publishing(self, to, UUID(refs[-1]), article.slug, _text(post, article, refs[:-1]))

    async def publish(self, to: Credentials, id: UUID, slug: str, text: FeedText) -> Receipt:
        got = await self.store.publish(_place(to), id, slug, text)
        return Receipt(str(id), self._permalink(to.external_id, got))

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        if len(refs) != len(post.images) + 1:
            return Finding()
        slug, was_there = await self.store.find(_place(to), UUID(refs[-1]))
        if slug is None:
            return Finding(absent=not was_there)  # somebody took it down since
        return Finding(Receipt(refs[-1], self._permalink(to.external_id, slug)))

    async def delete(self, to: Credentials, provider_id: str) -> None:
        await self.store.take_down(_place(to), UUID(provider_id))

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Update all but the address, to which others may link."""
        article, place = _article(post), _place(to)
        refs = [await self.store.keep_image(place, article.slug, image) for image in post.images]
        slug = await self.store.change(place, UUID(provider_id), _text(post, article, refs))
        if slug is None:
            raise Refused(detail="the article was taken down")
        return Receipt(provider_id, self._permalink(to.external_id, slug))

    async def probe(self, to: Credentials) -> None:
        await self.store.look(_place(to))

    async def close(self) -> None:
        pass  # uses the connections of the services

    def _permalink(self, address: str, slug: str) -> str:
        return f"{self.posts_url(AccountType.organisation, address)}{slug}/"


@dataclass(frozen=True)
class _Publishing:
    """One statement in our own database: no connection is opened ahead."""

    channel: HostedFeedChannel
    to: Credentials
    id: UUID
    slug: str
    text: FeedText

    async def open(self) -> None:
        pass

    async def publish(self) -> Receipt:
        return await self.channel.publish(self.to, self.id, self.slug, self.text)

    async def close(self) -> None:
        pass


def _place(to: Credentials) -> Place:
    return Place(to.external_id, token_hash(to.access_token))


def _article(post: Outgoing) -> Article:
    if post.article is None:
        raise Refused(detail="a site accepts only articles")
    if not (post.article.title.strip() and post.article.slug):
        raise Refused(detail="the article has no title or no slug")
    return post.article


def _text(post: Outgoing, article: Article, refs: Sequence[str]) -> FeedText:
    media = [*article.image_ids, *[None] * len(refs)]
    images = zip(refs, media, post.images, strict=False)
    return FeedText(
        title=article.title[:MAX_TITLE],
        summary=article.summary,
        html=article.html,
        markdown=post.text,
        tags=article.tags,
        language=article.language,
        seo_title=article.seo_title,
        seo_description=article.seo_description,
        canonical_url=article.canonical_url,
        images=tuple(FeedImage.of_ref(ref, media_id, image.alt) for ref, media_id, image in images),
        featured=article.featured,
    )


CHANNEL = HostedFeedChannel()
