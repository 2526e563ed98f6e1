"""Fault injection: the outermost layer of the app, which can answer wrongly, late or not at all.

A fault names a kind of request (`on`), what goes wrong (`kind`) and how many requests it affects (`times`).
Faults for the same kind of request apply in the order they were added. They are lost when the process ends.
"""

import asyncio
import json
import math
import re
import socket
import struct
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sandbox.ghost_problems import ghost_problem
from sandbox.pages import Text, language, page
from sandbox.state import State
from sandbox.stripe.forms import StripeError, stripe_problem
from sandbox.wordpress_problems import wordpress_problem

TRANSPORT = "sandbox.transport"
FAULT = "sandbox.fault"
ARRIVED_AT = "sandbox.arrived_at"


class Target(StrEnum):
    posts = "posts"
    drafts = "drafts"
    """Creation of unpublished posts, where a network has them."""
    images = "images"
    upload = "upload"
    comments = "comments"
    """First comments on a post."""
    quota = "quota"
    """The remaining posts of an account, where a network has such a call."""
    own_posts = "own_posts"
    """LinkedIn's list of a page's posts."""
    reads = "reads"
    deletes = "deletes"
    token = "token"
    revoke = "revoke"
    userinfo = "userinfo"
    mail = "mail"
    stripe = "stripe"
    """All calls of Stripe's API; the targets below are subsets."""
    stripe_checkout = "stripe_checkout"
    stripe_portal = "stripe_portal"
    stripe_customers = "stripe_customers"
    stripe_prices = "stripe_prices"
    stripe_subscriptions = "stripe_subscriptions"
    stripe_invoices = "stripe_invoices"
    stripe_events = "stripe_events"


class FaultKind(StrEnum):
    # replaces the real answer
    status = "status"
    rate_limited = "rate_limited"
    revoked = "revoked"
    html = "html"
    truncated = "truncated"
    empty = "empty"
    # no answer
    timeout = "timeout"
    reset = "reset"
    lost_answer = "lost_answer"
    # changes the real answer
    slow = "slow"
    no_id = "no_id"
    vanish = "vanish"
    processing_failed = "processing_failed"
    usage = "usage"
    """Meta's usage headers report `percent` of a limit as used and access again in `minutes`."""


STRIPE = frozenset(on for on in Target if on.startswith("stripe"))
HINTS = {
    FaultKind.no_id: Target.posts,
    FaultKind.vanish: Target.posts,
    FaultKind.processing_failed: Target.upload,
}
_GRAPH = r"/v\d+\.\d+"
GRAPH = re.compile(_GRAPH + "/.+")
XRPC = re.compile(r"/xrpc/.+")
MASTODON = re.compile(r"/api/v[12]/.+|/oauth/revoke")
_WORDPRESS = r"/wp-json/wp/v2"
WORDPRESS = re.compile(_WORDPRESS + "/.+")
_GHOST = r"/ghost/api/admin"
GHOST = re.compile(_GHOST + "/.+")
_HOOK = r"/hooks/[^/]+"
HOOK = re.compile(_HOOK)
PLAIN = "sandbox.plain"
"""Scope key of requests with `?rest_route=`, which WordPress accepts besides `/wp-json`."""
ROUTES = (
    (Target.posts, "POST", re.compile(_GRAPH + r"/\d+_\d+")),
    (Target.deletes, "DELETE", re.compile(_GRAPH + r"/\d+_\d+")),
    (Target.comments, "POST", re.compile(_GRAPH + r"/[\d_]+/comments")),
    (Target.posts, "POST", re.compile(_GRAPH + r"/\d+/media_publish")),
    (Target.images, "POST", re.compile(_GRAPH + r"/\d+/media")),
    (Target.upload, "POST", re.compile(_GRAPH + r"/\d+/media")),
    (Target.quota, "GET", re.compile(_GRAPH + r"/\d+/content_publishing_limit")),
    (Target.drafts, "POST", re.compile(_GRAPH + r"/\d+/feed")),
    (Target.images, "POST", re.compile(_GRAPH + r"/\d+/photos")),
    (Target.upload, "POST", re.compile(_GRAPH + r"/\d+/photos")),
    (Target.token, "GET", re.compile(_GRAPH + r"/oauth/access_token")),
    (Target.revoke, "DELETE", re.compile(_GRAPH + r"/[^/]+/permissions")),
    (Target.userinfo, "GET", re.compile(_GRAPH + r"/me/.+")),
    (Target.reads, "GET", re.compile(_GRAPH + r"/[\d_]+(/comments|/media)?")),
    (Target.posts, "POST", re.compile(r"/api/v1/statuses")),
    (Target.deletes, "DELETE", re.compile(r"/api/v1/statuses/\d+")),
    (Target.images, "POST", re.compile(r"/api/v2/media")),
    (Target.upload, "POST", re.compile(r"/api/v2/media")),
    (Target.token, "POST", re.compile(r"/oauth/token")),
    (Target.revoke, "POST", re.compile(r"/oauth/revoke")),
    (Target.userinfo, "GET", re.compile(r"/api/v1/accounts/verify_credentials")),
    (Target.reads, "GET", re.compile(r"/api/v\d/.+")),
    (Target.posts, "POST", re.compile(r"/xrpc/com\.atproto\.repo\.createRecord")),
    (Target.deletes, "POST", re.compile(r"/xrpc/com\.atproto\.repo\.deleteRecord")),
    (Target.images, "POST", re.compile(r"/xrpc/com\.atproto\.repo\.uploadBlob")),
    (Target.upload, "POST", re.compile(r"/xrpc/com\.atproto\.repo\.uploadBlob")),
    (Target.token, "POST", re.compile(r"/xrpc/com\.atproto\.server\.(create|refresh)Session")),
    (Target.revoke, "POST", re.compile(r"/xrpc/com\.atproto\.server\.deleteSession")),
    (Target.userinfo, "GET", re.compile(r"/xrpc/com\.atproto\.server\.getSession")),
    (Target.reads, "GET", re.compile(r"/xrpc/.+")),
    (Target.posts, "POST", re.compile(_WORDPRESS + r"/posts/\d+")),
    (Target.drafts, "POST", re.compile(_WORDPRESS + "/posts")),
    (Target.deletes, "DELETE", re.compile(_WORDPRESS + r"/posts/\d+")),
    (Target.images, "POST", re.compile(_WORDPRESS + "/media")),
    (Target.upload, "POST", re.compile(_WORDPRESS + "/media")),
    (Target.revoke, "DELETE", re.compile(_WORDPRESS + "/users/me/application-passwords/.+")),
    (Target.userinfo, "GET", re.compile(_WORDPRESS + "/users/me")),
    (Target.reads, "GET", re.compile(_WORDPRESS + "/.+")),
    (Target.posts, "PUT", re.compile(_GHOST + r"/posts/[0-9a-f]+/")),
    (Target.drafts, "POST", re.compile(_GHOST + "/posts/")),
    (Target.deletes, "DELETE", re.compile(_GHOST + r"/posts/[0-9a-f]+/")),
    (Target.images, "POST", re.compile(_GHOST + "/images/upload/")),
    (Target.upload, "POST", re.compile(_GHOST + "/images/upload/")),
    (Target.userinfo, "GET", re.compile(_GHOST + "/(site|users/me)/")),
    (Target.reads, "GET", re.compile(_GHOST + "/.+")),
    (Target.posts, "POST", re.compile(_HOOK + r"/article\.(published|updated)")),
    (Target.deletes, "POST", re.compile(_HOOK + r"/article\.deleted")),
    (Target.reads, "POST", re.compile(_HOOK + "/ping")),
    (Target.posts, "POST", re.compile(r"/rest/posts/?")),
    (Target.deletes, "DELETE", re.compile(r"/rest/posts/.+")),
    (Target.images, "POST", re.compile(r"/rest/images/?")),
    (Target.upload, "PUT", re.compile(r"/dms-uploads/.+")),
    (Target.token, "POST", re.compile(r"/oauth/v2/accessToken/?")),
    (Target.revoke, "POST", re.compile(r"/oauth/v2/revoke/?")),
    (Target.userinfo, "GET", re.compile(r"/v2/(userinfo|me)/?")),
    (Target.own_posts, "GET", re.compile(r"/rest/posts(/.+)?")),
    (Target.reads, "GET", re.compile(r"/rest/.+")),
    (Target.stripe_checkout, "POST", re.compile(r"/stripe/v1/checkout/sessions")),
    (Target.stripe_portal, "POST", re.compile(r"/stripe/v1/billing_portal/sessions")),
    (Target.stripe_customers, None, re.compile(r"/stripe/v1/customers(/.+)?")),
    (Target.stripe_prices, None, re.compile(r"/stripe/v1/prices(/.+)?")),
    (Target.stripe_subscriptions, None, re.compile(r"/stripe/v1/subscriptions(/.+)?")),
    (Target.stripe_invoices, None, re.compile(r"/stripe/v1/invoices(/.+)?")),
    (Target.stripe_events, None, re.compile(r"/stripe/v1/events(/.+)?")),
    (Target.stripe, None, re.compile(r"/stripe/v1/.+")),
)
LOGGED = (
    "/oauth/",
    "/api/v",
    "/xrpc/",
    "/wp-json/",
    "/ghost/api/",
    "/hooks/",
    "/v2",
    "/rest/",
    "/dms-uploads/",
    "/stripe/v1/",
)
GRAPH_MESSAGES = {
    1: "An unknown error occurred",
    2: "Service temporarily unavailable",
    4: "(#4) Application request limit reached",
    100: "(#100) Invalid parameter",
    190: "Error validating access token",
    200: "(#200) Permissions error",
    2635: "The API version is not available.",
}
GRAPH_CODES = {400: 100, 401: 190, 403: 200, 404: 100, 422: 100, 426: 2635, 429: 4, 503: 2}
"""Default error code in the body by status, if a fault sets none."""
DAY_LIMIT = "Resource level throttle APPLICATION DAY limit for calls to this resource is reached."
CODES: dict[int, tuple[int | None, str, str]] = {
    400: (None, "ILLEGAL_ARGUMENT", "The request is not valid"),
    401: (65600, "INVALID_ACCESS_TOKEN", "Invalid access token"),
    403: (100, "ACCESS_DENIED", "Not enough permissions to access this resource"),
    404: (None, "NOT_FOUND", "The resource does not exist"),
    405: (None, "METHOD_NOT_ALLOWED", "The method is not allowed for this resource"),
    409: (None, "CONFLICT", "The resource was changed by another request"),
    422: (None, "UNPROCESSABLE_ENTITY", "The request could not be processed"),
    426: (None, "NONEXISTENT_VERSION", "The requested version is not active"),
    429: (101, "TOO_MANY_REQUESTS", DAY_LIMIT),
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


def graph_problem(
    code: int, subcode: int | None = None, message: str | None = None, status: int = 400, *, transient: bool = False
) -> JSONResponse:
    """Return the error body of Meta's Graph API."""
    missing = "Unsupported request. Object does not exist, cannot be loaded due to missing permissions"
    usual = missing if (code, subcode) == (100, 33) else GRAPH_MESSAGES.get(code, f"(#{code}) Sandbox fault")
    error: dict[str, Any] = {"message": message or usual, "type": "OAuthException", "code": code}
    if subcode is not None:
        error["error_subcode"] = subcode
    return JSONResponse({"error": {**error, "is_transient": transient, "fbtrace_id": "AsandboxTrace"}}, status)


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


XRPC_NAMES = {
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
    """Return the error body of Bluesky's servers."""
    usual = XRPC_NAMES.get(status, "InternalServerError" if status >= 500 else "InvalidRequest")
    return JSONResponse({"error": name or usual, "message": message or "Sandbox fault"}, status)


MASTODON_MESSAGES = {
    401: "The access token is invalid",
    403: "This action is not allowed",
    404: "Record not found",
    422: "Validation failed",
    429: "Too many requests",
    503: "There was a temporary problem serving your request, please try again",
}


def mastodon_problem(status: int, message: str | None = None) -> JSONResponse:
    return JSONResponse({"error": message or MASTODON_MESSAGES.get(status, "Sandbox fault")}, status)


def stripe_fault(status: int, code: str | None = None, message: str | None = None) -> JSONResponse:
    """Return Stripe's error body."""
    kind = "api_error" if status >= 500 else "card_error" if status == 402 else "invalid_request_error"
    usual = {429: "rate_limit", 402: "card_declined"}
    words = message or ("Too many requests" if status == 429 else "Sandbox fault")
    return stripe_problem(StripeError(words, status=status, code=code or usual.get(status), kind=kind))


def oauth_problem(error: str, description: str, status: int = 400) -> JSONResponse:
    return JSONResponse({"error": error, "error_description": description}, status)


@dataclass(frozen=True)
class Fault:
    """A fault. `effect`: carry the request out although its answer is replaced. `seconds`: the wait of `timeout` and
    `slow`, or the `Retry-After` of `rate_limited`. `urn`: the post that a DUPLICATE_POST names. `containing`: affect
    only requests with this in the body, so that several users of one sandbox don't interfere.
    """

    on: Target
    kind: FaultKind
    status: int = 500
    times: int = 1
    seconds: float | None = None
    effect: bool = False
    message: str | None = None
    code: str | None = None
    service_error_code: int | None = None
    urn: str = "urn:li:share:7141138937766391808"
    containing: str = ""
    minutes: int = 0
    """Minutes until a limit of Meta ends, for its usage header."""
    percent: int = 100
    """Used percentage of a limit of Meta, for the headers of the kind `usage`."""

    @property
    def wait(self) -> float:
        """Seconds to wait; by default 60 for `timeout` and 2 for `slow`."""
        if self.seconds is not None:
            return self.seconds
        return 60.0 if self.kind is FaultKind.timeout else 2.0

    def _graph_answer(self) -> Response:
        """Return Meta's error; `code` and `service_error_code` are its code and subcode."""
        if self.kind is FaultKind.revoked:
            return graph_problem(190, self.service_error_code or 458, self.message)
        limited = self.kind is FaultKind.rate_limited
        usual = 4 if limited else GRAPH_CODES.get(self.status, 1 if self.status >= 500 else 100)
        code = int(self.code) if self.code else usual
        answer = graph_problem(code, self.service_error_code, self.message, 400 if limited else self.status)
        if limited and self.minutes:
            row = {"type": "pages", "call_count": 100, "estimated_time_to_regain_access": self.minutes}
            answer.headers["X-Business-Use-Case-Usage"] = json.dumps({"723701": [row]})
        if limited and self.seconds is not None:
            answer.headers["Retry-After"] = str(round(self.seconds))
        return answer

    def _xrpc_answer(self) -> Response:
        if self.kind is FaultKind.revoked:
            return xrpc_problem(400, self.code or "ExpiredToken", self.message or "Token has expired")
        if self.kind is FaultKind.status:
            return xrpc_problem(self.status, self.code, self.message or "")
        answer = xrpc_problem(429, self.code, self.message or "Rate Limit Exceeded")
        seconds = 300 if self.seconds is None else self.seconds
        answer.headers["RateLimit-Remaining"] = "0"
        # whole seconds, rounded up
        answer.headers["RateLimit-Reset"] = str(math.ceil(time.time() + seconds))
        return answer

    def _mastodon_answer(self) -> Response:
        if self.kind is FaultKind.revoked:
            return mastodon_problem(401, self.message or "The access token was revoked")
        if self.kind is FaultKind.status:
            return mastodon_problem(self.status, self.message)
        answer = mastodon_problem(429, self.message)
        until = datetime.now(UTC) + timedelta(seconds=300 if self.seconds is None else self.seconds)
        answer.headers["X-RateLimit-Remaining"] = "0"
        answer.headers["X-RateLimit-Reset"] = until.isoformat().replace("+00:00", "Z")
        return answer

    def _wordpress_answer(self) -> Response:
        if self.kind is FaultKind.revoked:
            return wordpress_problem(401, self.code or "incorrect_password", self.message)
        if self.kind is FaultKind.status:
            return wordpress_problem(self.status, self.code, self.message)
        answer = wordpress_problem(429, None, self.message)
        if self.seconds is not None:
            answer.headers["Retry-After"] = str(round(self.seconds))
        return answer

    def _ghost_answer(self) -> Response:
        if self.kind is FaultKind.revoked:
            return ghost_problem(401, "UnauthorizedError", self.code or "UNKNOWN_ADMIN_API_KEY", self.message)
        if self.kind is FaultKind.status:
            return ghost_problem(self.status, None, self.code, self.message)
        answer = ghost_problem(429, None, self.code, self.message)
        if self.seconds is not None:
            answer.headers["Retry-After"] = str(round(self.seconds))
        return answer

    def _hook_answer(self) -> Response:
        status = {FaultKind.revoked: 401, FaultKind.rate_limited: 429}.get(self.kind, self.status)
        answer = JSONResponse({"error": self.message or "Sandbox fault"}, status)
        if self.kind is FaultKind.rate_limited and self.seconds is not None:
            answer.headers["Retry-After"] = str(round(self.seconds))
        return answer

    def answer(self, path: str = "") -> Response:
        """Return the error response of the fault, in the format of the network at that path."""
        if GRAPH.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._graph_answer()
        if XRPC.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._xrpc_answer()
        if MASTODON.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._mastodon_answer()
        if WORDPRESS.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._wordpress_answer()
        if GHOST.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._ghost_answer()
        if HOOK.fullmatch(path) and self.kind in (FaultKind.revoked, FaultKind.rate_limited, FaultKind.status):
            return self._hook_answer()
        if self.kind is FaultKind.rate_limited:
            stripe = self.on in STRIPE
            answer = stripe_fault(429, self.code, self.message) if stripe else problem(429, None, self.message, 101)
            if self.seconds is not None:
                answer.headers["Retry-After"] = str(round(self.seconds))
            return answer
        if self.kind is FaultKind.revoked and self.on in STRIPE:
            return stripe_fault(401, "api_key_expired", self.message or "Expired API Key provided")
        if self.kind is FaultKind.revoked:
            return problem(401, None, self.message, 65601)
        if self.kind is FaultKind.html:
            text = f"<!doctype html><title>{self.status}</title><h1>Bad gateway</h1>"
            return HTMLResponse(text, self.status)
        if self.kind is FaultKind.truncated:
            return Response('{"status":500,"mess', self.status, media_type="application/json")
        if self.kind is FaultKind.empty:
            return Response(status_code=self.status)
        if self.on in STRIPE:
            return stripe_fault(self.status, self.code, self.message)
        if self.on is Target.token:
            usual = "invalid_grant" if self.status < 500 else "server_error"
            return oauth_problem(self.code or usual, self.message or "Sandbox fault", self.status)
        if self.code == "DUPLICATE_POST":
            return duplicate_problem(self.urn)
        return problem(self.status, self.code, self.message, self.service_error_code)


def read_fault(body: Any) -> Fault:
    """Return the fault of a JSON body. Raise ValueError with the reason if it is invalid."""
    if not isinstance(body, dict):
        raise ValueError("the body must be an object")
    if unknown := set(body) - {field.name for field in fields(Fault)}:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    on, kind = Target(str(body.get("on"))), FaultKind(str(body.get("kind")))
    if kind in HINTS and on is not HINTS[kind]:
        raise ValueError(f"{kind} is for {HINTS[kind]} only")
    if on is Target.mail and kind is not FaultKind.status:
        raise ValueError("mail can only fail with a status")
    usual = 451 if on is Target.mail else 502 if kind is FaultKind.html else 500
    fault = Fault(
        on=on,
        kind=kind,
        status=int(body.get("status") or usual),
        times=int(body.get("times") or 1),
        seconds=None if body.get("seconds") is None else float(body["seconds"]),
        effect=bool(body.get("effect", kind in (FaultKind.lost_answer, FaultKind.slow))),
        message=body.get("message"),
        code=None if body.get("code") is None else str(body["code"]),
        service_error_code=body.get("service_error_code"),
        urn=str(body.get("urn") or Fault.urn),
        containing=str(body.get("containing") or ""),
        minutes=int(body.get("minutes") or 0),
        percent=int(body.get("percent") or 100),
    )
    lowest = 400 if kind is FaultKind.status else 200
    if not lowest <= fault.status <= 599:
        raise ValueError(f"status must be {lowest} to 599")
    if kind is FaultKind.usage and not 0 <= fault.percent <= 999:
        raise ValueError("percent must be 0 to 999")
    if fault.times < 1 or fault.wait < 0:
        raise ValueError("times must be 1 or more, seconds 0 or more")
    return fault


class Faults:
    """Faults that have not been applied yet."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Fault, int]] = []
        self._next = 1
        self.closing = asyncio.Event()

    def add(self, fault: Fault) -> dict[str, Any]:
        self._waiting.append((self._next, fault, fault.times))
        self._next += 1
        return self.active()[-1]

    def look_into(self, targets: Sequence[Target]) -> bool:
        """Return whether a fault of these targets needs the request's body."""
        return any(fault.on in targets and fault.containing for _, fault, _ in self._waiting)

    def take(self, targets: Sequence[Target], body: bytes = b"") -> Fault | None:
        for index, (number, fault, left) in enumerate(self._waiting):
            if fault.on in targets and fault.containing.encode() in body:
                if left > 1:
                    self._waiting[index] = (number, fault, left - 1)
                else:
                    del self._waiting[index]
                return fault
        return None

    def active(self) -> list[dict[str, Any]]:
        """Return the pending faults as JSON; `times` is the number left."""
        return [
            {
                "id": number,
                **{field.name: getattr(fault, field.name) for field in fields(fault)},
                "times": left,
            }
            for number, fault, left in self._waiting
        ]

    def clear(self) -> None:
        self._waiting.clear()


class CuttableProtocol(HttpToolsProtocol):
    """Passes the connection to the app, so that a fault can cut it."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {TRANSPORT: {"transport": self.transport}}


class FaultyApp:
    """Records every call of a network's API and applies the pending faults."""

    def __init__(self, app: ASGIApp, state: State, faults: Faults) -> None:
        self.app, self.state, self.faults = app, state, faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = _routed(scope)
        if scope["type"] != "http" or not scope["path"].startswith(LOGGED):
            await self.app(scope, receive, send)
            return
        arrived_at = scope[ARRIVED_AT] = time.time()
        method, path = scope["method"], scope["path"]
        if method == "POST" and HOOK.fullmatch(path):  # all events have the same URL
            body = await _read(receive)
            receive, path = _replayed(body, receive), f"{path}/{_event(body)}"
        targets = [on for on, verb, pattern in ROUTES if verb in (method, None) and pattern.fullmatch(path)]
        if self.faults.look_into(targets):
            body = await _read(receive)
            receive = _replayed(body, receive)
            fault = self.faults.take(targets, body)
        else:
            fault = self.faults.take(targets)
        entry: dict[str, Any] = {
            "method": method,
            "path": path,
            "arrived_at": arrived_at,
            "status": None,
            "fault": fault.kind if fault else None,
        }
        self.state.requests.append(entry)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        if fault is None or fault.kind is FaultKind.usage or fault.kind in HINTS:
            scope[FAULT] = fault
            await self.app(scope, receive, noted)
        else:
            await self._spoil(fault, scope, receive, noted)

    async def _spoil(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read(receive)
        answered: list[Message] = []
        if fault.effect:
            scope[FAULT] = None
            await self.app(scope, _replayed(body), _collected(answered))
        if fault.kind in (FaultKind.reset, FaultKind.lost_answer):
            await _cut(scope, receive)
        elif fault.kind is FaultKind.timeout:
            await self._pause(fault.wait, receive)
            await _cut(scope, receive)
        elif fault.kind is FaultKind.slow:
            await self._pause(fault.wait, receive)
            if answered:
                for message in answered:
                    await send(message)
            else:
                await self.app(scope, _replayed(body), send)
        else:
            await fault.answer(scope["path"])(scope, receive, send)

    async def _pause(self, seconds: float, receive: Receive) -> None:
        """Wait until the time is over, the caller disconnects, or the process ends."""
        ends = {asyncio.ensure_future(_gone(receive)), asyncio.ensure_future(self.faults.closing.wait())}
        try:
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)


def _routed(scope: Scope) -> Scope:
    """Return the scope of a `?rest_route=` request with the equivalent `/wp-json` path."""
    if scope["path"] != "/" or b"rest_route=" not in scope["query_string"]:
        return scope
    asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
    path = f"/wp-json{asked.get('rest_route', '')}"
    return {**scope, "path": path, "raw_path": quote(path).encode(), PLAIN: True}


def _event(body: bytes) -> str:
    """Return the type of a webhook message; empty if it has none."""
    try:
        return str(json.loads(body)["type"])
    except (ValueError, KeyError, TypeError):
        return ""


async def _read(receive: Receive) -> bytes:
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


def _replayed(body: bytes, then: Receive | None = None) -> Receive:
    """Return a receive function for a body already read, then for `then`, or a disconnect without it."""
    messages: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        if messages:
            return messages.popleft()
        return await then() if then else {"type": "http.disconnect"}

    return receive


def _collected(messages: list[Message]) -> Callable[[Message], Awaitable[None]]:
    async def send(message: Message) -> None:
        messages.append(message)

    return send


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cut(scope: Scope, receive: Receive) -> None:
    """Reset the caller's connection: SO_LINGER of zero seconds sends RST instead of FIN.

    Raise RuntimeError outside the sandbox's own server, where there is no connection.
    """
    extension = scope.get("extensions", {}).get(TRANSPORT)
    if extension is None:
        raise RuntimeError("a connection can only be cut when served by CuttableProtocol")
    transport: asyncio.Transport = extension["transport"]
    if not transport.is_closing():
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    await _gone(receive)


def routes(faults: Faults) -> APIRouter:
    router = APIRouter()

    @router.post("/sandbox/faults")
    async def order(request: Request) -> Response:
        try:
            fault = read_fault(json.loads(await request.body()))
        except (ValueError, TypeError) as error:
            return JSONResponse({"error": str(error)}, 422)
        return JSONResponse(faults.add(fault), 201)

    @router.get("/sandbox/faults")
    async def active() -> Response:
        return JSONResponse(faults.active())

    @router.delete("/sandbox/faults")
    async def clear() -> Response:
        faults.clear()
        return Response(status_code=204)

    @router.get("/faults")
    async def form(request: Request) -> Response:
        return HTMLResponse(_form(faults, Text(language(request))))

    @router.post("/faults")
    async def submit(request: Request) -> Response:
        given = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
        if "clear" in given:
            faults.clear()
            return RedirectResponse("/faults", 303)
        try:
            if "effect" in given:
                given["effect"] = given["effect"] == "true"  # type: ignore[assignment]
            faults.add(read_fault(given))
        except ValueError as error:
            return HTMLResponse(_form(faults, Text(language(request)), str(error)), 422)
        return RedirectResponse("/faults", 303)

    return router


def _form(faults: Faults, text: Text, error: str = "") -> str:
    waiting = "".join(
        f"<li><strong>{text.escape(row['on'])}: {text.escape(row['kind'])}</strong> <span>× {row['times']}</span></li>"
        for row in faults.active()
    )
    targets = "".join(f"<option>{on}</option>" for on in Target)
    kinds = "".join(f"<option>{kind}</option>" for kind in FaultKind)
    problem_line = f'<p class="error" role="alert">{text.escape(error)}</p>' if error else ""
    listed = f'<ul class="rows">{waiting}</ul>' if waiting else f"<p>{text('no_faults')}</p>"
    clear = (
        f'<form method="post"><button class="quiet" name="clear" value="1">{text("clear")}</button></form>'
        if waiting
        else ""
    )
    body = f"""<h1>{text("faults")}</h1><p>{text("faults_intro")}</p>{problem_line}
<form method="post" class="card fields">
<label>{text("fault_on")}<select name="on">{targets}</select></label>
<label>{text("fault_kind")}<select name="kind">{kinds}</select></label>
<label>{text("fault_status")}<input name="status" inputmode="numeric" placeholder="500"></label>
<label>{text("fault_times")}<input name="times" inputmode="numeric" value="1"></label>
<label>{text("fault_seconds")}<input name="seconds" inputmode="decimal"></label>
<label>{text("fault_minutes")}<input name="minutes" inputmode="numeric"></label>
<label>{text("fault_percent")}<input name="percent" inputmode="numeric" placeholder="100"></label>
<label>{text("fault_message")}<input name="message"></label>
<label>{text("fault_effect")}<select name="effect"><option value="">{text("usual")}</option>
<option value="true">{text("yes")}</option><option value="false">{text("no")}</option></select></label>
<button>{text("fault_order")}</button></form>
<h2>{text("fault_waiting")}</h2>{listed}{clear}"""
    return page(text, text("faults"), body)
