"""Stand-in for Threads: containers of texts and pictures, each published once, and posts with a topic."""

import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

import regex
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox import threads_login
from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, link_card, paragraph, picture_of
from sandbox.faults import FaultKind, arrived_at, fault_of, has_fault
from sandbox.fetching import fetch
from sandbox.graph_problems import refuse
from sandbox.http import Handler, add_handlers, form_fields, is_web_address, origin
from sandbox.pages import cards_page, iso, missing_page, post_page
from sandbox.people import PEOPLE, THREADS
from sandbox.pictures import inspect
from sandbox.state import Image, Row, State
from sandbox.texts import Text
from sandbox.threads_login import ThreadsToken, account_of, token_of
from sandbox.threads_problems import refuse_unseen
from sandbox.videos import Video, is_unplayable, start_fetching, video_players, videos_as_json

MAX_CHARACTERS = 500
MAX_LINKS = 5
MAX_IMAGE_BYTES = 8_388_608
MAX_VIDEO_BYTES = 1_000_000_000
MAX_RATIO = 10
MAX_TOPIC = 50
CAROUSEL = range(2, 21)
MOST_ROWS = 100
FIRST_TIME = 1_688_540_400
"""Least value of `since` in lists of posts."""
CONTAINER_SECONDS = 86_400
REFUSED_TOPICS = {"forbidden"}
"""Topics that are refused although they are well-formed: Threads does not publish its own list."""
PARAMETERS = {
    "TEXT": {"media_type", "text", "topic_tag", "link_attachment"},
    "IMAGE": {"media_type", "text", "topic_tag", "image_url", "alt_text", "is_carousel_item"},
    "VIDEO": {"media_type", "text", "topic_tag", "video_url", "alt_text"},
    "CAROUSEL": {"media_type", "text", "topic_tag", "children"},
}
_EMOJI = regex.compile(r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|\u200d")
_LINK = re.compile(r"https?://\S+")
# ends before spaces and . & @ ! ? , ; :
_TAG = re.compile(r"(?<!\S)#([^\s.&@!?,;:#]{1,50})(?=[\s.&@!?,;:]|$)")


@dataclass(frozen=True)
class ThreadsContainer(Row):
    """The draft of a post, or a picture of a carousel. `images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "threads_containers"
    id: str
    account: str
    text: str
    images: list[list[str]]
    created_at: float
    ready_at: float
    status: str
    topic: str = ""
    link: str = ""
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
        if now > self.created_at + CONTAINER_SECONDS:
            return "EXPIRED"
        if now < self.ready_at or (video and not video.is_processed(state)):
            return "IN_PROGRESS"
        return "ERROR" if video and video.failed else self.status


@dataclass(frozen=True)
class ThreadsPost(Row):
    """`images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "threads_posts"
    id: str
    account: str
    text: str
    images: list[list[str]]
    published_at: float
    arrived_at: float
    topic: str = ""
    link: str = ""
    deleted: bool = False
    video: str = ""

    @property
    def key(self) -> str:
        return self.id

    @property
    def path(self) -> str:
        return f"/threads/@{THREADS[self.account].username}/post/T{int(self.id):x}"


def _token(request: Request, state: State, scope: str) -> ThreadsToken:
    """Return the token of the account in the path. Raise Refusal if it is another account's."""
    token = token_of(request, state, scope)
    if request.path_params["id"] not in ("me", account_of(token.person).id):
        raise refuse(100, 33)
    return token


# Containers


async def add_container(request: Request, state: State) -> Response:
    account = account_of(_token(request, state, "threads_content_publish").person).id
    form = await form_fields(request)
    kind = form.get("media_type", "")
    if kind not in PARAMETERS:
        raise refuse(100, None, "(#100) media_type must be one of TEXT, IMAGE, VIDEO, CAROUSEL")
    if unknown := set(form) - PARAMETERS[kind]:
        raise refuse(100, None, f"(#100) {', '.join(sorted(unknown))} is not for {kind}")
    is_child = form.get("is_carousel_item", "false") == "true"
    text, topic = form.get("text", ""), form.get("topic_tag", "")
    if is_child and (text or topic):
        raise refuse(100, None, "(#100) A picture of a carousel has neither a text nor a topic")
    _check_text(text, kind)
    link = form.get("link_attachment", "")
    if link and not is_web_address(link):
        raise refuse(100, 4279047, "(#100) The link attachment is not valid")
    if "topic_tag" in form and (not 1 <= len(topic) <= MAX_TOPIC or {*topic} & {*".&"} or topic in REFUSED_TOPICS):
        raise refuse(100, 4279071, "Topic Tag Not Permitted")
    if not topic and (found := next((one for one in _TAG.finditer(text) if not one[1].isdigit()), None)):
        topic, text = found[1], text[: found.start()] + text[found.start() + 1 :]
    fault = fault_of(request)
    slow = fault.wait if fault is not None and fault.kind is FaultKind.slow else 0
    status = "ERROR" if has_fault(request, FaultKind.processing_failed) else "FINISHED"
    video = _start_video(state, account, form, failed=status == "ERROR") if kind == "VIDEO" else ""
    images = await _images(state, account, kind, form)
    now, number = time.time(), str(state.new_number())
    container = ThreadsContainer(number, account, text, images, now, now + slow, status, topic, link, is_child)
    state.save(replace(container, video=video))
    return JSONResponse({"id": number})


def _check_text(text: str, kind: str) -> None:
    if kind == "TEXT" and not text.strip():
        raise refuse(100, None, "(#100) The parameter text is required")
    if len(_EMOJI.sub("", text)) + sum(len(one.encode()) for one in _EMOJI.findall(text)) > MAX_CHARACTERS:
        raise refuse(100, None, f"(#100) Param text must be at most {MAX_CHARACTERS} characters long.")
    if len(set(_LINK.findall(text))) > MAX_LINKS:
        raise refuse(100, None, "(#100) THREADS_API__LINK_LIMIT_EXCEEDED")


def _start_video(state: State, account: str, form: dict[str, str], *, failed: bool) -> str:
    """Return the id of the video, which is fetched after the answer."""
    if "video_url" not in form:
        raise refuse(100, None, "(#100) The parameter video_url is required")
    alt = _alt_text(form)
    unplayable = failed or is_unplayable(alt, form.get("text", ""))
    video = Video(str(state.new_number()), account, failed=unplayable, alt=alt)
    start_fetching(state, video, form["video_url"], MAX_VIDEO_BYTES)
    return video.id


def _alt_text(form: dict[str, str]) -> str:
    alt = form.get("alt_text", "")
    if len(alt) > 1_000:
        raise refuse(100, None, "(#100) alt_text must be a text of at most 1,000 characters")
    return alt


async def _images(state: State, account: str, kind: str, form: dict[str, str]) -> list[list[str]]:
    if kind == "CAROUSEL":
        return _children(state, account, form.get("children", ""))
    if kind in ("TEXT", "VIDEO"):
        return []
    alt = _alt_text(form)
    try:
        data = await fetch(form.get("image_url", ""))
    except ValueError as error:
        raise refuse(9004, 2207052, f"The media could not be fetched from this URI: {error}") from error
    media_type = _check_picture(data)
    now = time.time()
    image = Image(
        str(state.new_number()), account, now + CONTAINER_SECONDS, media_type=media_type, uploaded_at=now, alt=alt
    )
    await state.store_image(image, data)
    return [[image.id, alt]]


def _check_picture(data: bytes) -> str:
    """Return the picture's media type. Raise Refusal if Threads would refuse the picture."""
    if len(data) > MAX_IMAGE_BYTES:
        raise refuse(36000, 2207004, "The image is too large")
    try:
        media_type, width, height = inspect(data)
    except ValueError as error:
        raise refuse(36001, 2207005, "The image format is not supported") from error
    if media_type not in ("image/jpeg", "image/png"):
        raise refuse(36001, 2207005, f"The image format is not supported: {media_type}")
    if max(width / height, height / width) > MAX_RATIO:
        raise refuse(36003, 2207009, "The aspect ratio is not supported")
    return media_type


def _children(state: State, account: str, children: str) -> list[list[str]]:
    found = [state.table(ThreadsContainer).get(name) for name in children.split(",")]
    if len(found) not in CAROUSEL or any(one is None or one.account != account or not one.is_child for one in found):
        raise refuse(100, 2207028, "(#100) children must be 2 to 20 containers of pictures")
    images: list[list[str]] = []
    for one in found:
        assert one is not None
        if one.state(state) != "FINISHED":
            raise refuse_unseen(one.id)
        images += one.images
    return images


# Posts


async def publish(request: Request, state: State) -> Response:
    """Publish a container once."""
    account = account_of(_token(request, state, "threads_content_publish").person).id
    number = (await form_fields(request)).get("creation_id", "")
    container = state.table(ThreadsContainer).get(number)
    now = time.time()
    if container is None or container.account != account or container.is_child or container.state(state) != "FINISHED":
        raise refuse_unseen(number)
    if _posts_of_a_day(state, account) >= state.settings.threads_posts_a_day:
        raise refuse(9, 2207042, "You reached maximum number of posts that is allowed to be published")
    made = str(state.new_number())
    state.save(
        ThreadsPost(
            made,
            account,
            container.text,
            container.images,
            now,
            arrived_at(request),
            container.topic,
            container.link,
            video=container.video,
        )
    )
    state.save(replace(container, media=made))
    return JSONResponse({} if has_fault(request, FaultKind.no_id) else {"id": made})


def _posts_of_a_day(state: State, account: str) -> int:
    """Return how many posts the account published in the last 24 hours, deleted ones too."""
    since = time.time() - 86_400
    return sum(one.account == account and one.published_at > since for one in state.table(ThreadsPost).values())


def read_quota(request: Request, state: State) -> Response:
    account = account_of(_token(request, state, "threads_content_publish").person).id
    config = {"quota_total": state.settings.threads_posts_a_day, "quota_duration": 86_400}
    row = {"quota_usage": _posts_of_a_day(state, account), "config": config}
    return JSONResponse({"data": [_chosen(request, row)]})


def read(request: Request, state: State) -> Response:
    """Return the token's account, one of its containers or one of its posts."""
    number, token = request.path_params["id"], token_of(request, state, "threads_basic")
    account = account_of(token.person)
    if number in ("me", account.id):
        picture = origin(request) + picture_of(token.person)
        row = {"username": account.username, "name": PEOPLE[token.person].name, "threads_profile_picture_url": picture}
        return JSONResponse(_chosen(request, {"id": account.id, **row}))
    container, post = state.table(ThreadsContainer).get(number), _live_post(state, number)
    found = container or post
    if found is None or found.account != account.id:
        raise refuse(100, 33)
    if container:
        now = container.state(state)
        failed = {"error_message": _reason(state, container)} if now == "ERROR" else {}
        return JSONResponse(_chosen(request, {"id": number, "status": now, **failed}, also=("error_message",)))
    assert post is not None
    return JSONResponse(_chosen(request, _row(request, post), also=("topic_tag",)))


def _reason(state: State, container: ThreadsContainer) -> str:
    video = state.table(Video).get(container.video)
    if video is None:
        return "UNKNOWN"
    return "FAILED_DOWNLOADING_VIDEO" if video.facts else "FAILED_PROCESSING_VIDEO"


def _live_post(state: State, number: str) -> ThreadsPost | None:
    post = state.table(ThreadsPost).get(number)
    return post if post and not post.deleted else None


def _row(request: Request, post: ThreadsPost) -> dict[str, Any]:
    kinds = {0: "TEXT_POST", 1: "IMAGE"}
    at = datetime.fromtimestamp(post.published_at, UTC)
    return {
        "id": post.id,
        "media_type": "VIDEO" if post.video else kinds.get(len(post.images), "CAROUSEL_ALBUM"),
        "text": post.text,
        "permalink": origin(request) + post.path,
        "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S+0000"),
        **({"topic_tag": post.topic} if post.topic else {}),
    }


def _chosen(request: Request, row: dict[str, Any], *, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the requested fields of a row and its id. `also`: fields that exist without a value."""
    fields = request.query_params.get("fields", "id").split(",")
    if missing := [name for name in fields if name not in row and name not in also]:
        raise refuse(100, None, f"(#100) Tried accessing nonexisting field ({missing[0]})")
    return {name: row[name] for name in dict.fromkeys(["id", *fields]) if name in row}


def list_posts(request: Request, state: State) -> Response:
    """Return the account's posts, newest first."""
    account = account_of(_token(request, state, "threads_basic").person).id
    query = request.query_params
    limit, since = query.get("limit", "25"), query.get("since", str(FIRST_TIME))
    if not limit.isdigit() or not 1 <= int(limit) <= MOST_ROWS or not since.isdigit() or int(since) < FIRST_TIME:
        raise refuse(100, None, f"(#100) limit must be 1 to {MOST_ROWS}, since a time of at least {FIRST_TIME}")
    rows = [post for post in live(state) if post.account == account and post.published_at >= int(since)]
    shown = [_chosen(request, _row(request, post), also=("topic_tag",)) for post in rows[: int(limit)]]
    return JSONResponse({"data": shown})


def delete(request: Request, state: State) -> Response:
    number, token = request.path_params["id"], token_of(request, state, "threads_delete")
    post = _live_post(state, number)
    if post is None or post.account != account_of(token.person).id:
        raise refuse(100, 33)
    state.save(replace(post, deleted=True))
    return JSONResponse({"success": True, "deleted_id": number})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/threads/v1.0/{id}/threads", add_container),
    ("GET", "/threads/v1.0/{id}/threads", list_posts),
    ("POST", "/threads/v1.0/{id}/threads_publish", publish),
    ("GET", "/threads/v1.0/{id}/threads_publishing_limit", read_quota),
    ("GET", "/threads/v1.0/{id}", read),
    ("DELETE", "/threads/v1.0/{id}", delete),
)


# Pages


def live(state: State) -> list[ThreadsPost]:
    """Return the published posts, newest first."""
    found = [post for post in state.table(ThreadsPost).values() if not post.deleted]
    return sorted(found, key=lambda post: post.published_at, reverse=True)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_handlers(router, state, threads_login.HANDLERS)
    add_handlers(router, state, HANDLERS)

    @router.get("/threads/")
    async def feed(request: Request) -> Response:
        return cards_page(Text.of(request), "Threads", (_card(post, state) for post in live(state)))

    @router.get("/threads/@{name}/post/{code}")
    async def permalink(request: Request, name: str, code: str) -> Response:
        text = Text.of(request)
        post = next((one for one in live(state) if one.path == f"/threads/@{name}/post/{code}"), None)
        return post_page(text, _author(post), _card(post, state)) if post else missing_page(text)

    return router


def _author(post: ThreadsPost) -> str:
    return PEOPLE[THREADS[post.account].person].name


def _videos(state: State, post: ThreadsPost) -> list[Video]:
    return [state.table(Video)[post.video]] if post.video else []


def _card(post: ThreadsPost, state: State) -> str:
    return card(
        author=_author(post),
        picture=picture_of(THREADS[post.account].person),
        permalink=post.path,
        at=post.published_at,
        notes=["Threads", *([post.topic] if post.topic else [])],
        body=(paragraph(post.text) if post.text else "")
        + image_grid((image_path(one), alt) for one, alt in post.images)
        + video_players(_videos(state, post))
        + link_card({"source": post.link} if post.link else None),
    )


def _as_json(state: State, post: ThreadsPost, base: str) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.account,
        "author_name": _author(post),
        "text": post.text,
        "commentary": post.text,
        "visibility": "PUBLIC",
        "topic": post.topic,
        "images": [{"id": one, "alt_text": alt, "url": base + image_path(one)} for one, alt in post.images],
        "videos": videos_as_json(_videos(state, post), base),
        "article": {"source": post.link} if post.link else None,
        "comments": [],
        "created_at": iso(post.published_at),
        "arrived_at": post.arrived_at,
        "permalink": base + post.path,
        "deleted": post.deleted,
    }


NETWORK = Network(
    cards=lambda state, _: [(post.published_at, _card(post, state)) for post in live(state)],
    as_json=lambda state, base: [_as_json(state, post, base) for post in state.table(ThreadsPost).values()],
)
