"""Error responses of Bluesky's servers, and the calls that faults can hit."""

import math
import re
import time

from starlette.responses import JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target
from sandbox.http import Refusal

_LIMIT_SECONDS = 300
NAMES = {
    400: "InvalidRequest",
    401: "AuthenticationRequired",
    403: "Forbidden",
    404: "XRPCNotSupported",
    413: "PayloadTooLarge",
    429: "RateLimitExceeded",
    502: "UpstreamFailure",
    503: "NotEnoughResources",
    504: "UpstreamTimeout",
}


def xrpc_problem(status: int, name: str | None = None, message: str = "") -> JSONResponse:
    usual = NAMES.get(status, "InternalServerError" if status >= 500 else "InvalidRequest")
    return JSONResponse({"error": name or usual, "message": message or "Sandbox fault"}, status)


def refuse(status: int, name: str, message: str = "") -> Refusal:
    return Refusal(xrpc_problem(status, name, message))


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.revoked:
        return xrpc_problem(400, fault.code or "ExpiredToken", fault.message or "Token has expired")
    if fault.kind is FaultKind.status:
        return xrpc_problem(fault.status, fault.code, fault.message or "")
    answer = xrpc_problem(429, fault.code, fault.message or "Rate Limit Exceeded")
    seconds = _LIMIT_SECONDS if fault.seconds is None else fault.seconds
    answer.headers["RateLimit-Remaining"] = "0"
    # whole seconds, rounded up
    answer.headers["RateLimit-Reset"] = str(math.ceil(time.time() + seconds))
    return answer


_REPO = r"/xrpc/com\.atproto\.repo\."
_SERVER = r"/xrpc/com\.atproto\.server\."
_VIDEO = r"/xrpc/app\.bsky\.video\."
API = FaultyApi(
    prefixes=("/xrpc/",),
    paths=re.compile(r"/xrpc/.+"),
    targets=(
        (Target.posts, "POST", re.compile(_REPO + "createRecord")),
        (Target.deletes, "POST", re.compile(_REPO + "deleteRecord")),
        (Target.images, "POST", re.compile(_REPO + "uploadBlob")),
        (Target.upload, "POST", re.compile(_REPO + "uploadBlob")),
        (Target.images, "GET", re.compile(_SERVER + "getServiceAuth")),
        (Target.upload, "POST", re.compile(_VIDEO + "uploadVideo")),
        (Target.token, "POST", re.compile(_SERVER + "(create|refresh)Session")),
        (Target.revoke, "POST", re.compile(_SERVER + "deleteSession")),
        (Target.userinfo, "GET", re.compile(_SERVER + "getSession")),
        (Target.reads, "GET", re.compile(r"/xrpc/.+")),
    ),
    answer=_answer,
)
