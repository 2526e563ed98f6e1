"""Exports are made in turn, and how often is limited: neighbours hardly notice them."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest

from api.limits import Places, in_turn
from core.errors import ErrorCode
from core.settings import Settings
from core.users.tables.users import User
from tests.api.conftest import refused
from tests.factories import Factory
from tests.patience import PATIENCE


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"rate_limits": True})


async def _portions(said: list[str], name: str) -> AsyncIterator[bytes]:
    for number in range(2):
        said.append(f"{name}{number}")
        yield b"."


async def test_a_portion_is_made_in_turn_and_nobody_waits_for_a_slow_reader() -> None:
    places, said = Places(at_once=1, each=1), list[str]()
    slow = in_turn(places, "mara", _portions(said, "mara"))
    await anext(slow)  # and reads no further
    async for _ in in_turn(places, "jon", _portions(said, "jon")):
        pass
    assert said == ["mara0", "jon0", "jon1"]
    assert [portion async for portion in slow] == [b"."]
    async with asyncio.timeout(PATIENCE), places.place("mara"):  # it was given back
        pass


async def test_a_reader_who_goes_away_ends_the_making() -> None:
    places, ended = Places(at_once=1, each=1), list[bool]()

    async def portions() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"."
        finally:
            ended.append(True)

    reading = in_turn(places, "mara", portions())
    await anext(reading)
    await reading.aclose()
    assert ended == [True]
    async with asyncio.timeout(PATIENCE), places.place("mara"):
        pass


async def test_exports_and_checks_of_one_person_have_a_limit(
    api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    tree = await make.tree(user)
    await make.template(user)
    template = (await api.get("/templates/")).json()["items"][0]["id"]

    async def until_refused(method: str, path: str, most: int, text: object = None) -> None:
        for _ in range(most):
            if (answer := await api.request(method, path, json=text)).status_code == 429:
                break
        assert int(answer.headers["Retry-After"]) > 0
        refused(answer, 429, ErrorCode.rate_limited)

    body = {"type": "text", "body": "About ((Topic))"}
    await until_refused("POST", "/templates/preview/", 90, body)
    await until_refused("GET", f"/topics/{tree}/export/", 30)
    # one limit for all kinds of them
    await until_refused("GET", f"/templates/{template}/export/", 2)
    await until_refused("GET", "/templates/export/", 2)
