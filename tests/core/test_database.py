"""Connections: what is handed out lives, and what only reads opens no transaction."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import suppress

import psycopg
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.database import Listener, connect_unpooled, open_engine, open_reading, open_sessions
from tests.patience import PATIENCE

_PID = text("SELECT pg_backend_pid()")


@pytest.fixture
async def one(postgres: str) -> AsyncIterator[AsyncEngine]:
    """With a single connection."""
    engine = open_engine(postgres, pool_size=1)
    yield engine
    await engine.dispose()


async def test_a_connection_that_the_server_ended_is_not_handed_out(one: AsyncEngine, engine: AsyncEngine) -> None:
    async with one.connect() as connection:
        before = await connection.scalar(_PID)
    async with engine.connect() as other:
        await other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": before})
    async with open_sessions(one)() as session:
        assert await session.scalar(_PID) != before


async def test_a_connection_that_lives_is_used_again(one: AsyncEngine) -> None:
    async with one.connect() as connection:
        before = await connection.scalar(_PID)
    async with open_reading(one)() as session:
        assert await session.scalar(_PID) == before


async def test_what_only_reads_leaves_no_transaction_open(one: AsyncEngine, engine: AsyncEngine) -> None:
    async def state(pid: int | None) -> str | None:
        async with engine.connect() as other:
            found: str | None = await other.scalar(
                text("SELECT state FROM pg_stat_activity WHERE pid = :pid"), {"pid": pid}
            )
        return found

    async with open_reading(one)() as session:
        assert await state(await session.scalar(_PID)) == "idle"
    # the same connection, where something is changed
    async with open_sessions(one)() as session:
        assert await state(await session.scalar(_PID)) == "idle in transaction"


async def test_each_hears_its_channel_and_of_each_new_connection(postgres: str, engine: AsyncEngine) -> None:
    heard: asyncio.Queue[tuple[str, str | None]] = asyncio.Queue()
    listener = Listener(postgres, "postloom listening test", ["one", "two"])
    for channel in ("one", "two"):
        listener.add(channel, lambda payload, channel=channel: heard.put_nowait((channel, payload)))  # type: ignore[misc]
    running = asyncio.create_task(listener.run())

    async def sent(channel: str, payload: str) -> None:
        async with engine.begin() as connection:
            await connection.execute(
                text("SELECT pg_notify(:channel, :payload)"), {"channel": channel, "payload": payload}
            )

    try:
        async with asyncio.timeout(PATIENCE):
            assert [await heard.get(), await heard.get()] == [("one", None), ("two", None)]
            await sent("two", "a")
            assert await heard.get() == ("two", "a")
            async with engine.connect() as other:
                cut = text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'postloom listening test'"
                )
                assert len((await other.execute(cut)).all()) == 1
            assert [await heard.get(), await heard.get()] == [("one", None), ("two", None)]
            await sent("one", "b")
            assert await heard.get() == ("one", "b")
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_a_listener_survives_an_error_of_the_database_and_one_of_those_who_listen(
    postgres: str, caplog: pytest.LogCaptureFixture
) -> None:
    refused = asyncio.create_task(Listener(postgres, "refused", [""]).run())  # PostgreSQL takes no empty name
    heard: asyncio.Queue[str | None] = asyncio.Queue()

    def fail(payload: str | None) -> None:
        raise ValueError("a defect")

    listener = Listener(postgres, "listening", ["one"])
    for one in (fail, heard.put_nowait):
        listener.add("one", one)
    running = asyncio.create_task(listener.run())
    engine = open_engine(postgres)
    try:
        async with asyncio.timeout(PATIENCE):
            assert await heard.get() is None
            for payload in ("first", "second"):
                async with engine.begin() as connection:
                    await connection.execute(text("SELECT pg_notify('one', :payload)"), {"payload": payload})
                assert await heard.get() == payload
            while "lacks what this release needs" not in caplog.text:
                await asyncio.sleep(0.05)
        assert not refused.done()
        assert "a notice could not be handled" in caplog.text
    finally:
        for task in (refused, running):
            task.cancel()
        await asyncio.gather(refused, running, return_exceptions=True)
        await engine.dispose()


@pytest.fixture
async def by_tcp(postgres: str) -> AsyncIterator[str]:
    """The address of the tests' database, which listens on a Unix socket alone, on a port of this machine."""
    url = make_url(postgres)

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            answers, requests = await asyncio.open_unix_connection(f"{url.query['host']}/.s.PGSQL.5432")
            await asyncio.gather(copy(reader, requests), copy(answers, writer))

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        yield url.set(host="127.0.0.1", port=port, query={"sslmode": "disable"}).render_as_string(hide_password=False)


def silence_until_lost(connection: psycopg.AsyncConnection[object]) -> tuple[int, int]:
    """Return the milliseconds after which unconfirmed data ends the connection, and the seconds of silence after which
    it is checked."""
    with socket.socket(fileno=os.dup(connection.fileno())) as used:
        unconfirmed = used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        idle = used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
    return unconfirmed, idle


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="an option of Linux")
async def test_a_connection_whose_server_is_silent_is_given_up_soon(by_tcp: str) -> None:
    engine = open_engine(by_tcp, pool_size=1)
    async with engine.connect() as connection, await connect_unpooled(by_tcp) as listening:
        pooled = (await connection.get_raw_connection()).driver_connection
        assert isinstance(pooled, psycopg.AsyncConnection)
        assert [silence_until_lost(one) for one in (pooled, listening)] == [(30_000, 20)] * 2
    await engine.dispose()
