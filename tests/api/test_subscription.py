"""The subscription calls of an installation that nobody is charged for."""

import httpx2
import pytest
from sqlalchemy import update

from core.container import Services
from core.domain.errors import ErrorCode
from core.models import AccessToken, Scope, TokenKind, User
from tests.api.conftest import done, refused

READS = ["/users/subscription/", "/users/verify-subscription/"]
WRITES = ["/users/cancel_subscription/", "/users/create_checkout_session/"]


@pytest.mark.parametrize("path", READS)
async def test_everything_is_unlocked_and_what_to_set_is_named(api: httpx2.AsyncClient, path: str) -> None:
    assert done(await api.get(path)) == {
        "mode": "self_hosted",
        "status": "none",
        "price_cents": None,
        "currency": None,
        "trial_days_left": None,
        "first_billing_date": None,
        "next_billing_date": None,
        "end_date": None,
        "configured": False,
        "settings": ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
    }


@pytest.mark.parametrize("path", WRITES)
async def test_there_is_nothing_to_pay_or_to_cancel(api: httpx2.AsyncClient, path: str) -> None:
    refused(await api.post(path), 409, ErrorCode.billing_not_configured)


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
