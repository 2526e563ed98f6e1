"""Stand-in for Meta's login dialog and Graph API, shared by its networks: consent, tokens, pages, errors."""

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import FAULT, GRAPH_MESSAGES, Fault, FaultKind, graph_problem
from sandbox.pages import Text, language, page
from sandbox.state import GraphToken, State

VERSIONS = ("v24.0", "v25.0", "v26.0")
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
MOST_ROWS = 100
FULL = 100
POSTING_TASKS = {"CREATE_CONTENT", "MANAGE"}


@dataclass(frozen=True)
class GraphPage:
    id: str
    name: str
    slug: str
    colour: str
    of_business: bool = False
    """Owned by a business portfolio: missing from `/me/accounts`."""


@dataclass(frozen=True)
class InstagramAccount:
    """A professional account, linked to a page."""

    id: str
    name: str
    page: str
    slug: str
    colour: str


@dataclass(frozen=True)
class Persona:
    """An invented Facebook user, with their tasks at each page and the scopes they decline."""

    id: str
    name: str
    tasks: Mapping[str, tuple[str, ...]]
    declines: tuple[str, ...] = ()


ALL_TASKS = ("ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MANAGE", "MODERATE")
PAGES = {
    one.id: one
    for one in (
        GraphPage("723701", "Lindqvist Coffee", "lindqvist-coffee", "#6b4a2b"),
        GraphPage("723702", "Radwerk Weber", "radwerk-weber", "#2f5fa8", of_business=True),
        GraphPage("723703", "Mara Lind Studio", "mara-lind-studio", "#a4472c"),
    )
}
BUSINESS = "990001"
"""The business portfolio that owns pages."""
INSTAGRAM = {
    one.id: one
    for one in (
        InstagramAccount("17841400000000001", "lindqvist.coffee", "723701", "lindqvist-coffee-ig", "#6b4a2b"),
        InstagramAccount("17841400000000003", "mara.lind.studio", "723703", "mara-lind-studio-ig", "#a4472c"),
    )
}
PERSONAS = {
    one.id: one
    for one in (
        Persona("ada-lindqvist", "Ada Lindqvist", {"723701": ALL_TASKS, "723702": ("ANALYZE", "CREATE_CONTENT")}),
        Persona("jonas-weber", "Jonas Weber", {"723702": ("ANALYZE",)}),
        Persona("mara-lind", "Mara Lind", {"723703": ALL_TASKS}),
        Persona("nils-brandt", "Nils Brandt", {}),
        Persona(
            "lea-hartmann",
            "Lea Hartmann",
            {"723701": ALL_TASKS},
            declines=("pages_manage_posts", "instagram_content_publish"),
        ),
        Persona("tove-berg", "Tove Berg", {"723702": ("ANALYZE", "CREATE_CONTENT")}),
    )
}


class GraphError(Exception):
    """A refusal with its answer."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def refuse(code: int, subcode: int | None = None, message: str | None = None, status: int = 400) -> GraphError:
    return GraphError(graph_problem(code, subcode, message, status))


# Authentication


def token_of(request: Request, state: State) -> GraphToken:
    """Return the request's token. Raise GraphError if it is missing, unknown, revoked or expired."""
    value = _bearer(request)
    token = state.graph_tokens.get(value)
    if not value:
        raise refuse(2500, None, "An active access token must be used to query information about the current user.")
    if token is None:
        raise refuse(190, None, "Invalid OAuth access token - Cannot parse access token", 401)
    if token.revoked:
        raise refuse(190, 458)
    if token.expires_at and token.expires_at < time.time():
        raise refuse(190, 463)
    return token


def user_token(request: Request, state: State) -> GraphToken:
    token = token_of(request, state)
    if token.page is not None:
        raise refuse(100, None, "(#100) A user access token is required to request this resource.")
    return token


def page_token(request: Request, state: State, page_id: str, scope: str) -> GraphToken:
    """Return the token to read or post as that page. Raise GraphError for a person's token, another page's, or one
    without the scope or task."""
    token = token_of(request, state)
    if page_id not in PAGES:
        raise refuse(100, 33)
    if token.page is None:
        raise refuse(200, None, "(#200) A page access token is required for this call for the new Pages experience.")
    if token.page != page_id:
        raise refuse(100, 33)
    need(token, scope)
    if POSTING_TASKS.isdisjoint(PERSONAS[token.person].tasks.get(page_id, ())):
        raise refuse(190, 492)
    return token


def need(token: GraphToken, scope: str) -> None:
    if scope not in token.scopes:
        raise refuse(200, None, f"(#200) Requires {scope} permission to manage the object")


def _bearer(request: Request) -> str:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return request.query_params.get("access_token", "")


def _app_of(value: str, state: State) -> str:
    """Return the id of the app whose token (`id|secret`) that is. Raise GraphError if it is wrong."""
    client_id, _, secret = value.partition("|")
    if not state.knows_client(client_id, secret):
        raise refuse(190, None, "Invalid OAuth access token signature.")
    return client_id


async def body_of(request: Request) -> dict[str, Any]:
    """Return the request's JSON object or form. Raise GraphError for invalid JSON."""
    raw = await request.body()
    if "json" in request.headers.get("content-type", ""):
        try:
            body = json.loads(raw)
        except ValueError as error:
            raise refuse(100, None, "(#100) The body is no JSON") from error
        if not isinstance(body, dict):
            raise refuse(100, None, "(#100) The body must be an object")
        return body
    return dict(parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True))


def origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")


# Consent


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<id>` or `sandbox_cancel=1` answers without it;
    `sandbox_decline=<scope>` declines a scope."""
    query = dict(request.query_params)
    text = Text(language(request))
    try:
        redirect_uri, scopes = _checked(query)
    except ValueError as error:
        body = f"<h1>{text('missing')}</h1><p>{text('wrong_link')}</p><p><code>{text.escape(error)}</code></p>"
        return HTMLResponse(page(text, text("missing"), body, navigation=False), 400)
    returned = {"state": query["state"]} if "state" in query else {}
    if "sandbox_cancel" in query:
        failure = {
            "error": "access_denied",
            "error_code": "200",
            "error_reason": "user_denied",
            "error_description": "Permissions error",
        }
        return RedirectResponse(_with(redirect_uri, {**failure, **returned}), 302)
    if (person := PERSONAS.get(query.get("sandbox_person", ""))) is not None:
        declined = {*person.declines, *query.get("sandbox_decline", "").split(",")}
        granted = [scope for scope in scopes if scope not in declined]
        code = state.new_code(query["client_id"], redirect_uri, person.id, granted)
        return RedirectResponse(_with(redirect_uri, {"code": code, **returned}) + "#_=_", 302)
    return HTMLResponse(_consent_page(text, query, redirect_uri, scopes))


def _checked(query: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return redirect URI and scopes of a valid request. Raise ValueError if it is invalid."""
    redirect_uri = query.get("redirect_uri", "")
    parts = urlsplit(redirect_uri)
    if parts.scheme not in ("http", "https") or not parts.netloc or "#" in redirect_uri:
        raise ValueError("redirect_uri must be absolute and without a fragment")
    if query.get("response_type") != "code":
        raise ValueError("response_type must be code")
    if not query.get("client_id"):
        raise ValueError("client_id is missing")
    scopes = [scope for scope in query.get("scope", "").split(",") if scope]
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        raise ValueError(f"Invalid Scopes: {', '.join(unknown)}")
    if not scopes:
        raise ValueError("scope is missing")
    return redirect_uri, scopes


def _with(uri: str, parameters: dict[str, str]) -> str:
    return f"{uri}{'&' if '?' in uri else '?'}{urlencode(parameters)}"


def _consent_page(text: Text, query: Mapping[str, str], redirect_uri: str, scopes: list[str]) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{text.escape(name)}" value="{text.escape(value)}">'
        for name, value in query.items()
        if not name.startswith("sandbox_")
    )
    people = "".join(
        f'<label class="choice"><input type="radio" name="sandbox_person" value="{person.id}"'
        f"{'' if number else ' checked'}>"
        f'<img src="/sandbox/pictures/{person.id}.svg" alt=""><span>{text.escape(person.name)}'
        f"<small>{_told(text, person)}</small></span></label>"
        for number, person in enumerate(PERSONAS.values())
    )
    listed = "".join(f"<li>{text.escape(SCOPES[scope][text.code == 'de'])}</li>" for scope in scopes)
    host = text.escape(urlsplit(redirect_uri).netloc)
    body = f"""<h1>{text("graph_consent")}</h1><p>{text("graph_consent_intro")}</p>
<form method="get" class="card">{hidden}
<p class="text"><strong>{host}</strong></p><p>{text("access")}</p><ul>{listed}</ul>
<fieldset><legend>{text("as_whom")}</legend>{people}</fieldset>
<div class="buttons"><button>{text("allow")}</button>
<button class="quiet" name="sandbox_cancel" value="1">{text("cancel")}</button></div></form>"""
    return page(text, text("graph_consent"), body, navigation=False)


def _told(text: Text, person: Persona) -> str:
    """Return a person's pages, too low roles and declined scopes, so that each outcome can be chosen."""
    told = [
        f"{text('page')} {text.escape(PAGES[page_id].name)}"
        + ("" if not POSTING_TASKS.isdisjoint(tasks) else f" ({text('role_too_low')})")
        for page_id, tasks in person.tasks.items()
    ]
    told += [text("declines")] if person.declines else []
    return " · ".join(told) or text("without_page")


# Tokens


def access_token(request: Request, state: State) -> Response:
    query = request.query_params
    client_id = query.get("client_id", "")
    if not state.knows_client(client_id, query.get("client_secret", "")):
        raise refuse(101, None, "Error validating client secret.")
    if query.get("grant_type") == "fb_exchange_token":
        return _longer(query.get("fb_exchange_token", ""), client_id, state)
    code = state.codes.pop(query.get("code", ""), None)  # used up even if another check fails
    if code is None:
        raise refuse(100, 36009, "This authorization code has been used.")
    if code.expires_at <= time.time():
        raise refuse(100, 36007, "This authorization code has expired.")
    if (code.client_id, code.redirect_uri) != (client_id, query.get("redirect_uri")):
        raise refuse(100, 36008, "Error validating verification code. Please make sure your redirect_uri is identical")
    token = state.new_graph_token(client_id, code.person, code.scopes, expires_at=time.time() + SHORT_SECONDS)
    return _granted(token)


def _longer(value: str, client_id: str, state: State) -> Response:
    short = state.graph_tokens.get(value)
    if short is None or short.page or short.client_id != client_id:
        raise refuse(190, None, "Invalid OAuth access token.")
    if short.revoked or short.expires_at < time.time():
        raise refuse(190, 463)
    ends = time.time() + state.settings.graph_token_seconds
    return _granted(state.new_graph_token(client_id, short.person, short.scopes, expires_at=ends, long=True))


def _granted(token: GraphToken) -> Response:
    seconds = round(token.expires_at - token.created_at)
    return JSONResponse({"access_token": token.access, "token_type": "bearer", "expires_in": seconds})


def debug_token(request: Request, state: State) -> Response:
    client_id = _app_of(_bearer(request), state)
    token = state.graph_tokens.get(request.query_params.get("input_token", ""))
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


def permissions(request: Request, state: State) -> Response:
    token = user_token(request, state)
    person = PERSONAS[token.person]
    rows = [{"permission": scope, "status": "granted"} for scope in token.scopes]
    rows += [{"permission": scope, "status": "declined"} for scope in person.declines if scope not in token.scopes]
    return JSONResponse({"data": rows})


def take_back(request: Request, state: State) -> Response:
    """Revoke all tokens of a person for the app, page tokens too; with the person's token or the app's."""
    value, wanted = _bearer(request), request.path_params["person"]
    if "|" in value:
        client_id, person = _app_of(value, state), wanted
    else:
        token = user_token(request, state)
        client_id, person = token.client_id, token.person
        if wanted not in ("me", person):
            raise refuse(100, 33)
    if person not in PERSONAS:
        raise refuse(100, 33)
    for one in list(state.graph_tokens.values()):
        if (one.client_id, one.person, one.revoked) == (client_id, person, False):
            state.end_graph_token(one)
    return JSONResponse({"success": True})


# Pages


def accounts(request: Request, state: State) -> Response:
    """Return the person's pages, without pages owned by a business."""
    token = user_token(request, state)
    if "pages_show_list" not in token.scopes:
        return JSONResponse({"data": []})
    query = request.query_params
    rows = [page_id for page_id in PERSONAS[token.person].tasks if not PAGES[page_id].of_business]
    after, limit = query.get("after", ""), query.get("limit", "25")
    if not limit.isdigit() or not 1 <= int(limit) <= MOST_ROWS:
        raise refuse(100, None, "(#100) limit must be 1 to 100")
    start = rows.index(after) + 1 if after in rows else 0
    shown = rows[start : start + int(limit)]
    answer: dict[str, Any] = {"data": [_page_row(request, state, token, page_id) for page_id in shown]}
    if shown:
        answer["paging"] = {"cursors": {"before": shown[0], "after": shown[-1]}}
        if start + len(shown) < len(rows):
            next_query = urlencode({**query, "after": shown[-1]})
            answer["paging"]["next"] = f"{origin(request)}{request.url.path}?{next_query}"
    return JSONResponse(answer)


def businesses(request: Request, state: State) -> Response:
    """Return the portfolios in which the person has a role: here, a task at one of the only portfolio's pages."""
    token = user_token(request, state)
    need(token, "business_management")
    has_role = any(PAGES[page_id].of_business for page_id in PERSONAS[token.person].tasks)
    return JSONResponse({"data": [{"id": BUSINESS, "name": "Radwerk"}] if has_role else []})


def business_pages(request: Request, state: State) -> Response:
    """Return ids and names of a portfolio's own pages, or of its clients' pages, of which it has none here."""
    token = user_token(request, state)
    need(token, "business_management")
    held = [page_id for page_id in PERSONAS[token.person].tasks if PAGES[page_id].of_business]
    if request.path_params["business"] != BUSINESS or not held:
        raise refuse(100, 33)
    asked = request.query_params.get("fields", "id,name").split(",")
    if not set(asked) <= {"id", "name"}:
        raise refuse(100, None, "(#100) Tried accessing nonexisting field")
    owned = held if request.url.path.endswith("/owned_pages") else []
    rows = [{"id": page_id, "name": PAGES[page_id].name} for page_id in owned]
    return JSONResponse({"data": [{name: row[name] for name in asked} for row in rows]})


def read_page(request: Request, state: State) -> Response:
    page_id = request.path_params["id"]
    token = token_of(request, state)
    tasks = PERSONAS[token.person].tasks
    if page_id not in PAGES or page_id not in tasks or token.page not in (None, page_id):
        raise refuse(100, 33)
    need(token, "pages_show_list")
    return JSONResponse(_page_row(request, state, token, page_id))


def _page_row(request: Request, state: State, token: GraphToken, page_id: str) -> dict[str, Any]:
    """Return the requested fields. A page token expires with the requesting token; with a long-lived one never."""
    found, tasks = PAGES[page_id], PERSONAS[token.person].tasks[page_id]
    asked = request.query_params.get("fields", "id,name").split(",")
    row: dict[str, Any] = {"id": page_id}
    if "name" in asked:
        row["name"] = found.name
    if "tasks" in asked:
        row["tasks"] = list(tasks)
    linked = next((one for one in INSTAGRAM.values() if one.page == page_id), None)
    if linked and "instagram_business_account{id" in asked and "instagram_basic" in token.scopes:
        picture = f"{origin(request)}/sandbox/pictures/{linked.slug}.svg"
        row["instagram_business_account"] = {"id": linked.id, "username": linked.name, "profile_picture_url": picture}
    if any(field.startswith("picture") for field in asked):
        row["picture"] = {"data": {"url": f"{origin(request)}/sandbox/pictures/{found.slug}.svg"}}
    # no token without a posting task
    if "access_token" in asked and not POSTING_TASKS.isdisjoint(tasks):
        ends = 0.0 if token.long else token.expires_at
        made = token
        if token.page is None:
            made = state.new_graph_token(token.client_id, token.person, token.scopes, expires_at=ends, page=page_id)
        row["access_token"] = made.access
    return row


Handler = Callable[[Request, State], Response | Awaitable[Response]]
HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/dialog/oauth", consent),
    ("GET", "/oauth/access_token", access_token),
    ("GET", "/debug_token", debug_token),
    ("GET", "/me/permissions", permissions),
    ("DELETE", "/{person}/permissions", take_back),
    ("GET", "/me/accounts", accounts),
    ("GET", "/me/businesses", businesses),
    ("GET", "/{business}/owned_pages", business_pages),
    ("GET", "/{business}/client_pages", business_pages),
)


def add(router: APIRouter, state: State, handlers: tuple[tuple[str, str, Handler], ...]) -> None:
    for method, path, handler in handlers:
        router.add_api_route(
            f"/v{{version:float}}{path}", _endpoint(handler, state), methods=[method], response_model=None
        )


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add(router, state, HANDLERS)
    return router


def _endpoint(handler: Handler, state: State) -> Callable[[Request], Awaitable[Response]]:
    # always a coroutine: the state belongs to the event loop, and a plain function would run in a thread
    async def endpoint(request: Request) -> Response:
        version = request.url.path.split("/")[1]
        if version not in VERSIONS:
            raise refuse(2635, None, f"{GRAPH_MESSAGES[2635]} Requested: {version}", 426)
        if not _bearer(request):  # limits are per token
            answer = handler(request, state)
            return answer if isinstance(answer, Response) else await answer
        percent, minutes = _used(request, state)
        try:
            if percent > FULL:
                raise refuse(80001 if _page_of(request, state) else 17, None, "There have been too many calls")
            answer = handler(request, state)
            answer = answer if isinstance(answer, Response) else await answer
        except GraphError as error:
            answer = error.answer
        name, told = _usage(request, state, percent, minutes)
        answer.headers[name] = json.dumps(told)
        return answer

    return endpoint


# Usage of limits


def _used(request: Request, state: State) -> tuple[int, int]:
    """Count the call. Return (used percentage of its token's limit, minutes until calls are allowed again)."""
    fault: Fault | None = request.scope.get(FAULT)
    if fault is not None and fault.kind is FaultKind.usage:
        return min(fault.percent, FULL), fault.minutes
    now, token, most = time.time(), _bearer(request), state.settings.graph_calls_an_hour
    hour, before = state.graph_calls.get(token, (0, 0))
    count = before + 1 if hour == now // 3600 else 1
    state.graph_calls[token] = int(now // 3600), count
    percent = -(-count * 100 // most) if most else FULL + 1
    return percent, 60 - int(now % 3600 // 60) if percent >= FULL else 0


def _page_of(request: Request, state: State) -> str | None:
    token = state.graph_tokens.get(_bearer(request))
    return token.page if token else None


def _usage(request: Request, state: State, percent: int, minutes: int) -> tuple[str, dict[str, Any]]:
    """Return name and value of the usage header, which depends on whether the token is a page's."""
    used = {"call_count": percent, "total_cputime": percent // 2, "total_time": percent // 2}
    if (page_id := _page_of(request, state)) is None:
        return "X-App-Usage", used
    row = {"type": "pages", **used, "estimated_time_to_regain_access": minutes}
    return "X-Business-Use-Case-Usage", {page_id: [row]}
