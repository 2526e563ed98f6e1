"""Error responses of LinkedIn, and the calls that faults can hit."""

import re

from starlette.responses import JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

_DAY_LIMIT = "Resource level throttle APPLICATION DAY limit for calls to this resource is reached."
CODES: dict[int, tuple[int | None, str, str]] = {
    400: (None, "ILLEGAL_ARGUMENT", "The request is not valid"),
    401: (65600, "INVALID_ACCESS_TOKEN", "Invalid access token"),
    403: (100, "ACCESS_DENIED", "Not enough permissions to access this resource"),
    404: (None, "NOT_FOUND", "The resource does not exist"),
    405: (None, "METHOD_NOT_ALLOWED", "The method is not allowed for this resource"),
    409: (None, "CONFLICT", "The resource was changed by another request"),
    422: (None, "UNPROCESSABLE_ENTITY", "The request could not be processed"),
    426: (None, "NONEXISTENT_VERSION", "The requested version is not active"),
    429: (101, "TOO_MANY_REQUESTS", _DAY_LIMIT),
    500: (None, "INTERNAL_SERVER_ERROR", "Internal Server Error"),
}
TOKEN_CODES = {
    65601: ("REVOKED_ACCESS_TOKEN", "The token used in the request has been revoked by the user"),
    65602: ("EXPIRED_ACCESS_TOKEN", "The token used in the request has expired"),
}


def problem(
    status: int, code: str | None = None, message: str | None = None, service_error_code: int | None = None
) -> JSONResponse:
    """Return LinkedIn's usual error body."""
    usual_number, usual_code, usual_message = CODES.get(status, CODES[500])
    number = service_error_code if service_error_code or code else usual_number
    if number in TOKEN_CODES:
        usual_code, usual_message = TOKEN_CODES[number]
    body = {"status": status, "code": code or usual_code, "message": message or usual_message}
    return JSONResponse(body if number is None else {"serviceErrorCode": number, **body}, status)


def duplicate_problem(urn: str) -> JSONResponse:
    """Return LinkedIn's refusal of a duplicate, which names the first post."""
    return JSONResponse(
        {
            "errorDetailType": "com.linkedin.common.error.BadRequest",
            "status": 422,
            "message": "com.linkedin.content.common.exception.BadRequestResponseException: "
            f"Content is a duplicate of {urn}",
            "errorDetails": {
                "inputErrors": [{"description": "Duplicate post is detected", "input": {}, "code": "DUPLICATE_POST"}]
            },
        },
        422,
    )


def oauth_problem(error: str, description: str, status: int = 400) -> JSONResponse:
    return JSONResponse({"error": error, "error_description": description}, status)


def refuse(
    status: int, code: str | None = None, message: str | None = None, service_error_code: int | None = None
) -> Refusal:
    return Refusal(problem(status, code, message, service_error_code))


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.rate_limited:
        return fault.with_retry_after(problem(429, None, fault.message, 101))
    if fault.kind is FaultKind.revoked:
        return problem(401, None, fault.message, 65601)
    if fault.on is Target.token:
        usual = "invalid_grant" if fault.status < 500 else "server_error"
        return oauth_problem(fault.code or usual, fault.message or "Sandbox fault", fault.status)
    if fault.code == "DUPLICATE_POST":
        return duplicate_problem(fault.urn)
    return problem(fault.status, fault.code, fault.message, fault.service_error_code)


API = FaultyApi(
    prefixes=("/oauth/", "/v2/", "/rest/", "/dms-uploads/"),
    paths=re.compile(r"/oauth/v2/.+|/v2/.+|/rest/.+|/dms-uploads/.+"),
    targets=(
        (Target.posts, "POST", re.compile(r"/rest/posts/?")),
        (Target.deletes, "DELETE", re.compile(r"/rest/posts/.+")),
        (Target.images, "POST", re.compile(r"/rest/(documents|images|videos)/?")),
        (Target.upload, "PUT", re.compile(r"/dms-uploads/.+")),
        (Target.token, "POST", re.compile(r"/oauth/v2/accessToken/?")),
        (Target.revoke, "POST", re.compile(r"/oauth/v2/revoke/?")),
        (Target.userinfo, "GET", re.compile(r"/v2/(userinfo|me)/?")),
        (Target.own_posts, "GET", re.compile(r"/rest/posts(/.+)?")),
        (Target.reads, "GET", re.compile(r"/rest/.+")),
    ),
    answer=_answer,
)
