"""What a run and a try-out keep of what a model's server tells: that it cut the prompt, and its words."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.ai.model_calls import MAX_BILLED_CALLS
from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import TransactionType
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import ErrorCode, NoMoreSpending, RetrySafe
from core.ids import new_id
from core.runs.repositories.runs import RunRepository
from core.templates.repositories.templates import TemplateRepository
from core.templates.tables import Tryout
from core.templates.tryouts import TryoutForm
from tests.ai.test_model_calls import TEXT, answered, begun, told, writing
from tests.ai.test_writers import events
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Server

LONG = "Write about ((Topic)). " + "The workshop opens at eight and closes at five, and nobody works on Sundays. " * 200
SAID = {"type": "output_text", "text": TEXT, "annotations": []}
CUT: dict[str, Any] = {"usage": told(3_900, 196)}
WHOLE: dict[str, Any] = {"usage": told(3_900, 300)}


@pytest.fixture
def models() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
async def assistant(make: Factory, networks: Networks) -> Assistant:
    user = await make.user()
    account = await make.account(user, networks.url)
    return await make.assistant(user, accounts=(account.id,), image=False, text=LONG)


def answers(models: Server, *content: dict[str, Any], **more: Any) -> None:
    """At once, and as a stream to who wants one."""
    whole = answered(*content, **more)
    streamed = events({"type": f"response.{whole.body['status']}", "response": whole.body})
    models.judges("/v1/responses", lambda request: streamed if request.json.get("stream") else whole)


async def ordered(services: Services, assistant: Assistant) -> Tryout:
    assert assistant.template_version_id is not None
    async with services.sessions() as session:
        version = await TemplateRepository(session).version(assistant.user_id, assistant.template_version_id)
    form = TryoutForm(version.body, {}, "en", {"Topic": "Rain"})
    return await services.tryouts.order(assistant.user_id, version.template_id, new_id(), form)


@pytest.mark.parametrize(("usage", "cut"), [(CUT, True), (WHOLE, None)])
async def test_a_run_tells_that_its_prompt_was_cut(
    services: Services, assistant: Assistant, models: Server, usage: dict[str, Any], cut: bool | None
) -> None:
    answers(models, SAID, **usage)
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        await own.drafting.write(assistant.user_id, run, 1)
    async with services.sessions() as session:
        steps = await RunRepository(session).list_steps(assistant.user_id, run)
    assert [step.facts.get("prompt_cut") for step in steps] == [None, cut]


@pytest.mark.parametrize(("usage", "cut"), [(CUT, True), (WHOLE, False)])
async def test_a_try_out_tells_that_its_prompt_was_cut(
    services: Services, assistant: Assistant, models: Server, usage: dict[str, Any], cut: bool
) -> None:
    answers(models, SAID, **usage)
    async with writing(services, models.url) as own:
        tryout = await ordered(own, assistant)
        assert await own.tryouts.make(assistant.user_id, tryout.id, 1) is GenerationState.succeeded
        assert tryout.template_id is not None
        found = await own.tryouts.get(assistant.user_id, tryout.template_id, tryout.id)
    assert (found.prompt_cut, found.output) == (cut, TEXT)


async def test_where_no_more_is_spent_the_last_words_of_the_server_are_kept(
    services: Services, assistant: Assistant, models: Server
) -> None:
    answers(models, status="failed", error={"code": "server_error", "message": "the disk is full"})
    async with writing(services, models.url) as own:
        run, tryout = await begun(own, assistant), await ordered(own, assistant)
        for attempt in range(1, MAX_BILLED_CALLS[TransactionType.text] + 1):
            kind = RetrySafe if attempt < MAX_BILLED_CALLS[TransactionType.text] else NoMoreSpending
            with pytest.raises(kind):
                await own.drafting.write(assistant.user_id, run, attempt)
            with pytest.raises(kind):
                await own.tryouts.make(assistant.user_id, tryout.id, attempt)
        assert tryout.template_id is not None
        found = await own.tryouts.get(assistant.user_id, tryout.template_id, tryout.id)
    assert (found.reason, found.detail) == (ErrorCode.text_attempts_used, "server_error: the disk is full")
    async with services.sessions() as session:
        *_, step = await RunRepository(session).list_steps(assistant.user_id, run)
    assert [one["code"] for one in step.failures] == [ErrorCode.model_unavailable] * 5
    assert step.failures[-1]["detail"] == "server_error: the disk is full"
