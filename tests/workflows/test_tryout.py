"""Trying a template out, from the click to the output, on the real parts; the model is as slow as a test wants it."""

import asyncio
import base64
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from PIL import Image
from pydantic import SecretStr
from sqlalchemy import select, update
from temporalio.client import WorkflowExecutionStatus

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import CallOutcome, Transaction
from core.container import wire
from core.errors import ErrorCode
from core.templates.shown_texts import SHOWING
from core.templates.tables import Tryout
from core.users.tables.users import User
from temporal import reconcile
from temporal.gateway import Gateway
from temporal.worker import run_worker
from tests.api.conftest import done, refused
from tests.conftest import GRACEFUL, Stack, browsing
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually, refusing, writing, written
from tests.workflows.workers import takes_tasks, worker_process
from workflows.messages import TryoutResult
from workflows.names import tryout_workflow

BODY = "Write a short post about ((Topic))."
TOPIC = "Rain without drama"
PIECES = ("Rain needs no drama, ", "only mudguards ", "and a dry sock.")
WHOLE = "".join(PIECES)


@dataclass
class Typist:
    """A model server that sends the first pieces of its text at once, and the rest when `go` is set."""

    url: str = ""
    asked: int = 0
    go: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Whoever listened has gone before the end."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        [length] = [int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-len")]
        await reader.readexactly(length)
        self.asked += 1
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        gone = asyncio.create_task(reader.read())
        going = asyncio.create_task(self.go.wait())
        try:
            self._send(writer, PIECES[0])
            await asyncio.sleep(2 * SHOWING)
            self._send(writer, PIECES[1])
            await asyncio.wait([gone, going], return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                self.left.set()
                return
            self._send(writer, PIECES[2])
            body = written(WHOLE).body
            self._event(writer, {"type": "response.completed", "response": body, "sequence_number": 9})
            await writer.drain()
        finally:
            gone.cancel()
            going.cancel()
            writer.close()

    def _send(self, writer: asyncio.StreamWriter, piece: str) -> None:
        delta = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": piece, "logprobs": []}
        self._event(writer, {"type": "response.output_text.delta", "sequence_number": 1, **delta})

    def _event(self, writer: asyncio.StreamWriter, event: dict[str, Any]) -> None:
        writer.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


@pytest.fixture
async def typist() -> AsyncIterator[Typist]:
    model = Typist()
    server = await asyncio.start_server(model.answer, "127.0.0.1", 0)
    model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield model
    model.go.set()
    server.close()


@dataclass(frozen=True)
class Person:
    """Somebody with a template, in front of the web app."""

    stack: Stack
    user: User
    api: httpx2.AsyncClient
    path: str

    async def tries(self) -> UUID:
        form = {"body": BODY, "language": "en", "inputs": {"Topic": TOPIC}}
        return UUID(done(await self.api.post(f"{self.path}tryouts/", json=form), 202)["id"])

    async def sees(self, tryout_id: UUID) -> dict[str, Any]:
        tryout: dict[str, Any] = done(await self.api.get(f"{self.path}tryouts/{tryout_id}/"))
        return tryout

    async def stops(self, tryout_id: UUID) -> dict[str, Any]:
        tryout: dict[str, Any] = done(await self.api.post(f"{self.path}tryouts/{tryout_id}/cancel/"))
        return tryout

    async def until(self, tryout_id: UUID, seconds: float = PATIENCE, **shown: Any) -> dict[str, Any]:
        """What is seen once it looks like that."""

        async def so() -> bool:
            tryout = await self.sees(tryout_id)
            return all(tryout[name] == value for name, value in shown.items())

        await eventually(so, seconds)
        return await self.sees(tryout_id)

    async def booked(self) -> list[tuple[CallOutcome, int | None, int | None]]:
        """Outcome, output tokens and cost of all calls that are over, oldest first."""
        async with self.stack.services.sessions() as session:
            rows = await session.scalars(
                select(Transaction)
                .where(Transaction.user_id == self.user.id, Transaction.outcome != CallOutcome.calling)
                .order_by(Transaction.created_at)
            )
            return [(row.outcome, row.output_tokens, row.cost_micros) for row in rows]

    async def has_paid(self) -> bool:
        return bool(await self.booked())


@asynccontextmanager
async def person(stack: Stack, gateway: Gateway | None = None) -> AsyncIterator[Person]:
    user = await stack.make.user()
    async with browsing(stack.services, gateway or stack.gateway, user) as api:
        form = {"type": "text", "name": "Tips", "language": "en", "body": BODY}
        template = done(await api.post("/templates/", json=form), 201)
        yield Person(stack, user, api, f"/templates/{template['id']}/")


def drawn() -> str:
    """A picture as a model sends it."""
    made = io.BytesIO()
    Image.new("RGB", (64, 64), "#115d67").save(made, "PNG")
    return base64.b64encode(made.getvalue()).decode()


async def result(stack: Stack, tryout_id: UUID) -> TryoutResult:
    handle = stack.client.get_workflow_handle(tryout_workflow(tryout_id), result_type=TryoutResult)
    return await asyncio.wait_for(handle.result(), PATIENCE)


async def status(stack: Stack, tryout_id: UUID) -> tuple[str, WorkflowExecutionStatus | None]:
    described = await stack.client.get_workflow_handle(tryout_workflow(tryout_id)).describe()
    return described.run_id, described.status


async def aged(stack: Stack) -> None:
    """So that the reconcile looks after all of them at once."""
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Tryout).values(updated_at=datetime.now(UTC) - timedelta(minutes=1)))


async def test_the_text_is_seen_while_it_comes_and_history_tells_nothing_of_it(
    stack: Stack, typist: Typist, record: Record
) -> None:
    own = writing(stack, typist.url)
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout_id = await she.tries()
        half = await she.until(tryout_id, output="".join(PIECES[:2]).strip())
        assert (half["state"], half["attempt"], half["model"]) == ("running", 1, "gpt-6-luna")
        assert half["cost_micros"] is None
        typist.go.set()
        tryout = await she.until(tryout_id, state="succeeded")
        assert await result(own, tryout_id) == TryoutResult("succeeded")
        assert (tryout["output"], tryout["attempt"]) == (WHOLE, 1)
        # 36 at 0.10 and 87 at 0.50 dollars for a million: 47.1 millionths
        assert (tryout["input_tokens"], tryout["output_tokens"], tryout["cost_micros"]) == (36, 87, 47)
        assert await she.booked() == [(CallOutcome.succeeded, 87, 47)]
        handle = own.client.get_workflow_handle(tryout_workflow(tryout_id))
        history = (await handle.fetch_history()).to_json()
        for told in (TOPIC, "mudguards", "short post", "gpt-6"):
            assert told not in history
        described = await handle.describe()
        assert str(she.user.id) in str(described.search_attributes)
    assert typist.asked == 1
    await record("tryout.succeeded", tryout_workflow(tryout_id))


async def test_the_text_gets_the_typography_of_its_language(stack: Stack, model: Server) -> None:
    own = writing(stack, model.url)
    event = {
        "type": "response.completed",
        "response": written("Mudguards -- and dry feet...").body,
        "sequence_number": 1,
    }
    model.answers(
        "/v1/responses",
        Answer(body=f"data: {json.dumps(event)}\n\n".encode(), headers={"Content-Type": "text/event-stream"}),
    )
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout = await she.until(await she.tries(), state="succeeded")
    assert tryout["output"] == "Mudguards – and dry feet…"


async def test_stopped_in_the_middle_it_is_over_at_once_and_the_call_ends(
    stack: Stack, typist: Typist, record: Record
) -> None:
    own = writing(stack, typist.url)
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout_id = await she.tries()
        half = await she.until(tryout_id, output="".join(PIECES[:2]).strip())
        began = asyncio.get_running_loop().time()
        stopped = await she.stops(tryout_id)
        assert asyncio.get_running_loop().time() - began < 8
        # what has come until then stays to be read
        assert (stopped["state"], stopped["output"], stopped["reason"]) == ("cancelled", half["output"], None)
        await asyncio.wait_for(typist.left.wait(), PATIENCE)
        await eventually(she.has_paid)
        assert await she.booked() == [(CallOutcome.lost, None, None)]
        refused(await she.api.post(f"{she.path}tryouts/{tryout_id}/cancel/"), 409, ErrorCode.tryout_over)
        after = await she.sees(tryout_id)
        assert (after["state"], after["cost_micros"], after["finished_at"]) == (
            "cancelled",
            None,
            stopped["finished_at"],
        )
        assert await result(own, tryout_id) == TryoutResult("cancelled")
    assert typist.asked == 1
    await record("tryout.cancelled", tryout_workflow(tryout_id))


async def test_stopped_before_anybody_has_begun_it_asks_nobody(
    stack: Stack, typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("temporal.gateway._STOPPING", 0.2)
    own = writing(stack, typist.url)
    async with person(own) as she:
        waiting = await she.tries()
        assert (await she.stops(waiting))["state"] == "queued"  # there is no worker: it stops before all else
        async with run_worker(own.client, own.services, graceful=GRACEFUL):
            await she.until(waiting, state="cancelled")
            assert await result(own, waiting) == TryoutResult("cancelled")
        assert (await she.sees(waiting))["cost_micros"] == 0
    assert (typist.asked, await she.booked()) == (0, [])


async def test_a_provider_that_is_busy_is_asked_again_and_the_wait_is_shown(stack: Stack, model: Server) -> None:
    own = writing(stack, model.url)
    busy = Answer(
        429, {"error": {"message": "slow down", "type": "requests"}}, {"Retry-After": "3", "x-request-id": "req_1"}
    )
    fine = written(WHOLE).body
    event = {"type": "response.completed", "response": fine, "sequence_number": 1}
    stream = Answer(body=f"data: {json.dumps(event)}\n\n".encode(), headers={"Content-Type": "text/event-stream"})
    model.answers("/v1/responses", busy, stream)
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout_id = await she.tries()
        waits = await she.until(tryout_id, reason="rate_limited")
        assert (waits["state"], waits["attempt"], waits["json_output"]["error"]["code"]) == (
            "running",
            1,
            "rate_limited",
        )
        assert waits["request_id"] == "req_1"
        assert waits["duration_ms"] >= 0
        next_try = datetime.fromisoformat(waits["next_try_at"])
        assert timedelta(0) < next_try - datetime.now(UTC) < timedelta(seconds=4)
        tryout = await she.until(tryout_id, state="succeeded")
        assert datetime.fromisoformat(tryout["finished_at"]) >= next_try - timedelta(seconds=0.5)
        assert (tryout["attempt"], tryout["reason"], tryout["next_try_at"], tryout["cost_micros"]) == (
            2,
            None,
            None,
            47,
        )
        assert await she.booked() == [(CallOutcome.succeeded, 87, 47)]


async def test_a_refusal_is_final_and_costs_what_it_costs(stack: Stack, model: Server, record: Record) -> None:
    own = writing(stack, model.url)
    no = written("").body
    no["output"][0]["content"] = [{"type": "refusal", "refusal": "I cannot write that."}]
    event = {"type": "response.completed", "response": no, "sequence_number": 1}
    model.answers(
        "/v1/responses",
        Answer(
            body=f"data: {json.dumps(event)}\n\n".encode(),
            headers={"Content-Type": "text/event-stream", "x-request-id": "req_2"},
        ),
    )
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout_id = await she.tries()
        tryout = await she.until(tryout_id, state="failed")
        assert await result(own, tryout_id) == TryoutResult("failed", "model_refused")
        assert (tryout["reason"], tryout["attempt"], tryout["output"]) == ("model_refused", 1, "")
        assert (tryout["next_try_at"], tryout["cost_micros"], tryout["output_tokens"]) == (None, 47, 87)
        assert tryout["request_id"] == "req_2"
        assert tryout["duration_ms"] >= 0
        assert tryout["json_output"]["error"] == {"code": "model_refused", "detail": "I cannot write that."}
        assert await she.booked() == [(CallOutcome.refused, 87, 47)]
    assert len(model.requests) == 1
    await record("tryout.failed", tryout_workflow(tryout_id))


async def test_an_image_model_reads_the_whole_content_and_its_picture_is_kept(stack: Stack, model: Server) -> None:
    settings = stack.services.settings.model_copy(
        update={"openai_api_key": SecretStr("sk-nobody"), "openai_base_url": f"{model.url}/v1"}
        | {"text_model": "gpt-6-luna", "image_model": "gpt-image-2"}
    )
    own = replace(stack, services=wire(settings, stack.services.engine, stack.services.sessions))
    usage = {"input_tokens": 100, "output_tokens": 1000, "total_tokens": 1100}
    made = {"created": 1, "data": [{"b64_json": drawn()}], "usage": usage}
    model.answers("/v1/images/generations", Answer(body=made))
    content = "Rain needs no drama, only mudguards. " * 10 + "The last word."
    body = "A picture of ((Content))"
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        form = {"type": "image", "name": "Motif", "language": "en", "body": body}
        template = done(await she.api.post("/templates/", json=form), 201)
        image = replace(she, path=f"/templates/{template['id']}/")
        order = {"body": body, "language": "en", "inputs": {"Content": content}}
        style = {"settings": {"image": {"engine": "ai", "style": "as a woodcut", "quality": "low"}}}
        tryout_id = UUID(done(await she.api.post(f"{image.path}tryouts/", json=order | style), 202)["id"])
        tryout = await image.until(tryout_id, state="succeeded")
        assert (tryout["provider"], tryout["model"], tryout["output_tokens"]) == ("openai", "gpt-image-2", 1000)
        assert tryout["cost_micros"] is not None
        media = done(await she.api.get(f"/media/{tryout['media_id']}/"))
        assert (media["source"], media["name"]) == ("ai", "Motif")
        assert (media["width"], media["height"]) == (tryout["image_width"], tryout["image_height"]) == (64, 64)
        assert media["alt"] == "Rain needs no drama, only mudguards."
        assert (await she.api.get(tryout["image_url"].removeprefix("/api"))).status_code == 200
        assert await she.booked() == [(CallOutcome.succeeded, 1000, tryout["cost_micros"])]
    [request] = model.requests
    assert "The last word." in request.json["prompt"]
    assert "as a woodcut" in request.json["prompt"]


async def test_what_was_ordered_while_temporal_was_away_is_begun_later(
    stack: Stack, typist: Typist, away: Gateway
) -> None:
    own = writing(stack, typist.url)
    typist.go.set()
    async with person(own, away) as she:
        tryout_id, second = await she.tries(), await she.tries()
        assert (
            await reconcile.start_pending_jobs(own.services, own.gateway) == 0
        )  # whoever ordered it may still be at it
        await aged(own)
        assert await reconcile.start_pending_jobs(own.services, away) == 0
        await aged(own)
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 2
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 0  # the others have their turn
        async with run_worker(own.client, own.services, graceful=GRACEFUL):
            for ordered in (tryout_id, second):
                assert (await she.until(ordered, state="succeeded"))["output"] == WHOLE
        await aged(own)
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 0
    assert typist.asked == 2


async def test_one_that_cannot_be_started_does_not_stop_the_others(
    stack: Stack, typist: Typist, away: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    own = writing(stack, typist.url)
    async with person(own, away) as she:
        bad, good = await she.tries(), await she.tries()
        await aged(own)
        caplog.clear()
        assert await reconcile.start_pending_jobs(own.services, refusing(own, tryout_workflow(bad))) == 1
        await status(own, good)
        assert [line for line in caplog.messages if str(bad) in line] == [
            f"reconcile: try-out {bad} could not be repaired (INVALID_ARGUMENT)"
        ]


async def test_a_workflow_that_runs_is_left_alone_and_a_lost_one_begins_again(stack: Stack, typist: Typist) -> None:
    own = writing(stack, typist.url)
    async with person(own) as she:
        tryout_id = await she.tries()
        first = await status(own, tryout_id)
        await aged(own)
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 1
        assert await status(own, tryout_id) == first
        async with run_worker(own.client, own.services, graceful=GRACEFUL):
            await she.until(tryout_id, output="".join(PIECES[:2]).strip())
            await own.client.get_workflow_handle(tryout_workflow(tryout_id)).terminate("an operator's slip")
            await asyncio.wait_for(typist.left.wait(), PATIENCE)
            typist.go.set()
            await eventually(she.has_paid)
            await aged(own)
            await reconcile.start_pending_jobs(own.services, own.gateway)  # unless the worker's own was faster
            tryout = await she.until(tryout_id, state="succeeded")
        assert (await status(own, tryout_id))[0] != first[0]
        # the new workflow counts from 1 again, the try-out does not: each of its calls has a row
        assert (tryout["output"], tryout["attempt"], tryout["cost_micros"]) == (WHOLE, 2, None)
        assert await she.booked() == [(CallOutcome.lost, None, None), (CallOutcome.succeeded, 87, 47)]


async def test_one_without_a_workflow_can_be_stopped(stack: Stack, typist: Typist, away: Gateway) -> None:
    own = writing(stack, typist.url)
    async with person(own, away) as she:
        tryout_id = await she.tries()
        async with browsing(own.services, own.gateway, she.user) as api:
            stopped = done(await api.post(f"{she.path}tryouts/{tryout_id}/cancel/"))
        assert (stopped["state"], stopped["cost_micros"]) == ("cancelled", 0)
        await aged(own)
        assert await reconcile.start_pending_jobs(own.services, own.gateway) == 0


async def test_one_whose_template_is_deleted_in_the_middle_ends_and_its_cost_stays(
    stack: Stack, typist: Typist
) -> None:
    own = writing(stack, typist.url)
    async with run_worker(own.client, own.services, graceful=GRACEFUL), person(own) as she:
        tryout_id = await she.tries()
        await she.until(tryout_id, output="".join(PIECES[:2]).strip())
        done(await she.api.delete(she.path), 204)
        typist.go.set()
        assert await result(own, tryout_id) == TryoutResult("gone")
        [(outcome, _, _)] = await she.booked()
        assert outcome in (CallOutcome.succeeded, CallOutcome.lost)
        async with own.services.sessions() as session:
            [row] = list(await session.scalars(select(Transaction).where(Transaction.user_id == she.user.id)))
        assert row.tryout_id is None
    assert typist.asked == 1


@pytest.mark.slow
async def test_a_worker_killed_in_the_middle_leaves_one_output_and_a_row_for_each_call(
    stack: Stack, typist: Typist, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    async with person(stack) as she:
        with worker_process(stack, typist, first) as killed:
            await takes_tasks(killed, first)
            tryout_id = await she.tries()
            await she.until(tryout_id, 30, output="".join(PIECES[:2]).strip())
            killed.kill()
            killed.wait(PATIENCE)
        await asyncio.wait_for(typist.left.wait(), PATIENCE)
        assert (await she.sees(tryout_id))["state"] == "running"
        typist.go.set()
        with worker_process(stack, typist, second) as worker:
            await takes_tasks(worker, second)
            tryout = await she.until(tryout_id, 90, state="succeeded")
            assert await result(stack, tryout_id) == TryoutResult("succeeded"), second.read_text()
        assert (tryout["output"], tryout["attempt"], tryout["output_tokens"]) == (WHOLE, 2, None)
        # what the first has cost nobody will ever know
        assert [(outcome, tokens) for outcome, tokens, _ in await she.booked()] == [
            (CallOutcome.lost, None),
            (CallOutcome.succeeded, 87),
        ]
        async with stack.services.sessions() as session:
            rows = list(await session.scalars(select(Tryout).where(Tryout.user_id == she.user.id)))
        assert [(row.id, row.state) for row in rows] == [(tryout_id, GenerationState.succeeded)]
    assert typist.asked == 2
