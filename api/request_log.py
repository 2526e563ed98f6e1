"""Counts requests by route template, and logs each, and the errors that nothing else has handled: the access log."""

import logging
import time
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.metrics import HTTP_REQUESTS, HTTP_SECONDS

logger = logging.getLogger("api.access")

_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_PROBES: Final = frozenset({"/healthz", "/readyz"})
"""Asked every few seconds: only failures are logged."""
_NOT_ANSWERED: Final = 499
"""As nginx logs it: the caller left before the answer began."""


def route_of(scope: Scope) -> str:
    """Return the template of the route that answered, without `/api`, or `none`."""
    route: str = getattr(scope.get("route"), "path", "none")
    return route


class RequestLog:
    """Counts and logs each request with its time. Event streams last as long as a tab is open: their time is not in the
    metrics. A path may contain the token of a link, so the log has the route's template.

    An error that nothing else has handled is logged and ends here: Starlette has answered it and raises it again, and
    uvicorn would log it without the route.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, is_stream = time.perf_counter(), _NOT_ANSWERED, False

        async def note_status(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                content_type = Headers(raw=message.get("headers", [])).get("content-type", "")
                is_stream = content_type.startswith("text/event-stream")
            await send(message)

        try:
            await self.app(scope, receive, note_status)
        except Exception:
            logger.exception("unhandled error at %s", route_of(scope))
        finally:
            # a caller may send any method; each label value is kept for as long as the process lives
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = route_of(scope)
            took = time.perf_counter() - began
            HTTP_REQUESTS.labels(method, route, status).inc()
            if not is_stream:
                HTTP_SECONDS.labels(method, route).observe(took)
            if route not in _PROBES or status >= 400:
                facts = {"method": method, "route": route, "status": status, "duration_ms": round(took * 1000, 1)}
                logger.info("request", extra=facts)
