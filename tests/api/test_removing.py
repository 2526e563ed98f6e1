"""Deleting on the networks over HTTP, carried out as a worker does, against the stand-in."""

import httpx2
import pytest
from sqlalchemy import select

from core.container import Services
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.posts import Outgoing
from core.networks.registry import channel
from core.posts.rules.posts import DeliveryState, PostStatus
from core.users.tables.users import User
from tests.api.conftest import done, refused
from tests.api.made_posts import Posts
from tests.conftest import Networks
from tests.factories import Factory
from tests.follow_ups import carry_out

PATH = "/social-media-posts/"


@pytest.fixture
async def posts(services: Services, make: Factory, user: User, networks: Networks) -> Posts:
    return Posts(services, user, await make.account(user, networks.url))


async def published(posts: Posts) -> tuple[str, str, str]:
    """A post that is out: its id, its delivery's, and the network's."""
    network, to = channel(posts.account.kind), posts.services.connecting.credentials(posts.account)
    text = f"Not for long {new_id()}"
    receipt = await network.prepare(to, Outgoing(text, ()), ()).publish()
    assert receipt.provider_id
    post_id = await posts.add(text, status=PostStatus.published, delivery=DeliveryState.published)
    async with posts.services.sessions.begin() as session:
        delivery = (await session.scalars(select(Delivery).where(Delivery.post_id == post_id))).one()
        delivery.provider_id, delivery.permalink = receipt.provider_id, receipt.permalink
        return str(post_id), str(delivery.id), receipt.provider_id


async def test_it_is_deleted_at_the_network_by_the_next_round(
    api: httpx2.AsyncClient, services: Services, posts: Posts, networks: Networks
) -> None:
    await networks.calm()
    post_id, delivery_id, urn = await published(posts)
    [shown] = done(await api.get(f"{PATH}{post_id}/"))["deliveries"]
    assert (shown["removable"], shown["removal"]) == ("yes", None)

    await networks.fail(on="deletes", kind="status", status=403)
    asked = done(await api.post(f"{PATH}{post_id}/remove/", json={"delivery_ids": [delivery_id], "here": True}))
    assert (asked["leaves"], asked["deliveries"][0]["removal"]["state"]) == (True, "waiting")
    assert await carry_out(services, FollowUpKind.removal) == 0
    post = done(await api.get(f"{PATH}{post_id}/"))
    removal = post["deliveries"][0]["removal"]
    assert (removal["state"], removal["error_code"]) == ("failed", ErrorCode.removal_refused)
    assert removal["error_detail"].startswith("403")
    assert urn in {one["id"] for one in await networks.posts()}

    done(await api.post(f"{PATH}{post_id}/remove/", json={"delivery_ids": [delivery_id], "here": True}))
    assert await carry_out(services, FollowUpKind.removal) == 1
    assert urn not in {one["id"] for one in await networks.posts()}
    refused(await api.get(f"{PATH}{post_id}/"), 404, ErrorCode.not_found)
    # brought back, it says what has become of it there
    body = {"action": "restore", "posts": [{"id": post_id, "version": 1}]}
    assert done(await api.post(f"{PATH}bulk/", json=body))["done"] == 1
    [shown] = done(await api.get(f"{PATH}{post_id}/"))["deliveries"]
    assert (shown["state"], shown["removable"], shown["removal"]["state"]) == ("published", "not_there", "removed")
    assert shown["removal"]["removed_at"] is not None


async def test_many_are_deleted_there_where_they_can_be_and_here(
    api: httpx2.AsyncClient, services: Services, posts: Posts, networks: Networks
) -> None:
    await networks.calm()
    out, _, urn = await published(posts)
    draft = str(await posts.add())
    kept, _, still = await published(posts)
    picked = [{"id": one, "version": 1} for one in (out, draft)]
    assert done(await api.post(f"{PATH}bulk/", json={"action": "remove", "posts": picked}))["done"] == 2
    elsewhere = {"action": "remove", "posts": [{"id": kept, "version": 1}], "account_ids": [str(new_id())]}
    refused(await api.post(f"{PATH}bulk/", json=elsewhere), 404, ErrorCode.not_found)
    assert done(await api.post(f"{PATH}bulk/", json=elsewhere | {"action": "delete", "account_ids": []}))["done"] == 1
    assert [one["id"] for one in done(await api.get(PATH))["items"]] == [out], "until it is gone there"
    assert await carry_out(services, FollowUpKind.removal) == 1
    assert done(await api.get(PATH))["total"] == 0
    live = {one["id"] for one in await networks.posts()}
    assert (urn in live, still in live) == (False, True)


async def test_what_a_person_found_is_never_deleted_by_their_word(
    api: httpx2.AsyncClient, posts: Posts, networks: Networks
) -> None:
    post_id = await posts.add(status=PostStatus.complete, delivery=DeliveryState.unknown)
    [delivery] = done(await api.get(f"{PATH}{post_id}/"))["deliveries"]
    decision = f"{PATH}{post_id}/deliveries/{delivery['id']}/decision/"
    answer = await api.post(decision, json={"answer": "there", "address": "https://example.org/feed/update/7"})
    [problem] = refused(answer, 422, ErrorCode.invalid_input)["errors"]
    assert (problem["field"], problem["code"]) == ("address", ErrorCode.delivery_address_unusable)
    found = {"answer": "there", "address": f" {networks.url}/feed/update/urn:li:share:99/?utm=x "}
    [shown] = done(await api.post(decision, json=found))["deliveries"]
    assert shown["permalink"] == f"{networks.url}/feed/update/urn:li:share:99/"
    assert shown["removable"] == "unnamed"
    answer = await api.post(f"{PATH}{post_id}/remove/", json={"delivery_ids": [delivery["id"]]})
    [problem] = refused(answer, 422, ErrorCode.removal_not_possible)["errors"]
    assert problem["params"] == {"reason": "unnamed"}
    done(await api.delete(decision))
    [shown] = done(await api.get(f"{PATH}{post_id}/"))["deliveries"]
    assert (shown["state"], shown["permalink"]) == ("unknown", None)
    refused(await api.delete(decision), 409, ErrorCode.post_not_editable)


async def test_what_belongs_to_another_post_is_not_there(api: httpx2.AsyncClient, posts: Posts) -> None:
    post_id = await posts.add(status=PostStatus.published, delivery=DeliveryState.published)
    other = await posts.add(status=PostStatus.published, delivery=DeliveryState.published)
    [theirs] = done(await api.get(f"{PATH}{other}/"))["deliveries"]
    answer = await api.post(f"{PATH}{post_id}/remove/", json={"delivery_ids": [theirs["id"]]})
    refused(answer, 404, ErrorCode.not_found)
