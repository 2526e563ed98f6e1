"""Stand-in for a WordPress site: the articles of its REST API with the real errors, and as readers see them."""

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, picture_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.http import origin
from sandbox.pages import cards_page, iso, missing_page
from sandbox.people import PEOPLE, Person
from sandbox.sites import article_page, excerpt, plain, slug, unique_slug
from sandbox.state import State
from sandbox.texts import Text
from sandbox.wordpress_consent import PATH as CONSENT
from sandbox.wordpress_login import (
    ROLES,
    capabilities,
    number_of,
    password_of,
    person_of,
    read_me,
    read_password,
    remove_password,
    respond,
)
from sandbox.wordpress_media import add_media, change_media, list_media
from sandbox.wordpress_problems import PLAIN, refuse
from sandbox.wordpress_requests import read_body, respond_with_page
from sandbox.wordpress_tables import Article, Media, Tag, taken_slugs
from sandbox.wordpress_terms import add_tag, categories, list_categories, list_tags

STATUSES = {"publish", "future", "draft", "pending", "private"}
SCHEDULED_SECONDS = 60
"""With a date this far ahead, WordPress schedules an article instead of publishing it."""
UNPUBLISHED = {"draft", "pending", "auto-draft"}


def read_index(request: Request, state: State) -> Response:
    base = origin(request)
    methods = {"application-passwords": {"endpoints": {"authorization": f"{base}{CONSENT}"}}}
    facts = {
        "name": "Sandbox Times",
        "url": base,
        "home": base,
        # a string, as PHP returns a numeric option
        "gmt_offset": str((datetime.now(_zone(state)).utcoffset() or timedelta(0)) / timedelta(hours=1)),
        "timezone_string": state.settings.wordpress_time_zone,
        "namespaces": ["oembed/1.0", "wp/v2"],
        # PHP encodes an empty object as a list
        "authentication": methods if state.settings.wordpress_passwords else [],
    }
    return respond(request, facts)


# Articles


def _check_text(body: dict[str, Any], name: str, before: str) -> str:
    value = body.get(name, before)
    value = value.get("raw", before) if isinstance(value, dict) else value
    if not isinstance(value, str):
        raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}")
    return value


def _check_ids(body: dict[str, Any], name: str, before: list[int], known: set[int] | None) -> list[int]:
    """Return a list of ids. Raise Refusal for an unknown one; `known` None: any is allowed."""
    value = body.get(name, before)
    if not isinstance(value, list) or not all(type(one) is int and (known is None or one in known) for one in value):
        raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}")
    return value


def _apply(state: State, article: Article, body: dict[str, Any], person: Person) -> Article:
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
    dated = _date(state, article, body)
    if status in {"publish", "future"}:
        now = time.time()
        dated = now + state.settings.wordpress_dates_ahead if dated is None else dated
        status = "future" if dated - now >= SCHEDULED_SECONDS else "publish"
    article = replace(
        article,
        title=_check_text(body, "title", article.title),
        content=_check_text(body, "content", article.content),
        excerpt=_check_text(body, "excerpt", article.excerpt),
        slug=slug(_check_text(body, "slug", article.slug)),
        status=status,
        dated_at=dated,
        featured_media=picture,
        # unknown categories are silently dropped
        categories=[one for one in _check_ids(body, "categories", article.categories, None) if one in categories(state)]
        or [1],
        tags=_check_ids(body, "tags", article.tags, {one.id for one in state.table(Tag).values()}),
    )
    if not (article.title or article.content or article.excerpt):
        raise refuse(400, "empty_content", "Content, title, and excerpt are empty.")
    if status in UNPUBLISHED:  # a draft may have the slug of another article
        return article
    wanted = article.slug or slug(article.title)
    return replace(article, slug=unique_slug(wanted, taken_slugs(state, article.id)))


def _date(state: State, article: Article, body: dict[str, Any]) -> float | None:
    """Return the date as epoch seconds, from the site's zone or UTC; null removes it."""
    for name, zone in (("date", _zone(state)), ("date_gmt", UTC)):
        if name in body and body[name] is None:
            return None
        if name in body:
            try:
                date = datetime.fromisoformat(body[name])
            except (TypeError, ValueError):
                raise refuse(400, "rest_invalid_param", f"Invalid parameter(s): {name}") from None
            return (date if date.tzinfo else date.replace(tzinfo=zone)).timestamp()
    return article.dated_at


def _zone(state: State) -> ZoneInfo:
    return ZoneInfo(state.settings.wordpress_time_zone)


def _publish_due(state: State) -> None:
    """Publish scheduled articles that are due, as WordPress's cron does."""
    for one in list(state.table(Article).values()):
        if one.status == "future" and one.dated_at is not None and one.dated_at <= time.time():
            free = unique_slug(one.slug, taken_slugs(state, one.id))
            state.save(replace(one, status="publish", slug=free, published_at=one.dated_at, arrived_at=one.dated_at))


async def add_post(request: Request, state: State) -> Response:
    person, body = person_of(request, state, "edit_posts", "rest_cannot_create"), await read_body(request)
    if "id" in body:
        raise refuse(400, "rest_post_exists", "Cannot create existing post.")
    now = time.time()
    empty = Article(state.new_number(), person.sub, "", "", "", "", "draft", 0, [], [], now, 0.0)
    return _save(request, state, empty, _apply(state, empty, body, person), 201)


async def change_post(request: Request, state: State, number: str) -> Response:
    person, body = person_of(request, state), await read_body(request)
    found = _article_of(state, number)
    may = capabilities(person)
    others = found.person != person.sub and "edit_others_posts" not in may
    if others or (found.status not in UNPUBLISHED and "edit_published_posts" not in may):
        raise refuse(403, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
    return _save(request, state, found, _apply(state, found, body, person), 200)


def _save(request: Request, state: State, before: Article, after: Article, status: int) -> Response:
    if after.status == "publish" and before.status != "publish":
        now = time.time()
        after = replace(after, published_at=now, arrived_at=arrived_at(request))
    state.save(replace(after, status="trash") if has_fault(request, FaultKind.vanish) else after)
    shown = _row(after, request, state)
    if has_fault(request, FaultKind.no_id):
        del shown["id"]
    return respond(request, shown, status)


def _article_of(state: State, number: str) -> Article:
    found = state.table(Article).get(number)
    if found is None or found.status == "deleted":
        raise refuse(404, "rest_post_invalid_id", "Invalid post ID.")
    return found


def read_post(request: Request, state: State, number: str) -> Response:
    found, password = _article_of(state, number), password_of(request, state)
    if found.status != "publish" and password is None:
        raise refuse(401, "rest_forbidden", "Sorry, you are not allowed to do that.")
    return respond(request, _row(found, request, state))


def list_posts(request: Request, state: State) -> Response:
    password, query = password_of(request, state), request.query_params
    statuses = set(query.get("status", "publish").split(","))
    if not statuses <= STATUSES or (statuses != {"publish"} and password is None):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): status")
    if query.get("context") == "edit" and password is None:
        raise refuse(401, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.")
    found = [
        one
        for one in reversed(state.table(Article).values())
        if one.status in statuses and query.get("slug") in (None, one.slug)
    ]
    return respond_with_page(request, [_row(one, request, state) for one in found])


def delete_post(request: Request, state: State, number: str) -> Response:
    person, found = person_of(request, state), _article_of(state, number)
    may = capabilities(person)
    others = found.person != person.sub and "delete_others_posts" not in may
    if others or "delete_published_posts" not in may:
        raise refuse(403, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.")
    if request.query_params.get("force") in ("true", "1"):
        state.save(replace(found, status="deleted"))
        return JSONResponse({"deleted": True, "previous": _row(found, request, state)})
    if not state.settings.wordpress_bin:
        reason = "The post does not support trashing. Set 'force=true' to delete."
        raise refuse(501, "rest_trash_not_supported", reason)
    if found.status == "trash":
        raise refuse(410, "rest_already_trashed", "The post has already been deleted.")
    state.save(replace(found, status="trash"))
    return respond(request, _row(replace(found, status="trash"), request, state))


def _link(article: Article, base: str) -> str:
    return f"{base}/blog/{article.slug}/" if article.status == "publish" else f"{base}/?p={article.id}"


def _row(article: Article, request: Request, state: State) -> dict[str, Any]:
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
        value = getattr(article, name)
        shown[name] = {"rendered": value, **({"raw": value} if raw else {})}
    return shown


Handler = Callable[..., Response | Awaitable[Response]]
HANDLERS: tuple[tuple[str, re.Pattern[str], Handler], ...] = tuple(
    (method, re.compile(route), handler)
    for method, route, handler in (
        ("GET", "/", read_index),
        ("GET", "/wp/v2/users/me", read_me),
        ("GET", "/wp/v2/users/me/application-passwords/introspect", read_password),
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
        return missing_page(Text.of(request))
    _publish_due(state)
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
        return _page(state, Text.of(request), found)

    @router.get("/wp-admin/edit.php")
    async def all_posts(request: Request) -> Response:
        """All articles and user names: there is no sign-in here."""
        text = Text.of(request)
        rows = "".join(
            f"<li><strong>{name}</strong> <span>{text.escape(PEOPLE[name].name)} · {role}</span></li>"
            for name, role in ROLES.items()
        )
        above = f'<p>{text("wordpress_intro")}</p><ul class="rows">{rows}</ul>'
        return cards_page(text, text("wordpress"), [_card(state, one) for one in live(state)], above)

    return router


def numbered_page(state: State, text: Text, number: str) -> Response:
    """Return an article's page at `?p=ID`, its address before publication or without pretty permalinks."""
    found = state.table(Article).get(number)
    return _page(state, text, found if found and found.status == "publish" else None)


def live(state: State) -> list[Article]:
    """Return the published articles, newest first."""
    seen = [one for one in state.table(Article).values() if one.status == "publish"]
    return sorted(seen, key=lambda one: one.published_at or 0, reverse=True)


def _picture(state: State, article: Article) -> Media | None:
    return state.table(Media).get(str(article.featured_media)) if article.featured_media else None


def _image(state: State, article: Article) -> str:
    picture = _picture(state, article)
    return image_grid([(image_path(picture.image), picture.alt)] if picture else [])


def _page(state: State, text: Text, article: Article | None) -> Response:
    if article is None:
        return missing_page(text)
    tags = state.table(Tag)
    return article_page(
        text,
        article.title,
        author=PEOPLE[article.person].name,
        at=article.published_at or 0,
        above=_image(state, article),
        markup=article.content,
        tags=[tags[str(one)].name for one in article.tags if str(one) in tags],
    )


def _card(state: State, article: Article) -> str:
    person = PEOPLE[article.person]
    return card(
        author=person.name,
        picture=picture_of(person.sub),
        permalink=f"/blog/{article.slug}/",
        at=article.published_at or 0,
        notes=["WordPress"],
        body=excerpt(article.title, article.content, _image(state, article)),
    )


def _as_json(state: State, article: Article, base: str) -> dict[str, Any]:
    picture = _picture(state, article)
    address = base + image_path(picture.image) if picture else ""
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
    cards=lambda state, _: [(one.published_at or 0, _card(state, one)) for one in live(state)],
    as_json=lambda state, base: [
        _as_json(state, one, base) for one in state.table(Article).values() if one.published_at is not None
    ],
    drafts=lambda state: [(one.key, one.slug) for one in state.table(Article).values() if one.status in UNPUBLISHED],
)
