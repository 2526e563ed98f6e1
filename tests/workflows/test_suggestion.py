"""Suggested subtopics, from the click to the titles, on the real parts."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
from sqlalchemy import select, update

from core.ai.tables.transactions import CallOutcome, Transaction
from core.topics.tables import TopicSuggestion
from core.users.tables.users import User
from temporal import reconcile
from temporal.gateway import Gateway
from temporal.worker import run_worker
from tests.api.conftest import done
from tests.conftest import GRACEFUL, Stack, browsing
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually, writing, written
from workflows.messages import SuggestionResult
from workflows.names import suggestion_workflow

TREE = "- Cargo bikes\n-- Weather\n--- Rain without drama\n-- Money"
TITLES = ["Riding in snow", "  Fog and  lights", "rain without drama", "Riding in Snow", "Heat"]


@dataclass(frozen=True)
class Person:
    """Somebody in front of a topic."""

    stack: Stack
    user: User
    api: httpx2.AsyncClient
    path: str

    async def asks(self) -> UUID:
        return UUID(done(await self.api.post(self.path, json={"language": "en"}), 202)["id"])

    async def until(self, state: str) -> dict[str, Any]:
        async def so() -> bool:
            return bool(done(await self.api.get(self.path))["state"] == state)

        await eventually(so)
        seen: dict[str, Any] = done(await self.api.get(self.path))
        return seen

    async def booked(self) -> list[tuple[CallOutcome, int | None]]:
        async with self.stack.services.sessions() as session:
            rows = await session.scalars(
                select(Transaction)
                .where(Transaction.user_id == self.user.id, Transaction.outcome != CallOutcome.calling)
                .order_by(Transaction.created_at)
            )
            return [(row.outcome, row.cost_micros) for row in rows]


@asynccontextmanager
async def person(stack: Stack, gateway: Gateway | None = None) -> AsyncIterator[Person]:
    user = await stack.make.user()
    async with browsing(stack.services, gateway or stack.gateway, user) as api:
        tree = done(await api.post("/topics/", json={"name": "Bikes", "text": TREE}), 201)
        [weather] = [topic["id"] for topic in tree["topics"] if topic["title"] == "Weather"]
        yield Person(stack, user, api, f"/topics/{tree['id']}/topics/{weather}/suggestions/")


async def result(stack: Stack, suggestion_id: UUID) -> SuggestionResult:
    handle = stack.client.get_workflow_handle(suggestion_workflow(suggestion_id), result_type=SuggestionResult)
    return await asyncio.wait_for(handle.result(), PATIENCE)


async def test_titles_come_clean_and_history_tells_nothing_of_them(stack: Stack, model: Server, record: Record) -> None:
    own = writing(stack, model.url)
    model.answers("/v1/responses", written(json.dumps({"titles": TITLES})))
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        row = await she.asks()
        round = await she.until("succeeded")
        assert await result(own, row) == SuggestionResult("succeeded")
        assert [title["title"] for title in round["titles"]] == ["Riding in snow", "Fog and lights", "Heat"]
        assert (round["attempt"], round["model"], round["cost_micros"]) == (1, "gpt-6-luna", 47)
        assert await she.booked() == [(CallOutcome.succeeded, 47)]
        history = (await own.client.get_workflow_handle(suggestion_workflow(row)).fetch_history()).to_json()
        for told in ("Weather", "Cargo", "snow", "Heat", "gpt-6"):
            assert told not in history
    [request] = model.requests
    for told in ("Weather", "Cargo bikes", "Rain without drama"):
        assert told in request.json["input"]
    await record("suggestion.succeeded", suggestion_workflow(row))


async def test_a_busy_provider_is_asked_again_and_a_refusal_is_final(
    stack: Stack, model: Server, record: Record
) -> None:
    own = writing(stack, model.url)
    no = written("").body
    no["output"][0]["content"] = [{"type": "refusal", "refusal": "I cannot help with that."}]
    model.answers("/v1/responses", Answer(503, {"error": {"message": "busy"}}), Answer(body=no))
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        row = await she.asks()
        round = await she.until("failed")
        assert await result(own, row) == SuggestionResult("failed", "model_refused")
        assert (round["reason"], round["attempt"], round["titles"]) == ("model_refused", 2, [])
        assert (round["cost_micros"], await she.booked()) == (47, [(CallOutcome.refused, 47)])
        assert len(model.requests) == 2
        await record("suggestion.failed", suggestion_workflow(row))
        # and nothing keeps the next round away
        model.answers("/v1/responses", written(json.dumps({"titles": TITLES})))
        await she.asks()
        await she.until("succeeded")


async def test_a_cancelled_one_does_not_block_the_topic_and_its_late_answer_is_booked(
    stack: Stack, model: Server
) -> None:
    own = writing(stack, model.url)
    model.answers("/v1/responses", written(json.dumps({"titles": TITLES}), 3))
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        row = await she.asks()

        async def asked() -> bool:
            return len(model.requests) == 1

        await eventually(asked)
        await own.client.get_workflow_handle(suggestion_workflow(row)).cancel()
        assert await result(own, row) == SuggestionResult("cancelled")
        await she.until("cancelled")

        async def reckoned() -> bool:
            # booked first, then told by the round
            return done(await she.api.get(she.path))["cost_micros"] is not None

        await eventually(reckoned)
        assert await she.booked() == [(CallOutcome.succeeded, 47)]
        after = done(await she.api.get(she.path))
        assert (after["state"], after["titles"], after["cost_micros"]) == ("cancelled", [], 47)
        await she.asks()


async def test_what_was_ordered_while_temporal_was_away_is_begun_later(
    stack: Stack, model: Server, away: Gateway
) -> None:
    own = writing(stack, model.url)
    model.answers("/v1/responses", written(json.dumps({"titles": TITLES})))
    async with person(own, away) as she:
        await she.asks()
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 0
        async with own.services.sessions.begin() as session:
            before = datetime.now(UTC) - timedelta(minutes=1)
            await session.execute(update(TopicSuggestion).values(updated_at=before))
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 1
        async with run_worker(own.client, own.services, graceful=GRACEFUL):
            await she.until("succeeded")
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 0
