"""What a worker does where subscriptions are on: it looks into what the payment provider has told."""

import logging

from temporalio.service import RPCError

from core.container import Services
from core.errors import DomainError
from temporal.gateway import Gateway
from temporal.rounds import Lock, alone

logger = logging.getLogger(__name__)


async def once(services: Services, gateway: Gateway) -> int:
    """One round: the price, where it is old, and what was told since the last one. Returns how many events are done."""
    async with alone(services, Lock.billing) as mine:
        if not mine:
            return 0
        subscribing = services.subscribing
        try:
            await subscribing.keep_price()
        except DomainError as error:
            logger.warning("billing: the price cannot be fetched: %s", error)
        return await subscribing.process_events()


async def comparison(services: Services, gateway: Gateway) -> int:
    """One round: the daily comparison runs, whoever ended it. Returns 0."""
    try:
        await gateway.ensure_comparison()
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("billing: Temporal is away (%s)", type(error).__name__)
    return 0
