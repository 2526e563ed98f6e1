"""Error responses of WordPress and of its host, and the calls that faults can hit."""

import re
from html import escape
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

PLAIN = "sandbox.plain"
"""Scope key of requests with `?rest_route=`, which WordPress accepts besides `/wp-json`."""
WORDPRESS_CODES = {
    400: "rest_invalid_param",
    401: "rest_not_logged_in",
    403: "rest_cannot_edit",
    404: "rest_post_invalid_id",
    410: "rest_already_trashed",
    412: "rest_upload_hash_mismatch",
    501: "rest_trash_not_supported",
}


def wordpress_problem(status: int, code: str | None = None, message: str | None = None, **data: Any) -> Response:
    """Return WordPress's error body; for a status that WordPress has no code for, its host's HTML page."""
    if code is None and status not in WORDPRESS_CODES and (status in (413, 429) or status >= 500):
        heading = escape(message or "Sandbox fault")
        return HTMLResponse(f"<!doctype html><title>{status}</title><h1>{heading}</h1>", status)
    code = code or WORDPRESS_CODES.get(status, "rest_invalid_param")
    return JSONResponse({"code": code, "message": message or code, "data": {"status": status, **data}}, status)


def refuse(status: int, code: str, message: str = "", **data: Any) -> Refusal:
    return Refusal(wordpress_problem(status, code, message or None, **data))


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.revoked:
        return wordpress_problem(401, fault.code or "incorrect_password", fault.message)
    if fault.kind is FaultKind.status:
        return wordpress_problem(fault.status, fault.code, fault.message)
    return fault.with_retry_after(wordpress_problem(429, None, fault.message))


_ROUTE = "/wp-json/wp/v2"
API = FaultyApi(
    prefixes=("/wp-json/",),
    paths=re.compile(_ROUTE + "/.+"),
    targets=(
        (Target.posts, "POST", re.compile(_ROUTE + r"/posts/\d+")),
        (Target.drafts, "POST", re.compile(_ROUTE + "/posts")),
        (Target.deletes, "DELETE", re.compile(_ROUTE + r"/posts/\d+")),
        (Target.images, "POST", re.compile(_ROUTE + "/media")),
        (Target.upload, "POST", re.compile(_ROUTE + "/media")),
        (Target.revoke, "DELETE", re.compile(_ROUTE + "/users/me/application-passwords/.+")),
        (Target.userinfo, "GET", re.compile(_ROUTE + "/users/me")),
        (Target.reads, "GET", re.compile(_ROUTE + "/.+")),
    ),
    answer=_answer,
)
