import asyncio
from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query
from sqlalchemy.ext.asyncio import AsyncSession

from api.article_presenters import article_out, article_row_out
from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.paging import Pages
from api.schemas.posts import PostCounts
from api.schemas.websites import (
    ArticleChangeOut,
    ArticleEditIn,
    ArticleIn,
    ArticleOut,
    ArticlePage,
    ArticleRowOut,
    ArticleVersionIn,
    ManuscriptIn,
    PreviewIn,
    PreviewOut,
)
from core.articles.drafts import ArticleDraft, Featured
from core.articles.rules.articles import ArticleFields, slug_of, too_long
from core.container import Services
from core.errors import ErrorCode, InvalidInput, NotFound
from core.media.repository import MediaRepository
from core.posts.repositories.post_lists import PostFact, PostFilter, PostListRepository, PostSort
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.texts.rules.markdown import reading_minutes, shown_of, with_images
from core.websites.repositories.websites import WebsiteRepository
from core.websites.tables.websites import Website

router = Router(prefix="/articles", tags=["articles"])

_MOST = 3 * MEGABYTE
"""Larger than a text may be, so that the error for a too long text names its field and length."""


def _account_of(post: Post) -> UUID | None:
    return UUID(post.account_ids[0]) if post.account_ids else None


async def _sites(session: AsyncSession, user_id: UUID, posts: Sequence[Post]) -> dict[UUID, Website]:
    """Return the posts' websites by account id."""
    return await WebsiteRepository(session).by_accounts(
        user_id, [account_id for post in posts if (account_id := _account_of(post))]
    )


@router.get("/", responses=problems(ErrorCode.not_found))
async def list_articles(
    user: CurrentUser,
    session: Reading,
    services: Core,
    pages: Pages,
    status: Annotated[list[PostStatus] | None, Query(max_length=20, description="Any of these")] = None,
    state: Annotated[
        list[PostFact] | None, Query(max_length=20, description="Any of these facts, which the status does not say")
    ] = None,
    website_id: Annotated[UUID | None, Query()] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    sort: Annotated[PostSort, Query()] = PostSort.updated_latest,
) -> ArticlePage:
    """The filtered articles, without deleted ones."""
    website = await WebsiteRepository(session).get(user.id, website_id) if website_id else None
    filter = PostFilter(
        search=pages.search,
        statuses=frozenset(status or ()),
        facts=frozenset(state or ()),
        account_id=website.row.account_id if website else None,
        assistant_id=assistant_id,
        articles=True,
    )
    named_posts, total, statuses = await PostListRepository(session).page(
        user.id, filter, sort, offset=pages.offset, limit=pages.limit
    )
    posts = [post for post, _ in named_posts]
    websites = await _sites(session, user.id, posts)
    runs = [post.run_id for post in posts if post.run_id and post.status is PostStatus.draft]
    writing = await RunRepository(session).preparing_ids(user.id, runs)
    counts = PostCounts(**statuses)

    def rows() -> list[ArticleRowOut]:
        return [
            article_row_out(
                post,
                name,
                websites.get(account_id) if (account_id := _account_of(post)) else None,
                post.run_id in writing,
                services.media,
            )
            for post, name in named_posts
        ]

    # in a thread: counting the words of fifty long articles takes a while
    items = await asyncio.to_thread(rows)
    return ArticlePage(items=items, next_cursor=pages.next_cursor(total), total=total, statuses=counts)


async def _read(services: Services, user_id: UUID, article_id: UUID) -> ArticleOut:
    async with services.reading() as session:
        post, assistant_name = await PostRepository(session).get_consistent(user_id, article_id)
        if post.article is None:
            raise NotFound(what="article", id=str(article_id))
        websites = await _sites(session, user_id, [post])
        account_id = _account_of(post)
        website = websites.get(account_id) if account_id else None
        preparing = await RunRepository(session).progress(user_id, post.run_id) if post.run_id else None
        return await asyncio.to_thread(article_out, post, assistant_name, website, preparing, services.media)


def _manuscript(body: ManuscriptIn) -> ArticleDraft:
    fields = body.fields
    return ArticleDraft(
        content=body.content,
        fields=ArticleFields(
            title=fields.title,
            slug=fields.slug,
            summary=fields.summary,
            tags=tuple(fields.tags),
            categories=tuple(fields.categories),
            seo_title=fields.seo_title,
            seo_description=fields.seo_description,
            canonical_url=fields.canonical_url,
        ),
        website_id=body.website_id,
        featured=Featured(body.featured.media_id, body.featured.alt.strip()) if body.featured else None,
        planned_at=body.planned_at,
        time_zone=body.time_zone,
        language=body.language,
    )


@router.post(
    "/",
    status_code=201,
    responses=problems(ErrorCode.not_found, ErrorCode.invalid_input),
    openapi_extra=up_to(_MOST),
)
async def create_article(body: ArticleIn, user: CurrentUser, services: Core) -> ArticleOut:
    """Create a draft by hand."""
    await services.composing.create(user.id, body.id, _manuscript(body))
    return await _read(services, user.id, body.id)


@router.post("/preview/", responses=problems(ErrorCode.invalid_input), openapi_extra=up_to(_MOST))
async def preview_article(body: PreviewIn, user: CurrentUser, session: Reading, services: Core) -> PreviewOut:
    """The article as it will be shown. Saves nothing."""
    if wrong := too_long(body.content):
        raise InvalidInput(errors=wrong)
    shown = await asyncio.to_thread(shown_of, body.content)
    images = await MediaRepository(session).of_ids(user.id, list(shown.images))
    sources = {media.id: services.media.signed_url(media.id) for media in images}
    return PreviewOut(
        html=with_images(shown.html, sources),
        words=shown.words,
        reading_minutes=reading_minutes(shown.words),
        slug=slug_of(body.title),
    )


@router.get("/{article_id}/", responses=problems(ErrorCode.not_found))
async def read_article(article_id: UUID, user: CurrentUser, services: Core) -> ArticleOut:
    return await _read(services, user.id, article_id)


@router.put(
    "/{article_id}/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_going_out,
        ErrorCode.post_not_editable,
        ErrorCode.article_busy,
        ErrorCode.fixed_while_published,
        ErrorCode.approval_expired,
        ErrorCode.approval_outdated,
        ErrorCode.invalid_input,
    ),
    openapi_extra=up_to(_MOST),
)
async def edit_article(
    article_id: UUID, body: ArticleEditIn, user: CurrentUser, services: Core, workflows: Workflows
) -> ArticleChangeOut:
    """A scheduled article is published as edited. A failed one becomes a draft. A published one stays unchanged at its
    site until the site is updated."""
    edited = await services.composing.edit(user.id, article_id, body.version, _manuscript(body), approved=body.approved)
    posts = workflows.posts
    confirmed = await (posts.send_edit(edited.changed) if edited.waiting else posts.send_deliveries(edited.changed))
    if confirmed:
        await services.publishing.mark_synced(edited.changed)
    return ArticleChangeOut(article=await _read(services, user.id, article_id), confirmed=confirmed)


@router.post(
    "/{article_id}/update/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_not_editable,
        ErrorCode.article_busy,
        ErrorCode.update_not_possible,
        ErrorCode.account_disconnected,
    ),
)
async def update_article(article_id: UUID, body: ArticleVersionIn, user: CurrentUser, services: Core) -> ArticleOut:
    """Update the published article at its site to this version: soon, and with retries until the site answers.
    `at_site` shows the result; until then the article cannot be edited."""
    await services.revisions.request_update(user.id, article_id, body.version)
    return await _read(services, user.id, article_id)


@router.post(
    "/{article_id}/discard/",
    responses=problems(
        ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.post_not_editable, ErrorCode.article_busy
    ),
)
async def discard_article_changes(
    article_id: UUID, body: ArticleVersionIn, user: CurrentUser, services: Core
) -> ArticleOut:
    """Reset the article to the version last sent to its site."""
    await services.revisions.discard_changes(user.id, article_id, body.version)
    return await _read(services, user.id, article_id)


@router.post(
    "/{article_id}/take-down/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.post_not_editable,
        ErrorCode.article_busy,
        ErrorCode.removal_not_possible,
    ),
)
async def take_article_down(article_id: UUID, body: ArticleVersionIn, user: CurrentUser, services: Core) -> ArticleOut:
    """Delete the article at its site: soon, and with retries until the site answers. It stays here as a draft."""
    await services.revisions.request_takedown(user.id, article_id, body.version)
    return await _read(services, user.id, article_id)
