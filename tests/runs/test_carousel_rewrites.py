"""The carousel of a post whose text a person has refused."""

import json
from collections.abc import Sequence
from uuid import UUID

import pytest

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import Spent, Usage
from core.ai.tables.transactions import TransactionType
from core.approvals.rules import ApprovalState
from core.assistants.rules.assistants import StepKind
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import Conflict, ErrorCode, Unavailable
from core.media.documents import pages_of
from core.media.rules.media import MediaKind
from core.media.tables import MediaSource
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.texts.rules.review import Finding, parse_review
from core.users.tables.users import User
from tests.ai.test_model_calls import Assistants, assistants, booked, models, spent
from tests.api.test_approvals import ARMING, ask_about
from tests.http_server import Answer, Server
from tests.media.test_pictures import picture
from tests.runs.test_carousels import PAGES, POST, full_storage, said, with_text

__all__ = ["assistants", "models"]

SUMMER = """Riding in summer is easy, and still a few things help on hot days.

Take more water than you think. A bottle is empty before you notice.

Ride in the morning. The road is cool and the light is kind.

Come by on Sunday!"""
SUMMER_PAGES = [
    {"kind": "cover", "headline": "Riding in summer", "text": ""},
    {"kind": "point", "headline": "Take more water", "text": "A bottle is soon empty."},
    {"kind": "point", "headline": "Ride in the morning", "text": "The road is cool."},
    {"kind": "call_to_action", "headline": "Come by on Sunday", "text": ""},
]


def pages(found: object) -> Answer:
    return said(json.dumps({"pages": found}))


async def asked(own: Services, assistant: Assistant, run: UUID) -> Post:
    """The run's post with its images, about which a person is asked."""
    await own.imaging.make(assistant.user_id, run, 1)
    post_id = (await own.drafting.check(assistant.user_id, run)).post_id
    async with own.sessions() as session:
        user = await session.get_one(User, assistant.user_id)
    await ask_about(own, user, post_id)
    return await read(own, assistant, post_id)


async def read(own: Services, assistant: Assistant, post_id: UUID) -> Post:
    async with own.sessions() as session:
        return (await PostRepository(session).get(assistant.user_id, post_id))[0]


async def request(own: Services, assistant: Assistant, post: Post) -> None:
    await own.rewriting.request_rewrite(
        assistant.user_id, post.id, content_hash=post.content_hash, remark="About summer"
    )


async def rewrite(own: Services, assistant: Assistant, run: UUID, post: Post) -> Post:
    await request(own, assistant, post)
    await own.rewriting.write(assistant.user_id, run, 1, ARMING)
    return await read(own, assistant, post.id)


async def test_pages_and_document_show_the_new_text(services: Services, assistants: Assistants, models: Server) -> None:
    answers = pages(PAGES), said(SUMMER), pages(SUMMER_PAGES)
    async with with_text(services, assistants, models, *answers) as (own, assistant, run):
        before = await asked(own, assistant, run)
        # as many calls as a text, its rewrite and no pages may make
        cause = Cause(assistant.user_id, TransactionType.text, run_id=run, texts=9)
        request = ModelRequest("openai", "gpt-6-luna", Usage(10, 10))

        async def call() -> Spent:
            return spent()

        for _ in range(4):
            await own.meter.call(cause, request, call)
        after = await rewrite(own, assistant, run, before)
        async with own.sessions() as session:
            facts = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.image)
        calls = len(await booked(services, run))
    assert after.content == SUMMER
    *images, document = [file.media for file in after.files]
    assert [image.name for image in images[1:]] == ["Take more water", "Ride in the morning", "Come by on Sunday"]
    assert after.files[1].alt == "Take more water. A bottle is soon empty."
    assert (document.kind, pages_of(document)) == (MediaKind.document, [str(image.id) for image in images])
    assert [approval.state for approval in after.approvals if approval.content_hash == after.content_hash] == [
        ApprovalState.waiting
    ]
    assert (facts["pages"], facts["input_tokens"], calls) == (4, 642, 8)


async def test_if_the_model_does_not_answer_the_sentences_are_the_pages(
    services: Services, assistants: Assistants, models: Server
) -> None:
    away = Answer(503, {"error": {"message": "away"}})
    async with with_text(services, assistants, models, pages(PAGES), said(SUMMER), away) as (own, assistant, run):
        after = await rewrite(own, assistant, run, await asked(own, assistant, run))
        async with own.sessions() as session:
            facts = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.image)
    assert after.content == SUMMER
    assert "Take more water than you think." in [file.media.name for file in after.files]
    said_of_calls = facts["pages_refused"], facts["input_tokens"], facts["model"]
    assert said_of_calls == ("model_unavailable", 321, "gpt-6-luna")


@pytest.mark.parametrize("left", [(0, 2, 3), (3, 0, 1, 2), (1,), ()], ids=["fewer", "moved", "one", "document"])
async def test_the_carousel_is_drawn_anew_after_a_person_has_removed_or_moved_pages(
    services: Services, assistants: Assistants, models: Server, left: tuple[int, ...]
) -> None:
    async with with_text(services, assistants, models, pages(PAGES), said(SUMMER), pages(SUMMER_PAGES)) as (
        own,
        assistant,
        run,
    ):
        before = await asked(own, assistant, run)
        *images, document = [ComposedFile(file.media_id, file.alt) for file in before.files]
        # as the composer does
        files = await own.carousel_documents.renew(assistant.user_id, [*(images[at] for at in left), document], "en")
        await attach(own, assistant, before, files)
        after = await rewrite(own, assistant, run, before)
    assert [file.media.name for file in after.files[1:4]] == [page["headline"] for page in SUMMER_PAGES[1:]]
    assert pages_of(after.files[-1].media) == [str(file.media_id) for file in after.files[:4]]


async def test_images_that_a_person_has_chosen_stay(services: Services, assistants: Assistants, models: Server) -> None:
    async with with_text(services, assistants, models, pages(PAGES), said(SUMMER)) as (own, assistant, run):
        before = await asked(own, assistant, run)
        mine = await own.media.store(
            assistant.user_id, picture("red"), source=MediaSource.upload, name="Mine", alt="Mine", by_assistant=False
        )
        page = before.files[1]
        kept = [ComposedFile(page.media_id, page.alt), ComposedFile(mine.id, "Mine")]
        await attach(own, assistant, before, kept)
        after = await rewrite(own, assistant, run, before)
        assert (after.content, [file.alt for file in after.files]) == (SUMMER, [page.alt, "Mine"])
        assert tells_of_earlier_pages(after), "the page shows the text that was refused"
        again = await edit(own, assistant, after, before.content, kept)
    assert not tells_of_earlier_pages(again), "the page shows this text"


async def test_a_post_without_its_carousel_stays_without(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, pages(PAGES), said(SUMMER)) as (own, assistant, run):
        before = await asked(own, assistant, run)
        await attach(own, assistant, before, [])
        after = await rewrite(own, assistant, run, before)
    assert (after.content, list(after.files)) == (SUMMER, [])


async def test_pages_of_an_earlier_text_are_told_until_a_person_sees_to_them(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, pages(PAGES)) as (own, assistant, run):
        post = await asked(own, assistant, run)
        was = [ComposedFile(file.media_id, file.alt) for file in post.files if file.alt]

        async def edited(content: str, files: Sequence[ComposedFile]) -> bool:
            nonlocal post
            post = await edit(own, assistant, post, content, files)
            return tells_of_earlier_pages(post)

        drawn = post.content
        assert not await edited(drawn, was[1:])
        assert await edited(f"{SUMMER} Drink.", was[1:])
        assert await edited(SUMMER, was[1:])
        assert not await edited(drawn, was[1:]), "the text that they show is back"
        assert await edited(SUMMER, was[1:])
        assert await edited(SUMMER, was[1:3]), "also with fewer pages"
        assert not await edited(SUMMER, was[:3])
        assert await edited(f"{SUMMER} Bring a hat.", was[:3])
        assert await edited(drawn, was[:3])
        assert not await edited(SUMMER, was[:3]), "the text for which the page was added is back"
        assert await edited(f"{SUMMER} Bring a hat.", was[:3])
        assert not await edited(f"{SUMMER} Bring a hat.", ())


def tells_of_earlier_pages(post: Post) -> bool:
    return Finding.earlier_pages in [note.finding for note in parse_review(post.review)]


async def edit(own: Services, assistant: Assistant, post: Post, content: str, files: Sequence[ComposedFile]) -> Post:
    accounts = tuple(delivery.account_id for delivery in post.deliveries)
    form = Composition(
        content=content, account_ids=accounts, files=tuple(files), planned_at=post.planned_at, language="en"
    )
    await own.composing.edit(assistant.user_id, post.id, post.version, form)
    return await read(own, assistant, post.id)


async def attach(own: Services, assistant: Assistant, post: Post, files: Sequence[ComposedFile]) -> None:
    async with own.sessions.begin() as session:
        row = await PostRepository(session).lock(assistant.user_id, post.id)
        await PostRepository(session).set_files(row, files)


async def test_while_the_storage_is_away_a_repeat_pays_for_no_other_text_and_pages(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = [page | {"headline": f"{page['headline']} again"} for page in SUMMER_PAGES]
    answers = pages(PAGES), said(SUMMER), pages(SUMMER_PAGES), said(f"{SUMMER} Bring a hat."), pages(other)
    async with with_text(services, assistants, models, *answers) as (own, assistant, run):
        before = await asked(own, assistant, run)
        await request(own, assistant, before)
        for attempt in range(1, 5):
            with full_storage(own, monkeypatch, room=0), pytest.raises(Unavailable):
                await own.rewriting.write(assistant.user_id, run, attempt, ARMING)
        await own.rewriting.write(assistant.user_id, run, 5, ARMING)
        after = await read(own, assistant, before.id)
        calls = await booked(services, run)
        async with own.sessions() as session:
            text = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.text)
            image = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.image)
    assert after.content == SUMMER
    assert [file.media.name for file in after.files[1:4]] == [page["headline"] for page in SUMMER_PAGES[1:]]
    assert (len(calls), text["rewrites"], text["input_tokens"], image["input_tokens"]) == (4, 1, 642, 642)
    assert SUMMER not in json.dumps(text["rewriting"]), "it is the post's text now"


async def test_after_a_request_that_failed_another_one_may_make_its_calls(
    services: Services, assistants: Assistants, models: Server
) -> None:
    """The person gets the text that they have read each time, until a new request gets another one."""
    same, again = [said(POST)] * 7, (said(SUMMER), pages(SUMMER_PAGES))
    async with with_text(services, assistants, models, pages(PAGES), *same, *again) as (own, assistant, run):
        before = await asked(own, assistant, run)
        for _ in same:
            await request(own, assistant, before)
            with pytest.raises(Conflict) as raised:
                await own.rewriting.write(assistant.user_id, run, 1, ARMING)
            assert raised.value.code is ErrorCode.rewrite_same
            await own.rewriting.give_up(assistant.user_id, run, raised.value.code)
        after = await rewrite(own, assistant, run, before)
    assert after.content == SUMMER


async def test_what_was_kept_for_a_request_is_not_used_for_the_next_one(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    autumn = SUMMER.replace("summer", "autumn")
    answers = pages(PAGES), said(SUMMER), pages(SUMMER_PAGES), said(autumn), pages(SUMMER_PAGES)
    async with with_text(services, assistants, models, *answers) as (own, assistant, run):
        before = await asked(own, assistant, run)
        await request(own, assistant, before)
        with full_storage(own, monkeypatch, room=0), pytest.raises(Unavailable) as raised:
            await own.rewriting.write(assistant.user_id, run, 1, ARMING)
        await own.rewriting.give_up(assistant.user_id, run, raised.value.code)
        after = await rewrite(own, assistant, run, before)
        assert len(await booked(services, run)) == 6
    assert after.content == autumn


async def used(own: Services, assistant: Assistant, run: UUID) -> dict[str, int]:
    """The tokens that the evidence names, by step."""
    async with own.sessions() as session:
        runs = RunRepository(session)
        steps = [await runs.step_facts(assistant.user_id, run, kind) for kind in (StepKind.text, StepKind.image)]
    return {name: facts["input_tokens"] for name, facts in zip(("text", "image"), steps, strict=True)}


async def test_the_evidence_has_the_usage_of_rewrites_that_failed(
    services: Services, assistants: Assistants, models: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    autumn = SUMMER.replace("summer", "autumn")
    answers = pages(PAGES), said(SUMMER), pages(SUMMER_PAGES), said(autumn), pages(SUMMER_PAGES)
    async with with_text(services, assistants, models, *answers) as (own, assistant, run):
        before = await asked(own, assistant, run)
        assert await used(own, assistant, run) == {"text": 321, "image": 321}
        await request(own, assistant, before)
        with full_storage(own, monkeypatch, room=0), pytest.raises(Unavailable) as raised:
            await own.rewriting.write(assistant.user_id, run, 1, ARMING)
        for _ in range(2):
            await own.rewriting.give_up(assistant.user_id, run, raised.value.code)
            assert await used(own, assistant, run) == {"text": 642, "image": 642}
        await rewrite(own, assistant, run, before)
        assert await used(own, assistant, run) == {"text": 963, "image": 963}
        assert sum(call.input_tokens or 0 for call in await booked(services, run)) == 2 * 963


async def test_a_rewrite_without_a_cut_prompt_does_not_keep_the_warning(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, pages(PAGES), said(SUMMER), pages(SUMMER_PAGES)) as started:
        own, assistant, run = started
        async with own.sessions.begin() as session:
            await RunRepository(session).add_facts(assistant.user_id, run, StepKind.text, {"prompt_cut": True})
        await rewrite(own, assistant, run, await asked(own, assistant, run))
        async with own.sessions() as session:
            facts = await RunRepository(session).step_facts(assistant.user_id, run, StepKind.text)
    assert "prompt_cut" not in facts
