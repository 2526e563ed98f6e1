"""The two writes of the ledger at the slot itself, each for several deliveries in one statement."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Row, String, Text, Uuid, column, tuple_, update, values
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.posts import DeliveryState
from core.models import Account, Delivery
from core.models.base import utcnow


class DeliveryRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def fence(self, wanted: Sequence[tuple[UUID, UUID, UUID]]) -> set[tuple[UUID, UUID | None]]:
        """`wanted`: (user, delivery, attempt). Returns (delivery, attempt) of those whose attempt is still the current
        one, and which nobody has called for yet."""
        rows = await self.session.execute(
            update(Delivery)
            .where(
                tuple_(Delivery.user_id, Delivery.id, Delivery.attempt).in_(wanted),
                Delivery.called_at.is_(None),
            )
            .values(called_at=utcnow())
            .returning(Delivery.id, Delivery.attempt)
            .execution_options(synchronize_session=False)
        )
        return {(row[0], row[1]) for row in rows}

    async def settle(
        self, receipts: Sequence[tuple[UUID, UUID, str | None, str | None]]
    ) -> Sequence[Row[UUID, UUID, UUID]]:
        """Published. `receipts`: (user, delivery, the network's id, permalink). Returns (user_id, post_id, account_id)
        of each."""
        now = utcnow()
        proofs = values(
            column("user_id", Uuid),
            column("id", Uuid),
            column("provider_id", String),
            column("permalink", Text),
            name="proofs",
        ).data(list(receipts))
        rows = await self.session.execute(
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
        await self.session.execute(
            update(Account)
            .where(tuple_(Account.user_id, Account.id).in_({(row.user_id, row.account_id) for row in settled}))
            .values(last_used_at=now)
            .execution_options(synchronize_session=False)
        )
        return settled
