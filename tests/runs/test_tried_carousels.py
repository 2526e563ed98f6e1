"""Carousels of try-outs: of a template, and of an assistant's dry run."""

import json
from uuid import UUID

import pytest
from sqlalchemy import select

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.configuration import AssistantForm
from core.assistants.rules.assistants import ImageSource, Mode, SecondLook
from core.assistants.rules.schedules import Frequency, Schedule
from core.brands.brands import BrandForm, BrandService
from core.brands.rules import BrandVoice
from core.container import Services
from core.errors import ErrorCode, InvalidInput, Unavailable
from core.ids import new_id
from core.media.rules.cards import CardSettings
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.templates.rules.model_settings import ImageSettings, image_to_json
from core.templates.rules.templates import Engine, TemplateType
from core.templates.tables import TemplateVersion, Tryout
from core.templates.tryouts import TryoutForm
from core.topics.rules import PickFrom, Strategy
from tests.ai.test_model_calls import models, writing
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.runs.test_carousels import PAGES, POST, carousel_assistant, full_storage, said

__all__ = ["models"]

OTHER_PAGES = [page | {"headline": f"{page['headline']} again"} for page in PAGES]


def pages(found: object) -> Answer:
    return said(json.dumps({"pages": found}))


async def test_a_template_is_tried_with_all_pages(services: Services, make: Factory) -> None:
    user = await make.user()
    version_id = await make.template(user, "((Topic))", TemplateType.image)
    async with services.sessions() as session:
        version = await session.get_one(TemplateVersion, version_id)
    settings = {"image": image_to_json(ImageSettings(engine=Engine.carousel))}
    form = TryoutForm(version.body, settings, "en", {"Topic": "Winter"})
    with pytest.raises(InvalidInput) as raised:
        await services.tryouts.order(user.id, version.template_id, new_id(), form)
    assert [error.field for error in raised.value.errors] == ["inputs.Content"]
    form = TryoutForm(version.body, settings, "en", {"Topic": "Winter", "Content": POST})
    tryout = await services.tryouts.order(user.id, version.template_id, new_id(), form)
    assert await services.tryouts.make(user.id, tryout.id, 1) is GenerationState.succeeded
    tried = await services.tryouts.get(user.id, version.template_id, tryout.id)
    pages = (await services.tryouts.made_pages(user.id, [tried]))[tried.id]
    assert [page.facts and page.facts["page"]["number"] for page in pages] == list(range(1, len(pages) + 1))
    assert (pages[0].id, pages[0].name, len(pages) >= 4) == (tried.media_id, "Winter", True)
    assert (tried.provider, tried.cost_micros) == ("cards", 0)


@pytest.mark.parametrize("makes", [Engine.carousel, Engine.card])
async def test_a_tried_template_shows_the_name_of_its_brand(services: Services, make: Factory, makes: Engine) -> None:
    user = await make.user()
    async with services.sessions.begin() as session:
        brand, _ = await BrandService(session).create(user.id, BrandForm(BrandVoice("Lindhof")))
    version_id = await make.template(user, "((Topic))", TemplateType.image)
    async with services.sessions() as session:
        version = await session.get_one(TemplateVersion, version_id)
    settings = {"image": image_to_json(ImageSettings(engine=makes, card=CardSettings(brand_id=brand.id)))}
    form = TryoutForm(version.body, settings, "en", {"Topic": "Winter", "Content": POST})
    tryout = await services.tryouts.order(user.id, version.template_id, new_id(), form)
    await services.tryouts.make(user.id, tryout.id, 1)
    tried = await services.tryouts.get(user.id, version.template_id, tryout.id)
    async with services.sessions() as session:
        drawn = await session.get_one(Media, tried.media_id)
    assert (drawn.design or {})["settings"]["foot"] == "Lindhof"


async def ordered(own: Services, user_id: UUID, version_id: UUID) -> Tryout:
    """A try-out of an image template that asks for a carousel of `POST`."""
    async with own.sessions() as session:
        version = await session.get_one(TemplateVersion, version_id)
    settings = {"image": image_to_json(ImageSettings(engine=Engine.carousel))}
    form = TryoutForm(version.body, settings, "en", {"Topic": "Winter", "Content": POST})
    return await own.tryouts.order(user_id, version.template_id, new_id(), form)


async def drawn(own: Services, tryout: Tryout) -> tuple[Tryout, list[str]]:
    """The try-out now, and the names of its pages."""
    async with own.sessions() as session:
        tried = await session.get_one(Tryout, tryout.id)
        rows = {str(row.id): row.name for row in await session.scalars(select(Media))}
    return tried, [rows[page_id] for page_id in tried.page_ids]


async def calls_of(own: Services, tryout: Tryout) -> list[TransactionType]:
    async with own.sessions() as session:
        calls = await session.scalars(select(Transaction).where(Transaction.tryout_id == tryout.id))
        return [call.type for call in calls]


async def test_a_tried_carousel_costs_one_call_of_the_text_model(
    services: Services, make: Factory, models: Server
) -> None:
    user = await make.user()
    models.answers("/v1/responses", pages(PAGES))
    version_id = await make.template(user, "((Topic))", TemplateType.image)
    async with writing(services, models.url) as own:
        tryout = await ordered(own, user.id, version_id)
        assert await own.tryouts.make(user.id, tryout.id, 1) is GenerationState.succeeded
        tried, _ = await drawn(own, tryout)
    assert (tried.model, tried.input_tokens, len(tried.page_ids)) == ("gpt-6-luna", 321, 4)
    assert await calls_of(services, tryout) == [TransactionType.text]


async def test_a_repeated_try_out_draws_the_pages_that_were_paid_for(
    services: Services, make: Factory, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await make.user()
    models.answers("/v1/responses", pages(PAGES), pages(OTHER_PAGES))
    version_id = await make.template(user, "((Topic))", TemplateType.image)
    async with writing(services, models.url) as own:
        tryout = await ordered(own, user.id, version_id)
        with full_storage(own, monkeypatch), pytest.raises(Unavailable):
            await own.tryouts.make(user.id, tryout.id, 1)
        assert await own.tryouts.make(user.id, tryout.id, 2) is GenerationState.succeeded
        tried, names = await drawn(own, tryout)
    assert names == ["Winter", "Lower your light", "104 of 117 rainy days", "Come by on Saturday"]
    assert (tried.model, tried.request_id, tried.input_tokens) == ("gpt-6-luna", "req_1", 321)
    assert tried.structured is None, "it is drawn"
    assert await calls_of(services, tryout) == [TransactionType.text]


async def test_a_try_out_that_ended_keeps_no_pages(
    services: Services, make: Factory, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await make.user()
    models.answers("/v1/responses", pages(PAGES))
    version_id = await make.template(user, "((Topic))", TemplateType.image)
    async with writing(services, models.url) as own:
        tryout = await ordered(own, user.id, version_id)
        with full_storage(own, monkeypatch), pytest.raises(Unavailable):
            await own.tryouts.make(user.id, tryout.id, 1)
        kept, _ = await drawn(own, tryout)
        assert kept.structured is not None
        await own.tryouts.fail(user.id, tryout.id, ErrorCode.storage_unavailable.value)
        ended, _ = await drawn(own, tryout)
    assert (ended.state, ended.structured) == (GenerationState.failed, None)


async def test_a_repeated_dry_run_draws_the_pages_that_were_paid_for(
    services: Services, make: Factory, networks: Networks, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.answers("/v1/responses", said(POST), pages(PAGES), pages(OTHER_PAGES))
    assistant = await carousel_assistant(make, networks, ChannelKind.linkedin)
    async with services.sessions.begin() as session:
        brand, _ = await BrandService(session).create(assistant.user_id, BrandForm(BrandVoice("Lindhof")))
    form = AssistantForm(
        name=assistant.name,
        tags=(),
        topic_tree_id=assistant.topic_tree_id,
        strategy=Strategy.in_order,
        pick_from=PickFrom.leaves,
        template_version_id=assistant.template_version_id,
        image_source=ImageSource.template,
        image_template_version_id=assistant.image_template_version_id,
        variables={},
        account_ids=(),
        schedule=Schedule(Frequency.daily, "UTC"),
        mode=Mode.draft,
        language="en",
        lead_minutes=15,
        second_look=SecondLook.off,
        brand_id=brand.id,
    )
    async with writing(services, models.url) as own:
        sample = await own.dry_runs.order(assistant.user_id, form, assistant_id=assistant.id, topic_id=None)
        with full_storage(own, monkeypatch), pytest.raises(Unavailable):
            await own.tryouts.make(assistant.user_id, sample.id, 1)
        assert await own.tryouts.make(assistant.user_id, sample.id, 2) is GenerationState.succeeded
        tried, names = await drawn(own, sample)
    assert names[1:] == ["Lower your light", "104 of 117 rainy days", "Come by on Saturday"]
    assert tried.structured is None, "it is drawn"
    assert await calls_of(services, sample) == [TransactionType.text, TransactionType.text]
    async with services.sessions() as session:
        page = await session.get_one(Media, UUID(tried.page_ids[0]))
    assert (page.design or {})["settings"]["foot"] == "Lindhof", "as the run's pages"
