"""One factory for HTTP clients, and what a failed call may have done."""

import asyncio
import json
import re
import time
import zlib
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache, partial
from ssl import SSLContext
from typing import Any, Final

import httpx2

from core.errors import Ambiguous, Misconfigured, ProviderError, RetrySafe
from core.outgoing import exchanges
from core.outgoing.redaction import clip, redact

CONNECT = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(days=1)

# raised before a byte of the request has left
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
_WRONG_ADDRESS = (httpx2.InvalidURL, httpx2.UnsupportedProtocol)
# as PHP shows them, in HTML and without
_NOTICES = re.compile(
    r"[\s\ufeff]*(?:(?:<br ?/?>\s*)?(?:<b>)?(?:PHP )?(?:Notice|Warning|Deprecated|Strict Standards)(?:</b>)?:"
    r".*? on line (?:<b>)?\d+(?:</b>)?(?:<br ?/?>)?[\s\ufeff]*)*",
    re.DOTALL,
)
_UNKEPT = re.compile("[\0\ud800-\udfff]")


NONE_KEPT = httpx2.Limits(max_keepalive_connections=0)
ANSWER: Final = 1_000_000
"""Bytes of an answer that are read, before and after it is unpacked: far more than any has but a list of posts."""
LIST: Final = 8_000_000
"""The same of a list of posts."""
_UNPACK_ANY: Final = zlib.MAX_WBITS | 32


@cache
def trust() -> SSLContext:
    """Whose certificates are believed: the same for every connection."""
    context = httpx2.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


_headers = {
    # a small packed answer may be a huge one
    "Accept-Encoding": "identity",
    "User-Agent": "Postloom",
}


def use_user_agent(name: str) -> None:
    """Set as what all clients of this process introduce themselves from now on."""
    _headers["User-Agent"] = name


def client(
    *, base_url: str, timeout: timedelta, transport: httpx2.AsyncBaseTransport | None = None
) -> httpx2.AsyncClient:
    """A client for one service; `timeout` is how long an answer may take.

    Connections are not kept: on one that the service has just closed nobody could say whether a publishing
    call was received.
    """
    return httpx2.AsyncClient(
        base_url=base_url,
        timeout=httpx2.Timeout(timeout.total_seconds(), connect=CONNECT.total_seconds()),
        limits=NONE_KEPT,
        verify=trust(),
        headers=_headers,
        follow_redirects=False,
        transport=transport,
    )


async def send(
    http: httpx2.AsyncClient,
    method: str,
    url: str,
    *,
    publishing: bool,
    within: timedelta | None = None,
    most: int = ANSWER,
    **request: Any,
) -> httpx2.Response:
    """As `ask`, for a request that is built first."""
    return await ask(http, build(http, method, url, **request), publishing=publishing, within=within, most=most)


def build(http: httpx2.AsyncClient, method: str, url: str, **request: Any) -> httpx2.Request:
    """Raises Misconfigured when the address cannot be one."""
    try:
        return http.build_request(method, url, **request)
    except _WRONG_ADDRESS as error:
        raise Misconfigured(detail=_name(error)) from error


async def ask(
    http: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    request: httpx2.Request,
    *,
    publishing: bool,
    within: timedelta | None = None,
    most: int = ANSWER,
) -> httpx2.Response:
    """The answer, whatever its status, `within` that time over the whole call (default: the client's). Over a transport
    alone it costs half as much. One that is longer than `most` bytes is not readable.

    Raises RetrySafe when nothing was sent or nothing is published by this call, Ambiguous when a publishing
    call got no readable answer, Misconfigured when the address cannot be one.
    """
    send: Callable[[httpx2.Request], Awaitable[httpx2.Response]]
    if isinstance(http, httpx2.AsyncClient):
        send, usual = partial(http.send, stream=True), http.timeout.read or CONNECT.total_seconds()
    else:
        send, usual = http.handle_async_request, CONNECT.total_seconds()
    seconds = within.total_seconds() if within is not None else usual
    request.extensions["timeout"] = httpx2.Timeout(seconds, connect=min(seconds, CONNECT.total_seconds())).as_dict()
    began = time.monotonic()
    try:
        # httpx2 counts each read alone, so a dripping answer would never end
        async with asyncio.timeout(seconds):
            arriving = await send(request)
            answer = await _read_at_most(most, arriving)
    except _WRONG_ADDRESS as error:
        raise Misconfigured(detail=_name(error)) from error
    except _NOT_SENT as error:
        exchanges.note(request, began, _name(error))
        raise RetrySafe(detail=_name(error)) from error
    except (httpx2.RequestError, TimeoutError) as error:
        exchanges.note(request, began, _name(error))
        raise lost(_name(error), publishing=publishing) from error
    except asyncio.CancelledError:
        exchanges.note(request, began, "not waited for any longer")
        raise
    if answer is None:
        exchanges.note(request, began, f"{arriving.status_code}, and more than {most} bytes")
        raise lost("an answer that does not end", publishing=publishing)
    exchanges.note(request, began, answer)
    return answer


async def _read_at_most(most: int, arriving: httpx2.Response) -> httpx2.Response | None:
    """None: it is longer than that."""
    packed = bytearray()
    try:
        async for part in arriving.aiter_raw():
            packed += part
            if len(packed) > most:
                return None
    finally:
        await arriving.aclose()
    body = _unpacked(bytes(packed), arriving.headers.get("content-encoding", ""), most + 1)
    if len(body) > most:
        return None
    kept = [(name, value) for name, value in arriving.headers.raw if name.lower() != b"content-encoding"]
    return httpx2.Response(arriving.status_code, headers=kept, content=body)


def _unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """Not more than `most` of it. Nobody has asked for it to be packed. Raises DecodingError."""
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(_UNPACK_ANY).decompress(body, most)
    except zlib.error as error:
        raise httpx2.DecodingError(str(error)) from error


def lost(detail: str, *, publishing: bool) -> ProviderError:
    """A call whose answer never came, or came without an outcome."""
    return Ambiguous(detail=detail) if publishing else RetrySafe(detail=detail)


def fields(response: httpx2.Response) -> dict[str, Any]:
    """The JSON object of a body; empty for anything else, since error bodies may be HTML or cut off."""
    found = _read(response)
    return found if isinstance(found, dict) else {}


def rows(response: httpx2.Response) -> list[dict[str, Any]] | None:
    """The objects of a body that is a list; None for anything else."""
    found = _read(response)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else None


def _read(response: httpx2.Response) -> object:
    with suppress(ValueError, RecursionError):
        return json.loads(response.content, object_pairs_hook=_kept)
    with suppress(ValueError, RecursionError):
        return _among_notices(response.content.decode())
    return None


def _among_notices(text: str) -> object:
    """Return the JSON of a body in which a plugin of a site has put notices of PHP, or byte order marks, around it.
    Raises ValueError."""
    before = _NOTICES.match(text)
    found, end = json.JSONDecoder(object_pairs_hook=_kept).raw_decode(text, before.end() if before else 0)
    if not _NOTICES.fullmatch(text, end):
        raise ValueError("more than JSON and notices")
    return found


def _kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: [_text(one) for one in value] if isinstance(value, list) else _text(value) for name, value in pairs}


def _text(value: Any) -> Any:
    """Without what JSON may hold and no database keeps."""
    return _UNKEPT.sub("", value) if isinstance(value, str) else value


def later(now: datetime, seconds: object) -> datetime | None:
    """So many seconds from now, as an answer says; None where it says nothing of use."""
    if not isinstance(seconds, int) or seconds <= 0:
        return None
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:
        return None


def clock_off(answer: httpx2.Response) -> timedelta | None:
    """How far the clock of whoever has answered is ahead of ours; None where that is not told."""
    try:
        theirs = parsedate_to_datetime(answer.headers.get("date", ""))
    except ValueError:
        return None
    age = answer.headers.get("age", "")  # of what a cache has kept
    kept = int(age) if age.isascii() and age.isdecimal() else 0
    return timedelta(seconds=round(theirs.timestamp() + kept - time.time()))


def retry_after(response: httpx2.Response) -> timedelta | None:
    """The `Retry-After` header (seconds or HTTP date) as a pause from now, at most a day."""
    value = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        pause = timedelta(seconds=float(value))
    else:
        try:
            until = parsedate_to_datetime(value)
        except ValueError:
            return None
        pause = until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)
    return min(max(pause, timedelta(0)), LONGEST_PAUSE)


def excerpt(response: httpx2.Response, secrets: Collection[str] = ()) -> str:
    """Status and body for logs and the ledger: at most 4 kB, without `secrets` and what looks like one."""
    # stripped before the cut: half a token would not be recognised
    text = redact(response.text, secrets)
    return clip(f"{response.status_code} {text}".strip())


def _name(error: Exception) -> str:
    """The kind of failure; messages of transport errors may quote the request."""
    return type(error).__name__
