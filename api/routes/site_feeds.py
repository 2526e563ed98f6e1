"""Public pages of sites served here: HTML, RSS, JSON Feed, Markdown, images. Not part of the API."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from api.dependencies import Core
from api.limits import PAGES, by_address
from api.ranges import known_tags
from core.container import Services
from core.errors import NotFound
from core.languages import Language
from core.websites.feed_pages import pages, syndication
from core.websites.feed_storage import mime_of
from core.websites.rules.feeds import FEEDS, FeedHead
from core.websites.site_feeds import FeedGone

router = APIRouter(prefix=FEEDS, include_in_schema=False, dependencies=[by_address(PAGES)])

_NAME: Final = re.compile(r"[a-z0-9-]{1,200}")
_FILE: Final = re.compile(r"[0-9a-f-]{36}(-\d{1,4}\.webp|\.jpg)")
_NUMBER: Final = re.compile(r"[1-9]\d{0,5}")
_HTML: Final = "text/html; charset=utf-8"
# no scripts, no forms and no framing, so that pages cannot reach the web app's sign-in on this origin
_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'none'",
        f"style-src '{pages.style_hash()}'",
        "img-src 'self' https: data:",
        "connect-src 'self'",  # only for page-quality tools, which request robots.txt in the page's name
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
# readable by programs on other sites
_FOR_ALL: Final = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
# revalidated each time: a removed article disappears at once
_REVALIDATED: Final = "public, no-cache"

Drawn = tuple[FeedHead, Callable[[], bytes | str]]
"""The feed, and a function that renders the content."""


@router.get("/{address}/")
async def read_index(address: str, request: Request, services: Core, page: str = "1") -> Response:
    async def draw() -> Drawn:
        head, content = await services.feeds.index(address, _number(page))
        return head, lambda: pages.index(head, content)

    return await _read(request, services, address, draw, _HTML)


@router.get("/{address}/rss.xml")
async def read_rss(address: str, request: Request, services: Core) -> Response:
    async def draw() -> Drawn:
        head, content = await services.feeds.newest(address)
        return head, lambda: syndication.rss(head, content)

    return await _read(request, services, address, draw, "application/rss+xml; charset=utf-8", _FOR_ALL)


@router.get("/{address}/feed.json")
async def read_json_feed(address: str, request: Request, services: Core, page: str = "1") -> Response:
    async def draw() -> Drawn:
        head, content = await services.feeds.newest(address, _number(page))
        return head, lambda: syndication.json_feed(head, content)

    return await _read(request, services, address, draw, "application/feed+json; charset=utf-8", _FOR_ALL)


@router.get("/{address}/sitemap.xml")
async def read_sitemap(address: str, request: Request, services: Core) -> Response:
    async def draw() -> Drawn:
        head, lines = await services.feeds.all(address)
        return head, lambda: syndication.sitemap(head, lines)

    return await _read(request, services, address, draw, "application/xml; charset=utf-8")


@router.get("/{address}/{slug}.md")
async def read_markdown(address: str, slug: str, request: Request, services: Core) -> Response:
    async def draw() -> Drawn:
        head, entry, _ = await services.feeds.entry(address, _named(slug))
        return head, lambda: syndication.markdown_file(head, entry)

    # search engines are to list the page
    page = {"Link": f'<{services.settings.public_url}{FEEDS}/{address}/{slug}/>; rel="canonical"'}
    more = _FOR_ALL | page if _NAME.fullmatch(slug) else _FOR_ALL
    return await _read(request, services, address, draw, "text/markdown; charset=utf-8", more)


@router.get("/{address}/{slug}/")
async def read_article_page(address: str, slug: str, request: Request, services: Core) -> Response:
    async def draw() -> Drawn:
        head, entry, around = await services.feeds.entry(address, _named(slug))
        return head, lambda: pages.article(head, entry, around.older, around.newer)

    return await _read(request, services, address, draw, _HTML)


@router.get("/{address}/{slug}/{name}")
async def read_picture(address: str, slug: str, name: str, request: Request, services: Core) -> Response:
    """An image, while its article shows it."""
    tag = f'"{name}"'
    try:
        if not (_NAME.fullmatch(address) and _NAME.fullmatch(slug) and _FILE.fullmatch(name)):
            raise NotFound(what="feed_image")
        key = await services.feeds.image_key(address, slug, name)
    except NotFound as error:
        return await _not_found_page(request, services, address, error)
    headers = _FOR_ALL | {
        "Cache-Control": _REVALIDATED,
        "ETag": tag,
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    if tag in known_tags(request):
        return Response(status_code=304, headers=headers)
    return Response(await services.feeds.read_image(key), media_type=mime_of(name), headers=headers)


@router.get("/{address}")
@router.get("/{address}/{slug}")
async def find_page(request: Request, services: Core) -> Response:
    """Redirect addresses typed without a trailing slash."""
    names = list(request.path_params.values())
    if not all(_NAME.fullmatch(name) for name in names):
        return await _not_found_page(request, services, names[0], NotFound())
    return RedirectResponse(f"{FEEDS}/{'/'.join(names)}/", status_code=308)


@router.get("/{rest:path}")
async def read_nothing(rest: str, request: Request, services: Core) -> Response:
    return await _not_found_page(request, services, rest.partition("/")[0], NotFound())


async def _read(
    request: Request,
    services: Services,
    address: str,
    draw: Callable[[], Awaitable[Drawn]],
    media_type: str,
    more: Mapping[str, str] | None = None,
) -> Response:
    """Return the rendered content, or 304 if the caller's copy is current."""
    try:
        head = await services.feeds.read_head(_named(address))
        # covers everything that the content depends on, before rendering; weak, since the answer may be compressed
        made_of = f"{pages.version()} {head} {request.url.path} {request.query_params.get('page', '')}"
        tag = f'W/"{hashlib.sha256(made_of.encode()).hexdigest()[:32]}"'
        is_current = tag.removeprefix("W/") in known_tags(request)
        _, make = (head, None) if is_current else await draw()
    except NotFound as error:
        return await _not_found_page(request, services, address, error)
    headers = {
        "Cache-Control": _REVALIDATED,
        "ETag": tag,
        "Last-Modified": format_datetime(head.changed_at.astimezone(UTC), usegmt=True),
        "Content-Security-Policy": _POLICY,
        **({} if head.indexed else {"X-Robots-Tag": "noindex"}),
        **(more or {}),
    }
    if make is None or _has_it(request, head.changed_at):
        return Response(status_code=304, headers=headers)
    body = await asyncio.to_thread(make)
    return Response(body, headers=headers | {"Content-Type": media_type})


async def _not_found_page(request: Request, services: Services, address: str, why: NotFound) -> Response:
    """Return a page that reports the missing content, in the language of the feed or the caller."""
    head = await services.feeds.head(address) if _NAME.fullmatch(address) else None
    language = head.language if head else _language(request)
    is_removed = isinstance(why, FeedGone)
    page = pages.missing(language, removed=is_removed, to=head.url if head else "")
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY, "Content-Type": _HTML}
    return Response(page, 410 if is_removed else 404, headers)


def _named(text: str) -> str:
    """Raise NotFound if this cannot be a name."""
    if not _NAME.fullmatch(text):
        raise NotFound(what="feed")
    return text


def _number(page: str) -> int:
    if not _NUMBER.fullmatch(page):
        raise NotFound(what="feed_page")
    return int(page)


def _has_it(request: Request, changed_at: datetime) -> bool:
    """Return whether the caller's copy is current, by `*` or by its date."""
    if tags := known_tags(request):
        return "*" in tags
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except (ValueError, OverflowError):  # also for a year of twenty digits
        return False
    return changed_at.replace(microsecond=0) <= (since if since.tzinfo else since.replace(tzinfo=UTC))


def _language(request: Request) -> Language:
    """Return the first supported language that the request names."""
    languages = re.findall(rf"\b({'|'.join(Language)})\b", request.headers.get("accept-language", "").lower())
    return Language(languages[0]) if languages else Language.en
