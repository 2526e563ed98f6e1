"""Sign-in of the stand-in for LinkedIn: the consent page and the token endpoints."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.consent import consent_page, redirect_problem, refused_page
from sandbox.http import Handler, form_fields, with_query
from sandbox.linkedin_problems import oauth_problem
from sandbox.linkedin_requests import POSTING_ROLES
from sandbox.linkedin_tokens import Token, find_by_refresh, new_token, revoke
from sandbox.people import ORGANISATIONS, PEOPLE, Person
from sandbox.state import State
from sandbox.texts import Text

SCOPES = {
    "openid": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "profile": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "email": ("use your e-mail address", "deine E-Mail-Adresse verwenden"),
    "r_basicprofile": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "w_member_social": ("post in your name", "in deinem Namen Beiträge veröffentlichen"),
    "w_organization_social": ("post as your pages", "als deine Seiten Beiträge veröffentlichen"),
    "r_organization_social": ("read your pages' posts", "die Beiträge deiner Seiten lesen"),
    "rw_organization_admin": ("see and manage your pages", "deine Seiten sehen und verwalten"),
    "w_member_social_feed": ("comment in your name", "in deinem Namen kommentieren"),
    "w_organization_social_feed": ("comment as your pages", "als deine Seiten kommentieren"),
    "r_organization_social_feed": ("read comments on your pages", "Kommentare auf deinen Seiten lesen"),
    "r_member_postAnalytics": ("read figures of your posts", "Zahlen zu deinen Beiträgen lesen"),
}
COMMUNITY_MANAGEMENT = {
    "w_member_social_feed",
    "w_organization_social_feed",
    "r_organization_social_feed",
    "r_member_postAnalytics",
}
"""Scopes of an app that LinkedIn has admitted to this API."""


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
    query = dict(request.query_params)
    text = Text.of(request)
    redirect_uri, scopes = query.get("redirect_uri", ""), query.get("scope", "").split()
    if reason := redirect_problem(query) or ("" if scopes else "scope is missing"):
        return refused_page(text, reason)
    returned = {"state": query["state"]} if "state" in query else {}
    admitted = state.settings.linkedin_community_management or "rw_organization_admin" in scopes
    known = SCOPES.keys() if admitted else SCOPES.keys() - COMMUNITY_MANAGEMENT
    if unknown := [scope for scope in scopes if scope not in known]:
        description = f'Scope "{unknown[0]}" is not authorized for your application'
        failure = {"error": "unauthorized_scope_error", "error_description": description}
        return RedirectResponse(with_query(redirect_uri, {**failure, **returned}), 302)
    if cancelled := query.get("sandbox_cancel"):
        step = "authorize" if cancelled == "authorize" else "login"
        failure = {"error": f"user_cancelled_{step}", "error_description": "The user cancelled LinkedIn login"}
        return RedirectResponse(with_query(redirect_uri, {**failure, **returned}), 302)
    if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
        code = state.new_code(query["client_id"], redirect_uri, person.sub, scopes)
        return RedirectResponse(with_query(redirect_uri, {"code": code, **returned}), 302)
    return consent_page(
        text,
        "consent",
        query,
        redirect_uri=redirect_uri,
        permissions=[SCOPES[scope][text.code == "de"] for scope in scopes],
        people=[(person.sub, person.name, _pages(text, person)) for person in PEOPLE.values()],
    )


def _pages(text: Text, person: Person) -> str:
    """Return the person's e-mail address and the pages that they may post to."""
    names = (ORGANISATIONS[page_id].name for page_id, role in person.roles.items() if role in POSTING_ROLES)
    return " · ".join([text.escape(person.email), *(f"{text('page')} {text.escape(name)}" for name in names)])


async def issue_token(request: Request, state: State) -> Response:
    form = await form_fields(request)
    client_id = form.get("client_id", "")
    if not state.knows_client(client_id, form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    if form.get("grant_type") == "authorization_code":
        code = state.codes.pop(form.get("code", ""), None)  # used up even if another check fails
        if code is None or code.expires_at <= time.time():
            return oauth_problem("invalid_grant", "Authorization code is unknown, used or expired")
        if (code.client_id, code.redirect_uri) != (client_id, form.get("redirect_uri")):
            return oauth_problem("invalid_grant", "appid/redirect uri does not match authorization code")
        token = new_token(state, client_id, code.person, code.scopes)
    elif form.get("grant_type") == "refresh_token":
        earlier = find_by_refresh(state, form.get("refresh_token", ""))
        if earlier is None or earlier.client_id != client_id:
            return oauth_problem("invalid_grant", "The provided refresh token is invalid, expired or revoked")
        token = new_token(state, client_id, earlier.person, earlier.scopes, earlier)
    else:
        return oauth_problem("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
    answer: dict[str, Any] = {
        "access_token": token.access,
        "expires_in": round(token.expires_at - token.created_at),
        "scope": ",".join(token.scopes),
        "token_type": "Bearer",
    }
    if token.refresh is not None and token.refresh_expires_at is not None:
        answer["refresh_token"] = token.refresh
        answer["refresh_token_expires_in"] = round(token.refresh_expires_at - token.created_at)
    return JSONResponse(answer)


async def revoke_token(request: Request, state: State) -> Response:
    form = await form_fields(request)
    if not state.knows_client(form.get("client_id", ""), form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    revoke(state, form.get("token", ""))
    return Response(status_code=200)


async def introspect(request: Request, state: State) -> Response:
    form = await form_fields(request)
    if not state.knows_client(form.get("client_id", ""), form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    token = state.table(Token).get(form.get("token", ""))
    if token is None or token.client_id != form.get("client_id"):
        return JSONResponse({"active": False})
    status = token.status(time.time())
    return JSONResponse(
        {
            "active": status == "active",
            "status": status,
            "scope": ",".join(token.scopes),
            "client_id": token.client_id,
            "created_at": int(token.created_at),
            "authorized_at": int(token.created_at),
            "expires_at": int(token.expires_at),
            "auth_type": "3L",
        }
    )


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/oauth/v2/authorization", consent),
    ("POST", "/oauth/v2/accessToken", issue_token),
    ("POST", "/oauth/v2/revoke", revoke_token),
    ("POST", "/oauth/v2/introspectToken", introspect),
)
