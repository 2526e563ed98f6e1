"""The address that a post leads to, from the form to the network. Temporal is away: what is due is done by hand."""

from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import Owned, own_a_post
from tests.api.test_composing import FAR, POSTS, at, created, written
from tests.api.test_post_files import exported, imported, previewed
from tests.conftest import Networks, browsing
from tests.factories import Factory

LINK = {"url": "https://blog.example/rain?n=1", "title": "Riding in rain", "description": "What to wear"}


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def ledger(services: Services, post: dict[str, Any]) -> Delivery:
    async with services.sessions() as session:
        [delivery] = await session.scalars(select(Delivery).where(Delivery.post_id == UUID(post["id"])))
        return delivery


async def at_once(*_: object) -> None:
    """Its moment has come."""


async def test_a_draft_keeps_it_tidied_and_a_copy_has_it_too(owner: httpx2.AsyncClient, mine: Owned) -> None:
    post = await created(owner, mine, link={"url": " blog.example/rain ", "title": "Riding\nin rain"})
    assert post["link"] == {"url": "https://blog.example/rain", "title": "Riding in rain", "description": ""}
    copy = done(await owner.post(f"{at(post)}duplicate/", json={"id": str(new_id())}), 201)
    assert copy["link"] == post["link"]
    edited = done(await owner.put(at(post), json=written(mine, version=post["version"])))["post"]
    assert edited["link"] is None


@pytest.mark.parametrize(
    ("link", "field", "code"),
    [
        ({"url": "javascript:alert(1)"}, "link.url", ErrorCode.link_not_usable),
        ({"url": "https://ada:secret@blog.example"}, "link.url", ErrorCode.link_not_usable),
        ({"url": "ftp://blog.example/rain"}, "link.url", ErrorCode.link_not_usable),
        ({"url": ""}, "link.url", ErrorCode.invalid_input),
        ({"url": f"https://blog.example/{'a' * 2000}"}, "link.url", ErrorCode.invalid_input),
        ({**LINK, "title": "a" * 301}, "link.title", ErrorCode.invalid_input),
        ({**LINK, "description": "a" * 1001}, "link.description", ErrorCode.invalid_input),
    ],
)
async def test_what_is_wrong_is_told_at_its_field(
    owner: httpx2.AsyncClient, mine: Owned, link: dict[str, str], field: str, code: ErrorCode
) -> None:
    answer = await owner.post(POSTS, json=written(mine, id=str(new_id()), link=link))
    assert wrong_fields(answer) == {field: code}


async def test_a_card_needs_its_title_where_the_network_makes_it_of_that(
    owner: httpx2.AsyncClient, mine: Owned
) -> None:
    post = await created(owner, mine, link={"url": LINK["url"]})
    body = {"content": post["content"], "media_ids": [], "account_ids": post["account_ids"], "link": post["link"]}
    [told] = done(await owner.post(f"{POSTS}fit/", json=body))
    assert [(one["field"], one["code"]) for one in told["problems"]] == [("link.title", ErrorCode.link_title_missing)]
    answer = await owner.post(f"{at(post)}publish/", json={"version": post["version"]})
    problem = refused(answer, 422, ErrorCode.link_title_missing)
    assert [one["field"] for one in problem["errors"]] == ["link.title"]


async def test_an_address_in_the_text_counts(owner: httpx2.AsyncClient, mine: Owned) -> None:
    images = [mine.ids["media_id"]] * 2
    body = {"content": "Rain", "media_ids": images, "account_ids": [mine.ids["account_id"]], "link": LINK}
    [below] = done(await owner.post(f"{POSTS}fit/", json=body))
    assert (below["length"], below["problems"]) == (len(f"Rain\n\n{LINK['url']}"), [])
    [card] = done(await owner.post(f"{POSTS}fit/", json=body | {"media_ids": images[:1]}))
    assert card["length"] == len("Rain")
    longest = body | {"content": "a" * 3000}
    [over] = done(await owner.post(f"{POSTS}fit/", json=longest))
    assert [(one["field"], one["code"]) for one in over["problems"]] == [("content", ErrorCode.content_too_long)]


async def test_it_goes_out_with_its_card_and_what_is_changed_is_another_post(
    owner: httpx2.AsyncClient, services: Services, networks: Networks, mine: Owned
) -> None:
    files = [{"media_id": mine.ids["media_id"], "alt": "Rain"}]
    post = await created(owner, mine, link=LINK, files=files, content=f"Rain {new_id()}")
    out = done(await owner.post(f"{at(post)}publish/", json={"version": post["version"], "planned_at": FAR}))["post"]
    before = await ledger(services, post)
    user_id, delivery_id = mine.user.id, before.id
    await services.staging.stage(user_id, delivery_id)
    staged = await ledger(services, post)

    body = written(mine, version=out["version"], content=post["content"], files=files, planned_at=FAR)
    edited = done(await owner.put(at(post), json=body | {"link": {**LINK, "title": "Riding in the rain"}}))["post"]
    after = await ledger(services, post)
    assert edited["content_hash"] != out["content_hash"]
    assert after.own_hash not in (before.own_hash, staged.staged_hash), "what was staged is of another card"

    done(await owner.post(f"{at(post)}move/", json={"version": edited["version"], "planned_at": None}))
    await services.staging.stage(user_id, delivery_id)
    assert await services.delivering.deliver(user_id, delivery_id, wait=at_once) == "published"
    shown: Any = next(one for one in await networks.posts() if one["text"] == post["content"])
    assert shown["article"]["source"] == LINK["url"]
    assert shown["article"]["title"] == "Riding in the rain"
    assert shown["article"]["thumbnail"]
    assert shown["images"] == []
    log = done(await owner.get(f"{at(post)}log/"))
    assert any(LINK["url"] in exchange["sent"] for entry in log for exchange in entry["exchanges"])


async def test_a_file_of_posts_brings_their_links_and_takes_them_along(
    api: httpx2.AsyncClient, user: User, make: Factory, networks: Networks
) -> None:
    await make.account(user, networks.url)
    file = (
        "content,link,link_title,link_description\n"
        f"With a card,{LINK['url']},{LINK['title']},{LINK['description']}\n"
        "Without,,,\n"
    )
    found = await previewed(api, file)
    assert (found["right"], found["wrong"]) == (2, 0)
    done(await imported(api, file, found["digest"]), 201)
    listed = {post["content"]: post["link"] for post in done(await api.get(POSTS))["items"]}
    assert listed == {"With a card": LINK, "Without": None}
    rows = {row["content"]: (row["link"], row["link_title"], row["link_description"]) for row in await exported(api)}
    assert rows == {"With a card": tuple(LINK.values()), "Without": ("", "", "")}

    wrong = f"content,link,link_title\nHalf,nowhere,\nLong,https://a.example,{'a' * 301}\nNowhere,,Only a title\n"
    told = {
        (line["number"], error["column"]): error["code"]
        for line in (await previewed(api, wrong))["wrong_lines"]
        for error in line["errors"]
    }
    assert told == {
        (2, "link"): ErrorCode.link_not_usable,
        (3, "link_title"): ErrorCode.field_too_long,
        (4, "link"): ErrorCode.link_not_usable,
    }
