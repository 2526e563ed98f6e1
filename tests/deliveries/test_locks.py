"""Two transactions that want the same rows: nobody acts on what a row was before the other one ended, and none waits
for one that waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.assistants.rules.assistants import RunState
from core.container import Services, wire
from core.database import open_sessions
from core.errors import ErrorCode
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import cancel_prepared, ensure_no_run_in_flight, is_in_flight
from core.runs.repositories.runs import RunRepository
from core.settings import Settings
from tests.api.owned import Owned, own_a_post
from tests.api.test_posts import asked_about
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


async def declined(services: Services, mine: Owned) -> None:
    post_id = UUID(mine.ids["post_id"])
    async with services.sessions() as session:
        post, _ = await PostRepository(session).get(mine.user.id, post_id)
    await services.approvals.decide(
        mine.user.id, post_id, approved=False, content_hash=post.content_hash, remark="Too loud"
    )


async def cancelled(services: Services, mine: Owned) -> None:
    async with services.sessions.begin() as session:
        assert await cancel_prepared(session, mine.user.id, UUID(mine.ids["assistant_id"]))


async def asked_whether_in_flight(services: Services, mine: Owned) -> None:
    async with services.sessions.begin() as session:
        await ensure_no_run_in_flight(session, mine.user.id, UUID(mine.ids["assistant_id"]))


async def failed(services: Services, mine: Owned) -> None:
    await services.projecting.fail(mine.user.id, UUID(mine.ids["run_id"]), ErrorCode.internal)


async def failed_without_workflow(services: Services, mine: Owned) -> None:
    assert await services.projecting.fail_left(mine.user.id, UUID(mine.ids["run_id"]))


@pytest.mark.parametrize("change", [declined, cancelled, asked_whether_in_flight, failed, failed_without_workflow])
async def test_deliveries_are_locked_first_then_their_post_then_its_run(
    services: Services, mine: Owned, change: Callable[[Services, Owned], Awaitable[None]]
) -> None:
    """Arming and each change of a post lock in this order; in another one, the database ends one of the two."""
    await asked_about(services, mine)
    user_id, ids = mine.user.id, {name: UUID(mine.ids[name]) for name in ("delivery_id", "post_id", "run_id")}
    async with services.sessions.begin() as session:
        posts = PostRepository(session)
        await posts.lock_delivery(user_id, ids["delivery_id"])
        changing = asyncio.ensure_future(change(services, mine))
        await waiting_for_a_lock(services)
        await posts.lock(user_id, ids["post_id"])
        await RunRepository(session).set_state(user_id, ids["run_id"], RunState.waiting)
    await asyncio.wait_for(changing, PATIENCE)
