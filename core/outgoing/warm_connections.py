"""Connections that are opened shortly before the publishing call they are for.

At a full hour hundreds of posts are due at the same moment, so connections are opened before it.
"""

import socket
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2

from core.networks.posts import Receipt
from core.outgoing import http

MAX_OPEN = 2000
"""Maximum open connections of this process; each needs a file descriptor."""

_ESTABLISHED = 1  # tcpi_state, the first byte of struct tcp_info (linux/tcp.h)
_open: set["WarmConnection"] = set()


class WarmConnection(httpx2.AsyncBaseTransport):
    """One connection to one service, for one request. Kept only for the few seconds until its call: if the service has
    just closed a connection, it would be unknown whether the call was received."""

    def __init__(self, connection: httpcore2.AsyncHTTP11Connection, stream: httpcore2.AsyncNetworkStream) -> None:
        self._connection, self._stream = connection, stream
        _open.add(self)

    def is_usable(self) -> bool:
        """Return whether the connection is established. Readable bytes say nothing: TLS sends session tickets."""
        found = self._stream.get_extra_info("socket")
        if found is None or not hasattr(socket, "TCP_INFO"):
            return False
        try:
            return bool(found.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED)
        except OSError:
            return False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        url = httpcore2.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        converted = httpcore2.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _raise_httpx_errors():
            answer = await self._connection.handle_async_request(converted)
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer), request=request)

    async def aclose(self) -> None:
        _open.discard(self)
        await self._connection.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _raise_httpx_errors():
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _raise_httpx_errors() -> Iterator[None]:
    try:
        yield
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
        # httpx2 has errors of the same names
        raise getattr(httpx2, type(error).__name__)(str(error)) from error


@dataclass
class PreparedCall:
    """The publishing call of a network that needs one request. `send` gets the client or connection to use."""

    client: httpx2.AsyncClient
    base_url: str
    send: Callable[[httpx2.AsyncClient | httpx2.AsyncBaseTransport], Awaitable[Receipt]]
    locate: "Locate | None" = None
    """Resolves the allowed addresses of a service that a person named."""
    _warm: WarmConnection | None = None

    async def open(self) -> None:
        self._warm = await open_connection(self.base_url, within=http.CONNECT, locate=self.locate)

    async def publish(self) -> Receipt:
        if self._warm and self._warm.is_usable():
            return await self.send(self._warm)
        return await self.send(self.client)

    async def close(self) -> None:
        if self._warm:
            await self._warm.aclose()


class _SingleWriteStream(httpcore2.AsyncNetworkStream):
    """Sends a request's head together with its body, when the first read starts: a third of the time for a thousand
    requests at once."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream, self._unsent = stream, b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as in httpcore2
        self._unsent += buffer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - as in httpcore2
        if self._unsent:
            request, self._unsent = self._unsent, b""
            # as httpcore2: a service may answer before it has read everything
            with suppress(httpcore2.WriteError):
                await self._stream.write(request, timeout)
        return await self._stream.read(max_bytes, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


Locate = Callable[[httpx2.URL], Awaitable[Sequence[str]]]
"""Returns the addresses to which a URL's host may be connected; raises ConnectError if there are none."""


async def open_connection(base_url: str, *, within: timedelta, locate: Locate | None = None) -> WarmConnection | None:
    """Return an open connection. None: a proxy is used, too many are open, or the service does not answer; the call
    then connects as usual and reports the error."""
    address = urlsplit(base_url)
    host = address.hostname or ""
    if len(_open) >= MAX_OPEN or goes_through_proxy(address.scheme, host):
        return None
    origin = httpcore2.URL(base_url).origin
    seconds = within.total_seconds()
    try:
        target = (await locate(httpx2.URL(base_url)))[0] if locate else host
        stream = await _network().connect_tcp(target, origin.port, timeout=seconds)
        if address.scheme == "https":
            stream = await stream.start_tls(http.trust(), host, timeout=seconds)
    except (httpcore2.NetworkError, httpcore2.TimeoutException, httpx2.ConnectError):
        return None
    return WarmConnection(httpcore2.AsyncHTTP11Connection(origin, _SingleWriteStream(stream)), stream)


@cache
def _network() -> httpcore2.AnyIOBackend:
    return httpcore2.AnyIOBackend()


def goes_through_proxy(scheme: str, host: str) -> bool:
    """Decide by the environment, as `httpx2` does."""
    proxies = urllib.request.getproxies()
    return bool({scheme, "all"} & proxies.keys()) and not urllib.request.proxy_bypass(host)
