"""A text that is paid for is not lost with its image: it goes without, gets a card, or waits for a person."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from core.assistants.rules.assistants import ImageFallback, RunState, StepKind, StepState
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import ErrorCode, RateLimited
from core.networks import linkedin
from core.networks.rules.channels import ChannelLimits
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.drafting import CheckedDraft
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run, RunStep
from tests.ai.test_model_calls import (
    TEXT,
    Assistants,
    answered,
    assistants,
    begun,
    booked,
    image_rows,
    models,
    told,
    writing,
)
from tests.http_server import Answer, Server

__all__ = ["assistants", "models"]

BLOCKED = Answer(400, {"error": {"message": "no", "type": "user_error", "code": "moderation_blocked"}})
BUSY = Answer(429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, {"Retry-After": "7"})


@dataclass(frozen=True)
class Prepared:
    services: Services
    assistant: Assistant
    run_id: UUID

    async def image(self, attempt: int = 1) -> None:
        await self.services.imaging.make(self.assistant.user_id, self.run_id, attempt)

    async def check(self) -> CheckedDraft:
        return await self.services.drafting.check(self.assistant.user_id, self.run_id)

    async def left(self) -> tuple[Run, Post, RunStep]:
        async with self.services.sessions() as session:
            runs, owner = RunRepository(session), self.assistant.user_id
            post = await PostRepository(session).find_by_run(owner, self.run_id)
            step = await runs.step(owner, self.run_id, StepKind.image)
            assert post is not None
            assert step is not None
            return await runs.get(owner, self.run_id), post, step


@asynccontextmanager
async def prepared(
    services: Services, assistants: Assistants, models: Server, fallback: ImageFallback, *images: Answer, **more: Any
) -> AsyncIterator[Prepared]:
    """A run that has its text, of an assistant that publishes with an image of a model."""
    said = {"type": "output_text", "text": TEXT, "annotations": []}
    models.answers("/v1/responses", answered(said, usage=told(321, 45)))
    models.answers("/v1/images/generations", *images)
    assistant = await assistants(image=True)
    async with services.sessions.begin() as session:
        await session.execute(
            update(Assistant).where(Assistant.id == assistant.id).values(image_fallback=fallback, **more)
        )
    async with writing(services, models.url, image_model="gpt-image-2") as own:
        run = await begun(own, assistant)
        await own.drafting.write(assistant.user_id, run, 1)
        yield Prepared(own, assistant, run)


async def test_it_goes_on_without(services: Services, assistants: Assistants, models: Server) -> None:
    async with prepared(services, assistants, models, ImageFallback.without, BLOCKED) as made:
        await made.image()
        assert len((await made.check()).deliveries) == 1
        run, post, step = await made.left()
    assert (run.state, run.reason, post.status, post.files) == (RunState.ready, None, PostStatus.complete, [])
    assert (step.state, step.facts) == (StepState.done, {"code": "model_refused", "fallback": "without"})
    assert [failure["code"] for failure in step.failures] == ["model_refused"]


async def test_it_gets_a_card(services: Services, assistants: Assistants, models: Server) -> None:
    async with prepared(services, assistants, models, ImageFallback.card, BLOCKED) as made:
        await made.image()
        assert len((await made.check()).deliveries) == 1
        run, post, step = await made.left()
        assert [one.provider for one in await image_rows(services, run.id)] == ["cards"]
    assert len(post.files) == 1
    assert step.state is StepState.done
    assert (step.facts["provider"], step.facts["code"], step.facts["fallback"]) == ("cards", "model_refused", "card")


async def test_it_waits_for_a_person(services: Services, assistants: Assistants, models: Server) -> None:
    async with prepared(services, assistants, models, ImageFallback.ask, BLOCKED) as made:
        await made.image()
        assert (await made.check()).deliveries == ()
        run, post, step = await made.left()
    assert (run.state, run.reason, run.finished_at is None) == (RunState.drafted, "model_refused", False)
    assert (post.status, post.content, post.files, post.deliveries) == (PostStatus.draft, TEXT, [], [])
    assert (step.state, step.facts["fallback"]) == (StepState.failed, "ask")


async def test_a_network_that_needs_an_image_never_goes_without(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    needing = replace(ChannelLimits(max_characters=3000, max_images=20), min_images=1)
    monkeypatch.setattr(linkedin.CHANNEL, "limits", needing, raising=False)
    async with prepared(services, assistants, models, ImageFallback.without, BLOCKED) as made:
        await made.image()
        assert (await made.check()).deliveries == ()
        run, post, step = await made.left()
    assert (run.state, run.reason, post.status) == (RunState.drafted, "model_refused", PostStatus.draft)
    assert step.facts == {"code": "model_refused", "fallback": "ask", "needed_by": "linkedin"}


async def test_a_repeat_decides_nothing_anew(services: Services, assistants: Assistants, models: Server) -> None:
    async with prepared(services, assistants, models, ImageFallback.without, BLOCKED) as made:
        await made.image()
        asked = len(models.requests)
        await made.image(2)
        assert len(models.requests) == asked


async def test_what_may_pass_is_waited_for(services: Services, assistants: Assistants, models: Server) -> None:
    async with prepared(services, assistants, models, ImageFallback.card, BUSY) as made:
        with pytest.raises(RateLimited):
            await made.image()
        _, post, step = await made.left()
    assert (post.files, step.state) == ([], StepState.active)


async def test_the_last_image_that_is_paid_for_nothing_is_the_last(
    services: Services, assistants: Assistants, models: Server
) -> None:
    lost = Answer(drop=True)
    async with prepared(services, assistants, models, ImageFallback.card, lost) as made:
        for attempt in range(1, 4):
            with pytest.raises(Exception, match="model_unavailable"):
                await made.image(attempt)
        # the fourth is final itself: the card is there without another wait
        await made.image(4)
        run, post, step = await made.left()
    assert len(post.files) == 1
    assert step.facts["code"] == ErrorCode.image_attempts_used
    assert [failure["code"] for failure in step.failures] == ["model_unavailable"] * 4
    assert len(await booked(services, run.id)) == 1 + 4 + 1


async def test_an_image_too_dear_for_the_budget_costs_no_text(
    services: Services, assistants: Assistants, models: Server
) -> None:
    # room for the text, which is estimated at 11,000 tokens or so, and not for the image besides
    budget = {"budget_unit": "tokens", "budget_amount": 12_000}
    async with prepared(services, assistants, models, ImageFallback.without, BLOCKED, **budget) as made:
        async with made.services.sessions.begin() as session:
            await session.execute(update(Assistant).where(Assistant.id == made.assistant.id).values(budget_amount=400))
        await made.image()
        assert len((await made.check()).deliveries) == 1
        _, post, step = await made.left()
    assert (post.status, step.facts["code"]) == (PostStatus.complete, "budget_spent")
    assert len(models.requests) == 1
