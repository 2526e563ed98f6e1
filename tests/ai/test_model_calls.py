"""What a call of a model has cost is in the transactions, to the millionth, whatever became of it."""

import asyncio
import base64
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from PIL import Image
from pydantic import SecretStr
from sqlalchemy import select, update

from core.ai.model_calls import MAX_BILLED_CALLS, ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.ai.writers import openai as module
from core.ai.writers.base import Progress, Suggested, SuggestOrder, TextOrder, Written
from core.assistants.rules.assistants import SecondLook, StepKind
from core.assistants.tables import Assistant
from core.container import Services, wire
from core.errors import (
    AwaitsMending,
    DomainError,
    ErrorCode,
    NoMoreSpending,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    Unavailable,
)
from core.ids import new_id
from core.posts.tables.posts import Post
from core.runs.repositories.run_lists import RunListRepository
from core.runs.repositories.runs import RunRepository
from core.templates.rules.templates import ReasoningEffort
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.patience import PATIENCE

TEXT = "Rain needs no drama, only mudguards. Ride to work once this week."
SLOT = datetime(2036, 11, 21, 9, tzinfo=UTC)  # to come: for what is too late nothing is written


def told(given: int, made: int) -> dict[str, Any]:
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}


class Assistants:
    def __init__(self, make: Factory, networks: Networks) -> None:
        self.make, self.networks = make, networks

    async def __call__(self, *, image: bool = False) -> Assistant:
        user = await self.make.user()
        account = await self.make.account(user, self.networks.url)
        # a second look may ask for a revision, which `tests/runs/test_network_texts.py` is about
        return await self.make.assistant(user, accounts=(account.id,), image=image, second_look=SecondLook.off)


@pytest.fixture
def models() -> Iterator[Server]:
    """The model server."""
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def assistants(make: Factory, networks: Networks) -> Assistants:
    return Assistants(make, networks)


@asynccontextmanager
async def writing(services: Services, url: str, **more: Any) -> AsyncIterator[Services]:
    """The same services, with the model server at `url`."""
    settings = services.settings.model_copy(
        update={"openai_api_key": SecretStr("sk-nobody"), "openai_base_url": f"{url}/v1", "text_model": "gpt-6-luna"}
        | more
    )
    own = wire(settings, services.engine, services.sessions)
    yield own
    await own.writer.close()
    await own.pictures.close()


async def begun(services: Services, assistant: Assistant) -> UUID:
    run = new_id()
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", SLOT)
    return run


async def booked(services: Services, run: UUID) -> list[Transaction]:
    mine = select(Transaction).where(Transaction.run_id == run)
    async with services.sessions() as session:
        return list(await session.scalars(mine.order_by(Transaction.created_at, Transaction.id)))


Row = tuple[CallOutcome, int | None, int | None, int | None]


def row(booked: Transaction) -> Row:
    return booked.outcome, booked.input_tokens, booked.output_tokens, booked.cost_micros


def answered(*content: dict[str, Any], status: str = "completed", **more: Any) -> Answer:
    body = {
        "id": "resp_1",
        "object": "response",
        "status": status,
        "model": "gpt-6-luna",
        "output": [{"type": "message", "id": "m", "role": "assistant", "content": list(content)}],
        "usage": told(1000, 100) | {"input_tokens_details": {"cached_tokens": 400}},
    }
    return Answer(200, body | more, {"x-request-id": "req_1"})


UNKNOWN: Row = (CallOutcome.failed, None, None, None)
LOST: Row = (CallOutcome.lost, None, None, None)
PROBLEM = {"error": {"message": "no", "type": "t", "code": None}}


@pytest.mark.parametrize(
    ("answer", "kind", "expected"),
    [
        (Answer(429, PROBLEM, {"Retry-After": "7"}), RateLimited, None),
        (Answer(429, {"error": {"message": "pay first", "code": "insufficient_quota"}}), AwaitsMending, None),
        (Answer(400, PROBLEM), Refused, None),
        (Answer(401, PROBLEM), AwaitsMending, None),
        (Answer(500, PROBLEM), RetrySafe, None),
        (Answer(drop=True), RetrySafe, UNKNOWN),
        (Answer(200, b"<html>", {"Content-Type": "text/html"}), RetrySafe, UNKNOWN),
    ],
)
async def test_a_failed_call_is_booked_where_it_may_have_cost(
    services: Services,
    assistants: Assistants,
    models: Server,
    answer: Answer,
    kind: type[DomainError],
    expected: Row | None,
) -> None:
    models.answers("/v1/responses", answer)
    assistant = await assistants()
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        with pytest.raises(kind):
            await own.drafting.write(assistant.user_id, run, 1)
    assert [row(found) for found in await booked(services, run)] == ([expected] if expected else [])
    async with services.sessions() as session:
        assert await session.scalar(select(Post).where(Post.run_id == run)) is None


async def test_nobody_knows_what_an_answer_cost_that_came_too_late(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT", timedelta(seconds=0.5))
    models.answers("/v1/responses", Answer(200, b"", delay=2))
    assistant = await assistants()
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        with pytest.raises(RetrySafe):
            await own.drafting.write(assistant.user_id, run, 1)
    assert [row(found) for found in await booked(services, run)] == [UNKNOWN]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answered({"type": "refusal", "refusal": "I can't."}), CallOutcome.refused),
        (answered(status="incomplete", incomplete_details={"reason": "content_filter"}), CallOutcome.refused),
        (answered(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), CallOutcome.incomplete),
        (answered(status="failed", error={"code": "server_error", "message": "x"}), CallOutcome.failed),
        (answered({"type": "output_text", "text": " ", "annotations": []}), CallOutcome.failed),
    ],
)
async def test_what_was_told_is_booked_to_the_millionth(
    services: Services, assistants: Assistants, models: Server, answer: Answer, outcome: CallOutcome
) -> None:
    models.answers("/v1/responses", answer)
    assistant = await assistants()
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        with pytest.raises(ProviderError):
            await own.drafting.write(assistant.user_id, run, 1)
    calls = await booked(services, run)
    # what was cut off is asked for once more, with more room
    assert len(calls) == (2 if outcome is CallOutcome.incomplete else 1)
    for found in calls:
        # 600 at 0.10, 400 from the cache at 0.01, 100 at 0.50 dollars for a million
        assert row(found) == (outcome, 1000, 100, 114)
        assert (found.type, found.provider, found.model, found.request_id) == (
            TransactionType.text,
            "openai",
            "gpt-6-luna",
            "req_1",
        )
        assert found.images == 0
        assert found.duration_ms >= 0


async def test_every_attempt_is_a_row_and_the_run_has_their_sum(
    services: Services, assistants: Assistants, models: Server
) -> None:
    good = answered({"type": "output_text", "text": TEXT, "annotations": []}, usage=told(321, 45))
    models.answers("/v1/responses", answered(status="failed", error={"code": "server_error"}), Answer(500), good)
    assistant = await assistants()
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        for attempt in (1, 2):
            with pytest.raises(RetrySafe):
                await own.drafting.write(assistant.user_id, run, attempt)
        await own.drafting.write(assistant.user_id, run, 3)
        await own.drafting.write(assistant.user_id, run, 4)  # finds the post
    assert [row(found) for found in await booked(services, run)] == [
        (CallOutcome.failed, 1000, 100, 114),
        (CallOutcome.succeeded, 321, 45, 55),
    ]
    async with services.sessions() as session:
        [listed], _ = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=5)
    assert (listed.full.spent.input_tokens, listed.full.spent.cost_micros, listed.full.spent.known) == (1321, 169, True)
    assert len(models.requests) == 3


class Killed(BaseException):
    """The end of the process, as the code within it sees it: nothing more is done."""


@dataclass
class Deadly:
    """Whoever asks it dies."""

    provider: str = "openai"
    model: str = "gpt-6-luna"
    effort: ReasoningEffort | None = None
    one_for_all: bool = False

    def writes_several(self, model: str | None) -> bool:
        return True

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        raise Killed

    async def suggest(self, order: SuggestOrder) -> Suggested:
        raise Killed

    async def close(self) -> None: ...


async def test_a_call_that_its_attempt_died_with_is_booked_by_the_next(
    services: Services, assistants: Assistants, models: Server
) -> None:
    good = answered({"type": "output_text", "text": TEXT, "annotations": []}, usage=told(321, 45))
    models.answers("/v1/responses", Answer(500), good)
    assistant = await assistants()
    run = await begun(services, assistant)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    [left] = await booked(services, run)
    assert (left.outcome, left.cost_micros) == (CallOutcome.calling, None)
    async with writing(services, models.url) as own:
        with pytest.raises(RetrySafe):  # which says itself that it cost nothing
            await own.drafting.write(assistant.user_id, run, 2)
        await own.drafting.write(assistant.user_id, run, 3)
    assert [row(found) for found in await booked(services, run)] == [LOST, (CallOutcome.succeeded, 321, 45, 55)]


async def test_a_run_that_gives_up_books_the_call_that_its_last_attempt_died_with(
    services: Services, assistants: Assistants
) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    await services.projecting.fail(assistant.user_id, run, ErrorCode.model_unavailable)
    [found] = await booked(services, run)
    assert (*row(found), found.provider, found.model) == (*LOST, "openai", "gpt-6-luna")
    # by the prompt's bytes and the limit of the answer, at 0.10 and 0.50 dollars for a million
    assert found.most_input_tokens
    assert found.most_output_tokens
    assert found.most_micros
    assert 500 < found.most_input_tokens < 5000
    assert found.most_output_tokens == 8000
    assert abs(found.most_micros - (found.most_input_tokens * 0.1 + 4000)) <= 1


async def test_a_call_that_is_cancelled_is_booked_at_once_and_once(
    services: Services, assistants: Assistants, models: Server
) -> None:
    models.answers("/v1/responses", Answer(200, b"", delay=5), Answer(500))
    assistant = await assistants()
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        asking = asyncio.create_task(own.drafting.write(assistant.user_id, run, 1))
        async with asyncio.timeout(PATIENCE):
            while not models.requests:
                await asyncio.sleep(0.02)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        with pytest.raises(RetrySafe):
            await own.drafting.write(assistant.user_id, run, 2)
    assert [row(found) for found in await booked(services, run)] == [LOST]


# pictures


def generated(data: bytes) -> Answer:
    used = {"input_tokens": 50, "output_tokens": 1056, "total_tokens": 1106}
    return Answer(200, {"created": 1, "data": [{"b64_json": base64.b64encode(data).decode()}], "usage": used})


def a_picture() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (64, 64), "#115d67").save(data, "PNG")
    return data.getvalue()


@asynccontextmanager
async def drawing(
    services: Services, assistants: Assistants, models: Server, **more: Any
) -> AsyncIterator[tuple[Services, Assistant, UUID]]:
    """A run whose text is there and whose picture is still to come."""
    said = {"type": "output_text", "text": TEXT, "annotations": []}
    models.answers("/v1/responses", answered(said, usage=told(321, 45)))
    assistant = await assistants(image=True)
    async with writing(services, models.url, image_model="gpt-image-2", **more) as own:
        run = await begun(own, assistant)
        await own.drafting.write(assistant.user_id, run, 1)
        yield own, assistant, run


async def image_rows(services: Services, run: UUID) -> list[Transaction]:
    return [found for found in await booked(services, run) if found.type is TransactionType.image]


async def why_without(services: Services, assistant: Assistant, run: UUID) -> str | None:
    async with services.sessions() as session:
        return await RunRepository(session).image_problem(assistant.user_id, run)


async def test_a_picture_that_nobody_can_read_is_booked(
    services: Services, assistants: Assistants, models: Server
) -> None:
    models.answers("/v1/images/generations", generated(b"no picture"))
    async with drawing(services, assistants, models) as (own, assistant, run):
        await own.imaging.make(assistant.user_id, run, 1)
        assert await why_without(own, assistant, run) == ErrorCode.image_failed
    [found] = await image_rows(services, run)
    # 50 at 5 and 1,056 at 30 dollars for a million
    assert (*row(found), found.images) == (CallOutcome.failed, 50, 1056, 31_930, 0)


async def test_a_picture_is_booked_though_it_cannot_be_stored(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.answers("/v1/images/generations", generated(a_picture()))
    async with drawing(services, assistants, models) as (own, assistant, run):
        put = own.media.storage.put

        async def put_until_the_call(key: str, data: bytes | Path, mime: str) -> None:
            if any(request.path.endswith("/images/generations") for request in models.requests):
                raise Unavailable(ErrorCode.storage_unavailable)
            await put(key, data, mime)

        monkeypatch.setattr(own.media.storage, "put", put_until_the_call)
        for attempt in (1, 2, 3):
            with pytest.raises(Unavailable):
                await own.imaging.make(assistant.user_id, run, attempt)
    # the storage fell out during the first attempt, and no other one has asked the model
    assert [(*row(found), found.images) for found in await image_rows(services, run)] == [
        (CallOutcome.succeeded, 50, 1056, 31_930, 1)
    ]


async def test_while_the_storage_is_away_no_picture_is_asked_for(
    services: Services, assistants: Assistants, models: Server, tmp_path: Path
) -> None:
    (tmp_path / "media").write_text("not a folder")
    models.answers("/v1/images/generations", generated(a_picture()))
    async with drawing(services, assistants, models, media_url=(tmp_path / "media").as_uri()) as (own, assistant, run):
        for attempt in range(1, 6):
            with pytest.raises(Unavailable):
                await own.imaging.make(assistant.user_id, run, attempt)
        (tmp_path / "media").unlink()
        await own.imaging.make(assistant.user_id, run, 6)
        async with own.sessions() as session:
            step = await RunRepository(session).step(assistant.user_id, run, StepKind.image)
    assert len(await image_rows(services, run)) == 1
    assert step is not None
    assert (step.facts["provider"], {failure["code"] for failure in step.failures}) == (
        "openai",
        {"storage_unavailable"},
    )
    assert not list((tmp_path / "media" / "start-checks").iterdir())


async def test_a_refused_picture_costs_nothing(services: Services, assistants: Assistants, models: Server) -> None:
    blocked = {"error": {"message": "no", "type": "image_generation_user_error", "code": "moderation_blocked"}}
    models.answers("/v1/images/generations", Answer(400, blocked))
    async with drawing(services, assistants, models) as (own, assistant, run):
        await own.imaging.make(assistant.user_id, run, 1)
        assert await why_without(own, assistant, run) == ErrorCode.model_refused
    assert await image_rows(services, run) == []


# the mechanism itself

ASKED = ModelRequest("openai", "gpt-6-luna", Usage(2000, 8000))


def spent(usage: Usage | None = None) -> Spent:
    return Spent("openai", "gpt-6-luna", usage or Usage(1000, 100, 400), "req_1")


async def answers(services: Services, cause: Cause, made: Spent | ProviderError) -> None:
    async def call() -> Spent:
        if isinstance(made, ProviderError):
            raise made
        return made

    await services.meter.call(cause, ASKED, call)


async def of_user(services: Services, user_id: UUID) -> list[Transaction]:
    async with services.sessions() as session:
        return list(await session.scalars(select(Transaction).where(Transaction.user_id == user_id)))


async def test_the_row_is_there_before_the_model_is_asked(services: Services, assistants: Assistants) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    seen: list[Transaction] = []

    async def call() -> Spent:
        seen.extend(await booked(services, run))
        return spent()

    await services.meter.call(Cause(assistant.user_id, TransactionType.text, run_id=run), ASKED, call)
    [before], [after] = seen, await booked(services, run)
    assert (before.id, before.outcome, before.cost_micros) == (after.id, CallOutcome.calling, None)
    # 2,000 at 0.10 and 8,000 at 0.50 dollars for a million
    assert (before.most_micros, before.assistant_id) == (4200, assistant.id)
    assert row(after) == (CallOutcome.succeeded, 1000, 100, 114)


async def test_a_call_that_is_being_made_is_no_part_of_what_a_run_cost(
    services: Services, assistants: Assistants
) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    async with services.sessions() as session:
        evidence = await RunListRepository(session).evidence(assistant.user_id, assistant.id, run, None)
    assert (evidence.calls, evidence.run.full.spent.known) == ([], True)


async def test_whoever_was_believed_lost_knows_better(services: Services, assistants: Assistants) -> None:
    """A worker that the server has not heard of for a while may still get its answer."""
    assistant = await assistants()
    run = await begun(services, assistant)
    cause = Cause(assistant.user_id, TransactionType.text, run_id=run)

    async def slow() -> Spent:
        await answers(services, cause, spent(Usage(10, 10)))  # the next attempt
        assert CallOutcome.lost in [found.outcome for found in await booked(services, run)]
        return spent()

    await services.meter.call(cause, ASKED, slow)
    assert sorted(row(found) for found in await booked(services, run)) == [
        (CallOutcome.succeeded, 10, 10, 6),
        (CallOutcome.succeeded, 1000, 100, 114),
    ]


async def test_a_defect_while_a_model_answers_does_not_hide_the_call(
    services: Services, assistants: Assistants
) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)

    async def call() -> Spent:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError):
        await services.meter.call(Cause(assistant.user_id, TransactionType.text, run_id=run), ASKED, call)
    assert [row(found) for found in await booked(services, run)] == [LOST]


async def test_a_call_that_nobody_comes_back_to_is_lost_in_the_end(services: Services, assistants: Assistants) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    assert await services.model_calls.close_lost() == 0
    async with services.sessions.begin() as session:
        older = update(Transaction).where(Transaction.run_id == run)
        await session.execute(older.values(created_at=Transaction.created_at - timedelta(minutes=16)))
    assert await services.model_calls.close_lost() == 1
    assert [row(found) for found in await booked(services, run)] == [LOST]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (TransactionType.text, ErrorCode.text_attempts_used),
        (TransactionType.image, ErrorCode.image_attempts_used),
    ],
)
async def test_a_model_that_is_paid_for_nothing_is_asked_so_often_and_no_more(
    services: Services, assistants: Assistants, kind: TransactionType, code: ErrorCode
) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    cause = Cause(assistant.user_id, kind, run_id=run)
    for number in range(1, MAX_BILLED_CALLS[kind] + 1):
        # what costs nothing does not count
        for free in (RetrySafe(), RateLimited()):
            with pytest.raises(ProviderError):
                await answers(services, cause, free)
        # the last one is final itself: nothing is waited for after it
        with pytest.raises(RetrySafe if number < MAX_BILLED_CALLS[kind] else NoMoreSpending) as failed:
            await answers(services, cause, RetrySafe(spent=spent()))
        assert failed.value.retryable is (number < MAX_BILLED_CALLS[kind])
    with pytest.raises(NoMoreSpending) as raised:
        await answers(services, cause, spent())
    assert (raised.value.code, raised.value.retryable) == (code, False)
    assert len(await booked(services, run)) == MAX_BILLED_CALLS[kind]
    # the other step of the same run has its own
    other = TransactionType.image if kind is TransactionType.text else TransactionType.text
    await answers(services, Cause(assistant.user_id, other, run_id=run), spent())


async def test_calls_that_were_lost_count_too(services: Services, assistants: Assistants) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    deadly = replace(services.drafting, writer=Deadly())
    for _ in range(5):
        with pytest.raises(Killed):
            # each time as the first attempt of an activity that was scheduled anew
            await deadly.write(assistant.user_id, run, 1)
    with pytest.raises(NoMoreSpending):
        await deadly.write(assistant.user_id, run, 1)
    assert [row(found) for found in await booked(services, run)] == [LOST] * 5


async def test_what_costs_nothing_is_asked_without_a_limit(services: Services, assistants: Assistants) -> None:
    assistant = await assistants()
    run = await begun(services, assistant)
    deadly = replace(services.drafting, writer=Deadly(provider="demo"))
    for _ in range(7):
        with pytest.raises(Killed):
            await deadly.write(assistant.user_id, run, 1)
    assert {row(found)[1:] for found in await booked(services, run)} == {(0, 0, 0)}


async def test_a_cause_that_is_gone_is_left_out_and_the_cost_stays(services: Services, make: Factory) -> None:
    user, gone = await make.user(), new_id()
    causes: list[dict[str, Any]] = [{"run_id": gone}, {"tryout_id": gone}, {"suggestion_id": gone}]
    for cause in causes:
        await answers(services, Cause(user.id, TransactionType.text, **cause), spent())
    rows = await of_user(services, user.id)
    assert [found.cost_micros for found in rows] == [114] * 3
    assert {(found.run_id, found.tryout_id, found.suggestion_id) for found in rows} == {(None, None, None)}


async def test_another_users_run_is_never_the_cause(services: Services, assistants: Assistants, make: Factory) -> None:
    run = await begun(services, await assistants())
    user = await make.user()
    await answers(services, Cause(user.id, TransactionType.text, run_id=run), spent(UNKNOWN_USAGE))
    assert await booked(services, run) == []
    [found] = await of_user(services, user.id)
    assert (found.run_id, found.assistant_id) == (None, None)


@pytest.mark.parametrize("causes", [{}, {"run_id": new_id(), "suggestion_id": new_id()}])
def test_a_call_has_exactly_one_cause(causes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="exactly one cause"):
        Cause(new_id(), TransactionType.text, **causes)
