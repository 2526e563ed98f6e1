"""Error responses of Ghost and of its host, and the calls that faults can hit."""

import re
from html import escape

from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

GHOST_ERRORS = {
    400: ("BadRequestError", None),
    401: ("UnauthorizedError", "INVALID_JWT"),
    403: ("NoPermissionError", None),
    404: ("NotFoundError", None),
    406: ("RequestNotAcceptableError", "UPDATE_CLIENT"),
    409: ("UpdateCollisionError", "UPDATE_COLLISION"),
    413: ("RequestEntityTooLargeError", None),
    415: ("UnsupportedMediaTypeError", None),
    422: ("ValidationError", None),
    429: ("TooManyRequestsError", None),
    500: ("InternalServerError", None),
    501: ("NotImplementedError", None),
    503: ("MaintenanceError", None),
}


def ghost_problem(
    status: int,
    kind: str | None = None,
    code: str | None = None,
    message: str | None = None,
    context: str | None = None,
) -> Response:
    """Return Ghost's error body; for a status that Ghost does not use, its host's HTML page."""
    usual, usual_code = GHOST_ERRORS.get(status, (None, None))
    if kind is None and usual is None:
        heading = escape(message or "Sandbox fault")
        return HTMLResponse(f"<!doctype html><title>{status}</title><h1>{heading}</h1>", status)
    error = {
        "message": message or "Sandbox fault",
        "context": context,
        "type": kind or usual,
        "details": None,
        "property": None,
        "help": None,
        "code": code or (usual_code if kind in (None, usual) else None),
        "id": "5f7b1d60-0000-11ef-9c3b-000000000000",
        "ghostErrorCode": None,
    }
    return JSONResponse({"errors": [error]}, status)


def refuse(
    status: int, kind: str | None = None, code: str | None = None, message: str = "", context: str | None = None
) -> Refusal:
    return Refusal(ghost_problem(status, kind, code, message or None, context))


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.revoked:
        return ghost_problem(401, "UnauthorizedError", fault.code or "UNKNOWN_ADMIN_API_KEY", fault.message)
    if fault.kind is FaultKind.status:
        return ghost_problem(fault.status, None, fault.code, fault.message)
    return fault.with_retry_after(ghost_problem(429, None, fault.code, fault.message))


_ADMIN = "/ghost/api/admin"
API = FaultyApi(
    prefixes=("/ghost/api/",),
    paths=re.compile(_ADMIN + "/.+"),
    targets=(
        (Target.posts, "PUT", re.compile(_ADMIN + r"/posts/[0-9a-f]+/")),
        (Target.drafts, "POST", re.compile(_ADMIN + "/posts/")),
        (Target.deletes, "DELETE", re.compile(_ADMIN + r"/posts/[0-9a-f]+/")),
        (Target.images, "POST", re.compile(_ADMIN + "/images/upload/")),
        (Target.upload, "POST", re.compile(_ADMIN + "/images/upload/")),
        (Target.userinfo, "GET", re.compile(_ADMIN + "/(site|users/me)/")),
        (Target.reads, "GET", re.compile(_ADMIN + "/.+")),
    ),
    answer=_answer,
)
