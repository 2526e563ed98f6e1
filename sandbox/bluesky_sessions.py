"""Sessions and people of the stand-in for a Bluesky server."""

import base64
import hashlib
import json
import re
import secrets
import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.bluesky_problems import refuse
from sandbox.cards import picture_of
from sandbox.http import Handler, origin
from sandbox.people import PEOPLE, Person
from sandbox.state import Row, State

REFRESH_SECONDS = 90 * 86400
GRACE_SECONDS = 2 * 3600
SERVICE_SECONDS = 3600
SERVICE = "service"
"""Scope of a token for another service."""
_APP_PASSWORD = re.compile(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}")
WRONG = "0000-0000-0000-0000"
"""The only well-formed app password that is refused."""


@dataclass(frozen=True)
class Session(Row):
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
class Secret(Row):
    """The key that signs tokens, stored so that they outlive a restart."""

    table: ClassVar[str] = "bluesky_secret"
    lasting: ClassVar[bool] = True
    value: str

    @property
    def key(self) -> str:
        return "secret"


def handle_of(person: Person) -> str:
    return f"{person.sub}.test"


def did_of(person: Person) -> str:
    return "did:plc:" + base64.b32encode(hashlib.sha256(person.sub.encode()).digest()).decode().lower()[:24]


HANDLES = {handle_of(person): person for person in PEOPLE.values()}
DIDS = {did_of(person): person for person in PEOPLE.values()}


def _encode(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _jwt(state: State, **claims: Any) -> str:
    body = f"{_encode({'typ': 'at+jwt', 'alg': 'HS256'})}.{_encode(claims)}"
    return f"{body}.{_sign(state, body)}"


def _sign(state: State, body: str) -> str:
    if not state.table(Secret):
        state.save(Secret(secrets.token_hex(32)))
    [secret] = state.table(Secret).values()
    digest = hashlib.blake2b(body.encode(), key=bytes.fromhex(secret.value), digest_size=32).digest()
    return base64.urlsafe_b64encode(digest).decode()


def _claims(request: Request, state: State, scope: str) -> dict[str, Any]:
    """Return the claims of the request's token. Raise Refusal if it is invalid, expired or of another scope."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or not token:
        raise refuse(401, "AuthMissing", "Authentication Required")
    body, _, signature = token.rpartition(".")
    if not secrets.compare_digest(_sign(state, body), signature):
        raise refuse(400, "InvalidToken", "Token could not be verified")
    part = body.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    if claims["scope"] != scope:
        raise refuse(400, "InvalidToken", "Bad token scope")
    if claims["exp"] < time.time():
        raise refuse(400, "ExpiredToken", "Token has expired")
    return claims


def person_of(request: Request, state: State) -> Person:
    """Return the access token's person. Only signature, scope and expiry count: it outlives its session."""
    return DIDS[_claims(request, state, "com.atproto.appPass")["sub"]]


def _session_body(state: State, person: Person, session: Session) -> dict[str, Any]:
    now, did = time.time(), did_of(person)
    access = {"scope": "com.atproto.appPass", "sub": did, "exp": int(now + state.settings.session_seconds)}
    refresh = {"scope": "com.atproto.refresh", "sub": did, "jti": session.id, "exp": int(session.expires_at)}
    tokens = {
        "accessJwt": _jwt(state, **access, iat=now, nonce=secrets.token_hex(4)),
        "refreshJwt": _jwt(state, **refresh),
    }
    return {"did": did, "handle": handle_of(person), "active": True, **tokens}


async def read_body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "InvalidRequest", "Request body is no JSON") from error
    if not isinstance(body, dict):
        raise refuse(400, "InvalidRequest", "Input must be an object")
    return body


async def create_session(request: Request, state: State) -> Response:
    body = await read_body(request)
    person, password = HANDLES.get(str(body.get("identifier")).lower()), str(body.get("password"))
    if person is None or password == WRONG or not _APP_PASSWORD.fullmatch(password):
        raise refuse(401, "AuthenticationRequired", "Invalid identifier or password")
    session = Session(secrets.token_urlsafe(16), person.sub, time.time() + REFRESH_SECONDS)
    state.save(session)
    return JSONResponse(_session_body(state, person, session))


async def refresh_session(request: Request, state: State) -> Response:
    claims, now = _claims(request, state, "com.atproto.refresh"), time.time()
    session = state.table(Session).get(claims["jti"])
    if session is None or session.revoked or session.expires_at < now:
        raise refuse(400, "ExpiredToken", "Token has been revoked")
    following = state.table(Session).get(session.next)
    if following is None:
        following = Session(secrets.token_urlsafe(16), session.person, now + REFRESH_SECONDS)
        state.save(following)
        state.save(replace(session, next=following.id, expires_at=min(session.expires_at, now + GRACE_SECONDS)))
    return JSONResponse(_session_body(state, PEOPLE[session.person], following))


async def delete_session(request: Request, state: State) -> Response:
    session = state.table(Session).get(_claims(request, state, "com.atproto.refresh")["jti"])
    if session is not None:
        state.save(replace(session, revoked=True))
    return Response(status_code=200)


def get_session(request: Request, state: State) -> Response:
    person = person_of(request, state)
    server = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": origin(request)}
    document = {"id": did_of(person), "service": [server]}
    return JSONResponse({"did": did_of(person), "handle": handle_of(person), "active": True, "didDoc": document})


def get_service_auth(request: Request, state: State) -> Response:
    """Return a token with which another service may call one method of this server for the person."""
    person, query = person_of(request, state), request.query_params
    method, expires_at = query.get("lxm", ""), query.get("exp", "")
    if not query.get("aud", "").startswith("did:") or not method:
        raise refuse(400, "InvalidRequest", "aud must be a DID, and lxm a method")
    now = time.time()
    if not expires_at.isdigit() or not now < int(expires_at) <= now + SERVICE_SECONDS:
        raise refuse(400, "BadExpiration", "exp must be at most an hour from now")
    claims = {"scope": SERVICE, "sub": did_of(person), "aud": query["aud"], "lxm": method, "exp": int(expires_at)}
    return JSONResponse({"token": _jwt(state, **claims)})


def person_of_service_token(request: Request, state: State, method: str) -> Person:
    """Return the person for whom this server's token allows to call the method."""
    claims = _claims(request, state, SERVICE)
    host = request.url.netloc.replace(":", "%3A")
    if claims["aud"] != f"did:web:{host}" or claims["lxm"] != method:
        raise refuse(401, "BadJwtAudience", "jwt audience or method does not match")
    return DIDS[claims["sub"]]


async def get_profile(request: Request, state: State) -> Response:
    person_of(request, state)
    actor = request.query_params.get("actor", "")
    person = DIDS.get(actor) or HANDLES.get(actor)
    if person is None:
        raise refuse(400, "InvalidRequest", "Profile not found")
    avatar = origin(request) + picture_of(person.sub)
    return JSONResponse(
        {"did": did_of(person), "handle": handle_of(person), "displayName": person.name, "avatar": avatar}
    )


async def resolve_handle(request: Request, state: State) -> Response:
    person = HANDLES.get(request.query_params.get("handle", "").lower())
    if person is None:
        raise refuse(400, "InvalidRequest", "Unable to resolve handle")
    return JSONResponse({"did": did_of(person)})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/xrpc/com.atproto.server.createSession", create_session),
    ("POST", "/xrpc/com.atproto.server.refreshSession", refresh_session),
    ("POST", "/xrpc/com.atproto.server.deleteSession", delete_session),
    ("GET", "/xrpc/com.atproto.server.getSession", get_session),
    ("GET", "/xrpc/com.atproto.server.getServiceAuth", get_service_auth),
    ("GET", "/xrpc/com.atproto.identity.resolveHandle", resolve_handle),
    ("GET", "/xrpc/app.bsky.actor.getProfile", get_profile),
)
