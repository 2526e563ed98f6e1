from datetime import datetime

from pydantic import Field

from api.schemas.base import Out
from core.domain.subscriptions import BillingMode, SubscriptionStatus


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


class CheckoutOut(Out):
    checkout_url: str = Field(description="The payment provider's page", examples=["https://checkout.example/session"])
