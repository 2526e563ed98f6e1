"""Take over the deliveries of worker processes that have died.

Each worker process holds an advisory lock of PostgreSQL on a connection of its own, which ends with the process, also
by `kill -9`. Temporal notices a dead worker only by the heartbeat time-out of its activities, 30 s: too late for an
armed post. So the other workers, and the next one that starts, look for locks that nobody holds, and let Temporal
repeat the activities of that worker at once. A worker that is wrongly taken for dead loses nothing: only the newest
attempt of a delivery passes the fence.
"""

import asyncio
import logging
from uuid import UUID

import psycopg
from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from core.container import Services
from core.database import connect_unpooled, log_failure
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.workers.repository import WORKER_LOCKS, WorkerRepository
from temporal.gateway import Gateway
from temporal.rounds import APPLICATION_NAME

logger = logging.getLogger(__name__)

_LOOK_EVERY = 0.5  # seconds
_AT_ONCE = 20  # activities that are repeated at once


async def watch(services: Services, gateway: Gateway) -> None:
    """Hold this process's lock and take over from dead workers, until cancelled. Waits for a lost database."""
    while True:
        try:
            await _hold_lock_and_watch(services, gateway)
        except (psycopg.OperationalError, SQLAlchemyError, OSError) as error:
            log_failure(logger, "dead workers", error)
        except Exception:
            logger.exception("dead workers: the check failed")
        await asyncio.sleep(_LOOK_EVERY)


async def _hold_lock_and_watch(services: Services, gateway: Gateway) -> None:
    url = services.settings.database_url
    assert url is not None  # checked by open_services
    async with await connect_unpooled(url, APPLICATION_NAME) as connection:
        lock = (WORKER_LOCKS, str(services.worker_id))
        await connection.execute("SELECT pg_advisory_lock(%s, hashtext(%s))", lock)
        suspects: set[UUID] = set()
        while True:
            await connection.execute("SELECT 1")  # without its connection this process counts as dead
            suspects = await take_over(services, gateway, suspects)
            await asyncio.sleep(_LOOK_EVERY)


async def take_over(services: Services, gateway: Gateway, suspects: set[UUID]) -> set[UUID]:
    """Repeat the activities of those `suspects` that still lack their lock. Return the worker processes that lack it
    now: after a restart of PostgreSQL each needs a moment to take it again."""
    async with services.sessions() as session:
        silent = await WorkerRepository(session).list_dead(services.worker_id)
    for worker_id in silent & suspects:
        async with services.sessions.begin() as session:
            left = await DeliveryRepository(session).take_from_worker(worker_id)
        at_once = asyncio.Semaphore(_AT_ONCE)

        async def restart(delivery_id: UUID, post_id: UUID, run: str | None, at_once: asyncio.Semaphore) -> bool:
            async with at_once:
                return await gateway.posts.restart_steps(post_id, delivery_id, run)

        done = await asyncio.gather(*(restart(*row, at_once) for row in left), return_exceptions=True)
        for row, outcome in zip(left, done, strict=True):
            if isinstance(outcome, RPCError | TimeoutError | RuntimeError):  # its heartbeat time-out repeats it
                logger.warning("dead workers: delivery %s waits for Temporal (%s)", row[0], type(outcome).__name__)
            elif isinstance(outcome, BaseException):
                raise outcome
        if restarted := sum(outcome is True for outcome in done):  # a worker that stopped in good order leaves none
            logger.warning("a worker died, %d of its steps are restarted", restarted)
    return silent
