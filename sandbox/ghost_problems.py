"""Error responses of Ghost and of its host."""

from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.networks import Refusal
from sandbox.pages import Text

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
        words = message or "Sandbox fault"
        return HTMLResponse(f"<!doctype html><title>{status}</title><h1>{Text.escape(words)}</h1>", status)
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
