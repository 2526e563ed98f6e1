"""What models have cost: the list, its filters, its sums and its file."""

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import null, update

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import Spent, Usage
from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.tables.posts import Post
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory

PATH = "/transactions/"
NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
NOVEMBER = {"from": "2026-11-01", "to": "2026-11-30"}
Add = Callable[..., Any]


@pytest.fixture
def add(services: Services, user: User) -> Add:
    """One call, as it is booked."""

    async def add(**values: Any) -> UUID:
        id = new_id()
        facts = {
            "user_id": user.id,
            "key": f"{new_id()}:text:{id}",
            "type": TransactionType.text,
            "provider": "openai",
            "model": "gpt-6-luna",
            "input_tokens": 100,
            "output_tokens": 20,
            "cost_micros": 20,
            "duration_ms": 900,
            "created_at": NOON,
        }
        async with services.sessions.begin() as session:
            session.add(Transaction(id=id, **(facts | values)))
        return id

    return add


async def listed(api: httpx2.AsyncClient, **query: Any) -> list[str]:
    page = done(await api.get(PATH, params=NOVEMBER | query))
    assert page["total"] == len(page["items"])
    return [item["id"] for item in page["items"]]


async def totals(api: httpx2.AsyncClient, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = done(await api.get(f"{PATH}totals/", params=NOVEMBER | query))
    return found


async def test_each_filter_lets_through_what_it_says_and_sums_exactly_that(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, add: Add
) -> None:
    assistant = await make.assistant(user)
    calls = {
        "image": await add(type=TransactionType.image, model="gpt-image-2", images=1, cost_micros=30_000),
        "refused": await add(outcome=CallOutcome.refused, key=f"tryout-{new_id()}:text:1"),
        "unpriced": await add(model="home-made", cost_micros=None, key=f"suggestion-{new_id()}:text:1"),
        "assistant's": await add(assistant_id=assistant.id, cost_micros=500),
        "post's": await add(key=f"post-{new_id()}:text:1"),
        "lost": await add(outcome=CallOutcome.lost, cost_micros=None, input_tokens=None, output_tokens=None),
    }
    for query, names in (
        ({}, {*calls}),
        ({"type": "image"}, {"image"}),
        ({"type": ["image", "text"]}, {*calls}),
        ({"model": ["home-made", "gpt-image-2"]}, {"unpriced", "image"}),
        ({"failed": True}, {"refused", "lost"}),
        ({"unpriced": True}, {"unpriced", "lost"}),
        ({"assistant_id": str(assistant.id)}, {"assistant's"}),
        ({"cause": "tryout"}, {"refused"}),
        ({"cause": "post"}, {"post's"}),
        ({"cause": "suggestion"}, {"unpriced"}),
        ({"cause": "run"}, {"image", "assistant's", "lost"}),
        ({"cause": ["tryout", "run"], "failed": True}, {"refused", "lost"}),
    ):
        assert set(await listed(api, **query)) == {str(calls[name]) for name in names}, query
        found = await totals(api, **query)
        assert found["calls"] == len(names), query
        for parts in ("types", "models", "assistants", "days"):
            assert sum(part["calls"] for part in found[parts]) == len(names), (query, parts)
            costs = [part["cost_micros"] or 0 for part in found[parts]]
            assert sum(costs) == (found["cost_micros"] or 0), (query, parts)
    found = await totals(api)
    assert (found["cost_micros"], found["unpriced"], found["uncounted"], found["failed"]) == (30_540, 2, 1, 2)
    assert found["images"] == 1
    assert [one["model"] for one in found["models"]] == ["gpt-image-2", "gpt-6-luna", "home-made"]
    # never 0 where nobody knows it
    assert [one["cost_micros"] for one in found["models"]] == [30_000, 540, None]
    assert [one["assistant_name"] for one in found["assistants"]] == [None, assistant.name]
    assert done(await api.get(f"{PATH}models/")) == ["gpt-6-luna", "gpt-image-2", "home-made"]


async def test_a_call_that_is_being_made_is_shown_and_not_added_up(api: httpx2.AsyncClient, add: Add) -> None:
    under_way = await add(outcome=CallOutcome.calling, cost_micros=None, input_tokens=None, output_tokens=None)
    assert await listed(api) == [str(under_way)]
    assert await listed(api, unpriced=True) == []
    found = await totals(api)
    assert (found["calls"], found["cost_micros"], found["unpriced"]) == (0, 0, 0)


async def test_days_are_those_of_the_users_own_clock(
    api: httpx2.AsyncClient, services: Services, user: User, add: Add
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone="Europe/Berlin"))
    late = await add(created_at=datetime(2026, 10, 31, 23, 30, tzinfo=UTC), cost_micros=7)  # 1 November there
    await add(created_at=datetime(2026, 10, 31, 22, 30, tzinfo=UTC))
    assert await listed(api) == [str(late)]
    found = await totals(api)
    assert (found["days"][0]["day"], found["days"][0]["cost_micros"]) == ("2026-11-01", 7)
    assert len(found["days"]) == 30
    day = {"from": "2026-10-31", "to": "2026-10-31"}
    assert done(await api.get(PATH, params=day))["total"] == 1


async def test_without_a_period_it_is_the_month_until_today(api: httpx2.AsyncClient) -> None:
    today = datetime.now(UTC).date()
    page = done(await api.get(PATH))
    assert (page["first_day"], page["last_day"]) == (today.replace(day=1).isoformat(), today.isoformat())


@pytest.mark.parametrize(
    ("period", "wrong"),
    [
        ({"from": "2026-11-02", "to": "2026-11-01"}, {"to": "invalid_input"}),
        ({"from": "0001-01-01", "to": "0001-01-02"}, {"from": "invalid_input"}),
        ({"from": "2025-11-01", "to": "2026-11-02"}, {"to": "period_too_long"}),
    ],
)
async def test_a_period_that_is_none(api: httpx2.AsyncClient, period: dict[str, str], wrong: dict[str, str]) -> None:
    for path in (PATH, f"{PATH}totals/", f"{PATH}export/"):
        code = ErrorCode.period_too_long if "period_too_long" in wrong.values() else ErrorCode.invalid_input
        assert wrong_fields(await api.get(path, params=period), code) == wrong
    whole_year = {"from": "2025-11-02", "to": "2026-11-02"}
    assert len(done(await api.get(f"{PATH}totals/", params=whole_year))["days"]) == 366


async def test_in_any_order_page_by_page(api: httpx2.AsyncClient, add: Add) -> None:
    cheap, dear, unknown = [
        str(await add(cost_micros=cost, created_at=NOON.replace(minute=at))) for at, cost in enumerate((1, 900, None))
    ]
    assert await listed(api) == [unknown, dear, cheap]
    assert await listed(api, sort="earliest") == [cheap, dear, unknown]
    assert await listed(api, sort="dearest") == [dear, cheap, unknown]
    first = done(await api.get(PATH, params=NOVEMBER | {"page_size": 2}))
    assert (first["total"], len(first["items"])) == (3, 2)
    rest = done(await api.get(PATH, params=NOVEMBER | {"page_size": 2, "cursor": first["next_cursor"]}))
    assert ([one["id"] for one in rest["items"]], rest["next_cursor"]) == ([cheap], None)


async def test_the_file_has_what_is_filtered_and_leaves_empty_what_is_unknown(
    api: httpx2.AsyncClient, make: Factory, user: User, add: Add
) -> None:
    assistant = await make.assistant(user)
    await add(cost_micros=1_000_047, assistant_id=assistant.id, price={"since": "2026-11-01"}, request_id="=req")
    await add(cost_micros=None, input_tokens=None, model="home-made")
    await add(type=TransactionType.image)
    answer = await api.get(f"{PATH}export/", params=NOVEMBER | {"type": "text"})
    assert answer.headers["content-disposition"].startswith('attachment; filename="transactions-')
    known, unknown = csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff")))
    assert (known["cost"], known["currency"], known["price_since"]) == ("1.000047", "USD", "2026-11-01")
    assert (known["assistant"], known["cause"], known["request_id"]) == (assistant.name, "run", "'=req")
    assert known["created_at"] == "2026-11-10T12:00:00.000+00:00"
    assert (unknown["cost"], unknown["input_tokens"], unknown["model"]) == ("", "", "home-made")


async def test_one_call_with_its_price_and_what_it_was_for(
    services: Services, make: Factory, networks: Networks, away: Gateway
) -> None:
    mine = await own_a_post(services, make, networks)
    user, run = mine.user, UUID(mine.ids["run_id"])
    usage = Usage(input_tokens=300_000, output_tokens=100, cached_tokens=1000)

    async def call() -> Spent:
        return Spent("openai", "gpt-6-sol", usage, "req_1")

    asked = ModelRequest("openai", "gpt-6-sol", Usage(300_000, 2000))
    await services.meter.call(Cause(user.id, TransactionType.text, run_id=run), asked, call)
    async with browsing(services, away, user) as api:
        [item] = done(await api.get(PATH, params={"model": "gpt-6-sol"}))["items"]
        found = done(await api.get(f"{PATH}{item['id']}/"))
        refused(await api.get(f"{PATH}{new_id()}/"), 404, ErrorCode.not_found)
    assert item == {name: found[name] for name in item}
    assert found["price"] == {
        "since": "2026-11-01",
        "input": "2.00",
        "cached_input": "0.20",
        "output": "10.00",
        "long_context": {"over_input_tokens": 272_000, "input_factor": "2", "output_factor": "1.5"},
    }
    assert (found["cost_micros"], found["cached_tokens"], found["request_id"]) == (1_197_900, 1000, "req_1")
    assert (found["cause"], found["most_input_tokens"], found["most_output_tokens"]) == ("run", 300_000, 2000)
    assert (found["post_id"], found["post_title"]) == (mine.ids["post_id"], "Rain without drama")
    assert (found["assistant_id"], found["template_id"]) == (mine.ids["assistant_id"], None)


@pytest.mark.parametrize("is_article", [False, True])
async def test_a_call_tells_whether_it_was_for_an_article(
    services: Services, make: Factory, networks: Networks, away: Gateway, is_article: bool
) -> None:
    mine = await own_a_post(services, make, networks)
    post = update(Post).where(Post.id == UUID(mine.ids["post_id"]))

    async def told() -> bool | None:
        return cast(bool | None, done(await api.get(PATH, params={"cause": "run"}))["items"][0]["is_article"])

    async with browsing(services, away, mine.user) as api:
        async with services.sessions.begin() as session:
            session.add(
                Transaction(
                    user_id=mine.user.id,
                    key=str(new_id()),
                    type=TransactionType.text,
                    provider="openai",
                    model="a-model",
                    run_id=UUID(mine.ids["run_id"]),
                    duration_ms=1,
                )
            )
            await session.execute(post.values(article={} if is_article else null()))
        assert await told() is is_article
        async with services.sessions.begin() as session:
            await session.execute(post.values(deleted_at=utcnow()))
        assert await told() is None, "nobody knows any more"
