"""Providers that an operator has to mend: found once, asked for before anything is paid, and gone by proof alone.

One run at a time looks whether a fault is mended, some minutes after the last look: of a model with the call that it
needs anyhow, since a refused one costs nothing; of a network with a question that changes nothing, since the text that
comes before its call would be paid for.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import LOOKED_AT_AGAIN, model_subject, network_subject, provider_subject, subjects_of_call
from core.ai.tables.provider_faults import ProviderFault
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, KnownFault, Misconfigured, NeedsReconnect, ProviderError
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.social_accounts.connecting import ConnectingService, handle_access_refused
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

logger = logging.getLogger(__name__)


async def call_fault(session: AsyncSession, provider: str, model: str) -> KnownFault | None:
    """Why a call of the model is not worth making; None: it may be made, and where something is at fault, its caller is
    the one who finds out whether that still is."""
    faults, subjects, now = FaultRepository(session), subjects_of_call(provider, model), utcnow()
    standing = await faults.find(subjects)
    if not standing:
        return None
    taken = await faults.claim_checks(subjects, now, now + LOOKED_AT_AGAIN)
    closed = [fault for fault in standing if fault.subject not in taken]
    return KnownFault(ErrorCode(closed[0].reason)) if closed else None


async def standing_fault(session: AsyncSession, provider: str, model: str) -> ErrorCode | None:
    """What is known to be wrong with the model, whoever looks again."""
    standing = await FaultRepository(session).find(subjects_of_call(provider, model))
    return ErrorCode(standing[0].reason) if standing else None


async def note_model_call(sessions: Sessions, provider: str, model: str, error: ProviderError | None) -> None:
    """What a call of the model, which ended so, proves of its provider."""
    async with sessions.begin() as session:
        faults, subjects, now = FaultRepository(session), subjects_of_call(provider, model), utcnow()
        if isinstance(error, Misconfigured):
            subject = provider_subject(provider) if error.whole else model_subject(provider, model)
            await faults.note(subject, error.code.value, error.detail, now, now + LOOKED_AT_AGAIN)
            logger.error("%s: %s %s", subject, error.code, error.detail)
        elif error is None or error.spent is not None:
            # it answered, and is paid for it
            if await faults.clear(subjects):
                logger.info("%s works again", provider)
        else:
            await faults.release_check(subjects, now)


async def note_network(session: AsyncSession, kind: ChannelKind, error: Misconfigured) -> None:
    now = utcnow()
    await FaultRepository(session).note(
        network_subject(kind), error.code.value, error.detail, now, now + LOOKED_AT_AGAIN
    )
    logger.error("%s: %s %s", network_subject(kind), error.code, error.detail)


async def fault_of_all_accounts(session: AsyncSession, accounts: Sequence[Account]) -> ErrorCode | None:
    """Why nothing would go out through any of them; None also where there are none."""
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
        """Oldest first."""
        async with self.sessions() as session:
            return await FaultRepository(session).list_all()

    async def recheck(self, user_id: UUID, account_ids: Sequence[UUID]) -> None:
        """Of the networks of these accounts, those that are to be looked at again."""
        async with self.sessions.begin() as session:
            accounts = await AccountRepository(session).filter_connected(user_id, account_ids)
            asked = {
                network_subject(ChannelKind(account.kind)): account
                for account in accounts
                if account.state is AccountState.connected
            }
            if not asked:
                return
            now = utcnow()
            taken = await FaultRepository(session).claim_checks(sorted(asked), now, now + LOOKED_AT_AGAIN)
        for subject in taken:
            await self._recheck_network(asked[subject])

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
        """Whether the network is known to refuse the settings of this server."""
        async with self.sessions() as session:
            return bool(await FaultRepository(session).find([network_subject(kind)]))

    async def clear_network_fault(self, kind: ChannelKind) -> None:
        """It has done what it refused before."""
        async with self.sessions.begin() as session:
            if await FaultRepository(session).clear([network_subject(kind)]):
                logger.info("%s works again", kind)
