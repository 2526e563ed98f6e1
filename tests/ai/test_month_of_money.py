"""A month of runs: what the transactions sum up to is what the model server has written down itself."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from core.ai import price_lists as prices
from core.assistants.tables import Assistant
from core.clock import use_clock
from core.container import Services
from core.errors import DomainError, NoMoreSpending
from core.ids import new_id
from core.users.tables.users import User
from tests.ai.test_model_calls import SLOT, a_picture, generated, writing
from tests.api.conftest import done
from tests.clocks import frozen_clock
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Server

MONTH = date(2026, 11, 1)
DAYS = 30
MODELS = ("gpt-6-luna", "gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-astra")
IMAGE_MODEL = "gpt-image-2"


@pytest.fixture
def models() -> Iterator[Server]:
    """The model server."""
    running = Server()
    yield running
    running.stop()


class Line(NamedTuple):
    day: date
    model: str
    given: int
    """Input tokens, those from the cache too."""
    cached: int
    made: int


@dataclass
class Log:
    """What the model server knows of each call that it will ask money for."""

    chance: random.Random
    day: date = MONTH
    texts: int = 0
    lines: list[Line] = field(default_factory=list)

    def used(self, model: str, most_input: int, most_output: int, *, caches: bool) -> dict[str, Any]:
        given, made = self.chance.randint(1, most_input), self.chance.randint(1, most_output)
        cached = self.chance.choice([0, given // 3, given]) if caches else 0
        self.lines.append(Line(self.day, model, given, cached, made))
        told = {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}
        return told | ({"input_tokens_details": {"cached_tokens": cached}} if caches else {})

    def text(self, model: str) -> list[Answer]:
        """What comes back until a text is there: what costs in vain, and what costs nothing, before it."""

        def body(status: str = "completed", said: str = "", **more: Any) -> Any:
            def answered() -> dict[str, Any]:
                self.texts += 1
                content = {"type": "output_text", "text": said and f"{said} {self.texts}", "annotations": []}
                # a long context costs twice as much, all of it
                most = 600_000 if self.chance.random() < 0.2 else 5000
                return {
                    "id": f"resp_{self.texts}",
                    "object": "response",
                    "status": status,
                    "model": model,
                    "output": [{"type": "message", "id": "m", "role": "assistant", "content": [content]}],
                    "usage": self.used(model, most, 3000, caches=self.chance.random() < 0.7),
                    **more,
                }

            return answered

        error: dict[str, Any] = {"error": {"code": "server_error", "message": "x"}}
        vain = [
            Answer(500, {"error": {"message": "no", "type": "t", "code": None}}),
            Answer(200, body("failed", **error)),
            Answer(200, body(said=" ")),
        ]
        return [*self.chance.sample(vain, self.chance.randint(0, 2)), Answer(200, body(said="Rain needs no drama"))]

    def image(self) -> Answer:
        picture = generated(a_picture() if self.chance.random() < 0.7 else b"no picture").body

        def drawn() -> dict[str, Any]:
            return {**picture, "usage": self.used(IMAGE_MODEL, 500, 6000, caches=False)}

        return Answer(200, drawn)

    def micros(self, *, on: date | None = None, model: str | None = None) -> int:
        """By the bundled lists, read as they are written."""
        lists = json.loads(Path(prices.__file__).with_name("prices.json").read_text())
        return sum(
            _micros(lists, *line) for line in self.lines if on in (None, line.day) and model in (None, line.model)
        )


def _micros(lists: list[dict[str, Any]], day: date, model: str, given: int, cached: int, made: int) -> int:
    valid = max((one for one in lists if one["valid_from"] <= day.isoformat()), key=lambda one: str(one["valid_from"]))
    price = {name: Decimal(value) for name, value in valid["usd_per_million_tokens"]["openai"][model].items()}
    million = Decimal(1_000_000)
    spent_in = (given - cached) * price["input"] / million + cached * price.get(
        "cached_input", price["input"]
    ) / million
    spent_out = made * price["output"] / million
    if given > valid["long_context"]["over_input_tokens"]:
        spent_in *= Decimal(valid["long_context"]["input_factor"])
        spent_out *= Decimal(valid["long_context"]["output_factor"])
    return int(((spent_in + spent_out) * million).quantize(Decimal(1), ROUND_HALF_UP))


async def a_run(services: Services, assistant: Assistant, log: Log, server: Server, model: str) -> bool:
    """As its workflow asks for it. Returns whether there is a text, and so a picture."""
    server.answers("/v1/responses", *log.text(model))
    server.answers("/v1/images/generations", log.image())
    run = new_id()
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", SLOT + (log.day - MONTH))
    for attempt in range(1, 5):
        try:
            await services.drafting.write(assistant.user_id, run, attempt)
            break
        except NoMoreSpending:
            return False
        except DomainError as error:
            if not error.retryable:
                raise
    await services.imaging.make(assistant.user_id, run, 1)
    return True


async def test_a_month_sums_up_to_what_the_model_server_wrote_down(
    services: Services,
    api: httpx2.AsyncClient,
    user: User,
    make: Factory,
    networks: Networks,
    models: Server,
) -> None:
    """Each day one of the demo's assistants, whose pictures are cards, and one whose pictures a model draws."""
    log = Log(random.Random(11))
    async with writing(services, models.url, sandbox_url=networks.url) as own:
        assistants = [full.row for full in await own.demo_data.make(user)]
    assert len(assistants) == 2
    account = await make.account(user, networks.url)
    assistants.append(await make.assistant(user, accounts=(account.id,)))
    cards = 0
    spent: defaultdict[str, int] = defaultdict(int)
    for first, model in enumerate(MODELS):
        async with writing(services, models.url, text_model=model, image_model=IMAGE_MODEL) as own:
            for number in range(first, DAYS, len(MODELS)):
                log.day = MONTH + timedelta(number)
                noon = datetime(log.day.year, log.day.month, log.day.day, 12, tzinfo=UTC)
                with use_clock(frozen_clock(noon)):
                    for assistant in (assistants[number % 2], assistants[2]):
                        before = log.micros()
                        cards += await a_run(own, assistant, log, models, model) and assistant is not assistants[2]
                        spent[str(assistant.id)] += log.micros() - before
    assert len(log.lines) > 3 * DAYS
    assert cards > DAYS / 2
    assert {line.model for line in log.lines} == {*MODELS, IMAGE_MODEL}
    assert any(line.cached for line in log.lines)
    assert any(line.given > 272_000 for line in log.lines)

    period = {"from": MONTH.isoformat(), "to": (MONTH + timedelta(DAYS - 1)).isoformat()}
    found = done(await api.get("/transactions/totals/", params=period))
    assert (found["calls"], found["cost_micros"], found["unpriced"]) == (len(log.lines) + cards, log.micros(), 0)
    assert found["failed"] > 10
    assert found["input_tokens"] == sum(line.given for line in log.lines)
    assert found["cached_tokens"] == sum(line.cached for line in log.lines)
    assert found["output_tokens"] == sum(line.made for line in log.lines)
    for part in found["days"]:
        assert (part["cost_micros"] or 0) == log.micros(on=date.fromisoformat(part["day"])), part
    for part in found["models"]:
        assert part["cost_micros"] == log.micros(model=part["model"]), part
    assert {part["assistant_id"]: part["cost_micros"] for part in found["assistants"]} == dict(spent)
    rows = done(await api.get("/transactions/", params={**period, "page_size": 100}))
    assert rows["total"] == len(log.lines) + cards


@pytest.mark.parametrize(("given", "cached", "made", "micros"), [(5, 0, 0, 1), (4, 0, 0, 0), (321, 0, 45, 55)])
def test_the_reference_rounds_half_up(given: int, cached: int, made: int, micros: int) -> None:
    lists = json.loads(Path(prices.__file__).with_name("prices.json").read_text())
    assert _micros(lists, MONTH, "gpt-6-luna", given, cached, made) == micros
