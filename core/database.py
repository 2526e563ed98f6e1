"""The connection to PostgreSQL: engine, sessions, migrations and the notices that wake the browser."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import UUID

import psycopg
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from core.domain.live import LiveKind

EVENTS = "postloom_events"
CHANGES = "postloom_changes"

Sessions = async_sessionmaker[AsyncSession]


def open_engine(database_url: str, *, pool_size: int = 10) -> AsyncEngine:
    """`database_url` starts with `postgresql+psycopg://`. Connections are made when first used."""
    return create_async_engine(
        database_url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
        pool_timeout=20,
        connect_args={"connect_timeout": 5, "options": "-c timezone=UTC"},
    )


def open_sessions(engine: AsyncEngine) -> Sessions:
    return async_sessionmaker(engine, expire_on_commit=False)


def migrate(database_url: str) -> None:
    """Bring the schema to the newest revision. Blocking; call it outside of an event loop."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["database_url"] = database_url
    command.upgrade(config, "head")


async def plan_anew(session: AsyncSession) -> None:
    """Before a statement whose foreign keys are checked, or cascade, for thousands of rows.

    A connection keeps the plan of each of these checks. One made while the table was small reads all of it, for every
    row, until the table's statistics change: 10,000 topics then took 8 seconds instead of 0.6, and 10 instead of 0.15
    to delete. `plan_cache_mode = force_custom_plan` would plan for every row, which doubles the time."""
    await session.execute(text("DISCARD PLANS"))


async def notify_browsers(session: AsyncSession, user_id: UUID, kind: LiveKind, id: UUID | None = None) -> None:
    """Tell the browsers of a user, once this transaction commits, that something of that kind has changed."""
    await notify_browsers_of_all(session, [(user_id, kind, id)])


async def notify_browsers_of_all(session: AsyncSession, changes: Sequence[tuple[UUID, LiveKind, UUID | None]]) -> None:
    """The same for many, in one statement: (user, kind, id)."""
    events = [
        json.dumps({"user": str(user), "kind": kind, "id": str(id) if id else None}) for user, kind, id in changes
    ]
    await session.execute(
        text("SELECT pg_notify(:channel, event) FROM unnest(CAST(:events AS text[])) AS event"),
        {"channel": EVENTS, "events": events},
    )


async def must_answer(session: AsyncSession) -> None:
    """Raises SQLAlchemyError or OSError where the database does not."""
    await session.execute(text("SELECT 1"))


async def wake_reconcile(session: AsyncSession) -> None:
    """Let the reconcile look at once instead of at its next round."""
    await session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGES})


async def listen(database_url: str, channel: str, *, idle: float = 15) -> AsyncIterator[str | None]:
    """Payloads of the notices on a channel; None after each `idle` seconds of silence and right after connecting.

    Raises psycopg.OperationalError when the connection is lost: the caller connects again.
    """
    conninfo = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    connection = await psycopg.AsyncConnection.connect(conninfo, autocommit=True, connect_timeout=5)
    async with connection:
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        yield None
        while True:
            heard = False
            async for notice in connection.notifies(timeout=idle, stop_after=1):
                heard = True
                yield notice.payload
            if not heard:
                await connection.execute("SELECT 1")  # a dead connection is noticed here
                yield None
                await asyncio.sleep(0)
