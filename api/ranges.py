"""Parts of a stored file, as browsers ask for them to seek in a video, and networks to fetch one (RFC 9110, 14), and
the copies that callers have."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from fastapi import Request, Response, status
from fastapi.responses import StreamingResponse

_RANGE: Final = re.compile(r"bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))")

Read = Callable[[int, int], AsyncIterator[bytes]]
"""Yields a file's bytes from the first position up to the second."""


def known_tags(request: Request) -> set[str]:
    """Return the ETags that the caller has, or `*` for any."""
    header = ",".join(request.headers.getlist("if-none-match"))
    return {tag.strip().removeprefix("W/") for tag in header.split(",") if tag.strip()}


def file_response(request: Request, read: Read, size: int, etag: str, headers: Mapping[str, str]) -> Response:
    """Return the whole file, or the range that the request names; 416 if the file has no such bytes.

    Several ranges at once get the whole file, as the standard allows."""
    given = {**headers, "ETag": etag, "Accept-Ranges": "bytes"}
    asked = request.headers.get("range")
    if request.headers.get("if-range", etag) != etag:
        asked = None
    found = _RANGE.fullmatch(asked) if asked else None
    if found is None:
        return StreamingResponse(read(0, size), headers={**given, "Content-Length": str(size)})
    first, last, tail = found.groups()
    start = max(size - int(tail), 0) if tail else int(first)
    end = min(int(last) + 1, size) if last else size
    if start >= end:
        return Response(
            status_code=status.HTTP_416_RANGE_NOT_SATISFIABLE,
            headers={"Content-Range": f"bytes */{size}", "Accept-Ranges": "bytes"},
        )
    return StreamingResponse(
        read(start, end),
        status_code=status.HTTP_206_PARTIAL_CONTENT,
        headers={**given, "Content-Length": str(end - start), "Content-Range": f"bytes {start}-{end - 1}/{size}"},
    )
