"""Subscriptions as Stripe reports them, and their meaning here. Pure."""

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Any, Final


class BillingMode(StrEnum):
    self_hosted = "self_hosted"
    """Billing is off, and everything is unlocked."""
    stripe = "stripe"


class SubscriptionStatus(StrEnum):
    """The status shown to users."""

    none = "none"
    trial = "trial"
    active = "active"
    canceled_until = "canceled_until"
    """Canceled, and active until `end_date`."""
    canceled = "canceled"


class StripeStatus(StrEnum):
    """Stripe's status. Stripe may add more, so any text is stored."""

    trialing = "trialing"
    active = "active"
    past_due = "past_due"
    """A renewal could not be charged, and is retried."""
    unpaid = "unpaid"
    """The charge is no longer retried."""
    canceled = "canceled"
    incomplete = "incomplete"
    """The first charge has not succeeded yet."""
    incomplete_expired = "incomplete_expired"
    paused = "paused"
    """The trial ended without a payment method."""


LIVE: Final = frozenset(
    {StripeStatus.trialing, StripeStatus.active, StripeStatus.past_due, StripeStatus.unpaid, StripeStatus.paused}
)
"""Statuses that continue or can continue: a second subscription would charge twice."""
NOT_BEGUN: Final = frozenset({StripeStatus.incomplete, StripeStatus.incomplete_expired})
"""Statuses that never unlocked anything: the first charge has not succeeded."""
UNCHARGED_STATES: Final = frozenset({StripeStatus.past_due, StripeStatus.unpaid})
"""Statuses in which a renewal could not be charged."""
TRIAL_ENDS_SOON: Final = timedelta(days=3)
"""How long before the end of a trial its owner is notified."""


class Interval(StrEnum):
    day = "day"
    week = "week"
    month = "month"
    year = "year"


@dataclass(frozen=True)
class Price:
    """The price of `interval_count` intervals; `cents` is in hundredths, or in units of currencies without them."""

    id: str
    cents: int
    currency: str
    """ISO 4217, upper case."""
    interval: Interval
    interval_count: int
    product: str
    livemode: bool


_IN_UNITS: Final = frozenset(
    ("BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF")
)
_IN_THOUSANDTHS: Final = frozenset(("BHD", "JOD", "KWD", "OMR", "TND"))


def decimals_of(currency: str) -> int:
    """Return the decimals of Stripe's smallest unit of a currency: 2 for most."""
    return 0 if currency in _IN_UNITS else 3 if currency in _IN_THOUSANDTHS else 2


@dataclass(frozen=True)
class Paid:
    """A subscription at Stripe."""

    id: str
    customer_id: str
    status: str
    price: Price | None
    created: datetime
    trial_end: datetime | None
    period_start: datetime | None
    period_end: datetime | None
    cancel_at_period_end: bool
    cancel_at: datetime | None
    canceled_at: datetime | None
    """When the cancellation was requested, not the end."""
    ended_at: datetime | None
    has_payment_method: bool | None = field(default=None, compare=False)
    """Whether a payment method exists; None: not read yet. Excluded from comparison, so that rows of an earlier release
    do not differ from Stripe."""

    @property
    def ends(self) -> bool:
        """Whether the subscription is canceled for the end of the paid period."""
        return self.cancel_at_period_end or self.cancel_at is not None


@dataclass(frozen=True)
class Used:
    """`active_assistants` now; the others in a calendar month. `cost_micros`: None if there were calls, all of unknown
    cost; `unpriced`: the number of calls without a known cost."""

    active_assistants: int
    published_posts: int
    model_calls: int
    cost_micros: int | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits; None: unlimited. `active_assistants` at a time, the others per calendar month."""

    active_assistants: int | None
    published_posts: int | None
    cost_micros: int | None
    """Cost of all model calls, in millionths of the price lists' currency."""


UNLIMITED: Final = Limits(None, None, None)


class Limit(StrEnum):
    """The name of a field of `Limits`."""

    active_assistants = "active_assistants"
    published_posts = "published_posts"
    cost_micros = "cost_micros"

    def of(self, limits: Limits) -> int | None:
        limit: int | None = getattr(limits, self.value)
        return limit


@dataclass(frozen=True, slots=True)
class Terms:
    """The limits if billing is on."""

    free: Limits
    """Without a subscription."""
    plan: Limits
    """With a subscription."""
    grace: timedelta
    """How long everything stays unlocked after a failed charge."""


def fits(allowed: int | None, used: int, more: int | None) -> bool:
    """Return whether `more` may be used in addition to `used`. `more` None: unknown, so it fits while the known use
    does."""
    return allowed is None or used + (more or 0) <= allowed


@dataclass(frozen=True, slots=True)
class Subscription:
    """`price_cents`: per billing period. `settings`: missing settings if payments are not `configured`.
    `past_due_until`: after a failed charge, until when everything stays unlocked."""

    mode: BillingMode
    status: SubscriptionStatus
    unlocked: bool
    """Whether the plan's limits apply instead of the free ones."""
    price_cents: int | None
    currency: str | None
    interval: Interval | None
    interval_count: int | None
    trial_days: int | None
    """Days of a trial that can be started."""
    trial_days_left: int | None
    first_billing_date: datetime | None
    next_billing_date: datetime | None
    end_date: datetime | None
    past_due_until: datetime | None
    can_subscribe: bool
    can_cancel: bool
    can_resume: bool
    """Whether a cancellation can be undone."""
    has_portal: bool
    """Whether the user has invoices or a payment method."""
    has_payment_method: bool | None
    """Whether a payment method exists; None: unknown."""
    configured: bool
    settings: tuple[str, ...]


SELF_HOSTED = Subscription(
    mode=BillingMode.self_hosted,
    status=SubscriptionStatus.none,
    unlocked=True,
    price_cents=None,
    currency=None,
    interval=None,
    interval_count=None,
    trial_days=None,
    trial_days_left=None,
    first_billing_date=None,
    next_billing_date=None,
    end_date=None,
    past_due_until=None,
    can_subscribe=False,
    can_cancel=False,
    can_resume=False,
    has_portal=False,
    has_payment_method=None,
    configured=False,
    settings=("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"),
)
"""Everybody's subscription without billing."""


def newest(subscriptions: list[Paid]) -> Paid | None:
    """Return the customer's relevant subscription: a live one before an ended one, then the newest."""
    return max(subscriptions, key=lambda paid: (paid.status in LIVE, paid.created), default=None)


def shown(
    paid: Paid | None,
    price: Price | None,
    now: datetime,
    *,
    past_due_since: datetime | None,
    grace: timedelta,
    trial_days: int,
) -> Subscription:
    """Return the subscription as shown to its user. `price`: the current price; a live subscription shows its own.
    `trial_days`: of the trial that the user may still start.

    An unknown status unlocks nothing, and is shown as none.
    """
    live = paid is not None and paid.status in LIVE
    charged = paid.price if paid and paid.price and live else price
    status = _status(paid)
    trial_end = paid.trial_end if paid and paid.status == StripeStatus.trialing else None
    goes_on = status in (SubscriptionStatus.trial, SubscriptionStatus.active)
    past_due = paid is not None and paid.status == StripeStatus.past_due
    return Subscription(
        mode=BillingMode.stripe,
        status=status,
        unlocked=is_unlocked(paid, now, past_due_since=past_due_since, grace=grace),
        price_cents=charged.cents if charged else None,
        currency=charged.currency if charged else None,
        interval=charged.interval if charged else None,
        interval_count=charged.interval_count if charged else None,
        trial_days=None if live else trial_days or None,
        trial_days_left=_days_left(trial_end, paid.created, now) if paid and trial_end else None,
        first_billing_date=trial_end if goes_on else None,
        next_billing_date=(trial_end or (paid.period_end if paid else None)) if goes_on else None,
        end_date=_end(paid, past_due_since),
        past_due_until=(past_due_since or now) + grace if past_due else None,
        can_subscribe=not live,
        can_cancel=goes_on,
        can_resume=status is SubscriptionStatus.canceled_until,
        has_portal=paid is not None,
        has_payment_method=paid.has_payment_method if paid else None,
        configured=True,
        settings=(),
    )


def is_unlocked(paid: Paid | None, now: datetime, *, past_due_since: datetime | None, grace: timedelta) -> bool:
    """Return whether the plan is unlocked now; after a failed charge, until the grace time ends."""
    if paid is None:
        return False
    if paid.status == StripeStatus.past_due:
        return now < (past_due_since or now) + grace
    return paid.status in (StripeStatus.trialing, StripeStatus.active)


def _status(paid: Paid | None) -> SubscriptionStatus:
    if paid is None:
        return SubscriptionStatus.none
    match paid.status:
        case StripeStatus.trialing | StripeStatus.active | StripeStatus.past_due:
            if paid.ends:
                return SubscriptionStatus.canceled_until
            trial = paid.status == StripeStatus.trialing
            return SubscriptionStatus.trial if trial else SubscriptionStatus.active
        case StripeStatus.unpaid | StripeStatus.paused | StripeStatus.canceled:
            return SubscriptionStatus.canceled
        case _:
            return SubscriptionStatus.none


def _days_left(end: datetime, start: datetime, now: datetime) -> int:
    """Return the days left, never more than the trial's length, even if the clock behind `now` is slow."""
    return max(0, ceil((end - max(start, now)) / timedelta(days=1)))


def _end(paid: Paid | None, past_due_since: datetime | None) -> datetime | None:
    if paid is None:
        return None
    match _status(paid):
        case SubscriptionStatus.canceled_until:
            return paid.cancel_at or paid.period_end
        case SubscriptionStatus.canceled:
            if paid.status == StripeStatus.paused:
                return paid.trial_end
            # an unpaid subscription still advances its periods: it ended at the start of the first unpaid one
            return paid.ended_at or past_due_since or paid.period_start
        case _:
            return None


def paid_to_json(paid: Paid) -> dict[str, Any]:
    values = asdict(paid)
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def paid_from_json(stored: dict[str, Any]) -> Paid:
    moments = {name: stored[name] and datetime.fromisoformat(stored[name]) for name in _MOMENTS}
    price = stored["price"] and price_from_json(stored["price"])
    return Paid(**(stored | moments | {"price": price}))


def price_to_json(price: Price) -> dict[str, Any]:
    return asdict(price)


def price_from_json(stored: dict[str, Any]) -> Price:
    return Price(**(stored | {"interval": Interval(stored["interval"])}))


_MOMENTS: Final = ("created", "trial_end", "period_start", "period_end", "cancel_at", "canceled_at", "ended_at")
