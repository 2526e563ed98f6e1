"""What was asked of a network and what came back, as a person reads it on the post's page."""

from datetime import timedelta
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import Ambiguous, ErrorCode
from core.ids import new_id
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
    await networks.calm()
    return Posts(services, user, await make.account(user, networks.url))


async def due(posts: Posts, text: str) -> tuple[UUID, UUID]:
    """A post that goes out now: its id, its delivery's."""
    post_id = await posts.add(text, status=PostStatus.complete, planned_at=utcnow(), delivery=DeliveryState.pending)
    async with posts.services.sessions() as session:
        delivery_id = await session.scalar(select(Delivery.id).where(Delivery.post_id == post_id))
    assert delivery_id is not None
    return post_id, delivery_id


async def deliver(posts: Posts, delivery_id: UUID) -> DeliveryOutcome:
    async def at_once() -> None:
        return

    return await posts.services.delivering.deliver(posts.user.id, delivery_id, wait=at_once)


def told(entries: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(one["attempt"], one["step"], one["decision"], one["error_code"]) for one in entries]


async def test_it_tells_what_was_sent_and_what_came_back_without_the_token(
    api: httpx2.AsyncClient, services: Services, posts: Posts
) -> None:
    text = f"Spokes (true ones) {new_id()}"
    post_id, delivery_id = await due(posts, text)
    assert await deliver(posts, delivery_id) is DeliveryOutcome.published
    log = done(await api.get(f"{PATH}{post_id}/log/"))
    assert told(log) == [(1, "publish", "done", None)]
    assert log[0]["delivery_id"] == str(delivery_id)
    [call] = log[0]["exchanges"]
    assert call["asked"].startswith("POST http")
    assert call["asked"].endswith("/rest/posts")
    assert call["status"] == 201
    assert text.replace("(", r"\\(").replace(")", r"\\)") in call["sent"]
    token = services.connecting.credentials(posts.account).access_token
    assert token not in str(log)

    done(await api.post(f"{PATH}{post_id}/remove/", json={"delivery_ids": [str(delivery_id)], "here": False}))
    assert await carry_out(services, FollowUpKind.removal) == 1
    log = done(await api.get(f"{PATH}{post_id}/log/"))
    assert told(log)[1:] == [(1, "remove", "done", None)]
    assert log[1]["exchanges"][0]["asked"].startswith("DELETE ")


async def test_a_lost_answer_is_looked_up_and_each_step_stays_to_be_read(
    api: httpx2.AsyncClient, posts: Posts, networks: Networks
) -> None:
    post_id, delivery_id = await due(posts, f"Lost {new_id()}")
    await networks.fail(on="posts", kind="lost_answer")
    with pytest.raises(Ambiguous):
        await deliver(posts, delivery_id)
    async with posts.services.sessions.begin() as session:
        called = update(Delivery).where(Delivery.id == delivery_id)
        await session.execute(called.values(called_at=utcnow() - timedelta(minutes=2)))
    assert await deliver(posts, delivery_id) is DeliveryOutcome.unknown
    log = done(await api.get(f"{PATH}{post_id}/log/"))
    assert told(log) == [
        (1, "publish", "look_up", ErrorCode.ambiguous_outcome),
        (2, "look_up", "unknown", None),
    ]
    [lost] = log[0]["exchanges"]
    assert (lost["status"], str(lost["answer"]).endswith("Error")) == (None, True)


async def test_a_refusal_is_told_in_the_networks_words(
    api: httpx2.AsyncClient, posts: Posts, networks: Networks
) -> None:
    post_id, delivery_id = await due(posts, f"Refused {new_id()}")
    await networks.fail(on="posts", kind="status", status=422)
    assert await deliver(posts, delivery_id) is DeliveryOutcome.failed
    log = done(await api.get(f"{PATH}{post_id}/log/"))
    assert told(log) == [(1, "publish", "failed", ErrorCode.delivery_refused)]
    assert log[0]["exchanges"][0]["status"] == 422


async def test_of_a_post_that_is_not_ones_own_there_is_none(
    api: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks
) -> None:
    other = await make.user()
    post_id = await Posts(services, other, await make.account(other, networks.url)).add()
    refused(await api.get(f"{PATH}{post_id}/log/"), 404, ErrorCode.not_found)
