"""A feed of thirty items with a new one each minute, and the pages of its items. Nothing is stored: the clock says what
there is. `?every=` sets other seconds, `?format=` atom or json instead of RSS.

With `?clock=NAME` the feed has a clock of its own, which stands still and is moved by POST /sandbox/feed/clocks/NAME
with {"seconds": 60}."""

import time
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Annotated, Final
from xml.sax.saxutils import escape

from fastapi import APIRouter, Body
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.http import origin

ITEMS: Final = 30
_EVERY: Final = 60
_SUBJECTS: Final = ("brakes in the rain", "a lock that lasts", "lights at night", "tyres for winter", "a quiet chain")


def routes() -> APIRouter:
    router = APIRouter()
    clocks: dict[str, float] = {}
    """The time of each clock that stands still, by its name."""

    def now(clock: str | None) -> float:
        return time.time() if clock is None else clocks.setdefault(clock, time.time())

    @router.get("/sandbox/feed")
    async def feed(request: Request) -> Response:
        every = _seconds(request.query_params.get("every", ""))
        newest = int(now(request.query_params.get("clock"))) // every
        etag = f'"{every}-{newest}"'
        headers = {"ETag": etag, "Cache-Control": f"max-age={every}"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        numbers, base = range(newest, newest - ITEMS, -1), f"{origin(request)}/sandbox/feed"
        match request.query_params.get("format", "rss"):
            case "json":
                return JSONResponse(_json(numbers, every, base), headers=headers, media_type="application/feed+json")
            case "atom":
                return Response(_atom(numbers, every, base), headers=headers, media_type="application/atom+xml")
            case _:
                return Response(_rss(numbers, every, base), headers=headers, media_type="application/rss+xml")

    @router.post("/sandbox/feed/clocks/{name}")
    async def move_clock(name: str, seconds: Annotated[int, Body(embed=True, gt=0)]) -> Response:
        clocks[name] = now(name) + seconds
        return Response(status_code=204)

    @router.get("/sandbox/feed/page")
    async def page() -> Response:
        link = '<link rel="alternate" type="application/rss+xml" href="/sandbox/feed">'
        return HTMLResponse(f"<html><head><title>Bicycle news</title>{link}</head><body>News.</body></html>")

    @router.get("/sandbox/feed/items/{number}")
    async def item(number: int) -> Response:
        text = "".join(f"<p>{_sentence(number)} This is paragraph {part} of the page.</p>" for part in range(1, 6))
        head, menu = f"<head><title>{_title(number)}</title></head>", "<nav>Home Shop</nav>"
        main = f"<main><h1>{_title(number)}</h1>{text}</main>"
        return HTMLResponse(f"<html>{head}<body>{menu}{main}<footer>Imprint</footer></body></html>")

    return router


def _seconds(typed: str) -> int:
    return int(typed) if typed.isascii() and typed.isdecimal() and 0 < int(typed) < 86_400 else _EVERY


def _title(number: int) -> str:
    return f"Report {number}: {_SUBJECTS[number % len(_SUBJECTS)]}"


def _sentence(number: int) -> str:
    return f"A workshop reports what it has learnt about {_SUBJECTS[number % len(_SUBJECTS)]}."


def _moment(number: int, every: int) -> datetime:
    return datetime.fromtimestamp(number * every, UTC)


def _rss(numbers: range, every: int, base: str) -> str:
    items = "".join(
        f'<item><title>{escape(_title(number))}</title><guid isPermaLink="false">{every}-{number}</guid>'
        f"<link>{base}/items/{number}</link><description>{escape(_sentence(number))}</description>"
        f"<pubDate>{format_datetime(_moment(number, every))}</pubDate></item>"
        for number in numbers
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Bicycle news</title>'
        f"<link>{base}/page</link><description>Sandbox</description>{items}</channel></rss>"
    )


def _atom(numbers: range, every: int, base: str) -> str:
    entries = "".join(
        f"<entry><title>{escape(_title(number))}</title><id>urn:sandbox:{every}-{number}</id>"
        f'<link href="{base}/items/{number}"/><summary>{escape(_sentence(number))}</summary>'
        f"<updated>{_moment(number, every).isoformat()}</updated></entry>"
        for number in numbers
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Bicycle news</title>'
        f"<id>{base}</id>{entries}</feed>"
    )


def _json(numbers: range, every: int, base: str) -> dict[str, object]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Bicycle news",
        "items": [
            {
                "id": f"{every}-{number}",
                "url": f"{base}/items/{number}",
                "title": _title(number),
                "content_text": _sentence(number),
                "date_published": _moment(number, every).isoformat(),
            }
            for number in numbers
        ],
    }
