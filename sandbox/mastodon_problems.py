"""Error responses of Mastodon, and the calls that faults can hit."""

import re
from datetime import UTC, datetime, timedelta

from starlette.responses import JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

_LIMIT_SECONDS = 300
MESSAGES = {
    401: "The access token is invalid",
    403: "This action is not allowed",
    404: "Record not found",
    422: "Validation failed",
    429: "Too many requests",
    503: "There was a temporary problem serving your request, please try again",
}


def mastodon_problem(status: int, message: str | None = None) -> JSONResponse:
    return JSONResponse({"error": message or MESSAGES.get(status, "Sandbox fault")}, status)


def refuse(status: int, message: str | None = None) -> Refusal:
    return Refusal(mastodon_problem(status, message))


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.revoked:
        return mastodon_problem(401, fault.message or "The access token was revoked")
    if fault.kind is FaultKind.status:
        return mastodon_problem(fault.status, fault.message)
    answer = mastodon_problem(429, fault.message)
    until = datetime.now(UTC) + timedelta(seconds=_LIMIT_SECONDS if fault.seconds is None else fault.seconds)
    answer.headers["X-RateLimit-Remaining"] = "0"
    answer.headers["X-RateLimit-Reset"] = until.isoformat().replace("+00:00", "Z")
    return answer


API = FaultyApi(
    prefixes=("/api/v", "/oauth/"),
    paths=re.compile(r"/api/v[12]/.+|/oauth/revoke"),
    targets=(
        (Target.posts, "POST", re.compile(r"/api/v1/statuses")),
        (Target.deletes, "DELETE", re.compile(r"/api/v1/statuses/\d+")),
        (Target.images, "POST", re.compile(r"/api/v2/media")),
        (Target.upload, "POST", re.compile(r"/api/v2/media")),
        (Target.token, "POST", re.compile(r"/oauth/token")),
        (Target.revoke, "POST", re.compile(r"/oauth/revoke")),
        (Target.userinfo, "GET", re.compile(r"/api/v1/accounts/verify_credentials")),
        (Target.reads, "GET", re.compile(r"/api/v\d/.+")),
    ),
    answer=_answer,
)
