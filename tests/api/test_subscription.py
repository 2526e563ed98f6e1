"""The subscription calls of an installation that nobody is charged for."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.rules.posts import DeliveryState, PostStatus
from core.users.tables.users import AccessToken, Scope, TokenKind, User
from tests.api.conftest import done, refused
from tests.api.made_posts import Posts
from tests.conftest import Networks
from tests.factories import Factory

READS = ["/users/subscription/", "/users/verify-subscription/"]
WRITES = [
    "/users/cancel_subscription/",
    "/users/create_checkout_session/",
    "/users/create_portal_session/",
    "/users/resume_subscription/",
]
UNLIMITED = {"active_assistants": None, "published_posts": None, "cost_micros": None}


@pytest.mark.parametrize("path", READS)
async def test_everything_is_unlocked_and_what_to_set_is_named(api: httpx2.AsyncClient, path: str) -> None:
    found = done(await api.get(path))
    assert found.pop("used") == {
        "month": datetime.now(UTC).date().replace(day=1).isoformat(),
        "active_assistants": 0,
        "published_posts": 0,
        "model_calls": 0,
        "cost_micros": 0,
        "unpriced": 0,
        "cost_currency": "USD",
    }
    assert found == {
        "mode": "self_hosted",
        "status": "none",
        "unlocked": True,
        "price_cents": None,
        "currency": None,
        "interval": None,
        "interval_count": None,
        "trial_days": None,
        "trial_days_left": None,
        "first_billing_date": None,
        "next_billing_date": None,
        "end_date": None,
        "past_due_until": None,
        "can_subscribe": False,
        "can_cancel": False,
        "can_resume": False,
        "has_portal": False,
        "has_payment_method": None,
        "configured": False,
        "settings": ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
        "as_of": None,
        "limits": UNLIMITED,
        "free": UNLIMITED,
        "plan": UNLIMITED,
        "paused_assistants": 0,
    }


@pytest.mark.parametrize("path", WRITES)
async def test_there_is_nothing_to_pay_or_to_cancel(api: httpx2.AsyncClient, path: str) -> None:
    refused(await api.post(path), 409, ErrorCode.billing_not_configured)


async def test_nobody_tells_of_payments(anonymous: httpx2.AsyncClient) -> None:
    refused(await anonymous.post("/webhooks/stripe/", content=b"{}"), 409, ErrorCode.billing_not_configured)


async def test_they_are_account_calls(services: Services, api: httpx2.AsyncClient, user: User) -> None:
    """Open before the e-mail is proved."""
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(is_email_verified=False))
    for path in READS:
        done(await api.get(path))
    for path in WRITES:
        refused(await api.post(path), 409, ErrorCode.billing_not_configured)


async def test_a_script_may_look_but_not_buy(services: Services, api: httpx2.AsyncClient, user: User) -> None:
    async with services.sessions.begin() as session:
        await session.execute(
            update(AccessToken)
            .where(AccessToken.user_id == user.id)
            .values(kind=TokenKind.api_key, scope=Scope.write, name="A script", expires_at=None)
        )
    for path in READS:
        done(await api.get(path))
    for path in WRITES:
        refused(await api.post(path), 403, ErrorCode.scope_missing)


async def test_what_was_used_this_month_is_counted_on_the_users_own_clock(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    posts = Posts(services, user, await make.account(user, networks.url))
    now = datetime.now(UTC)
    before = now.replace(day=1, hour=0, minute=0, second=0) - timedelta(days=2)
    await make.assistant(user)
    out: dict[str, Any] = {"status": PostStatus.published, "delivery": DeliveryState.published, "called_at": now}
    await posts.add("this month", **out, settled_at=now)
    await posts.add("last month", **out, settled_at=before)
    await posts.add("failed", status=PostStatus.failed, delivery=DeliveryState.failed, settled_at=now)
    async with services.sessions.begin() as session:
        for cost, at in ((7, now), (None, now), (900, before)):
            id = new_id()
            session.add(
                Transaction(
                    id=id,
                    user_id=user.id,
                    key=f"{id}:text:{id}",
                    type=TransactionType.text,
                    provider="openai",
                    model="any",
                    cost_micros=cost,
                    duration_ms=1,
                    created_at=at,
                )
            )
        await session.execute(update(Assistant).where(Assistant.user_id == user.id).values(active=True))
    used = done(await api.get("/users/subscription/"))["used"]
    assert (used["active_assistants"], used["published_posts"]) == (1, 1)
    assert (used["model_calls"], used["cost_micros"], used["unpriced"]) == (2, 7, 1)
