"""Feeds of topic trees by the API, with feeds on a real server."""

from dataclasses import replace
from typing import Any

import httpx2
import pytest

from core.container import Services
from core.errors import ErrorCode
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from tests.api.conftest import done, refused, wrong_fields
from tests.http_server import Answer, Server

FEED = b"<rss version='2.0'><channel><title>Rad</title><item><title>Neu</title></item></channel></rss>"


@pytest.fixture
async def tree(api: httpx2.AsyncClient, services: Services, server: Server, monkeypatch: pytest.MonkeyPatch) -> Any:
    pages = PageReader(Outside((server.url,)))
    monkeypatch.setitem(vars(services), "topic_feeds", replace(services.topic_feeds, pages=pages))
    server.answers("/feed", Answer(200, FEED, {"content-type": "application/rss+xml"}))
    return done(await api.post("/topics/", json={"name": "Rad", "text": "- Rad\n-- News"}), 201)


async def test_the_life_of_a_feed(api: httpx2.AsyncClient, server: Server, tree: Any) -> None:
    feeds, branch = f"/topics/{tree['id']}/feeds/", tree["topics"][1]["id"]
    body = {"topic_id": branch, "address": f"{server.url}/feed"}
    feed = done(await api.post(feeds, json=body), 201)
    expected = {"title": "Rad", "daily": 3, "full_text": False, "active": True, "error": None, "added": 0}
    assert {name: feed[name] for name in expected} == expected
    refused(await api.post(feeds, json=body), 409, ErrorCode.topic_feed_known)
    changed = done(await api.patch(f"{feeds}{feed['id']}/", json={"daily": 5, "active": False}))
    assert (changed["daily"], changed["active"]) == (5, False)
    assert done(await api.post(f"{feeds}{feed['id']}/read/"))["id"] == feed["id"]
    assert [one["id"] for one in done(await api.get(feeds))] == [feed["id"]]
    assert (await api.delete(f"{feeds}{feed['id']}/")).status_code == 204
    assert done(await api.get(feeds)) == []
    refused(await api.delete(f"{feeds}{feed['id']}/"), 404, ErrorCode.not_found)


@pytest.mark.parametrize("address", ["http://127.0.0.1:4779/feed", "https://10.0.0.1/feed", "https://localhost/feed"])
async def test_an_address_inside_this_network_is_refused(api: httpx2.AsyncClient, tree: Any, address: str) -> None:
    body = {"topic_id": tree["topics"][1]["id"], "address": address}
    answer = await api.post(f"/topics/{tree['id']}/feeds/", json=body)
    assert wrong_fields(answer) == {"address": ErrorCode.address_not_allowed}


@pytest.mark.parametrize("status", [404, 410])
async def test_where_nothing_is_there_is_no_feed(
    api: httpx2.AsyncClient, tree: Any, server: Server, status: int
) -> None:
    server.answers("/dead", Answer(status, b"<p>Nothing</p>", {"content-type": "text/html"}))
    body = {"topic_id": tree["topics"][1]["id"], "address": f"{server.url}/dead"}
    answer = await api.post(f"/topics/{tree['id']}/feeds/", json=body)
    assert wrong_fields(answer) == {"address": ErrorCode.topic_feed_unusable}
