"""From the first answer of a model to the text that is posted; every answer is paid once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from core.ai.tables.transactions import CallOutcome, Transaction
from core.assistants.rules.assistants import StepKind, TextKind
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode, Refused, RetrySafe
from core.ids import new_id
from core.posts.rules.posts import PostSource
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import RunStep
from core.runs.writing import SECOND_ANSWER
from tests.ai.test_model_calls import Assistants, answered, assistants, begun, models, writing
from tests.http_server import Answer, Server
from tests.runs.dying import Died, die_after_kept_answers

__all__ = ["assistants", "models"]

LONG = " ".join(f"Sentence number {number} tells something about mudguards." for number in range(80))
SHORT = "Mudguards help. Ride to work once this week."
OTHER = "Snow is soft at first, and hard the morning after. Let some air out of both tyres."
TOKENS = 1100
"""Of one answer, both ways."""


def said(text: str) -> Answer:
    return answered({"type": "output_text", "text": text, "annotations": []})


@asynccontextmanager
async def run_of(
    services: Services, assistants: Assistants, models: Server, *answers: Answer, earlier: str = "", **more: Any
) -> AsyncIterator[tuple[Services, Assistant, UUID]]:
    """A run that has its topic, and answers that wait for it; `earlier` was posted before."""
    models.answers("/v1/responses", *answers)
    assistant = await assistants()
    if earlier:
        async with services.sessions.begin() as session:
            session.add(
                Post(
                    id=new_id(),
                    user_id=assistant.user_id,
                    assistant_id=assistant.id,
                    source=PostSource.assistant,
                    content=earlier,
                    topic_title="Rain",
                )
            )
    async with writing(services, models.url, **more) as own:
        yield own, assistant, await begun(own, assistant)


async def left(services: Services, run: UUID) -> tuple[Post | None, dict[str, Any], int]:
    """The post, the text step's evidence, and how many calls are booked."""
    async with services.sessions() as session:
        post = await session.scalar(select(Post).where(Post.run_id == run))
        step = await session.scalar(select(RunStep).where(RunStep.run_id == run, RunStep.kind == StepKind.text))
        calls = list(await session.scalars(select(Transaction).where(Transaction.run_id == run)))
    assert step is not None
    return post, step.facts, len(calls)


async def test_a_text_that_is_too_long_is_shortened_by_the_model(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(LONG), said(SHORT)) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert post.content == SHORT
    assert calls == 2
    assert (facts["fitting"], facts["first_characters"], facts["limit"]) == ("shortened", len(LONG), 3000)
    assert facts["input_tokens"] + facts["output_tokens"] == 2 * TOKENS
    asked = models.requests[1].json
    assert asked["input"] == f"<value>{LONG}</value>"
    assert "at most 2760 characters" in asked["instructions"]
    async with services.sessions() as session:
        kept = await RunRepository(session).list_texts(assistant.user_id, run)
    assert [version.content for version in kept] == [LONG, SHORT]


async def test_what_is_still_too_long_ends_with_a_sentence(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(LONG + LONG), said(LONG)) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert LONG.startswith(post.content)
    assert post.content.endswith("mudguards.")
    assert 2900 < len(post.content) <= 3000
    assert (facts["fitting"], calls) == ("shortened_and_cut", 2)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (answered({"type": "refusal", "refusal": "No."}), ErrorCode.model_refused),
        (Answer(403, {"error": {"message": "no", "code": "forbidden"}}), ErrorCode.model_misconfigured),
    ],
)
async def test_what_no_model_shortens_is_cut(
    services: Services, assistants: Assistants, models: Server, answer: Answer, code: ErrorCode
) -> None:
    async with run_of(services, assistants, models, said(LONG), answer) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, _ = await left(services, run)
    assert post is not None
    assert LONG.startswith(post.content)
    assert (facts["fitting"], facts["fitting_code"]) == ("cut", code)
    assert len(models.requests) == 2


async def test_a_passing_failure_is_tried_again_and_the_first_text_is_not_paid_twice(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(LONG), Answer(500), said(SHORT)) as (own, assistant, run):
        with pytest.raises(RetrySafe):
            await own.drafting.write(assistant.user_id, run, 1)
        await own.drafting.write(assistant.user_id, run, 2)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls, len(models.requests)) == (SHORT, 2, 3)
    assert facts["fitting"] == "shortened"


async def test_once_the_slot_is_there_nothing_is_waited_for(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(LONG), Answer(500)) as (own, assistant, run):
        async with own.sessions.begin() as session:
            (await RunRepository(session).get(assistant.user_id, run)).slot = utcnow() - timedelta(seconds=5)
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, _ = await left(services, run)
    assert post is not None
    assert (facts["fitting"], facts["fitting_code"]) == ("cut", ErrorCode.model_unavailable)


async def test_a_crash_behind_each_answer_pays_for_none_twice(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies each time right after an answer is kept: five attempts, three calls."""
    die_after_kept_answers(monkeypatch, 3)
    answers = said(LONG), said(SHORT), said(OTHER)
    async with run_of(services, assistants, models, *answers, earlier=SHORT) as (own, assistant, run):
        for attempt in range(1, 4):
            with pytest.raises(Died):
                await own.drafting.write(assistant.user_id, run, attempt)
        await own.drafting.write(assistant.user_id, run, 4)
        await own.drafting.write(assistant.user_id, run, 5)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert post.content == OTHER
    assert len(models.requests) == calls == 3
    assert (facts["fitting"], facts["repetition"]) == ("shortened", "rewritten")


async def test_what_repeats_a_post_is_written_again_and_says_so(
    services: Services, assistants: Assistants, models: Server
) -> None:
    answers = said(SHORT), said(OTHER)
    async with run_of(services, assistants, models, *answers, earlier=f"Rain! {SHORT}") as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls) == (OTHER, 2)
    assert (facts["repetition"], facts["first_similarity"], facts["similar_topic"]) == ("rewritten", 100, "Rain")
    assert facts["similarity"] < 70
    first, again = (request.json for request in models.requests)
    assert again["instructions"] == first["instructions"]
    assert again["input"].startswith(first["input"])
    assert again["input"].endswith(f"<value>Rain! {SHORT}</value>")


@pytest.mark.parametrize(
    ("second", "content", "similarity"),
    [
        (said(SHORT), SHORT, 100),
        # of two repetitions the smaller one
        (said(f"{SHORT} Or twice, if you like it."), f"{SHORT} Or twice, if you like it.", None),
        (answered({"type": "refusal", "refusal": "No."}), SHORT, 100),
    ],
)
async def test_what_repeats_a_post_again_is_accepted_with_a_note(
    services: Services, assistants: Assistants, models: Server, second: Answer, content: str, similarity: int | None
) -> None:
    async with run_of(services, assistants, models, said(SHORT), second, earlier=SHORT) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls, len(models.requests)) == (content, 2, 2)
    assert facts["repetition"] == ("rewritten" if facts["similarity"] < 70 else "accepted")
    assert similarity in (None, facts["similarity"])


async def test_a_text_of_its_own_asks_once_and_tells_how_near_it_came(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(SHORT), earlier=OTHER) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    _, facts, calls = await left(services, run)
    assert calls == 1
    assert facts["similarity"] < 30
    assert facts["compared"] == 1
    assert "repetition" not in facts


async def test_five_calls_are_the_most_and_the_text_is_kept(
    services: Services, assistants: Assistants, models: Server
) -> None:
    """Four answers of nothing, the text, and no call is left to shorten it."""
    spoiled = answered({"type": "output_text", "text": " ", "annotations": []})
    async with run_of(services, assistants, models, *[spoiled] * 4, said(LONG)) as (own, assistant, run):
        for attempt in range(1, 5):
            with pytest.raises(RetrySafe):
                await own.drafting.write(assistant.user_id, run, attempt)
        await own.drafting.write(assistant.user_id, run, 5)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert calls == len(models.requests) == 5
    assert (facts["fitting"], facts["fitting_code"]) == ("cut", ErrorCode.text_attempts_used)


# a flaw, and an answer that was cut off

GERMAN = (
    "Regen ist kein Drama, wenn du die richtigen Schutzbleche hast. Wir zeigen dir heute, wie du sie in fünf Minuten "
    "anbaust und worauf es dabei ankommt."
)
TAGS = "#rain #bikes 🚲"


async def test_what_a_model_says_around_a_text_is_never_kept(
    services: Services, assistants: Assistants, models: Server
) -> None:
    answer = said(f"<think>A secret thought\x00</think>\n\nHere is your post:\n\n**{SHORT}**\u202e<|im_end|>")
    async with run_of(services, assistants, models, answer) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, _, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls) == (SHORT, 1)
    async with services.sessions() as session:
        kept = await RunRepository(session).list_texts(assistant.user_id, run)
    assert [version.content for version in kept] == [SHORT]


async def test_what_an_older_release_has_kept_is_read_like_a_new_answer(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(OTHER)) as (own, assistant, run):
        async with own.sessions.begin() as session:
            used = {"model": "gpt-6-luna", "input_tokens": 1, "output_tokens": 1, "cost_micros": 1}
            raw = f"<think>Hm.</think>\n\n{SHORT}"
            await RunRepository(session).add_text(assistant.user_id, run, TextKind.written, content=raw, used=used)
        await own.drafting.write(assistant.user_id, run, 1)
    post, _, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls) == (SHORT, 0)


@pytest.mark.parametrize(
    ("first", "flaw", "asked"),
    [
        (GERMAN, "language", "An earlier answer to this was not in English. Write all of it in English."),
        (TAGS, "no_words", "An earlier answer to this had no words beside hashtags and signs."),
    ],
)
async def test_a_text_with_a_flaw_is_written_again_once(
    services: Services, assistants: Assistants, models: Server, first: str, flaw: str, asked: str
) -> None:
    async with run_of(services, assistants, models, said(first), said(SHORT)) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls) == (SHORT, 2)
    assert (facts["flaw"], facts["correction"]) == (flaw, "rewritten")
    assert facts["input_tokens"] + facts["output_tokens"] == 2 * TOKENS
    assert asked in models.requests[1].json["input"]
    async with services.sessions() as session:
        kept = await RunRepository(session).list_texts(assistant.user_id, run)
    assert [(version.kind, version.part, version.content) for version in kept] == [
        (TextKind.written, 0, first),
        (TextKind.written, SECOND_ANSWER, SHORT),
    ]


@pytest.mark.parametrize(
    ("second", "code"),
    [(said(GERMAN), None), (answered({"type": "refusal", "refusal": "No."}), ErrorCode.model_refused)],
)
async def test_a_second_text_with_the_flaw_is_accepted_with_a_note(
    services: Services, assistants: Assistants, models: Server, second: Answer, code: ErrorCode | None
) -> None:
    async with run_of(services, assistants, models, said(GERMAN), second) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
        await own.drafting.write(assistant.user_id, run, 2)
    post, facts, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls, len(models.requests)) == (GERMAN, 2, 2)
    assert (facts["flaw"], facts["correction"], facts.get("correction_code")) == ("language", "accepted", code)


async def test_a_shorter_text_in_another_language_is_none(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, said(LONG), said(GERMAN)) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, facts, _ = await left(services, run)
    assert post is not None
    assert LONG.startswith(post.content)
    assert facts["fitting"] == "cut"


def cut(reasoning: int = 0) -> Answer:
    used = {"input_tokens": 700, "output_tokens": 1000, "output_tokens_details": {"reasoning_tokens": reasoning}}
    part = {"type": "output_text", "text": "Mudguards he", "annotations": []}
    return answered(part, status="incomplete", incomplete_details={"reason": "max_output_tokens"}, usage=used)


async def test_a_cut_answer_is_asked_for_once_more_with_more_room(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with run_of(services, assistants, models, cut(), said(SHORT)) as (own, assistant, run):
        await own.drafting.write(assistant.user_id, run, 1)
    post, _, calls = await left(services, run)
    assert post is not None
    assert (post.content, calls) == (SHORT, 2)
    first, second = (request.json["max_output_tokens"] for request in models.requests)
    assert second == 2 * first


@pytest.mark.parametrize(
    ("reasoning", "code"), [(0, ErrorCode.model_incomplete), (1000, ErrorCode.model_reasoned_too_long)]
)
async def test_then_the_reason_says_what_used_up_the_room(
    services: Services, assistants: Assistants, models: Server, reasoning: int, code: ErrorCode
) -> None:
    async with run_of(services, assistants, models, cut(reasoning)) as (own, assistant, run):
        with pytest.raises(Refused) as raised:
            await own.drafting.write(assistant.user_id, run, 1)
    assert raised.value.code is code
    assert len(models.requests) == 2
    async with services.sessions() as session:
        calls = list(await session.scalars(select(Transaction).where(Transaction.run_id == run)))
    assert [call.outcome for call in calls] == [CallOutcome.incomplete] * 2


async def test_a_server_that_takes_no_request_for_more_says_nothing_about_the_text(
    services: Services, assistants: Assistants, models: Server
) -> None:
    refused = Answer(400, {"error": {"message": "max_output_tokens is too large", "code": None}})
    async with run_of(services, assistants, models, cut(), refused) as (own, assistant, run):
        with pytest.raises(Refused) as raised:
            await own.drafting.write(assistant.user_id, run, 1)
    assert raised.value.code is ErrorCode.model_incomplete
