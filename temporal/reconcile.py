"""Rows ahead of their workflows: what a crash or an outage left between a saved configuration and its workflow, mails
that were written in the transaction that they tell of, and try-outs and suggestions that nobody works on.
"""

import logging
from datetime import timedelta

from temporalio.service import RPCError

from core.container import Services
from core.models import TopicSuggestion, Tryout
from core.models.base import utcnow
from core.repositories.assistants import AssistantRepository
from core.repositories.leftovers import take_left
from core.repositories.mails import MailRepository
from temporal.gateway import Gateway
from temporal.rounds import Lock, alone

logger = logging.getLogger(__name__)

GRACE = 4.0
"""Seconds: whoever saved tells the workflow itself; only what that did not reach is repaired."""
# try-outs and suggestions each that a round starts; the others have their turn in the next
_ORDERS = 100


async def assistants(services: Services, gateway: Gateway) -> int:
    """One round over assistants. Returns how many workflows were told."""
    told = 0
    async with alone(services, Lock.assistants) as mine:
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
    async with alone(services, Lock.mails) as mine:
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
    async with alone(services, Lock.orders) as mine:
        if not mine:
            return 0
        left = utcnow() - timedelta(seconds=GRACE)
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
