"""A list over HTTP, in turn with the plain queries of the same answer."""

import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any, Final

import httpx2
import psycopg

from benchmarks.serving import Serving

HEAD: Final = f"{'':22}     HTTP p50    p95  processor |  query p50    p95 | p50, times the query\n"
Rows = Sequence[Sequence[tuple[Any, ...]]]


async def beside(
    name: str,
    rounds: int,
    server: Serving,
    client: httpx2.AsyncClient,
    path: str,
    plain: psycopg.AsyncConnection[tuple[Any, ...]],
    queries: Sequence[tuple[str, tuple[Any, ...]]],
    same: Callable[[Any, Rows], bool],
) -> None:
    """One line, in milliseconds. `same`: whether an answer and the rows of the queries say the same."""
    over_http: list[float] = []
    queried: list[float] = []
    spent = 0.0
    for _ in range(rounds):
        before, began = server.processor(), perf_counter()
        answer = await client.get(path)
        over_http.append(perf_counter() - began)
        spent += server.processor() - before
        began = perf_counter()
        found = [await (await plain.execute(query, given)).fetchall() for query, given in queries]
        queried.append(perf_counter() - began)
    if not same(answer.raise_for_status().json(), found):
        raise SystemExit(f"{name}: the query answers something else")
    sys.stdout.write(
        f"{name:22} {_at(over_http, 0.5):10.1f} {_at(over_http, 0.95):6.1f} {1000 * spent / rounds:10.1f}"
        f" | {_at(queried, 0.5):10.1f} {_at(queried, 0.95):6.1f} | {median(over_http) / median(queried):.1f}\n"
    )
    sys.stdout.flush()


def _at(taken: Sequence[float], share: float) -> float:
    return 1000 * sorted(taken)[round(share * (len(taken) - 1))]
