"""A feed of a topic tree, followed by its workflow, on the real parts."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle
from temporalio.service import RPCError, RPCStatusCode

from core.feeds.feeds import FeedChange, FeedForm, TopicFeedService
from core.feeds.reading import FeedReadingService
from core.feeds.tables import TopicFeed
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from core.topics.tables import Topic
from core.topics.topic_trees import TopicTreeService
from temporal import reconcile
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.feeds.test_reading import item, rss
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually
from tests.workflows.workers import takes_tasks, worker_process
from workflows.feed import FeedWorkflow
from workflows.names import feed_workflow

Handle = WorkflowHandle[Any, Any]


class Fed:
    """A branch of a tree, fed from servers at `bases`, each feed asked every two seconds if it allows that."""

    def __init__(self, stack: Stack, user_id: UUID, tree_id: UUID, branch_id: UUID, bases: Sequence[str]) -> None:
        self.user_id, self.tree_id, self.branch_id = user_id, tree_id, branch_id
        self.sessions, pages = stack.services.sessions, PageReader(Outside(tuple(bases)))
        self.feeds = TopicFeedService(self.sessions, pages)
        reading = FeedReadingService(self.sessions, pages, timedelta(seconds=2))
        services = replace(stack.services, topic_feeds=self.feeds, topic_feed_readings=reading)
        self.stack = replace(stack, services=services)

    async def add(self, address: str, *, full_text: bool = False) -> TopicFeed:
        form = FeedForm(self.branch_id, address, 20, full_text)
        return (await self.feeds.add(self.user_id, self.tree_id, form))[0]

    async def change(self, feed: TopicFeed, change: FeedChange) -> None:
        await self.feeds.change(self.user_id, self.tree_id, feed.id, change)

    def handle(self, feed: TopicFeed) -> Handle:
        return self.stack.client.get_workflow_handle(feed_workflow(feed.id))

    async def titles(self) -> list[str]:
        async with self.sessions() as session:
            titles = select(Topic.title).where(Topic.parent_id == self.branch_id).order_by(Topic.position)
            return list(await session.scalars(titles))

    async def has(self, count: int) -> None:
        async def so() -> bool:
            return len(await self.titles()) >= count

        await eventually(so)

    async def runs(self, feed: TopicFeed) -> str:
        """Return the id of the execution, once it runs."""

        async def so() -> bool:
            try:
                return (await self.handle(feed).describe()).status is WorkflowExecutionStatus.RUNNING
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:  # not started yet
                    raise
                return False

        await eventually(so)
        return (await self.handle(feed).describe()).run_id

    async def ends(self, feed: TopicFeed) -> None:
        await asyncio.wait_for(self.handle(feed).result(), PATIENCE)


async def fed(stack: Stack, *bases: str) -> Fed:
    user = await stack.make.user()
    async with stack.services.sessions.begin() as session:
        tree, *_ = await TopicTreeService(session).create(user.id, "Rad", "- Rad\n-- News")
        branch = await session.scalar(select(Topic.id).where(Topic.tree_id == tree.id, Topic.title == "News"))
    assert branch is not None
    return Fed(stack, user.id, tree.id, branch, bases)


async def test_new_items_are_added_while_it_is_followed_each_once(stack: Stack, record: Record) -> None:
    branch = await fed(stack, stack.networks.url)
    feed = await branch.add(f"{stack.networks.url}/sandbox/feed?every=4")
    async with run_worker(stack.client, branch.stack.services, graceful=GRACEFUL):
        await branch.has(5)
        # stopped and followed again, by new workflows
        await branch.change(feed, FeedChange(active=False))
        await branch.ends(feed)
        await record("feed.followed-and-stopped", branch.handle(feed).id)
        before = len(await branch.titles())
        await branch.change(feed, FeedChange(active=True))
        await branch.has(before + 1)
        first = await branch.runs(feed)
        await branch.handle(feed).signal(FeedWorkflow.roll)

        async def rolled() -> bool:
            return (await branch.handle(feed).describe()).run_id != first

        await eventually(rolled)
        await record("feed.rolled", branch.handle(feed).id, first)
    for _ in range(3):  # workers that come and go
        async with run_worker(stack.client, branch.stack.services, graceful=GRACEFUL):
            await asyncio.sleep(2)
    async with run_worker(stack.client, branch.stack.services, graceful=GRACEFUL):
        await branch.runs(feed)
        await branch.feeds.delete(branch.user_id, branch.tree_id, feed.id)
        await branch.stack.gateway.end_feed(feed.id)
        await branch.ends(feed)
    numbers = [int(title.split(":")[0].removeprefix("Report ")) for title in await branch.titles()]
    assert len(numbers) == len(set(numbers)) <= 20
    assert numbers == sorted(numbers)


async def test_one_that_somebody_ended_is_brought_back(stack: Stack) -> None:
    branch = await fed(stack, stack.networks.url)
    feed = await branch.add(f"{stack.networks.url}/sandbox/feed")
    services, gateway = branch.stack.services, stack.gateway
    async with run_worker(stack.client, services, graceful=GRACEFUL):
        await branch.has(3)

        async def told() -> bool:
            async with services.sessions() as session:
                row = await session.get_one(TopicFeed, feed.id)
                return row.told_version == row.version

        await eventually(told)
        assert await reconcile.restart_lost_feeds(services, gateway) == 0
        await branch.handle(feed).terminate("by an operator")
        assert await reconcile.restart_lost_feeds(services, gateway) == 1
        await branch.runs(feed)


async def test_while_temporal_is_away_nothing_is_lost(stack: Stack, away: Any) -> None:
    branch = await fed(stack, stack.networks.url)
    await branch.add(f"{stack.networks.url}/sandbox/feed")
    assert await reconcile.sync_feeds(stack.services, away) == 0
    assert await reconcile.sync_feeds(stack.services, stack.gateway) == 1
    assert await reconcile.sync_feeds(stack.services, stack.gateway) == 0


@pytest.mark.slow
async def test_a_worker_that_is_killed_between_two_items_leaves_the_other_to_its_successor(
    stack: Stack, server: Server, model: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERNAL_PAGES", server.url)
    server.answers("/feed", Answer(200, rss(item(1), item(2), item(3)), {"content-type": "application/rss+xml"}))
    branch = await fed(stack, server.url)
    # the second page is slow: then the worker is killed
    server.answers("/items/2", Answer(404, delay=8))
    await branch.add(f"{server.url}/feed", full_text=True)
    with worker_process(stack, model, tmp_path / "one.log") as one:
        await branch.has(1)
        one.kill()
        one.wait(PATIENCE)
    assert await branch.titles() == ["Item 1"]
    server.answers("/items/2", Answer(404))
    began = time.monotonic()
    log = tmp_path / "other.log"
    with worker_process(stack, model, log) as other:
        await takes_tasks(other, log)
        await branch.has(3)
        assert time.monotonic() - began < 120
    assert await branch.titles() == ["Item 1", "Item 2", "Item 3"]
