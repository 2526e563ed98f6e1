"""An assistant's article on the real parts: PostgreSQL, Temporal, the stand-in for WordPress."""

from dataclasses import replace
from datetime import timedelta

import httpx2
import pytest

from core.approvals import rules as approvals
from core.articles.drafts import ArticleDraft
from core.articles.rules.articles import ArticleFields
from core.assistants.rules.assistants import Mode, RunState, StepKind
from core.assistants.tables import Assistant
from core.posts.rules.posts import DeliveryState
from core.runs import rewriting
from core.runs.repositories.runs import RunRepository
from core.texts.rules.markdown import html_of
from temporal import reconcile
from tests.conftest import Stack
from tests.workflows.conftest import Record
from tests.workflows.support import outcome, soon
from tests.workflows.test_publishing import begun, carried_on, lost


@pytest.fixture(autouse=True)
def _little_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline a moment before the arming: nobody here reads mails."""
    monkeypatch.setattr(approvals, "_MARGIN", approvals._MARGIN * 0)
    monkeypatch.setattr(rewriting, "WRITING_TIME", rewriting.WRITING_TIME * 0)


async def writing_for_a_site(stack: Stack, mode: Mode) -> Assistant:
    user = await stack.make.user()
    website = await stack.make.website(user, stack.networks.url)
    return await stack.make.assistant(user, website_id=website, mode=mode, image=mode is Mode.automatic)


async def test_an_article_is_written_part_by_part_and_there_once_at_its_slot(stack: Stack, record: Record) -> None:
    assistant = await writing_for_a_site(stack, Mode.automatic)
    async with begun(stack, assistant, soon(10)) as story:
        assert (await story.ended()).state == RunState.published
    run, post, delivery = await outcome(stack, assistant, story.slot)
    assert (run.state, delivery.state) == (RunState.published, DeliveryState.published)
    fields = ArticleFields.from_json(post.article or {})
    async with httpx2.AsyncClient() as reader:
        page = (await reader.get(delivery.permalink or "")).text
    assert fields.title in page
    assert html_of(post.content).splitlines()[0] in page
    async with stack.services.sessions() as session:
        steps = await RunRepository(session).list_steps(run.user_id, run.id)
    assert [step.kind for step in steps] == list(StepKind)
    await record("run.article-published", story.name)


async def test_an_article_is_written_again_edited_and_approved(stack: Stack, record: Record) -> None:
    assistant = await writing_for_a_site(stack, Mode.approval)
    async with begun(stack, assistant, soon(45)) as story:
        first = await story.in_state(RunState.waiting)
        await story.write_again("Nobody believes the second section")
        second = await story.asked_about_another(first.content_hash)
        assert second.content != first.content
        assert html_of(second.content).count("<h2>") == html_of(first.content).count("<h2>")
        fields = ArticleFields.from_json(second.article or {})
        wanted = ArticleDraft(
            content=f"{second.content}\n\n## Last words\n\nBy a person.",
            fields=fields,
            website_id=assistant.website_id,
            planned_at=second.planned_at,
        )
        edited = await stack.services.composing.edit(second.user_id, second.id, second.version, wanted)
        assert edited.waiting
        await story.told(edited.changed, await stack.gateway.posts.send_edit(edited.changed))
        await story.decide(approved=True)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    _, _, delivery = await outcome(stack, assistant, story.slot)
    async with httpx2.AsyncClient() as reader:
        page = (await reader.get(delivery.permalink or "")).text
    assert "By a person." in page
    await record("run.article-approved", story.name)


async def test_an_edited_article_whose_run_temporal_has_lost_goes_out_as_it_was_edited(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    assistant = await writing_for_a_site(stack, Mode.approval)
    async with begun(stack, assistant, soon(60)) as story:
        first = await story.in_state(RunState.waiting)
        fields = ArticleFields.from_json(first.article or {})
        wanted = ArticleDraft(
            content=f"{first.content}\n\n## Last words\n\nBy a person.",
            fields=replace(fields, summary="A person's summary.", seo_title="A person's title"),
            website_id=assistant.website_id,
            planned_at=first.planned_at,
        )
        edited = await stack.services.composing.edit(first.user_id, first.id, first.version, wanted)
        await story.told(edited.changed, await stack.gateway.posts.send_edit(edited.changed))
        before = await story.post()
        await lost(stack, story)
        await carried_on(stack, story)
        await story.decide(approved=True)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    _, after, delivery = await outcome(stack, assistant, story.slot)
    assert (after.content, after.article, after.content_hash) == (before.content, before.article, before.content_hash)
    async with httpx2.AsyncClient() as reader:
        page = (await reader.get(delivery.permalink or "")).text
    assert "By a person." in page
