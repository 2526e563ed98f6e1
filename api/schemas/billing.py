from datetime import date, datetime

from pydantic import Field

from api.schemas.base import Out
from core.billing.rules import BillingMode, Interval, SubscriptionStatus


class UsedOut(Out):
    """What is used of the subscription's limits."""

    month: date = Field(description="First day of the month in the user's time zone", examples=["2026-11-01"])
    active_assistants: int = Field(description="Assistants active now", examples=[3])
    published_posts: int = Field(description="Posts published in the month, each counted once", examples=[42])
    model_calls: int = Field(description="Model calls in the month", examples=[214])
    cost_micros: int | None = Field(
        description="Known cost of the model calls, in millionths; null: no cost is known", examples=[7_420_000]
    )
    unpriced: int = Field(description="Calls of unknown cost", examples=[0])
    cost_currency: str = Field(description="ISO 4217", examples=["USD"])


class LimitsOut(Out):
    """Limits; null: unlimited."""

    active_assistants: int | None = Field(description="Active at the same time", examples=[1])
    published_posts: int | None = Field(description="Per calendar month", examples=[10])
    cost_micros: int | None = Field(description="Of models per calendar month, in millionths", examples=[1_000_000])


class SubscriptionOut(Out):
    mode: BillingMode = Field(
        description="self_hosted: payments are not set up, nobody is charged, everything is unlocked",
        examples=["stripe"],
    )
    status: SubscriptionStatus = Field(description="The status shown to the user", examples=["trial"])
    unlocked: bool = Field(description="Whether the plan's limits apply instead of the free ones")
    price_cents: int | None = Field(
        description="Price of one billing period, in Stripe's smallest unit of the currency; null: unknown",
        examples=[2900],
    )
    currency: str | None = Field(description="ISO 4217; null without a price", examples=["EUR"])
    interval: Interval | None = Field(description="Unit of a billing period; null without a price", examples=["month"])
    interval_count: int | None = Field(description="Number of intervals in one billing period", examples=[1])
    trial_days: int | None = Field(description="Days of a trial that can be started; null: no trial", examples=[None])
    trial_days_left: int | None = Field(
        description="Whole days left, including the last one; null without a trial", examples=[12]
    )
    first_billing_date: datetime | None = Field(description="First charge; null: none is planned")
    next_billing_date: datetime | None = Field(description="Next charge; null: none is planned")
    end_date: datetime | None = Field(description="When the subscription ends or ended; null: it continues")
    past_due_until: datetime | None = Field(
        description="Until when everything stays unlocked after a failed charge; null: no charge failed"
    )
    can_subscribe: bool = Field(description="Whether a checkout can be started")
    can_cancel: bool
    can_resume: bool = Field(description="Whether the cancellation can be undone")
    has_portal: bool = Field(description="Whether the payment provider's page has invoices or a payment method to show")
    has_payment_method: bool | None = Field(
        description="Whether a payment method is stored; null: unknown", examples=[True]
    )
    configured: bool = Field(description="Whether payments are set up", examples=[True])
    settings: list[str] = Field(
        description="Settings to set up payments, if they are not set up",
        examples=[["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"]],
    )
    as_of: datetime | None = Field(
        description="Last call to the payment provider; null: never called, or nobody is charged"
    )
    used: UsedOut
    limits: LimitsOut = Field(description="Limits that apply now")
    free: LimitsOut = Field(description="Limits without a subscription")
    plan: LimitsOut = Field(description="Limits with a subscription")
    paused_assistants: int = Field(description="Assistants paused because the subscription ended", examples=[0])


class CheckoutOut(Out):
    checkout_url: str = Field(description="The payment provider's page", examples=["https://checkout.example/session"])


class PortalOut(Out):
    portal_url: str = Field(
        description="The payment provider's page with payment method and invoices",
        examples=["https://billing.example/session"],
    )
