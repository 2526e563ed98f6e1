"""Accounts that were deleted: their workflows, tokens, files and rows, until nothing of them is left.

Runs in every worker process, one at a time by an advisory lock; every 15 s and soon after somebody asked for it. Each
act may be repeated and the user's row goes last, so a round that dies anywhere is done again by the next.
"""

import asyncio
import logging
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from core.container import Services
from core.errors import DomainError
from temporal.gateway import Gateway
from temporal.rounds import Lock, alone, over

logger = logging.getLogger(__name__)

# seconds; how long one person may hold up the others of a round
_PATIENCE = 120.0
# seconds between two looks at Temporal; nothing is left when so many in a row have found nothing
_LOOK = 1.0
_LOOKS = 2


async def once(services: Services, gateway: Gateway) -> int:
    """One round. Returns how many users are gone."""
    gone = 0
    async with alone(services, Lock.account_deletion) as mine:
        if not mine:
            return 0
        for user_id in await services.account_deletion.requested():
            gone += await _erased(services, gateway, user_id)
    if gone:
        logger.info("account deletion: %d people are gone", gone)
    return gone


async def _erased(services: Services, gateway: Gateway, user_id: UUID) -> bool:
    """Whether nothing is left. What stands in the way of one person's deletion does not keep the others waiting."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await erase(services, gateway, user_id)
    except (RPCError, RuntimeError, TimeoutError) as error:
        logger.warning("account deletion: user %s waits for Temporal (%s)", user_id, type(error).__name__)
    except (DomainError, SQLAlchemyError, OSError) as error:
        logger.warning("account deletion: user %s waits (%s)", user_id, type(error).__name__)
    return False


async def erase(services: Services, gateway: Gateway, user_id: UUID) -> bool:
    """All acts in their order. False: something of the user was still arriving; the next round begins anew."""
    deletion = services.account_deletion
    if not await deletion.withdraw(user_id):
        return False
    # a round of the reconcile that had read its rows before the withdrawal can still start a workflow
    await over(services, Lock.assistants, Lock.mails, Lock.orders, Lock.follow_ups, Lock.grants, Lock.lost_grants)
    await _forgotten(services, gateway, user_id)
    await deletion.revoke_tokens(user_id)
    await services.subscribing.leave(user_id)
    await deletion.remove_files(user_id)
    return await deletion.remove_rows(user_id)


async def _forgotten(services: Services, gateway: Gateway, user_id: UUID) -> None:
    """Deletes workflows until Temporal has none of the user's. One look is never enough: its lists lag, and an
    assistant that is still there starts runs, which outlive it."""
    names = await services.account_deletion.names(user_id)
    empty = 0
    while empty < _LOOKS:
        found = await gateway.forget(user_id, names)
        empty = 0 if found else empty + 1
        await asyncio.sleep(_LOOK)
