"""The same text, planned twice for the same account within an hour: a warning, never a refusal."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from core.container import Services
from core.ids import new_id
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory

POSTS = "/social-media-posts/"
TEXT = "Rückenwind für alle."
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=30)


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def second(make: Factory, networks: Networks, mine: Owned) -> str:
    """Another account of the same user."""
    return str((await make.account(mine.user, networks.url, "jonas-weber")).id)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def planned(owner: httpx2.AsyncClient, at: datetime, *account_ids: str, **more: Any) -> dict[str, Any]:
    body = {"id": str(new_id()), "content": TEXT, "time_zone": "UTC", "language": "de", "account_ids": account_ids}
    post = done(await owner.post(POSTS, json=body | more), 201)
    out = {"version": post["version"], "planned_at": at.isoformat()}
    changed: dict[str, Any] = done(await owner.post(f"{POSTS}{post['id']}/publish/", json=out))
    return changed


async def fits(owner: httpx2.AsyncClient, at: datetime, *account_ids: str, **more: Any) -> list[Any]:
    asked = {"content": TEXT, "media_ids": [], "account_ids": account_ids, "planned_at": at.isoformat()}
    return [one["repeats"] for one in done(await owner.post(f"{POSTS}fit/", json=asked | more))]


async def test_who_writes_a_text_that_is_planned_already_is_told(
    owner: httpx2.AsyncClient, mine: Owned, second: str
) -> None:
    account = mine.ids["account_id"]
    first = await planned(owner, NOON, account)
    assert first["repeats"] is False
    post_id = first["post"]["id"]
    near, far = NOON + timedelta(minutes=59), NOON + timedelta(minutes=60)
    [told, elsewhere] = await fits(owner, near, account, second)
    assert (told["post_id"], datetime.fromisoformat(told["planned_at"])) == (post_id, NOON)
    assert elsewhere is None
    assert await fits(owner, NOON - timedelta(minutes=59), account) == [told]
    assert await fits(owner, near, account, content="  Ru\u0308ckenwind fu\u0308r\nalle.\u200b") == [told]
    assert await fits(owner, near, account, content=f"{TEXT} Auch dich.") == [None]
    own = [{"channel": "linkedin", "content": "Another text"}]
    assert await fits(owner, near, account, variants=own) == [None]
    assert await fits(owner, far, account) == [None]
    assert await fits(owner, near, account, post_id=post_id) == [None], "it is that post"


async def test_what_does_not_go_out_repeats_nothing(owner: httpx2.AsyncClient, mine: Owned) -> None:
    account = mine.ids["account_id"]
    first = await planned(owner, NOON, account)
    done(await owner.post(f"{POSTS}{first['post']['id']}/cancel/", json={"version": first["post"]["version"]}))
    assert await fits(owner, NOON, account) == [None]


async def test_who_plans_or_moves_it_there_is_told(owner: httpx2.AsyncClient, mine: Owned) -> None:
    account = mine.ids["account_id"]
    await planned(owner, NOON, account)
    assert (await planned(owner, NOON + timedelta(minutes=5), account))["repeats"] is True
    later = (await planned(owner, NOON + timedelta(days=1), account))["post"]
    body = {"version": later["version"], "planned_at": (NOON + timedelta(minutes=30)).isoformat()}
    moved = done(await owner.post(f"{POSTS}{later['id']}/move/", json=body))
    assert moved["repeats"] is True
    body = {"version": moved["post"]["version"], "planned_at": (NOON + timedelta(days=1)).isoformat()}
    back = done(await owner.post(f"{POSTS}{later['id']}/move/", json=body))
    assert back["repeats"] is False
    picked = [{"id": later["id"], "version": back["post"]["version"]}]
    bulk = done(await owner.post(f"{POSTS}bulk/", json={"action": "move", "days": -1, "posts": picked}))
    assert (bulk["done"], bulk["repeats"]) == (1, [later["id"]])
