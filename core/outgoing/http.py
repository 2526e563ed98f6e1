"""The factory for HTTP clients, calls with time and size limits, and what a failed call may have done."""

import asyncio
import json
import re
import time
import zlib
from collections.abc import Awaitable, Callable, Collection, Mapping
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
LONGEST_RETRY_AFTER = timedelta(days=1)

# raised before any byte of the request was sent
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
_WRONG_ADDRESS = (httpx2.InvalidURL, httpx2.UnsupportedProtocol)
# as PHP prints them, with and without HTML
_NOTICES = re.compile(
    r"[\s\ufeff]*(?:(?:<br ?/?>\s*)?(?:<b>)?(?:PHP )?(?:Notice|Warning|Deprecated|Strict Standards)(?:</b>)?:"
    r".*? on line (?:<b>)?\d+(?:</b>)?(?:<br ?/?>)?[\s\ufeff]*)*",
    re.DOTALL,
)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


NONE_KEPT = httpx2.Limits(max_keepalive_connections=0)
MAX_ANSWER_BYTES: Final = 1_000_000
"""Maximum bytes of an answer, before and after it is unpacked: only lists of posts are larger."""
MAX_LIST_BYTES: Final = 8_000_000
"""Maximum bytes of a list of posts."""
_ANY_FORMAT: Final = zlib.MAX_WBITS | 32


@cache
def trust() -> SSLContext:
    """Return the TLS context with the trusted certificates, shared by all connections."""
    context = httpx2.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


_headers = {
    # a small compressed answer may unpack to a huge one
    "Accept-Encoding": "identity",
    "User-Agent": "Postloom",
}


def use_user_agent(name: str) -> None:
    """Set the User-Agent of all clients of this process."""
    _headers["User-Agent"] = name


def client(
    *, base_url: str, timeout: timedelta, transport: httpx2.AsyncBaseTransport | None = None
) -> httpx2.AsyncClient:
    """Return a client for one service; `timeout` is how long an answer may take.

    Connections are not kept alive: if the service has just closed one, it would be unknown whether a publishing
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
    max_bytes: int = MAX_ANSWER_BYTES,
    **request: Any,
) -> httpx2.Response:
    """Build a request and send it as `ask` does."""
    return await ask(
        http, build(http, method, url, **request), publishing=publishing, within=within, max_bytes=max_bytes
    )


def build(http: httpx2.AsyncClient, method: str, url: str, **request: Any) -> httpx2.Request:
    """Build a request. Raise Misconfigured if the address is invalid."""
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
    max_bytes: int = MAX_ANSWER_BYTES,
) -> httpx2.Response:
    """Return the answer, whatever its status, `within` that time for the whole call (default: the client's). A
    transport instead of a client costs half as much. An answer longer than `max_bytes` bytes is unreadable.

    Raise RetrySafe if nothing was sent or the call publishes nothing, Ambiguous if a publishing call got no readable
    answer, Misconfigured if the address is invalid.
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
        # httpx2 limits each read only, so a dripping answer would never end
        async with asyncio.timeout(seconds):
            response = await send(request)
            answer = await _read_limited(max_bytes, response)
    except _WRONG_ADDRESS as error:
        raise Misconfigured(detail=_name(error)) from error
    except _NOT_SENT as error:
        exchanges.record(request, began, _name(error))
        raise RetrySafe(detail=_name(error)) from error
    except (httpx2.RequestError, TimeoutError) as error:
        exchanges.record(request, began, _name(error))
        raise lost(_name(error), publishing=publishing) from error
    except asyncio.CancelledError:
        exchanges.record(request, began, "cancelled")
        raise
    if answer is None:
        exchanges.record(request, began, f"{response.status_code}, and more than {max_bytes} bytes")
        raise lost("an answer that does not end", publishing=publishing)
    exchanges.record(request, began, answer)
    return answer


async def _read_limited(max_bytes: int, response: httpx2.Response) -> httpx2.Response | None:
    """Return the answer, or None if it is longer than `max_bytes` bytes."""
    packed = bytearray()
    try:
        async for part in response.aiter_raw():
            packed += part
            if len(packed) > max_bytes:
                return None
    finally:
        await response.aclose()
    body = _decompress(bytes(packed), response.headers.get("content-encoding", ""), max_bytes + 1)
    if len(body) > max_bytes:
        return None
    headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-encoding"]
    return httpx2.Response(response.status_code, headers=headers, content=body)


def _decompress(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """Return at most `max_bytes` bytes, decompressed if the server compressed it unasked. Raise DecodingError."""
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(_ANY_FORMAT).decompress(body, max_bytes)
    except zlib.error as error:
        raise httpx2.DecodingError(str(error)) from error


def lost(detail: str, *, publishing: bool) -> ProviderError:
    """Return the error for a call without an answer or outcome."""
    return Ambiguous(detail=detail) if publishing else RetrySafe(detail=detail)


def fields(response: httpx2.Response) -> dict[str, Any]:
    """Return the JSON object of a body; empty for anything else, since error bodies may be HTML or cut off."""
    found = _read(response)
    return found if isinstance(found, dict) else {}


def rows(response: httpx2.Response) -> list[dict[str, Any]] | None:
    """Return the objects of a body that is a list; None for anything else."""
    found = _read(response)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else None


def text_of(body: Mapping[str, Any], key: str) -> str:
    """Return a text field of a body of unknown content, or an empty string."""
    value = body.get(key)
    return value if isinstance(value, str) else ""


def _read(response: httpx2.Response) -> object:
    with suppress(ValueError, RecursionError):
        return json.loads(response.content, object_pairs_hook=_kept)
    with suppress(ValueError, RecursionError):
        return _find_json_among_notices(response.content.decode())
    return None


def _find_json_among_notices(text: str) -> object:
    """Return the JSON of a body around which a site's plugin has put PHP notices or byte order marks. Raise
    ValueError."""
    before = _NOTICES.match(text)
    found, end = json.JSONDecoder(object_pairs_hook=_kept).raw_decode(text, before.end() if before else 0)
    if not _NOTICES.fullmatch(text, end):
        raise ValueError("the body has more than JSON and notices")
    return found


def _kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: [_text(one) for one in value] if isinstance(value, list) else _text(value) for name, value in pairs}


def _text(value: Any) -> Any:
    """Remove characters that JSON allows and the database does not."""
    return _UNSTORABLE.sub("", value) if isinstance(value, str) else value


def later(now: datetime, seconds: object) -> datetime | None:
    """Return the time that many seconds from now, from an answer's value; None if the value is unusable."""
    if not isinstance(seconds, int) or seconds <= 0:
        return None
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:
        return None


def clock_off(answer: httpx2.Response) -> timedelta | None:
    """Return how far the server's clock is ahead of ours; None if unknown."""
    theirs = _date_in(answer.headers.get("date", ""))
    if theirs is None:
        return None
    kept = whole_number(answer.headers.get("age", "")) or 0  # set by a cache
    return timedelta(seconds=round(theirs.timestamp() + kept - time.time()))


def retry_after(response: httpx2.Response) -> timedelta | None:
    """Return the `Retry-After` header (seconds or HTTP date) as a pause from now, at most a day."""
    value = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value):
        pause = timedelta(seconds=float(value))
    else:
        until = _date_in(value)
        if until is None:
            return None
        pause = until - datetime.now(UTC)
    return min(max(pause, timedelta(0)), LONGEST_RETRY_AFTER)


def whole_number(text: str) -> int | None:
    """Return a number that a server sent as text; None for anything else, and for one of more than twelve digits,
    which no arithmetic with times could take."""
    return int(text) if re.fullmatch(r"[0-9]{1,12}", text) else None


def _date_in(header: str) -> datetime | None:
    """Return the HTTP date; None if it is none."""
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, OverflowError):  # OverflowError for a year of twenty digits
        return None
    return date.replace(tzinfo=date.tzinfo or UTC)


def excerpt(response: httpx2.Response, secrets: Collection[str] = ()) -> str:
    """Return status and body for logs and the ledger: at most 4 kB, without `secrets` and texts like secrets."""
    # redact before cutting: half a token would not be recognized
    text = redact(response.text, secrets)
    return clip(f"{response.status_code} {text}".strip())


def _name(error: Exception) -> str:
    """Return the kind of failure only: messages of transport errors may quote the request."""
    return type(error).__name__
