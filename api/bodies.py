"""Limits on request bodies: a body is read only after authentication, and only up to the operation's limit.

FastAPI reads and parses a body before it runs dependencies. Routes of this module check the token first.
"""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.types import Message, Receive

from api.dependencies import get_access, get_token
from api.errors import BodyTooLarge

KILOBYTE = 1024  # bytes
MEGABYTE = 1024 * KILOBYTE
MOST = 64 * KILOBYTE
"""Bytes that an operation accepts by default."""

_LIMIT = "x-most-bytes"


def up_to(most: int, **more: Any) -> dict[str, Any]:
    """Return the `openapi_extra` of an operation with another limit than `MOST` bytes."""
    return {_LIMIT: most, **more}


def limit_of(route: Any) -> int:
    """Return the maximum bytes of a route's body."""
    limit: int = (route.openapi_extra or {}).get(_LIMIT, MOST)
    return limit


def dependencies_of(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    """Yield the functions of all dependencies, including nested ones."""
    for inner in dependant.dependencies:
        if inner.call:
            yield inner.call
        yield from dependencies_of(inner)


class TokenFirstRoute(APIRoute):
    """A route that checks the token before FastAPI reads the body, and limits the body's size."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        dependencies, most = set(dependencies_of(self.dependant)), limit_of(self)

        async def check_then_handle(request: Request) -> Response:
            if self.body_field and get_token in dependencies:
                token = await get_token(request)
                if get_access in dependencies:
                    await get_access(request, token)
            return await handle(Request(request.scope, _limited(request, most)))

        return check_then_handle


class Router(APIRouter):
    """The router of all API operations."""

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=TokenFirstRoute, **options)


def _limited(request: Request, most: int) -> Receive:
    """Return the request's `receive`, which raises BodyTooLarge; at once if Content-Length exceeds the limit."""
    announced, read = request.headers.get("content-length", ""), 0

    async def receive() -> Message:
        nonlocal read
        if announced.isdecimal() and int(announced) > most:
            raise BodyTooLarge(most)
        message = await request.receive()
        read += len(message.get("body", b""))
        if read > most:
            raise BodyTooLarge(most)
        return message

    return receive
