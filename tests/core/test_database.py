"""Connections: what is handed out lives, and what only reads opens no transaction."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.database import open_engine, open_reading, open_sessions

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
