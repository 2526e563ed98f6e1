"""Clients that begin a request and do not go on, against the server as `make run` starts it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config, Server

from api.patience import SlowClientProtocol

HEAD = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 8\r\n\r\n"


class Hasty(SlowClientProtocol):
    head_seconds, pause_seconds, body_seconds = 0.5, 0.5, 1.5


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            length = (b"content-length", str(len(body)).encode())
            await send({"type": "http.response.start", "status": 200, "headers": [length]})
            await send({"type": "http.response.body", "body": body})
            return


@asynccontextmanager
async def serving(served: ASGIApp = app) -> AsyncIterator[int]:
    server = Server(Config(served, port=0, http=Hasty, ws="none", lifespan="off", log_config=None))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


@pytest.mark.parametrize(
    "begun",
    [b"", b"POST / HT", HEAD[:-2], HEAD, HEAD + b"half"],
    ids=["nothing", "half a line", "half a head", "no body", "half a body"],
)
async def test_who_does_not_go_on_is_left(begun: bytes) -> None:
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        assert await reader.read() == b""
        writer.close()


async def test_a_second_request_has_to_come_too() -> None:
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"complete" + HEAD[:9])
        assert (await reader.read()).endswith(b"\r\n\r\ncomplete")
        writer.close()


async def test_a_drop_now_and_then_does_not_keep_a_connection() -> None:
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD.replace(b"8", b"8000"))
        began = time.monotonic()
        closed = asyncio.create_task(reader.read())
        while not closed.done():
            writer.write(b".")
            await asyncio.wait({closed}, timeout=0.2)
        assert time.monotonic() - began >= 1.4
        writer.close()


async def test_a_large_body_at_a_good_pace_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hasty, "body_seconds", 0.3)
    monkeypatch.setattr(Hasty, "least_pace", 1000.0)
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        reply = asyncio.create_task(reader.readuntil(b"\r\n\r\n"))
        writer.write(HEAD.replace(b"8", b"2000"))
        for _ in range(5):
            await asyncio.sleep(0.2)
            writer.write(bytes(400))
        assert (await reply).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_waiting_for_the_server_takes_no_time_from_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an upload waits for a place, with more of its body than the server takes unread."""
    monkeypatch.setattr(Hasty, "least_pace", 1e9)
    turn = asyncio.Event()

    async def waits(scope: Scope, receive: Receive, send: Send) -> None:
        await turn.wait()
        await app(scope, receive, send)

    async with serving(waits) as port, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        reply = asyncio.create_task(reader.readuntil(b"\r\n\r\n"))
        writer.write(HEAD.replace(b"8", b"200004") + bytes(200_000))
        await asyncio.sleep(Hasty.body_seconds + 0.5)
        turn.set()
        for _ in range(4):
            await asyncio.sleep(0.1)
            writer.write(b".")
        assert (await reply).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_slow_but_steady_is_served() -> None:
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        reply = asyncio.create_task(reader.readuntil(b"complete"))
        for part in (HEAD, b"com", b"ple", b"te"):
            writer.write(part)
            await asyncio.wait({reply}, timeout=0.2)
        assert (await reply).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 8\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 8\r\n",
        b"Content-Length: 8\r\nContent-Length: 9\r\n",
        b"Content-Length: +8\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
    ],
)
async def test_a_request_of_two_lengths_is_refused(lengths: bytes) -> None:
    """What a proxy in front takes for one request must not be two here."""
    async with serving() as port, asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nHost: here\r\n" + lengths + b"\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1 ") == 1
        writer.close()


async def _leaves_early() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.05)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await asyncio.sleep(0.05)
        await send({"type": "http.response.body", "body": b"ok"})

    async with serving(slow) as port, asyncio.timeout(10):
        for when in (0.02, 0.07, 0.12):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 4)
            await asyncio.sleep(when)
            writer.transport.abort()
        await asyncio.sleep(1)


def test_nothing_is_written_to_a_client_that_sent_several_requests_and_left(caplog: pytest.LogCaptureFixture) -> None:
    """On the loop that the server runs on: it refuses what is written to a connection that is closed."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_leaves_early())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
