"""Time a list over HTTP in turn with plain SQL queries for the same data."""

import asyncio
import gzip
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from statistics import median
from time import perf_counter
from typing import Any, Final

import psycopg
from pydantic_core import from_json

from benchmarks.lists import Connection
from benchmarks.serving import ApiServer

HEAD: Final = f"{'':22}     HTTP p50    p95     CPU ms |  query p50    p95 | p50, × the query\n"
_GZIP_MAGIC: Final = b"\x1f\x8b"
Rows = Sequence[Sequence[tuple[Any, ...]]]


@asynccontextmanager
async def open_connection(server: ApiServer, token: str) -> AsyncIterator[Connection]:
    port = int(server.address.rpartition(":")[2])
    connection = Connection(*await asyncio.open_connection("127.0.0.1", port, limit=10**6), token)
    yield connection
    connection.writer.close()


async def compare_with_queries(
    name: str,
    rounds: int,
    server: ApiServer,
    client: Connection,
    path: str,
    plain: psycopg.AsyncConnection[tuple[Any, ...]],
    queries: Sequence[tuple[str, tuple[Any, ...]]],
    agrees: Callable[[Any, Rows], bool],
) -> None:
    """Print one line, in milliseconds. Both use one open connection with a minimal client. `agrees`: return whether an
    HTTP response and the rows of the queries agree; if not, raise SystemExit."""
    over_http: list[float] = []
    queried: list[float] = []
    spent = 0.0
    for _ in range(rounds):
        before, began = server.cpu_seconds(), perf_counter()
        status, body = await client.request(path)
        over_http.append(perf_counter() - began)
        spent += server.cpu_seconds() - before
        began = perf_counter()
        rows = [await (await plain.execute(query, given)).fetchall() for query, given in queries]
        queried.append(perf_counter() - began)
    answer = from_json(gzip.decompress(body) if body.startswith(_GZIP_MAGIC) else body)
    if status != "200" or not agrees(answer, rows):
        raise SystemExit(f"{name}: the response and the query differ")
    sys.stdout.write(
        f"{name:22} {_format_times(over_http)} {1000 * spent / rounds:10.1f}"
        f" | {_format_times(queried)} | {median(over_http) / median(queried):.1f}\n"
    )
    sys.stdout.flush()


def _format_times(seconds: Sequence[float]) -> str:
    """Return p50 and p95 in milliseconds."""
    p50, p95 = (1000 * sorted(seconds)[round(share * (len(seconds) - 1))] for share in (0.5, 0.95))
    return f"{p50:10.1f} {p95:6.1f}"
