from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep, Entry
from core.deliveries.tables.deliveries import Delivery
from core.deliveries.tables.delivery_log import DeliveryEntry
from core.ids import new_id

MAX_ENTRIES: Final = 200


class DeliveryLogRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(self, entries: Sequence[Entry]) -> None:
        """Insert the entries."""
        if entries:
            rows = [
                {
                    "id": new_id(),
                    "user_id": entry.user_id,
                    "delivery_id": entry.delivery_id,
                    "at": entry.at,
                    "attempt": entry.attempt,
                    "step": entry.step,
                    "decision": entry.decision,
                    "error_code": entry.error_code,
                    "exchanges": list(entry.exchanges),
                }
                for entry in entries
            ]
            await self.session.execute(insert(DeliveryEntry), rows)

    async def add_step(
        self,
        delivery: Delivery,
        attempt: int,
        step: DeliveryStep,
        decision: DeliveryDecision,
        exchanges: Sequence[dict[str, Any]],
        code: str | None = None,
    ) -> None:
        """Insert an entry for a step that has just ended."""
        await self.add([Entry(delivery.user_id, delivery.id, utcnow(), attempt, step, decision, code, exchanges)])

    async def list_for_post(self, user_id: UUID, post_id: UUID) -> Sequence[DeliveryEntry]:
        """Return the newest 200 entries of all deliveries of the post, oldest first."""
        rows = await self.session.scalars(
            select(DeliveryEntry)
            .join(Delivery, Delivery.id == DeliveryEntry.delivery_id)
            .where(DeliveryEntry.user_id == user_id, Delivery.user_id == user_id, Delivery.post_id == post_id)
            .order_by(DeliveryEntry.at.desc(), DeliveryEntry.id.desc())
            .limit(MAX_ENTRIES)
        )
        return rows.all()[::-1]
