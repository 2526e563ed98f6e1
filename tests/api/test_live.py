"""Server-sent events over a real server: what is committed shows in the browser of its owner, and there alone."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from api import live
from api.app import connected_app
from core.container import Services
from core.database import notify_browsers
from core.errors import ErrorCode
from core.live import LiveKind
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.factories import Factory
from tests.patience import PATIENCE
from tests.serving import serve


@pytest.fixture
async def address(standing: Services, away: Gateway) -> AsyncIterator[str]:
    """A server with its own services and its own listening connection."""
    async with serve(connected_app(standing.settings, gateway=away)) as address:
        yield f"{address}/api"


@dataclass
class Stream:
    """What one browser hears."""

    lines: AsyncIterator[str]

    async def next(self, event: str = "changed") -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            async for line in self.lines:
                if line == f"event: {event}":
                    data = await anext(self.lines)
                    found: dict[str, Any] = json.loads(data.removeprefix("data: "))
                    return found
        raise AssertionError("the stream has ended")

    async def until(self, kind: str, within: float = 10) -> dict[str, Any]:
        async with asyncio.timeout(within):
            while (found := await self.next())["kind"] != kind:
                continue
        return found


@asynccontextmanager
async def watching(services: Services, address: str, user: User) -> AsyncIterator[tuple[httpx2.AsyncClient, Stream]]:
    _, token = await services.identity.sign_in_by_link(await services.identity.sign_in_link(user.id), "a test")
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(base_url=address, headers=headers, timeout=30) as client,
        client.stream("GET", "/live/") as answer,
    ):
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        lines = answer.aiter_lines()
        assert await anext(lines) == "retry: 2000"
        yield client, Stream(lines)


async def test_a_change_is_heard_by_its_owner_alone(standing: Services, address: str) -> None:
    make = Factory(standing.sessions, standing.vault)
    mine, theirs = await make.user(), await make.user()
    async with (
        watching(standing, address, mine) as (api, here),
        watching(standing, address, mine) as (_, other_tab),
        watching(standing, address, theirs) as (their_api, there),
    ):
        schedule = {"frequency": "daily", "time_zone": "UTC", "time_slots": ["09:00"]}
        form = {"name": "Tips", "language": "en", "schedule": schedule}
        made = done(await api.post("/assistants/", json=form), 201)
        expected = {"kind": "assistant", "id": made["id"]}
        assert await here.until("assistant") == expected
        assert await other_tab.until("assistant") == expected
        # the other one hears first of what is their own
        own = done(await their_api.post("/assistants/", json=form), 201)
        assert (await there.until("assistant"))["id"] == own["id"]


async def test_what_is_rolled_back_is_not_heard(standing: Services, address: str) -> None:
    user = await Factory(standing.sessions, standing.vault).user()
    async with watching(standing, address, user) as (_, stream):
        async with standing.sessions() as session:
            await notify_browsers(session, user.id, LiveKind.post)
            await session.rollback()
        async with standing.sessions.begin() as session:
            await notify_browsers(session, user.id, LiveKind.run)
        found = await stream.next()
        while found["kind"] == "all":
            found = await stream.next()
        assert found["kind"] == "run"


async def test_after_a_lost_connection_the_browser_looks_at_everything_again(standing: Services, address: str) -> None:
    """Told only once the server listens again, so that no change falls in between."""
    user = await Factory(standing.sessions, standing.vault).user()
    async with watching(standing, address, user) as (_, stream):
        async with standing.sessions.begin() as session:
            await notify_browsers(session, user.id, LiveKind.run)
        await stream.until("run")
        cut = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        async with standing.sessions() as session:
            assert (await session.execute(cut)).all()
        await stream.until("all")
        async with standing.sessions.begin() as session:
            await notify_browsers(session, user.id, LiveKind.post)
        await stream.until("post")


async def test_a_stream_ends_soon_after_its_session(
    standing: Services, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_KEEP_ALIVE", 0.1)
    monkeypatch.setattr(live, "_ASK_AGAIN", 0.2)
    user = await Factory(standing.sessions, standing.vault).user()
    async with watching(standing, address, user) as (api, stream):
        for _ in range(5):
            await stream.next("alive")
        done(await api.post("/auth/logout/"), 204)
        async with asyncio.timeout(PATIENCE):
            assert {line async for line in stream.lines} <= {"event: alive", "data: {}", ""}
        assert (await api.get("/live/")).status_code == 401


async def test_one_user_holds_so_many_streams_and_no_more(
    standing: Services, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_MOST_STREAMS", 2)
    make = Factory(standing.sessions, standing.vault)
    mine, theirs = await make.user(), await make.user()
    async with (
        watching(standing, address, mine) as (api, _),
        watching(standing, address, mine),
        watching(standing, address, theirs),
    ):
        answer = await api.get("/live/")
        assert int(refused(answer, 429, ErrorCode.rate_limited)["params"]["seconds"]) > 0
        assert answer.headers["retry-after"]
