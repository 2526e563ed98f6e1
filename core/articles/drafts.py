"""Drafts of articles: text in Markdown, fields, images, website, time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.rules.articles import MAX_SLUG, ArticleFields, malformed, tidied, too_long
from core.assistants.rules.schedules import time_zones
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.languages import Language
from core.media.repository import MediaRepository
from core.posts.fitting import own_hash, post_hash
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, DeliveryState, RemovalState, RevisionState
from core.posts.tables.posts import Post
from core.texts.rules.markdown import images_of
from core.websites.repositories.websites import WebsiteRepository
from core.websites.taxonomy import unknown_categories


@dataclass(frozen=True)
class Featured:
    """The image above the article."""

    media_id: UUID
    alt: str = ""


@dataclass(frozen=True)
class ArticleDraft:
    """An article as a person wants it. `planned_at` is None if no time was chosen."""

    content: str
    fields: ArticleFields
    website_id: UUID | None
    """None: its current destination, for example a site that was removed."""
    featured: Featured | None = None
    planned_at: datetime | None = None
    time_zone: str = "UTC"
    language: str = Language.en


async def apply_draft(session: AsyncSession, post: Post, draft: ArticleDraft) -> None:
    """Raises InvalidInput with all wrong fields, NotFound for rows of another user."""
    fields = tidied(draft.fields)
    exceeding = too_long(draft.content)
    problems = [*malformed(fields), *exceeding]
    if draft.time_zone not in time_zones():
        problems.append(FieldError("time_zone", ErrorCode.unknown_time_zone, value=draft.time_zone))
    website = None
    if draft.website_id is not None:
        website = (await WebsiteRepository(session).get(post.user_id, draft.website_id)).row
    featured = draft.featured
    files = {} if featured is None else {featured.media_id: featured.alt}
    inside = {} if exceeding else await asyncio.to_thread(images_of, draft.content)
    files = files | {media_id: alt for media_id, alt in inside.items() if media_id not in files}
    shown = {file.media_id for file in post.files}
    removed = await MediaRepository(session).held_or_gone(post.user_id, files)
    if featured and featured.media_id not in removed:
        raise NotFound(what="media", id=str(featured.media_id))
    if featured and removed[featured.media_id] and featured.media_id not in shown:
        problems.append(FieldError("featured", ErrorCode.not_found))
    if problems:
        raise InvalidInput(errors=problems)
    post.content, post.language = draft.content, draft.language
    post.article = replace(fields, featured=featured is not None).to_json()
    # its title in lists of posts of all kinds
    post.topic_title = fields.title
    post.planned_at, post.time_zone = draft.planned_at, draft.time_zone
    if website is not None:
        post.account_ids = [str(website.account_id)]
    # images that are not in the user's gallery are left out
    remaining = [
        ComposedFile(media_id, alt)
        for media_id, alt in files.items()
        if media_id in removed and (not removed[media_id] or media_id in shown)
    ]
    await PostRepository(session).set_files(post, remaining)


async def site_problems(session: AsyncSession, post: Post) -> list[FieldError]:
    """Return what the article's site would not accept, as far as that is known here."""
    return [*await slug_problems(session, post), *await unknown_categories(session, post)]


async def slug_problems(session: AsyncSession, post: Post) -> list[FieldError]:
    """Return a problem if another article of the site has the slug: a site finds its article by the slug."""
    slug = ArticleFields.from_json(post.article).slug if post.article is not None else ""
    is_taken = slug and await PostRepository(session).has_same_slug(post, slug)
    return [FieldError("fields.slug", ErrorCode.slug_taken)] if is_taken else []


async def free_slug(session: AsyncSession, user_id: UUID, account_ids: Sequence[str], slug: str) -> str:
    """Return the slug, or if another article of the site has it, drafts included, the slug with the first free
    number."""
    taken_slugs = await PostRepository(session).slugs_starting_with(user_id, account_ids, slug)
    free, number = slug, 1
    while free in taken_slugs:
        number += 1
        end = f"-{number}"
        free = slug[: MAX_SLUG - len(end)].rstrip("-") + end
    return free


@dataclass(frozen=True)
class PublishedVersion:
    """An article as it was last published, to restore it."""

    content: str
    language: str
    article: dict[str, Any]
    files: tuple[tuple[UUID, str], ...]
    """(image, alt text) in order."""

    @classmethod
    def of(cls, post: Post) -> "PublishedVersion":
        files = tuple((file.media_id, file.alt) for file in post.files)
        return cls(post.content, post.language, dict(post.article or {}), files)

    def to_json(self) -> dict[str, Any]:
        files = [[str(media_id), alt] for media_id, alt in self.files]
        return {"content": self.content, "language": self.language, "article": self.article, "files": files}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "PublishedVersion":
        files = tuple((UUID(media_id), str(alt)) for media_id, alt in stored["files"])
        return cls(stored["content"], stored["language"], stored["article"], files)


def published_delivery(post: Post) -> Delivery | None:
    """Return the delivery of an article that is at its site, None if it is at no site or was taken down."""
    if post.article is None:
        return None
    published = (delivery for delivery in post.deliveries if delivery.state is DeliveryState.published)
    return next((delivery for delivery in published if delivery.removal is not RemovalState.removed), None)


def differs_at_site(post: Post, delivery: Delivery) -> bool:
    """Return whether the article differs from its site's, or that is unknown."""
    return (
        delivery.revision_called_at is not None
        or post.at_site is not None
        or own_hash(post, delivery.account) != delivery.own_hash
    )


def ensure_not_busy(delivery: Delivery) -> None:
    """Raises Conflict (article_busy) while an update or a removal at its site is under way."""
    if delivery.revision is RevisionState.waiting or delivery.removal is RemovalState.waiting:
        raise Conflict(ErrorCode.article_busy)


async def edit_published(session: AsyncSession, post: Post, delivery: Delivery, draft: ArticleDraft) -> None:
    """Edit an article whose published version stays at its site. Raises as `apply_draft` and `ensure_not_busy`;
    InvalidInput at fields that are fixed while it is published: website, slug, time."""
    ensure_not_busy(delivery)
    slug = ArticleFields.from_json(post.article or {}).slug
    site = (await WebsiteRepository(session).get(post.user_id, draft.website_id)).row if draft.website_id else None
    fixed = {
        "website_id": site is None or site.account_id == delivery.account_id,
        "fields.slug": tidied(draft.fields).slug == slug,
        "planned_at": draft.planned_at == post.planned_at,
    }
    if moved := [FieldError(name, ErrorCode.fixed_while_published) for name, same in fixed.items() if not same]:
        raise InvalidInput(errors=moved)
    published = post.at_site or PublishedVersion.of(post).to_json()
    await apply_draft(session, post, draft)
    post.content_hash = post_hash(post, [delivery.account])
    same = own_hash(post, delivery.account) == delivery.own_hash and published["language"] == post.language
    post.at_site = None if same else published


async def restore_published(session: AsyncSession, post: Post) -> None:
    """Restore the last published version, without images that were deleted for good."""
    version = PublishedVersion.from_json(post.at_site or {})
    media_ids = await MediaRepository(session).held_or_gone(post.user_id, [media_id for media_id, _ in version.files])
    fields = ArticleFields.from_json(version.article)
    if fields.featured and version.files and version.files[0][0] not in media_ids:
        fields = replace(fields, featured=False)
    post.content, post.language, post.article, post.at_site = version.content, version.language, fields.to_json(), None
    post.topic_title = fields.title
    await PostRepository(session).set_files(
        post, [ComposedFile(media_id, alt) for media_id, alt in version.files if media_id in media_ids]
    )
