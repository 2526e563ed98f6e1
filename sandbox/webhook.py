"""A strict receiver of webhooks (Standard Webhooks), and the site that shows the received articles."""

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

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path
from sandbox.faults import Fault, FaultKind, FaultyApi, Target, arrived_at, has_fault
from sandbox.fetching import TemporaryFailure, fetch
from sandbox.http import Refusal, form_fields, origin
from sandbox.pages import cards_page, iso, missing_page
from sandbox.pictures import inspect
from sandbox.sites import article_page, excerpt, plain
from sandbox.state import Image, Row, State
from sandbox.texts import Text

SECRET = f"whsec_{base64.b64encode(hashlib.sha256(b'sandbox webhook').digest()).decode()}"
"""The signing secret that is always accepted."""
TOLERANCE = 300
"""Greatest age of a message, in seconds."""
TEXTS = ("title", "slug", "summary", "html", "markdown", "seo_title", "seo_description", "canonical_url")


@dataclass(frozen=True)
class Processed(Row):
    """A processed message, by its id."""

    table: ClassVar[str] = "webhook_heard"
    name: str
    article: str

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True)
class Article(Row):
    """Times are epoch seconds. `images`: (id here, alt text) in order; `above`: whether the first one is shown above
    the text."""

    table: ClassVar[str] = "webhook_articles"
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


def refuse(status: int, message: str) -> Refusal:
    return Refusal(JSONResponse({"error": message}, status))


def _answer(fault: Fault) -> Response:
    status = {FaultKind.revoked: 401, FaultKind.rate_limited: 429}.get(fault.kind, fault.status)
    answer = JSONResponse({"error": fault.message or "Sandbox fault"}, status)
    return fault.with_retry_after(answer) if fault.kind is FaultKind.rate_limited else answer


_HOOK = r"/hooks/[^/]+"
API = FaultyApi(
    prefixes=("/hooks/",),
    paths=re.compile(_HOOK),
    # the path with the type of the message, as all messages have the same URL
    targets=(
        (Target.posts, "POST", re.compile(_HOOK + r"/article\.(published|updated)")),
        (Target.deletes, "POST", re.compile(_HOOK + r"/article\.deleted")),
        (Target.reads, "POST", re.compile(_HOOK + "/ping")),
    ),
    answer=_answer,
)


def _verify(request: Request, state: State, body: bytes) -> str:
    """Return the message's id, which is signed too. Raise Refusal if header, time or signature is wrong."""
    name, sent_at, signatures = (request.headers.get(f"webhook-{one}", "") for one in ("id", "timestamp", "signature"))
    if not re.fullmatch(r"[\w-]{1,200}", name) or not sent_at.isdecimal():
        raise refuse(400, "webhook-id and webhook-timestamp are required")
    if abs(time.time() - int(sent_at)) > TOLERANCE:
        raise refuse(401, "the message is too old")
    for secret in (SECRET, *state.settings.webhook_secrets):
        expected = hmac.digest(_key(secret), f"{name}.{sent_at}.".encode() + body, "sha256")
        for one in signatures.split(" "):
            version, _, signature = one.partition(",")
            if version == "v1" and hmac.compare_digest(base64.b64encode(expected).decode(), signature):
                return name
    raise refuse(401, "the signature is wrong")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        return b""


async def _process(request: Request, state: State, path: str) -> Response:
    body = await request.body()
    name = _verify(request, state, body)
    try:
        message = json.loads(body)
        kind, data, timestamp = message["type"], message["data"], message["timestamp"]
    except (ValueError, KeyError, TypeError) as error:
        raise refuse(400, "the body is not a message") from error
    if not isinstance(data, dict) or not isinstance(timestamp, str):
        raise refuse(400, "data must be an object, timestamp a text")
    if kind == "ping":
        return JSONResponse({"ok": True})
    known = state.table(Article).get(str(data.get("id")))
    if name in state.table(Processed):
        return _url_response(request, state.table(Article)[state.table(Processed)[name].article])
    if kind == "article.deleted":
        if known is None or known.deleted:
            raise refuse(404, "there is no article with this id")
        known = replace(known, deleted=True)
    elif kind == "article.published":
        known = await _article(request, state, path, data, known)
    elif kind == "article.updated":
        if known is None or known.deleted:
            raise refuse(404, "there is no article with this id")
        known = await _article(request, state, path, data, known)
    else:
        raise refuse(400, f"unknown type: {kind}")
    if name in state.table(Processed):  # a repeat was processed meanwhile
        return _url_response(request, known)
    state.save(replace(known, deleted=True) if has_fault(request, FaultKind.vanish) else known)
    state.save(Processed(name, known.id))
    return _url_response(request, known)


def _url_response(request: Request, article: Article) -> Response:
    return JSONResponse({"url": f"{origin(request)}{_path(article)}"})


async def _article(request: Request, state: State, path: str, data: dict[str, Any], known: Article | None) -> Article:
    """Return the article of the message, with its pictures fetched, because their URLs expire."""
    if not isinstance(data.get("id"), str) or not re.fullmatch(r"[\w-]{1,100}", data["id"]):
        raise refuse(422, "id is missing")
    if any(not isinstance(data.get(one), str) for one in TEXTS) or not (data["title"] and data["slug"]):
        raise refuse(422, f"{', '.join(TEXTS)} must be texts, title and slug not empty")
    tags, images, above = data.get("tags"), data.get("images"), data.get("image")
    if not isinstance(tags, list) or not isinstance(images, list) or above not in (None, *images[:1]):
        raise refuse(422, "tags and images must be lists, image the first of them or null")
    stored, markup = [], data["html"]
    for image in images:
        if not isinstance(image, dict) or not isinstance(image.get("alt"), str):
            raise refuse(422, "an image needs url and alt")
        made = await _picture(state, str(image.get("url")))
        stored.append([made, image["alt"]])
        markup = markup.replace(html.escape(str(image["url"])), image_path(made))
    now, own = time.time(), {"html": markup} | ({"slug": known.texts["slug"]} if known else {})
    return Article(
        data["id"],
        path,
        {one: data[one] for one in TEXTS} | own,  # an update keeps the address, which others may link to
        [str(one) for one in tags],
        stored,
        above is not None,
        known.published_at if known else now,
        known.arrived_at if known else arrived_at(request),
    )


async def _picture(state: State, url: str) -> str:
    """Fetch and store a picture. Return its id."""
    try:
        data = await fetch(url)
        media_type, *_ = inspect(data)
    except TemporaryFailure as error:
        raise refuse(503, f"the image cannot be fetched now: {error}") from error
    except ValueError as error:
        raise refuse(422, f"the image cannot be fetched: {error}") from error
    image = Image(str(state.new_number()), "journal", media_type=media_type, uploaded_at=time.time())
    await state.store_image(image, data)
    return image.id


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.post("/hooks/{path}")
    async def receive(request: Request, path: str) -> Response:
        return await _process(request, state, path)

    @router.get("/hooks")
    async def all_posts(request: Request) -> Response:
        """All articles and accepted secrets: there is no sign-in here."""
        text = Text.of(request)
        rows = "".join(
            f"<li><code>{text.escape(secret)}</code></li>" for secret in (SECRET, *state.settings.webhook_secrets)
        )
        form = f"""<form method="post" class="card fields"><label>{text("webhook_secret")}
<input name="secret" required pattern="whsec_.+"></label><button>{text("webhook_add")}</button></form>"""
        above = f'<p>{text("webhook_intro")}</p><ul class="rows">{rows}</ul>{form}'
        return cards_page(text, text("webhook"), map(_card, live(state)), above)

    @router.post("/hooks")
    async def add_secret(request: Request) -> Response:
        """Accept another secret, as the owner of a receiver configures it."""
        secret = (await form_fields(request)).get("secret", "").strip()
        if len(_key(secret)) >= 24 and secret not in state.settings.webhook_secrets:
            state.change_settings({"webhook_secrets": [*state.settings.webhook_secrets, secret]})
        return RedirectResponse("/hooks", 303)

    @router.get("/hooks/{path}/{slug}/")
    async def permalink(request: Request, path: str, slug: str) -> Response:
        found = next((one for one in live(state) if (one.path, one.texts["slug"]) == (path, slug)), None)
        text = Text.of(request)
        if found is None:
            return missing_page(text)
        texts = found.texts
        return article_page(
            text, texts["title"], at=found.published_at, above=_image(found), markup=texts["html"], tags=found.tags
        )

    return router


def live(state: State) -> list[Article]:
    """Return the articles that are not deleted, newest first."""
    seen = [one for one in state.table(Article).values() if not one.deleted]
    return sorted(seen, key=lambda one: one.published_at, reverse=True)


def _image(article: Article) -> str:
    return image_grid((image_path(made), alt) for made, alt in article.images[: 1 if article.above else 0])


def _path(article: Article) -> str:
    return f"/hooks/{article.path}/{article.texts['slug']}/"


def _card(article: Article) -> str:
    body = excerpt(article.texts["title"], article.texts["html"], _image(article))
    return card(author=article.path, permalink=_path(article), at=article.published_at, notes=["Webhook"], body=body)


def _as_json(article: Article, base: str) -> dict[str, Any]:
    visible = article.images[:1] if article.above else []
    return {
        "id": article.id,
        "author": article.path,
        "author_name": article.path,
        "title": article.texts["title"],
        "text": plain(article.texts["html"]),
        "commentary": article.texts["html"],
        "visibility": "PUBLIC",
        "images": [{"id": made, "alt_text": alt, "url": f"{base}{image_path(made)}"} for made, alt in visible],
        "article": None,
        "created_at": iso(article.published_at),
        "arrived_at": article.arrived_at,
        "permalink": f"{base}{_path(article)}",
        "deleted": article.deleted,
    }


NETWORK = Network(
    cards=lambda state, _: [(one.published_at, _card(one)) for one in live(state)],
    as_json=lambda state, base: [_as_json(one, base) for one in state.table(Article).values()],
)
