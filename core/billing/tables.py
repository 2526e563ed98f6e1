from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.billing.rules import Paid, paid_from_json
from core.clock import utcnow
from core.tables import Base, Timestamped


class SubscriptionRow(Timestamped, Base):
    """Whom the payment provider knows a user as, and what it said last of their subscription. What it says is never
    added to, only replaced by what was fetched later."""

    __tablename__ = "subscriptions"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    customer_id: Mapped[str | None] = mapped_column(String(255), unique=True)
    checkout_id: Mapped[str | None] = mapped_column(String(255))
    """The newest page of the provider that somebody was sent to, whatever became of it."""
    checkout_price_id: Mapped[str | None] = mapped_column(String(255))
    """What it sells."""
    checkout_number: Mapped[int] = mapped_column(default=0)
    """How many such pages there were: part of the key under which the provider makes the next one once."""
    paid: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.billing.rules.Paid` as JSON; None: there is none."""
    had_one: Mapped[bool] = mapped_column(default=False)
    """Whether there ever was one: a trial is had once."""
    past_due_since: Mapped[datetime | None]
    """Since when a charge has failed, also once it is tried no more (unpaid); None while none has."""
    locked_at: Mapped[datetime | None]
    """When it was seen that nothing is unlocked any more, and the assistants were paused; None while it is."""
    fetched_at: Mapped[datetime | None]
    """When the provider was asked for it last."""
    fetches: Mapped[int] = mapped_column(default=0)
    """How often: who asked before another one's answer was kept asks again, so that the last one kept is the newest."""

    @property
    def known(self) -> Paid | None:
        """As the provider said last."""
        return paid_from_json(self.paid) if self.paid else None


class StripePrice(Base):
    """What the subscription costs, as the payment provider said last."""

    __tablename__ = "stripe_prices"
    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    price: Mapped[dict[str, Any]]
    """A `core.billing.rules.Price` as JSON."""
    fetched_at: Mapped[datetime]


class StripeEvent(Base):
    """What the payment provider told, once for each event: whose it is, and not what it said, which is fetched."""

    __tablename__ = "stripe_events"
    __table_args__ = (Index("ix_stripe_events_open", "received_at", postgresql_where=text("processed_at IS NULL")),)
    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    type: Mapped[str] = mapped_column(String(100))
    customer_id: Mapped[str | None] = mapped_column(String(255), index=True)
    created_at: Mapped[datetime]
    """By the provider's clock."""
    received_at: Mapped[datetime] = mapped_column(default=utcnow)
    attempts: Mapped[int] = mapped_column(default=0)
    processed_at: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(64))
    """`synced`, `unknown_customer`, `noted`: nothing to do but to keep it; or the code of an error."""
