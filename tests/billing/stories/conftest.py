"""An installation on which subscriptions are on, with Stripe's stand-in in Stripe's place."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import stripe
from sqlalchemy.ext.asyncio import AsyncEngine

from core.clock import use_clock
from core.container import Services, wire
from core.database import open_sessions
from core.settings import Settings
from temporal.gateway import Gateway
from tests.api.test_no_secrets import logs
from tests.billing.stories.shop import KEY, SECRETS, Clock, Rewired, Shop
from tests.conftest import Networks, browsing
from tests.factories import Factory

__all__ = ["logs"]


@pytest.fixture
def selling(lasting: AsyncEngine, settings: Settings, networks: Networks) -> Settings:
    return settings.model_copy(
        update=Settings(
            environment="test",
            database_url=lasting.url.render_as_string(hide_password=False),
            stripe_secret_key=KEY,
            stripe_webhook_secret=",".join(SECRETS),
            stripe_price_id="price_sandbox",
            stripe_api_url=f"{networks.url}/stripe",
            session_days=1000,
        ).model_dump(exclude_unset=True)
    )


@pytest.fixture
def sold(lasting: AsyncEngine, selling: Settings) -> Services:
    return wire(selling, lasting, open_sessions(lasting))


@pytest.fixture
async def shop(
    sold: Services, away: Gateway, networks: Networks, address: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Shop]:
    """Nobody has bought anything yet, and the price is known."""
    # before a second try the library waits half a second
    monkeypatch.setattr(stripe.HTTPClient, "INITIAL_DELAY", 0.01)
    clock = Clock()
    user = await Factory(sold.sessions, sold.vault).user()
    await networks.calm()
    await networks.client.delete("/stripe/state/?all=true")
    with use_clock(clock):
        async with browsing(sold, away, user) as api:
            made = Shop(sold, user, api, networks.client, f"{address}/webhooks/stripe/", clock)
            await made.order("endpoint", url=made.webhooks, secrets=SECRETS)
            await sold.subscriptions.keep_price()
            yield made
            await made.delivered()
            await networks.client.delete("/stripe/state/?all=true")
            await networks.calm()


@pytest.fixture
def rewired(shop: Shop, lasting: AsyncEngine, selling: Settings, away: Gateway) -> Rewired:
    """The same shop and customer, once an operator has changed these settings; without any, as it was."""

    @asynccontextmanager
    async def rewired(**changed: Any) -> AsyncIterator[Shop]:
        services = wire(selling.model_copy(update=changed), lasting, open_sessions(lasting))
        async with browsing(services, away, shop.user) as api:
            yield replace(shop, services=services, api=api)

    return rewired
