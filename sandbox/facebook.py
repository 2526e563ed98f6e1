"""Stand-in for Facebook pages: photos, unpublished and published posts, comments, and their pages."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox import facebook_videos, instagram
from sandbox.facebook_videos import need_ready, status_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.fetching import fetch
from sandbox.graph import add_graph_handlers, read_body, read_page
from sandbox.graph_posts import PagePost, live, post_card
from sandbox.graph_problems import refuse
from sandbox.graph_tokens import need, page_token, token_of
from sandbox.http import Handler, is_web_address, origin
from sandbox.pages import cards_page, missing_page, post_page
from sandbox.people import INSTAGRAM, PAGES
from sandbox.pictures import inspect
from sandbox.state import Image, State
from sandbox.texts import Text
from sandbox.videos import Video

MAX_MESSAGE = 63_206
MAX_COMMENT = 8_000
MOST_COMMENTS = 100  # in one response
MAX_PHOTO_BYTES = 10_000_000
MAX_PHOTOS = 10
INSTAGRAM_SCOPES = {
    "pages_manage_engagement": "instagram_manage_comments",
    "pages_read_engagement": "instagram_basic",
    "pages_manage_posts": "instagram_content_publish",
}
"""Instagram's scope for each scope of a page."""
PHOTO_SECONDS = 86_400
"""Lifetime of a photo without a post."""


async def add_photo(request: Request, state: State) -> Response:
    page_id = request.path_params["page_id"]
    page_token(request, state, page_id, "pages_manage_posts")
    if "multipart" in request.headers.get("content-type", ""):
        async with request.form() as form:
            source = form.get("source")
            data = await source.read() if isinstance(source, UploadFile) else b""
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
    else:
        body = await read_body(request)
        fields = {name: value if isinstance(value, str) else str(value).lower() for name, value in body.items()}
        try:
            data = await fetch(fields.get("url", ""))
        except ValueError as error:
            raise refuse(100, 2061006, f"(#100) The url could not be read: {error}") from error
    if fields.get("published") != "false":
        raise refuse(100, None, "(#100) The sandbox accepts photos for posts only: published must be false")
    if len(data) >= MAX_PHOTO_BYTES:
        raise refuse(1, 1366046, "The photo is 10 MB or larger")
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        raise refuse(1, 1366046, f"The photo is {error}") from error
    now = time.time()
    image = Image(
        str(state.new_number()),
        page_id,
        now + PHOTO_SECONDS,
        media_type=media_type,
        uploaded_at=now,
        alt=fields.get("alt_text_custom", ""),
    )
    await state.store_image(image, data)
    return JSONResponse({"id": image.id})


async def add_post(request: Request, state: State) -> Response:
    page_id = request.path_params["page_id"]
    page_token(request, state, page_id, "pages_manage_posts")
    body = await read_body(request)
    message, attached = body.get("message", ""), body.get("attached_media", [])
    if not isinstance(message, str) or len(message) > MAX_MESSAGE:
        raise refuse(100, None, f"(#100) message must be a text of at most {MAX_MESSAGE} characters")
    if not isinstance(attached, list) or len(attached) > MAX_PHOTOS:
        raise refuse(100, None, f"(#100) attached_media must be a list of at most {MAX_PHOTOS}")
    if "link" in body and attached:
        raise refuse(100, None, "(#100) link and attached_media exclude each other")
    link = body.get("link", "")
    if not isinstance(link, str) or ("link" in body and not is_web_address(link)):
        raise refuse(1500, None, "The url you supplied is invalid")
    if urlsplit(link).netloc.endswith("facebook.com"):
        raise refuse(100, 1609008, "A link to Facebook cannot be posted by an app")
    if not message.strip() and not attached and not link:
        raise refuse(100, None, "(#100) message, link or attached_media is needed")
    images = [_photo(state, page_id, one) for one in attached]
    published = body.get("published", True)
    if not isinstance(published, bool):
        raise refuse(100, None, "(#100) published must be true or false")
    now = time.time()
    post = PagePost(f"{page_id}_{state.new_number()}", page_id, message, images, now, arrived_at(request), link=link)
    state.save(replace(post, published_at=now) if published else post)
    return JSONResponse({"id": post.id, "post_supports_client_mutation_id": True})


def _photo(state: State, page_id: str, value: object) -> list[str]:
    image = state.table(Image).get(str(value.get("media_fbid"))) if isinstance(value, dict) else None
    if image is None or image.owner != page_id:
        raise refuse(100, 33)
    if image.upload_expires_at < time.time():
        raise refuse(100, 33, "The photo was deleted after a day without a post")
    # a retry may attach the same photo to two unpublished posts, but only one of them can be published
    if any(image.id == found for post in live(state) for found, _ in post.images):
        raise refuse(1, 1366051, "These photos were already posted.")
    return [image.id, image.alt]


def read(request: Request, state: State) -> Response:
    """Return a page or a post by its id."""
    if "_" not in request.path_params["id"] and not _video_of(request, state):
        return instagram.read(request, state) or read_page(request, state)
    post = _post_of(request, state, "pages_read_engagement")
    fields = request.query_params.get("fields", "id,message,created_time").split(",")
    if video := _video_of(request, state):
        shown = {
            "published": post.published_at is not None,
            "permalink_url": f"/{post.id}",
            "status": status_of(state, video),
        }
        return JSONResponse({"id": post.id, **{name: shown[name] for name in fields if name in shown}})
    everything: dict[str, Any] = {
        "is_published": post.published_at is not None,
        "permalink_url": f"{origin(request)}/{post.id}",
        "message": post.text,
        "created_time": datetime.fromtimestamp(post.created_at, UTC).strftime("%Y-%m-%dT%H:%M:%S+0000"),
    }
    return JSONResponse({"id": post.id, **{name: everything[name] for name in fields if name in everything}})


async def change_post(request: Request, state: State) -> Response:
    """Publish a post. Publishing it again changes nothing."""
    post = _post_of(request, state, "pages_manage_posts")
    body, field = await read_body(request), "published" if post.video else "is_published"
    if body.get(field) not in (True, "true"):
        raise refuse(100, None, f"(#100) The sandbox changes only {field}, to true")
    if post.video:
        need_ready(state, post.video)
    if post.published_at is None:
        post = replace(post, published_at=time.time(), arrived_at=arrived_at(request))
        state.save(post)
    if has_fault(request, FaultKind.vanish):
        state.save(replace(post, deleted=True))
    if has_fault(request, FaultKind.no_id):
        return JSONResponse({})
    return JSONResponse({"success": True})


def _video_of(request: Request, state: State) -> Video | None:
    """Return the video that is the post of the path."""
    post = state.table(PagePost).get(request.path_params["id"])
    return state.table(Video).get(post.video) if post and post.page in PAGES else None


def delete_post(request: Request, state: State) -> Response:
    post = _post_of(request, state, "pages_manage_posts")
    state.save(replace(post, deleted=True))
    return JSONResponse({"success": True})


async def add_comment(request: Request, state: State) -> Response:
    """Add a comment to a published post; the same text twice is two comments."""
    post = _post_of(request, state, "pages_manage_engagement")
    body = await read_body(request)
    message = body.get("message", "")
    if not isinstance(message, str) or not message.strip() or len(message) > MAX_COMMENT:
        raise refuse(100, None, f"(#100) message must be a text of at most {MAX_COMMENT} characters")
    if post.published_at is None:
        raise refuse(100, 33)
    made = f"{post.id.rpartition('_')[2]}_{state.new_number()}"
    comment = {"id": made, "from": post.page, "text": message, "at": time.time()}
    state.save(replace(post, comments=[*post.comments, comment]))
    return JSONResponse({"id": made})


def list_comments(request: Request, state: State) -> Response:
    """Return a post's comments, newest first if requested."""
    post = _post_of(request, state, "pages_read_engagement")
    fields = request.query_params.get("fields", "id,message,created_time").split(",")
    newest_first = request.query_params.get("order") == "reverse_chronological"
    rows = [
        {
            "id": one["id"],
            "message": one["text"],
            "text": one["text"],
            "from{id}": {"id": one["from"]},
            "created_time": datetime.fromtimestamp(one["at"], UTC).strftime("%Y-%m-%dT%H:%M:%S+0000"),
        }
        for one in (reversed(post.comments) if newest_first else post.comments)
    ]
    limit = request.query_params.get("limit", "25")
    if not limit.isdigit() or not 1 <= int(limit) <= MOST_COMMENTS:
        raise refuse(100, None, f"(#100) limit must be 1 to {MOST_COMMENTS}")
    shown = [{name.partition("{")[0]: row[name] for name in fields if name in row} for row in rows[: int(limit)]]
    return JSONResponse({"data": shown})


def _post_of(request: Request, state: State, scope: str) -> PagePost:
    post_id = request.path_params["id"]
    post = state.table(PagePost).get(post_id)
    if post and (account := INSTAGRAM.get(post.page)):
        token = token_of(request, state)
        if token.page not in (None, account.page):
            raise refuse(100, 33)
        need(token, INSTAGRAM_SCOPES[scope])
    else:
        page_token(request, state, post.page if post else post_id.partition("_")[0], scope)
    if post is None or post.deleted:
        raise refuse(100, 33)
    return post


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/{page_id}/photos", add_photo),
    ("POST", "/{page_id}/feed", add_post),
    ("POST", "/{id}/comments", add_comment),
    ("GET", "/{id}/comments", list_comments),
    ("GET", "/{id}", read),
    ("POST", "/{id}", change_post),
    ("DELETE", "/{id}", delete_post),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_graph_handlers(router, state, (*facebook_videos.HANDLERS, *HANDLERS))

    @router.get("/{page_id:int}")
    async def posts_of_page(request: Request, page_id: int) -> Response:
        text, found = Text.of(request), PAGES.get(str(page_id))
        video = state.table(PagePost).get(str(page_id))
        if video and video.published_at is not None and not video.deleted and video.page in PAGES:
            return post_page(text, PAGES[video.page].name, post_card(video, state))
        if found is None:
            return missing_page(text)
        cards = [post_card(post, state) for post in live(state) if post.page == found.id]
        return cards_page(text, text.escape(found.name), cards)

    @router.get("/{page_id:int}_{number:int}")
    async def permalink(request: Request, page_id: int, number: int) -> Response:
        text, post = Text.of(request), state.table(PagePost).get(f"{page_id}_{number}")
        if post is None or post.deleted or post.published_at is None:
            return missing_page(text)
        return post_page(text, PAGES[post.page].name, post_card(post, state))

    return router
