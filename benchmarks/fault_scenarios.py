"""The tests that `benchmarks.faults` runs, with the fixtures of `tests`."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from temporalio.client import WorkflowHandle

from core.ai.tables.transactions import CallOutcome, Transaction
from core.assistants.rules.assistants import OPEN_RUNS, RunState, StepState
from core.assistants.tables import Assistant
from core.deliveries.tables.deliveries import Delivery
from core.ids import run_id
from core.posts.rules.posts import FINAL, DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.tables import Run, RunStep
from tests.conftest import Stack
from tests.http_server import Server
from tests.workflows.support import eventually, order_for, soon, written
from tests.workflows.workers import takes_tasks, worker_process
from workflows.messages import RunResult
from workflows.names import RUNS
from workflows.run import RunWorkflow

FROZEN_SECONDS = 60.0


class Step(StrEnum):
    """The step at which the fault hits the run."""

    text = "text"
    image = "image"
    asleep = "asleep"
    staging = "staging"
    armed = "armed"
    calling = "calling"
    called = "called"


class Part(StrEnum):
    """The step at which the fault hits a run that writes an article: a model request, or a step of the delivery."""

    outline = "outline"
    section = "section"
    summary = "summary"
    search = "search"
    asleep = "asleep"
    calling = "calling"
    called = "called"


MODEL_REQUESTS = {Part.outline: 1, Part.section: 3, Part.summary: 4, Part.search: 5}
"""Number of the model request for each part, for an article of two sections; for `section`, the second one's."""


PARTS = {
    "You plan one article": "Rain\n## What to wear\n## Which tyres",
    "The section to write: <value>What to wear": "A cape.",
    "The section to write: <value>Which tyres": "Wide ones.",
    "the summary of an article": "In short.",
    "a page of search results": "Rain\nIn short.",
}
"""Model answers by a text that the request contains."""


class Fault(StrEnum):
    kill = "kill"
    freeze = "freeze"
    cancel = "cancel"


class Scenario:
    def __init__(self, stack: Stack, model_server: Server, assistant: Assistant) -> None:
        self.stack, self.model, self.assistant = stack, model_server, assistant
        self.slot = soon(30)
        self.name, self.order = order_for(assistant, self.slot, arm_seconds=6, stage_ahead_seconds=14)
        self.handle: WorkflowHandle[RunWorkflow, RunResult]

    async def start(self) -> None:
        self.handle = await self.stack.client.start_workflow(RunWorkflow.run, self.order, id=self.name, task_queue=RUNS)

    async def rows(self) -> tuple[Run | None, Post | None, list[Delivery], list[RunStep]]:
        ref = run_id(self.name)
        async with self.stack.services.sessions() as session:
            run = await session.scalar(select(Run).where(Run.id == ref))
            post = await session.scalar(select(Post).where(Post.run_id == ref))
            deliveries = await session.scalars(select(Delivery).join(Post).where(Post.run_id == ref))
            steps = await session.scalars(select(RunStep).where(RunStep.run_id == ref))
            return run, post, list(deliveries), list(steps)

    async def wait_for(self, step: Step | Part) -> None:
        async def has_reached() -> bool:
            run, _, deliveries, steps = await self.rows()
            if step in MODEL_REQUESTS:
                return len(self.model.requests) >= MODEL_REQUESTS[Part(step)]
            match step:
                case Step.text:
                    return len(self.model.requests) > 0
                case Step.image:
                    return any(found.kind == "image" for found in steps)
                case Step.asleep:
                    return run is not None and run.state is RunState.ready
                case Step.staging:
                    return await self._has_request("/rest/images")
                case Step.armed:
                    return any(one.state is DeliveryState.publishing and one.called_at is None for one in deliveries)
                case Step.calling:
                    return any(one.called_at is not None for one in deliveries)
                case Step.called:
                    return any(one.state is DeliveryState.published for one in deliveries)
            raise AssertionError(step)

        await eventually(has_reached, 60)

    async def _has_request(self, path: str) -> bool:
        return bool((await self.stack.networks.client.get("/sandbox/requests", params={"path": path})).json())


@pytest.fixture
async def scenario(stack: Stack, model: Server) -> AsyncIterator[Scenario]:
    user = await stack.make.user()
    accounts = [await stack.make.account(user, stack.networks.url, name) for name in ("mara-lind", "jonas-weber")]
    assistant = await stack.make.assistant(user, accounts=tuple(account.id for account in accounts))
    model.answers("/v1/responses", written("Mudguards keep the rain away.", 3))
    await stack.networks.fail(on="upload", kind="slow", seconds=3, times=4)
    await stack.networks.fail(on="posts", kind="slow", seconds=3, times=4)
    yield Scenario(stack, model, assistant)
    await stack.networks.calm()


def _answer_last_request(model: Server) -> Any:
    """Return the answer to the last request by its content, so that a retry gets the same answer."""
    request = model.requests[-1].json
    instructions, brief = str(request["instructions"]), str(request["input"])
    for sign, text in PARTS.items():
        if sign in instructions or sign in brief:
            return written(text).body
    raise AssertionError(instructions)


@pytest.fixture
async def article(stack: Stack, model: Server) -> AsyncIterator[Scenario]:
    user = await stack.make.user()
    assistant = await stack.make.assistant(
        user, website_id=await stack.make.website(user, stack.networks.url), image=False
    )
    model.answers("/v1/responses", replace(written("", 2), body=lambda: _answer_last_request(model)))
    await stack.networks.fail(on="posts", kind="slow", seconds=3, times=4)
    yield Scenario(stack, model, assistant)
    await stack.networks.calm()


@asynccontextmanager
async def worker(scenario: Scenario, log: Path) -> AsyncIterator[subprocess.Popen[bytes]]:
    with worker_process(scenario.stack, scenario.model, log) as process:
        await takes_tasks(process, log)
        yield process


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("step", Step)
async def test_one_post_per_account_and_every_row_ended(
    scenario: Scenario, tmp_path: Path, step: Step, fault: Fault
) -> None:
    await _run_with_fault(scenario, tmp_path, step, fault)
    await _assert_settled(scenario, fault, accounts=2)


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("part", Part)
async def test_one_article_and_every_row_ended(article: Scenario, tmp_path: Path, part: Part, fault: Fault) -> None:
    await _run_with_fault(article, tmp_path, part, fault)
    await _assert_settled(article, fault, accounts=1)
    _, post, _, _ = await article.rows()
    if fault is not Fault.cancel:
        assert post is not None
        assert post.content == "## What to wear\n\nA cape.\n\n## Which tyres\n\nWide ones."
        # only the model request interrupted by the fault is repeated
        assert len(article.model.requests) <= len(PARTS) + 1


async def _run_with_fault(scenario: Scenario, tmp_path: Path, step: Step | Part, fault: Fault) -> None:
    async with worker(scenario, tmp_path / "first.log") as first:
        await scenario.start()
        await scenario.wait_for(step)
        match fault:
            case Fault.kill:
                first.kill()
                first.wait(5)
            case Fault.freeze:
                first.send_signal(signal.SIGSTOP)
            case Fault.cancel:
                await scenario.handle.cancel()
        if fault is Fault.cancel:
            await asyncio.wait_for(scenario.handle.result(), 120)
        else:
            async with worker(scenario, tmp_path / "second.log"):
                if fault is Fault.freeze:
                    await asyncio.sleep(FROZEN_SECONDS)
                    first.send_signal(signal.SIGCONT)
                await asyncio.wait_for(scenario.handle.result(), 240)
                await asyncio.sleep(8 if fault is Fault.freeze else 0)  # time for leftover work of the frozen worker


async def _assert_settled(scenario: Scenario, fault: Fault, *, accounts: int) -> None:
    run, post, deliveries, steps = await scenario.rows()
    assert run is not None
    assert run.state not in OPEN_RUNS
    assert all(step.state is not StepState.active for step in steps)
    states = sorted(one.state for one in deliveries)
    assert all(state in FINAL or state is DeliveryState.unknown for state in states)
    posted = await scenario.stack.networks.posts()
    authors = [str(one["author"]) for one in posted]
    assert len(authors) == len(set(authors)), "two posts through one account"
    published = [one for one in deliveries if one.state is DeliveryState.published]
    unknown = [one for one in deliveries if one.state is DeliveryState.unknown]
    # a post published by the ledger exists, and an existing post is published or unknown in the ledger
    assert len(published) <= len(posted) <= len(published) + len(unknown)
    async with scenario.stack.services.sessions() as session:
        calls = (await session.scalars(select(Transaction).where(Transaction.run_id == run.id))).all()
    assert all(call.outcome is not CallOutcome.calling for call in calls)
    if fault is not Fault.cancel:
        assert post is not None
        assert run.state in (RunState.published, RunState.unknown)
        assert post.status in (PostStatus.published, PostStatus.complete)
        assert len(posted) == len(deliveries) == accounts
    ended = f"{run.state.value} ({run.reason}), deliveries {[state.value for state in states]}, {len(posted)} posts"
    sys.stdout.write(f"\n{ended}\n")
