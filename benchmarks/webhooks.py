"""How fast Stripe's webhooks are acknowledged: `python -m benchmarks.webhooks`. Stripe retries after 10 s.

Signed messages over HTTP, one by one, as large as an invoice with 20 lines: at rest, twice each, and while the database
is busy (four sessions sort, group and write without a pause). For comparison the plain statement that stores one,
committed like the product's. Then while 60 readers, each signed in, request lists without a pause from a separate
process that shares the CPUs.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import cycle
from typing import Any
from uuid import uuid4

import psycopg
from stripe import WebhookSignature

from benchmarks.lists import PATHS, Connection, add_rows
from benchmarks.serving import ApiServer, format_percentiles, run_api

_SECRET = "whsec_benchmark"
_PATH = "/api/webhooks/stripe/"
_SESSIONS = 4
_LINES = 20
_READERS = 60
_LATE_SECONDS = 0.05
_READER_MODE = "read"  # argument that runs this module as the readers; port and tokens follow
_SORT = "SELECT count(DISTINCT md5(number::text)) FROM generate_series(1, 100000) AS number"
_WRITE = "INSERT INTO busy SELECT number, md5(number::text) FROM generate_series(1, 5000) AS number"


def _signed_event() -> tuple[bytes, str]:
    lines = [
        {"id": f"il_{number}", "object": "line_item", "description": "1 × Postloom" * 8} for number in range(_LINES)
    ]
    about = {"id": "in_1", "object": "invoice", "customer": f"cus_{uuid4().hex[:14]}", "lines": {"data": lines}}
    event = {
        "id": f"evt_{uuid4().hex}",
        "object": "event",
        "type": "invoice.paid",
        "created": int(time.time()),
        "data": {"object": about},
    }
    body = json.dumps(event, indent=2)
    return body.encode(), WebhookSignature.generate_signature_header(body, _SECRET)


async def _send_events(port: int, count: int, *, times: int = 1) -> list[float]:
    client, taken = Connection(*await asyncio.open_connection("127.0.0.1", port)), []
    for _ in range(count):
        body, signature = _signed_event()
        for _ in range(times):
            began = time.perf_counter()
            status = await client.post(_PATH, body, f"Stripe-Signature: {signature}")
            taken.append(time.perf_counter() - began)
            assert status == "204", status
        await asyncio.sleep(0.01)
    return taken


async def _store_events(url: str, count: int) -> list[float]:
    statement = (
        "INSERT INTO stripe_events (id, type, customer_id, created_at, received_at, attempts)"
        " VALUES (%s, 'invoice.paid', 'cus_1', now(), now(), 0) ON CONFLICT DO NOTHING"
    )
    taken = []
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as plain:
        for _ in range(count):
            began = time.perf_counter()
            await plain.execute(statement, (f"evt_{uuid4().hex}",))
            taken.append(time.perf_counter() - began)
            await asyncio.sleep(0.01)
    return taken


@asynccontextmanager
async def _load_database(url: str) -> AsyncIterator[None]:
    async def work(statement: str) -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as session:
            while True:
                await session.execute(statement)

    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as session:
        await session.execute("CREATE TABLE IF NOT EXISTS busy (number integer, word text)")
    statements = [(_SORT, _WRITE)[number % 2] for number in range(_SESSIONS)]
    tasks = [asyncio.create_task(work(statement)) for statement in statements]
    await asyncio.sleep(1)
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()  # raise the error of a failed load task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def _run_readers(server: ApiServer) -> AsyncIterator[list[float]]:
    """Run readers during the block. The yielded list has the seconds of each list request after it."""
    user, _ = await server.add_user()
    await add_rows(server, user)
    identity = server.services.identity
    tokens = []
    for _ in range(_READERS):
        _, token = await identity.sign_in_by_link(await identity.sign_in_link(user.id), "benchmark")
        tokens.append(token)
    port = server.address.rpartition(":")[2]
    reading = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.webhooks", _READER_MODE, port, *tokens, stdout=asyncio.subprocess.PIPE
    )
    assert reading.stdout
    await reading.stdout.readline()
    taken: list[float] = []
    try:
        yield taken
    finally:
        reading.terminate()
        output, _ = await reading.communicate()
        taken += map(float, output.split())


async def _request_lists(port: int, tokens: list[str]) -> None:
    taken: list[float] = []

    async def request(at: int, token: str) -> None:
        connection = Connection(*await asyncio.open_connection("127.0.0.1", port, limit=10**6), token)
        start = at % len(PATHS)
        for path in cycle(PATHS[start:] + PATHS[:start]):
            began = time.perf_counter()
            if (status := await connection.get(path)) != "200":
                raise SystemExit(f"{path}: {status}")
            taken.append(time.perf_counter() - began)

    tasks = [asyncio.create_task(request(at, token)) for at, token in enumerate(tokens)]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: [task.cancel() for task in tasks])
    await asyncio.sleep(2)
    sys.stdout.write("reading\n")
    sys.stdout.flush()
    await asyncio.gather(*tasks, return_exceptions=True)
    sys.stdout.write(" ".join(f"{one:.6f}" for one in taken))


async def main(rounds: int) -> None:
    os.environ |= {
        "STRIPE_SECRET_KEY": "sk_test_benchmark",
        "STRIPE_WEBHOOK_SECRET": _SECRET,
        "STRIPE_PRICE_ID": "price_1",
        "STRIPE_API_URL": "http://127.0.0.1:9",  # not called before a webhook is acknowledged
    }
    async with run_api(worker=False) as server:
        port = int(server.address.rpartition(":")[2])
        url = os.environ["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")

        async def report(what: str, measure: Callable[[], Any]) -> None:
            taken = await measure()
            late = sum(one >= _LATE_SECONDS for one in taken)
            slow = f"{late} of {len(taken)} took {1000 * _LATE_SECONDS:.0f} ms or more"
            sys.stdout.write(f"{what:32} {format_percentiles(taken)}, {slow}\n")
            sys.stdout.flush()

        await report("first message of a process", lambda: _send_events(port, 1))
        await report("at rest", lambda: _send_events(port, rounds))
        await report("at rest, each sent twice", lambda: _send_events(port, rounds, times=2))
        await report("at rest, plain statement", lambda: _store_events(url, rounds))
        async with _load_database(url):
            await report("busy database", lambda: _send_events(port, rounds))
            await report("busy database, plain statement", lambda: _store_events(url, rounds))
        async with _run_readers(server) as lists:
            await report("60 readers", lambda: _send_events(port, rounds))
            await report("60 readers, plain statement", lambda: _store_events(url, rounds))
        sys.stdout.write(f"{'a list of the readers':32} n={len(lists)} {format_percentiles(lists)}\n")


if __name__ == "__main__":
    if sys.argv[1:2] == [_READER_MODE]:
        asyncio.run(_request_lists(int(sys.argv[2]), sys.argv[3:]))
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="messages per case")
    asyncio.run(main(parser.parse_args().rounds))
