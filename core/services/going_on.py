"""Asked before every step of a run that costs: whether what it makes can still be of use."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.channels import AccountState
from core.domain.errors import Conflict, ErrorCode
from core.domain.runs import RunSetup
from core.repositories.accounts import AccountRepository
from core.repositories.lateness import LatenessRepository


async def must_go_on(session: AsyncSession, user_id: UUID, run_id: UUID, setup: RunSetup, catch_up: timedelta) -> None:
    """Raises Conflict with the reason: it is too late for the run, a newer one is due, or all of its accounts need
    reconnecting."""
    if late := await LatenessRepository(session).of_run(user_id, run_id, catch_up):
        raise Conflict(late)
    if setup.publishes:
        accounts = await AccountRepository(session).connected(user_id, setup.account_ids)
        if accounts and all(account.state is AccountState.needs_reconnecting for account in accounts):
            raise Conflict(ErrorCode.delivery_needs_reconnect)
