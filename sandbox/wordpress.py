"""Stand-in for a WordPress site: its REST API with the real errors, and its articles as readers see them."""

import asyncio
import hashlib
import html
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import ARRIVED_AT, FAULT, PLAIN, Fault, FaultKind
from sandbox.linkedin import origin
from sandbox.networks import Network
from sandbox.pages import Text, iso, language, missing, moment, page
from sandbox.pictures import inspect
from sandbox.state import PEOPLE, Image, Person, State
from sandbox.wordpress_consent import PATH as CONSENT
from sandbox.wordpress_login import (
    ROLES,
    capabilities,
    chosen,
    introspect,
    me,
    number_of,
    password_of,
    person_of,
    remove_password,
    told,
)
from sandbox.wordpress_problems import refuse, wordpress_problem

STATUSES = {"publish", "future", "draft", "pending", "private"}
A_MINUTE = 60
"""Seconds; with a date this far ahead, WordPress schedules an article instead of publishing it."""
UNSEEN = {"draft", "pending", "auto-draft"}
CATEGORIES = {1: ("Uncategorized", 0), 3: ("News", 0), 4: ("Town & country", 3)}
"""Name and parent's id by category id."""


@dataclass(frozen=True)
class Media:
    table: ClassVar[str] = "wordpress_media"
    lasting: ClassVar[bool] = False
    id: int
    person: str
    slug: str
    image: str
    alt: str = ""

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Tag:
    table: ClassVar[str] = "wordpress_tags"
    lasting: ClassVar[bool] = False
    id: int
    name: str

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Article:
    """Times are epoch seconds; `published_at` None: never published. In the bin its status is `trash`."""

    table: ClassVar[str] = "wordpress_posts"
    lasting: ClassVar[bool] = False
    id: int
    person: str
    title: str
    content: str
    excerpt: str
    slug: str
    status: str
    featured_media: int
    categories: list[int]
    tags: list[int]
    created_at: float
    arrived_at: float
    published_at: float | None = None
    dated_at: float | None = None
    """The date by which WordPress decides whether it is shown; None: the time of publication."""

    @property
    def key(self) -> str:
        return str(self.id)


def index(request: Request, state: State) -> Response:
    base = origin(request)
    ways = {"application-passwords": {"endpoints": {"authorization": f"{base}{CONSENT}"}}}
    shown = {
        "name": "Sandbox Times",
        "url": base,
        "home": base,
        # a string, as PHP returns a numeric option
        "gmt_offset": str((datetime.now(_zone(state)).utcoffset() or timedelta(0)) / timedelta(hours=1)),
        "timezone_string": state.settings.wordpress_time_zone,
        "namespaces": ["oembed/1.0", "wp/v2"],
        # PHP encodes an empty object as a list
        "authentication": ways if state.settings.wordpress_passwords else [],
    }
    return told(request, shown)


# Pictures


async def add_media(request: Request, state: State) -> Response:
    person = person_of(request, state, "upload_files", "rest_cannot_create")
    data = await request.body()
    if not data:
        raise refuse(400, "rest_upload_no_data", "No data supplied.")
    if not request.headers.get("content-type"):
        raise refuse(400, "rest_upload_no_content_type", "No Content-Type supplied.")
    disposition = request.headers.get("content-disposition", "")
    if not disposition:
        raise refuse(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.")
    named = re.fullmatch(r'attachment;\s*filename="?([\w. -]+)"?', disposition)
    if named is None:
        raise refuse(400, "rest_upload_invalid_disposition", "Invalid Content-Disposition supplied.")
    digest = request.headers.get("content-md5")
    if digest is not None and digest.strip() != hashlib.md5(data, usedforsecurity=False).hexdigest():
        raise refuse(412, "rest_upload_hash_mismatch", "Content hash did not match expected.")
    image = Image(str(state.new_number()), person.sub, 0.0)
    media_type = await asyncio.to_thread(_kept, state, image, data)
    state.add_image(replace(image, media_type=media_type, uploaded_at=time.time()))
    made = Media(int(image.id), person.sub, _unique(state, _slug(named[1].rpartition(".")[0] or named[1])), image.id)
    state.keep(made)
    fault: Fault | None = request.scope.get(FAULT)
    if fault is not None and fault.kind is FaultKind.processing_failed:  # the file is stored, its smaller sizes are not
        answer = wordpress_problem(500, None, "The server cannot process the image.")
        answer.headers["X-WP-Upload-Attachment-ID"] = made.key
        return answer
    return told(request, _media(made, request), 201)


def _kept(state: State, image: Image, data: bytes) -> str:
    path = state.image_file(image.id)
    path.write_bytes(data)
    try:
        with path.open("rb") as file:
            return inspect(file)[0]
    except ValueError as error:
        path.unlink()
        words = "Sorry, you are not allowed to upload this file type."
        raise refuse(500, "rest_upload_unknown_error", words) from error


async def change_media(request: Request, state: State, number: str) -> Response:
    person = person_of(request, state)
    found = state.table(Media).get(number)
    if found is None:
        raise refuse(404, "rest_post_invalid_id", "Invalid post ID.")
    if found.person != person.sub and "edit_others_posts" not in capabilities(person):
        raise refuse(403, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
    alt = (await _given(request)).get("alt_text", found.alt)
    if not isinstance(alt, str):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): alt_text")
    state.keep(replace(found, alt=alt))
    return told(request, _media(replace(found, alt=alt), request))


def list_media(request: Request, state: State) -> Response:
    password_of(request, state)
    wanted, among = request.query_params.get("slug"), request.query_params.get("include", "")
    if among and not re.fullmatch(r"\d+(,\d+)*", among):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): include")
    ids = {int(one) for one in among.split(",")} if among else None
    found = [
        one
        for one in reversed(state.table(Media).values())
        if wanted in (None, one.slug) and (ids is None or one.id in ids)
    ]
    return _listed(request, [_media(one, request) for one in found])


def _media(media: Media, request: Request) -> dict[str, Any]:
    address = f"{origin(request)}/sandbox/images/{media.image}"
    return {"id": media.id, "slug": media.slug, "status": "inherit", "alt_text": media.alt, "source_url": address}


# Tags and categories


def list_tags(request: Request, state: State) -> Response:
    password_of(request, state)
    words = request.query_params.get("search", "").lower()
    return _listed(request, [_term(one.id, one.name) for one in state.table(Tag).values() if words in one.name.lower()])


async def add_tag(request: Request, state: State) -> Response:
    person_of(request, state, "edit_posts", "rest_cannot_create")
    name = (await _given(request)).get("name")
    if not isinstance(name, str) or not name.strip():
        raise refuse(400, "rest_missing_callback_param", "Missing parameter(s): name")
    for one in state.table(Tag).values():
        if one.name.lower() == name.strip().lower():
            words = "A term with the name provided already exists in this taxonomy."
            raise refuse(400, "term_exists", words, term_id=one.id)
    made = Tag(state.new_number(), name.strip())
    state.keep(made)
    return told(request, _term(made.id, made.name), 201)


def list_categories(request: Request, state: State) -> Response:
    password_of(request, state)
    return _listed(
        request,
        [_term(number, name) | {"parent": parent} for number, (name, parent) in _categories(state).items()],
    )


def _categories(state: State) -> dict[int, tuple[str, int]]:
    """Return the categories, with those that a test adds and without the deleted one."""
    more = {1000 + at: (f"Topic {at}", 0) for at in range(state.settings.wordpress_more_categories)}
    gone = state.settings.wordpress_gone_category
    return {number: one for number, one in (CATEGORIES | more).items() if number != gone}


def _term(number: int, name: str) -> dict[str, Any]:
    # WordPress stores names escaped
    return {"id": number, "name": html.escape(name, quote=False), "slug": _slug(name)}


# Articles


async def _given(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "rest_invalid_json", "Invalid JSON body passed.") from error
    return body if isinstance(body, dict) else {}


def _words(body: dict[str, Any], name: str, before: str) -> str:
    value = body.get(name, before)
    value = value.get("raw", before) if isinstance(value, dict) else value
    if not isinstance(value, str):
        raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}")
    return value


def _numbers(body: dict[str, Any], name: str, before: list[int], known: set[int] | None) -> list[int]:
    """Return a list of ids. Raise Refusal for an unknown one; `known` None: any is allowed."""
    value = body.get(name, before)
    if not isinstance(value, list) or not all(type(one) is int and (known is None or one in known) for one in value):
        raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}")
    return value


def _changed(state: State, article: Article, body: dict[str, Any], person: Person) -> Article:
    """Return the article with the body's changes. Raise Refusal before storing anything."""
    status = body.get("status", article.status)
    if status not in STATUSES and status != article.status:
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): status")
    if status in {"publish", "future", "private"} and "publish_posts" not in capabilities(person):
        raise refuse(403, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type.")
    picture = body.get("featured_media", article.featured_media)
    if type(picture) is not int or (picture and str(picture) not in state.table(Media)):
        raise refuse(400, "rest_invalid_featured_media", "Invalid featured media ID.")
    if status == "publish" and article.status != "publish" and state.settings.wordpress_reviews:
        status = "pending"
    dated = _dated(state, article, body)
    if status in {"publish", "future"}:
        now = time.time()
        dated = now + state.settings.wordpress_dates_ahead if dated is None else dated
        status = "future" if dated - now >= A_MINUTE else "publish"
    article = replace(
        article,
        title=_words(body, "title", article.title),
        content=_words(body, "content", article.content),
        excerpt=_words(body, "excerpt", article.excerpt),
        slug=_slug(_words(body, "slug", article.slug)),
        status=status,
        dated_at=dated,
        featured_media=picture,
        # unknown categories are silently dropped
        categories=[one for one in _numbers(body, "categories", article.categories, None) if one in _categories(state)]
        or [1],
        tags=_numbers(body, "tags", article.tags, {one.id for one in state.table(Tag).values()}),
    )
    if not (article.title or article.content or article.excerpt):
        raise refuse(400, "empty_content", "Content, title, and excerpt are empty.")
    if status in UNSEEN:  # a draft may have the slug of another article
        return article
    return replace(article, slug=_unique(state, article.slug or _slug(article.title), article.id))


def _dated(state: State, article: Article, body: dict[str, Any]) -> float | None:
    """Return the date as epoch seconds, from the site's zone or UTC; null removes it."""
    for name, zone in (("date", _zone(state)), ("date_gmt", UTC)):
        if name in body and body[name] is None:
            return None
        if name in body:
            try:
                told = datetime.fromisoformat(body[name])
            except (TypeError, ValueError):
                raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}") from None
            return (told if told.tzinfo else told.replace(tzinfo=zone)).timestamp()
    return article.dated_at


def _zone(state: State) -> ZoneInfo:
    return ZoneInfo(state.settings.wordpress_time_zone)


def _show_what_is_due(state: State) -> None:
    """Publish scheduled articles that are due, as WordPress's cron does."""
    for one in list(state.table(Article).values()):
        if one.status == "future" and one.dated_at is not None and one.dated_at <= time.time():
            slug = _unique(state, one.slug, one.id)
            state.keep(replace(one, status="publish", slug=slug, published_at=one.dated_at, arrived_at=one.dated_at))


async def add_post(request: Request, state: State) -> Response:
    person, body = person_of(request, state, "edit_posts", "rest_cannot_create"), await _given(request)
    if "id" in body:
        raise refuse(400, "rest_post_exists", "Cannot create existing post.")
    now = time.time()
    empty = Article(state.new_number(), person.sub, "", "", "", "", "draft", 0, [], [], now, 0.0)
    return _kept_article(request, state, empty, _changed(state, empty, body, person), 201)


async def change_post(request: Request, state: State, number: str) -> Response:
    person, body = person_of(request, state), await _given(request)
    found = _wanted(state, number)
    may = capabilities(person)
    others = found.person != person.sub and "edit_others_posts" not in may
    if others or (found.status not in UNSEEN and "edit_published_posts" not in may):
        raise refuse(403, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
    return _kept_article(request, state, found, _changed(state, found, body, person), 200)


def _kept_article(request: Request, state: State, before: Article, after: Article, status: int) -> Response:
    if after.status == "publish" and before.status != "publish":
        now = time.time()
        after = replace(after, published_at=now, arrived_at=request.scope.get(ARRIVED_AT, now))
    fault: Fault | None = request.scope.get(FAULT)
    vanishes = fault is not None and fault.kind is FaultKind.vanish
    state.keep(replace(after, status="trash") if vanishes else after)
    shown = _article(after, request, state)
    if fault is not None and fault.kind is FaultKind.no_id:
        del shown["id"]
    return told(request, shown, status)


def _wanted(state: State, number: str) -> Article:
    found = state.table(Article).get(number)
    if found is None or found.status == "deleted":
        raise refuse(404, "rest_post_invalid_id", "Invalid post ID.")
    return found


def read_post(request: Request, state: State, number: str) -> Response:
    found, kept = _wanted(state, number), password_of(request, state)
    if found.status != "publish" and kept is None:
        raise refuse(401, "rest_forbidden", "Sorry, you are not allowed to do that.")
    return told(request, _article(found, request, state))


def list_posts(request: Request, state: State) -> Response:
    kept, query = password_of(request, state), request.query_params
    statuses = set(query.get("status", "publish").split(","))
    if not statuses <= STATUSES or (statuses != {"publish"} and kept is None):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): status")
    if query.get("context") == "edit" and kept is None:
        raise refuse(401, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.")
    found = [
        one
        for one in reversed(state.table(Article).values())
        if one.status in statuses and query.get("slug") in (None, one.slug)
    ]
    return _listed(request, [_article(one, request, state) for one in found])


def delete_post(request: Request, state: State, number: str) -> Response:
    person, found = person_of(request, state), _wanted(state, number)
    may = capabilities(person)
    others = found.person != person.sub and "delete_others_posts" not in may
    if others or "delete_published_posts" not in may:
        raise refuse(403, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.")
    if request.query_params.get("force") in ("true", "1"):
        state.keep(replace(found, status="deleted"))
        return JSONResponse({"deleted": True, "previous": _article(found, request, state)})
    if not state.settings.wordpress_bin:
        words = "The post does not support trashing. Set 'force=true' to delete."
        raise refuse(501, "rest_trash_not_supported", words)
    if found.status == "trash":
        raise refuse(410, "rest_already_trashed", "The post has already been deleted.")
    state.keep(replace(found, status="trash"))
    return told(request, _article(replace(found, status="trash"), request, state))


def _slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def _unique(state: State, slug: str, own: int = 0) -> str:
    """Return a slug that no picture and no other published article has."""
    taken = {one.slug for one in state.table(Media).values()}
    taken |= {one.slug for one in state.table(Article).values() if one.status == "publish" and one.id != own}
    free, count = slug, 1
    while free in taken:
        count += 1
        free = f"{slug}-{count}"
    return free


def _link(article: Article, base: str) -> str:
    return f"{base}/blog/{article.slug}/" if article.status == "publish" else f"{base}/?p={article.id}"


def _article(article: Article, request: Request, state: State) -> dict[str, Any]:
    date = datetime.fromtimestamp(article.dated_at or article.created_at, UTC)
    shown: dict[str, Any] = {
        "id": article.id,
        # neither date contains its zone
        "date": date.astimezone(_zone(state)).replace(tzinfo=None).isoformat(timespec="seconds"),
        "date_gmt": date.replace(tzinfo=None).isoformat(timespec="seconds"),
        "slug": article.slug,
        "status": article.status,
        "link": _link(article, origin(request)),
        "author": number_of(PEOPLE[article.person]),
        "featured_media": article.featured_media,
        "categories": article.categories,
        "tags": article.tags,
    }
    # responses to changes always have the edit context
    raw = request.method != "GET" or request.query_params.get("context") == "edit"
    for name in ("title", "content", "excerpt"):
        words = getattr(article, name)
        shown[name] = {"rendered": words, **({"raw": words} if raw else {})}
    return shown


# Answers


def _listed(request: Request, rows: list[dict[str, Any]]) -> Response:
    count, at = request.query_params.get("per_page", "10"), request.query_params.get("page", "1")
    if not count.isdecimal() or not 1 <= int(count) <= 100 or not at.isdecimal() or int(at) < 1:
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): per_page")
    pages = -(-len(rows) // int(count))
    if int(at) > max(pages, 1):
        raise refuse(400, "rest_post_invalid_page_number", "The page number is larger than the number of pages.")
    shown = rows[(int(at) - 1) * int(count) : int(at) * int(count)]
    headers = {"X-WP-Total": str(len(rows)), "X-WP-TotalPages": str(pages)}
    return JSONResponse([chosen(request, one) for one in shown], headers=headers)


Handler = Callable[..., Response | Awaitable[Response]]
HANDLERS: tuple[tuple[str, re.Pattern[str], Handler], ...] = tuple(
    (method, re.compile(route), handler)
    for method, route, handler in (
        ("GET", "/", index),
        ("GET", "/wp/v2/users/me", me),
        ("GET", "/wp/v2/users/me/application-passwords/introspect", introspect),
        ("DELETE", r"/wp/v2/users/me/application-passwords/([\w-]+)", remove_password),
        ("GET", "/wp/v2/media", list_media),
        ("POST", "/wp/v2/media", add_media),
        ("POST", r"/wp/v2/media/(\d+)", change_media),
        ("GET", "/wp/v2/tags", list_tags),
        ("POST", "/wp/v2/tags", add_tag),
        ("GET", "/wp/v2/categories", list_categories),
        ("GET", "/wp/v2/posts", list_posts),
        ("POST", "/wp/v2/posts", add_post),
        ("GET", r"/wp/v2/posts/(\d+)", read_post),
        ("POST", r"/wp/v2/posts/(\d+)", change_post),
        ("DELETE", r"/wp/v2/posts/(\d+)", delete_post),
    )
)


async def _answer(request: Request, state: State, route: str) -> Response:
    if state.settings.wordpress_redirects:
        return RedirectResponse(state.settings.wordpress_redirects, 301)
    if state.settings.wordpress_maintenance:
        return HTMLResponse("<!doctype html><title>Soon</title><h1>We are back in a minute</h1>")
    if state.settings.wordpress_plain and not request.scope.get(PLAIN):
        return missing(Text(language(request)))
    _show_what_is_due(state)
    if state.settings.wordpress_rest:
        for method, pattern, handler in HANDLERS:
            if method == request.method and (found := pattern.fullmatch(route)):
                answer = handler(request, state, *found.groups())
                return answer if isinstance(answer, Response) else await answer
    raise refuse(404, "rest_no_route", "No route was found matching the URL and request method.")


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.api_route("/wp-json/{route:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    async def api(request: Request, route: str) -> Response:
        return await _answer(request, state, f"/{route}")

    @router.get("/wp-json")
    async def api_index() -> Response:
        return RedirectResponse("/wp-json/", 301)

    @router.get("/blog/{slug}/")
    async def permalink(request: Request, slug: str) -> Response:
        found = next((one for one in live(state) if one.slug == slug), None)
        return _shown(state, Text(language(request)), found)

    @router.get("/wp-admin/edit.php")
    async def all_posts(request: Request) -> Response:
        """All articles and user names: there is no sign-in here."""
        text = Text(language(request))
        rows = "".join(
            f"<li><strong>{name}</strong> <span>{text.escape(PEOPLE[name].name)} · {role}</span></li>"
            for name, role in ROLES.items()
        )
        cards = "".join(card(text, state, one) for one in live(state)) or f'<p class="card">{text("no_posts")}</p>'
        body = f'<h1>{text("wordpress")}</h1><p>{text("wordpress_intro")}</p><ul class="rows">{rows}</ul>{cards}'
        return HTMLResponse(page(text, text("wordpress"), body, live=True))

    return router


def by_number(state: State, text: Text, number: str) -> Response:
    """Return an article's page at `?p=ID`, its address before publication or without pretty permalinks."""
    found = state.table(Article).get(number)
    return _shown(state, text, found if found and found.status == "publish" else None)


def live(state: State) -> list[Article]:
    """Return the published articles, newest first."""
    seen = [one for one in state.table(Article).values() if one.status == "publish"]
    return sorted(seen, key=lambda one: one.published_at or 0, reverse=True)


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def _picture(state: State, article: Article) -> Media | None:
    return state.table(Media).get(str(article.featured_media)) if article.featured_media else None


def _image(text: Text, media: Media | None) -> str:
    if media is None:
        return ""
    return f'<div class="images"><img src="/sandbox/images/{media.image}" alt="{text.escape(media.alt)}"></div>'


def _shown(state: State, text: Text, article: Article | None) -> Response:
    """Return an article's page with its body as sent. A policy keeps its scripts and forms from running."""
    if article is None:
        return missing(text)
    title, author = text.escape(article.title), text.escape(PEOPLE[article.person].name)
    names = [state.table(Tag)[str(one)].name for one in article.tags if str(one) in state.table(Tag)]
    tags = " ".join(f'<span class="tag">#{text.escape(name)}</span>' for name in names)
    body = f"""<article class="card"><h1>{title}</h1><p>{author} · {moment(article.published_at or 0)}</p>
{_image(text, _picture(state, article))}<div class="body">{article.content}</div><p>{tags}</p></article>"""
    policy = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'"
    return HTMLResponse(page(text, title, body), headers={"Content-Security-Policy": policy})


def card(text: Text, state: State, article: Article) -> str:
    person = PEOPLE[article.person]
    return f"""<article class="card"><div class="author"><img src="/sandbox/pictures/{person.sub}.svg" alt="">
<div><strong>{text.escape(person.name)}</strong> <span><a href="/blog/{article.slug}/">
{moment(article.published_at or 0)}</a> · WordPress</span></div></div>
<h2>{text.escape(article.title)}</h2><p class="text">{text.escape(plain(article.content)[:600])}</p>
{_image(text, _picture(state, article))}</article>"""


def _as_json(state: State, article: Article, base: str) -> dict[str, Any]:
    picture = _picture(state, article)
    address = f"{base}/sandbox/images/{picture.image}" if picture else ""
    return {
        "id": article.key,
        "author": article.person,
        "author_name": PEOPLE[article.person].name,
        "title": article.title,
        "text": plain(article.content),
        "commentary": article.content,
        "visibility": "PUBLIC",
        "images": [{"id": picture.key, "alt_text": picture.alt, "url": address}] if picture else [],
        "article": None,
        "created_at": iso(article.published_at or 0),
        "arrived_at": article.arrived_at,
        "permalink": f"{base}/blog/{article.slug}/",
        "deleted": article.status != "publish",
    }


NETWORK = Network(
    shown=lambda state, text: [(one.published_at or 0, card(text, state, one)) for one in live(state)],
    as_json=lambda state, base: [
        _as_json(state, one, base) for one in state.table(Article).values() if one.published_at is not None
    ],
    unseen=lambda state: [(one.key, one.slug) for one in state.table(Article).values() if one.status in UNSEEN],
)
