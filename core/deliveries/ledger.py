"""The ledger's two writes at the slot: the fence before the call and the receipt after it.

Both are conditional per row and durable when they return. Writes of the same moment share one statement and one commit.
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
from core.networks.base import BaseChannel, supports
from core.networks.posts import Receipt
from core.networks.registry import channels
from core.networks.rules.channels import ChannelKind
from core.networks.usage import ReportedUsage, note_usage
from core.posts.rules.posts import CommentState
from core.runs.outcomes import notify_outcome, update_from_deliveries
from core.social_accounts.repositories.accounts import AccountRepository


@dataclass(frozen=True)
class FenceRequest:
    """An attempt that wants to make the publishing call, and the token (of the account or its grant) it would use."""

    user_id: UUID
    delivery_id: UUID
    attempt: UUID
    token_id: UUID


@dataclass(frozen=True)
class Proof:
    """A network's confirmation that a user's delivery is published."""

    user_id: UUID
    delivery_id: UUID
    receipt: Receipt
    entry: Entry | None = None
    """Log entry of the step that found it."""
    usage: Sequence[ReportedUsage] = ()
    """The call quotas that the network reported with it."""
    follows_up: bool = True
    """Whether an article is announced now. Not where it may have been announced after the backup that was restored."""


@dataclass(frozen=True)
class Ledger:
    sessions: Sessions
    catch_up: timedelta
    """How late a post may still be published."""

    async def fence(self, request: FenceRequest) -> bool:
        """Set the fence for this attempt. Return True if it alone must call now; False if another attempt owns the
        delivery, the account's token has changed, or the delivery must not go out any more. Raises SQLAlchemyError
        where the database could not answer; then nothing may be called."""
        return await self._fences.do(request)

    async def settle(self, proof: Proof) -> None:
        """Mark the delivery as published, whichever attempt is the current one. Raises DataError for values that the
        database cannot store."""
        if failed := await self._receipts.do(proof):
            raise failed

    @cached_property
    def _fences(self) -> Batcher[FenceRequest, bool]:
        return Batcher(self._fence_all)

    @cached_property
    def _receipts(self) -> Batcher[Proof, DataError | None]:
        return Batcher(self._settle_all)

    async def _fence_all(self, batch: Sequence[FenceRequest]) -> list[bool]:
        fences = [(request.user_id, request.delivery_id, request.attempt, request.token_id) for request in batch]
        async with self.sessions.begin() as session:
            fenced = await DeliveryRepository(session).fence(fences, self.catch_up)
        return [(request.delivery_id, request.attempt) in fenced for request in batch]

    async def _settle_all(self, batch: Sequence[Proof]) -> list[DataError | None]:
        """Settle the batch in one statement. If one proof cannot be stored, settle each alone so that the others are
        kept; return the error of each."""
        try:
            await self._settle_together(batch)
        except DataError as error:
            if len(batch) == 1:
                return [error]
            return [error for proof in batch for error in await self._settle_all([proof])]
        return [None] * len(batch)

    async def _settle_together(self, batch: Sequence[Proof]) -> None:
        receipts = [(proof.user_id, proof.delivery_id, proof.receipt) for proof in batch]
        async with self.sessions.begin() as session:
            repository = DeliveryRepository(session)
            settled = await repository.settle(receipts, _comment_channels())
            await DeliveryLogRepository(session).add([proof.entry for proof in batch if proof.entry])
            follows_up = {proof.delivery_id for proof in batch if proof.follows_up}
            articles = [row.post_id for row in settled if row.channel.is_site and row.id in follows_up]
            announced = bool(articles) and await AnnouncementRepository(session).add_for_articles(articles)
            if announced or any(row.comment is CommentState.waiting for row in settled):
                await wake_reconcile(session)
            posts = {row.post_id for row in settled}
            for user_id, post_id in await repository.posts_of_ended_runs(sorted(posts)):
                await notify_outcome(session, await update_from_deliveries(session, user_id, post_id))
                posts.discard(post_id)
            ended = await repository.end_published_runs(posts)
            changed = [(row.user_id, LiveKind.post, row.post_id) for row in settled]
            await notify_browsers_of_all(session, [*changed, *((user, LiveKind.run, run) for user, run in ended)])
            rests = {proof.delivery_id: proof.receipt.rest for proof in batch if proof.receipt.rest}
            for row in settled:
                if rest := rests.get(row.id):
                    await AccountRepository(session).set_rate_limit(row.user_id, row.account_id, utcnow() + rest)
            await note_usage(session, [call for proof in batch for call in proof.usage])


@cache
def _comment_channels() -> frozenset[ChannelKind]:
    """Return the networks that support a first comment."""
    return frozenset(network.kind for network in channels() if supports(network, BaseChannel.comment))
