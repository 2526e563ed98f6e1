"""What follows the publication of an article, from its row to the site and back, on the real parts."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.articles.auto_announcements import GIVE_UP_AFTER
from core.articles.tables import Announcement
from core.clock import utcnow
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.posts.rules.posts import RevisionState
from core.users.tables.users import User
from temporal.gateway import Gateway
from temporal.worker import run_worker
from tests.api.conftest import done
from tests.api.test_announcing import published as out_at
from tests.api.test_announcing import take_away
from tests.api.test_article_updates import Out, published
from tests.api.test_websites import a_form, page_of
from tests.conftest import GRACEFUL, Stack, browsing
from tests.follow_ups import attempt
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually
from workflows.names import follow_up_workflow


@pytest.fixture
async def author(stack: Stack) -> User:
    return await stack.make.user()


@pytest.fixture
async def browser(stack: Stack, away: Gateway, author: User) -> AsyncIterator[httpx2.AsyncClient]:
    """The API cannot reach Temporal: nothing that follows a publication needs it to."""
    async with browsing(stack.services, away, author) as client:
        yield client


@pytest.fixture
async def out(stack: Stack, browser: httpx2.AsyncClient, author: User) -> Out:
    return await published(browser, stack.services, author, stack.networks)


async def delivery_of(out: Out) -> UUID:
    return UUID((await out.read())["deliveries"][0]["id"])


async def same_at_site(out: Out) -> None:
    async def so() -> bool:
        return bool((await out.read())["at_site"]["same"])

    await eventually(so)


async def outcome(stack: Stack, kind: FollowUpKind, row_id: UUID) -> dict[str, str]:
    handle = stack.client.get_workflow_handle(follow_up_workflow(kind, row_id))
    return dict(await asyncio.wait_for(handle.result(), PATIENCE))


async def test_a_changed_article_comes_to_its_site(stack: Stack, out: Out, record: Record) -> None:
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await out.edit(content="Below **eight** degrees.")
        done(await out.post("update"))
        await same_at_site(out)
        assert "eight" in await page_of(await out.address())
        delivery_id = await delivery_of(out)
        assert await outcome(stack, FollowUpKind.revision, delivery_id) == {"state": "updated", "reason": ""}
    await record("revision.updated", follow_up_workflow(FollowUpKind.revision, delivery_id))


async def test_a_change_whose_answer_was_lost_is_told_again(stack: Stack, out: Out, record: Record) -> None:
    await stack.networks.fail(on="posts", kind="lost_answer", times=1)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await out.edit(content="Below **eight** degrees.")
        done(await out.post("update"))
        await same_at_site(out)
        assert "eight" in await page_of(await out.address())
    await record("revision.answer-lost", follow_up_workflow(FollowUpKind.revision, await delivery_of(out)))


async def test_a_refused_change_ends_with_its_reason_and_is_tried_once_its_author_wants_it(
    stack: Stack, out: Out, record: Record
) -> None:
    await stack.networks.fail(on="posts", kind="status", status=400, code="rest_invalid_param", times=1)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await out.edit(content="Below **eight** degrees.")
        done(await out.post("update"))

        async def failed() -> bool:
            revision = (await out.read())["at_site"]["revision"]
            return revision is not None and revision["state"] == "failed"

        await eventually(failed)
        told = await outcome(stack, FollowUpKind.revision, delivery_id := await delivery_of(out))
        assert (told["state"], told["reason"]) == ("failed", "delivery_refused")
        await record("revision.refused", follow_up_workflow(FollowUpKind.revision, delivery_id))
        done(await out.post("update"))
        await same_at_site(out)


@pytest.fixture
async def wanting(stack: Stack, browser: httpx2.AsyncClient, author: User) -> dict[str, Any]:
    """A website whose new articles are announced as drafts."""
    site = done(await browser.post("/websites/connect/wordpress/", json=a_form(stack.networks)), 201)
    account = await stack.make.account(author, stack.networks.url)
    assistant = await stack.make.assistant(author, accounts=(account.id,))
    body = {"assistant_id": str(assistant.id), "version": site["version"]}
    chosen: dict[str, Any] = done(await browser.put(f"/websites/{site['id']}/announcing/", json=body))
    return chosen


async def announced(browser: httpx2.AsyncClient, article: dict[str, Any], state: str) -> list[dict[str, Any]]:
    """Return the posts that announce it, once its announcement has that state."""
    told: dict[str, Any] = {}

    async def so() -> bool:
        told.update(done(await browser.get(f"/articles/{article['id']}/announcements/")))
        return bool(told["by_itself"]["state"] == state)

    await eventually(so)
    return list(told["posts"])


async def announcement_of(stack: Stack, article: dict[str, Any]) -> UUID:
    async with stack.services.sessions() as session:
        found = await session.scalar(select(Announcement.id).where(Announcement.article_id == UUID(article["id"])))
    assert found is not None
    return found


async def change(stack: Stack, article: dict[str, Any], **values: object) -> None:
    async with stack.services.sessions.begin() as session:
        of = update(Announcement).where(Announcement.article_id == UUID(article["id"]))
        await session.execute(of.values(**values))


async def test_an_article_is_announced_by_a_draft_with_a_text_of_its_own(
    stack: Stack, browser: httpx2.AsyncClient, author: User, wanting: dict[str, Any], record: Record
) -> None:
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        article = await out_at(browser, stack.services, author, wanting)
        [post] = await announced(browser, article, "made")
        assert (post["status"], post["is_demo"]) == ("draft", True)
        assert "Winter tyres" in post["content"]
        row_id = await announcement_of(stack, article)
        assert await outcome(stack, FollowUpKind.announcement, row_id) == {"state": "made", "reason": ""}
    assert len(done(await browser.get("/transactions/"))["items"]) == 1, "one text was paid for"
    await record("announcement.drafted", follow_up_workflow(FollowUpKind.announcement, row_id))


async def test_an_announcement_is_given_up_where_readers_never_get_the_article(
    stack: Stack, browser: httpx2.AsyncClient, author: User, wanting: dict[str, Any], record: Record
) -> None:
    article = await out_at(browser, stack.services, author, wanting)
    await take_away(stack.services, stack.networks, article)
    await change(stack, article, created_at=utcnow() - GIVE_UP_AFTER)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert await announced(browser, article, "failed") == []
        row_id = await announcement_of(stack, article)
        told = await outcome(stack, FollowUpKind.announcement, row_id)
    assert (told["state"], told["reason"]) == ("failed", "page_not_shown")
    await record("announcement.given-up", follow_up_workflow(FollowUpKind.announcement, row_id))


async def test_announcements_that_the_rounds_of_earlier_releases_left_are_taken_over(
    stack: Stack, browser: httpx2.AsyncClient, author: User, wanting: dict[str, Any]
) -> None:
    """As they stood when the old worker stopped: before the first step, with a draft whose text is on its way, with a
    step under way, and before the next look at the article's page."""
    fresh, writing, stopped, waiting = [await out_at(browser, stack.services, author, wanting) for _ in range(4)]
    for other in (fresh, stopped, waiting):
        await change(stack, other, due_at=utcnow() + timedelta(hours=1))
    assert await attempt(stack.services, FollowUpKind.announcement) == [False]
    [draft] = await announced(browser, writing, "writing")
    await change(stack, writing, due_at=utcnow() + timedelta(seconds=5))
    await change(stack, fresh, due_at=utcnow())
    await change(stack, stopped, due_at=utcnow() + timedelta(seconds=3))
    await change(stack, waiting, attempts=4, error_code="page_not_reached")
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        for article in (fresh, writing, stopped):
            [post] = await announced(browser, article, "made")
            assert "Winter tyres" in post["content"]
            if article is writing:
                assert post["id"] == draft["id"]
        assert await announced(browser, waiting, "waiting") == []


async def test_changes_that_the_rounds_of_earlier_releases_left_are_taken_over(
    stack: Stack, out: Out, browser: httpx2.AsyncClient, author: User
) -> None:
    """As they stood when the old worker stopped: its process killed in the call, and while the site asked for a
    pause."""
    paused = await published(browser, stack.services, author, stack.networks)
    now = utcnow()
    left: dict[Out, dict[str, object]] = {
        out: {"revision_due_at": now - timedelta(seconds=1), "revision_called_at": now - timedelta(minutes=4)},
        paused: {"revision_due_at": now + timedelta(hours=5), "revision_error_code": "rate_limited"},
    }
    for article, values in left.items():
        await article.edit(content="Below **eight** degrees.")
        async with stack.services.sessions.begin() as session:
            await session.execute(
                update(Delivery)
                .where(Delivery.post_id == UUID(article.body["id"]))
                .values(revision=RevisionState.waiting, revision_attempts=1, **values)
            )
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await same_at_site(out)
        assert not (await paused.read())["at_site"]["same"]
        await paused.due_now()
        await same_at_site(paused)
