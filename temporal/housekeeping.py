"""Clean-up by the worker, without Temporal."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from core.container import Services
from core.database import log_failure, log_failure_of_one
from core.errors import Unavailable
from core.topics.topic_trees import TopicTreeService
from temporal.gateway import Gateway
from temporal.rounds import EVERY, Lock, advisory_lock

logger = logging.getLogger(__name__)

_SWEEP = 60.0  # seconds
_WALK = 3600.0  # seconds


async def sync_bundled_templates(services: Services) -> None:
    """Write this release's templates to the marketplace, retrying while the database is away."""
    while True:
        try:
            await services.marketplace.sync()
        except (SQLAlchemyError, OSError) as error:
            log_failure(logger, "housekeeping: the bundled templates", error)
            await asyncio.sleep(EVERY)
        else:
            return


async def convert_tones(services: Services) -> None:
    """Make brands of the tones of older releases' templates, retrying while the database is away. Another worker that
    does so does it for all."""
    while True:
        try:
            async with advisory_lock(services, Lock.tones) as mine:
                if mine and (converted := await services.tones.convert()):
                    logger.info("housekeeping: looked at %d templates for tones", converted)
        except (SQLAlchemyError, OSError) as error:
            log_failure(logger, "housekeeping: the tones of templates", error)
            await asyncio.sleep(EVERY)
        else:
            return


async def write_digests(services: Services, gateway: Gateway) -> int:
    """Write the daily overviews that are due. Return their number."""
    async with advisory_lock(services, Lock.digests) as mine:
        return await services.notifications.write_digests() if mine else 0


async def revoke_grants(services: Services, gateway: Gateway) -> int:
    """Retry revocations at networks. Return their number."""
    return await services.connecting.grants.retry_revocations()


async def remove_old_evidence(services: Services, gateway: Gateway) -> int:
    """Remove what is older than `RETENTION_DAYS`, portion by portion. Return the number of rows."""
    removed = 0
    async with advisory_lock(services, Lock.retention) as mine:
        while mine and (portion := await services.retention.remove_portion()):
            removed += portion
    if removed:
        logger.info("housekeeping: old evidence removed, %d rows", removed)
    return removed


async def end_subscriptions(services: Services, gateway: Gateway) -> int:
    """End subscriptions after their grace period, and announce ends of trials. Return the number of ended ones."""
    async with advisory_lock(services, Lock.subscriptions) as mine:
        return await services.subscriptions.sweep() if mine else 0


async def sweep_forever(services: Services) -> None:
    """Until cancelled: delete old rate limits, security events, deleted posts and images, and unfinished files, and
    close model calls that were lost. A failure of one does not stop the others."""

    async def purge_topics() -> None:
        async with services.sessions.begin() as session:
            await TopicTreeService(session).purge_deleted()

    async def close_lost_calls() -> None:
        if lost := await services.model_calls.close_lost():
            logger.warning("housekeeping: %d model calls ended without an outcome", lost)

    sweeps: tuple[Callable[[], Awaitable[object]], ...] = (
        services.limiting.sweep,
        services.network_usage.sweep,
        services.security_events.sweep,
        services.notifications.delete_old,
        services.connecting.delete_expired_attempts,
        services.subscriptions.forget_events,
        purge_topics,
        services.post_bulk.purge_deleted,  # before the images that they use
        services.gallery.sweep,
        close_lost_calls,
    )
    next_walk = time.monotonic()
    while True:
        await asyncio.sleep(_SWEEP)
        try:
            for sweep in sweeps:
                await _try_sweep(sweep)
            if time.monotonic() >= next_walk:
                # not each time: it looks at all files of a folder
                await _try_sweep(services.media.storage.remove_unfinished)
                next_walk = time.monotonic() + _WALK
        except (SQLAlchemyError, OSError) as error:
            log_failure(logger, "housekeeping: the clean-up", error)


async def _try_sweep(sweep: Callable[[], Awaitable[object]]) -> None:
    """Raises SQLAlchemyError or OSError while the database is away."""
    with log_failure_of_one(logger, f"housekeeping: {sweep.__qualname__}"):
        try:
            await sweep()
        except Unavailable as error:
            logger.warning("housekeeping: the clean-up is retried (%s)", error.code)
