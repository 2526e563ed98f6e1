"""A strict receiver of webhooks (Standard Webhooks), and the site that shows the received articles."""

import asyncio
import base64
import binascii
import hashlib
import hmac
import html
import json
import re
import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import ARRIVED_AT, FAULT, Fault, FaultKind
from sandbox.fetching import NotNow, fetched
from sandbox.linkedin import origin
from sandbox.networks import Network
from sandbox.pages import Text, iso, language, missing, moment, page
from sandbox.pictures import inspect
from sandbox.state import Image, State

SECRET = f"whsec_{base64.b64encode(hashlib.sha256(b'sandbox webhook').digest()).decode()}"
"""The signing secret that is always accepted."""
TOLERANCE = 300
"""Greatest age of a message, in seconds."""
TEXTS = ("title", "slug", "summary", "html", "markdown", "seo_title", "seo_description", "canonical_url")


@dataclass(frozen=True)
class Heard:
    """A processed message, by its id."""

    table: ClassVar[str] = "webhook_heard"
    lasting: ClassVar[bool] = False
    name: str
    article: str

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True)
class Article:
    """Times are epoch seconds. `images`: (id here, alt text) in order; `above`: whether the first one is shown above
    the text."""

    table: ClassVar[str] = "webhook_articles"
    lasting: ClassVar[bool] = False
    id: str
    path: str
    texts: dict[str, str]
    tags: list[str]
    images: list[list[str]]
    above: bool
    published_at: float
    arrived_at: float
    deleted: bool = False

    @property
    def key(self) -> str:
        return self.id


class _Refused(Exception):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


def _verified(request: Request, state: State, body: bytes) -> str:
    """Return the message's id, which is signed too. Raise _Refused if header, time or signature is wrong."""
    name, moment_, given = (request.headers.get(f"webhook-{one}", "") for one in ("id", "timestamp", "signature"))
    if not re.fullmatch(r"[\w-]{1,200}", name) or not moment_.isdecimal():
        raise _Refused(400, "webhook-id and webhook-timestamp are needed")
    if abs(time.time() - int(moment_)) > TOLERANCE:
        raise _Refused(401, "the message is too old")
    for secret in (SECRET, *state.settings.webhook_secrets):
        wanted = hmac.digest(_key(secret), f"{name}.{moment_}.".encode() + body, "sha256")
        for one in given.split(" "):
            version, _, signature = one.partition(",")
            if version == "v1" and hmac.compare_digest(base64.b64encode(wanted).decode(), signature):
                return name
    raise _Refused(401, "the signature is wrong")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        return b""


async def _carried_out(request: Request, state: State, path: str) -> Response:
    body = await request.body()
    name = _verified(request, state, body)
    try:
        message = json.loads(body)
        kind, data, timestamp = message["type"], message["data"], message["timestamp"]
    except (ValueError, KeyError, TypeError) as error:
        raise _Refused(400, "the body is no message") from error
    if not isinstance(data, dict) or not isinstance(timestamp, str):
        raise _Refused(400, "data is an object, timestamp a text")
    if kind == "ping":
        return JSONResponse({"ok": True})
    known = state.table(Article).get(str(data.get("id")))
    if name in state.table(Heard):
        return _answered(request, state.table(Article)[state.table(Heard)[name].article])
    if kind == "article.deleted":
        if known is None or known.deleted:
            raise _Refused(404, "no article has that id")
        known = replace(known, deleted=True)
    elif kind == "article.published":
        known = await _article(request, state, path, data, known)
    elif kind == "article.updated":
        if known is None or known.deleted:
            raise _Refused(404, "no article has that id")
        known = await _article(request, state, path, data, known)
    else:
        raise _Refused(400, f"{kind} is unknown here")
    if name in state.table(Heard):  # a repeat was processed meanwhile
        return _answered(request, known)
    fault: Fault | None = request.scope.get(FAULT)
    vanishes = fault is not None and fault.kind is FaultKind.vanish
    state.keep(replace(known, deleted=True) if vanishes else known)
    state.keep(Heard(name, known.id))
    return _answered(request, known)


def _answered(request: Request, article: Article) -> Response:
    return JSONResponse({"url": f"{origin(request)}/hooks/{article.path}/{article.texts['slug']}/"})


async def _article(request: Request, state: State, path: str, data: dict[str, Any], known: Article | None) -> Article:
    """Return the article of the message, with its pictures fetched, because their URLs expire."""
    if not isinstance(data.get("id"), str) or not re.fullmatch(r"[\w-]{1,100}", data["id"]):
        raise _Refused(422, "id is needed")
    if any(not isinstance(data.get(one), str) for one in TEXTS) or not (data["title"] and data["slug"]):
        raise _Refused(422, f"{', '.join(TEXTS)} are texts, title and slug not empty")
    tags, images, above = data.get("tags"), data.get("images"), data.get("image")
    if not isinstance(tags, list) or not isinstance(images, list) or above not in (None, *images[:1]):
        raise _Refused(422, "tags and images are lists, image is the first of them or null")
    kept, markup = [], data["html"]
    for image in images:
        if not isinstance(image, dict) or not isinstance(image.get("alt"), str):
            raise _Refused(422, "an image has url and alt")
        made = await _picture(state, str(image.get("url")))
        kept.append([made, image["alt"]])
        markup = markup.replace(html.escape(str(image["url"])), f"/sandbox/images/{made}")
    now, own = time.time(), {"html": markup} | ({"slug": known.texts["slug"]} if known else {})
    return Article(
        data["id"],
        path,
        {one: data[one] for one in TEXTS} | own,  # an update keeps the address, which others may link to
        [str(one) for one in tags],
        kept,
        above is not None,
        known.published_at if known else now,
        known.arrived_at if known else request.scope.get(ARRIVED_AT, now),
    )


async def _picture(state: State, url: str) -> str:
    try:
        data = await fetched(url)
        image = Image(str(state.new_number()), "journal", 0.0)
        state.image_file(image.id).write_bytes(data)
        with state.image_file(image.id).open("rb") as file:
            media_type, *_ = await asyncio.to_thread(inspect, file)
    except NotNow as error:
        raise _Refused(503, f"the image cannot be fetched now: {error}") from error
    except ValueError as error:
        raise _Refused(422, f"the image cannot be fetched: {error}") from error
    state.add_image(replace(image, media_type=media_type, uploaded_at=time.time()))
    return image.id


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.post("/hooks/{path}")
    async def receive(request: Request, path: str) -> Response:
        try:
            return await _carried_out(request, state, path)
        except _Refused as refused:
            return JSONResponse({"error": str(refused)}, refused.status)

    @router.get("/hooks")
    async def all_posts(request: Request) -> Response:
        """All articles and accepted secrets: there is no sign-in here."""
        text = Text(language(request))
        rows = "".join(
            f"<li><code>{text.escape(secret)}</code></li>" for secret in (SECRET, *state.settings.webhook_secrets)
        )
        cards = "".join(card(text, one) for one in live(state)) or f'<p class="card">{text("no_posts")}</p>'
        form = f"""<form method="post" class="card fields"><label>{text("webhook_secret")}
<input name="secret" required pattern="whsec_.+"></label><button>{text("webhook_believe")}</button></form>"""
        body = f'<h1>{text("webhook")}</h1><p>{text("webhook_intro")}</p><ul class="rows">{rows}</ul>{form}{cards}'
        return HTMLResponse(page(text, text("webhook"), body, live=True))

    @router.post("/hooks")
    async def believe(request: Request) -> Response:
        """Accept another secret, as the owner of a receiver configures it."""
        given = dict(parse_qsl((await request.body()).decode("utf-8", "replace"))).get("secret", "").strip()
        if len(_key(given)) >= 24 and given not in state.settings.webhook_secrets:
            state.change_settings({"webhook_secrets": [*state.settings.webhook_secrets, given]})
        return RedirectResponse("/hooks", 303)

    @router.get("/hooks/{path}/{slug}/")
    async def permalink(request: Request, path: str, slug: str) -> Response:
        found = next((one for one in live(state) if (one.path, one.texts["slug"]) == (path, slug)), None)
        return _shown(Text(language(request)), found)

    return router


def live(state: State) -> list[Article]:
    """Return the articles that are not deleted, newest first."""
    seen = [one for one in state.table(Article).values() if not one.deleted]
    return sorted(seen, key=lambda one: one.published_at, reverse=True)


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def _image(text: Text, article: Article) -> str:
    if not article.above:
        return ""
    made, alt = article.images[0]
    return f'<div class="images"><img src="/sandbox/images/{made}" alt="{text.escape(alt)}"></div>'


def _shown(text: Text, article: Article | None) -> Response:
    """Return an article's page. A policy keeps its scripts and forms from running."""
    if article is None:
        return missing(text)
    title = text.escape(article.texts["title"])
    tags = " ".join(f'<span class="tag">#{text.escape(name)}</span>' for name in article.tags)
    body = f"""<article class="card"><h1>{title}</h1><p>{moment(article.published_at)}</p>
{_image(text, article)}<div class="body">{article.texts["html"]}</div><p>{tags}</p></article>"""
    policy = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'"
    return HTMLResponse(page(text, title, body), headers={"Content-Security-Policy": policy})


def card(text: Text, article: Article) -> str:
    return f"""<article class="card"><div class="author"><div><strong>{text.escape(article.path)}</strong>
<span><a href="/hooks/{article.path}/{article.texts["slug"]}/">{moment(article.published_at)}</a> · Webhook</span>
</div></div><h2>{text.escape(article.texts["title"])}</h2>
<p class="text">{text.escape(plain(article.texts["html"])[:600])}</p>{_image(text, article)}</article>"""


def _as_json(article: Article, base: str) -> dict[str, Any]:
    shown = article.images[:1] if article.above else []
    return {
        "id": article.id,
        "author": article.path,
        "author_name": article.path,
        "title": article.texts["title"],
        "text": plain(article.texts["html"]),
        "commentary": article.texts["html"],
        "visibility": "PUBLIC",
        "images": [{"id": made, "alt_text": alt, "url": f"{base}/sandbox/images/{made}"} for made, alt in shown],
        "article": None,
        "created_at": iso(article.published_at),
        "arrived_at": article.arrived_at,
        "permalink": f"{base}/hooks/{article.path}/{article.texts['slug']}/",
        "deleted": article.deleted,
    }


NETWORK = Network(
    shown=lambda state, text: [(one.published_at, card(text, one)) for one in live(state)],
    as_json=lambda state, base: [_as_json(one, base) for one in state.table(Article).values()],
)
