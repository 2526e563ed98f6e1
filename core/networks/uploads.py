"""Files on their way to a network, whole or in parts: streamed, never held in memory."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import httpx2

from core.errors import RetrySafe
from core.networks.posts import Image

UPLOAD: Final = timedelta(seconds=120)
SLOWEST: Final = 250_000
"""Bytes per second: a slower upload is given up."""
PART_WAITS: Final = (1.0, 5.0, 15.0)
"""Seconds between tries to upload one part: without them, one lost connection would repeat the whole file."""


def upload_time(size: int) -> timedelta:
    """Return how long the upload of so many bytes may take."""
    return UPLOAD + timedelta(seconds=size / SLOWEST)


def streamed(chunks: AsyncIterator[bytes], size: int, mime: str) -> dict[str, Any]:
    """Return the arguments of a request whose body is a file. Some networks refuse a body without its length."""
    return {"content": chunks, "headers": {"Content-Type": mime, "Content-Length": str(size)}}


def streamed_form(
    fields: Mapping[str, str | Image], name: str, chunks: AsyncIterator[bytes], size: int, mime: str
) -> dict[str, Any]:
    """Return the arguments of a request whose body is a form. Its last field `name` is a file."""
    boundary = secrets.token_hex(16)
    before = b""
    for field, value in fields.items():
        if isinstance(value, str):
            before += f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        else:
            before += _head_of_file(boundary, field, value.mime) + value.data + b"\r\n"
    before += _head_of_file(boundary, name, mime)
    after = f"\r\n--{boundary}--\r\n".encode()

    async def body() -> AsyncIterator[bytes]:
        yield before
        async for chunk in chunks:
            yield chunk
        yield after

    return streamed(body(), len(before) + size + len(after), f"multipart/form-data; boundary={boundary}")


def _head_of_file(boundary: str, name: str, mime: str) -> bytes:
    disposition = f'form-data; name="{name}"; filename="file"'
    return f"--{boundary}\r\nContent-Disposition: {disposition}\r\nContent-Type: {mime}\r\n\r\n".encode()


async def retry_part(send: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """Return the answer to the upload of one part. It may be repeated: the network keeps one part per place, or
    says which one it expects."""
    for wait in PART_WAITS:
        try:
            answer = await send()
        except RetrySafe:
            await asyncio.sleep(wait)
            continue
        if answer.status_code < 500:
            return answer
        await asyncio.sleep(wait)
    return await send()
