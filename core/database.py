"""The connection to PostgreSQL: engine, sessions, migrations and notices for browsers and workers.

Connections of a process, which `docs/operating.md` adds up: those of its pool (`pool_size`, twice as many under load),
two of the pool of its probes, one that listens, and of a worker one that holds its lock. Each says in
`application_name` whose it is.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from core.live import LiveKind

logger = logging.getLogger(__name__)

EVENTS = "postloom_events"
CHANGES = "postloom_changes"

APPLICATION = "postloom"
"""The name of connections in `pg_stat_activity`; a process adds its role."""

_PATIENCE = 20  # seconds to wait for a connection of the pool
_RECONNECT = 2  # seconds before a lost connection is made again
_CHECK_EVERY = 15  # seconds of silence after which the listening connection is checked

CONNECTING: Final[dict[str, Any]] = {
    "connect_timeout": 5,  # seconds
    # without these a server that is gone without a word is waited for until TCP gives up: a quarter of an hour for a
    # statement that is on its way, hours for its answer. Ignored by Unix sockets
    "tcp_user_timeout": 30_000,  # milliseconds; Linux
    "keepalives_idle": 20,  # seconds of silence
    "keepalives_interval": 5,
}
"""libpq's options of all connections: https://www.postgresql.org/docs/current/libpq-connect.html"""

Sessions = async_sessionmaker[AsyncSession]


def log_failure(log: logging.Logger, what: str, error: SQLAlchemyError | psycopg.Error | OSError) -> None:
    """Log why the database did not do something that is retried: it is unavailable, or it has refused a statement,
    which an operator has to look at. Without values, which the message of a refusal may quote."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(cause, psycopg.Error) or isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        log.warning("%s: the database is unavailable, retrying (%s)", what, type(error).__name__)
    elif isinstance(cause, psycopg.ProgrammingError):
        # a missing table, column or right: its message names it
        log.error("%s: the database lacks what this release needs; migrate it (%s)", what, cause.diag.message_primary)
    else:
        log.error("%s: the database refused a statement, retrying (%s)", what, type(cause).__name__)


@contextmanager
def log_failure_of_one(log: logging.Logger, what: str) -> Iterator[None]:
    """Log the failure of one of many rows, so that it does not stop the others. What stops them all is raised: the
    database is away."""
    try:
        yield
    except (OSError, OperationalError, InterfaceError):
        raise
    except SQLAlchemyError as error:
        log_failure(log, what, error)
    except Exception:
        log.exception("%s: skipped", what)


def violates(error: IntegrityError, constraint: str) -> bool:
    """Return whether a statement violated this constraint or unique index."""
    return isinstance(error.orig, psycopg.Error) and error.orig.diag.constraint_name == constraint


def open_engine(database_url: str, *, pool_size: int = 10, application: str = APPLICATION) -> AsyncEngine:
    """`database_url` starts with `postgresql+psycopg://`. Connections are made when first used, at most twice
    `pool_size`. `application`: the name that PostgreSQL shows for them."""
    return create_async_engine(
        database_url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=_PATIENCE,
        pool_pre_ping=True,
        # keep what users typed out of error messages, and so out of logs and histories
        hide_parameters=True,
        # in autocommit there is nothing to roll back
        skip_autocommit_rollback=True,
        connect_args={**CONNECTING, "options": "-c timezone=UTC", "application_name": application},
    )


def open_sessions(engine: AsyncEngine) -> Sessions:
    return async_sessionmaker(engine, expire_on_commit=False)


def open_reading(engine: AsyncEngine) -> Sessions:
    """Return sessions for reads only. They open no transaction, which saves two round trips to the server: at
    PostgreSQL's default isolation level, a statement in a transaction sees no more than one outside."""
    return async_sessionmaker(engine.execution_options(isolation_level="AUTOCOMMIT"), expire_on_commit=False)


def migrate(database_url: str, *, lock_seconds: int = 0) -> None:
    """Migrate the schema to the newest revision. Blocking; call it outside of an event loop. `lock_seconds`: how long
    to wait for other transactions, and let others wait behind, before it fails; 0: without a limit."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes.update(database_url=database_url, lock_seconds=lock_seconds)
    command.upgrade(config, "head")


async def replan_queries(session: AsyncSession) -> None:
    """Discard cached plans before a statement that checks or cascades foreign keys for thousands of rows.

    A connection keeps the plan of each check. A plan made while the table was small scans the whole table for every
    row, until the table's statistics change: 10,000 topics then took 8 seconds instead of 0.6 to insert, and 10
    instead of 0.15 to delete. `plan_cache_mode = force_custom_plan` would plan for every row: twice the time."""
    await session.execute(text("DISCARD PLANS"))


async def notify_browsers(session: AsyncSession, user_id: UUID, kind: LiveKind, id: UUID | None = None) -> None:
    """Tell the browsers of a user, when this transaction commits, that something of this kind has changed."""
    await notify_browsers_of_all(session, [(user_id, kind, id)])


async def notify_browsers_of_all(session: AsyncSession, changes: Sequence[tuple[UUID, LiveKind, UUID | None]]) -> None:
    """Notify the browsers of many users in one statement. `changes`: (user, kind, id)."""
    events = [
        json.dumps({"user": str(user), "kind": kind, "id": str(id) if id else None}) for user, kind, id in changes
    ]
    await session.execute(
        text("SELECT pg_notify(:channel, event) FROM unnest(CAST(:events AS text[])) AS event"),
        {"channel": EVENTS, "events": events},
    )


async def ensure_answering(session: AsyncSession) -> None:
    """Raise SQLAlchemyError or OSError if the database does not answer."""
    await session.execute(text("SELECT 1"))


async def wake_reconcile(session: AsyncSession) -> None:
    """Let the reconcile run at once instead of at its next round."""
    await session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGES})


async def connect_unpooled(database_url: str, application: str = APPLICATION) -> psycopg.AsyncConnection[Any]:
    """Return a connection outside of the pool, in autocommit, for LISTEN and for locks held by a session."""
    conninfo = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return await psycopg.AsyncConnection.connect(conninfo, autocommit=True, application_name=application, **CONNECTING)


Heard = Callable[[str | None], None]


class Listener:
    """The one connection of a process that listens. It passes each notice on to those who wait for its channel."""

    def __init__(self, database_url: str, application: str, channels: Sequence[str]) -> None:
        self._database_url, self._application = database_url, application
        self._heard: dict[str, list[Heard]] = {channel: [] for channel in channels}

    def add(self, channel: str, heard: Heard) -> None:
        """Call `heard` with the payload of each notice on one of the channels, and with None after each connect: what
        was sent before it was missed."""
        self._heard[channel].append(heard)

    async def run(self) -> None:
        """Listen until cancelled, and connect again whenever the connection is lost or the database refuses it."""
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError) as error:
                log_failure(logger, "listening", error)
            await asyncio.sleep(_RECONNECT)

    async def _listen(self) -> None:
        """Raise psycopg.Error or OSError when the connection is lost or refused."""
        async with await connect_unpooled(self._database_url, self._application) as connection:
            for channel in self._heard:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            for heard in chain.from_iterable(self._heard.values()):
                _pass_on(heard, None)
            while True:
                notified = False
                async for notice in connection.notifies(timeout=0):
                    notified = True
                    for heard in self._heard.get(notice.channel, ()):
                        _pass_on(heard, notice.payload)
                if not notified and not await _has_something_to_say(connection, _CHECK_EVERY):
                    await connection.execute("SELECT 1")  # raises if the connection is dead


def _pass_on(heard: Heard, payload: str | None) -> None:
    """Log a defect of one who listens, so that the others still hear."""
    try:
        heard(payload)
    except Exception:
        logger.exception("listening: a notice could not be handled")


async def _has_something_to_say(connection: psycopg.AsyncConnection[Any], seconds: float) -> bool:
    """Wait until the socket is readable. Return False after `seconds`. `notifies` would poll ten times a second."""
    loop = asyncio.get_running_loop()
    notified: asyncio.Future[None] = loop.create_future()

    def wait_for_notice() -> None:
        if not notified.done():
            notified.set_result(None)

    loop.add_reader(connection.fileno(), wait_for_notice)
    try:
        async with asyncio.timeout(seconds):
            await notified
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(connection.fileno())
    return True
