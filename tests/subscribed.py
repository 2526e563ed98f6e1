"""Settings with billing, and stored subscriptions, without calls to Stripe."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import SecretStr

from core.billing.repositories.subscriptions import SubscriptionRepository
from core.billing.rules import Paid, paid_to_json
from core.billing.tables import SubscriptionRow
from core.container import Services
from core.settings import Settings


def with_billing(settings: Settings, **more: Any) -> Settings:
    """Return settings with billing. Free per month: one assistant, two posts and model costs of one cent."""
    return settings.model_copy(
        update={
            "stripe_secret_key": SecretStr("sk_test_nobody"),
            "stripe_webhook_secret": (SecretStr("whsec_nobody"),),
            "stripe_price_id": "price_1",
            "free_assistants": 1,
            "free_posts": 2,
            "free_model_cost": 0.01,
        }
        | more
    )


def a_subscription(status: str = "active", **more: Any) -> Paid:
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "id": "sub_1",
        "customer_id": "cus_1",
        "status": status,
        "price": None,
        "created": now - timedelta(days=40),
        "trial_end": None,
        "period_start": now - timedelta(days=1),
        "period_end": now + timedelta(days=29),
        "cancel_at_period_end": False,
        "cancel_at": None,
        "canceled_at": None,
        "ended_at": None,
    }
    return Paid(**(values | more))


async def store_subscription(
    services: Services, user_id: UUID, status: str, *, since: datetime | None = None, **more: Any
) -> None:
    """Store a subscription as just fetched from Stripe, not yet acted on. `since`: when it became past due."""
    async with services.sessions.begin() as session:
        row = await SubscriptionRepository(session).held(user_id)
        row.customer_id = row.customer_id or f"cus_{user_id}"
        row.paid, row.had_one = paid_to_json(a_subscription(status, **more)), True
        row.past_due_since = since


async def row_of(services: Services, user_id: UUID) -> SubscriptionRow:
    async with services.sessions() as session:
        found = await SubscriptionRepository(session).of(user_id)
    assert found is not None
    return found
