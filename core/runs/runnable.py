"""The check before each step of a run that costs money: whether its result can still be used."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import fault_of_all_accounts, standing_fault
from core.assistants.rules.assistants import OPEN_RUNS
from core.billing.entitlements import Entitlements
from core.billing.rules import Limit
from core.errors import AwaitsMending, Conflict, ErrorCode, InvalidInput
from core.runs.repositories.lateness import LatenessRepository
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.tables import Run
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account


async def ensure_runnable(
    session: AsyncSession,
    user_id: UUID,
    run_id: UUID,
    setup: RunSetup,
    catch_up: timedelta,
    entitlements: Entitlements,
    *,
    just_read: tuple[Run, Sequence[Account]] | None = None,
    asks: tuple[str, str] | None = None,
) -> None:
    """Raises Conflict with the reason if the run was cancelled, is too late, was overtaken, or all its accounts are
    disconnected; AwaitsMending if a known fault stops all its accounts; SubscriptionRequired if the user's monthly
    limit of published posts is reached.

    `just_read`: the run and its connected accounts, if this transaction has read them already. `asks`: provider and
    model that the step needs.
    """
    run, accounts = just_read or (await RunRepository(session).get(user_id, run_id), None)
    if run.state not in OPEN_RUNS:
        raise Conflict(ErrorCode.run_cancelled)
    late = await LatenessRepository(session).run_code(user_id, run_id, catch_up)
    if setup.publishes and accounts is None:
        accounts = await AccountRepository(session).filter_connected(user_id, setup.account_ids)
    closed = await fault_of_all_accounts(session, accounts) if setup.publishes and accounts else None
    if late:
        raise Conflict(closed or (asks and await standing_fault(session, *asks)) or late)
    if setup.publishes and not accounts:
        raise Conflict(ErrorCode.account_disconnected)
    if closed:
        raise AwaitsMending(closed)
    if setup.publishes and entitlements.asks:
        await _ensure_within_limit(session, run, entitlements)


def ensure_accounts_connected(setup: RunSetup, accounts: Sequence[Account]) -> None:
    """Raises InvalidInput (account_disconnected) where nothing is left to publish through."""
    if setup.publishes and not accounts:
        raise InvalidInput(ErrorCode.account_disconnected)


async def _ensure_within_limit(session: AsyncSession, run: Run, entitlements: Entitlements) -> None:
    has_begun = await RunRepository(session).has_started_writing(run.user_id, run.id)
    # the first writing step starts in this transaction, so no other run takes the same place
    ask = entitlements.look if has_begun else entitlements.hold
    allowance = await ask(session, run.user_id, Limit.published_posts)
    if allowance and (refusal := await allowance.run_refusal(run.slot, run.id, has_begun=has_begun)):
        raise refusal
