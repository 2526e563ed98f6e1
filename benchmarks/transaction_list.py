"""/transactions with 100,000 calls over HTTP, compared with plain queries for the same data: `python -m
benchmarks.transaction_list`.

One user has all these calls, spread over a year; ten other users have another 100,000.
"""

import argparse
import asyncio
import os
import random
import sys
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import psycopg
from sqlalchemy import insert

from benchmarks.query_comparison import HEAD, Rows, compare_with_queries, open_connection
from benchmarks.serving import ApiServer, run_api
from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.ids import new_id

CALLS, OTHERS, ASSISTANTS = 100_000, 10, 12
_MODELS: Final = ("gpt-6-luna", "gpt-6-sol", "gpt-5.4-mini", "llama-4")
_ROWS_PER_INSERT: Final = 5_000
_PATH: Final = "/api/transactions/"


async def add_calls(
    server: ApiServer, user_id: UUID, assistants: list[UUID], count: int, since: datetime, until: datetime
) -> None:
    """Add calls, spread evenly; some are images, failed, or of unknown cost. They are the same every time."""
    chance = random.Random(str(count))
    step = (until - since) / count
    for begin in range(0, count, _ROWS_PER_INSERT):
        rows = []
        for number in range(begin, min(begin + _ROWS_PER_INSERT, count)):
            image, priced = chance.random() < 0.2, chance.random() < 0.97
            id, run = new_id(), new_id()
            rows.append(
                {
                    "id": id,
                    "user_id": user_id,
                    "assistant_id": chance.choice([*assistants, None]),
                    "key": f"{run}:{'image' if image else 'text'}:{id}",
                    "type": TransactionType.image if image else TransactionType.text,
                    "outcome": CallOutcome.succeeded if priced else CallOutcome.failed,
                    "provider": "openai",
                    "model": "gpt-image-2" if image else chance.choice(_MODELS),
                    "input_tokens": chance.randrange(100, 2000),
                    "cached_tokens": 0,
                    "output_tokens": chance.randrange(50, 900),
                    "images": int(image and priced),
                    "cost_micros": chance.randrange(20, 40_000) if priced else None,
                    "most_micros": 50_000,
                    "duration_ms": chance.randrange(400, 9000),
                    "created_at": since + number * step,
                }
            )
        async with server.services.sessions.begin() as session:
            await session.execute(insert(Transaction), rows)


def _cases(now: datetime, assistant: UUID) -> dict[str, tuple[str, dict[str, str], str]]:
    """Return by name the path, the query parameters over HTTP, and the equivalent SQL condition."""
    today = now.date()
    year = {"from": (today - timedelta(days=364)).isoformat(), "to": today.isoformat()}
    month = {"from": (today - timedelta(days=29)).isoformat(), "to": today.isoformat()}
    of_year = f"created_at >= '{year['from']}' AND created_at < '{today + timedelta(days=1)}'"
    of_month = f"created_at >= '{month['from']}' AND created_at < '{today + timedelta(days=1)}'"
    return {
        "first page, 30 days": ("", month, of_month),
        "first page, 12 months": ("", year, of_year),
        "by cost, 12 months": ("", {**year, "sort": "dearest"}, of_year),
        "one model, 12 months": ("", {**year, "model": "gpt-6-sol"}, f"{of_year} AND model = 'gpt-6-sol'"),
        "one assistant": ("", {**year, "assistant_id": str(assistant)}, f"{of_year} AND assistant_id = '{assistant}'"),
        "failed ones": ("", {**year, "failed": "true"}, f"{of_year} AND outcome = 'failed'"),
        "totals, 30 days": ("totals/", month, of_month),
        "totals, 12 months": ("totals/", year, of_year),
    }


def _query(path: str, parameters: dict[str, str], condition: str) -> str:
    own = f"FROM transactions WHERE user_id = %s AND {condition}"
    if path:
        return (
            "SELECT created_at::date, type, provider, model, assistant_id, count(*), sum(input_tokens),"
            f" sum(cached_tokens), sum(output_tokens), sum(images), sum(cost_micros) {own} GROUP BY 1, 2, 3, 4, 5"
        )
    order = "cost_micros DESC NULLS LAST, id DESC" if "sort" in parameters else "created_at DESC, id DESC"
    return (
        f"SELECT (SELECT count(*) {own}), p.*, a.name FROM (SELECT * {own} ORDER BY {order} LIMIT 30) p"
        " LEFT JOIN assistants a ON a.id = p.assistant_id"
    )


async def main(rounds: int) -> None:
    now = datetime.now(UTC)
    async with run_api(worker=False) as server:
        since = now - timedelta(days=364)
        for _ in range(OTHERS):
            await add_calls(server, (await server.make.user()).id, [], CALLS // OTHERS, since, now)
        user, token = await server.add_user()
        assistants = [(await server.make.assistant(user)).id for _ in range(ASSISTANTS)]
        await add_calls(server, user.id, assistants, CALLS, since, now)
        url = os.environ["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
        async with (
            await psycopg.AsyncConnection.connect(url, autocommit=True) as plain,
            open_connection(server, token) as client,
        ):
            # as autovacuum does within a minute
            await plain.execute("VACUUM ANALYZE")
            sys.stdout.write(HEAD)
            for name, (path, parameters, condition) in _cases(now, assistants[1]).items():
                address = f"{_PATH}{path}?{urlencode({**parameters, **({} if path else {'page_size': 30})})}"
                query = _query(path, parameters, condition)
                queries = [(query, (user.id,) * query.count("%s"))]
                await compare_with_queries(name, rounds, server, client, address, plain, queries, _agrees)


def _agrees(answer: Any, rows: Rows) -> bool:
    """Return whether the number of calls of the response equals that of the rows."""
    if "calls" in answer:
        return bool(answer["calls"] == sum(row[5] for row in rows[0]))
    return bool(answer["total"] == rows[0][0][0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="requests per list")
    asyncio.run(main(parser.parse_args().rounds))
