"""Asked before every step of a run that costs: whether what it makes can still be of use."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.assistants import OPEN_RUNS
from core.domain.errors import Conflict, ErrorCode
from core.domain.runs import RunSetup
from core.repositories.accounts import AccountRepository
from core.repositories.lateness import LatenessRepository
from core.repositories.runs import RunRepository
from core.services.faults import nobody_to_post_through


async def must_go_on(session: AsyncSession, user_id: UUID, run_id: UUID, setup: RunSetup, catch_up: timedelta) -> None:
    """Raises Conflict with the reason: the run was cancelled, it is too late for it, a newer one is due, or it is known
    of all of its accounts that nothing goes out through them."""
    if (await RunRepository(session).get(user_id, run_id)).state not in OPEN_RUNS:
        raise Conflict(ErrorCode.run_cancelled)
    if late := await LatenessRepository(session).of_run(user_id, run_id, catch_up):
        raise Conflict(late)
    if setup.publishes:
        accounts = await AccountRepository(session).connected(user_id, setup.account_ids)
        if reason := await nobody_to_post_through(session, accounts):
            raise Conflict(reason)
