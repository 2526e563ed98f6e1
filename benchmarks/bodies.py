"""Cost of large unauthenticated request bodies: `python -m benchmarks.bodies`. On this machine only, at most 64 MB.

1 MB to the sign-in, 16 MB and four times 16 MB at once (small lists; in chunks without a length, too) to a call that
needs a token. During each, /readyz is called 20 times a second and the API's memory is measured.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from time import perf_counter

import httpx2

from benchmarks.serving import ApiServer, Readiness, run_api

_JSON = {"Content-Type": "application/json"}
_MEGABYTE = 1024 * 1024


def _empty_lists(size: int) -> bytes:
    return b"[%s[]]" % (b"[]," * ((size - 4) // 3))


async def _split(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 64 * 1024):
        yield body[start : start + 64 * 1024]


async def _send(client: httpx2.AsyncClient, path: str, content: bytes, *, chunked: bool) -> str:
    try:
        answer = await client.post(path, content=_split(content) if chunked else content, headers=_JSON)
    except httpx2.TransportError as error:
        return type(error).__name__
    return str(answer.status_code)


async def _attack(server: ApiServer, what: str, path: str, size: int, *, times: int = 1, chunked: bool = False) -> None:
    body = _empty_lists(size)
    before, began = server.memory_mb(), perf_counter()
    most = before
    async with server.client() as client, Readiness(server) as readiness:
        sent = asyncio.gather(*(_send(client, path, body, chunked=chunked) for _ in range(times)))
        while not sent.done():
            await asyncio.wait([sent], timeout=0.02)
            most = max(most, server.memory_mb())
        took = perf_counter() - began
        await asyncio.sleep(0.5)
    sys.stdout.write(
        f"{what:32} {'/'.join(await sent)} after {took:.2f} s; "
        f"memory {before:.0f} MB, at most +{most - before:.0f} MB; {readiness.describe()}\n"
    )
    sys.stdout.flush()


async def main() -> None:
    async with run_api() as server:
        async with Readiness(server) as readiness:
            await asyncio.sleep(2)
        sys.stdout.write(f"{'at rest':32} memory {server.memory_mb():.0f} MB; {readiness.describe()}\n")
        await _attack(server, "1 MB at the sign-in", "/api/auth/login/", _MEGABYTE)
        await _attack(server, "16 MB, no token", "/api/topics/", 16 * _MEGABYTE)
        await _attack(server, "4 × 16 MB, chunked, no token", "/api/topics/", 16 * _MEGABYTE, times=4, chunked=True)
        await _attack(server, "4 × 16 MB, no token", "/api/topics/", 16 * _MEGABYTE, times=4)


if __name__ == "__main__":
    asyncio.run(main())
