"""Fault injection: the outermost layer of the app, which can answer wrongly, late or not at all."""

import asyncio
import json
import socket
import struct
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sandbox import (
    bluesky_problems,
    ghost_problems,
    graph_problems,
    linkedin_problems,
    mastodon_problems,
    threads_problems,
    webhook,
    wordpress_problems,
)
from sandbox.faults import APPLIED_BY_STAND_IN, ARRIVED_AT, FAULT, Fault, FaultKind, Faults
from sandbox.state import State
from sandbox.stripe import problems as stripe_problems
from sandbox.wordpress_problems import PLAIN

TRANSPORT = "sandbox.transport"
APIS = (
    graph_problems.API,
    threads_problems.API,
    mastodon_problems.API,
    bluesky_problems.API,
    wordpress_problems.API,
    ghost_problems.API,
    webhook.API,
    linkedin_problems.API,
    stripe_problems.API,
)
PREFIXES = tuple(prefix for api in APIS for prefix in api.prefixes)


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
            scope = _with_wordpress_path(scope)
        if scope["type"] != "http" or not scope["path"].startswith(PREFIXES):
            await self.app(scope, receive, send)
            return
        # a caller that left while it sent its request has asked for nothing, and nobody waits for an answer
        with suppress(ClientDisconnect):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        arrived_at = scope[ARRIVED_AT] = time.time()
        method, path = scope["method"], scope["path"]
        if method == "POST" and webhook.API.paths.fullmatch(path):  # all events have the same URL
            body = await _read_body(receive)
            receive, path = _replay(body, receive), f"{path}/{_event_type(body)}"
        targets = [
            target
            for api in APIS
            for target, verb, pattern in api.targets
            if verb in (method, None) and pattern.fullmatch(path)
        ]
        if self.faults.need_body(targets):
            body = await _read_body(receive)
            receive = _replay(body, receive)
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

        async def record_status(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        if fault is None or fault.kind is FaultKind.usage or fault.kind in APPLIED_BY_STAND_IN:
            scope[FAULT] = fault
            await self.app(scope, receive, record_status)
        else:
            await self._apply(fault, scope, receive, record_status)

    async def _apply(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read_body(receive)
        answer: list[Message] = []
        if fault.effect:
            scope[FAULT] = None
            await self.app(scope, _replay(body), _collect(answer))
        if fault.kind in (FaultKind.reset, FaultKind.lost_answer):
            await _reset_connection(scope, receive)
        elif fault.kind is FaultKind.timeout:
            await self._pause(fault.wait, receive)
            await _reset_connection(scope, receive)
        elif fault.kind is FaultKind.slow:
            await self._pause(fault.wait, receive)
            if answer:
                for message in answer:
                    await send(message)
            else:
                await self.app(scope, _replay(body), send)
        else:
            await _error_response(fault, scope["path"])(scope, receive, send)

    async def _pause(self, seconds: float, receive: Receive) -> None:
        """Wait until the time is over, the caller disconnects, or the process ends."""
        ends = {asyncio.ensure_future(_wait_for_disconnect(receive)), asyncio.ensure_future(self.faults.closing.wait())}
        try:
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)


def _with_wordpress_path(scope: Scope) -> Scope:
    """Return the scope of a `?rest_route=` request with the equivalent `/wp-json` path."""
    if scope["path"] != "/" or b"rest_route=" not in scope["query_string"]:
        return scope
    query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
    path = f"/wp-json{query.get('rest_route', '')}"
    return {**scope, "path": path, "raw_path": quote(path).encode(), PLAIN: True}


def _event_type(body: bytes) -> str:
    """Return the type of a webhook message; empty if it has none."""
    try:
        return str(json.loads(body)["type"])
    except (ValueError, KeyError, TypeError):
        return ""


async def _read_body(receive: Receive) -> bytes:
    """Return the whole body. Raise ClientDisconnect if the caller leaves before its end."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


def _replay(body: bytes, then: Receive | None = None) -> Receive:
    """Return a receive function for a body already read, then for `then`, or a disconnect without it."""
    messages: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        if messages:
            return messages.popleft()
        return await then() if then else {"type": "http.disconnect"}

    return receive


def _collect(messages: list[Message]) -> Callable[[Message], Awaitable[None]]:
    async def send(message: Message) -> None:
        messages.append(message)

    return send


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _reset_connection(scope: Scope, receive: Receive) -> None:
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
    await _wait_for_disconnect(receive)


def _error_response(fault: Fault, path: str) -> Response:
    """Return the error response of the fault, in the format of the network at that path."""
    match fault.kind:
        case FaultKind.html:
            return HTMLResponse(f"<!doctype html><title>{fault.status}</title><h1>Bad gateway</h1>", fault.status)
        case FaultKind.truncated:
            return Response('{"status":500,"mess', fault.status, media_type="application/json")
        case FaultKind.empty:
            return Response(status_code=fault.status)
    api = next((api for api in APIS if api.paths.fullmatch(path)), linkedin_problems.API)
    return api.answer(fault)
