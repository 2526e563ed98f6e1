from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.ids import new_id
from core.tables import Base, open_enum


class DeliveryEntry(Base):
    """One step of a delivery: the exchange with the network and the decision after it. Rows are written once and live
    as long as their delivery, or as `RETENTION_DAYS` says."""

    __tablename__ = "delivery_entries"
    __table_args__ = (
        Index("ix_delivery_entries_delivery_id_at", "delivery_id", "at"),
        Index("ix_delivery_entries_oldest", "at"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    delivery_id: Mapped[UUID] = mapped_column(ForeignKey("deliveries.id", ondelete="CASCADE"))
    at: Mapped[datetime]
    """When the step ended."""
    attempt: Mapped[int]
    """Number of the attempt at publishing, commenting or removing; 0 before the first."""
    step: Mapped[DeliveryStep] = mapped_column(open_enum(DeliveryStep))
    decision: Mapped[DeliveryDecision] = mapped_column(open_enum(DeliveryDecision))
    error_code: Mapped[str | None] = mapped_column(String(64))
    exchanges: Mapped[list[dict[str, Any]]]
    """Its calls in order, as `core.outgoing.exchanges` records them: without tokens, at most 4 kB of each text."""
