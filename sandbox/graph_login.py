"""Sign-in of the stand-in for Meta: the login dialog, tokens and permissions."""

import time

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox.consent import consent_page, redirect_problem, refused_page
from sandbox.graph_problems import refuse
from sandbox.graph_tokens import POSTING_TASKS, GraphToken, new_token, revoke_person, token_value, user_token
from sandbox.http import Handler, with_query
from sandbox.people import PAGES, PERSONAS, Persona
from sandbox.state import State
from sandbox.texts import Text

SCOPES = {
    "pages_show_list": ("see a list of the pages you manage", "eine Liste deiner Seiten sehen"),
    "pages_read_engagement": ("read what your pages post", "lesen, was deine Seiten veröffentlichen"),
    "pages_manage_posts": ("post as your pages", "als deine Seiten Beiträge veröffentlichen"),
    "instagram_basic": ("see your professional Instagram account", "dein Business-Konto bei Instagram sehen"),
    "instagram_content_publish": ("post to Instagram for you", "für dich bei Instagram veröffentlichen"),
    "instagram_manage_comments": ("comment on Instagram for you", "für dich bei Instagram kommentieren"),
    "pages_manage_engagement": ("comment as your pages", "als deine Seiten kommentieren"),
    "business_management": ("see pages of your business", "die Seiten deines Unternehmens sehen"),
}
SHORT_SECONDS = 5400
DATA_ACCESS_SECONDS = 90 * 86400


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<id>` or `sandbox_cancel=1` answers without it;
    `sandbox_decline=<scope>` declines a scope."""
    query = dict(request.query_params)
    text = Text.of(request)
    redirect_uri, scopes = query.get("redirect_uri", ""), [one for one in query.get("scope", "").split(",") if one]
    if reason := redirect_problem(query) or _scope_problem(scopes):
        return refused_page(text, reason)
    returned = {"state": query["state"]} if "state" in query else {}
    if "sandbox_cancel" in query:
        failure = {
            "error": "access_denied",
            "error_code": "200",
            "error_reason": "user_denied",
            "error_description": "Permissions error",
        }
        return RedirectResponse(with_query(redirect_uri, {**failure, **returned}), 302)
    if (person := PERSONAS.get(query.get("sandbox_person", ""))) is not None:
        declined = {*person.declines, *query.get("sandbox_decline", "").split(",")}
        granted = [scope for scope in scopes if scope not in declined]
        code = state.new_code(query["client_id"], redirect_uri, person.id, granted)
        return RedirectResponse(with_query(redirect_uri, {"code": code, **returned}) + "#_=_", 302)
    return consent_page(
        text,
        "graph_consent",
        query,
        redirect_uri=redirect_uri,
        permissions=[SCOPES[scope][text.code == "de"] for scope in scopes],
        people=[(person.id, person.name, _access(text, person)) for person in PERSONAS.values()],
    )


def _scope_problem(scopes: list[str]) -> str:
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        return f"Invalid Scopes: {', '.join(unknown)}"
    return "" if scopes else "scope is missing"


def _access(text: Text, person: Persona) -> str:
    """Return a person's pages, too low roles and declined scopes, so that each outcome can be chosen."""
    notes = [
        f"{text('page')} {text.escape(PAGES[page_id].name)}"
        + ("" if not POSTING_TASKS.isdisjoint(tasks) else f" ({text('role_too_low')})")
        for page_id, tasks in person.tasks.items()
    ]
    notes += [text("declines")] if person.declines else []
    return " · ".join(notes) or text("without_page")


def issue_token(request: Request, state: State) -> Response:
    query = request.query_params
    client_id = query.get("client_id", "")
    if not state.knows_client(client_id, query.get("client_secret", "")):
        raise refuse(101, None, "Error validating client secret.")
    if query.get("grant_type") == "fb_exchange_token":
        return _exchange(query.get("fb_exchange_token", ""), client_id, state)
    code = state.codes.pop(query.get("code", ""), None)  # used up even if another check fails
    if code is None:
        raise refuse(100, 36009, "This authorization code has been used.")
    if code.expires_at <= time.time():
        raise refuse(100, 36007, "This authorization code has expired.")
    if (code.client_id, code.redirect_uri) != (client_id, query.get("redirect_uri")):
        raise refuse(100, 36008, "Error validating verification code. Please make sure your redirect_uri is identical")
    token = new_token(state, client_id, code.person, code.scopes, expires_at=time.time() + SHORT_SECONDS)
    return _token_response(token)


def _exchange(value: str, client_id: str, state: State) -> Response:
    short = state.table(GraphToken).get(value)
    if short is None or short.page or short.client_id != client_id:
        raise refuse(190, None, "Invalid OAuth access token.")
    if short.revoked or short.expires_at < time.time():
        raise refuse(190, 463)
    ends = time.time() + state.settings.graph_token_seconds
    return _token_response(new_token(state, client_id, short.person, short.scopes, expires_at=ends, long=True))


def _token_response(token: GraphToken) -> Response:
    seconds = round(token.expires_at - token.created_at)
    return JSONResponse({"access_token": token.access, "token_type": "bearer", "expires_in": seconds})


def _app_of(value: str, state: State) -> str:
    """Return the id of the app whose token (`id|secret`) that is. Raise Refusal if it is wrong."""
    client_id, _, secret = value.partition("|")
    if not state.knows_client(client_id, secret):
        raise refuse(190, None, "Invalid OAuth access token signature.")
    return client_id


def debug_token(request: Request, state: State) -> Response:
    client_id = _app_of(token_value(request), state)
    token = state.table(GraphToken).get(request.query_params.get("input_token", ""))
    if token is None or token.client_id != client_id:
        error = {"code": 190, "message": "Invalid OAuth access token - Cannot parse access token"}
        return JSONResponse({"data": {"error": error, "is_valid": False, "scopes": []}})
    pages = [token.page] if token.page else [*PERSONAS[token.person].tasks]
    named = token.page is not None or "business_management" not in token.scopes
    valid = not token.revoked and (not token.expires_at or token.expires_at > time.time())
    return JSONResponse(
        {
            "data": {
                "app_id": client_id,
                "type": "PAGE" if token.page else "USER",
                "is_valid": valid,
                "expires_at": int(token.expires_at),
                "data_access_expires_at": int(token.created_at + DATA_ACCESS_SECONDS),
                "scopes": token.scopes,
                "granular_scopes": [
                    # with business_management all pages are allowed, and Meta names none
                    {"scope": scope, **({"target_ids": pages} if scope.startswith("pages_") and named else {})}
                    for scope in token.scopes
                ],
                "user_id": token.person,
            }
        }
    )


def list_permissions(request: Request, state: State) -> Response:
    token = user_token(request, state)
    person = PERSONAS[token.person]
    rows = [{"permission": scope, "status": "granted"} for scope in token.scopes]
    rows += [{"permission": scope, "status": "declined"} for scope in person.declines if scope not in token.scopes]
    return JSONResponse({"data": rows})


def revoke_permissions(request: Request, state: State) -> Response:
    """Revoke all tokens of a person for the app, page tokens too; with the person's token or the app's."""
    value, wanted = token_value(request), request.path_params["person"]
    if "|" in value:
        client_id, person = _app_of(value, state), wanted
    else:
        token = user_token(request, state)
        client_id, person = token.client_id, token.person
        if wanted not in ("me", person):
            raise refuse(100, 33)
    if person not in PERSONAS:
        raise refuse(100, 33)
    revoke_person(state, person, client_id)
    return JSONResponse({"success": True})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/dialog/oauth", consent),
    ("GET", "/oauth/access_token", issue_token),
    ("GET", "/debug_token", debug_token),
    ("GET", "/me/permissions", list_permissions),
    ("DELETE", "/{person}/permissions", revoke_permissions),
)
