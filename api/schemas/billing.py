from datetime import date, datetime

from pydantic import Field

from api.schemas.base import Out
from core.billing.rules import BillingMode, Interval, SubscriptionStatus


class UsedOut(Out):
    """What is used of the subscription's limits."""

    month: date = Field(description="Its first day on the user's own clock", examples=["2026-11-01"])
    active_assistants: int = Field(description="Now", examples=[3])
    published_posts: int = Field(description="Of the month, each once", examples=[42])
    model_calls: int = Field(description="Of the month", examples=[214])
    cost_micros: int | None = Field(
        description="Of those, in millionths, as far as it is known; null where none is", examples=[7_420_000]
    )
    unpriced: int = Field(description="Calls whose cost is not known", examples=[0])
    cost_currency: str = Field(description="ISO 4217", examples=["USD"])


class LimitsOut(Out):
    """Limits; null: unlimited."""

    active_assistants: int | None = Field(description="At a time", examples=[1])
    published_posts: int | None = Field(description="In a calendar month", examples=[10])
    cost_micros: int | None = Field(description="Of models in a calendar month, in millionths", examples=[1_000_000])


class SubscriptionOut(Out):
    mode: BillingMode = Field(
        description="self_hosted: payments are not set up, nobody is charged, everything is unlocked",
        examples=["stripe"],
    )
    status: SubscriptionStatus = Field(description="How it is shown", examples=["trial"])
    unlocked: bool = Field(description="Whether the plan's limits apply, and not the free ones")
    price_cents: int | None = Field(
        description="Of one billing period, in the smallest unit of the currency as Stripe counts it; null where it is"
        " not known",
        examples=[2900],
    )
    currency: str | None = Field(description="ISO 4217; null without a price", examples=["EUR"])
    interval: Interval | None = Field(description="Of billing; null without a price", examples=["month"])
    interval_count: int | None = Field(description="A billing period has so many of them", examples=[1])
    trial_days: int | None = Field(description="Of a trial that can be started; null where none can", examples=[None])
    trial_days_left: int | None = Field(
        description="Whole days, the last one included; null without a trial", examples=[12]
    )
    first_billing_date: datetime | None = Field(description="First charge; null where none is coming")
    next_billing_date: datetime | None = Field(description="Next charge; null where none is coming")
    end_date: datetime | None = Field(description="When it ends or has ended; null while it goes on")
    past_due_until: datetime | None = Field(
        description="A charge has failed: until then everything stays unlocked; null where none has"
    )
    can_subscribe: bool = Field(description="Whether the checkout can be opened")
    can_cancel: bool
    can_resume: bool = Field(description="Whether what was canceled can go on")
    has_portal: bool = Field(description="Whether there are invoices or a payment method to see")
    has_payment_method: bool | None = Field(
        description="Whether something can be charged; null where that is not known", examples=[True]
    )
    configured: bool = Field(description="Whether payments are set up", examples=[True])
    settings: list[str] = Field(
        description="What to set where they are not",
        examples=[["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"]],
    )
    as_of: datetime | None = Field(
        description="When the payment provider was asked last; null where it never was, or nobody is charged"
    )
    used: UsedOut
    limits: LimitsOut = Field(description="What applies now")
    free: LimitsOut = Field(description="What applies without a subscription")
    plan: LimitsOut = Field(description="What applies with one")
    paused_assistants: int = Field(description="Those that pause because the subscription has ended", examples=[0])


class CheckoutOut(Out):
    checkout_url: str = Field(description="The payment provider's page", examples=["https://checkout.example/session"])


class PortalOut(Out):
    portal_url: str = Field(
        description="The payment provider's page with payment method and invoices",
        examples=["https://billing.example/session"],
    )
