"""An article of a run, part by part: each is there as soon as it is written, and paid for once."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete, select, update

from core.ai.model_calls import MAX_BILLED_CALLS
from core.ai.tables.transactions import Transaction
from core.articles.drafts import free_slug, slug_problems
from core.articles.rules.articles import ArticleFields
from core.articles.writing import TEXTS
from core.assistants.rules.assistants import Mode, StepKind, StepState
from core.assistants.tables import Assistant
from core.brands.tables import Brand
from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode, InvalidInput, NoMoreSpending, RetrySafe
from core.ids import new_id
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.tables import RunStep, TextVersion
from core.templates.tables import Template
from core.texts.rules.markdown import html_of
from core.users.tables.users import User
from core.websites.repositories.websites import WebsiteRepository
from tests.ai.test_model_calls import answered, models, writing
from tests.conftest import Networks
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.runs.test_drafting import SLOT, begin, counts

__all__ = ["models"]

OUTLINE = "Riding in the rain\n\n## What to wear\n## Which tyres\n"
PARTS = [
    OUTLINE,
    "## What to wear\n\nA cape is **enough**.",
    "Wide ones, at 3 bar.\n\n# Why\n\nThey hold.",
    "Summary: What to wear in the rain, and which tyres hold.",
    "Riding in the rain: cape and tyres\nA cape is enough, and wide tyres hold.",
]


@pytest.fixture
async def assistant(make: Factory, user: User, networks: Networks) -> Assistant:
    return await make.assistant(user, website_id=await make.website(user, networks.url), mode=Mode.approval)


def steps_of(services: Services, owner: UUID, run: UUID, sections: int) -> list[Callable[[int], Awaitable[object]]]:
    writing = services.article_writing
    return [
        lambda attempt: writing.write_outline(owner, run, attempt),
        *(
            lambda attempt, number=number: writing.write_section(owner, run, number, attempt)
            for number in range(sections)
        ),
        lambda attempt: writing.write_summary(owner, run, attempt),
        lambda attempt: writing.write_search(owner, run, attempt),
    ]


def said(text: str) -> Answer:
    return answered({"type": "output_text", "text": text, "annotations": []})


async def article_of(services: Services, run: UUID) -> Post:
    async with services.sessions() as session:
        post = await session.scalar(select(Post).where(Post.run_id == run))
    assert post is not None
    assert post.article is not None
    return post


async def step_of(services: Services, run: UUID, kind: StepKind) -> RunStep:
    async with services.sessions() as session:
        step = await session.scalar(select(RunStep).where(RunStep.run_id == run, RunStep.kind == kind))
    assert step is not None
    return step


async def test_it_is_written_part_by_part_and_its_parts_are_read_out_of_the_answers(
    services: Services, assistant: Assistant, models: Server
) -> None:
    models.answers("/v1/responses", *map(said, PARTS))
    owner, run = assistant.user_id, new_id()
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        outline, first, *others = steps_of(own, owner, run, 2)
        assert await outline(1) == 2
        begun = await article_of(own, run)
        assert begun.content == "## What to wear\n\n## Which tyres"
        assert (begun.topic_title, begun.status) == ("Riding in the rain", PostStatus.draft)
        await first(1)
        assert (await article_of(own, run)).content == "## What to wear\n\nA cape is **enough**.\n\n## Which tyres"
        text = await step_of(own, run, StepKind.text)
        assert (text.state, text.facts["section"], text.facts["sections"]) == (StepState.active, 1, 2)
        for step in others:
            await step(1)
    post = await article_of(services, run)
    assert post.content == (
        "## What to wear\n\nA cape is **enough**.\n\n## Which tyres\n\nWide ones, at 3 bar.\n\n### Why\n\nThey hold."
    )
    fields = ArticleFields.from_json(post.article or {})
    assert fields == ArticleFields(
        title="Riding in the rain",
        slug="riding-in-the-rain",
        summary="What to wear in the rain, and which tyres hold.",
        seo_title="Riding in the rain: cape and tyres",
        seo_description="A cape is enough, and wide tyres hold.",
    )
    told = [str(request.json["input"]) for request in models.requests]
    assert "A cape is **enough**." in told[2]  # a section knows what stands before it
    assert all("Wide ones" in one for one in told[3:])
    text = await step_of(services, run, StepKind.text)
    assert (text.state, text.facts["sections"]) == (StepState.done, 2)
    async with services.sessions() as session:
        calls = list(await session.scalars(select(Transaction).where(Transaction.run_id == run)))
    assert len(calls) == len(PARTS)
    assert text.facts["input_tokens"] == sum(call.input_tokens or 0 for call in calls[1:3])


async def test_each_part_is_told_the_brand_of_the_assistant(
    services: Services, assistant: Assistant, models: Server
) -> None:
    models.answers("/v1/responses", *map(said, PARTS))
    owner, run = assistant.user_id, new_id()
    async with services.sessions.begin() as session:
        brand = Brand(user_id=owner, name="Kettwerk", voice="dry", facts=["Open since 1998"])
        session.add(brand)
        await session.flush()
        (await session.get_one(Assistant, assistant.id)).brand_id = brand.id
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        for step in steps_of(own, owner, run, 2):
            await step(1)
    for request in models.requests:
        for part in ("Name: <value>Kettwerk</value>", "Voice: <value>dry</value>", "<value>Open since 1998</value>"):
            assert part in request.json["instructions"]
        assert "those of the brief, of the brand and of the notes" in request.json["instructions"]
    assert len(models.requests) == len(PARTS)


async def test_its_parts_get_the_typography_of_its_language(
    services: Services, assistant: Assistant, models: Server
) -> None:
    parts = [
        'Riding -- in the rain\n\n## What is "wet"...\n',
        "A cape - any cape - is enough...\n\n    cape --dry\n\nSee `--help`.",
        "Summary: A cape -- and nothing else.",
        "Rain -- and a cape\nA cape is enough...",
    ]
    models.answers("/v1/responses", *map(said, parts))
    owner, run = assistant.user_id, new_id()
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        for step in steps_of(own, owner, run, 1):
            await step(1)
    post = await article_of(services, run)
    fields = ArticleFields.from_json(post.article or {})
    assert (fields.title, fields.summary) == ("Riding – in the rain", "A cape – and nothing else.")
    assert (fields.seo_title, fields.seo_description) == ("Rain – and a cape", "A cape is enough…")
    assert "A cape – any cape – is enough…" in post.content
    assert "    cape --dry" in post.content
    assert "`--help`" in post.content


async def test_a_section_in_the_wrong_language_is_written_again_once(
    services: Services, assistant: Assistant, models: Server
) -> None:
    german = "Ein Umhang ist genug, wenn du nicht zu schnell fährst, und er hält dich auch an kalten Tagen trocken."
    first = "A cape is **enough** when you do not ride too fast, and it keeps you dry on cold days, too."
    answers = [PARTS[0], f"<think>Hm.</think>\n\n{german}", first, german, german, PARTS[3], PARTS[4]]
    models.answers("/v1/responses", *map(said, answers))
    owner, run = assistant.user_id, new_id()
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        for step in steps_of(own, owner, run, 2):
            await step(1)
            await step(2)  # repeated, it asks nobody
    assert (await article_of(services, run)).content == f"## What to wear\n\n{first}\n\n## Which tyres\n\n{german}"
    text = await step_of(services, run, StepKind.text)
    assert (text.facts["flaw"], text.facts["correction"]) == ("language", "accepted")
    assert len(models.requests) == len(answers)
    async with services.sessions() as session:
        kept = list(await session.scalars(select(TextVersion.part).where(TextVersion.run_id == run)))
        calls = list(await session.scalars(select(Transaction).where(Transaction.run_id == run)))
    assert sorted(kept) == [-2, -1, 0, 0, 0, 0, 1]
    assert text.facts["input_tokens"] == sum(call.input_tokens or 0 for call in calls[1:5])


async def test_a_second_attempt_of_each_part_makes_nothing_twice(
    services: Services, assistant: Assistant, user: User
) -> None:
    run = new_id()
    await begin(services, assistant, run)
    sections = await services.article_writing.write_outline(user.id, run, 1)
    for step in steps_of(services, user.id, run, sections):
        first = await step(1)
        made = await counts(services, user.id)
        before = await article_of(services, run)
        assert await step(2) == first
        assert await counts(services, user.id) == made
        assert (await article_of(services, run)).content == before.content
    checked = await services.drafting.check(user.id, run)
    assert (len(checked.deliveries), checked.asks) == (1, True)
    assert (await counts(services, user.id))["transactions"] == sections + 3


async def test_a_checked_article_is_not_written_again_even_where_its_template_is_gone(
    services: Services, assistant: Assistant, user: User
) -> None:
    """As a run does whose workflow Temporal has lost: it repeats all steps, and finds what a person has edited."""
    run = new_id()
    await begin(services, assistant, run)
    sections = await services.article_writing.write_outline(user.id, run, 1)
    for step in steps_of(services, user.id, run, sections):
        await step(1)
    checked = await services.drafting.check(user.id, run)
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, checked.post_id)
        post.content, post.article = "## By a person", {**(post.article or {}), "summary": "Mine", "seo_title": "Mine"}
        await session.execute(update(Assistant).values(template_version_id=None, image_template_version_id=None))
        await session.execute(delete(Template).where(Template.user_id == user.id))
    made = await counts(services, user.id)
    edited = await article_of(services, run)
    for step in steps_of(services, user.id, run, sections):
        await step(1)
    assert await services.article_writing.write_outline(user.id, run, 1) == 0
    assert await services.drafting.check(user.id, run) == checked
    after = await article_of(services, run)
    assert (after.content, after.article) == (edited.content, edited.article)
    assert await counts(services, user.id) == made


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_built_in_writers_article_has_all_that_it_needs_to_go_out(
    services: Services, make: Factory, user: User, networks: Networks, language: str
) -> None:
    website = await make.website(user, networks.url)
    assistant = await make.assistant(user, website_id=website)
    async with services.sessions.begin() as session:
        (await session.get_one(Assistant, assistant.id)).language = language
    run = new_id()
    await begin(services, assistant, run)
    sections = await services.article_writing.write_outline(user.id, run, 1)
    for step in steps_of(services, user.id, run, sections)[1:]:
        await step(1)
    await services.imaging.make(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    post = await article_of(services, run)
    fields = ArticleFields.from_json(post.article or {})
    assert fields.title
    assert fields.summary
    assert fields.seo_title
    assert fields.seo_description
    assert fields.featured
    assert html_of(post.content).count("<h2>") == sections
    assert (post.status, len(checked.deliveries)) == (PostStatus.complete, 1)


async def test_what_an_attempt_was_answered_is_not_asked_for_again(
    services: Services, assistant: Assistant, models: Server
) -> None:
    """A worker dies between the answer and what is made of it."""
    models.answers("/v1/responses", *map(said, PARTS[:2]))
    owner, run = assistant.user_id, new_id()
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        assert await own.article_writing.write_outline(owner, run, 1) == 2
        await own.article_writing.write_section(owner, run, 0, 1)
        async with own.sessions.begin() as session:
            post = await session.scalar(select(Post).where(Post.run_id == run))
            assert post is not None
            post.content = ""
        await own.article_writing.write_section(owner, run, 0, 2)
    assert len(models.requests) == 2
    assert "A cape is **enough**." in (await article_of(services, run)).content


async def test_two_articles_of_one_title_get_slugs_of_their_own(
    services: Services, assistant: Assistant, models: Server
) -> None:
    models.answers("/v1/responses", said(OUTLINE), said(OUTLINE))
    runs = [new_id(), new_id()]
    async with writing(services, models.url) as own:
        for at, run in enumerate(runs):
            await own.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", SLOT.replace(minute=at))
            await own.article_writing.write_outline(assistant.user_id, run, 1)
    slugs = [(await article_of(services, run)).article for run in runs]
    assert [one and one["slug"] for one in slugs] == ["riding-in-the-rain", "riding-in-the-rain-2"]


async def test_what_waits_for_approval_keeps_its_slug_for_itself(
    services: Services, assistant: Assistant, user: User
) -> None:
    """Else both are approved, and the second is found at the site as the first."""
    runs = [new_id(), new_id()]
    for at, run in enumerate(runs):
        await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", SLOT.replace(minute=at))
        for step in steps_of(services, user.id, run, await services.article_writing.write_outline(user.id, run, 1)):
            await step(1)
    waiting, second = [await article_of(services, run) for run in runs]
    slug = ArticleFields.from_json(waiting.article or {}).slug
    await services.drafting.check(user.id, runs[0])
    async with services.sessions.begin() as session:  # as its person may write it
        post = await session.get_one(Post, second.id)
        post.article = (post.article or {}) | {"slug": slug}
    async with services.sessions() as session:
        [problem] = await slug_problems(session, await session.get_one(Post, second.id))
    assert (problem.field, problem.code) == ("fields.slug", ErrorCode.slug_taken)
    await services.drafting.check(user.id, runs[1])
    assert [ArticleFields.from_json((await article_of(services, run)).article or {}).slug for run in runs] == [
        slug,
        f"{slug}-2",
    ]


async def test_a_slug_stays_with_what_is_deleted_here_and_may_be_at_the_site(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    async with services.sessions.begin() as session:
        site = (await WebsiteRepository(session).get(user.id, await make.website(user, networks.url))).row
        accounts = [str(site.account_id)]
        for slug, status in (("there", PostStatus.published), ("nowhere", PostStatus.draft)):
            article = ArticleFields(title=slug, slug=slug).to_json()
            values = {"content": "", "content_hash": "", "article": article, "account_ids": accounts}
            session.add(Post(id=new_id(), user_id=user.id, status=status, deleted_at=utcnow(), **values))
        await session.flush()
        assert [await free_slug(session, user.id, accounts, slug) for slug in ("there", "nowhere")] == [
            "there-2",
            "nowhere",
        ]


async def test_a_model_that_takes_money_and_gives_nothing_is_not_asked_for_ever(
    services: Services, assistant: Assistant, models: Server
) -> None:
    most = MAX_BILLED_CALLS["text"] + TEXTS - 1  # type: ignore[index]
    models.answers("/v1/responses", *[said(" ")] * (most + 1))
    run = new_id()
    async with writing(services, models.url) as own:
        await begin(own, assistant, run)
        for attempt in range(1, most):
            with pytest.raises(RetrySafe) as raised:
                await own.article_writing.write_outline(assistant.user_id, run, attempt)
            assert raised.value.code is ErrorCode.model_unavailable
        with pytest.raises(NoMoreSpending):
            await own.article_writing.write_outline(assistant.user_id, run, most)
    assert len(models.requests) == most


async def test_a_social_assistant_takes_no_website_and_a_website_one_assistant(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    website = await make.website(user, networks.url)
    await make.assistant(user, website_id=website)
    with pytest.raises(InvalidInput) as taken:
        await make.assistant(user, website_id=website)
    found: Any = taken.value
    assert [(one.field, one.code, one.params) for one in found.errors] == [
        ("website_id", ErrorCode.website_has_assistant, {"by": "Commuter tips"})
    ]
    async with services.sessions() as session:
        kept = list(await session.scalars(select(TextVersion).where(TextVersion.user_id == user.id)))
    assert kept == []
