"""Bodies: read last, and never more than an operation takes.

FastAPI reads and parses a body before it asks any dependency, so that whoever holds no token makes the server work.
Here the body is the last dependency itself: token, rights and limits have all agreed before its first byte is taken.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.params import Body
from fastapi.routing import APIRoute, _effective_route_context_var
from pydantic_core import from_json
from starlette.routing import Match
from starlette.types import Message, Receive, Scope

from api.errors import BodyTooLarge

KILOBYTE = 1024  # bytes
MEGABYTE = 1024 * KILOBYTE
MOST = 64 * KILOBYTE
"""What an operation takes that does not say otherwise."""
MOST_VALUES = 200_000
"""In a whole body: commas, colons and openings. A file with the most templates has 80,000."""

_LIMIT = "x-most-bytes"
_BESIDE = 256 * KILOBYTE  # what is larger is parsed beside the event loop
_MOST_DIGITS = 15
_BODY = "postloom.body"

_parsing = asyncio.Semaphore(1)
"""One large body at a time: parsing holds the interpreter, and each is many times its size in memory."""


def up_to(most: int, **more: Any) -> dict[str, Any]:
    """`openapi_extra` of an operation that takes another number of bytes than `MOST`; the document says it, too."""
    return {_LIMIT: most, **more}


def limit_of(route: Any) -> int:
    """The most bytes of a body that a route takes."""
    found: int = (route.openapi_extra or {}).get(_LIMIT, MOST)
    return found


class BodyLast(APIRoute):
    """A route that reads its body after all its other dependencies, and only as much of it as it takes."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        # an included router sees the route with its own prefix and dependencies: FastAPI calls this once for each
        context = _effective_route_context_var.get()
        route: Any = context if context is not None and context.original_route is self else self
        field = route.body_field
        if field is not None:
            name, *others = (param.name for param in route.dependant.body_params)
            if others or route._embed_body_fields or type(field.field_info) is not Body:
                raise TypeError(f"{route.path}: a body is one JSON document")
            route.dependant.body_params = []
            route.dependant.dependencies.append(
                Dependant(name=name, call=_reader(field), request_param_name="request", path=route.path)
            )
        route.body_field = None  # FastAPI itself reads nothing
        try:
            handle = super().get_route_handler()
        finally:
            route.body_field = field
        most = limit_of(route)

        async def limited(request: Request) -> Response:
            return await handle(Request(request.scope, _counted(request, most), request._send))

        return limited


class Router(APIRouter):
    """For all operations of the API."""

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=BodyLast, **options)
        self._always = self.prefix.partition("{")[0]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """FastAPI compares an address with every route, one after the other. Here only with those of the routers whose
        prefix it has: for the list of posts that was a sixth of its time."""
        if self._always not in scope["path"]:
            return Match.NONE, {}
        return super().matches(scope)


def _counted(request: Request, most: int) -> Receive:
    """Refuses to hand on more than so many bytes; what announces more is not even begun."""
    announced = request.headers.get("content-length", "")
    ahead = announced.isdecimal() and (len(announced) > _MOST_DIGITS or int(announced) > most)
    receive, read = request.receive, 0

    async def counted() -> Message:
        nonlocal read
        if ahead:
            raise BodyTooLarge(most)
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise BodyTooLarge(most)
        return message

    return counted


def _reader(field: Any) -> Callable[[Request], Coroutine[Any, Any, Any]]:
    """The dependency that reads, parses and checks a route's body."""

    async def read_body(request: Request) -> Any:
        given = await _given(request)
        if given is None:
            raise _refusal("missing", "Field required")
        if len(given) <= _BESIDE:
            return _checked(field, given)
        async with _parsing:
            return await asyncio.to_thread(_checked, field, given)

    return read_body


def _checked(field: Any, given: bytes) -> Any:
    value, errors = field.validate(_parsed(given), {}, loc=("body",))
    if errors:
        raise RequestValidationError(errors)
    return value


async def said(request: Request) -> dict[str, Any]:
    """A body before anybody has checked it, for limits that count what it names: what is going to be refused counts
    too. Empty where it is no object."""
    try:
        found = _parsed(await _given(request) or b"{}")
    except RequestValidationError:
        return {}
    return found if isinstance(found, dict) else {}


async def _given(request: Request) -> bytes | None:
    """The body's bytes, for all who ask; None where it is empty, or no JSON."""
    if _BODY not in request.scope:
        request.scope[_BODY] = await _read(request)
    body: bytes = request.scope[_BODY]
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return body if body and (kind == "application/json" or kind.endswith("+json")) else None


async def _read(request: Request) -> bytes:
    """Counts its values as they come in: how much memory they would take shows before they take it."""
    count, chunks = _Count(), []
    async for chunk in request.stream():
        if count.add(chunk) > MOST_VALUES:
            raise _refusal("too_many_values", f"more than {MOST_VALUES} values")
        chunks.append(chunk)
    return b"".join(chunks)


class _Count:
    """Values of a JSON text that comes in pieces: at most as many as it has commas, colons and openings outside of its
    strings."""

    def __init__(self) -> None:
        self.values = 0
        self.in_string = False
        self.rest = b""
        """Half of an escape."""

    def add(self, piece: bytes) -> int:
        # whole escapes go first, so that every quote that is left begins or ends a string
        plain = (self.rest + piece).replace(b"\\\\", b"")
        self.rest = b"\\" if plain.endswith(b"\\") else b""
        parts = plain.replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self.in_string :: 2])
        self.in_string ^= len(parts) % 2 == 0
        self.values += sum(map(outside.count, (b",", b":", b"[", b"{")))
        return self.values


def _parsed(given: bytes) -> Any:
    """Raises RequestValidationError for what is no JSON, or nested more than 200 deep."""
    try:
        return from_json(given, allow_inf_nan=False)
    except ValueError as error:
        raise _refusal("json_invalid", str(error)) from error


def _refusal(kind: str, message: str) -> RequestValidationError:
    return RequestValidationError([{"type": kind, "loc": ("body",), "msg": message, "input": None}])
