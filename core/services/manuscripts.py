"""What a person writes of an article: text in Markdown, what is told of it, its images, the site, the time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.articles import MAX_BODY, MAX_SLUG, ArticleFields, malformed, tidied
from core.domain.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.domain.markdown import images_of
from core.domain.schedules import time_zones
from core.models import Post
from core.repositories.media import MediaRepository
from core.repositories.posts import PostRepository
from core.repositories.websites import WebsiteRepository


@dataclass(frozen=True)
class Featured:
    """The image above it."""

    media_id: UUID
    alt: str = ""


@dataclass(frozen=True)
class Manuscript:
    """An article as a person wants it. `planned_at` is None where they have not said when."""

    content: str
    fields: ArticleFields
    website_id: UUID | None
    """None: to where it goes already, such as a site that was removed."""
    featured: Featured | None = None
    planned_at: datetime | None = None
    time_zone: str = "UTC"
    language: str = "en"


async def apply_manuscript(session: AsyncSession, post: Post, wanted: Manuscript) -> None:
    """Raises InvalidInput with everything that is wrong, each at its field; NotFound for what is another user's."""
    fields = tidied(wanted.fields)
    problems = malformed(fields)
    if len(wanted.content) > MAX_BODY:
        length = len(wanted.content)
        problems.append(FieldError("content", ErrorCode.content_too_long, length=length, limit=MAX_BODY))
    if wanted.time_zone not in time_zones():
        problems.append(FieldError("time_zone", ErrorCode.unknown_time_zone, value=wanted.time_zone))
    website = None
    if wanted.website_id is not None:
        website = (await WebsiteRepository(session).get(post.user_id, wanted.website_id)).row
    featured = wanted.featured
    files = {} if featured is None else {featured.media_id: featured.alt}
    files = files | {media_id: alt for media_id, alt in images_of(wanted.content).items() if media_id not in files}
    shown = {file.media_id for file in post.files}
    removed = await MediaRepository(session).held_or_gone(post.user_id, files)
    if featured and featured.media_id not in removed:
        raise NotFound(what="media", id=str(featured.media_id))
    if featured and removed[featured.media_id] and featured.media_id not in shown:
        problems.append(FieldError("featured", ErrorCode.not_found))
    if problems:
        raise InvalidInput(errors=problems)
    post.content, post.language = wanted.content, wanted.language
    post.article = replace(fields, featured=featured is not None).to_json()
    # by which it is called wherever posts of all sorts are named
    post.topic_title = fields.title
    post.planned_at, post.time_zone = wanted.planned_at, wanted.time_zone
    if website is not None:
        post.account_ids = [str(website.account_id)]
    # what a text shows that is in nobody's gallery is left out of it
    kept = [one for one in files.items() if one[0] in removed and (not removed[one[0]] or one[0] in shown)]
    await PostRepository(session).set_files(post, kept)


async def same_slug(session: AsyncSession, post: Post) -> list[FieldError]:
    """Of an article: by its slug a site finds again what it has made of it, so no two on their way there share one."""
    slug = ArticleFields.from_json(post.article).slug if post.article is not None else ""
    taken = slug and await PostRepository(session).has_same_slug(post, slug)
    return [FieldError("fields.slug", ErrorCode.slug_taken)] if taken else []


async def free_slug(session: AsyncSession, user_id: UUID, account_ids: Sequence[str], slug: str) -> str:
    """The slug, or where another article of the same site has it, drafts included, the first of it with a number."""
    taken = await PostRepository(session).slugs_beginning(user_id, account_ids, slug)
    free, number = slug, 1
    while free in taken:
        number += 1
        end = f"-{number}"
        free = slug[: MAX_SLUG - len(end)].rstrip("-") + end
    return free
