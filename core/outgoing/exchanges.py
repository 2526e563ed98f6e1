"""Recording of calls to networks and their answers: without secrets, and at most 4 kB of each."""

import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import parse_qsl

import httpx2

from core.outgoing.redaction import clip, redact

_MAX_BYTES: Final = 1_000_000
"""Maximum bytes of a recorded text; of a longer one only the size is kept. Texts are not cut before redaction, since
half a secret would not be recognized."""
_TEXTS: Final = ("json", "text", "xml", "form-urlencoded")

_recorded: ContextVar[list[dict[str, Any]] | None] = ContextVar("recorded", default=None)


@contextmanager
def record_exchanges() -> Iterator[list[dict[str, Any]]]:
    """Yield a list that gets every call made inside the block, in order: `asked` (method and address without query),
    `sent`, `status` (None: no answer), `answer` (or the failure) and `milliseconds`."""
    recorded: list[dict[str, Any]] = []
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)


def record(request: httpx2.Request, began: float, answer: httpx2.Response | str) -> None:
    """Record a call. `began`: from `time.monotonic`."""
    recorded = _recorded.get()
    if recorded is None:
        return
    secrets = _secrets(request)
    exchange = {
        "asked": _clean(f"{request.method} {str(request.url).partition('?')[0]}", secrets),
        "sent": _sent(request, secrets),
        "milliseconds": round((time.monotonic() - began) * 1000),
    }
    if isinstance(answer, str):
        recorded.append(exchange | {"status": None, "answer": answer})
    else:
        body = _body(answer.headers, answer.content, secrets)
        recorded.append(exchange | {"status": answer.status_code, "answer": body})


def _sent(request: httpx2.Request, secrets: tuple[str, ...]) -> str:
    try:
        return _body(request.headers, request.content, secrets)
    except httpx2.RequestNotRead:  # a stream: an upload
        return _size(request.headers, request.headers.get("content-length", "?"))


def _body(headers: httpx2.Headers, content: bytes, secrets: tuple[str, ...]) -> str:
    if not content:
        return ""
    if len(content) > _MAX_BYTES or not any(kind in headers.get("content-type", "text") for kind in _TEXTS):
        return _size(headers, str(len(content)))
    return _clean(content.decode(errors="replace"), secrets)


def _size(headers: httpx2.Headers, size: str) -> str:
    return f"[{headers.get('content-type', '').partition(';')[0]}, {size} bytes]"


def _clean(text: str, secrets: tuple[str, ...]) -> str:
    return clip(redact(text, secrets))


def _secrets(request: httpx2.Request) -> tuple[str, ...]:
    """Return the request's own credentials, which the answer may repeat."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    password = _password(token) if scheme.lower() == "basic" else ""
    named = (value for name, value in parse_qsl(request.url.query.decode()) if _is_secret(name))
    return tuple(filter(None, (token or scheme, password, *named)))


def _password(login: str) -> str:
    """Return the password of a Basic login; empty if it cannot be decoded."""
    try:
        return base64.b64decode(login, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _is_secret(name: str) -> bool:
    return any(word in name for word in ("token", "secret", "proof", "code", "key"))
