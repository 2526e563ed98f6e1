"""What somebody may do by what they are subscribed to, as the web app hears of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import update

from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.rules.assistants import Mode
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services, wire
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.rules.posts import DeliveryState, PostStatus
from core.settings import Settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.made_posts import Posts
from tests.api.owned import own_a_post
from tests.api.test_approvals import ask_about
from tests.api.test_dry_runs import form_of
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.subscribed import store_subscription, with_billing

MORE = ErrorCode.subscription_required


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return with_billing(settings)


async def drafting(make: Factory, user: User, name: str) -> str:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    async with make.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(name=name))
    return f"/assistants/{assistant.id}/"


async def test_what_is_missing_is_said_at_activation(api: httpx2.AsyncClient, make: Factory, user: User) -> None:
    one, another = [await drafting(make, user, name) for name in "AB"]
    done(await api.post(f"{one}activate/"))
    problem = refused(await api.post(f"{another}activate/"), 402, MORE)
    assert problem["params"] == {"limit": "active_assistants", "allowed": 1, "used": 1, "subscribed": 0}
    assert done(await api.get(another))["active"] is False


async def test_one_click_resumes_as_many_as_may_go_on(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    await store_subscription(services, user.id, "active")
    paths = [await drafting(make, user, name) for name in "CAB"]
    for path in paths:
        done(await api.post(f"{path}activate/"))
    await store_subscription(services, user.id, "canceled")
    await services.subscriptions.sweep()
    [notification] = done(await api.get("/notifications/"))["items"]
    assert (notification["kind"], notification["assistant_id"]) == ("subscription_ended", None)
    found = done(await api.get("/users/subscription/"))
    assert (found["paused_assistants"], found["used"]["active_assistants"]) == (3, 0)
    # without a subscription one may, the first of the list
    found = done(await api.post("/users/resume_assistants/"))
    assert (found["paused_assistants"], found["used"]["active_assistants"]) == (2, 1)
    shown = [done(await api.get(path))["pause"] for path in paths]
    assert [pause and pause["reason"] for pause in shown] == ["subscription_ended", None, "subscription_ended"]
    refused(await api.post("/users/resume_assistants/"), 402, MORE)
    for way, body in (("resume", None), ("run", {"request_id": str(new_id())})):
        problem = refused(await api.post(f"{paths[0]}{way}/", json=body), 402, MORE)
        assert problem["params"]["limit"] == "active_assistants"
    await store_subscription(services, user.id, "active", id="sub_2")
    assert done(await api.post("/users/resume_assistants/"))["paused_assistants"] == 0
    assert [done(await api.get(path))["pause"] for path in paths] == [None] * 3
    # and once more, where there is nothing to resume
    done(await api.post("/users/resume_assistants/"))


async def test_a_post_beyond_the_months_is_not_published(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    posts = Posts(services, user, await make.account(user, networks.url))
    out: dict[str, Any] = {"status": PostStatus.published, "delivery": DeliveryState.published}
    for _ in range(2):
        await posts.add(**out, called_at=utcnow(), settled_at=utcnow())
    post_id = await posts.add(account_ids=[str(posts.account.id)], source="person")
    problem = refused(await api.post(f"/social-media-posts/{post_id}/publish/", json={"version": 1}), 402, MORE)
    assert problem["params"] == {"limit": "published_posts", "allowed": 2, "used": 2, "subscribed": 0}
    # it stays as it was, to be read and changed
    assert done(await api.get(f"/social-media-posts/{post_id}/"))["version"] == 1


@asynccontextmanager
async def modelled(services: Services, away: Gateway, user: User, **more: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """With models that nobody reaches: whoever asks them is seen."""
    settings = services.settings.model_copy(
        update={"openai_base_url": "http://127.0.0.1:1/v1", "text_model": "gpt-6-luna", "image_model": "gpt-image-2"}
        | more
    )
    own = wire(settings, services.engine, services.sessions)
    async with browsing(own, away, user) as client:
        yield client
    await own.writer.close()
    await own.pictures.close()


async def spent(services: Services, user: User, micros: int) -> None:
    id = new_id()
    row = Transaction(
        id=id,
        user_id=user.id,
        key=f"{id}:text",
        type=TransactionType.text,
        provider="openai",
        model="gpt-6-luna",
        cost_micros=micros,
        duration_ms=1,
    )
    async with services.sessions.begin() as session:
        session.add(row)


async def test_nothing_is_ordered_of_a_model_that_may_not_be_asked(
    services: Services, away: Gateway, make: Factory, user: User, networks: Networks
) -> None:
    """By whatever button; what costs nothing is ordered as ever."""
    assistant = await make.assistant(user, mode=Mode.draft)
    posts = Posts(services, user, await make.account(user, networks.url))
    post = f"/social-media-posts/{await posts.add(source='person')}/writings/"
    async with modelled(services, away, user, free_model_cost=1) as api:
        form = await form_of(api, assistant)
        tree = done(await api.get(f"/topics/{form['topic_tree_id']}/"))
        topics = iter(node["id"] for node in tree["topics"])
        text, image = [done(await api.get(f"/templates/?type={type}"))["items"][0]["id"] for type in ("text", "image")]
        inputs = {"Topic": "Rain", "Content": "Rain is wet."}
        said = {"body": "About ((Topic)).", "language": "en", "inputs": inputs}
        orders: list[tuple[str, dict[str, Any]]] = [
            (f"/templates/{text}/tryouts/", said),
            (f"/templates/{image}/tryouts/", said | {"settings": {"image": {"engine": "ai"}}}),
            ("/assistants/dry-runs/", {"assistant": form}),
            (f"{post}text/", {"template_id": text, "inputs": inputs, "language": "en"}),
            (f"{post}image/", {"template_id": image, "inputs": inputs, "language": "en", "content": "Rain is wet."}),
            (f"{post}passage/", {"text": "Rain is wet.", "start": 0, "end": 4, "remark": "Dry.", "language": "en"}),
        ]

        def suggestions() -> tuple[str, dict[str, Any]]:
            return f"/topics/{tree['id']}/topics/{next(topics)}/suggestions/", {"wanted": 3, "language": "en"}

        for path, body in (*orders, suggestions()):
            done(await api.post(path, json=body), 202)
        await spent(services, user, 999_999)
        for path, body in (*orders, suggestions()):
            problem = refused(await api.post(path, json=body), 402, MORE)
            assert problem["params"] == {"limit": "cost_micros", "allowed": 1_000_000, "used": 999_999, "subscribed": 0}
    async with browsing(services, away, user) as api:
        for path, body in (*orders, suggestions()):
            done(await api.post(path, json=body), 202)


async def test_another_text_is_not_ordered_either(
    services: Services, away: Gateway, make: Factory, networks: Networks
) -> None:
    mine = await own_a_post(services, make, networks)
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    async with modelled(services, away, mine.user) as api:
        post = done(await api.get(f"/social-media-posts/{mine.ids['post_id']}/"))
        wanted = {"content_hash": post["content_hash"], "remark": "Shorter."}
        path = f"/social-media-posts/{mine.ids['post_id']}/write-again/"
        await spent(services, mine.user, 9_999)
        assert refused(await api.post(path, json=wanted), 402, MORE)["params"]["limit"] == "cost_micros"
        await store_subscription(services, mine.user.id, "trialing")
        done(await api.post(path, json=wanted))
