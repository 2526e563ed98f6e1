"""Apps, consent and tokens of the stand-in for a Mastodon server."""

import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.consent import consent_page, refused_page
from sandbox.http import Handler, bearer, form_fields, with_query
from sandbox.linkedin_problems import oauth_problem
from sandbox.mastodon_problems import refuse
from sandbox.people import PEOPLE, Person
from sandbox.state import Row, State
from sandbox.texts import Text

SCOPES = {
    "read:accounts": ("see your account", "dein Konto sehen"),
    "read:statuses": ("read your posts", "deine Beiträge lesen"),
    "write:media": ("upload media", "Medien hochladen"),
    "write:statuses": ("publish posts", "Beiträge veröffentlichen"),
}


@dataclass(frozen=True)
class App(Row):
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
class Token(Row):
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


def username(person: Person) -> str:
    return person.sub.replace("-", "_")


def token_of(request: Request, state: State, scope: str) -> Token:
    """Return the request's token, of a person and with the scope. Raise Refusal without it."""
    token = state.table(Token).get(bearer(request))
    if token is None:
        raise refuse(401)
    if token.revoked:
        raise refuse(401, "The access token was revoked")
    if scope not in token.scopes and scope.partition(":")[0] not in token.scopes:
        raise refuse(403, "This action is outside the authorized scopes")
    if token.person is None:
        raise refuse(422, "This method requires an authenticated user")
    return token


async def read_body(request: Request) -> dict[str, Any]:
    """Return the request's JSON object or form."""
    if "json" not in request.headers.get("content-type", ""):
        return dict(await form_fields(request))
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "The body is no JSON") from error
    return body if isinstance(body, dict) else {}


async def add_app(request: Request, state: State) -> Response:
    body = await read_body(request)
    name, scopes = body.get("client_name"), str(body.get("scopes", "read")).split()
    uris = str(body.get("redirect_uris", "")).split()
    if not name:
        raise refuse(422, "Validation failed: Application name can't be blank")
    if not uris or not all(urlsplit(uri).scheme and urlsplit(uri).netloc for uri in uris):
        raise refuse(422, "Validation failed: Redirect URI must be an absolute URI.")
    if unknown := [scope for scope in scopes if scope not in SCOPES and scope not in ("read", "write")]:
        raise refuse(422, f"Validation failed: Scopes doesn't match configured on the server: {unknown[0]}")
    app = App(secrets.token_urlsafe(32), secrets.token_urlsafe(32), uris, scopes)
    state.save(app)
    return JSONResponse(
        {
            "id": str(len(state.table(App))),
            "name": name,
            "scopes": scopes,
            "redirect_uris": uris,
            "client_id": app.client_id,
            "client_secret": app.client_secret,
            "client_secret_expires_at": 0,
        }
    )


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
    query = dict(request.query_params)
    text = Text.of(request)
    app, uri = state.table(App).get(query.get("client_id", "")), query.get("redirect_uri", "")
    scopes = query.get("scope", "read").split()
    if app is None:
        return refused_page(text, "Client authentication failed due to unknown client")
    if uri not in app.redirect_uris:
        return refused_page(text, "The redirect URI included is not valid.")
    if query.get("response_type") != "code":
        return refused_page(text, "The authorization server does not support this response type.")
    if not set(scopes) <= set(app.scopes):
        return refused_page(text, "The requested scope is invalid, unknown, or malformed.")
    if query.get("code_challenge") and query.get("code_challenge_method") != "S256":
        return refused_page(text, "The code challenge method must be S256.")
    returned = {"state": query["state"]} if "state" in query else {}
    if "sandbox_cancel" in query:
        description = "The resource owner or authorization server denied the request."
        failure = {"error": "access_denied", "error_description": description}
        return RedirectResponse(with_query(uri, {**failure, **returned}), 302)
    if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
        code = state.new_code(app.client_id, uri, person.sub, scopes, query.get("code_challenge", ""))
        return RedirectResponse(with_query(uri, {"code": code, **returned}), 302)
    return consent_page(
        text,
        "mastodon_consent",
        query,
        redirect_uri=uri,
        permissions=[SCOPES[scope][text.code == "de"] for scope in scopes if scope in SCOPES],
        people=[(person.sub, person.name, f"@{username(person)}") for person in PEOPLE.values()],
    )


async def issue_token(request: Request, state: State) -> Response:
    form = await read_body(request)
    app = state.table(App).get(str(form.get("client_id", "")))
    if app is None or form.get("client_secret") != app.client_secret:
        return oauth_problem("invalid_client", "Client authentication failed due to unknown client", 401)
    person: str | None = None
    scopes = str(form.get("scope", "read")).split()
    if form.get("grant_type") == "authorization_code":
        code = state.codes.pop(str(form.get("code", "")), None)
        valid = (
            code is not None
            and (code.client_id, code.redirect_uri) == (app.client_id, form.get("redirect_uri"))
            and code.challenge in ("", _challenge(str(form.get("code_verifier", ""))))
        )
        if code is None or not valid:
            description = (
                "The provided authorization grant is invalid, expired, revoked, or was issued to another client."
            )
            return oauth_problem("invalid_grant", description)
        person, scopes = code.person, code.scopes
    elif form.get("grant_type") != "client_credentials":
        return oauth_problem("unsupported_grant_type", "The authorization grant type is not supported")
    token = _existing_token(state, app, person, scopes)
    if token is None:
        token = Token(secrets.token_urlsafe(32), app.client_id, person, scopes)
        state.save(token)
    return JSONResponse(
        {
            "access_token": token.access,
            "token_type": "Bearer",
            "scope": " ".join(scopes),
            "created_at": int(time.time()),
        }
    )


def _existing_token(state: State, app: App, person: str | None, scopes: list[str]) -> Token | None:
    """Return the person's existing token for the app, if tokens are reused."""
    if not state.settings.mastodon_reuses_tokens:
        return None
    wanted = (app.client_id, person, sorted(scopes), False)
    tokens = state.table(Token).values()
    return next((one for one in tokens if (one.client_id, one.person, sorted(one.scopes), one.revoked) == wanted), None)


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def revoke_token(request: Request, state: State) -> Response:
    form = await read_body(request)
    app = state.table(App).get(str(form.get("client_id", "")))
    found = state.table(Token).get(str(form.get("token", "")))
    authenticated = app is not None and form.get("client_secret") == app.client_secret
    if app is None or not authenticated or (found is not None and found.client_id != app.client_id):
        return oauth_problem("unauthorized_client", "You are not authorized to revoke this token", 403)
    if found is not None:
        state.save(replace(found, revoked=True))
    return JSONResponse({})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/api/v1/apps", add_app),
    ("GET", "/oauth/authorize", consent),
    ("POST", "/oauth/token", issue_token),
    ("POST", "/oauth/revoke", revoke_token),
)
