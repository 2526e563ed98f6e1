"""What a worker tidies up without Temporal."""

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from core.container import Services
from core.errors import Unavailable
from core.topics.topic_trees import TopicTreeService
from temporal.gateway import Gateway
from temporal.rounds import EVERY, Lock, alone

logger = logging.getLogger(__name__)

_SWEEP = 60.0  # seconds


async def bundle(services: Services) -> None:
    """The marketplace shows what this release brings along."""
    while True:
        try:
            await services.marketplace.sync()
        except (SQLAlchemyError, OSError) as error:
            logger.warning("housekeeping: the bundled templates have to wait (%s)", type(error).__name__)
            await asyncio.sleep(EVERY)
        else:
            return


async def digests(services: Services, gateway: Gateway) -> int:
    """One round over users: the overview of the day for whom it is eight by now. Returns how many were written."""
    async with alone(services, Lock.digests) as mine:
        return await services.notifications.write_digests() if mine else 0


async def grants(services: Services, gateway: Gateway) -> int:
    """One round over access that networks are to take back, and did not at once. Returns for how many they were
    asked."""
    return await services.connecting.grants.round()


async def subscriptions(services: Services, gateway: Gateway) -> int:
    """One round over subscriptions: those whose grace time is over end, and who tries it out is told before that ends.
    Returns how many ended."""
    async with alone(services, Lock.subscriptions) as mine:
        return await services.subscribing.sweep() if mine else 0


async def sweep(services: Services) -> None:
    """Until cancelled: limits that nobody is near any more are forgotten, security events that are too old, and
    what was deleted too long ago to be brought back; calls of a model that nobody tells of any more are lost."""
    while True:
        await asyncio.sleep(_SWEEP)
        try:
            await services.limiting.sweep()
            await services.network_usage.sweep()
            await services.security_events.sweep()
            await services.notifications.sweep()
            await services.connecting.sweep()
            await services.subscribing.forget_events()
            async with services.sessions.begin() as session:
                await TopicTreeService(session).sweep()
            await services.post_bulk.purge_deleted()  # before the pictures that they held
            await services.gallery.sweep()
            if lost := await services.model_calls.sweep():
                logger.warning("housekeeping: %d calls of a model ended without a word", lost)
        except (SQLAlchemyError, OSError, Unavailable) as error:
            logger.warning("housekeeping: nothing swept (%s)", type(error).__name__)
