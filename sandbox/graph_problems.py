"""Error responses of Meta's Graph API, and the calls that faults can hit."""

import json
import re
from typing import Any

from starlette.responses import JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

MESSAGES = {
    1: "An unknown error occurred",
    2: "Service temporarily unavailable",
    4: "(#4) Application request limit reached",
    100: "(#100) Invalid parameter",
    24: "The requested resource does not exist",
    190: "Error validating access token",
    200: "(#200) Permissions error",
    2635: "The API version is not available.",
}
CODES = {400: 100, 401: 190, 403: 200, 404: 100, 422: 100, 426: 2635, 429: 4, 503: 2}
"""Default error code in the body by status, if a fault sets none."""


def graph_problem(
    code: int,
    subcode: int | None = None,
    message: str | None = None,
    status: int = 400,
    data: dict[str, str] | None = None,
) -> JSONResponse:
    """Return the error body of Meta's Graph API."""
    missing = "Unsupported request. Object does not exist, cannot be loaded due to missing permissions"
    usual = missing if (code, subcode) == (100, 33) else MESSAGES.get(code, f"(#{code}) Sandbox fault")
    error: dict[str, Any] = {"message": message or usual, "type": "OAuthException", "code": code}
    if subcode is not None:
        error["error_subcode"] = subcode
    if data is not None:
        error["error_data"] = data
    return JSONResponse({"error": {**error, "is_transient": False, "fbtrace_id": "AsandboxTrace"}}, status)


def refuse(code: int, subcode: int | None = None, message: str | None = None, status: int = 400) -> Refusal:
    return Refusal(graph_problem(code, subcode, message, status))


def answer_of(fault: Fault) -> Response:
    """Return Meta's error; `code` and `service_error_code` of the fault are its code and subcode."""
    if fault.kind is FaultKind.revoked:
        return graph_problem(190, fault.service_error_code or 458, fault.message)
    limited = fault.kind is FaultKind.rate_limited
    usual = 4 if limited else CODES.get(fault.status, 1 if fault.status >= 500 else 100)
    code = int(fault.code) if fault.code else usual
    answer = graph_problem(code, fault.service_error_code, fault.message, 400 if limited else fault.status)
    if not limited:
        return answer
    if fault.minutes:
        row = {"type": "pages", "call_count": 100, "estimated_time_to_regain_access": fault.minutes}
        answer.headers["X-Business-Use-Case-Usage"] = json.dumps({"723701": [row]})
    return fault.with_retry_after(answer)


_VERSION = r"/v\d+\.\d+"
API = FaultyApi(
    prefixes=("/v2",),
    paths=re.compile(_VERSION + "/.+"),
    targets=(
        (Target.posts, "POST", re.compile(_VERSION + r"/\d+(_\d+)?")),
        (Target.deletes, "DELETE", re.compile(_VERSION + r"/\d+(_\d+)?")),
        (Target.comments, "POST", re.compile(_VERSION + r"/[\d_]+/comments")),
        (Target.posts, "POST", re.compile(_VERSION + r"/\d+/media_publish")),
        (Target.images, "POST", re.compile(_VERSION + r"/\d+/(media|photos|videos)")),
        (Target.upload, "POST", re.compile(_VERSION + r"/\d+/(media|photos|videos)")),
        (Target.quota, "GET", re.compile(_VERSION + r"/\d+/content_publishing_limit")),
        (Target.drafts, "POST", re.compile(_VERSION + r"/\d+/feed")),
        (Target.token, "GET", re.compile(_VERSION + r"/oauth/access_token")),
        (Target.revoke, "DELETE", re.compile(_VERSION + r"/[^/]+/permissions")),
        (Target.userinfo, "GET", re.compile(_VERSION + r"/me/.+")),
        (Target.reads, "GET", re.compile(_VERSION + r"/[\d_]+(/comments|/media)?")),
    ),
    answer=answer_of,
)
