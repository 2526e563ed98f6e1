"""Rows ahead of their workflows: what a crash or an outage left between a saved configuration and its workflow.

Runs in every worker process, one at a time by an advisory lock; every 15 s and at once when something was saved.
"""

import asyncio
import logging
from contextlib import suppress

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from core.container import Services
from core.database import CHANGES, listen
from core.repositories.assistants import AssistantRepository
from temporal.gateway import Gateway

logger = logging.getLogger(__name__)

_LOCK = 7305442
_EVERY = 15.0  # seconds
# whoever saved tells the workflow itself; only what that did not reach is repaired
_GRACE = 4.0


async def run(services: Services, gateway: Gateway) -> None:
    """Until cancelled. A lost database is waited for."""
    url = services.settings.database_url
    assert url is not None  # open_services has looked
    while True:
        with suppress(psycopg.OperationalError, SQLAlchemyError, OSError):
            async for notice in listen(url, CHANGES, idle=_EVERY):
                if notice is not None:
                    await asyncio.sleep(_GRACE)
                await once(services, gateway)
        logger.warning("reconcile: the database is away, trying again")
        await asyncio.sleep(3)


async def once(services: Services, gateway: Gateway) -> int:
    """One round. Returns how many workflows were told."""
    told = 0
    async with services.engine.connect() as connection:
        mine = await connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK})
        if not mine:
            return 0
        try:
            async with services.sessions() as session:
                behind = await AssistantRepository(session).behind()
            for full in behind:
                try:
                    running = await gateway.repair(full.row, full.status, {account.kind for account in full.accounts})
                except (RPCError, TimeoutError, RuntimeError) as error:
                    logger.warning("reconcile: Temporal is away (%s)", type(error).__name__)
                    return told
                told += 1
                if not running:
                    async with services.sessions.begin() as session:
                        await AssistantRepository(session).settle(full.row.id, full.row.version)
        finally:
            await connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
    if told:
        logger.info("reconcile: %d workflows told", told)
    return told
