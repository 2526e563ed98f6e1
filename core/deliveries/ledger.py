"""The two writes of the ledger that happen at the slot itself: the fence before the call, the receipt after it.

Both are conditional per row and durable when they return; those of one moment share a statement and a commit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from uuid import UUID

from sqlalchemy.exc import DataError

from core.articles.repository import AnnouncementRepository
from core.batching import Batcher
from core.clock import utcnow
from core.database import Sessions, notify_browsers_of_all, wake_reconcile
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.delivery_log import Entry
from core.live import LiveKind
from core.networks.base import BaseChannel, Receipt, supports
from core.networks.registry import channels
from core.networks.rules.channels import ChannelKind
from core.networks.usage import Told, note_usage
from core.posts.rules.posts import CommentState
from core.runs.outcomes import follow_deliveries, tell_how_it_ended
from core.social_accounts.repositories.accounts import AccountRepository


@dataclass(frozen=True)
class Pass:
    """Who wants to call: an attempt of a user's delivery, and by which token, its account's own or its grant's."""

    user_id: UUID
    delivery_id: UUID
    attempt: UUID
    token_id: UUID


@dataclass(frozen=True)
class Proof:
    """What a network confirmed of a user's delivery."""

    user_id: UUID
    delivery_id: UUID
    receipt: Receipt
    entry: Entry | None = None
    """What is kept of how it came."""
    told: Sequence[Told] = ()
    """What the network said with it of the calls that are left."""


@dataclass(frozen=True)
class Ledger:
    sessions: Sessions
    catch_up: timedelta
    """How late a post may go out."""

    async def fence(self, wanted: Pass) -> bool:
        """True: the fence is up for this attempt alone, and it must call now. False: another attempt owns the delivery,
        its account has another token by now, or it must not go out any more. Raises SQLAlchemyError where the database
        could not say; nothing was called then."""
        return await self._fences.do(wanted)

    async def settle(self, proof: Proof) -> None:
        """Published. Whoever has proof settles it, whichever attempt is the current one. Raises DataError for what no
        database keeps."""
        if failed := await self._receipts.do(proof):
            raise failed

    @cached_property
    def _fences(self) -> Batcher[Pass, bool]:
        return Batcher(self._fence_all)

    @cached_property
    def _receipts(self) -> Batcher[Proof, DataError | None]:
        return Batcher(self._settle_all)

    async def _fence_all(self, batch: Sequence[Pass]) -> list[bool]:
        wanted = [(one.user_id, one.delivery_id, one.attempt, one.token_id) for one in batch]
        async with self.sessions.begin() as session:
            fenced = await DeliveryRepository(session).fence(wanted, self.catch_up)
        return [(one.delivery_id, one.attempt) in fenced for one in batch]

    async def _settle_all(self, batch: Sequence[Proof]) -> list[DataError | None]:
        """What a network said to one, and no database keeps, is no reason to lose the proof of others."""
        try:
            await self._settle_in_one(batch)
        except DataError as error:
            if len(batch) == 1:
                return [error]
            return [found for one in batch for found in await self._settle_all([one])]
        return [None] * len(batch)

    async def _settle_in_one(self, batch: Sequence[Proof]) -> None:
        receipts = [(one.user_id, one.delivery_id, one.receipt) for one in batch]
        async with self.sessions.begin() as session:
            repository = DeliveryRepository(session)
            settled = await repository.settle(receipts, _commenting())
            await DeliveryLogRepository(session).add([one.entry for one in batch if one.entry])
            articles = [row.post_id for row in settled if row.channel.is_site]
            announced = bool(articles) and await AnnouncementRepository(session).intend(articles)
            if announced or any(row.comment is CommentState.waiting for row in settled):
                await wake_reconcile(session)
            for user_id, post_id in await repository.of_ended_runs([row.post_id for row in settled]):
                await tell_how_it_ended(session, await follow_deliveries(session, user_id, post_id))
            await notify_browsers_of_all(session, [(row.user_id, LiveKind.post, row.post_id) for row in settled])
            rests = {one.delivery_id: one.receipt.rest for one in batch if one.receipt.rest}
            for row in settled:
                if rest := rests.get(row.id):
                    await AccountRepository(session).limit(row.user_id, row.account_id, utcnow() + rest)
            await note_usage(session, [told for one in batch for told in one.told])


@cache
def _commenting() -> frozenset[ChannelKind]:
    """The networks that have a first comment."""
    return frozenset(one.kind for one in channels() if supports(one, BaseChannel.comment))
