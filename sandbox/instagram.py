"""Stand-in for Instagram accounts linked to pages: containers with pictures from URLs, each published once."""

import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.faults import FaultKind, arrived_at, fault_of, has_fault
from sandbox.fetching import fetch
from sandbox.graph import add_graph_handlers, read_body
from sandbox.graph_posts import PagePost, code_of, live, path_of, post_card
from sandbox.graph_problems import refuse
from sandbox.graph_tokens import need, token_of
from sandbox.http import Handler, origin
from sandbox.pages import missing_page, post_page
from sandbox.people import INSTAGRAM
from sandbox.pictures import inspect
from sandbox.state import Image, Row, State
from sandbox.texts import Text
from sandbox.videos import Video, is_unplayable, start_fetching

MAX_CAPTION = 2_200
MAX_HASHTAGS = 30
MAX_MENTIONS = 20
MAX_IMAGE_BYTES = 8_388_608
MIN_RATIO, MAX_RATIO = 0.8, 1.91
MAX_VIDEO_BYTES = 300_000_000
REEL_PARAMETERS = {"media_type", "video_url", "cover_url", "share_to_feed", "caption", "is_ai_generated"}
CAROUSEL = range(2, 11)
CONTAINER_SECONDS = 86_400
_MENTION = re.compile(r"(?<![\w.@/])@\w")


@dataclass(frozen=True)
class Container(Row):
    """A media container, the draft of an Instagram post. `images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "containers"
    id: str
    account: str
    caption: str
    images: list[list[str]]
    created_at: float
    ready_at: float
    status: str
    is_child: bool = False
    media: str | None = None
    """The id of the published post."""
    video: str = ""
    """The id of its video."""

    @property
    def key(self) -> str:
        return self.id

    def state(self, state: State) -> str:
        now, video = time.time(), state.table(Video).get(self.video)
        if self.media is not None:
            return "PUBLISHED"
        if now > self.created_at + 86_400:
            return "EXPIRED"
        if now < self.ready_at or (video and not video.is_processed(state)):
            return "IN_PROGRESS"
        return "ERROR" if video and video.failed else self.status


def _account(request: Request, state: State, scope: str) -> str:
    """Return the id of the account in the path. Raise Refusal if the token has no access to it."""
    number = request.path_params["id"]
    token = token_of(request, state)
    account = INSTAGRAM.get(number)
    if account is None or token.page not in (None, account.page):
        raise refuse(100, 33)
    need(token, scope)
    return account.id


async def add_container(request: Request, state: State) -> Response:
    account = _account(request, state, "instagram_content_publish")
    body = await read_body(request)
    caption, alt = body.get("caption", ""), body.get("alt_text", "")
    if not isinstance(caption, str) or len(caption) > MAX_CAPTION or caption.count("#") > MAX_HASHTAGS:
        raise refuse(36004, 2207010, "The caption is too long")
    if len(_MENTION.findall(caption)) > MAX_MENTIONS:
        raise refuse(100, 2207040, "The caption mentions too many people")
    labelled = body.get("is_ai_generated", False)
    if not isinstance(labelled, bool) or (labelled and body.get("is_carousel_item")):
        raise refuse(
            100, None, "(#100) is_ai_generated must be a boolean, and is for the carousel, not for its pictures"
        )
    if not isinstance(alt, str) or len(alt) > 1_000:
        raise refuse(100, None, "(#100) alt_text must be a text of at most 1,000 characters")
    fault = fault_of(request)
    status = "ERROR" if has_fault(request, FaultKind.processing_failed) else "FINISHED"
    ready_at = time.time() + (fault.wait if fault is not None and fault.kind is FaultKind.slow else 0)
    made = Container(str(state.new_number()), account, caption, [], time.time(), ready_at, status)
    if body.get("media_type") == "CAROUSEL":
        state.save(replace(made, images=_children(state, account, body.get("children"))))
        return JSONResponse({"id": made.id})
    if body.get("media_type") == "REELS":
        state.save(replace(made, video=await _start_reel(state, made, body)))
        return JSONResponse({"id": made.id})
    if caption and body.get("is_carousel_item"):
        raise refuse(100, None, "(#100) A picture of a carousel has no caption")
    data = await _fetch_picture(str(body.get("image_url", "")))
    now = time.time()
    image = Image(
        str(state.new_number()), account, now + CONTAINER_SECONDS, media_type="image/jpeg", uploaded_at=now, alt=alt
    )
    await state.store_image(image, data)
    state.save(replace(made, images=[[image.id, alt]], is_child=bool(body.get("is_carousel_item"))))
    return JSONResponse({"id": made.id})


async def _start_reel(state: State, container: Container, body: dict[str, Any]) -> str:
    """Return the id of the video, which is fetched after the answer; its cover is fetched now."""
    if unknown := set(body) - REEL_PARAMETERS:
        raise refuse(100, None, f"(#100) {', '.join(sorted(unknown))} is not for Reels")
    url = body.get("video_url")
    if not isinstance(url, str) or not isinstance(body.get("share_to_feed", True), bool):
        raise refuse(100, None, "(#100) video_url is required, and share_to_feed a boolean")
    number, cover = str(state.new_number()), ""
    if "cover_url" in body:
        # of any shape: Reels show it cropped to 9:16
        data = await _fetch_picture(str(body["cover_url"]), any_ratio=True)
        image = Image(str(state.new_number()), container.account, media_type="image/jpeg", uploaded_at=time.time())
        await state.store_image(image, data)
        cover = image.id
    failed = container.status == "ERROR" or is_unplayable(container.caption)
    start_fetching(state, Video(number, container.account, failed=failed, cover=cover), url, MAX_VIDEO_BYTES)
    return number


def _reason(state: State, container: Container) -> str:
    video = state.table(Video).get(container.video)
    if video is None:
        return "Error: a fault was added to the sandbox"
    number = 2207077 if video.facts else 2207026
    return f"Error: Media upload has failed with error code {number}"


async def _fetch_picture(url: str, *, any_ratio: bool = False) -> bytes:
    try:
        data = await fetch(url)
    except ValueError as error:
        raise refuse(9004, 2207052, f"The media could not be fetched from this URI: {error}") from error
    _check_picture(data, any_ratio)
    return data


def _check_picture(data: bytes, any_ratio: bool) -> None:
    """Raise Refusal if Instagram would refuse the picture."""
    if len(data) > MAX_IMAGE_BYTES:
        raise refuse(36000, 2207004, "The image is too large")
    try:
        media_type, width, height = inspect(data)
    except ValueError as error:
        raise refuse(36001, 2207005, "The image format is not supported") from error
    if media_type != "image/jpeg":
        raise refuse(36001, 2207005, f"The image format is not supported: {media_type}")
    if not any_ratio and not MIN_RATIO - 0.01 <= width / height <= MAX_RATIO + 0.01:
        raise refuse(36003, 2207009, "The aspect ratio is not supported")


def _children(state: State, account: str, children: object) -> list[list[str]]:
    names = children.split(",") if isinstance(children, str) else []
    found = [state.table(Container).get(name) for name in names]
    if len(found) not in CAROUSEL or any(one is None or one.account != account or not one.is_child for one in found):
        raise refuse(100, 2207028, "(#100) children must be 2 to 10 containers of pictures")
    images: list[list[str]] = []
    for one in found:
        assert one is not None
        if one.state(state) != "FINISHED":
            raise refuse(9007, 2207027, "The media is not ready")
        images += one.images
    return images


def read(request: Request, state: State) -> Response | None:
    """Return a container, a post or an account by its number; None if it is none of them."""
    number = request.path_params["id"]
    container, post = state.table(Container).get(number), state.table(PagePost).get(number)
    owner = container.account if container else post.page if post else number
    if owner not in INSTAGRAM:
        return None
    token = token_of(request, state)
    if token.page not in (None, INSTAGRAM[owner].page):
        raise refuse(100, 33)
    need(token, "instagram_basic")
    fields = request.query_params.get("fields", "id").split(",")
    if container:
        now = container.state(state)
        status = _reason(state, container) if now == "ERROR" else now.capitalize()
        row: dict[str, Any] = {"status_code": now, "status": status}
    else:
        row = _row(request, post) if post else {"username": INSTAGRAM[owner].name}
    return JSONResponse({"id": number, **{name: row[name] for name in fields if name in row}})


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
    body = await read_body(request)
    container = state.table(Container).get(str(body.get("creation_id", "")))
    if container is None or container.account != account or container.is_child:
        raise refuse(24, 2207006, "The media could not be found")
    now = time.time()
    match container.state(state):
        case "IN_PROGRESS":
            raise refuse(9007, 2207027, "The media is not ready")
        case "ERROR" | "EXPIRED":
            raise refuse(24, 2207008, "The media builder has expired")
    if container.media is None:
        recent = [one for one in live(state) if one.page == account and (one.published_at or 0) > now - 86_400]
        if len(recent) >= state.settings.instagram_posts_a_day:
            raise refuse(9, 2207042, "You reached maximum number of posts that is allowed to be published")
        post = PagePost(
            str(state.new_number()),
            account,
            container.caption,
            container.images,
            now,
            arrived_at(request),
            now,
            video=container.video,
        )
        state.save(post)
        container = replace(container, media=post.id)
        state.save(container)
    if has_fault(request, FaultKind.no_id):
        return JSONResponse({})
    return JSONResponse({"id": container.media})


def _posts_of_a_day(state: State, account: str) -> int:
    """Return how many posts the account published in the last 24 hours."""
    since = time.time() - 86_400
    return sum(one.page == account and (one.published_at or 0) > since for one in state.table(PagePost).values())


def read_quota(request: Request, state: State) -> Response:
    account = _account(request, state, "instagram_content_publish")
    used = _posts_of_a_day(state, account)
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


def list_media(request: Request, state: State) -> Response:
    """Return the account's posts, newest first."""
    account = _account(request, state, "instagram_basic")
    fields = request.query_params.get("fields", "id").split(",")
    rows = [_row(request, post) for post in live(state) if post.page == account]
    limit = int(request.query_params.get("limit", "25"))
    return JSONResponse({"data": [{name: row[name] for name in fields if name in row} for row in rows[:limit]]})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/{id}/media", add_container),
    ("GET", "/{id}/media", list_media),
    ("POST", "/{id}/media_publish", publish),
    ("GET", "/{id}/content_publishing_limit", read_quota),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_graph_handlers(router, state, HANDLERS)

    @router.get("/p/{code}/")
    async def permalink(request: Request, code: str) -> Response:
        text = Text.of(request)
        post = next((one for one in live(state) if one.page in INSTAGRAM and code_of(one) == code), None)
        return post_page(text, INSTAGRAM[post.page].name, post_card(post, state)) if post else missing_page(text)

    return router
