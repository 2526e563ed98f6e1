"""The sandbox's feed for topic trees: a new item each minute, by the clock or by one that a test moves."""

import feedparser
import pytest

from tests.conftest import Networks

FEED = "/sandbox/feed"


async def titles(networks: Networks, query: str) -> list[str]:
    answer = await networks.client.get(f"{FEED}{query}")
    assert answer.status_code == 200
    return [entry.title for entry in feedparser.parse(answer.content).entries]


async def test_a_named_clock_stands_still_until_it_is_moved(networks: Networks) -> None:
    before = await titles(networks, "?clock=one")
    assert len(before) == 30
    assert await titles(networks, "?clock=one") == before
    etag = (await networks.client.get(f"{FEED}?clock=one")).headers["etag"]
    again = await networks.client.get(f"{FEED}?clock=one", headers={"if-none-match": etag})
    assert again.status_code == 304
    moved = await networks.client.post(f"{FEED}/clocks/one", json={"seconds": 120})
    assert moved.status_code == 204
    after = await titles(networks, "?clock=one")
    assert after[2:] == before[:28]
    assert (await networks.client.post(f"{FEED}/clocks/one", json={"seconds": -60})).status_code == 422
    assert await titles(networks, "?clock=one") == after


@pytest.mark.parametrize("format", ["rss", "atom"])
async def test_each_item_has_a_page(networks: Networks, format: str) -> None:
    answer = await networks.client.get(f"{FEED}?clock=two&format={format}")
    entry = feedparser.parse(answer.content).entries[0]
    page = await networks.client.get(entry.link)
    assert entry.title in page.text
