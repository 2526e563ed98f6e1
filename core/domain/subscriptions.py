"""What somebody pays for."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class BillingMode(StrEnum):
    self_hosted = "self_hosted"
    """Nobody is charged, and everything is unlocked."""


class SubscriptionStatus(StrEnum):
    """As it is shown."""

    none = "none"
    trial = "trial"
    active = "active"
    canceled_until = "canceled_until"
    """Canceled, and active until `end_date`."""
    canceled = "canceled"


@dataclass(frozen=True)
class Used:
    """`active_assistants` now; the others of a calendar month. `cost_micros`: None where there were calls and the cost
    of none is known; `unpriced` are the calls that are not in it."""

    active_assistants: int
    published_posts: int
    model_calls: int
    cost_micros: int | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class Subscription:
    """`price_cents`: of one billing period, in hundredths of the currency. `settings`: what to set where payments are
    not `configured`."""

    mode: BillingMode
    status: SubscriptionStatus
    price_cents: int | None
    currency: str | None
    trial_days_left: int | None
    first_billing_date: datetime | None
    next_billing_date: datetime | None
    end_date: datetime | None
    configured: bool
    settings: tuple[str, ...]


SELF_HOSTED = Subscription(
    mode=BillingMode.self_hosted,
    status=SubscriptionStatus.none,
    price_cents=None,
    currency=None,
    trial_days_left=None,
    first_billing_date=None,
    next_billing_date=None,
    end_date=None,
    configured=False,
    settings=("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"),
)
"""Everybody's, where payments are not set up."""
