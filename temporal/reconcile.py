"""Rows ahead of their workflows: what a crash or an outage left between a saved configuration and its workflow, mails
that were written in the transaction that they tell of, and try-outs and suggestions that nobody works on.

Runs in every worker process, one at a time by an advisory lock; every 15 s and at once when something was saved.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from core.container import Services
from core.database import CHANGES, listen
from core.domain.errors import Unavailable
from core.models import TopicSuggestion, Tryout
from core.models.base import utcnow
from core.repositories.assistants import AssistantRepository
from core.repositories.leftovers import take_left
from core.repositories.mails import NEW_MAIL, MailRepository
from core.services.topic_trees import TopicTreeService
from temporal.gateway import Gateway

logger = logging.getLogger(__name__)

_LOCK, _MAIL_LOCK, _ORDER_LOCK = 7305442, 7305452, 7305453
_EVERY = 15.0  # seconds
_SWEEP = 60.0
# whoever saved tells the workflow itself; only what that did not reach is repaired
_GRACE = 4.0
# try-outs and suggestions each that a round starts; the others have their turn in the next
_ORDERS = 100

Round = Callable[[Services, Gateway], Awaitable[int]]


async def run(services: Services, gateway: Gateway) -> None:
    """Until cancelled."""
    async with asyncio.TaskGroup() as group:
        group.create_task(_rounds(once, CHANGES, services, gateway, grace=_GRACE))
        # nobody but the reconcile starts these, so they wait for nothing
        group.create_task(_rounds(mails, NEW_MAIL, services, gateway, grace=0))
        group.create_task(_rounds(orders, CHANGES, services, gateway, grace=_GRACE))
        group.create_task(_bundling(services))
        group.create_task(_sweeping(services))


async def _rounds(once: Round, channel: str, services: Services, gateway: Gateway, *, grace: float) -> None:
    """A round at each notice on the channel, `grace` seconds after it. A lost database is waited for."""
    url = services.settings.database_url
    assert url is not None  # open_services has looked
    while True:
        try:
            async for notice in listen(url, channel, idle=_EVERY):
                if notice is not None:
                    await asyncio.sleep(grace)
                await once(services, gateway)
        except (psycopg.OperationalError, SQLAlchemyError, OSError) as error:
            logger.warning("reconcile: the database is away, trying again (%s)", type(error).__name__)
        except Exception:
            # a defect in one kind of round must not end the others
            logger.exception("reconcile: a round failed")
        await asyncio.sleep(3)


async def _bundling(services: Services) -> None:
    """The marketplace shows what this release brings along."""
    while True:
        try:
            await services.marketplace.sync()
        except (SQLAlchemyError, OSError) as error:
            logger.warning("reconcile: the bundled templates have to wait (%s)", type(error).__name__)
            await asyncio.sleep(_EVERY)
        else:
            return


async def _sweeping(services: Services) -> None:
    """Limits that nobody is near any more are forgotten, and what was deleted too long ago to be brought back."""
    while True:
        await asyncio.sleep(_SWEEP)
        try:
            await services.limiting.sweep()
            async with services.sessions.begin() as session:
                await TopicTreeService(session).sweep()
            await services.gallery.sweep()
        except (SQLAlchemyError, OSError, Unavailable) as error:
            logger.warning("reconcile: nothing swept (%s)", type(error).__name__)


async def once(services: Services, gateway: Gateway) -> int:
    """One round over assistants. Returns how many workflows were told."""
    told = 0
    async with _alone(services, _LOCK) as mine:
        if not mine:
            return 0
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
    if told:
        logger.info("reconcile: %d workflows told", told)
    return told


async def mails(services: Services, gateway: Gateway) -> int:
    """One round over mails: those that wait without a workflow get theirs. Returns how many."""
    async with _alone(services, _MAIL_LOCK) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            waiting = await MailRepository(session).pending()
        try:
            started = await gateway.send_mails(waiting)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: %d mails wait, Temporal is away (%s)", len(waiting), type(error).__name__)
            return 0
    if started:
        logger.info("reconcile: %d mails on their way", started)
    return started


async def orders(services: Services, gateway: Gateway) -> int:
    """One round over try-outs and suggestions that are not over and that nobody has written to for a while: their
    workflows are started where they do not run. Returns how many were looked after."""
    async with _alone(services, _ORDER_LOCK) as mine:
        if not mine:
            return 0
        left = utcnow() - timedelta(seconds=_GRACE)
        async with services.sessions.begin() as session:
            # taken is written to, so that the next round begins with others
            tryouts = await take_left(session, Tryout, left, _ORDERS)
            suggestions = await take_left(session, TopicSuggestion, left, _ORDERS)
        try:
            for user_id, tryout_id in tryouts:
                await gateway.ensure_tryout(user_id, tryout_id)
            for user_id, suggestion_id in suggestions:
                await gateway.ensure_suggestion(user_id, suggestion_id)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: try-outs wait, Temporal is away (%s)", type(error).__name__)
            return 0
    return len(tryouts) + len(suggestions)


async def over(services: Services) -> None:
    """Until the rounds under way are over, in whichever process: what they have read may be old by now."""
    async with services.engine.connect() as connection:
        for lock in (_LOCK, _MAIL_LOCK, _ORDER_LOCK):
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": lock})
            await connection.rollback()


@asynccontextmanager
async def _alone(services: Services, lock: int) -> AsyncIterator[bool]:
    """Whether no other process is at it, for as long as the block lasts."""
    async with services.engine.connect() as connection:
        # no transaction stays open for as long as a round takes
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        mine = bool(await connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": lock}))
        try:
            yield mine
        finally:
            if mine:
                await connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": lock})
