"""Counts requests by route template, for Prometheus."""

import time
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.metrics import HTTP_REQUESTS, HTTP_SECONDS

_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_NOT_ANSWERED: Final = 499
"""As nginx logs it: the caller left before the answer began."""


def route_of(scope: Scope) -> str:
    """Return the template of the route that answered, without `/api`, or `none`."""
    route: str = getattr(scope.get("route"), "path", "none")
    return route


class RequestMetrics:
    """Counts each request and measures its time, except for event streams, which last as long as a tab is open."""

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
        finally:
            # a caller may send any method; each label value is kept for as long as the process lives
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = route_of(scope)
            HTTP_REQUESTS.labels(method, route, status).inc()
            if not is_stream:
                HTTP_SECONDS.labels(method, route).observe(time.perf_counter() - began)
