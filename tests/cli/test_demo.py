"""What `make demo` begins with, by the same step, where the sandbox stands in for network and Stripe."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from cli.demo import EMAIL, ZONE, seed
from core.container import open_services
from core.domain.subscriptions import SubscriptionStatus
from core.models import Assistant, User
from core.settings import Settings
from tests.conftest import Networks


async def test_two_assistants_post_and_the_trial_has_begun(
    lasting: AsyncEngine, settings: Settings, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")  # away: the reconcile brings it later
    await networks.client.delete("/stripe/state/?all=true")
    demo = settings.model_copy(
        update=Settings(
            environment="test",
            database_url=lasting.url.render_as_string(hide_password=False),
            sandbox_url=networks.url,
            stripe_secret_key="sk_test_demo",
            stripe_webhook_secret="whsec_demo",
            stripe_price_id="price_sandbox",
            stripe_api_url=f"{networks.url}/stripe",
        ).model_dump(exclude_unset=True)
    )
    for _ in range(2):  # what is there already is kept
        assert "/signin?link#token=" in await seed(demo)
        async with open_services(demo) as services:
            async with services.sessions() as session:
                active = (await session.scalars(select(Assistant).where(Assistant.active))).all()
                user = await session.scalar(select(User).where(User.email == EMAIL))
            assert user
            assert len(active) == 2
            standing = await services.subscribing.standing(user.id, ZONE, datetime.now(UTC))
            assert standing.subscription.status is SubscriptionStatus.trial
