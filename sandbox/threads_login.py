"""Sign-in of the stand-in for Threads: the consent page and tokens, which renew themselves."""

import secrets
import time
from dataclasses import dataclass, replace
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.consent import consent_page, redirect_problem, refused_page
from sandbox.graph_problems import refuse
from sandbox.http import Handler, bearer, form_fields, with_query
from sandbox.people import PEOPLE, THREADS, ThreadsAccount
from sandbox.state import Row, State
from sandbox.texts import Text

SCOPES = {
    "threads_basic": ("see your Threads profile and posts", "dein Threads-Profil und deine Beiträge sehen"),
    "threads_content_publish": ("post to Threads for you", "für dich bei Threads veröffentlichen"),
    "threads_delete": ("delete your posts", "deine Beiträge löschen"),
}
SHORT_SECONDS = 3600


@dataclass(frozen=True)
class ThreadsToken(Row):
    """A person's token, short-lived or long-lived. Times are epoch seconds."""

    table: ClassVar[str] = "threads_tokens"
    lasting: ClassVar[bool] = True
    access: str
    client_id: str
    person: str
    scopes: list[str]
    created_at: float
    expires_at: float
    long: bool = False
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access


def account_of(person: str) -> ThreadsAccount:
    return next(one for one in THREADS.values() if one.person == person)


def revoke_person(state: State, person: str) -> int:
    """Revoke all tokens of a person. Return how many were active."""
    active = [one for one in state.table(ThreadsToken).values() if one.person == person and not one.revoked]
    for token in active:
        state.save(replace(token, revoked=True))
    return len(active)


def token_of(request: Request, state: State, scope: str) -> ThreadsToken:
    """Return the request's token. Raise Refusal if it is missing, unknown, revoked or expired, or lacks the scope."""
    token = _usable(bearer(request) or request.query_params.get("access_token", ""), state)
    if scope not in token.scopes:
        raise refuse(10, None, f"(#10) Application does not have permission for this action: {scope}")
    return token


def _usable(value: str, state: State) -> ThreadsToken:
    if not value:
        raise refuse(2500, None, "An active access token must be used to query information about the current user.")
    token = state.table(ThreadsToken).get(value)
    if token is None:
        raise refuse(190, None, "Invalid OAuth access token - Cannot parse access token", 401)
    if token.revoked:
        raise refuse(190, 458)
    if token.expires_at < time.time():
        raise refuse(190, 463)
    return token


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<id>` or `sandbox_cancel=1` answers without it."""
    query, text = dict(request.query_params), Text.of(request)
    redirect_uri, scopes = query.get("redirect_uri", ""), [one for one in query.get("scope", "").split(",") if one]
    if reason := redirect_problem(query) or _scope_problem(scopes):
        return refused_page(text, reason)
    returned = {"state": query["state"]} if "state" in query else {}
    if "sandbox_cancel" in query:
        failure = {"error": "access_denied", "error_reason": "user_denied", "error_description": "Permissions error"}
        return RedirectResponse(with_query(redirect_uri, {**failure, **returned}), 302)
    if (person := query.get("sandbox_person", "")) in PEOPLE:
        code = state.new_code(query["client_id"], redirect_uri, person, scopes)
        return RedirectResponse(with_query(redirect_uri, {"code": code, **returned}) + "#_", 302)
    return consent_page(
        text,
        "threads_consent",
        query,
        redirect_uri=redirect_uri,
        permissions=[SCOPES[scope][text.code == "de"] for scope in scopes],
        people=[(one.person, PEOPLE[one.person].name, f"@{one.username}") for one in THREADS.values()],
    )


def _scope_problem(scopes: list[str]) -> str:
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        return f"Invalid Scopes: {', '.join(unknown)}"
    return "" if "threads_basic" in scopes else "threads_basic is missing"


async def issue_token(request: Request, state: State) -> Response:
    """Issue a short-lived token for a code."""
    form = await form_fields(request)
    client_id = form.get("client_id", "")
    if not state.knows_client(client_id, form.get("client_secret", "")):
        raise refuse(101, None, "Error validating client secret.")
    if form.get("grant_type") != "authorization_code":
        raise refuse(100, None, "(#100) grant_type must be authorization_code")
    code = state.codes.pop(form.get("code", ""), None)  # used up even if another check fails
    if code is None:
        raise refuse(100, 36009, "This authorization code has been used.")
    if code.expires_at <= time.time():
        raise refuse(100, 36007, "This authorization code has expired.")
    if (code.client_id, code.redirect_uri) != (client_id, form.get("redirect_uri")):
        raise refuse(100, 36008, "Error validating verification code. Please make sure your redirect_uri is identical")
    token = _new_token(state, client_id, code.person, code.scopes, SHORT_SECONDS)
    # a number, unlike the id of the profile
    return JSONResponse({"access_token": token.access, "user_id": int(account_of(code.person).id)})


def exchange_token(request: Request, state: State) -> Response:
    """Exchange a short-lived token for a long-lived one."""
    query = request.query_params
    if query.get("grant_type") != "th_exchange_token":
        raise refuse(100, None, "(#100) grant_type must be th_exchange_token")
    token = _usable(query.get("access_token", ""), state)
    if not state.knows_client(token.client_id, query.get("client_secret", "")):
        raise refuse(101, None, "Error validating client secret.")
    if token.long:
        raise refuse(100, None, "(#100) The token is long-lived already")
    return _long_token(state, token)


def refresh_token(request: Request, state: State) -> Response:
    """Renew a long-lived token, which stays valid until its own end."""
    query = request.query_params
    if query.get("grant_type") != "th_refresh_token":
        raise refuse(100, None, "(#100) grant_type must be th_refresh_token")
    token = _usable(query.get("access_token", ""), state)
    if not token.long or time.time() < token.created_at + state.settings.threads_refresh_after_seconds:
        raise refuse(100, None, "(#100) Only long-lived tokens that are at least 24 hours old can be refreshed")
    return _long_token(state, token)


def _long_token(state: State, token: ThreadsToken) -> Response:
    seconds = state.settings.graph_token_seconds
    made = _new_token(state, token.client_id, token.person, token.scopes, seconds, long=True)
    return JSONResponse({"access_token": made.access, "token_type": "bearer", "expires_in": seconds})


def _new_token(
    state: State, client_id: str, person: str, scopes: list[str], seconds: int, *, long: bool = False
) -> ThreadsToken:
    now = time.time()
    token = ThreadsToken("TH" + secrets.token_urlsafe(48), client_id, person, scopes, now, now + seconds, long)
    state.save(token)
    return token


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/threads/oauth/authorize", consent),
    ("POST", "/threads/oauth/access_token", issue_token),
    ("GET", "/threads/access_token", exchange_token),
    ("GET", "/threads/refresh_access_token", refresh_token),
)
