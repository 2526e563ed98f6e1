"""What the settings of a template may choose from."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from pydantic import SecretStr

from core.container import Services, wire
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.conftest import browsing

PATH = "/templates/models/"


@pytest.fixture
async def with_a_key(services: Services, away: Gateway, user: User) -> AsyncIterator[httpx2.AsyncClient]:
    settings = services.settings.model_copy(
        update={"openai_api_key": SecretStr("sk-nobody"), "text_model": "gpt-6-luna", "image_model": "gpt-image-2"}
    )
    own = wire(settings, services.engine, services.sessions)
    async with browsing(own, away, user) as client:
        yield client
    await own.writer.close()
    await own.pictures.close()


async def test_without_a_key_the_demo_writer_and_cards(api: httpx2.AsyncClient) -> None:
    answer = await api.get(PATH)
    assert answer.json() == {
        "text_provider": "demo",
        "text": [
            {
                "name": "demo-writer",
                "default": True,
                "takes_temperature": False,
                "takes_effort": False,
                "priced": True,
            }
        ],
        "image_provider": None,
        "image": [],
    }


async def test_with_a_key_the_servers_models_first(with_a_key: httpx2.AsyncClient) -> None:
    models = (await with_a_key.get(PATH)).json()
    assert (models["text_provider"], models["image_provider"]) == ("openai", "openai")
    assert models["text"][0] == {
        "name": "gpt-6-luna",
        "default": True,
        "takes_temperature": False,
        "takes_effort": True,
        "priced": True,
    }
    assert [choice["name"] for choice in models["text"]].count("gpt-6-luna") == 1
    assert "gpt-6-sol" in {choice["name"] for choice in models["text"]}
    assert (models["image"][0]["name"], models["image"][0]["default"]) == ("gpt-image-2", True)
    assert "gpt-image-2.5-flare" in {choice["name"] for choice in models["image"]}
