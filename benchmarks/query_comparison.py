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
from benchmarks.serving import Serving

HEAD: Final = f"{'':22}     HTTP p50    p95  processor |  query p50    p95 | p50, times the query\n"
_PACKED: Final = b"\x1f\x8b"
Rows = Sequence[Sequence[tuple[Any, ...]]]


@asynccontextmanager
async def connected(server: Serving, token: str) -> AsyncIterator[Connection]:
    port = int(server.address.rpartition(":")[2])
    connection = Connection(*await asyncio.open_connection("127.0.0.1", port, limit=10**6), token)
    yield connection
    connection.writer.close()


async def beside(
    name: str,
    rounds: int,
    server: Serving,
    client: Connection,
    path: str,
    plain: psycopg.AsyncConnection[tuple[Any, ...]],
    queries: Sequence[tuple[str, tuple[Any, ...]]],
    same: Callable[[Any, Rows], bool],
) -> None:
    """Print one line, in milliseconds. Both use one open connection with a minimal client. `same`: return whether an
    HTTP response and the rows of the queries agree; if not, raise SystemExit."""
    over_http: list[float] = []
    queried: list[float] = []
    spent = 0.0
    for _ in range(rounds):
        before, began = server.processor(), perf_counter()
        status, body = await client.answer(path)
        over_http.append(perf_counter() - began)
        spent += server.processor() - before
        began = perf_counter()
        found = [await (await plain.execute(query, given)).fetchall() for query, given in queries]
        queried.append(perf_counter() - began)
    answer = from_json(gzip.decompress(body) if body.startswith(_PACKED) else body)
    if status != "200" or not same(answer, found):
        raise SystemExit(f"{name}: the query answers something else")
    sys.stdout.write(
        f"{name:22} {_at(over_http, 0.5):10.1f} {_at(over_http, 0.95):6.1f} {1000 * spent / rounds:10.1f}"
        f" | {_at(queried, 0.5):10.1f} {_at(queried, 0.95):6.1f} | {median(over_http) / median(queried):.1f}\n"
    )
    sys.stdout.flush()


def _at(taken: Sequence[float], share: float) -> float:
    return 1000 * sorted(taken)[round(share * (len(taken) - 1))]
