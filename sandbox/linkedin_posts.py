"""Posts of the stand-in for LinkedIn: its posts API, and the posts as readers see them."""

import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, link_card, paragraph, picture_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.http import Handler, is_web_address
from sandbox.linkedin_documents import (
    Document,
    document_as_json,
    document_pages,
    is_document,
    usable_document,
)
from sandbox.linkedin_images import id_of, usable_image
from sandbox.linkedin_problems import duplicate_problem, refuse
from sandbox.linkedin_requests import json_body, need_author, page_bounds, rest_token
from sandbox.linkedin_tokens import Token
from sandbox.linkedin_videos import is_video, usable_video
from sandbox.littletext import unescaped, visible
from sandbox.pages import iso
from sandbox.people import Organisation, author_of
from sandbox.state import Row, State
from sandbox.texts import Text
from sandbox.videos import Video, video_players, videos_as_json

MAX_COMMENTARY = 3000
MAX_OF_ARTICLE = {"title": 400, "description": 4086}
MAX_IMAGES = 20
VISIBILITIES = {"PUBLIC", "CONNECTIONS", "LOGGED_IN"}


@dataclass(frozen=True)
class Post(Row):
    """A LinkedIn post. `commentary`: as sent (up to the cut), `text`: as readers see it. `images` are (urn, alt text).

    `created_at` and `edited_at` are epoch milliseconds, `arrived_at` (of the request) epoch seconds.
    """

    table: ClassVar[str] = "posts"
    id: str
    author: str
    commentary: str
    text: str
    visibility: str
    images: list[list[str]]
    article: dict[str, str] | None
    created_at: int
    arrived_at: float
    edited_at: int | None = None
    deleted: bool = False
    video: str = ""
    """The id of its video."""
    document: list[str] | None = None
    """[id, title] of its document."""

    @property
    def key(self) -> str:
        return self.id


def live(state: State) -> list[Post]:
    """Return the posts that are not deleted, newest first."""
    return [post for post in reversed(state.table(Post).values()) if not post.deleted]


def _new_urn(state: State, created_at: int, *, is_ugc: bool) -> str:
    """Return the id of a new post. LinkedIn uses two forms, so callers must handle both."""
    last = next(reversed(state.table(Post)), "0")
    number = max(int(last.rpartition(":")[2]) + 1, created_at << 22)
    return f"urn:li:{'ugcPost' if is_ugc else 'share'}:{number}"


def _duplicate_of(state: State, content: tuple[str, ...]) -> str | None:
    """Return the id of a post with the same content within `duplicate_seconds`, even if deleted."""
    since = (time.time() - state.settings.duplicate_seconds) * 1000
    for post in reversed(state.table(Post).values()):
        if post.created_at <= since:
            return None
        if _content_of(post) == content:
            return post.id
    return None


def _content_of(post: Post) -> tuple[str, ...]:
    images = (image[0] for image in post.images)
    beside = (*(post.document or []), *images, *(post.article or {}).values())
    return (post.author, post.commentary, post.video, *beside)


async def create_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    body = await json_body(request)
    author = body.get("author")
    if not isinstance(author, str):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /author :: field is required but not found")
    need_author(token, author)
    visibility = _check_form(body, author)
    commentary = _commentary(body.get("commentary"))
    content = _content(body.get("content"), author, state)
    if not commentary.strip() and not content:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "commentary and content are both empty")
    text, taken = visible(commentary)
    post = Post(
        id="",
        author=author,
        commentary=commentary[:taken],
        text=text,
        visibility=visibility,
        **({"images": [], "article": None} | content),
        created_at=time.time_ns() // 1_000_000,
        arrived_at=arrived_at(request),
    )
    if first := _duplicate_of(state, _content_of(post)):
        return duplicate_problem(first)
    post = replace(post, id=_new_urn(state, post.created_at, is_ugc=len(post.images) > 1 or bool(post.video)))
    state.save(replace(post, deleted=has_fault(request, FaultKind.vanish)))
    if has_fault(request, FaultKind.no_id):
        return Response(status_code=201)
    return Response(status_code=201, headers={"x-restli-id": post.id})


def _check_form(body: dict[str, Any], author: str) -> str:
    """Return the visibility. Raise Refusal if it, distribution or lifecycle state is invalid."""
    visibility, distribution = body.get("visibility"), body.get("distribution")
    if visibility not in VISIBILITIES or ("organization" in author and visibility != "PUBLIC"):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "visibility is not allowed for this author")
    if not isinstance(distribution, dict) or distribution.get("feedDistribution") not in (
        "MAIN_FEED",
        "NONE",
    ):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /distribution/feedDistribution :: not found")
    if body.get("lifecycleState") != "PUBLISHED":
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "lifecycleState must be PUBLISHED")
    return str(visibility)


def _commentary(value: object) -> str:
    if not isinstance(value, str):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /commentary :: field is required but not found")
    if len(unescaped(value)) > MAX_COMMENTARY:
        raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"commentary is longer than {MAX_COMMENTARY} characters")
    return value


def _content(content: object, author: str, state: State) -> dict[str, Any]:
    """Return the field of a post that the content fills; empty without content."""
    if content is None:
        return {}
    if not isinstance(content, dict) or len(content) != 1:
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /content :: exactly one kind of content is allowed")
    kind, value = next(iter(content.items()))
    if kind == "media" and isinstance(value, dict) and is_video(value.get("id")):
        return {"video": usable_video(value, author, state)}
    if kind == "media" and isinstance(value, dict) and is_document(value.get("id")):
        return {"document": usable_document(value, author, state)}
    if kind == "media":
        return {"images": [usable_image(value, author, state)]}
    if kind == "multiImage":
        listed = value.get("images") if isinstance(value, dict) else None
        if not isinstance(listed, list) or not 2 <= len(listed) <= MAX_IMAGES:
            raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"multiImage needs 2 to {MAX_IMAGES} images")
        return {"images": [usable_image(item, author, state) for item in listed]}
    if kind == "article":
        return {"article": _article(value, author, state)}
    raise refuse(422, "UNPROCESSABLE_ENTITY", f"ERROR :: /content/{kind} :: unrecognized field found")


def _article(value: object, author: str, state: State) -> dict[str, str]:
    """Return the link card as sent: the linked page is not fetched."""
    article = value if isinstance(value, dict) else {}
    for name in ("source", "title"):
        if name not in article:
            missing = f"ERROR :: /content/article/{name} :: field is required but not found and has no default value"
            raise refuse(422, "UNPROCESSABLE_ENTITY", missing)
    for name, text in article.items():
        if name not in (*MAX_OF_ARTICLE, "source", "thumbnail"):
            raise refuse(422, "UNPROCESSABLE_ENTITY", f"ERROR :: /content/article/{name} :: unrecognized field found")
        if not isinstance(text, str) or not text:
            raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"article.{name} must be a text")
        if len(text) > MAX_OF_ARTICLE.get(name, len(text)):
            raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"article.{name} is too long")
    if not is_web_address(article["source"]):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "article.source must be a web address")
    if "thumbnail" in article:
        usable_image({"id": article["thumbnail"]}, author, state)
    return article


def list_posts(request: Request, state: State) -> Response:
    """Return a page's posts, newest first."""
    token = rest_token(request, state)
    query = request.query_params
    if request.headers.get("x-restli-method", "").upper() != "FINDER" or query.get("q") != "author":
        raise refuse(400, "ILLEGAL_ARGUMENT", "Only the finder q=author with X-RestLi-Method: FINDER exists")
    author, sort = query.get("author", ""), query.get("sortBy", "LAST_MODIFIED")
    if sort not in ("CREATED", "LAST_MODIFIED"):
        raise refuse(400, "ILLEGAL_ARGUMENT", "sortBy must be CREATED or LAST_MODIFIED")
    need_author(token, author, reading=True)
    start, count = page_bounds(query)
    posts = [post for post in live(state) if post.author == author]
    if sort == "LAST_MODIFIED":
        posts.sort(key=lambda post: post.edited_at or post.created_at, reverse=True)
    paging = {"start": start, "count": count, "total": len(posts), "links": []}
    elements = [_row(post) for post in posts[start : start + count]]
    return JSONResponse({"elements": elements, "paging": paging})


def _row(post: Post) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "id": post.id,
        "author": post.author,
        "commentary": post.commentary,
        "visibility": post.visibility,
        "lifecycleState": "PUBLISHED",
        "createdAt": post.created_at,
        "publishedAt": post.created_at,
        "lastModifiedAt": post.edited_at or post.created_at,
        "isReshareDisabledByAuthor": False,
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
    }
    images = [{"id": urn, "altText": alt_text} for urn, alt_text in post.images]
    if post.article is not None:
        answer["content"] = {"article": post.article}
    elif post.document:
        answer["content"] = {"media": {"id": f"urn:li:document:{post.document[0]}", "title": post.document[1]}}
    elif post.video:
        answer["content"] = {"media": {"id": f"urn:li:video:{post.video}"}}
    elif len(images) == 1:
        answer["content"] = {"media": images[0]}
    elif images:
        answer["content"] = {"multiImage": {"images": images}}
    return answer


def _page_post(request: Request, state: State, token: Token) -> Post:
    """Return the page's post of the path. Without a page's scope, access is refused before the lookup."""
    post = state.table(Post).get(request.path_params["urn"])
    if "w_organization_social" not in token.scopes and "r_organization_social" not in token.scopes:
        raise refuse(403)
    if post is None or post.deleted:
        raise refuse(404)
    if post.author.startswith("urn:li:person:"):
        raise refuse(403)
    need_author(token, post.author, reading=True)
    return post


def read_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    return JSONResponse(_row(_page_post(request, state, token)))


def delete_post(request: Request, state: State) -> Response:
    """Delete a post; anyone who may post as its author can, members too. Deleting it again succeeds."""
    token = rest_token(request, state)
    post = state.table(Post).get(request.path_params["urn"])
    if post is None:
        raise refuse(404)
    need_author(token, post.author)
    if not post.deleted:
        state.save(replace(post, deleted=True))
    return Response(status_code=204)


async def edit_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    if request.headers.get("x-restli-method", "").upper() != "PARTIAL_UPDATE":
        raise refuse(400, "ILLEGAL_ARGUMENT", "X-RestLi-Method must be PARTIAL_UPDATE")
    patch = (await json_body(request)).get("patch")
    changes = patch.get("$set") if isinstance(patch, dict) else None
    if not isinstance(changes, dict) or set(changes) != {"commentary"}:
        raise refuse(422, "UNPROCESSABLE_ENTITY", "Only commentary can be changed")
    commentary = _commentary(changes["commentary"])
    post = state.table(Post).get(request.path_params["urn"])
    if post is None or post.deleted:
        raise refuse(404)
    need_author(token, post.author)
    text, taken = visible(commentary)
    edited_at = time.time_ns() // 1_000_000
    state.save(replace(post, commentary=commentary[:taken], text=text, edited_at=edited_at))
    return Response(status_code=204)


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/rest/posts", create_post),
    ("GET", "/rest/posts", list_posts),
    ("GET", "/rest/posts/{urn}", read_post),
    ("DELETE", "/rest/posts/{urn}", delete_post),
    ("POST", "/rest/posts/{urn}", edit_post),
)


def author_name(post: Post) -> str:
    author = author_of(post.author)
    return author.name if author else post.author  # written by an older sandbox with other people


def path_of(post: Post) -> str:
    return f"/feed/update/{post.id}/"


def _documents(state: State, post: Post) -> list[tuple[Document, str]]:
    """Return the post's document with its title."""
    return [(state.table(Document)[post.document[0]], post.document[1])] if post.document else []


def _videos(state: State, post: Post) -> list[Video]:
    return [state.table(Video)[post.video]] if post.video else []


def post_card(text: Text, post: Post, state: State) -> str:
    author, article = author_of(post.author), post.article
    page = isinstance(author, Organisation)
    name = author.vanity_name if isinstance(author, Organisation) else author.sub if author else ""
    thumbnail = (article or {}).get("thumbnail", "")
    return card(
        author=author_name(post),
        picture=picture_of(name) if name else "",
        square=page,
        permalink=path_of(post),
        at=post.created_at / 1000,
        notes=[text("edited")] if post.edited_at else [],
        body=paragraph(post.text)
        + image_grid((image_path(id_of(urn)), alt) for urn, alt in post.images)
        + "".join(document_pages(document, title) for document, title in _documents(state, post))
        + video_players(_videos(state, post))
        + link_card(article, image_path(id_of(thumbnail)) if thumbnail else ""),
    )


def _as_json(state: State, post: Post, base: str) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.author,
        "author_name": author_name(post),
        "text": post.text,
        "commentary": post.commentary,
        "visibility": post.visibility,
        "images": [
            {"id": urn, "alt_text": alt_text, "url": base + image_path(id_of(urn))} for urn, alt_text in post.images
        ],
        "documents": [document_as_json(document, title, base) for document, title in _documents(state, post)],
        "videos": videos_as_json(_videos(state, post), base),
        "article": post.article,
        "created_at": iso(post.created_at / 1000),
        "arrived_at": post.arrived_at,
        "permalink": base + path_of(post),
        "deleted": post.deleted,
    }


NETWORK = Network(
    cards=lambda state, text: [(post.created_at / 1000, post_card(text, post, state)) for post in live(state)],
    as_json=lambda state, base: [_as_json(state, post, base) for post in state.table(Post).values()],
)
