"""Faults of providers that an operator has to fix: noted once, checked before anything is paid, cleared by a success.

One run at a time checks whether a fault is fixed, some minutes after the last check: for a model by the call that the
run needs anyway, since a refused call costs nothing; for a network by a read-only request, since the text before its
call would be paid for.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import RECHECK_AFTER, model_subject, network_subject, provider_subject, subjects_of_call
from core.ai.tables.provider_faults import ProviderFault
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, KnownFault, Misconfigured, NeedsReconnect, ProviderError
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.reconnecting import handle_access_refused
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

logger = logging.getLogger(__name__)


async def call_fault(session: AsyncSession, provider: str, model: str) -> KnownFault | None:
    """Return the fault that forbids a call of the model, or None if it may be made. If there is a fault then, the
    call is its check."""
    faults, subjects, now = FaultRepository(session), subjects_of_call(provider, model), utcnow()
    standing = await faults.find(subjects)
    if not standing:
        return None
    taken = await faults.claim_checks(subjects, now, now + RECHECK_AFTER)
    closed = [fault for fault in standing if fault.subject not in taken]
    return KnownFault(ErrorCode(closed[0].reason)) if closed else None


async def standing_fault(session: AsyncSession, provider: str, model: str) -> ErrorCode | None:
    """Return the model's known fault without claiming its check."""
    standing = await FaultRepository(session).find(subjects_of_call(provider, model))
    return ErrorCode(standing[0].reason) if standing else None


async def note_model_call(sessions: Sessions, provider: str, model: str, error: ProviderError | None) -> None:
    """Note, clear or keep the provider's fault after a call of the model that ended with `error` or None."""
    async with sessions.begin() as session:
        faults, subjects, now = FaultRepository(session), subjects_of_call(provider, model), utcnow()
        if isinstance(error, Misconfigured):
            subject = provider_subject(provider) if error.whole else model_subject(provider, model)
            await faults.note(subject, error.code.value, error.detail, now, now + RECHECK_AFTER)
            logger.error("%s: %s %s", subject, error.code, error.detail)
        elif error is None or error.spent is not None:
            # the provider answered and bills the call
            if await faults.clear(subjects):
                logger.info("%s works again", provider)
        else:
            await faults.release_check(subjects, now)


async def note_network(session: AsyncSession, kind: ChannelKind, error: Misconfigured) -> None:
    now = utcnow()
    await FaultRepository(session).note(network_subject(kind), error.code.value, error.detail, now, now + RECHECK_AFTER)
    logger.error("%s: %s %s", network_subject(kind), error.code, error.detail)


async def fault_of_all_accounts(session: AsyncSession, accounts: Sequence[Account]) -> ErrorCode | None:
    """Return why none of the accounts can publish, or None if one can or there are none."""
    subjects = {account.id: network_subject(ChannelKind(account.kind)) for account in accounts}
    standing = {fault.subject: fault for fault in await FaultRepository(session).find(sorted(set(subjects.values())))}
    reasons: list[ErrorCode] = []
    for account in accounts:
        if account.state is AccountState.needs_reconnecting:
            reasons.append(ErrorCode.delivery_needs_reconnect)
        elif fault := standing.get(subjects[account.id]):
            reasons.append(ErrorCode(fault.reason))
        else:
            return None
    return reasons[0] if reasons else None


@dataclass(frozen=True)
class FaultService:
    sessions: Sessions
    connecting: ConnectingService

    async def list_standing(self) -> Sequence[ProviderFault]:
        """Return all faults, oldest first."""
        async with self.sessions() as session:
            return await FaultRepository(session).list_all()

    async def recheck(self, user_id: UUID, account_ids: Sequence[UUID]) -> None:
        """Check the faults of these accounts' networks that are due for a check."""
        async with self.sessions.begin() as session:
            accounts = await AccountRepository(session).filter_connected(user_id, account_ids)
            accounts_by_subject = {
                network_subject(ChannelKind(account.kind)): account
                for account in accounts
                if account.state is AccountState.connected
            }
            if not accounts_by_subject:
                return
            now = utcnow()
            taken = await FaultRepository(session).claim_checks(sorted(accounts_by_subject), now, now + RECHECK_AFTER)
        for subject in taken:
            await self._recheck_network(accounts_by_subject[subject])

    async def _recheck_network(self, account: Account) -> None:
        kind = ChannelKind(account.kind)
        try:
            await channel(kind).probe(self.connecting.credentials(account))
        except Misconfigured as error:
            async with self.sessions.begin() as session:
                await note_network(session, kind, error)
        except ProviderError as error:
            async with self.sessions.begin() as session:
                await FaultRepository(session).release_check([network_subject(kind)], utcnow())
                if isinstance(error, NeedsReconnect):
                    [row] = await AccountRepository(session).by_ids(account.user_id, [account.id])
                    await handle_access_refused(session, row, error, by=account.token_id)
        else:
            await self.clear_network_fault(kind)

    async def has_network_fault(self, kind: ChannelKind) -> bool:
        """Return whether the network is known to refuse this server's settings."""
        async with self.sessions() as session:
            return bool(await FaultRepository(session).find([network_subject(kind)]))

    async def clear_network_fault(self, kind: ChannelKind) -> None:
        """Clear the network's fault after a success."""
        async with self.sessions.begin() as session:
            if await FaultRepository(session).clear([network_subject(kind)]):
                logger.info("%s works again", kind)
