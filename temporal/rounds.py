"""Periodic rounds of all worker processes, one process at a time by an advisory lock."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from enum import IntEnum

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.container import Services
from core.database import APPLICATION, Listener, log_failure
from temporal.gateway import Gateway

logger = logging.getLogger(__name__)

EVERY = 15.0  # seconds
APPLICATION_NAME = f"{APPLICATION} worker"
"""The name of a worker process's connections to PostgreSQL."""

Round = Callable[[Services, Gateway], Awaitable[int]]


class Lock(IntEnum):
    """Advisory locks of PostgreSQL, one per kind of round."""

    assistants = 7305442
    account_deletion = 7305443
    mails = 7305452
    pending_jobs = 7305453
    lost_assistants = 7305454
    lost_runs = 7305455
    posts = 7305456
    lost_posts = 7305457
    digests = 7305458
    billing = 7305461
    subscriptions = 7305463
    grants = 7305464
    lost_grants = 7305465
    follow_ups = 7305466
    overdue_assistants = 7305467
    retention = 7305468
    tones = 7305469
    feeds = 7305470
    lost_feeds = 7305471


async def repeat(
    once: Round, channel: str, services: Services, gateway: Gateway, listener: Listener, *, grace: float
) -> None:
    """Run a round every 15 s, and `grace` seconds after a notice on the channel, until cancelled. Notices during a
    round lead to one more. Waits for a lost database."""
    notified = asyncio.Event()
    listener.add(channel, lambda payload: notified.set())

    async def rounds() -> None:
        while True:
            await once(services, gateway)
            with suppress(TimeoutError):
                # not `wait_for`, which ignores a cancellation that meets a notice: the worker would never stop
                async with asyncio.timeout(EVERY):
                    await notified.wait()
                notified.clear()
                await asyncio.sleep(grace)

    await _run_forever(once, rounds)


async def repeat_every(seconds: float, once: Round, services: Services, gateway: Gateway) -> None:
    """As `repeat`, without listening."""

    async def rounds() -> None:
        while True:
            await asyncio.sleep(seconds)
            await once(services, gateway)

    await _run_forever(once, rounds)


async def _run_forever(once: Round, rounds: Callable[[], Awaitable[None]]) -> None:
    name = f"{once.__module__}.{once.__name__}"
    while True:
        try:
            await rounds()
        except (psycopg.OperationalError, SQLAlchemyError, OSError) as error:
            log_failure(logger, name, error)
        except Exception:
            # a defect in one kind of round must not end the others
            logger.exception("%s: a round failed", name)
        await asyncio.sleep(3)


@asynccontextmanager
async def advisory_lock(services: Services, lock: Lock) -> AsyncIterator[bool]:
    """Hold the lock while the block runs. Yield False if another process holds it."""
    async with services.engine.connect() as connection:
        # no transaction stays open during a round
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        mine = bool(await connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": lock.value}))
        try:
            yield mine
        finally:
            if mine:
                await connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": lock.value})


async def wait_for_locks(services: Services, *locks: Lock) -> None:
    """Wait until these rounds have ended in all processes: what they have read may be outdated."""
    async with services.engine.connect() as connection:
        for lock in locks:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": lock.value})
            await connection.rollback()
