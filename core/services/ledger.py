"""The two writes of the ledger that happen at the slot itself: the fence before the call, the receipt after it.

Both are conditional per row and durable when they return; those of one moment share a statement and a commit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from sqlalchemy import String, Text, Uuid, column, tuple_, update, values

from core.database import Sessions, notify_browsers_of_all
from core.domain.live import LiveKind
from core.domain.posts import DeliveryState
from core.models import Account, Delivery
from core.models.base import utcnow
from core.providers.channels.base import Receipt
from core.services.batching import Batcher


@dataclass(frozen=True)
class Pass:
    """Who wants to call: an attempt of a user's delivery."""

    user_id: UUID
    delivery_id: UUID
    attempt: UUID


@dataclass(frozen=True)
class Proof:
    """What a network confirmed of a user's delivery."""

    user_id: UUID
    delivery_id: UUID
    receipt: Receipt


@dataclass(frozen=True)
class Ledger:
    sessions: Sessions

    async def fence(self, wanted: Pass) -> bool:
        """True: the fence is up for this attempt alone, and it must call now. False: another attempt owns the
        delivery. Raises SQLAlchemyError where the database could not say; nothing was called then."""
        return await self._fences.do(wanted)

    async def settle(self, proof: Proof) -> None:
        """Published. Whoever has proof settles it, whichever attempt is the current one."""
        await self._receipts.do(proof)

    @cached_property
    def _fences(self) -> Batcher[Pass, bool]:
        return Batcher(self._fence_all)

    @cached_property
    def _receipts(self) -> Batcher[Proof, None]:
        return Batcher(self._settle_all)

    async def _fence_all(self, batch: Sequence[Pass]) -> list[bool]:
        wanted = [(one.user_id, one.delivery_id, one.attempt) for one in batch]
        async with self.sessions.begin() as session:
            rows = await session.execute(
                update(Delivery)
                .where(
                    tuple_(Delivery.user_id, Delivery.id, Delivery.attempt).in_(wanted),
                    Delivery.called_at.is_(None),
                )
                .values(called_at=utcnow())
                .returning(Delivery.id, Delivery.attempt)
                .execution_options(synchronize_session=False)
            )
            taken = {(row[0], row[1]) for row in rows}
        return [(one.delivery_id, one.attempt) in taken for one in batch]

    async def _settle_all(self, batch: Sequence[Proof]) -> list[None]:
        now = utcnow()
        proofs = values(
            column("user_id", Uuid),
            column("id", Uuid),
            column("provider_id", String),
            column("permalink", Text),
            name="proofs",
        ).data([(one.user_id, one.delivery_id, one.receipt.provider_id, one.receipt.permalink) for one in batch])
        async with self.sessions.begin() as session:
            rows = await session.execute(
                update(Delivery)
                .where(Delivery.id == proofs.c.id, Delivery.user_id == proofs.c.user_id)
                .values(
                    state=DeliveryState.published,
                    settled_at=now,
                    provider_id=proofs.c.provider_id,
                    permalink=proofs.c.permalink,
                    error_code=None,
                    error_detail=None,
                )
                .returning(Delivery.user_id, Delivery.post_id, Delivery.account_id)
                .execution_options(synchronize_session=False)
            )
            settled = rows.all()
            await session.execute(
                update(Account)
                .where(tuple_(Account.user_id, Account.id).in_({(row.user_id, row.account_id) for row in settled}))
                .values(last_used_at=now)
                .execution_options(synchronize_session=False)
            )
            await notify_browsers_of_all(session, [(row.user_id, LiveKind.post, row.post_id) for row in settled])
        return [None] * len(batch)
