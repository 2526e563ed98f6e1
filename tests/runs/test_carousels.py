"""Carousels of runs: a model structures the post into pages, and without one its sentences are the pages."""

import io
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from PIL import Image
from sqlalchemy import select, update

from core.ai.tables.transactions import TransactionType
from core.assistants.rules.assistants import SecondLook, StepKind, StepState
from core.assistants.tables import Assistant
from core.brands.brands import BrandForm, BrandService
from core.brands.rules import BrandVoice
from core.container import Services
from core.errors import ErrorCode, Unavailable
from core.media.rules.cards import CardFont, CardLook, CardSettings
from core.media.rules.media import ImageRatio, MediaKind
from core.media.tables import Media, MediaSource
from core.networks.rules.channels import ChannelKind
from core.posts.fitting import own_hash
from core.posts.repositories.posts import PostRepository
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import RunStep
from core.templates.rules.model_settings import ImageSettings, image_to_json
from core.templates.rules.templates import Engine
from core.templates.tables import TemplateVersion
from tests.ai.test_model_calls import Assistants, answered, assistants, begun, booked, models, told, writing
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.media.test_pictures import picture

__all__ = ["assistants", "models"]

POST = """Riding in winter needs three things, and none of them is dear.

Lower your light by a finger. It blinds nobody and shows more of the road.

We rode on 104 of 117 rainy days. The chain thanks us for oil.

Come by on Saturday! #bike"""
PAGES = [
    {"kind": "cover", "headline": "Three things for winter", "text": ""},
    {"kind": "point", "headline": "Lower your light", "text": "It blinds nobody."},
    {"kind": "number", "headline": "104 of 117 rainy days", "text": "We rode on them."},
    {"kind": "number", "headline": "98 % are happy", "text": "Invented."},
    {"kind": "call_to_action", "headline": "Come by on Saturday", "text": ""},
]


def said(text: str, **usage: Any) -> Answer:
    return answered({"type": "output_text", "text": text, "annotations": []}, usage=told(321, 45), **usage)


@asynccontextmanager
async def with_text(
    services: Services, assistants: Assistants, models: Server, *answers: Answer, body: str = "((Topic))\n((Content))"
) -> AsyncIterator[tuple[Services, Assistant, UUID]]:
    """A run that has its text, of an assistant whose image template asks for a carousel."""
    models.answers("/v1/responses", said(POST), *answers)
    assistant = await assistants(image=True)
    settings = ImageSettings(engine=Engine.carousel, card=CardSettings(size=ImageRatio.portrait))
    async with services.sessions.begin() as session:
        await session.execute(
            update(TemplateVersion)
            .where(TemplateVersion.id == assistant.image_template_version_id)
            .values(settings={"image": image_to_json(settings)}, body=body)
        )
    async with writing(services, models.url) as own:
        run = await begun(own, assistant)
        await own.drafting.write(assistant.user_id, run, 1)
        yield own, assistant, run


async def left(services: Services, assistant: Assistant, run: UUID) -> tuple[Post, RunStep, list[Media]]:
    async with services.sessions() as session:
        post = await PostRepository(session).find_by_run(assistant.user_id, run)
        step = await RunRepository(session).step(assistant.user_id, run, StepKind.image)
        assert post is not None
        assert step is not None
        rows = {row.id: row for row in await session.scalars(select(Media).where(Media.user_id == assistant.user_id))}
    found = [rows[file.media_id] for file in sorted(post.files, key=lambda file: file.position)]
    return post, step, [row for row in found if row.kind is MediaKind.image]


async def test_a_model_structures_the_post_into_pages(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, said(json.dumps({"pages": PAGES}))) as (own, assistant, run):
        await own.imaging.make(assistant.user_id, run, 1)
        await own.imaging.make(assistant.user_id, run, 2)  # a repeated step finds the pages
        assert len((await own.drafting.check(assistant.user_id, run)).deliveries) == 1
        post, step, pages = await left(own, assistant, run)
        await own.drafting.check(assistant.user_id, run)
        async with own.sessions() as session:
            checked = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.check)
    assert (checked["images"], checked["documents"]) == (4, 1)
    assert [page.facts and page.facts["page"]["kind"] for page in pages] == [
        "cover",
        "point",
        "number",
        "call_to_action",
    ]
    # the template's words are the cover's, and a page with an invented number is left out
    assert pages[0].name != "Three things for winter"
    assert [page.name for page in pages[1:]] == ["Lower your light", "104 of 117 rainy days", "Come by on Saturday"]
    assert [file.alt for file in sorted(post.files, key=lambda file: file.position)][1] == (
        "Lower your light. It blinds nobody."
    )
    assert {(page.width, page.height, page.source) for page in pages} == {(1080, 1350, MediaSource.card)}
    assert (step.state, step.facts["pages"], step.facts["input_tokens"]) == (StepState.done, 4, 321)
    calls = [call.type for call in await booked(services, run)]
    assert calls == [TransactionType.text, TransactionType.text]


@contextmanager
def full_storage(services: Services, monkeypatch: pytest.MonkeyPatch, room: int = 2) -> Iterator[None]:
    """Let the storage of files be full after so many images."""
    storage, stored = services.media.storage, list[str]()
    put = storage.put

    async def put_as_long_as_there_is_room(key: str, data: bytes | Path, mime: str) -> None:
        if len(stored) == 2 * room:  # each has a thumbnail
            raise Unavailable(ErrorCode.storage_unavailable)
        stored.append(key)
        await put(key, data, mime)

    with monkeypatch.context() as full:
        full.setattr(storage, "put", put_as_long_as_there_is_room)
        yield


async def test_a_repeated_step_draws_the_pages_that_were_paid_for(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = [page | {"headline": f"{page['headline']} again"} for page in PAGES]
    answers = [said(json.dumps({"pages": pages})) for pages in (PAGES, other)]
    async with with_text(services, assistants, models, *answers) as (own, assistant, run):
        with full_storage(own, monkeypatch), pytest.raises(Unavailable):
            await own.imaging.make(assistant.user_id, run, 1)
        await own.imaging.make(assistant.user_id, run, 2)
        _, step, pages = await left(own, assistant, run)
    assert [page.name for page in pages[1:]] == ["Lower your light", "104 of 117 rainy days", "Come by on Saturday"]
    assert (step.facts["pages"], step.facts["input_tokens"], "structured" in step.facts) == (4, 321, False)
    assert len(await booked(services, run)) == 2
    async with services.sessions() as session:
        of_user = select(Media.id).where(Media.user_id == assistant.user_id, Media.kind == MediaKind.image)
        assert set(await session.scalars(of_user)) == {page.id for page in pages}


async def test_an_unusable_answer_makes_pages_of_the_sentences(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, said('{"pages": []}'), body="((Content))") as (
        own,
        assistant,
        run,
    ):
        await own.imaging.make(assistant.user_id, run, 1)
        _, step, pages = await left(own, assistant, run)
    assert step.facts["pages_refused"] == "unusable"
    assert [page.facts and page.facts["page"]["kind"] for page in pages][-2:] == ["point", "call_to_action"]
    assert pages[-1].name == "Come by on Saturday!"
    assert "104 of 117 rainy days" in " ".join(page.name for page in pages)


async def test_a_refused_call_makes_pages_of_the_sentences(
    services: Services, assistants: Assistants, models: Server
) -> None:
    refused = Answer(400, {"error": {"message": "no", "type": "t", "code": None}})
    async with with_text(services, assistants, models, refused) as (own, assistant, run):
        await own.imaging.make(assistant.user_id, run, 1)
        _, step, pages = await left(own, assistant, run)
    assert len(pages) >= 4
    assert (step.state, step.facts["provider"], step.facts["pages_refused"]) == (
        StepState.done,
        "cards",
        "model_refused",
    )


async def test_a_text_too_short_for_pages_gets_one_card(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models) as (own, assistant, run):
        async with own.sessions.begin() as session:
            await session.execute(update(Post).where(Post.run_id == run).values(content="Ride to work."))
        await own.imaging.make(assistant.user_id, run, 1)
        post, step, _ = await left(own, assistant, run)
    assert len(post.files) == 1
    assert step.facts["provider"] == "cards"


async def test_without_a_model_the_sentences_are_the_pages(services: Services, assistants: Assistants) -> None:
    assistant = await assistants(image=True)
    settings = image_to_json(ImageSettings(engine=Engine.carousel))
    async with services.sessions.begin() as session:
        await session.execute(
            update(TemplateVersion)
            .where(TemplateVersion.id == assistant.image_template_version_id)
            .values(settings={"image": settings})
        )
    run = await begun(services, assistant)
    await services.drafting.write(assistant.user_id, run, 1)
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.run_id == run).values(content=POST))
    await services.imaging.make(assistant.user_id, run, 1)
    post, step, pages = await left(services, assistant, run)
    assert step.facts["pages"] == len(pages) >= 4
    assert (step.facts["provider"], step.facts["cost_micros"]) == ("cards", 0)
    assert {page.by_assistant for page in pages} == {True}


async def carousel_assistant(make: Factory, networks: Networks, *kinds: ChannelKind, **more: Any) -> Assistant:
    """An assistant on these networks whose image template asks for a carousel."""
    user = more.pop("user", None) or await make.user()
    accounts = [await make.account(user, networks.url, kind=kind) for kind in kinds]
    assistant = await make.assistant(
        user, accounts=tuple(account.id for account in accounts), second_look=SecondLook.off, **more
    )
    settings = ImageSettings(engine=Engine.carousel, card=CardSettings(size=ImageRatio.portrait))
    async with make.sessions.begin() as session:
        await session.execute(
            update(TemplateVersion)
            .where(TemplateVersion.id == assistant.image_template_version_id)
            .values(settings={"image": image_to_json(settings)}, body="((Topic))\n((Content))")
        )
    return assistant


async def made(services: Services, assistant: Assistant, text: str = POST) -> UUID:
    """A run with its text and its pages."""
    run = await begun(services, assistant)
    await services.drafting.write(assistant.user_id, run, 1)
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.run_id == run).values(content=text, variants=[]))
    await services.imaging.make(assistant.user_id, run, 1)
    return run


LONG = "\n\n".join(
    f"{what.capitalize()} needs care in winter. A rider who looks after the {what} rides until spring."
    for what in ("chain", "lamp", "brake", "saddle", "tyre", "bell", "fork", "frame")
)


async def test_each_network_gets_as_many_pages_as_it_shows(
    services: Services, make: Factory, networks: Networks
) -> None:
    kinds = ChannelKind.facebook, ChannelKind.mastodon
    # Mastodon's texts are short
    assistant = await carousel_assistant(make, networks, *kinds)
    run = await made(services, assistant, LONG[:490])
    post, step, _ = await left(services, assistant, run)
    assert step.facts["pages"] == len(post.files) > 4
    checked = await services.drafting.check(assistant.user_id, run)
    jobs = [await services.staging.jobs.load(assistant.user_id, delivery.id) for delivery in checked.deliveries]
    files = {job.network.kind: [file.media_id for file in job.files] for job in jobs}
    all_ids = [file.media_id for file in sorted(post.files, key=lambda file: file.position)]
    assert files == {ChannelKind.facebook: all_ids, ChannelKind.mastodon: all_ids[:4]}
    # a change of the last page concerns only those that show it
    hashes = {job.network.kind: job.own_hash for job in jobs}
    async with services.sessions.begin() as session:
        changed = await PostRepository(session).find_by_run(assistant.user_id, run)
        assert changed is not None
        max(changed.files, key=lambda file: file.position).alt = "Another description"
        now = {account.kind: own_hash(changed, account) for account in [d.account for d in changed.deliveries]}
    assert now[ChannelKind.mastodon] == hashes[ChannelKind.mastodon]
    assert now[ChannelKind.facebook] != hashes[ChannelKind.facebook]


async def test_a_carousel_has_the_look_of_the_brand_that_its_post_is_for(
    services: Services, make: Factory, networks: Networks
) -> None:
    user = await make.user()
    logo = await services.media.store(user.id, picture("#aa3355"), name="Logo")
    async with services.sessions.begin() as session:
        look = CardLook(CardFont.zilla_slab, "#10233f", "#f4f1ea", "#ffb000", logo.id)
        brand, _ = await BrandService(session).create(user.id, BrandForm(BrandVoice("Lindhof"), look=look))
    assistant = await carousel_assistant(make, networks, ChannelKind.linkedin, user=user, brand_id=brand.id)
    _, _, pages = await left(services, assistant, await made(services, assistant))
    shown = [page.design["settings"] for page in pages if page.design]
    assert len(shown) == len(pages)
    assert {tuple(str(look[name]) for name in ("font", "ground", "ink", "accent", "logo_id")) for look in shown} == {
        ("zilla_slab", "#10233f", "#f4f1ea", "#ffb000", str(logo.id))
    }
    assert {look["foot"] for look in shown} == {"Lindhof"}, "nobody outside knows the assistant"
    # what is written down is what is drawn
    corner = Image.open(io.BytesIO(await services.media.read(pages[1]))).convert("RGB").getpixel((3, 700))
    assert isinstance(corner, tuple)
    assert all(abs(found - wanted) < 6 for found, wanted in zip(corner, (0x10, 0x23, 0x3F), strict=True))
