"""Stand-in for a Ghost site: its Admin API with the real errors, and its articles as readers see them."""

import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import urlsplit
from uuid import uuid4

from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from sandbox.board_network import Network
from sandbox.cards import card, image_grid, picture_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.ghost_keys import KEYS, ROLES, GhostKey, key_of
from sandbox.ghost_problems import ghost_problem, refuse
from sandbox.http import origin
from sandbox.pages import cards_page, iso, missing_page
from sandbox.people import PEOPLE
from sandbox.pictures import inspect
from sandbox.sites import article_page, excerpt, plain, slug, unique_slug
from sandbox.state import Image, Row, State
from sandbox.texts import Text

TITLE = "Sandbox Gazette"
MAX_LENGTHS = {
    "title": 255,
    "slug": 191,
    "custom_excerpt": 300,
    "feature_image": 2000,
    "feature_image_alt": 191,
    "meta_title": 300,
    "meta_description": 500,
    "canonical_url": 2000,
}
KNOWN = {*MAX_LENGTHS, "html", "status", "tags", "updated_at"}
MAX_SLUG = 185
STATUSES = {"published", "draft", "scheduled", "sent"}
IMAGE_TYPES = {"image/jpeg", "image/png", "image/gif", "image/webp", "image/svg+xml"}
_CARD = re.compile(r"<!--kg-card-(begin|end): html-->")


@dataclass(frozen=True)
class File(Row):
    """An image; `name` is the last part of its URL."""

    table: ClassVar[str] = "ghost_files"
    name: str
    image: str

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True)
class Article(Row):
    """Times are epoch seconds, whole ones where Ghost stores whole ones; `published_at` None: never published."""

    table: ClassVar[str] = "ghost_posts"
    id: str
    uuid: str
    author: str
    title: str
    slug: str
    html: str
    status: str
    tags: list[str]
    fields: dict[str, str | None]
    created_at: float
    updated_at: int
    arrived_at: float = 0.0
    published_at: float | None = None

    @property
    def key(self) -> str:
        return self.id


def read_site(request: Request, state: State) -> Response:
    base = origin(request)
    facts = {
        "title": TITLE,
        "description": "Thoughts, stories and ideas",
        "logo": None,
        "icon": base + picture_of("mara-lind"),
        "accent_color": "#15171A",
        "url": f"{base}/",
        "version": state.settings.ghost_version,
    }
    return JSONResponse({"site": facts})


def read_me(request: Request, state: State) -> Response:
    key = key_of(request, state)
    if not key.person:
        raise refuse(404, "NotFoundError", message="User not found.")
    person = PEOPLE[key.person]
    roles = {"roles": [{"name": ROLES[person.sub]}]} if request.query_params.get("include") == "roles" else {}
    return JSONResponse({"users": [{"id": key.id, "name": person.name, "slug": person.sub, **roles}]})


# Pictures


async def upload(request: Request, state: State) -> Response:
    key = key_of(request, state)
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise refuse(422, "ValidationError", message="Please select an image.")
    async with request.form() as form:
        return await _store_upload(request, state, key, form)


async def _store_upload(request: Request, state: State, key: GhostKey, form: FormData) -> Response:
    file, purpose = form.get("file"), form.get("purpose", "image")
    if not isinstance(file, UploadFile) or not file.filename:
        raise refuse(422, "ValidationError", message="Please select an image.")
    if purpose not in ("image", "profile_image", "icon"):
        raise refuse(422, "ValidationError", message="Validation failed for purpose.")
    if file.content_type not in IMAGE_TYPES:
        raise refuse(415, message="Please select a valid image.")
    data = await file.read()
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        raise refuse(415, message="Please select a valid image.") from error
    image = Image(str(state.new_number()), key.author, media_type=media_type, uploaded_at=time.time())
    await state.store_image(image, data)
    stem, _, ending = file.filename.rpartition(".")
    name, count = file.filename, 0
    while name in state.table(File):
        count += 1
        name = f"{stem}-{count}.{ending}"
    state.save(File(name, image.id))
    if has_fault(request, FaultKind.processing_failed):  # the file is stored anyway
        return ghost_problem(500, message="Image processing failed.")
    address = f"{origin(request)}/content/images/2026/11/{name}"
    return JSONResponse({"images": [{"url": address, "ref": form.get("ref")}]}, 201)


# Articles


async def _read_post(request: Request) -> dict[str, Any]:
    if request.query_params.get("source") not in (None, "html"):
        raise refuse(422, "ValidationError", message="Validation (AllowedValues) failed for source")
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "BadRequestError", message="Unexpected token in JSON") from error
    rows = body.get("posts") if isinstance(body, dict) else None
    if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], dict):
        raise refuse(400, "BadRequestError", message="No root key ('posts') provided.")
    if unknown := set(rows[0]) - KNOWN:
        raise refuse(422, "ValidationError", message=f"Validation failed for {sorted(unknown)[0]}.")
    return rows[0]


def _check_fields(row: dict[str, Any], before: dict[str, str | None]) -> dict[str, str | None]:
    found = dict(before)
    for name, most in MAX_LENGTHS.items():
        value = row.get(name, before.get(name))
        if value is not None and (not isinstance(value, str) or len(value) > most):
            raise refuse(422, "ValidationError", message=f"Value in [posts.{name}] exceeds maximum length of {most}.")
        found[name] = value or None
    for name in ("feature_image", "canonical_url"):
        address = found[name]
        if address and urlsplit(address).scheme not in ("http", "https"):
            raise refuse(422, "ValidationError", message=f"Validation (isURL) failed for {name}")
    return found


def _check_tags(row: dict[str, Any], before: list[str]) -> list[str]:
    """Return the names of the new tags (given in the short or long form), or the present tags if none are given."""
    if "tags" not in row:
        return before
    tags = row["tags"]
    names = [one.get("name") if isinstance(one, dict) else one for one in tags] if isinstance(tags, list) else [None]
    if not all(isinstance(one, str) and 0 < len(one) <= 191 and not one.startswith(",") for one in names):
        raise refuse(422, "ValidationError", message="Validation failed for tags.")
    return list(dict.fromkeys(str(one) for one in names))


def _apply(request: Request, state: State, article: Article, row: dict[str, Any]) -> Article:
    fields = _check_fields(row, article.fields)
    title, status = fields.pop("title") or article.title, row.get("status", article.status)
    if not title:
        raise refuse(422, "ValidationError", message="Validation failed for title.")
    if status not in STATUSES:
        raise refuse(422, "ValidationError", message="Validation (isIn) failed for status")
    body = article.html
    # Ghost ignores HTML without `source=html`
    if "html" in row and request.query_params.get("source") == "html":
        body = _CARD.sub("", str(row["html"]))
    wanted = slug(fields.pop("slug", None) or article.slug or title)[:MAX_SLUG]
    taken = {one.slug for one in _all(state) if one.id != article.id}  # drafts count too
    return replace(
        article,
        title=title,
        slug=unique_slug(wanted, taken),
        html=body,
        status=status,
        tags=_check_tags(row, article.tags),
        fields=fields,
    )


async def add_post(request: Request, state: State) -> Response:
    key, row = key_of(request, state), await _read_post(request)
    now = time.time()
    empty = Article(
        secrets.token_hex(12), str(uuid4()), key.author, "", "", "", "draft", [], {}, now, int(now), arrived_at=0.0
    )
    return _save(request, state, key, empty, _apply(request, state, empty, row), 201)


async def change_post(request: Request, state: State, post_id: str) -> Response:
    key, row = key_of(request, state), await _read_post(request)
    found = _article_of(state, post_id)
    if not isinstance(row.get("updated_at"), str):
        raise refuse(422, "ValidationError", message="Validation failed for updated_at.")
    changed = _apply(request, state, found, row)
    if changed != found and row["updated_at"] != iso(found.updated_at):
        raise refuse(409, message="Saving failed! Someone else is editing this post.")
    return _save(request, state, key, found, changed, 200)


def _save(request: Request, state: State, key: GhostKey, before: Article, after: Article, status: int) -> Response:
    now = time.time()
    if after.status == "published" and before.status != "published":
        if not key.publishes:
            raise refuse(403, "NoPermissionError", message="You do not have permission to edit posts")
        after = replace(after, published_at=now, arrived_at=arrived_at(request))
    if after != before:
        after = replace(after, updated_at=int(now))
    state.save(replace(after, status="deleted") if has_fault(request, FaultKind.vanish) else after)
    shown = _row(after, request)
    if has_fault(request, FaultKind.no_id):
        del shown["id"]
    return JSONResponse({"posts": [shown]}, status)


def _article_of(state: State, post_id: str) -> Article:
    found = state.table(Article).get(post_id)
    if found is None or found.status == "deleted":
        raise refuse(404, message="Post not found.")
    return found


def read_post(request: Request, state: State, post_id: str) -> Response:
    key_of(request, state)
    return JSONResponse({"posts": [_row(_article_of(state, post_id), request)]})


def read_by_slug(request: Request, state: State, slug: str) -> Response:
    key_of(request, state)
    found = next((one for one in _all(state) if one.slug == slug), None)
    if found is None:
        raise refuse(404, message="Post not found.")
    return JSONResponse({"posts": [_row(found, request)]})


def list_posts(request: Request, state: State) -> Response:
    key_of(request, state)
    limit = request.query_params.get("limit", "15")
    if not limit.isdecimal() or int(limit) < 1:
        raise refuse(422, "ValidationError", message="Validation failed for limit")
    rows = [_row(one, request) for one in list(reversed(_all(state)))[: int(limit)]]
    wanted = request.query_params.get("fields")
    shown = [{name: row[name] for name in wanted.split(",") if name in row} for row in rows] if wanted else rows
    return JSONResponse({"posts": shown, "meta": {"pagination": {"page": 1, "limit": int(limit)}}})


def delete_post(request: Request, state: State, post_id: str) -> Response:
    key, found = key_of(request, state), _article_of(state, post_id)
    if not key.publishes:
        raise refuse(403, message="You do not have permission to destroy posts")
    state.save(replace(found, status="deleted"))
    return Response(status_code=204)


def _all(state: State) -> list[Article]:
    return [one for one in state.table(Article).values() if one.status != "deleted"]


def _address(article: Article, base: str) -> str:
    return f"{base}/journal/{article.slug}/" if article.status == "published" else f"{base}/p/{article.uuid}/"


def _row(article: Article, request: Request) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": article.id,
        "uuid": article.uuid,
        "title": article.title,
        "slug": article.slug,
        "status": article.status,
        "visibility": "public",
        "url": _address(article, origin(request)),
        "created_at": iso(article.created_at),
        "updated_at": iso(article.updated_at),
        "published_at": iso(article.published_at) if article.published_at else None,
        **article.fields,
    }
    if request.method != "GET" or "tags" in request.query_params.get("include", "").split(","):
        shown["tags"] = [
            {"name": name, "slug": slug(name.replace("#", "hash-")), "visibility": _visibility(name)}
            for name in article.tags
        ]
    formats = request.query_params.get("formats", "lexical").split(",")
    if not set(formats) <= {"html", "plaintext", "lexical", "mobiledoc"}:
        raise refuse(422, "ValidationError", message="Validation (AllowedValues) failed for formats")
    if "html" in formats:
        shown["html"] = article.html
    if "plaintext" in formats:
        shown["plaintext"] = plain(article.html)
    if "lexical" in formats:  # Ghost's storage format
        shown["lexical"] = json.dumps({"root": {"children": [], "type": "root", "version": 1}})
    return shown


def _visibility(tag: str) -> str:
    return "internal" if tag.startswith("#") else "public"


# Answers

Handler = Callable[..., Response | Awaitable[Response]]
HANDLERS: tuple[tuple[str, re.Pattern[str], Handler], ...] = tuple(
    (method, re.compile(route), handler)
    for method, route, handler in (
        ("GET", "site/", read_site),
        ("GET", "users/me/", read_me),
        ("POST", "images/upload/", upload),
        ("GET", "posts/", list_posts),
        ("POST", "posts/", add_post),
        ("GET", r"posts/slug/([\w-]+)/", read_by_slug),
        ("GET", r"posts/([0-9a-f]{24})/", read_post),
        ("PUT", r"posts/([0-9a-f]{24})/", change_post),
        ("DELETE", r"posts/([0-9a-f]{24})/", delete_post),
    )
)


async def _answer(request: Request, state: State, route: str) -> Response:
    if state.settings.ghost_maintenance:
        return ghost_problem(503, message="Ghost is currently in maintenance mode.")
    accepted = re.fullmatch(r"v(\d+)\.\d+", request.headers.get("accept-version", ""))
    if accepted is None:
        raise refuse(400, "BadRequestError", message="The sandbox needs the header Accept-Version")
    for method, pattern, handler in HANDLERS:
        if method == request.method and (found := pattern.fullmatch(route)):
            answer = handler(request, state, *found.groups())
            return answer if isinstance(answer, Response) else await answer
    own = state.settings.ghost_version.partition(".")[0]
    if accepted[1] != own:
        code = "UPDATE_GHOST" if int(accepted[1]) > int(own) else "UPDATE_CLIENT"
        raise refuse(406, "RequestNotAcceptableError", code, "Request could not be served")
    raise refuse(404, message="Resource could not be found.")


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.api_route("/ghost/api/admin/{route:path}", methods=["GET", "POST", "PUT", "DELETE"])
    async def api(request: Request, route: str) -> Response:
        return await _answer(request, state, route)

    @router.get("/content/images/2026/11/{name}")
    async def picture(name: str) -> Response:
        found = state.table(File).get(name)
        image = state.table(Image).get(found.image) if found else None
        if image is None:
            return Response(status_code=404)
        return FileResponse(state.path(image), media_type=image.media_type)

    @router.get("/journal/{slug}/")
    async def permalink(request: Request, slug: str) -> Response:
        found = next((one for one in live(state) if one.slug == slug), None)
        return _page(Text.of(request), found)

    @router.get("/ghost/")
    async def all_posts(request: Request) -> Response:
        """All articles and all keys: there is no sign-in here."""
        text = Text.of(request)
        rows = "".join(
            f"<li><strong>{text.escape(PEOPLE[key.person].name if key.person else text('ghost_integration'))}</strong> "
            f"<span>{ROLES.get(key.person, 'Admin Integration')}</span><br><code>{key}</code></li>"
            for key in KEYS.values()
        )
        above = f'<p>{text("ghost_intro")}</p><ul class="rows">{rows}</ul>'
        return cards_page(text, text("ghost"), map(_card, live(state)), above)

    return router


def live(state: State) -> list[Article]:
    """Return the published articles, newest first."""
    seen = [one for one in _all(state) if one.status == "published"]
    return sorted(seen, key=lambda one: one.published_at or 0, reverse=True)


def _image(article: Article) -> str:
    source = article.fields.get("feature_image")
    return image_grid([(source, article.fields.get("feature_image_alt") or "")] if source else [])


def _page(text: Text, article: Article | None) -> Response:
    if article is None:
        return missing_page(text)
    summary = article.fields.get("custom_excerpt")
    return article_page(
        text,
        article.title,
        author=PEOPLE[article.author].name,
        at=article.published_at or 0,
        above=(f'<p class="text">{text.escape(summary)}</p>' if summary else "") + _image(article),
        markup=article.html,
        tags=[name for name in article.tags if _visibility(name) == "public"],
    )


def _card(article: Article) -> str:
    person = PEOPLE[article.author]
    return card(
        author=person.name,
        picture=picture_of(person.sub),
        permalink=f"/journal/{article.slug}/",
        at=article.published_at or 0,
        notes=["Ghost"],
        body=excerpt(article.title, article.html, _image(article)),
    )


def _as_json(article: Article, base: str) -> dict[str, Any]:
    source = article.fields.get("feature_image")
    alt = article.fields.get("feature_image_alt") or ""
    return {
        "id": article.id,
        "author": article.author,
        "author_name": PEOPLE[article.author].name,
        "title": article.title,
        "text": plain(article.html),
        "commentary": article.html,
        "visibility": "PUBLIC",
        "images": [{"id": source, "alt_text": alt, "url": source}] if source else [],
        "article": None,
        "created_at": iso(article.published_at or 0),
        "arrived_at": article.arrived_at,
        "permalink": f"{base}/journal/{article.slug}/",
        "deleted": article.status != "published",
        "fields": article.fields,
        "tags": article.tags,
    }


NETWORK = Network(
    cards=lambda state, _: [(one.published_at or 0, _card(one)) for one in live(state)],
    as_json=lambda state, base: [
        _as_json(one, base) for one in state.table(Article).values() if one.published_at is not None
    ],
    drafts=lambda state: [(one.id, one.slug) for one in _all(state) if one.status == "draft"],
)
