"""Error responses of WordPress and of its host."""

from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.networks import Refusal
from sandbox.pages import Text

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
        words = message or "Sandbox fault"
        return HTMLResponse(f"<!doctype html><title>{status}</title><h1>{Text.escape(words)}</h1>", status)
    named = code or WORDPRESS_CODES.get(status, "rest_invalid_param")
    return JSONResponse({"code": named, "message": message or named, "data": {"status": status, **data}}, status)


def refuse(status: int, code: str, message: str = "", **data: Any) -> Refusal:
    return Refusal(wordpress_problem(status, code, message or None, **data))
