"""Carousels of runs: a model structures the post into pages, and without one its sentences are the pages."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from sqlalchemy import select, update

from core.ai.tables.transactions import TransactionType
from core.assistants.rules.assistants import StepKind, StepState
from core.assistants.tables import Assistant
from core.container import Services
from core.media.rules.cards import CardSettings
from core.media.rules.media import ImageRatio, MediaKind
from core.media.tables import Media, MediaSource
from core.posts.repositories.posts import PostRepository
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import RunStep
from core.templates.rules.model_settings import ImageSettings, image_to_json
from core.templates.rules.templates import Engine
from core.templates.tables import TemplateVersion
from tests.ai.test_model_calls import Assistants, answered, assistants, begun, booked, models, told, writing
from tests.http_server import Answer, Server

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
    assert [page.design and page.design["page"]["kind"] for page in pages] == [
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
    assert [page.design and page.design["page"]["kind"] for page in pages][-2:] == ["point", "call_to_action"]
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
