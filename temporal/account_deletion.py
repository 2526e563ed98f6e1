"""Delete users: their workflows, tokens, files and rows.

Runs in every worker process, one at a time by an advisory lock, every 15 s and soon after a request. Each step is
idempotent and the user's row is deleted last, so an interrupted round is repeated by the next.
"""

import asyncio
import logging
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from core.container import Services
from core.errors import DomainError
from temporal.gateway import Gateway
from temporal.rounds import Lock, advisory_lock, wait_for_locks

logger = logging.getLogger(__name__)

# seconds that one user may delay the others of a round
_PATIENCE = 120.0
# seconds between two checks of Temporal; nothing is left when so many in a row have found nothing
_LOOK = 1.0
_LOOKS = 2
# rounds that start workflows of users
_STARTING = (
    Lock.assistants,
    Lock.lost_assistants,
    Lock.overdue_assistants,
    Lock.lost_runs,
    Lock.posts,
    Lock.lost_posts,
    Lock.mails,
    Lock.pending_jobs,
    Lock.follow_ups,
    Lock.grants,
    Lock.lost_grants,
)


async def delete_requested(services: Services, gateway: Gateway) -> int:
    """One round. Return the number of deleted users."""
    gone = 0
    async with advisory_lock(services, Lock.account_deletion) as mine:
        if not mine:
            return 0
        for user_id in await services.account_deletion.requested():
            gone += await _try_erase(services, gateway, user_id)
    if gone:
        logger.info("account deletion: %d users deleted", gone)
    return gone


async def _try_erase(services: Services, gateway: Gateway, user_id: UUID) -> bool:
    """Return whether the user is deleted. A failure for one user does not stop the others."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await erase(services, gateway, user_id)
    except (RPCError, RuntimeError, TimeoutError) as error:
        logger.warning("account deletion: user %s waits for Temporal (%s)", user_id, type(error).__name__)
    except (DomainError, SQLAlchemyError, OSError) as error:
        logger.warning("account deletion: user %s is retried (%s)", user_id, type(error).__name__)
    return False


async def erase(services: Services, gateway: Gateway, user_id: UUID) -> bool:
    """Do all steps in order. Return False if something of the user was still arriving; the next round starts again."""
    deletion = services.account_deletion
    if not await deletion.withdraw(user_id):
        return False
    # a reconcile round that has read its rows before the withdrawal can still start a workflow
    await wait_for_locks(services, *_STARTING)
    await _delete_workflows(services, gateway, user_id)
    await deletion.revoke_tokens(user_id)
    await services.subscriptions.leave(user_id)
    await deletion.remove_files(user_id)
    return await deletion.remove_rows(user_id)


async def _delete_workflows(services: Services, gateway: Gateway, user_id: UUID) -> None:
    """Delete workflows until Temporal has none of the user's. One check is not enough: its lists lag, and an assistant
    that still exists starts runs, which outlive it."""
    names = await services.account_deletion.names(user_id)
    empty = 0
    while empty < _LOOKS:
        found = await gateway.delete_workflows(user_id, names)
        empty = 0 if found else empty + 1
        await asyncio.sleep(_LOOK)
