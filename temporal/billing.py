"""Process events of the payment provider, where subscriptions are on."""

import logging

from temporalio.service import RPCError

from core.container import Services
from core.errors import DomainError
from temporal.gateway import Gateway
from temporal.rounds import Lock, advisory_lock

logger = logging.getLogger(__name__)


async def process_events(services: Services, gateway: Gateway) -> int:
    """One round: refresh the price if it is old, and process new events. Return the number of processed events."""
    async with advisory_lock(services, Lock.billing) as mine:
        if not mine:
            return 0
        subscriptions = services.subscriptions
        try:
            await subscriptions.keep_price()
        except DomainError as error:
            logger.warning("billing: the price cannot be fetched: %s", error)
        return await subscriptions.process_events()


async def ensure_comparison(services: Services, gateway: Gateway) -> int:
    """One round: start the daily comparison if it is not running. Return 0."""
    try:
        await gateway.ensure_comparison()
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("billing: Temporal is unavailable (%s)", type(error).__name__)
    return 0
