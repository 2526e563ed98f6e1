"""What is written and drawn for a post that somebody composes. What its workflow does is done here by hand: Temporal is
away."""

import json
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import Transaction
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.tables.posts import Post
from core.templates.tables import Tryout
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.ai.test_model_calls import models
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_dry_runs import Modelled, said, streamed
from tests.api.test_media import uploaded
from tests.api.test_overview import an_account, save
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.pictures import jpeg

__all__ = ["models"]

TEXT = "Winter tyres hold better below seven degrees."
BODY = "Write a short post about ((Topic)) for ((Audience)) in ((Language))."


@pytest.fixture
async def path(api: httpx2.AsyncClient) -> str:
    id = new_id()
    draft = {"id": str(id), "content": "", "account_ids": [], "time_zone": "Europe/Berlin", "language": "en"}
    done(await api.post("/social-media-posts/", json=draft), 201)
    return f"/social-media-posts/{id}/writings/"


async def template(api: httpx2.AsyncClient, **more: Any) -> str:
    sent = {"type": "text", "name": "Tips", "language": "en", "body": BODY, **more}
    return str(done(await api.post("/templates/", json=sent), 201)["id"])


def text_order(template_id: str, **more: Any) -> dict[str, Any]:
    inputs = {"Topic": "Winter tyres", "Audience": "commuters"}
    return {"template_id": template_id, "language": "en", "inputs": inputs, **more}


async def made(
    api: httpx2.AsyncClient, services: Services, user: User, path: str, kind: str, order: dict[str, Any]
) -> dict[str, Any]:
    """Ordered, and done by hand."""
    queued = done(await api.post(f"{path}{kind}/", json=order), 202)
    assert (queued["state"], queued["kind"], queued["text"], queued["media_id"]) == ("queued", kind, "", None)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found: dict[str, Any] = done(await api.get(f"{path}{queued['id']}/"))
    return found


def spoken(text: str) -> Answer:
    return streamed([{"type": "response.completed", "response": said(text).body}])


async def calls(services: Services, user: User) -> list[Transaction]:
    async with services.sessions() as session:
        return list(await session.scalars(select(Transaction).where(Transaction.user_id == user.id)))


async def test_a_template_writes_and_it_is_booked_on_the_post(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    template_id = await template(api)
    found = await made(api, services, user, path, "text", text_order(template_id))
    assert "Winter tyres" in found["text"]
    assert (found["provider"], found["cost_micros"], found["on_budget"]) == ("demo", 0, False)
    [call] = await calls(services, user)
    assert str(call.tryout_id) == found["id"]
    assert call.key.startswith(f"post-{found['post_id']}:text:")
    # the post is still as it was: who composes it decides what becomes of the text
    assert done(await api.get(f"/social-media-posts/{found['post_id']}/"))["content"] == ""
    # and it is neither a try-out of its template nor a dry run
    assert done(await api.get(f"/templates/{template_id}/tryouts/"))["total"] == 0
    refused(await api.get(f"/templates/{template_id}/tryouts/{found['id']}/"), 404, ErrorCode.not_found)
    refused(await api.get(f"/assistants/dry-runs/{found['id']}/"), 404, ErrorCode.not_found)


async def test_a_topic_of_a_tree_brings_its_notes_and_is_not_used_up(
    api: httpx2.AsyncClient, services: Services, user: User, path: str, make: Factory, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant: Assistant = await make.assistant(user, accounts=(account.id,))
    tree = done(await api.get(f"/topics/{assistant.topic_tree_id}/"))
    topic = next(node for node in tree["topics"] if node["title"] == "Riding in snow")
    order = text_order(
        await template(api, body="((Topic)) below ((Topic Path))"),
        topic_tree_id=str(assistant.topic_tree_id),
        topic_id=topic["id"],
        inputs={},
        account_ids=[str(account.id)],
    )
    found = await made(api, services, user, path, "text", order)
    assert "Riding in snow" in found["text"]
    async with services.sessions() as session:
        row = await session.get_one(Tryout, UUID(found["id"]))
    assert str(row.sampled.topic_id) == topic["id"]
    assert row.sampled.setup.brief.topic_path
    after = done(await api.get(f"/topics/{assistant.topic_tree_id}/"))
    assert next(node for node in after["topics"] if node["id"] == topic["id"])["times_used"] == 0


async def test_what_is_wrong_is_said_at_its_place(api: httpx2.AsyncClient, path: str) -> None:
    template_id, image_id = await template(api), await template(api, type="image", body="((Content))")

    async def wrong(kind: str, **more: Any) -> dict[str, str]:
        return wrong_fields(await api.post(f"{path}{kind}/", json=text_order(template_id) | more))

    assert await wrong("text", template_id=str(new_id())) == {"template_id": ErrorCode.not_found}
    assert await wrong("text", template_id=image_id) == {"template_id": ErrorCode.template_required}
    assert await wrong("image", content="x") == {"template_id": ErrorCode.image_template_required}
    assert await wrong("image", template_id=image_id, content=" ") == {"content": ErrorCode.content_empty}
    assert await wrong("text", inputs={"Audience": " "}) == {
        "inputs.Topic": ErrorCode.variable_value_required,
        "inputs.Audience": ErrorCode.variable_value_required,
    }
    assert await wrong("text", inputs={"topic": "x", "Audience": "x" * 10_001}) == {
        "inputs.Audience": ErrorCode.content_too_long
    }
    nowhere = {"topic_tree_id": str(new_id()), "topic_id": str(new_id())}
    assert await wrong("text", **nowhere) == {"topic_id": ErrorCode.not_found}


async def test_a_passage_is_written_anew_between_what_stands_around_it(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    text = "👨‍👩‍👧 Ride. It rains a lot today. 🚲 See you!"
    passage = " It rains a lot today. "
    start = len(text[: text.index(passage)].encode("utf-16-le")) // 2
    order = {"text": text, "start": start, "end": start + len(passage), "remark": "Another way", "language": "en"}
    found = await made(api, services, user, path, "passage", order)
    assert found["text"].strip()
    assert (found["text"][0], found["text"][-1]) == (" ", " ")
    assert found["text"].strip() != passage.strip()
    [call] = await calls(services, user)
    assert call.key.startswith(f"post-{found['post_id']}:text:")


async def test_a_passage_that_is_none_is_refused(api: httpx2.AsyncClient, path: str) -> None:
    async def wrong(**more: Any) -> dict[str, str]:
        order = {"text": "🚲 ab", "start": 0, "end": 2, "remark": "Shorter", "language": "en", **more}
        return wrong_fields(await api.post(f"{path}passage/", json=order))

    assert await wrong(start=1) == {"start": ErrorCode.invalid_input}
    assert await wrong(end=99) == {"end": ErrorCode.invalid_input}
    assert await wrong(start=2, end=3) == {"end": ErrorCode.content_empty}
    assert await wrong(remark=" ") == {"remark": ErrorCode.content_empty}
    assert await wrong(remark="x" * 1_001) == {"remark": ErrorCode.content_too_long}


async def test_an_image_template_draws_for_the_text_and_the_picture_stays(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    template_id = await template(api, type="image", body="((Topic))\n((Content))")
    content = "Below seven degrees they hold better. Change them in time."
    order = text_order(template_id, content=content, inputs={"Topic": "Winter tyres"})
    found = await made(api, services, user, path, "image", order)
    assert (found["provider"], found["cost_micros"]) == ("cards", 0)
    assert found["alt"] == "Winter tyres. Below seven degrees they hold better.", "what stands on the card"
    assert (found["image_width"], found["image_height"]) == (1080, 1080)
    [kept] = done(await api.get("/media/"))["items"]
    assert (kept["id"], kept["alt"]) == (found["media_id"], found["alt"])
    [call] = await calls(services, user)
    assert call.key.startswith(f"post-{found['post_id']}:image:")


async def test_the_assistants_budget_pays_for_its_post_and_says_when_it_is_used_up(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    path: str,
    make: Factory,
    networks: Networks,
    models: Server,
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, UUID(path.split("/")[2]))
        post.assistant_id = assistant.id
        row = await session.get_one(Assistant, assistant.id)
        row.budget_unit, row.budget_amount = BudgetUnit.tokens, 20_000
    order = text_order(await template(api))
    models.answers("/v1/responses", spoken(TEXT), spoken("Quite another one."))
    async with Modelled(services, models) as own:
        queued = done(await api.post(f"{path}text/", json=order), 202)
        assert queued["on_budget"] is True
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
        found = done(await api.get(f"{path}{queued['id']}/"))
        [call] = await calls(services, user)
        assert (call.assistant_id, call.input_tokens) == (assistant.id, found["input_tokens"])
        assert call.cost_micros == found["cost_micros"] != 0
        passage = {"text": "Ride. It rains.", "start": 0, "end": 5, "remark": "Warmer", "language": "en"}
        anew = done(await api.post(f"{path}passage/", json=passage), 202)
        assert await own.tryouts.make(user.id, UUID(anew["id"]), 1) is GenerationState.succeeded
        assert done(await api.get(f"{path}{anew['id']}/"))["text"] == "Quite another one."
        asked = models.requests[-1].json
        assert "<value>Warmer</value>" in str(asked)
        assert "<value> It rains.</value>" in str(asked)
        async with services.sessions.begin() as session:
            (await session.get_one(Assistant, assistant.id)).budget_amount = 400
        third = done(await api.post(f"{path}text/", json=order), 202)
        with pytest.raises(Exception, match="budget_spent"):
            await own.tryouts.make(user.id, UUID(third["id"]), 1)
    assert done(await api.get(f"{path}{third['id']}/"))["reason"] == ErrorCode.budget_spent
    assert len(await calls(services, user)) == 2


async def test_a_template_that_goes_takes_what_it_was_writing_with_it(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    template_id = await template(api)
    queued = done(await api.post(f"{path}text/", json=text_order(template_id)), 202)
    done(await api.delete(f"/templates/{template_id}/"), 204)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is None
    refused(await api.get(f"{path}{queued['id']}/"), 404, ErrorCode.not_found)


async def test_stopping_needs_something_to_stop(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    queued = done(await api.post(f"{path}text/", json=text_order(await template(api))), 202)
    refused(await api.post(f"{path}{queued['id']}/cancel/"), 503, ErrorCode.temporal_unavailable)
    assert await services.tryouts.cancel(user.id, UUID(queued["id"])) is GenerationState.cancelled
    refused(await api.post(f"{path}{queued['id']}/cancel/"), 409, ErrorCode.tryout_over)


async def test_it_is_its_posts_and_its_persons_alone(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, path: str
) -> None:
    order = text_order(await template(api))
    queued = done(await api.post(f"{path}text/", json=order), 202)
    refused(await api.get(f"/social-media-posts/{new_id()}/writings/{queued['id']}/"), 404, ErrorCode.not_found)
    refused(await api.post(f"/social-media-posts/{new_id()}/writings/text/", json=order), 404, ErrorCode.not_found)
    async with browsing(services, away, await make.user()) as stranger:
        for answer in (
            await stranger.post(f"{path}text/", json=order),
            await stranger.get(f"{path}{queued['id']}/"),
            await stranger.post(f"{path}{queued['id']}/cancel/"),
        ):
            refused(answer, 404, ErrorCode.not_found)


async def test_each_network_gets_its_text_where_that_is_wished(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    path: str,
    make: Factory,
    networks: Networks,
    models: Server,
) -> None:
    kinds = (ChannelKind.linkedin, ChannelKind.mastodon)
    accounts = [str((await make.account(user, networks.url, kind=kind)).id) for kind in kinds]
    texts = {"linkedin": TEXT, "mastodon": "Soft tyres grip in the cold. Winter tyres stay soft."}
    models.answers("/v1/responses", spoken(json.dumps(texts)), spoken(TEXT))
    order = text_order(await template(api), account_ids=accounts)
    async with Modelled(services, models) as own:
        found = await made(api, own, user, path, "text", order | {"per_network": True})
        one = await made(api, own, user, path, "text", order)
    assert (found["text"], one["text"], one["texts"]) == (TEXT, TEXT, [])
    assert found["texts"] == [{"channel": kind, "content": text} for kind, text in texts.items()]
    forms = ["text" in request.json for request in models.requests]
    assert forms == [True, False]


@pytest.mark.parametrize("per_network", [False, True])
async def test_one_text_for_all_networks_fits_each_of_them(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    path: str,
    make: Factory,
    networks: Networks,
    per_network: bool,
) -> None:
    sky = an_account(user, "Mara Lind")
    sky.kind = ChannelKind.bluesky
    await save(services, sky)
    accounts = [str((await make.account(user, networks.url)).id), str(sky.id)]
    notes = " ".join(f"Tyre number {at} grips better on a wet road than the one before it." for at in range(9))
    tree = done(await api.post("/topics/", json={"name": "Tyres", "text": "- Winter tyres"}), 201)
    topic = tree["topics"][0]["id"]
    done(await api.patch(f"/topics/{tree['id']}/topics/{topic}/", json={"notes": notes}))
    of_tree = {"topic_tree_id": tree["id"], "topic_id": topic}
    order = text_order(await template(api), account_ids=accounts, per_network=per_network, **of_tree)
    found = await made(api, services, user, path, "text", order)
    assert found["texts"] == []
    assert "Winter tyres" in found["text"]
    assert len(found["text"]) <= 300
    roomy = await made(api, services, user, path, "text", order | {"account_ids": accounts[:1]})
    assert len(roomy["text"]) > 300


@pytest.mark.parametrize("per_network", [False, True])
@pytest.mark.parametrize("has_own_link", [False, True])
async def test_one_text_fits_above_the_address_that_stands_below_it(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    has_own_link: bool,
    per_network: bool,
) -> None:
    small, roomy = an_account(user, "Mara Lind"), an_account(user, "Lind Bikes")
    small.kind = ChannelKind.threads  # shows a card, but not beside an image
    await save(services, small)
    await save(services, roomy)
    accounts = [str(small.id), str(roomy.id)]
    image = (await uploaded(api, jpeg(640, 480)))["id"]
    link = {"url": f"https://blog.example/{'winter-' * 45}tyres", "title": "Winter tyres", "description": ""}
    draft = {
        "id": str(new_id()),
        "content": "",
        "account_ids": accounts,
        "time_zone": "Europe/Berlin",
        "language": "en",
        "files": [{"media_id": image, "alt": "Rain"}],
        "link": link if has_own_link else None,
    }
    done(await api.post("/social-media-posts/", json=draft), 201)
    notes = " ".join(f"Tyre number {at} grips better on a wet road than the one before it." for at in range(9))
    tree = done(await api.post("/topics/", json={"name": "Tyres", "text": "- Winter tyres"}), 201)
    topic = tree["topics"][0]["id"]
    of_topic = {"notes": notes, "link": "" if has_own_link else link["url"]}
    done(await api.patch(f"/topics/{tree['id']}/topics/{topic}/", json=of_topic))
    order = text_order(
        await template(api),
        account_ids=accounts,
        per_network=per_network,
        topic_tree_id=tree["id"],
        topic_id=topic,
    )
    found = await made(api, services, user, f"/social-media-posts/{draft['id']}/writings/", "text", order)
    assert "Winter tyres" in found["text"]
    composed = {"content": found["text"], "media_ids": [image], "account_ids": accounts, "link": link}
    fits = done(await api.post("/social-media-posts/fit/", json=composed))
    assert [fit["problems"] for fit in fits] == [[], []]
