"""Stand-in for a Bluesky server: sessions, blobs and records, with the real errors."""

import base64
import hashlib
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

import regex
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.faults import ARRIVED_AT, FAULT, Fault, FaultKind, xrpc_problem
from sandbox.linkedin import origin
from sandbox.networks import Network, Refusal
from sandbox.pages import Text, is_web_address, iso, language, link_card, missing, moment, page
from sandbox.pictures import inspect
from sandbox.state import PEOPLE, Image, Person, State

POSTS = "app.bsky.feed.post"
EXTERNAL = "app.bsky.embed.external"
MAX_GRAPHEMES, MAX_BYTES, MAX_IMAGES, MAX_TAG = 300, 3000, 4, 64
MAX_IMAGE_BYTES = 1_000_000
MAX_LANGUAGES = 3
REFRESH_SECONDS = 90 * 86400
GRACE_SECONDS = 2 * 3600
_APP_PASSWORD = re.compile(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_KEY = re.compile(r"[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}")
WRONG = "0000-0000-0000-0000"
"""The only well-formed app password that is refused."""


@dataclass(frozen=True)
class Session:
    """One refresh token. `next`: the id of its successor, returned again within the grace period."""

    table: ClassVar[str] = "bluesky_sessions"
    lasting: ClassVar[bool] = True
    id: str
    person: str
    expires_at: float
    next: str = ""
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True)
class Secret:
    """The key that signs tokens, stored so that they outlive a restart."""

    table: ClassVar[str] = "bluesky_secret"
    lasting: ClassVar[bool] = True
    value: str

    @property
    def key(self) -> str:
        return "secret"


@dataclass(frozen=True)
class Record:
    """`images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "bluesky_records"
    lasting: ClassVar[bool] = False
    rkey: str
    person: str
    value: dict[str, Any]
    images: list[list[str]]
    created_at: float
    arrived_at: float
    deleted: bool = False

    @property
    def key(self) -> str:
        return f"{self.person}/{self.rkey}"


def refuse(status: int, name: str, message: str = "") -> Refusal:
    return Refusal(xrpc_problem(status, name, message))


def handle_of(person: Person) -> str:
    return f"{person.sub}.test"


def did_of(person: Person) -> str:
    return "did:plc:" + base64.b32encode(hashlib.sha256(person.sub.encode()).digest()).decode().lower()[:24]


HANDLES = {handle_of(person): person for person in PEOPLE.values()}
DIDS = {did_of(person): person for person in PEOPLE.values()}


# Sessions


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _jwt(state: State, **told: Any) -> str:
    body = f"{_part({'typ': 'at+jwt', 'alg': 'HS256'})}.{_part(told)}"
    return f"{body}.{_seal(state, body)}"


def _seal(state: State, body: str) -> str:
    kept = state.table(Secret)
    if not kept:
        state.keep(Secret(secrets.token_hex(32)))
    [secret] = kept.values()
    sealed = hashlib.blake2b(body.encode(), key=bytes.fromhex(secret.value), digest_size=32).digest()
    return base64.urlsafe_b64encode(sealed).decode()


def _told(request: Request, state: State, scope: str) -> dict[str, Any]:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or not token:
        raise refuse(401, "AuthMissing", "Authentication Required")
    body, _, seal = token.rpartition(".")
    if not secrets.compare_digest(_seal(state, body), seal):
        raise refuse(400, "InvalidToken", "Token could not be verified")
    part = body.split(".")[1]
    told: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    if told["scope"] != scope:
        raise refuse(400, "InvalidToken", "Bad token scope")
    if told["exp"] < time.time():
        raise refuse(400, "ExpiredToken", "Token has expired")
    return told


def person_of(request: Request, state: State) -> Person:
    """Return the access token's person. Only signature, scope and expiry count: it outlives its session."""
    return DIDS[_told(request, state, "com.atproto.appPass")["sub"]]


def _session(state: State, person: Person, session: Session) -> dict[str, Any]:
    now, did = time.time(), did_of(person)
    access = {"scope": "com.atproto.appPass", "sub": did, "exp": int(now + state.settings.session_seconds)}
    refresh = {"scope": "com.atproto.refresh", "sub": did, "jti": session.id, "exp": int(session.expires_at)}
    tokens = {
        "accessJwt": _jwt(state, **access, iat=now, nonce=secrets.token_hex(4)),
        "refreshJwt": _jwt(state, **refresh),
    }
    return {"did": did, "handle": handle_of(person), "active": True, **tokens}


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "InvalidRequest", "Request body is no JSON") from error
    if not isinstance(body, dict):
        raise refuse(400, "InvalidRequest", "Input must be an object")
    return body


async def create_session(request: Request, state: State) -> Response:
    body = await _body(request)
    person, password = HANDLES.get(str(body.get("identifier")).lower()), str(body.get("password"))
    if person is None or password == WRONG or not _APP_PASSWORD.fullmatch(password):
        raise refuse(401, "AuthenticationRequired", "Invalid identifier or password")
    session = Session(secrets.token_urlsafe(16), person.sub, time.time() + REFRESH_SECONDS)
    state.keep(session)
    return JSONResponse(_session(state, person, session))


async def refresh_session(request: Request, state: State) -> Response:
    told, now = _told(request, state, "com.atproto.refresh"), time.time()
    session = state.table(Session).get(told["jti"])
    if session is None or session.revoked or session.expires_at < now:
        raise refuse(400, "ExpiredToken", "Token has been revoked")
    following = state.table(Session).get(session.next)
    if following is None:
        following = Session(secrets.token_urlsafe(16), session.person, now + REFRESH_SECONDS)
        state.keep(following)
        state.keep(replace(session, next=following.id, expires_at=min(session.expires_at, now + GRACE_SECONDS)))
    return JSONResponse(_session(state, PEOPLE[session.person], following))


async def delete_session(request: Request, state: State) -> Response:
    session = state.table(Session).get(_told(request, state, "com.atproto.refresh")["jti"])
    if session is not None:
        state.keep(replace(session, revoked=True))
    return Response(status_code=200)


async def get_session(request: Request, state: State) -> Response:
    person = person_of(request, state)
    return JSONResponse({"did": did_of(person), "handle": handle_of(person), "active": True})


async def get_profile(request: Request, state: State) -> Response:
    person_of(request, state)
    actor = request.query_params.get("actor", "")
    person = DIDS.get(actor) or HANDLES.get(actor)
    if person is None:
        raise refuse(400, "InvalidRequest", "Profile not found")
    avatar = f"{origin(request)}/sandbox/pictures/{person.sub}.svg"
    told = {"did": did_of(person), "handle": handle_of(person), "displayName": person.name, "avatar": avatar}
    return JSONResponse(told)


async def resolve_handle(request: Request, state: State) -> Response:
    person = HANDLES.get(request.query_params.get("handle", "").lower())
    if person is None:
        raise refuse(400, "InvalidRequest", "Unable to resolve handle")
    return JSONResponse({"did": did_of(person)})


# Blobs


async def upload_blob(request: Request, state: State) -> Response:
    person, data = person_of(request, state), await request.body()
    if not request.headers.get("content-type"):
        raise refuse(400, "InvalidRequest", "Request encoding (Content-Type) required but not provided")
    if len(data) > MAX_IMAGE_BYTES:
        raise refuse(400, "BlobTooLarge", f"This file is too large. It is {len(data)} bytes")
    cid = "bafkrei" + base64.b32encode(hashlib.sha256(data).digest()).decode().lower().rstrip("=")
    path = state.image_file(cid)
    path.write_bytes(data)
    try:
        with path.open("rb") as file:
            media_type, _, _ = inspect(file)
    except ValueError as error:
        path.unlink()
        raise refuse(400, "InvalidMimeType", "Wrong type of file") from error
    # the same bytes are the same blob for every uploader
    state.add_image(Image(cid, person.sub, 0.0, media_type=media_type, uploaded_at=time.time()))
    blob = {"$type": "blob", "ref": {"$link": cid}, "mimeType": media_type, "size": len(data)}
    return JSONResponse({"blob": blob})


# Records


async def create_record(request: Request, state: State) -> Response:
    person, body = person_of(request, state), await _body(request)
    _own(person, body)
    rkey, value = body.get("rkey"), body.get("record")
    if not isinstance(rkey, str) or not _KEY.fullmatch(rkey):
        raise refuse(400, "InvalidRequest", f"Invalid record key for {POSTS}")
    if not isinstance(value, dict):
        raise refuse(400, "InvalidRequest", "Input/record must be an object")
    images = _checked(state, value)
    if f"{person.sub}/{rkey}" in state.table(Record) and not state.table(Record)[f"{person.sub}/{rkey}"].deleted:
        raise refuse(500, "InternalServerError", "Internal Server Error")  # "There is already a value at key"
    now = time.time()
    record = Record(rkey, person.sub, value, images, now, request.scope.get(ARRIVED_AT, now))
    fault: Fault | None = request.scope.get(FAULT)
    state.keep(replace(record, deleted=fault is not None and fault.kind is FaultKind.vanish))
    if fault is not None and fault.kind is FaultKind.no_id:
        return JSONResponse({})
    return JSONResponse({"uri": _uri(record), "cid": "bafyrei" + "a" * 52, "validationStatus": "valid"})


def _own(person: Person, body: dict[str, Any]) -> None:
    if body.get("repo") not in (did_of(person), handle_of(person)):
        raise refuse(401, "AuthenticationRequired", "Authentication Required")
    if body.get("collection") != POSTS:
        raise refuse(400, "InvalidRequest", "The sandbox keeps posts alone")


def _checked(state: State, value: dict[str, Any]) -> list[list[str]]:
    """Return the images of a record that is valid by its lexicon, else raise Refusal."""
    text = value.get("text")
    if value.get("$type") != POSTS or not isinstance(text, str):
        raise _invalid("Record/text must be a string")
    if len(text.encode()) > MAX_BYTES:
        raise _invalid(f"Record/text must not be longer than {MAX_BYTES} characters")
    if len(regex.findall(r"\X", text)) > MAX_GRAPHEMES:
        raise _invalid(f"Record/text must not be longer than {MAX_GRAPHEMES} graphemes")
    try:
        datetime.fromisoformat(str(value.get("createdAt")))
    except ValueError as error:
        raise _invalid("Record/createdAt must be an valid atproto datetime") from error
    languages = value.get("langs", [])
    if not isinstance(languages, list) or len(languages) > MAX_LANGUAGES:
        raise _invalid(f"Record/langs must not have more than {MAX_LANGUAGES} elements")
    if not all(isinstance(one, str) and _LANGUAGE.fullmatch(one) for one in languages):
        raise _invalid("Record/langs must be well-formed BCP 47 language tags")
    for facet in value.get("facets", []):
        _facet(text.encode(), facet)
    embed = value.get("embed")
    if embed is None:
        return []
    if embed.get("$type") == EXTERNAL:
        return _external(state, embed.get("external"))
    listed = embed.get("images") if embed.get("$type") == "app.bsky.embed.images" else None
    if not isinstance(listed, list) or len(listed) > MAX_IMAGES:
        raise _invalid(f"Record/embed/images must not have more than {MAX_IMAGES} elements")
    return [_image(state, one) for one in listed]


def _external(state: State, card: object) -> list[list[str]]:
    """Check a link card. Return its picture as (id, alt text), if any."""
    told = card if isinstance(card, dict) else {}
    for name in ("uri", "title", "description"):
        if not isinstance(told.get(name), str):
            raise _invalid(f'Record/embed/external must have the property "{name}"')
    if not is_web_address(told["uri"]):
        raise _invalid("Record/embed/external/uri must be a uri")
    return [[_blob(state, told["thumb"]), ""]] if "thumb" in told else []


def _facet(text: bytes, facet: dict[str, Any]) -> None:
    start, end = facet["index"]["byteStart"], facet["index"]["byteEnd"]
    if not 0 <= start < end <= len(text):
        raise _invalid("Record/facets: an index is out of the text")
    try:
        text[start:end].decode()
    except UnicodeDecodeError as error:
        raise _invalid("Record/facets: an index is inside of a character") from error
    for feature in facet["features"]:
        kind = feature.get("$type", "").removeprefix("app.bsky.richtext.facet#")
        if kind == "tag" and len(regex.findall(r"\X", feature.get("tag", ""))) > MAX_TAG:
            raise _invalid(f"Record/facets/tag must not be longer than {MAX_TAG} graphemes")
        needs = {"link": "uri", "tag": "tag", "mention": "did"}.get(kind)
        if needs is None or not feature.get(needs):
            raise _invalid("Record/facets: a feature is none")


def _image(state: State, one: dict[str, Any]) -> list[str]:
    alt = one.get("alt")
    if not isinstance(alt, str):
        raise _invalid('Record/embed/images must have the property "alt"')
    return [_blob(state, one.get("image", {})), alt]


def _blob(state: State, blob: dict[str, Any]) -> str:
    """Return the id of an uploaded blob. Raise Refusal if it is unknown or its type or size differs."""
    cid: str = blob.get("ref", {}).get("$link", "")
    found = state.images.get(cid)
    if found is None:
        raise refuse(400, "InvalidRequest", f"Could not find blob: {cid}")
    if blob.get("mimeType") != found.media_type or blob.get("size") != state.image_file(cid).stat().st_size:
        raise refuse(400, "InvalidRequest", "Referenced mimetype or size does not match stored blob")
    return cid


def _invalid(message: str) -> Refusal:
    return refuse(400, "InvalidRequest", f"Invalid {POSTS} record: {message}")


def _uri(record: Record) -> str:
    return f"at://{did_of(PEOPLE[record.person])}/{POSTS}/{record.rkey}"


async def get_record(request: Request, state: State) -> Response:
    query = request.query_params
    person = DIDS.get(query.get("repo", "")) or HANDLES.get(query.get("repo", ""))
    record = state.table(Record).get(f"{person.sub if person else ''}/{query.get('rkey', '')}")
    if record is None or record.deleted or query.get("collection") != POSTS:
        raise refuse(400, "RecordNotFound", f"Could not locate record: {query.get('rkey', '')}")
    return JSONResponse({"uri": _uri(record), "cid": "bafyrei" + "a" * 52, "value": record.value})


async def delete_record(request: Request, state: State) -> Response:
    person, body = person_of(request, state), await _body(request)
    _own(person, body)
    record = state.table(Record).get(f"{person.sub}/{body.get('rkey')}")
    if record is not None:
        state.keep(replace(record, deleted=True))
    return JSONResponse({})


Handler = Callable[[Request, State], Awaitable[Response]]
HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "com.atproto.server.createSession", create_session),
    ("POST", "com.atproto.server.refreshSession", refresh_session),
    ("POST", "com.atproto.server.deleteSession", delete_session),
    ("GET", "com.atproto.server.getSession", get_session),
    ("GET", "com.atproto.identity.resolveHandle", resolve_handle),
    ("GET", "app.bsky.actor.getProfile", get_profile),
    ("POST", "com.atproto.repo.uploadBlob", upload_blob),
    ("POST", "com.atproto.repo.createRecord", create_record),
    ("GET", "com.atproto.repo.getRecord", get_record),
    ("POST", "com.atproto.repo.deleteRecord", delete_record),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    for method, name, handler in HANDLERS:
        router.add_api_route(f"/xrpc/{name}", _endpoint(handler, state), methods=[method], response_model=None)

    @router.get("/profile/{name}")
    async def posts_of_account(request: Request, name: str) -> Response:
        text, person = Text(language(request)), DIDS.get(name) or HANDLES.get(name)
        if person is None:
            return missing(text)
        cards = "".join(card(text, one) for one in live(state) if one.person == person.sub)
        listed = cards or f'<p class="card">{text("no_posts")}</p>'
        title = text.escape(person.name)
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{listed}", live=True))

    @router.get("/profile/{name}/post/{rkey}")
    async def permalink(request: Request, name: str, rkey: str) -> Response:
        text, person = Text(language(request)), DIDS.get(name) or HANDLES.get(name)
        record = state.table(Record).get(f"{person.sub if person else ''}/{rkey}")
        if record is None or record.deleted:
            return missing(text)
        title = f"{text('post_by')} {text.escape(PEOPLE[record.person].name)}"
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{card(text, record)}"))

    @router.get("/bluesky")
    async def people(request: Request) -> Response:
        """The handles that can sign in."""
        text = Text(language(request))
        rows = "".join(
            f"<li><strong>{text.escape(handle)}</strong> <span>{text.escape(person.name)}</span></li>"
            for handle, person in HANDLES.items()
        )
        body = f'<h1>{text("bluesky")}</h1><p>{text("bluesky_intro")}</p><ul class="rows">{rows}</ul>'
        return HTMLResponse(page(text, text("bluesky"), body))

    return router


def _endpoint(handler: Handler, state: State) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await handler(request, state)

    return endpoint


def live(state: State) -> list[Record]:
    """Return the records that are not deleted, newest first."""
    return [one for one in reversed(state.table(Record).values()) if not one.deleted]


def card(text: Text, record: Record) -> str:
    person = PEOPLE[record.person]
    images = "".join(
        f'<img src="/sandbox/images/{found}" alt="{text.escape(alt)}" loading="lazy">' for found, alt in record.images
    )
    shown = f'<div class="images">{images}</div>' if images else ""
    if told := _article(record):
        shown = link_card(told, f"/sandbox/images/{told['thumbnail']}" if "thumbnail" in told else "")
    handle = handle_of(person)
    return f"""<article class="card"><div class="author"><img src="/sandbox/pictures/{person.sub}.svg" alt="">
<div><strong>{text.escape(person.name)}</strong> <span><a href="/profile/{handle}/post/{record.rkey}">
{moment(record.created_at)}</a> · @{handle} · Bluesky</span></div></div>
<p class="text">{_rich(record.value)}</p>{shown}</article>"""


def _article(record: Record) -> dict[str, str] | None:
    """Return the record's link card, if any."""
    told = (record.value.get("embed") or {}).get("external")
    if told is None:
        return None
    shown = {"source": told["uri"], "title": told["title"], "description": told["description"]}
    return {**shown, "thumbnail": record.images[0][0]} if record.images else shown


def _rich(value: dict[str, Any]) -> str:
    """Return the text as HTML. Only its facets are links and tags: the network detects none itself."""
    data, at, parts = value["text"].encode(), 0, []
    for facet in sorted(value.get("facets", []), key=lambda one: one["index"]["byteStart"]):
        start, end, feature = facet["index"]["byteStart"], facet["index"]["byteEnd"], facet["features"][0]
        marked = Text.escape(data[start:end].decode())
        address = feature.get("uri") or (f"/profile/{feature['did']}" if "did" in feature else "")
        link = f'<a href="{Text.escape(address)}" rel="noreferrer">{marked}</a>'
        parts += [Text.escape(data[at:start].decode()), link if address else f'<span class="tag">{marked}</span>']
        at = end
    return "".join([*parts, Text.escape(data[at:].decode())])


def _as_json(record: Record, base: str) -> dict[str, Any]:
    person = PEOPLE[record.person]
    return {
        "id": _uri(record),
        "author": did_of(person),
        "author_name": person.name,
        "text": record.value["text"],
        "commentary": record.value["text"],
        "facets": record.value.get("facets", []),
        "langs": record.value.get("langs", []),
        "visibility": "PUBLIC",
        "images": [
            {"id": one, "alt_text": alt, "url": f"{base}/sandbox/images/{one}"}
            for one, alt in record.images
            if _article(record) is None
        ],
        "article": _article(record),
        "created_at": iso(record.created_at),
        "arrived_at": record.arrived_at,
        "permalink": f"{base}/profile/{did_of(person)}/post/{record.rkey}",
        "deleted": record.deleted,
    }


NETWORK = Network(
    shown=lambda state, text: [(one.created_at, card(text, one)) for one in live(state)],
    as_json=lambda state, base: [_as_json(one, base) for one in state.table(Record).values()],
)
