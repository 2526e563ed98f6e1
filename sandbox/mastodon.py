"""Stand-in for a Mastodon server with everybody's account: apps, consent, media and posts, with the real errors."""

import asyncio
import base64
import hashlib
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import regex
from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import ARRIVED_AT, FAULT, Fault, FaultKind, mastodon_problem, oauth_problem
from sandbox.linkedin import origin
from sandbox.networks import Network, Refusal
from sandbox.pages import Text, iso, language, linked, missing, moment, page
from sandbox.pictures import inspect
from sandbox.state import PEOPLE, Image, Person, State

MAX_MEDIA = 4
MAX_DESCRIPTION = 1500
MAX_BYTES = 16_777_216
MAX_PIXELS = 33_177_600
KEY_SECONDS = 3600
SCOPES = {
    "read:accounts": ("see your account", "dein Konto sehen"),
    "read:statuses": ("read your posts", "deine Beiträge lesen"),
    "write:media": ("upload media", "Medien hochladen"),
    "write:statuses": ("publish posts", "Beiträge veröffentlichen"),
}
_LANGUAGE = regex.compile(r"[a-z]{2,3}")
_LINK = regex.compile(r"https?://[^\s<>\"]*[^\s<>\"'.,;:!?)\]}。，、]", regex.IGNORECASE)
_MENTION = regex.compile(r"(?<![/\w.=])@(\w+(?:[\w.-]*\w)?)@[\w.-]+\w")


@dataclass(frozen=True)
class App:
    table: ClassVar[str] = "mastodon_apps"
    lasting: ClassVar[bool] = True
    client_id: str
    client_secret: str
    redirect_uris: list[str]
    scopes: list[str]

    @property
    def key(self) -> str:
        return self.client_id


@dataclass(frozen=True)
class Token:
    """A token. `person` None: the app's own."""

    table: ClassVar[str] = "mastodon_tokens"
    lasting: ClassVar[bool] = True
    access: str
    client_id: str
    person: str | None
    scopes: list[str]
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access


@dataclass(frozen=True)
class Status:
    """`media` are (id, description). Times are epoch seconds."""

    table: ClassVar[str] = "mastodon_statuses"
    lasting: ClassVar[bool] = False
    id: str
    person: str
    text: str
    media: list[list[str]]
    idempotency_key: str
    created_at: float
    arrived_at: float
    deleted: bool = False
    language: str = ""

    @property
    def key(self) -> str:
        return self.id


@dataclass
class Codes:
    """Authorization codes with client id, redirect URI, person, scopes and PKCE challenge; lost at a restart."""

    by_code: dict[str, tuple[str, str, str, list[str], str]]


def refuse(status: int, message: str | None = None) -> Refusal:
    return Refusal(mastodon_problem(status, message))


def length(text: str) -> int:
    """Return the length as Mastodon counts it: graphemes, a link as 23, mentions without their server."""
    return len(regex.findall(r"\X", _MENTION.sub(r"@\1", _LINK.sub("x" * 23, text))))


def username(person: Person) -> str:
    return person.sub.replace("-", "_")


NAMES = {username(person): person for person in PEOPLE.values()}


def token_of(request: Request, state: State, scope: str) -> Token:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    token = state.table(Token).get(value.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise refuse(401)
    if token.revoked:
        raise refuse(401, "The access token was revoked")
    if scope not in token.scopes and scope.partition(":")[0] not in token.scopes:
        raise refuse(403, "This action is outside the authorized scopes")
    if token.person is None:
        raise refuse(422, "This method requires an authenticated user")
    return token


async def _given(request: Request) -> dict[str, Any]:
    if "json" in request.headers.get("content-type", ""):
        try:
            body = json.loads(await request.body())
        except ValueError as error:
            raise refuse(400, "The body is no JSON") from error
        return body if isinstance(body, dict) else {}
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


# Apps and consent


async def add_app(request: Request, state: State, codes: Codes) -> Response:
    body = await _given(request)
    name, scopes = body.get("client_name"), str(body.get("scopes", "read")).split()
    uris = str(body.get("redirect_uris", "")).split()
    if not name:
        raise refuse(422, "Validation failed: Application name can't be blank")
    if not uris or not all(urlsplit(uri).scheme and urlsplit(uri).netloc for uri in uris):
        raise refuse(422, "Validation failed: Redirect URI must be an absolute URI.")
    if unknown := [scope for scope in scopes if scope not in SCOPES and scope not in ("read", "write")]:
        raise refuse(422, f"Validation failed: Scopes doesn't match configured on the server: {unknown[0]}")
    app = App(secrets.token_urlsafe(32), secrets.token_urlsafe(32), uris, scopes)
    state.keep(app)
    told = {"client_id": app.client_id, "client_secret": app.client_secret, "client_secret_expires_at": 0}
    return JSONResponse(
        {"id": str(len(state.table(App))), "name": name, "scopes": scopes, "redirect_uris": uris, **told}
    )


def consent(request: Request, state: State, codes: Codes) -> Response:
    """Show the consent page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
    query = dict(request.query_params)
    text = Text(language(request))
    app, uri = state.table(App).get(query.get("client_id", "")), query.get("redirect_uri", "")
    scopes = query.get("scope", "read").split()
    wrong = ""
    if app is None:
        wrong = "Client authentication failed due to unknown client"
    elif uri not in app.redirect_uris:
        wrong = "The redirect URI included is not valid."
    elif query.get("response_type") != "code":
        wrong = "The authorization server does not support this response type."
    elif not set(scopes) <= set(app.scopes):
        wrong = "The requested scope is invalid, unknown, or malformed."
    elif query.get("code_challenge") and query.get("code_challenge_method") != "S256":
        wrong = "The code challenge method must be S256."
    if wrong or app is None:
        body = f"<h1>{text('missing')}</h1><p><code>{text.escape(wrong)}</code></p>"
        return HTMLResponse(page(text, text("missing"), body, navigation=False), 400)
    returned = {"state": query["state"]} if "state" in query else {}
    if "sandbox_cancel" in query:
        words = "The resource owner or authorization server denied the request."
        failure = {"error": "access_denied", "error_description": words, **returned}
        return RedirectResponse(f"{uri}{'&' if '?' in uri else '?'}{urlencode(failure)}", 302)
    if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
        code = secrets.token_urlsafe(32)
        codes.by_code[code] = (app.client_id, uri, person.sub, scopes, query.get("code_challenge", ""))
        return RedirectResponse(f"{uri}{'&' if '?' in uri else '?'}{urlencode({'code': code, **returned})}", 302)
    hidden = "".join(
        f'<input type="hidden" name="{text.escape(name)}" value="{text.escape(value)}">'
        for name, value in query.items()
        if not name.startswith("sandbox_")
    )
    people = "".join(
        f'<label class="choice"><input type="radio" name="sandbox_person" value="{person.sub}"'
        f"{'' if number else ' checked'}>"
        f'<img src="/sandbox/pictures/{person.sub}.svg" alt=""><span>{text.escape(person.name)}'
        f"<small>@{username(person)}</small></span></label>"
        for number, person in enumerate(PEOPLE.values())
    )
    listed = "".join(f"<li>{text.escape(SCOPES[scope][text.code == 'de'])}</li>" for scope in scopes if scope in SCOPES)
    body = f"""<h1>{text("mastodon_consent")}</h1><p>{text("mastodon_consent_intro")}</p>
<form method="get" class="card">{hidden}
<p class="text"><strong>{text.escape(urlsplit(uri).netloc)}</strong></p><p>{text("access")}</p><ul>{listed}</ul>
<fieldset><legend>{text("as_whom")}</legend>{people}</fieldset>
<div class="buttons"><button>{text("allow")}</button>
<button class="quiet" name="sandbox_cancel" value="1">{text("cancel")}</button></div></form>"""
    return HTMLResponse(page(text, text("mastodon_consent"), body, navigation=False))


async def token(request: Request, state: State, codes: Codes) -> Response:
    form = await _given(request)
    app = state.table(App).get(str(form.get("client_id", "")))
    if app is None or form.get("client_secret") != app.client_secret:
        return oauth_problem("invalid_client", "Client authentication failed due to unknown client", 401)
    person: str | None = None
    scopes = str(form.get("scope", "read")).split()
    if form.get("grant_type") == "authorization_code":
        found = codes.by_code.pop(str(form.get("code", "")), None)
        challenge = found[4] if found else ""
        proved = not challenge or challenge == _challenge(str(form.get("code_verifier", "")))
        if found is None or (found[0], found[1]) != (app.client_id, form.get("redirect_uri")) or not proved:
            words = "The provided authorization grant is invalid, expired, revoked, or was issued to another client."
            return oauth_problem("invalid_grant", words)
        person, scopes = found[2], found[3]
    elif form.get("grant_type") != "client_credentials":
        return oauth_problem("unsupported_grant_type", "The authorization grant type is not supported")
    made = _held(state, app, person, scopes) or Token(secrets.token_urlsafe(32), app.client_id, person, scopes)
    state.keep(made)
    told = {
        "access_token": made.access,
        "token_type": "Bearer",
        "scope": " ".join(scopes),
        "created_at": int(time.time()),
    }
    return JSONResponse(told)


def _held(state: State, app: App, person: str | None, scopes: list[str]) -> Token | None:
    """Return the person's existing token for the app, if tokens are reused."""
    if not state.settings.mastodon_reuses_tokens:
        return None
    asked = (app.client_id, person, sorted(scopes), False)
    held = state.table(Token).values()
    return next((one for one in held if (one.client_id, one.person, sorted(one.scopes), one.revoked) == asked), None)


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def revoke(request: Request, state: State, codes: Codes) -> Response:
    form = await _given(request)
    app = state.table(App).get(str(form.get("client_id", "")))
    found = state.table(Token).get(str(form.get("token", "")))
    owned = app is not None and form.get("client_secret") == app.client_secret
    if app is None or not owned or (found is not None and found.client_id != app.client_id):
        return oauth_problem("unauthorized_client", "You are not authorized to revoke this token", 403)
    if found is not None:
        state.keep(replace(found, revoked=True))
    return JSONResponse({})


# Accounts and media


def _account(person: Person, base: str) -> dict[str, Any]:
    name = username(person)
    return {
        "id": str(100 + list(NAMES).index(name)),
        "username": name,
        "acct": name,
        "display_name": person.name,
        "url": f"{base}/@{name}",
        "avatar": f"{base}/sandbox/pictures/{person.sub}.svg",
    }


def own_account(request: Request, state: State, codes: Codes) -> Response:
    found = token_of(request, state, "read:accounts")
    return JSONResponse(_account(PEOPLE[str(found.person)], origin(request)))


def lookup(request: Request, state: State, codes: Codes) -> Response:
    person = NAMES.get(request.query_params.get("acct", "").removeprefix("@"))
    if person is None:
        raise refuse(404)
    return JSONResponse(_account(person, origin(request)))


def instance(request: Request, state: State, codes: Codes) -> Response:
    statuses = {
        "max_characters": state.settings.mastodon_characters,
        "max_media_attachments": MAX_MEDIA,
        "characters_reserved_per_url": 23,
    }
    media = {
        "supported_mime_types": ["image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4"],
        "image_size_limit": MAX_BYTES,
        "image_matrix_limit": MAX_PIXELS,
        "description_limit": MAX_DESCRIPTION,
    }
    configuration = {"statuses": statuses, "media_attachments": media}
    return JSONResponse({"domain": request.url.netloc, "version": "4.5.0", "configuration": configuration})


async def add_media(request: Request, state: State, codes: Codes) -> Response:
    found = token_of(request, state, "write:media")
    async with request.form() as form:
        file, description = form.get("file"), form.get("description", "")
        data = await file.read() if isinstance(file, UploadFile) else b""
    if not data:
        raise refuse(422, "Validation failed: File can't be blank")
    if len(data) >= MAX_BYTES:
        raise refuse(422, "Validation failed: File must be less than 16 MB")
    if not isinstance(description, str) or len(description) > MAX_DESCRIPTION:
        raise refuse(422, f"Validation failed: Description is too long (maximum is {MAX_DESCRIPTION} characters)")
    image = Image(str(state.new_number()), str(found.person), 0.0, alt=description)
    media_type = await asyncio.to_thread(_kept, state, image, data)
    fault: Fault | None = request.scope.get(FAULT)
    failed = fault is not None and fault.kind is FaultKind.processing_failed
    image = replace(image, media_type=media_type, uploaded_at=time.time(), failed=failed)
    state.add_image(image)
    return JSONResponse(_media(image, origin(request), state), 200 if _processed(image, state) and not failed else 202)


def _kept(state: State, image: Image, data: bytes) -> str:
    path = state.image_file(image.id)
    path.write_bytes(data)
    try:
        with path.open("rb") as file:
            media_type, width, height = inspect(file)
    except ValueError as error:
        path.unlink()
        raise refuse(422, "Validation failed: File content type is invalid, File is invalid") from error
    if width * height > MAX_PIXELS:
        path.unlink()
        raise refuse(422, f"Validation failed: File {width}x{height} images are not supported")
    return media_type


def _processed(image: Image, state: State) -> bool:
    return time.time() >= (image.uploaded_at or 0) + state.settings.image_processing_seconds


def _media(image: Image, base: str, state: State) -> dict[str, Any]:
    url = f"{base}/sandbox/images/{image.id}"
    ready = _processed(image, state)
    return {
        "id": image.id,
        "type": "image",
        "url": url if ready else None,
        "preview_url": url,
        "description": image.alt or None,
    }


def read_media(request: Request, state: State, codes: Codes) -> Response:
    found = token_of(request, state, "write:media")
    image = state.images.get(request.path_params["id"])
    if image is None or image.owner != found.person or _attached(state, image.id):
        raise refuse(404)
    if not _processed(image, state):
        return JSONResponse(_media(image, origin(request), state), 206)
    if image.failed:
        raise refuse(422, "Error processing thumbnail for uploaded media")
    return JSONResponse(_media(image, origin(request), state))


def _attached(state: State, image_id: str) -> bool:
    return any(image_id == one for status in state.table(Status).values() for one, _ in status.media)


# Posts


async def add_status(request: Request, state: State, codes: Codes) -> Response:
    found = token_of(request, state, "write:statuses")
    key, body = request.headers.get("idempotency-key", ""), await _given(request)
    now = time.time()
    for earlier in state.table(Status).values():
        same = key and (earlier.idempotency_key, earlier.person) == (key, found.person)
        if same and now - earlier.created_at < KEY_SECONDS:
            return JSONResponse(_status(earlier, request, state))
    text, ids = body.get("status", ""), body.get("media_ids", [])
    if not isinstance(text, str) or not isinstance(ids, list):
        raise refuse(422, "Validation failed: status and media_ids are no text and list")
    if not text.strip() and not ids:
        raise refuse(422, "Validation failed: Text can't be blank")
    if length(text) > (most := state.settings.mastodon_characters):
        raise refuse(422, f"Validation failed: Text character limit of {most} exceeded")
    if len(ids) > MAX_MEDIA:
        raise refuse(422, f"Validation failed: Cannot attach more than {MAX_MEDIA} files")
    language = body.get("language", "")
    if not isinstance(language, str) or (language and not _LANGUAGE.fullmatch(language)):
        raise refuse(422, "Validation failed: Language is invalid")
    images = [_own(state, str(found.person), one) for one in ids]
    status = Status(
        str(state.new_number()),
        str(found.person),
        text,
        [[image.id, image.alt] for image in images],
        key,
        now,
        request.scope.get(ARRIVED_AT, now),
        language=language,
    )
    fault: Fault | None = request.scope.get(FAULT)
    state.keep(replace(status, deleted=fault is not None and fault.kind is FaultKind.vanish))
    if fault is not None and fault.kind is FaultKind.no_id:
        return JSONResponse({})
    return JSONResponse(_status(status, request, state))


def _own(state: State, person: str, image_id: object) -> Image:
    image = state.images.get(str(image_id))
    if image is None or image.owner != person or _attached(state, image.id):
        raise refuse(422, "Validation failed: Media attachments is invalid")
    if image.failed or not _processed(image, state):
        raise refuse(422, "Cannot attach files that have not finished processing. Try again in a moment!")
    return image


def _status(status: Status, request: Request, state: State) -> dict[str, Any]:
    base, person = origin(request), PEOPLE[status.person]
    return {
        "id": status.id,
        "created_at": iso(status.created_at),
        "visibility": "public",
        "language": status.language or None,
        "url": f"{base}/@{username(person)}/{status.id}",
        "content": f"<p>{Text.escape(status.text)}</p>",
        "account": _account(person, base),
        "media_attachments": [_media(state.images[one], base, state) for one, _ in status.media if one in state.images],
    }


def list_statuses(request: Request, state: State, codes: Codes) -> Response:
    token_of(request, state, "read:statuses")
    wanted = request.path_params["id"]
    person = next((one for one in PEOPLE.values() if _account(one, "")["id"] == wanted), None)
    if person is None:
        raise refuse(404)
    limit = request.query_params.get("limit", "20")
    if not limit.isdigit() or not 1 <= int(limit) <= 40:
        raise refuse(422, "limit must be 1 to 40")
    posts = [one for one in live(state) if one.person == person.sub]
    bounds = {name: request.query_params[name] for name in ("max_id", "since_id") if name in request.query_params}
    if not all(one.isdigit() for one in bounds.values()):
        raise refuse(404)
    if "max_id" in bounds:
        posts = [one for one in posts if int(one.id) < int(bounds["max_id"])]
    if "since_id" in bounds:
        posts = [one for one in posts if int(one.id) > int(bounds["since_id"])]
    posts = posts[: int(limit)]
    return JSONResponse([_status(one, request, state) for one in posts], headers=_pages(request, posts, int(limit)))


def _pages(request: Request, posts: list[Status], limit: int) -> dict[str, str]:
    """Return the Link header to the next and previous pages. A page that is not full is the last."""
    kept = {name: value for name, value in request.query_params.items() if name not in ("max_id", "since_id")}
    at = f"{origin(request)}{request.url.path}"
    links = [f'<{at}?{urlencode({**kept, "max_id": posts[-1].id})}>; rel="next"'] if len(posts) == limit else []
    links += [f'<{at}?{urlencode({**kept, "since_id": posts[0].id})}>; rel="prev"'] if posts else []
    return {"Link": ", ".join(links)} if links else {}


def _wanted(request: Request, state: State, scope: str) -> Status:
    found = token_of(request, state, scope)
    status = state.table(Status).get(request.path_params["id"])
    if status is None or status.deleted or status.person != found.person:
        raise refuse(404)
    return status


def source(request: Request, state: State, codes: Codes) -> Response:
    status = _wanted(request, state, "read:statuses")
    return JSONResponse({"id": status.id, "text": status.text, "spoiler_text": ""})


def read_status(request: Request, state: State, codes: Codes) -> Response:
    return JSONResponse(_status(_wanted(request, state, "read:statuses"), request, state))


def delete_status(request: Request, state: State, codes: Codes) -> Response:
    status = _wanted(request, state, "write:statuses")
    state.keep(replace(status, deleted=True))
    return JSONResponse({**_status(status, request, state), "text": status.text})


Handler = Callable[[Request, State, Codes], Response | Awaitable[Response]]
HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/api/v1/apps", add_app),
    ("GET", "/oauth/authorize", consent),
    ("POST", "/oauth/token", token),
    ("POST", "/oauth/revoke", revoke),
    ("GET", "/api/v1/accounts/verify_credentials", own_account),
    ("GET", "/api/v1/accounts/lookup", lookup),
    ("GET", "/api/v1/accounts/{id}/statuses", list_statuses),
    ("GET", "/api/v2/instance", instance),
    ("POST", "/api/v2/media", add_media),
    ("GET", "/api/v1/media/{id}", read_media),
    ("POST", "/api/v1/statuses", add_status),
    ("GET", "/api/v1/statuses/{id}/source", source),
    ("GET", "/api/v1/statuses/{id}", read_status),
    ("DELETE", "/api/v1/statuses/{id}", delete_status),
)


def routes(state: State) -> APIRouter:
    router, codes = APIRouter(), Codes({})
    for method, path, handler in HANDLERS:
        router.add_api_route(path, _endpoint(handler, state, codes), methods=[method], response_model=None)

    @router.get("/@{name}")
    async def posts_of_account(request: Request, name: str) -> Response:
        text, person = Text(language(request)), NAMES.get(name)
        if person is None:
            return missing(text)
        cards = "".join(card(text, one) for one in live(state) if one.person == person.sub)
        listed = cards or f'<p class="card">{text("no_posts")}</p>'
        title = text.escape(person.name)
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{listed}", live=True))

    @router.get("/@{name}/{number}")
    async def permalink(request: Request, name: str, number: str) -> Response:
        text, status = Text(language(request)), state.table(Status).get(number)
        if status is None or status.deleted or username(PEOPLE[status.person]) != name:
            return missing(text)
        title = f"{text('post_by')} {text.escape(PEOPLE[status.person].name)}"
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{card(text, status)}"))

    return router


def _endpoint(handler: Handler, state: State, codes: Codes) -> Callable[[Request], Awaitable[Response]]:
    # always a coroutine: the state belongs to the event loop, and a plain function would run in a thread
    async def endpoint(request: Request) -> Response:
        answer = handler(request, state, codes)
        return answer if isinstance(answer, Response) else await answer

    return endpoint


def live(state: State) -> list[Status]:
    """Return the statuses that are not deleted, newest first."""
    return [one for one in reversed(state.table(Status).values()) if not one.deleted]


def card(text: Text, status: Status) -> str:
    person = PEOPLE[status.person]
    images = "".join(
        f'<img src="/sandbox/images/{found}" alt="{text.escape(alt)}" loading="lazy">' for found, alt in status.media
    )
    shown = f'<div class="images">{images}</div>' if images else ""
    return f"""<article class="card"><div class="author"><img src="/sandbox/pictures/{person.sub}.svg" alt="">
<div><strong>{text.escape(person.name)}</strong> <span><a href="/@{username(person)}/{status.id}">
{moment(status.created_at)}</a> · @{username(person)} · Mastodon</span></div></div>
<p class="text">{linked(status.text, tags=True)}</p>{shown}</article>"""


def _as_json(status: Status, base: str) -> dict[str, Any]:
    return {
        "id": status.id,
        "author": username(PEOPLE[status.person]),
        "author_name": PEOPLE[status.person].name,
        "text": status.text,
        "commentary": status.text,
        "visibility": "PUBLIC",
        "language": status.language,
        "images": [{"id": one, "alt_text": alt, "url": f"{base}/sandbox/images/{one}"} for one, alt in status.media],
        "article": None,
        "created_at": iso(status.created_at),
        "arrived_at": status.arrived_at,
        "permalink": f"{base}/@{username(PEOPLE[status.person])}/{status.id}",
        "deleted": status.deleted,
    }


NETWORK = Network(
    shown=lambda state, text: [(one.created_at, card(text, one)) for one in live(state)],
    as_json=lambda state, base: [_as_json(one, base) for one in state.table(Status).values()],
)
