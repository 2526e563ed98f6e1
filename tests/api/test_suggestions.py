"""Suggested subtopics as the web app asks for and decides on them. What their workflow does is done here by hand:
Temporal is away."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import Transaction
from core.clock import utcnow
from core.container import Services
from core.errors import Conflict, ErrorCode
from core.ids import new_id
from core.topics.repositories.topics import TopicRepository
from core.topics.tables import TopicSuggestion
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import browsing
from tests.factories import Factory

TREE = "- Cargo bikes\n-- Weather\n--- Rain\n-- Money"


@pytest.fixture
async def tree(api: httpx2.AsyncClient) -> dict[str, Any]:
    made: dict[str, Any] = done(await api.post("/topics/", json={"name": "Bikes", "text": TREE}), 201)
    return made


@pytest.fixture
def weather(tree: dict[str, Any]) -> str:
    """Where its suggestions are."""
    return f"/topics/{tree['id']}/topics/{topic(tree, 'Weather')}/suggestions/"


def topic(tree: dict[str, Any], title: str) -> str:
    [found] = [one["id"] for one in tree["topics"] if one["title"] == title]
    return str(found)


async def ordered(api: httpx2.AsyncClient, path: str, wanted: int = 4) -> dict[str, Any]:
    row: dict[str, Any] = done(await api.post(path, json={"wanted": wanted, "language": "en"}), 202)
    return row


async def made(api: httpx2.AsyncClient, services: Services, user: User, path: str) -> dict[str, Any]:
    """Ordered, and done by hand."""
    row = await ordered(api, path)
    assert await services.suggestions.run_round(user.id, UUID(row["id"]), 1) is GenerationState.succeeded
    read: dict[str, Any] = done(await api.get(path))
    return read


def decided(round: dict[str, Any]) -> list[str]:
    return [title["state"] for title in round["titles"]]


async def test_from_the_order_to_the_titles(
    api: httpx2.AsyncClient, services: Services, user: User, tree: dict[str, Any], weather: str
) -> None:
    assert done(await api.get(weather)) is None
    queued = await ordered(api, weather)
    assert (queued["state"], queued["titles"], queued["cost_micros"]) == ("queued", [], None)
    assert await services.suggestions.run_round(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    round = done(await api.get(weather))
    assert (round["id"], round["state"], round["attempt"]) == (queued["id"], "succeeded", 1)
    assert (round["provider"], round["cost_micros"]) == ("demo", 0)
    titles = [title["title"] for title in round["titles"]]
    assert 0 < len(titles) <= 4
    assert {title.casefold() for title in titles}.isdisjoint({"rain", "weather", "money", "cargo bikes"})
    assert len({title.casefold() for title in titles}) == len(titles)
    # nothing enters the tree by itself
    assert done(await api.get(f"/topics/{tree['id']}/"))["topic_count"] == 4
    assert await services.suggestions.run_round(user.id, UUID(queued["id"]), 2) is GenerationState.succeeded
    assert done(await api.get(weather)) == round
    async with services.sessions() as session:
        [call] = list(await session.scalars(select(Transaction).where(Transaction.user_id == user.id)))
    assert str(call.suggestion_id) == round["id"]


async def test_one_round_at_a_time_under_a_topic(
    api: httpx2.AsyncClient, services: Services, user: User, tree: dict[str, Any], weather: str
) -> None:
    first = await ordered(api, weather)
    refused(await api.post(weather, json={"language": "en"}), 409, ErrorCode.generation_in_progress)
    money = f"/topics/{tree['id']}/topics/{topic(tree, 'Money')}/suggestions/"
    await ordered(api, money)
    await services.suggestions.fail(user.id, UUID(first["id"]), ErrorCode.model_unavailable)
    failed = done(await api.get(weather))
    assert (failed["state"], failed["reason"], failed["cost_micros"]) == ("failed", "model_unavailable", 0)
    assert (await ordered(api, weather))["id"] == done(await api.get(weather))["id"] != first["id"]


async def test_an_accepted_title_becomes_the_last_child_and_a_dismissed_one_nothing(
    api: httpx2.AsyncClient, services: Services, user: User, tree: dict[str, Any], weather: str
) -> None:
    round = await made(api, services, user, weather)
    path = f"/topics/{tree['id']}/suggestions/{round['id']}/"
    added = done(await api.post(f"{path}accept/", json={"index": 1}))
    assert (added["title"], added["depth"]) == (round["titles"][1]["title"], 2)
    assert added["parent_id"] == topic(tree, "Weather")
    left = done(await api.post(f"{path}dismiss/", json={"index": 0}))
    assert decided(left)[:2] == ["dismissed", "accepted"]
    assert set(decided(left)[2:]) <= {"open"}
    for index in (0, 1):
        for decision in ("accept", "dismiss"):
            again = await api.post(f"{path}{decision}/", json={"index": index})
            refused(again, 409, ErrorCode.suggestion_decided)
    titles = [one["title"] for one in done(await api.get(f"/topics/{tree['id']}/"))["topics"]]
    assert titles == ["Cargo bikes", "Weather", "Rain", added["title"], "Money"]
    assert decided(done(await api.get(weather))) == decided(left)


async def test_what_was_added_meanwhile_is_not_suggested(
    api: httpx2.AsyncClient, services: Services, user: User, tree: dict[str, Any], weather: str
) -> None:
    first = await made(api, services, user, weather)
    title = first["titles"][0]["title"]
    parent = topic(tree, "Weather")
    done(await api.post(f"/topics/{tree['id']}/topics/", json={"parent_id": parent, "title": title.upper()}), 201)
    second = await made(api, services, user, weather)
    assert title.casefold() not in {one["title"].casefold() for one in second["titles"]}


async def test_what_is_not_there_or_anothers_is_not_found(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    away: Gateway,
    make: Factory,
    tree: dict[str, Any],
    weather: str,
) -> None:
    round = await made(api, services, user, weather)
    path = f"/topics/{tree['id']}/suggestions/{round['id']}/accept/"
    refused(await api.post(path, json={"index": 99}), 404, ErrorCode.not_found)
    other = done(await api.post("/topics/", json={"name": "Other", "text": TREE}), 201)
    elsewhere = f"/topics/{other['id']}/suggestions/{round['id']}/accept/"
    refused(await api.post(elsewhere, json={"index": 0}), 404, ErrorCode.not_found)
    refused(await api.get(f"/topics/{tree['id']}/topics/{new_id()}/suggestions/"), 404, ErrorCode.not_found)
    async with browsing(services, away, await make.user()) as stranger:
        for answer in (
            await stranger.get(weather),
            await stranger.post(weather, json={"language": "en"}),
            await stranger.post(path, json={"index": 0}),
            await stranger.post(path.replace("accept", "dismiss"), json={"index": 0}),
        ):
            refused(answer, 404, ErrorCode.not_found)
    assert set(decided(done(await api.get(weather)))) == {"open"}
    done(await api.delete(f"/topics/{tree['id']}/topics/{topic(tree, 'Weather')}/"))
    refused(await api.get(weather), 404, ErrorCode.not_found)
    refused(await api.post(weather, json={"language": "en"}), 404, ErrorCode.not_found)
    refused(await api.post(path, json={"index": 0}), 404, ErrorCode.not_found)


async def test_of_two_clicks_at_once_one_counts(standing: Services, away: Gateway) -> None:
    make = Factory(standing.sessions, standing.vault)
    user = await make.user()
    async with browsing(standing, away, user) as api:
        tree = done(await api.post("/topics/", json={"name": "Bikes", "text": TREE}), 201)
        path = f"/topics/{tree['id']}/topics/{topic(tree, 'Weather')}/suggestions/"
        both = await asyncio.gather(*(api.post(path, json={"language": "en"}) for _ in range(5)))
        assert sorted(answer.status_code for answer in both) == [202, 409, 409, 409, 409]
        round_id = UUID(done(await api.get(path))["id"])
        await standing.suggestions.run_round(user.id, round_id, 1)
        accept = f"/topics/{tree['id']}/suggestions/{round_id}/accept/"
        clicks = await asyncio.gather(*(api.post(accept, json={"index": 0}) for _ in range(5)))
        assert sorted(answer.status_code for answer in clicks) == [200, 409, 409, 409, 409]
        # different ones do not keep each other out
        many = await asyncio.gather(*(api.post(accept, json={"index": index}) for index in (1, 2)))
        assert [answer.status_code for answer in many] == [200, 200]
        after = done(await api.get(f"/topics/{tree['id']}/"))
        assert after["topic_count"] == 7
    async with standing.sessions() as session:
        nodes = await TopicRepository(session).nodes(user.id, UUID(tree["id"]))
    assert len({node.title for node in nodes}) == 7
    with pytest.raises(Conflict):
        await standing.suggestions.dismiss(user.id, UUID(tree["id"]), round_id, 0)


async def waiting(api: httpx2.AsyncClient, tree: dict[str, Any]) -> list[str]:
    return [round["id"] for round in done(await api.get(f"/topics/{tree['id']}/suggestions/"))]


async def test_a_tree_tells_of_the_rounds_that_wait_for_the_model_or_for_somebody(
    api: httpx2.AsyncClient, services: Services, user: User, tree: dict[str, Any], weather: str
) -> None:
    assert await waiting(api, tree) == []
    money = f"/topics/{tree['id']}/topics/{topic(tree, 'Money')}/suggestions/"
    asked = await ordered(api, money)
    older = await made(api, services, user, weather)
    newer = await made(api, services, user, weather)
    # in the order of the tree, and of each topic the newest alone
    assert await waiting(api, tree) == [newer["id"], asked["id"]]
    assert older["id"] != newer["id"]
    assert (newer["wanted"], newer["language"]) == (4, "en")
    path = f"/topics/{tree['id']}/suggestions/{newer['id']}/"
    for title in newer["titles"][1:]:
        done(await api.post(f"{path}dismiss/", json={"index": title["index"]}))
    assert await waiting(api, tree) == [newer["id"], asked["id"]]
    done(await api.post(f"{path}accept/", json={"index": 0}))
    assert await waiting(api, tree) == [asked["id"]]
    await services.suggestions.fail(user.id, UUID(asked["id"]), ErrorCode.model_unavailable)
    assert await waiting(api, tree) == [asked["id"]]
    async with services.sessions.begin() as session:
        row = await session.get_one(TopicSuggestion, UUID(asked["id"]))
        row.finished_at = utcnow() - timedelta(days=2)
    assert await waiting(api, tree) == []
    again = await made(api, services, user, money)
    done(await api.delete(f"/topics/{tree['id']}/topics/{topic(tree, 'Money')}/"))
    assert again["id"] not in await waiting(api, tree)


async def test_a_dismissal_can_be_taken_back_and_an_acceptance_not(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    away: Gateway,
    make: Factory,
    tree: dict[str, Any],
    weather: str,
) -> None:
    round = await made(api, services, user, weather)
    path = f"/topics/{tree['id']}/suggestions/{round['id']}/"
    for title in round["titles"]:
        done(await api.post(f"{path}dismiss/", json={"index": title["index"]}))
    assert await waiting(api, tree) == []
    for _ in range(2):  # the second time it is open already
        back = done(await api.post(f"{path}restore/", json={"index": 0}))
        assert decided(back) == ["open", *["dismissed"] * (len(round["titles"]) - 1)]
    assert await waiting(api, tree) == [round["id"]]
    done(await api.post(f"{path}accept/", json={"index": 0}))
    refused(await api.post(f"{path}restore/", json={"index": 0}), 409, ErrorCode.suggestion_decided)
    refused(await api.post(f"{path}restore/", json={"index": 99}), 404, ErrorCode.not_found)
    async with browsing(services, away, await make.user()) as stranger:
        refused(await stranger.get(f"/topics/{tree['id']}/suggestions/"), 404, ErrorCode.not_found)
        refused(await stranger.post(f"{path}restore/", json={"index": 1}), 404, ErrorCode.not_found)
