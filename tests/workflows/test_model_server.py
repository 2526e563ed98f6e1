"""A whole run whose text and image come from an OpenAI-compatible server of somebody else's make."""

import base64
import io
from dataclasses import replace
from pathlib import Path

from PIL import Image
from pydantic import SecretStr
from sqlalchemy import select

from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.rules.assistants import RunState
from core.container import wire
from core.runs.repositories.run_lists import RunListRepository
from temporal.worker import run_worker
from tests.ai.aimock import mock_server
from tests.conftest import GRACEFUL, Stack
from tests.workflows.support import outcome, run_once, soon

TEXT = "Rain needs no drama, only mudguards. Ride to work once this week."


def picture() -> str:
    made = io.BytesIO()
    Image.new("RGB", (1024, 1024), "#115d67").save(made, "PNG")
    return base64.b64encode(made.getvalue()).decode()


async def test_text_and_image_come_from_it_with_tokens_and_what_they_cost(
    stack: Stack, tmp_path: Path, unused_tcp_port: int
) -> None:
    fixtures = [
        {"match": {"endpoint": "image"}, "response": {"image": {"b64Json": picture()}}},
        {
            "match": {"userMessage": "Rain without drama"},
            "response": {"content": TEXT, "usage": {"input_tokens": 321, "output_tokens": 45, "total_tokens": 366}},
        },
    ]
    async with mock_server(tmp_path, unused_tcp_port, fixtures) as url:
        settings = stack.services.settings.model_copy(
            update={
                "openai_api_key": SecretStr("sk-nobody"),
                "openai_base_url": f"{url}/v1",
                "text_model": "gpt-6-luna",
                "image_model": "gpt-image-2",
            }
        )
        services = wire(settings, stack.services.engine, stack.services.sessions)
        own = replace(stack, services=services)
        user = await own.make.user()
        account = await own.make.account(user, own.networks.url)
        assistant = await own.make.assistant(user, accounts=(account.id,))
        slot = soon(12)
        async with run_worker(own.client, own.services, graceful=GRACEFUL):
            result = await run_once(own, assistant, slot)
        await services.writer.close()
        await services.pictures.close()
    assert result.state == RunState.published
    run, post, delivery = await outcome(own, assistant, slot)
    assert post.content == TEXT
    [file] = post.files
    assert (file.media.width, file.media.height) == (1024, 1024)
    async with own.services.sessions() as session:
        rows = list(await session.scalars(select(Transaction).where(Transaction.run_id == run.id)))
        [listed], _ = await RunListRepository(session).list_page(user.id, assistant.id, offset=0, limit=5)
    text = next(row for row in rows if row.type is TransactionType.text)
    image = next(row for row in rows if row.type is TransactionType.image)
    assert (text.model, text.input_tokens, text.output_tokens) == ("gpt-6-luna", 321, 45)
    # 321 at 0.10 and 45 at 0.50 dollars for a million: 54.6 millionths
    assert text.cost_micros == 55
    # its images tell no usage: unknown, never nothing
    assert (image.model, image.input_tokens, image.output_tokens, image.cost_micros) == (
        "gpt-image-2",
        None,
        None,
        None,
    )
    assert (listed.full.spent.input_tokens, listed.full.spent.cost_micros, listed.full.spent.known) == (321, 55, False)
    assert delivery.permalink
