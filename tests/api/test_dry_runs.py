"""A sample post from the assistant's form. What its workflow does is done here by hand: Temporal is away."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from pydantic import SecretStr
from sqlalchemy import func, select

from core.ai.pictures.base import Picture
from core.ai.rules.generation import GenerationState
from core.ai.rules.usage import UNKNOWN_USAGE
from core.ai.tables.transactions import Transaction
from core.assistants.budgets import BudgetService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.tables import Assistant
from core.container import Services, wire
from core.errors import ErrorCode, Unavailable
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import PostSource
from core.posts.tables.posts import Post
from core.templates.repositories.templates import TemplateRepository
from core.templates.tables import Tryout
from core.topics.tables import Topic
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.ai.test_model_calls import TEXT, a_picture, answered, generated, models, told, writing
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.runs.test_carousels import PAGES, POST, carousel_assistant, full_storage
from tests.runs.test_carousels import said as text_said

__all__ = ["models"]

PATH = "/assistants/dry-runs/"


@pytest.fixture
async def assistant(make: Factory, user: User, networks: Networks) -> Assistant:
    account = await make.account(user, networks.url)
    return await make.assistant(user, accounts=(account.id,))


async def form_of(api: httpx2.AsyncClient, assistant: Assistant, **more: Any) -> dict[str, Any]:
    """The form as the web app holds it."""
    read = done(await api.get(f"/assistants/{assistant.id}/"))
    kept = ("name", "tags", "topic_tree_id", "strategy", "pick_from", "image_source", "image_fallback", "variables",
            "schedule", "mode", "language", "lead_minutes", "budget")  # fmt: skip
    return {
        **{name: read[name] for name in kept},
        "budget": None,
        "template_version_id": read["template"]["version_id"],
        "image_template_version_id": read["image_template"]["version_id"] if read["image_template"] else None,
        "account_ids": [account["id"] for account in read["accounts"]],
        **more,
    }


async def ordered(api: httpx2.AsyncClient, form: dict[str, Any], **more: Any) -> dict[str, Any]:
    started: dict[str, Any] = done(await api.post(PATH, json={"assistant": form, **more}), 202)
    return started


async def read(api: httpx2.AsyncClient, dry_run: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = done(await api.get(f"{PATH}{dry_run['id']}/"))
    return found


async def test_a_sample_post_with_its_image(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    queued = await ordered(api, await form_of(api, assistant), assistant_id=str(assistant.id))
    assert (queued["state"], queued["text"], queued["written"], queued["wants_image"]) == ("queued", "", False, True)
    assert (queued["topic"]["title"], queued["topic"]["path"]) == ("Rain without drama", ["Cargo bikes", "Weather"])
    assert [account["name"] for account in queued["accounts"]] == ["Mara Lind"]
    assert datetime.fromisoformat(queued["slot"]) > datetime.now(UTC)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert (found["state"], found["written"], found["facts"], found["image_reason"]) == ("succeeded", True, {}, None)
    assert "Rain without drama" in found["text"]
    assert found["image_url"]
    assert (found["provider"], found["cost_micros"], found["on_budget"]) == ("demo", 0, False)
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Post)) == 0
        assert await session.scalar(select(func.sum(Topic.times_used)).where(Topic.user_id == user.id)) == 0
        calls = list(await session.scalars(select(Transaction).where(Transaction.user_id == user.id)))
    assert {str(call.tryout_id) for call in calls} == {queued["id"]}


@pytest.fixture
async def writes_articles(make: Factory, user: User, networks: Networks) -> tuple[Assistant, UUID]:
    """And the website that it writes for."""
    await networks.calm()
    website_id = await make.website(user, networks.url)
    return await make.assistant(user, image=True), website_id


async def test_of_an_article_it_shows_title_and_headings(
    api: httpx2.AsyncClient, services: Services, user: User, writes_articles: tuple[Assistant, UUID]
) -> None:
    assistant, website_id = writes_articles
    form = await form_of(api, assistant, website_id=str(website_id), account_ids=[])
    queued = await ordered(api, form)
    assert (queued["is_article"], queued["outline"], queued["text"], queued["written"]) == (True, None, "", False)
    assert (queued["topic"]["title"], queued["wants_image"]) == ("Rain without drama", False)
    assert [account["kind"] for account in queued["accounts"]] == ["wordpress"], "which its template may name"
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    outline = found["outline"]
    assert "Rain without drama" in outline["title"]
    assert len(outline["headings"]) >= 3
    assert outline["further_texts"] == len(outline["headings"]) + 2, "each section, the summary, the search results"
    assert (found["state"], found["text"], found["written"]) == ("succeeded", "", True)
    assert (found["image_url"], found["image_reason"]) == (None, None)
    assert (found["provider"], found["cost_micros"]) == ("demo", 0)
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Post)) == 0
        calls = list(await session.scalars(select(Transaction).where(Transaction.user_id == user.id)))
    assert [str(call.tryout_id) for call in calls] == [queued["id"]], "one call, whatever a whole article takes"


async def test_a_website_that_is_not_there_has_none(
    api: httpx2.AsyncClient, writes_articles: tuple[Assistant, UUID]
) -> None:
    form = await form_of(api, writes_articles[0], website_id=str(new_id()), account_ids=[])
    refused(await api.post(PATH, json={"assistant": form}), 404, ErrorCode.not_found)


async def test_the_topic_is_the_one_that_the_next_run_picks(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    """After a run has taken the first one; and another can be chosen, also one that is not enabled."""
    form = await form_of(api, assistant)
    slot = datetime(2036, 11, 21, 9, tzinfo=UTC)
    for number, title in enumerate(["Rain without drama", "Riding in snow", "What a service costs"]):
        told_next = await ordered(api, form, assistant_id=str(assistant.id))
        assert told_next["topic"]["title"] == title
        run = UUID(int=number + 1)
        await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot + timedelta(days=number))
    async with services.sessions() as session:
        root = await session.scalar(select(Topic.id).where(Topic.user_id == user.id, Topic.title == "Cargo bikes"))
    chosen = await ordered(api, form, topic_id=str(root))
    assert chosen["topic"] == {"id": str(root), "title": "Cargo bikes", "path": []}
    refused(await api.post(PATH, json={"assistant": form, "topic_id": str(UUID(int=9))}), 404, ErrorCode.not_found)


async def test_a_form_that_is_not_saved_needs_no_name_and_no_dates(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    form = await form_of(api, assistant, name="", language="de", image_source="none", account_ids=[])
    form["schedule"] = {"frequency": "weekly", "time_zone": "Mars/Base", "time_slots": []}
    queued = await ordered(api, form)
    await services.tryouts.make(user.id, UUID(queued["id"]), 1)
    found = await read(api, queued)
    assert (found["state"], found["language"], found["accounts"], found["image_url"]) == ("succeeded", "de", [], None)


async def test_what_is_missing_for_a_sample_is_said_at_its_field(api: httpx2.AsyncClient, assistant: Assistant) -> None:
    empty = await form_of(api, assistant, topic_tree_id=None, template_version_id=None, image_template_version_id=None)
    answer = await api.post(PATH, json={"assistant": empty})
    assert wrong_fields(answer, ErrorCode.assistant_incomplete) == {
        "topic_tree_id": "topic_tree_required",
        "template_id": "template_required",
        "image_template_id": "image_template_missing",
    }


async def test_another_users_is_not_there(
    api: httpx2.AsyncClient, services: Services, make: Factory, away: Gateway, assistant: Assistant
) -> None:
    form = await form_of(api, assistant)
    queued = await ordered(api, form)
    async with browsing(services, away, await make.user()) as other:
        refused(await other.get(f"{PATH}{queued['id']}/"), 404, ErrorCode.not_found)
        refused(await other.post(f"{PATH}{queued['id']}/cancel/"), 404, ErrorCode.not_found)
        for theirs in ({"assistant": form}, {"assistant": form, "assistant_id": str(assistant.id)}):
            refused(await other.post(PATH, json=theirs), 404, ErrorCode.not_found)


async def test_it_is_no_try_out_of_its_template(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    queued = await ordered(api, await form_of(api, assistant))
    async with services.sessions() as session:
        version = await TemplateRepository(session).version(user.id, assistant.template_version_id or UUID(int=0))
    tryouts = f"/templates/{version.template_id}/tryouts/"
    assert done(await api.get(tryouts))["total"] == 0
    refused(await api.get(f"{tryouts}{queued['id']}/"), 404, ErrorCode.not_found)


async def test_one_that_is_stopped_stays_so(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    queued = await ordered(api, await form_of(api, assistant))
    await services.tryouts.cancel(user.id, UUID(queued["id"]))
    refused(await api.post(f"{PATH}{queued['id']}/cancel/"), 409, ErrorCode.tryout_over)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.cancelled


# with a model


class Modelled:
    def __init__(self, services: Services, models: Server) -> None:
        update = {
            "openai_api_key": SecretStr("sk-nobody"),
            "openai_base_url": f"{models.url}/v1",
            "text_model": "gpt-6-luna",
            "image_model": "gpt-image-2",
        }
        self.own = wire(services.settings.model_copy(update=update), services.engine, services.sessions)

    async def __aenter__(self) -> Services:
        return self.own

    async def __aexit__(self, *_: object) -> None:
        await self.own.writer.close()
        await self.own.pictures.close()


SAID = answered({"type": "output_text", "text": TEXT, "annotations": []}, usage=told(321, 45))


async def test_a_repeat_after_the_text_pays_for_the_image_alone(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant, models: Server
) -> None:
    body = [{"type": "response.completed", "response": SAID.body, "sequence_number": 1}]
    models.answers("/v1/responses", streamed(body))
    models.answers("/v1/images/generations", Answer(500), generated(a_picture()))
    queued = await ordered(api, await form_of(api, assistant), assistant_id=str(assistant.id))
    async with Modelled(services, models) as own:
        with pytest.raises(Exception, match="model_unavailable"):
            await own.tryouts.make(user.id, UUID(queued["id"]), 1)
        waiting = await read(api, queued)
        assert (waiting["state"], waiting["text"], waiting["reason"]) == ("running", TEXT, "model_unavailable")
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 2) is GenerationState.succeeded
    found = await read(api, queued)
    assert (found["text"], found["image_reason"]) == (TEXT, None)
    assert found["image_url"]
    # 54.6 millionths for the text, 31,930 for the image
    assert (found["input_tokens"], found["output_tokens"], found["cost_micros"]) == (371, 1101, 31_985)
    assert [request.path for request in models.requests].count("/v1/responses") == 1


async def test_while_the_storage_is_away_no_image_is_paid_for(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    assistant: Assistant,
    models: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither for a dry run nor for a test run of a template."""
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": SAID.body}]))
    models.answers("/v1/images/generations", generated(a_picture()))
    sample = await ordered(api, await form_of(api, assistant))
    body = {"type": "image", "name": "Motif", "language": "en", "body": "A picture"}
    template = done(await api.post("/templates/", json=body), 201)
    tried = {"body": "A picture", "language": "en", "inputs": {}, "settings": {"image": {"engine": "ai"}}}
    tryout = done(await api.post(f"/templates/{template['id']}/tryouts/", json=tried), 202)
    async with Modelled(services, models) as own:
        for queued in (sample, tryout):
            for attempt in range(1, 6):
                with full_storage(own, monkeypatch, room=0), pytest.raises(Unavailable):
                    await own.tryouts.make(user.id, UUID(queued["id"]), attempt)
            assert await own.tryouts.make(user.id, UUID(queued["id"]), 6) is GenerationState.succeeded
    assert [request.path for request in models.requests].count("/v1/images/generations") == 2


def streamed(events: list[dict[str, Any]]) -> Answer:
    lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Answer(200, lines.encode(), {"Content-Type": "text/event-stream"})


def said(text: str) -> Answer:
    return answered({"type": "output_text", "text": text, "annotations": []}, usage=told(1000, 10))


async def test_what_a_model_plans_of_an_article_is_seen_while_it_comes_and_paid(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    writes_articles: tuple[Assistant, UUID],
    models: Server,
) -> None:
    assistant, website_id = writes_articles
    plan = said("# Rain, dry\n\n## Why\n## How")
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": plan.body}]))
    queued = await ordered(api, await form_of(api, assistant, website_id=str(website_id), account_ids=[]))
    async with services.sessions.begin() as session:  # as its step shows it
        (await session.get_one(Tryout, UUID(queued["id"]))).output = "Rain, dry\n## Wh"
    assert (await read(api, queued))["outline"] == {"title": "Rain, dry", "headings": ["Wh"], "further_texts": 3}
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert found["outline"] == {"title": "Rain, dry", "headings": ["Why", "How"], "further_texts": 4}
    assert (found["input_tokens"], found["output_tokens"]) == (1000, 10)
    assert found["cost_micros"] > 0
    [asked] = models.requests
    assert "You plan one article for a website." in str(asked.json)


async def test_it_shows_the_text_of_each_network(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    networks: Networks,
    user: User,
    assistant: Assistant,
    models: Server,
) -> None:
    mastodon = await make.account(user, networks.url, kind=ChannelKind.mastodon)
    form = await form_of(api, assistant, image_source="none", second_look="off")
    form["account_ids"].append(str(mastodon.id))
    texts = {"linkedin": TEXT, "mastodon": "Mudguards on, drama off."}
    both = said(json.dumps(texts))
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": both.body}]))
    queued = await ordered(api, form, assistant_id=str(assistant.id))
    assert queued["texts"] == []
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert found["text"] == TEXT
    assert found["texts"] == [{"channel": kind, "content": text} for kind, text in texts.items()]
    assert (found["facts"]["texts"], found["input_tokens"]) == (2, 1000)
    # and the demo writer shows one for both
    queued = await ordered(api, form, assistant_id=str(assistant.id))
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    assert (await read(api, queued))["texts"] == []


async def test_a_text_that_is_too_long_is_shortened_by_the_model_as_in_a_run(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant, models: Server
) -> None:
    long = said("Ride to work when it rains. " * 150)
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": long.body}]), said(TEXT))
    queued = await ordered(api, await form_of(api, assistant, image_source="none"))
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert found["text"] == TEXT
    assert found["facts"] == {"fitting": "shortened", "first_characters": 4199, "limit": 3000}
    assert (found["input_tokens"], found["output_tokens"]) == (2000, 20)


async def test_a_text_that_the_model_cannot_shorten_now_is_cut_and_says_why(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant, models: Server
) -> None:
    long = said("Ride to work when it rains. " * 150)
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": long.body}]), Answer(503))
    queued = await ordered(api, await form_of(api, assistant, image_source="none"))
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert found["text"].endswith("when it rains.")
    assert len(found["text"]) <= 3000
    assert (found["facts"]["fitting"], found["facts"]["fitting_code"]) == ("cut", "model_unavailable")


async def test_a_text_that_repeats_a_post_is_written_again_as_in_a_run(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    assistant: Assistant,
    models: Server,
) -> None:
    async with services.sessions.begin() as session:
        session.add(
            Post(
                id=new_id(),
                user_id=user.id,
                assistant_id=assistant.id,
                source=PostSource.assistant,
                content=TEXT,
                topic_title="Mudguards",
            )
        )
    other = "Chains like oil after every wet week, and so does your temper on the hill home."
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": SAID.body}]), said(other))
    queued = await ordered(api, await form_of(api, assistant, image_source="none"), assistant_id=str(assistant.id))
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert found["text"] == other
    assert (found["facts"]["repetition"], found["facts"]["similar_topic"]) == ("rewritten", "Mudguards")


@pytest.mark.parametrize(("second_look", "found"), [("rules", [("cliche", None)]), ("off", [])])
async def test_what_the_second_look_finds_is_shown_as_at_a_post(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    assistant: Assistant,
    models: Server,
    second_look: str,
    found: list[tuple[str, None]],
) -> None:
    form = await form_of(api, assistant, image_source="none", second_look=second_look)
    models.answers("/v1/responses", text_said("Mudguards are a game-changer. Rain is only water."))
    queued = await ordered(api, form)
    assert queued["review"] == []
    async with writing(services, models.url) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    notes = (await read(api, queued))["review"]
    assert [(note["finding"], note["network"]) for note in notes] == found
    assert len(models.requests) == 1


async def test_its_image_is_shown_and_is_not_in_the_library(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    form = await form_of(api, assistant)
    queued = await ordered(api, form)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    picture = await api.get(f"http://postloom.test{found['image_url']}")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    library = done(await api.get("/media/", params={"origin": "assistant"}))
    assert (library["items"], library["total"]) == ([], 0)


async def test_of_a_carousel_it_names_the_document_that_a_run_makes_of_the_pages(
    api: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, user: User, models: Server
) -> None:
    carousel = await carousel_assistant(make, networks, ChannelKind.linkedin, user=user)
    form = await form_of(api, carousel, second_look="off")
    models.answers("/v1/responses", text_said(POST), text_said(json.dumps({"pages": PAGES})))
    queued = await ordered(api, form)
    assert (queued["pages"], queued["document_title"]) == ([], None)
    async with writing(services, models.url) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert (len(found["pages"]), found["document_title"]) == (4, "Rain without drama")


async def test_an_image_of_the_library_stays_there_when_a_dry_run_makes_the_same(
    services: Services, user: User
) -> None:
    picture = Picture(a_picture(), "image/png", 64, 64, "openai", "gpt-image-2", UNKNOWN_USAGE, None)
    kept = await services.media.store(user.id, picture, name="Mine")
    again = await services.media.store(user.id, picture, name="Sample", kept=False)
    assert (again.id, again.name, again.deleted_at) == (kept.id, "Mine", None)
    # and what was only shown is in the library once it is really made
    other = replace(picture, data=a_picture() + b"-")
    shown = await services.media.store(user.id, other, kept=False)
    assert shown.deleted_at is not None
    assert (await services.media.store(user.id, other)).deleted_at is None


async def test_an_image_that_cannot_be_had_is_said_beside_the_text(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant, models: Server
) -> None:
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": SAID.body}]))
    models.answers("/v1/images/generations", Answer(400, {"error": {"message": "no", "code": "moderation_blocked"}}))
    queued = await ordered(api, await form_of(api, assistant))
    async with Modelled(services, models) as own:
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found = await read(api, queued)
    assert (found["text"], found["image_url"], found["image_reason"]) == (TEXT, None, "model_refused")


async def test_it_is_on_the_budget_of_its_assistant(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant, models: Server
) -> None:
    models.answers("/v1/responses", streamed([{"type": "response.completed", "response": SAID.body}]))
    async with services.sessions.begin() as session:
        row = await session.get_one(Assistant, assistant.id)
        row.budget_unit, row.budget_amount = BudgetUnit.tokens, 20_000
    form = await form_of(api, assistant, image_source="none")
    async with Modelled(services, models) as own:
        first = await ordered(api, form, assistant_id=str(assistant.id))
        assert first["on_budget"] is True
        assert await own.tryouts.make(user.id, UUID(first["id"]), 1) is GenerationState.succeeded
        async with services.sessions() as session:
            full = await AssistantRepository(session).get(user.id, assistant.id)
            left = await BudgetService(session).left(full.row, datetime.now(UTC))
        assert left is not None
        assert left.used == 366
        async with services.sessions.begin() as session:
            (await session.get_one(Assistant, assistant.id)).budget_amount = 400
        second = await ordered(api, form, assistant_id=str(assistant.id))
        with pytest.raises(Exception, match="budget_spent"):
            await own.tryouts.make(user.id, UUID(second["id"]), 1)
        # of a form that is not saved there is no budget
        third = await ordered(api, form)
        assert third["on_budget"] is False
        assert await own.tryouts.make(user.id, UUID(third["id"]), 1) is GenerationState.succeeded


async def test_a_deleted_assistant_leaves_its_samples(
    api: httpx2.AsyncClient, services: Services, user: User, assistant: Assistant
) -> None:
    queued = await ordered(api, await form_of(api, assistant), assistant_id=str(assistant.id))
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)
    assert (await read(api, queued))["on_budget"] is False
    async with services.sessions() as session:
        assert (await session.get_one(Tryout, UUID(queued["id"]))).assistant_id is None
