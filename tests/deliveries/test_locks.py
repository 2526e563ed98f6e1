"""Two transactions that want the same rows: nobody acts on what a row was before the other one ended."""

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.container import Services, wire
from core.database import open_sessions
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import is_in_flight
from core.settings import Settings
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks
from tests.factories import Factory
from tests.patience import PATIENCE


@pytest.fixture
def services(lasting: AsyncEngine, settings: Settings) -> Services:
    return wire(settings, lasting, open_sessions(lasting))


@pytest.fixture
async def mine(services: Services, networks: Networks) -> Owned:
    return await own_a_post(services, Factory(services.sessions, services.vault), networks)


async def waiting_for_a_lock(services: Services) -> None:
    """Return once a transaction waits for another one."""
    waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with asyncio.timeout(PATIENCE):
        while True:
            async with services.sessions() as session:
                if await session.scalar(text(waits)):
                    return
            await asyncio.sleep(0.02)


async def test_what_is_armed_while_somebody_waits_for_it_is_in_flight(services: Services, mine: Owned) -> None:
    user_id, delivery_id = mine.user.id, UUID(mine.ids["delivery_id"])

    async def asked() -> bool:
        async with services.sessions.begin() as session:
            return await is_in_flight(session, user_id, UUID(mine.ids["run_id"]))

    assert not await asked()
    async with services.sessions.begin() as session:
        (await PostRepository(session).lock_delivery(user_id, delivery_id)).state = DeliveryState.publishing
        asking = asyncio.create_task(asked())
        await waiting_for_a_lock(services)
    assert await asyncio.wait_for(asking, PATIENCE)
