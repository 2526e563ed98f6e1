"""Stand-in for Meta's Graph API, shared by its networks: pages, versions and limits of calls."""

import json
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox import graph_login
from sandbox.cards import picture_of
from sandbox.faults import FaultKind, fault_of
from sandbox.graph_problems import MESSAGES, refuse
from sandbox.graph_tokens import POSTING_TASKS, GraphToken, need, new_token, token_of, token_value, user_token
from sandbox.http import Handler, Refusal, add_handlers, form_fields, origin
from sandbox.people import BUSINESS, INSTAGRAM, PAGES, PERSONAS
from sandbox.state import State

VERSIONS = ("v24.0", "v25.0", "v26.0")
MOST_ROWS = 100
FULL = 100


async def read_body(request: Request) -> dict[str, Any]:
    """Return the request's JSON object or form. Raise Refusal for invalid JSON."""
    if "json" not in request.headers.get("content-type", ""):
        return dict(await form_fields(request))
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(100, None, "(#100) The body is no JSON") from error
    if not isinstance(body, dict):
        raise refuse(100, None, "(#100) The body must be an object")
    return body


# Pages


def list_accounts(request: Request, state: State) -> Response:
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


def list_businesses(request: Request, state: State) -> Response:
    """Return the portfolios in which the person has a role: here, a task at one of the only portfolio's pages."""
    token = user_token(request, state)
    need(token, "business_management")
    has_role = any(PAGES[page_id].of_business for page_id in PERSONAS[token.person].tasks)
    return JSONResponse({"data": [{"id": BUSINESS, "name": "Radwerk"}] if has_role else []})


def list_business_pages(request: Request, state: State) -> Response:
    """Return ids and names of a portfolio's own pages, or of its clients' pages, of which it has none here."""
    token = user_token(request, state)
    need(token, "business_management")
    managed = [page_id for page_id in PERSONAS[token.person].tasks if PAGES[page_id].of_business]
    if request.path_params["business"] != BUSINESS or not managed:
        raise refuse(100, 33)
    fields = request.query_params.get("fields", "id,name").split(",")
    if not set(fields) <= {"id", "name"}:
        raise refuse(100, None, "(#100) Tried accessing nonexisting field")
    owned = managed if request.url.path.endswith("/owned_pages") else []
    rows = [{"id": page_id, "name": PAGES[page_id].name} for page_id in owned]
    return JSONResponse({"data": [{name: row[name] for name in fields} for row in rows]})


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
    fields = request.query_params.get("fields", "id,name").split(",")
    row: dict[str, Any] = {"id": page_id}
    if "name" in fields:
        row["name"] = found.name
    if "tasks" in fields:
        row["tasks"] = list(tasks)
    linked = next((one for one in INSTAGRAM.values() if one.page == page_id), None)
    if linked and "instagram_business_account{id" in fields and "instagram_basic" in token.scopes:
        picture = origin(request) + picture_of(linked.slug)
        row["instagram_business_account"] = {"id": linked.id, "username": linked.name, "profile_picture_url": picture}
    if any(field.startswith("picture") for field in fields):
        row["picture"] = {"data": {"url": origin(request) + picture_of(found.slug)}}
    # no token without a posting task
    if "access_token" in fields and not POSTING_TASKS.isdisjoint(tasks):
        ends = 0.0 if token.long else token.expires_at
        made = token
        if token.page is None:
            made = new_token(state, token.client_id, token.person, token.scopes, expires_at=ends, page=page_id)
        row["access_token"] = made.access
    return row


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/me/accounts", list_accounts),
    ("GET", "/me/businesses", list_businesses),
    ("GET", "/{business}/owned_pages", list_business_pages),
    ("GET", "/{business}/client_pages", list_business_pages),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_graph_handlers(router, state, (*graph_login.HANDLERS, *HANDLERS))
    return router


def add_graph_handlers(router: APIRouter, state: State, handlers: Iterable[tuple[str, str, Handler]]) -> None:
    """Add handlers below the version. Each call counts for the limit of its token."""
    limited = [(method, f"/v{{version:float}}{path}", _limited(handler)) for method, path, handler in handlers]
    add_handlers(router, state, limited)


def _limited(handler: Handler) -> Handler:
    async def handle(request: Request, state: State) -> Response:
        version = request.url.path.split("/")[1]
        if version not in VERSIONS:
            raise refuse(2635, None, f"{MESSAGES[2635]} Requested: {version}", 426)
        if not token_value(request):  # limits are per token
            return await _answer(handler, request, state)
        percent, minutes = _count_call(request, state)
        try:
            if percent > FULL:
                raise refuse(80001 if _page_of(request, state) else 17, None, "There have been too many calls")
            answer = await _answer(handler, request, state)
        except Refusal as refusal:
            answer = refusal.answer
        name, usage = _usage(request, state, percent, minutes)
        answer.headers[name] = json.dumps(usage)
        return answer

    return handle


async def _answer(handler: Handler, request: Request, state: State) -> Response:
    answer = handler(request, state)
    return answer if isinstance(answer, Response) else await answer


# Usage of limits


def _count_call(request: Request, state: State) -> tuple[int, int]:
    """Count the call. Return (used percentage of its token's limit, minutes until calls are allowed again)."""
    fault = fault_of(request)
    if fault is not None and fault.kind is FaultKind.usage:
        return min(fault.percent, FULL), fault.minutes
    now, token, most = time.time(), token_value(request), state.settings.graph_calls_an_hour
    hour, before = state.graph_calls.get(token, (0, 0))
    count = before + 1 if hour == now // 3600 else 1
    state.graph_calls[token] = int(now // 3600), count
    percent = -(-count * 100 // most) if most else FULL + 1
    return percent, 60 - int(now % 3600 // 60) if percent >= FULL else 0


def _page_of(request: Request, state: State) -> str | None:
    token = state.table(GraphToken).get(token_value(request))
    return token.page if token else None


def _usage(request: Request, state: State, percent: int, minutes: int) -> tuple[str, dict[str, Any]]:
    """Return name and value of the usage header, which depends on whether the token is a page's."""
    used = {"call_count": percent, "total_cputime": percent // 2, "total_time": percent // 2}
    if (page_id := _page_of(request, state)) is None:
        return "X-App-Usage", used
    row = {"type": "pages", **used, "estimated_time_to_regain_access": minutes}
    return "X-Business-Use-Case-Usage", {page_id: [row]}
