from datetime import date, datetime

from pydantic import Field

from api.schemas.base import Out
from core.domain.subscriptions import BillingMode, SubscriptionStatus


class UsedOut(Out):
    """Of what a subscription is about."""

    month: date = Field(description="Its first day on the user's own clock", examples=["2026-11-01"])
    active_assistants: int = Field(description="Now", examples=[3])
    published_posts: int = Field(description="Of the month, each once", examples=[42])
    model_calls: int = Field(description="Of the month", examples=[214])
    cost_micros: int | None = Field(
        description="Of those, in millionths, as far as it is known; null where none is", examples=[7_420_000]
    )
    unpriced: int = Field(description="Calls whose cost is not known", examples=[0])
    cost_currency: str = Field(description="ISO 4217", examples=["USD"])


class SubscriptionOut(Out):
    mode: BillingMode = Field(
        description="self_hosted: payments are not set up, nobody is charged, everything is unlocked",
        examples=["self_hosted"],
    )
    status: SubscriptionStatus = Field(description="How it is shown", examples=["none"])
    price_cents: int | None = Field(
        description="Of one billing period, in hundredths of the currency; null without a price", examples=[None]
    )
    currency: str | None = Field(description="ISO 4217; null without a price", examples=[None])
    trial_days_left: int | None = Field(description="Whole days, the last one included; null without a trial")
    first_billing_date: datetime | None = Field(description="First charge; null where none is coming or was")
    next_billing_date: datetime | None = Field(description="Next charge; null where none is coming")
    end_date: datetime | None = Field(description="When it ends or has ended; null while it goes on")
    configured: bool = Field(description="Whether payments are set up", examples=[False])
    settings: list[str] = Field(
        description="What to set where they are not",
        examples=[["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"]],
    )
    used: UsedOut


class CheckoutOut(Out):
    checkout_url: str = Field(description="The payment provider's page", examples=["https://checkout.example/session"])
