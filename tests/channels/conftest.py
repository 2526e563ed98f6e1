"""The networks as the conformance tests ask them."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from core.container import wire
from core.database import Sessions
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel, channels
from core.networks.rules.channels import ChannelKind
from core.settings import Settings
from tests.channels.served_here import OwnSite
from tests.conftest import Networks, _app
from tests.factories import Factory


@pytest.fixture(autouse=True)
def no_book() -> None:
    """Of the services of a test before."""
    for one in channels():
        one.use_usage_store(None)


@pytest.fixture
async def networks(
    request: pytest.FixtureRequest,
    networks: Networks,
    settings: Settings,
    engine: AsyncEngine,
    connection: AsyncConnection,
    sessions: Sessions,
) -> AsyncIterator[Networks]:
    """The stand-in of them all, or of a site that is served here, the product itself."""
    kind = ChannelKind(request.node.callspec.params.get("network", next(iter(ChannelKind))))
    if not supports(channel(kind), BaseChannel.feeds_of):
        yield networks
        return
    services, app = wire(settings, engine, sessions), _app()
    user = await Factory(sessions, services.vault).user()
    app.state.services = services
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=settings.public_url) as client:
        yield OwnSite(settings.public_url, client, services=services, user=user, kind=kind, connection=connection)
