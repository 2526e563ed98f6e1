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
    """A user's customer at Stripe, and the subscription as fetched last. A fetch replaces the stored state whole."""

    __tablename__ = "subscriptions"
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    customer_id: Mapped[str | None] = mapped_column(String(255), unique=True)
    checkout_id: Mapped[str | None] = mapped_column(String(255))
    """The newest Checkout page of the user, in whatever state."""
    checkout_price_id: Mapped[str | None] = mapped_column(String(255))
    """The price that it sells."""
    checkout_number: Mapped[int] = mapped_column(default=0)
    """The number of Checkout pages so far: part of the idempotency key of the next one."""
    paid: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.billing.rules.Paid` as JSON; None: no subscription."""
    had_one: Mapped[bool] = mapped_column(default=False)
    """Whether there ever was a subscription: a trial is offered once."""
    past_due_since: Mapped[datetime | None]
    """When a charge first failed, also once it is no longer retried (unpaid); None: no failure."""
    locked_at: Mapped[datetime | None]
    """When the plan was found to be locked and assistants were paused; None: it is unlocked."""
    fetched_at: Mapped[datetime | None]
    """When the state was last fetched."""
    fetches: Mapped[int] = mapped_column(default=0)
    """Number of stored fetches. A fetch that began before another was stored is repeated, so the newest one stays."""

    @property
    def known(self) -> Paid | None:
        """The subscription as fetched last."""
        return paid_from_json(self.paid) if self.paid else None


class StripePrice(Base):
    """A subscription price as fetched last."""

    __tablename__ = "stripe_prices"
    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    price: Mapped[dict[str, Any]]
    """A `core.billing.rules.Price` as JSON."""
    fetched_at: Mapped[datetime]


class StripeEvent(Base):
    """An event that Stripe sent, once per id: its type and customer, not its content, which is fetched."""

    __tablename__ = "stripe_events"
    __table_args__ = (Index("ix_stripe_events_open", "received_at", postgresql_where=text("processed_at IS NULL")),)
    id: Mapped[str] = mapped_column(String(255), primary_key=True)
    type: Mapped[str] = mapped_column(String(100))
    customer_id: Mapped[str | None] = mapped_column(String(255), index=True)
    created_at: Mapped[datetime]
    """By Stripe's clock."""
    received_at: Mapped[datetime] = mapped_column(default=utcnow)
    attempts: Mapped[int] = mapped_column(default=0)
    processed_at: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(64))
    """`synced`, `unknown_customer`, `noted` (nothing to do), or an error code."""
