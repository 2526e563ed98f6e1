"""Stand-in for Instagram accounts linked to pages: containers with pictures from URLs, each published once."""

import asyncio
import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from fastapi import APIRouter
from PIL import Image as Picture
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.faults import ARRIVED_AT, FAULT, Fault, FaultKind
from sandbox.feed import card, code_of, path_of
from sandbox.fetching import fetched
from sandbox.graph import INSTAGRAM, Handler, add, body_of, need, origin, refuse, token_of
from sandbox.pages import Text, language, page
from sandbox.state import Container, Image, PagePost, State

MAX_CAPTION = 2_200
MAX_HASHTAGS = 30
MAX_MENTIONS = 20
MAX_IMAGE_BYTES = 8_388_608
MIN_RATIO, MAX_RATIO = 0.8, 1.91
CAROUSEL = range(2, 11)
CONTAINER_SECONDS = 86_400
_MENTION = re.compile(r"(?<![\w.@/])@\w")


def _account(request: Request, state: State, scope: str) -> str:
    """Return the id of the account in the path. Raise GraphError if the token has no access to it."""
    number = request.path_params["id"]
    token = token_of(request, state)
    account = INSTAGRAM.get(number)
    if account is None or token.page not in (None, account.page):
        raise refuse(100, 33)
    need(token, scope)
    return account.id


async def add_container(request: Request, state: State) -> Response:
    account = _account(request, state, "instagram_content_publish")
    body = await body_of(request)
    caption, alt = body.get("caption", ""), body.get("alt_text", "")
    if not isinstance(caption, str) or len(caption) > MAX_CAPTION or caption.count("#") > MAX_HASHTAGS:
        raise refuse(36004, 2207010, "The caption is too long")
    if len(_MENTION.findall(caption)) > MAX_MENTIONS:
        raise refuse(100, 2207040, "The caption mentions too many people")
    said = body.get("is_ai_generated", False)
    if not isinstance(said, bool) or (said and body.get("is_carousel_item")):
        raise refuse(100, None, "(#100) is_ai_generated must be a boolean, of the carousel and not of its pictures")
    if not isinstance(alt, str) or len(alt) > 1_000:
        raise refuse(100, None, "(#100) alt_text must be a text of at most 1,000 characters")
    fault: Fault | None = request.scope.get(FAULT)
    status = "FINISHED"
    if fault is not None and fault.kind is FaultKind.processing_failed:
        status = "ERROR"
    ready_at = time.time() + (fault.wait if fault is not None and fault.kind is FaultKind.slow else 0)
    made = Container(str(state.new_number()), account, caption, [], time.time(), ready_at, status)
    if body.get("media_type") == "CAROUSEL":
        state.keep_container(replace(made, images=_children(state, account, body.get("children"))))
        return JSONResponse({"id": made.id})
    if caption and body.get("is_carousel_item"):
        raise refuse(100, None, "(#100) A picture of a carousel has no caption")
    try:
        data = await fetched(str(body.get("image_url", "")))
    except ValueError as error:
        raise refuse(9004, 2207052, f"The media could not be fetched from this URI: {error}") from error
    image = Image(str(state.new_number()), account, time.time() + CONTAINER_SECONDS)
    await asyncio.to_thread(_kept, state, image, data)
    state.add_image(replace(image, media_type="image/jpeg", uploaded_at=time.time(), alt=alt))
    state.keep_container(replace(made, images=[[image.id, alt]], is_child=bool(body.get("is_carousel_item"))))
    return JSONResponse({"id": made.id})


def _kept(state: State, image: Image, data: bytes) -> None:
    """Store a picture. Raise GraphError if Instagram would refuse it."""
    if len(data) > MAX_IMAGE_BYTES:
        raise refuse(36000, 2207004, "The image is too large")
    try:
        with Picture.open(BytesIO(data)) as picture:
            kind, (width, height) = picture.format, picture.size
    except OSError as error:
        raise refuse(36001, 2207005, "The image format is not supported") from error
    if kind != "JPEG":
        raise refuse(36001, 2207005, f"The image format is not supported: {kind}")
    if not MIN_RATIO - 0.01 <= width / height <= MAX_RATIO + 0.01:
        raise refuse(36003, 2207009, "The aspect ratio is not supported")
    state.image_file(image.id).write_bytes(data)


def _children(state: State, account: str, told: object) -> list[list[str]]:
    names = told.split(",") if isinstance(told, str) else []
    found = [state.containers.get(name) for name in names]
    if len(found) not in CAROUSEL or any(one is None or one.account != account or not one.is_child for one in found):
        raise refuse(100, 2207028, "(#100) children must be 2 to 10 containers of pictures")
    images: list[list[str]] = []
    for one in found:
        assert one is not None
        if one.state(time.time()) != "FINISHED":
            raise refuse(9007, 2207027, "The media is not ready")
        images += one.images
    return images


def read(request: Request, state: State) -> Response | None:
    """Return a container, a post or an account by its number; None if it is none of them."""
    number = request.path_params["id"]
    container, post = state.containers.get(number), state.page_posts.get(number)
    owner = container.account if container else post.page if post else number
    if owner not in INSTAGRAM:
        return None
    token = token_of(request, state)
    if token.page not in (None, INSTAGRAM[owner].page):
        raise refuse(100, 33)
    need(token, "instagram_basic")
    asked = request.query_params.get("fields", "id").split(",")
    if container:
        now = container.state(time.time())
        said = "Error: the sandbox was told to fail here" if now == "ERROR" else f"{now.capitalize()}"
        row: dict[str, Any] = {"status_code": now, "status": said}
    else:
        row = _row(request, post) if post else {"username": INSTAGRAM[owner].name}
    return JSONResponse({"id": number, **{name: row[name] for name in asked if name in row}})


def _row(request: Request, post: PagePost) -> dict[str, Any]:
    at = datetime.fromtimestamp(post.published_at or post.created_at, UTC)
    return {
        "id": post.id,
        "caption": post.text,
        "permalink": f"{origin(request)}{path_of(post)}",
        "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S+0000"),
    }


async def publish(request: Request, state: State) -> Response:
    """Publish a container once; repeated calls return the same post."""
    account = _account(request, state, "instagram_content_publish")
    body = await body_of(request)
    container = state.containers.get(str(body.get("creation_id", "")))
    if container is None or container.account != account or container.is_child:
        raise refuse(24, 2207006, "The media could not be found")
    now = time.time()
    match container.state(now):
        case "IN_PROGRESS":
            raise refuse(9007, 2207027, "The media is not ready")
        case "ERROR" | "EXPIRED":
            raise refuse(24, 2207008, "The media builder has expired")
    if container.media is None:
        recent = [
            one for one in state.live_page_posts() if one.page == account and (one.published_at or 0) > now - 86_400
        ]
        if len(recent) >= state.settings.instagram_posts_a_day:
            raise refuse(9, 2207042, "You reached maximum number of posts that is allowed to be published")
        arrived_at = request.scope.get(ARRIVED_AT, now)
        post = PagePost(str(state.new_number()), account, container.caption, container.images, now, arrived_at, now)
        state.keep_page_post(post)
        container = replace(container, media=post.id)
        state.keep_container(container)
    fault: Fault | None = request.scope.get(FAULT)
    if fault is not None and fault.kind is FaultKind.no_id:
        return JSONResponse({})
    return JSONResponse({"id": container.media})


def _used(state: State, account: str) -> int:
    """Return how many posts the account published in the last 24 hours."""
    since = time.time() - 86_400
    return sum(one.page == account and (one.published_at or 0) > since for one in state.page_posts.values())


def quota(request: Request, state: State) -> Response:
    account = _account(request, state, "instagram_content_publish")
    used = _used(state, account)
    return JSONResponse(
        {
            "data": [
                {
                    "quota_usage": used,
                    "config": {"quota_total": state.settings.instagram_posts_a_day, "quota_duration": 86_400},
                }
            ]
        }
    )


def media(request: Request, state: State) -> Response:
    """Return the account's posts, newest first."""
    account = _account(request, state, "instagram_basic")
    asked = request.query_params.get("fields", "id").split(",")
    rows = [_row(request, post) for post in state.live_page_posts() if post.page == account]
    limit = int(request.query_params.get("limit", "25"))
    return JSONResponse({"data": [{name: row[name] for name in asked if name in row} for row in rows[:limit]]})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/{id}/media", add_container),
    ("GET", "/{id}/media", media),
    ("POST", "/{id}/media_publish", publish),
    ("GET", "/{id}/content_publishing_limit", quota),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add(router, state, HANDLERS)

    @router.get("/p/{code}/")
    async def permalink(request: Request, code: str) -> Response:
        text = Text(language(request))
        post = next((one for one in state.live_page_posts() if one.page in INSTAGRAM and code_of(one) == code), None)
        if post is None:
            body = f"<h1>{text('missing')}</h1><p>{text('missing_text')}</p>"
            return HTMLResponse(page(text, text("missing"), body), 404)
        title = f"{text('post_by')} {text.escape(INSTAGRAM[post.page].name)}"
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{card(text, post)}"))

    return router
