"""Deploys with Worker Versioning, on the real server, in a namespace of their own."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import ANY

import pytest
from temporalio import workflow
from temporalio.client import Client, WorkflowHandle
from temporalio.common import SearchAttributePair, TypedSearchAttributes, VersioningBehavior, WorkerDeploymentVersion

from cli.deploy import Deploy, DeployRefused
from core.assistants.rules.assistants import AssistantPhase, RunState
from core.assistants.tables import Assistant
from core.ids import new_id
from core.posts.rules.posts import PostStatus
from core.setting_types import CodecKey
from temporal.client import data_converter
from temporal.deploys import Deploys, Routing
from temporal.gateway import Gateway
from temporal.registry import WORKFLOWS, Steps, groups, queues
from temporal.setup import set_up
from temporal.versioning import UNVERSIONED
from temporal.worker import build_workers
from tests.conftest import GRACEFUL, Stack
from tests.patience import PATIENCE
from tests.workflows.support import calls, eventually, order_for, outcome, soon
from tests.workflows.test_assistant import LATER, asleep, daily, edit, handle_of, shown, tell
from workflows.messages import RunOrder, RunResult
from workflows.names import NEXT_SLOT, RUN_STATE, RUNS
from workflows.run import RunWorkflow

pytestmark = pytest.mark.slow

NAME = "postloom/worker"
"""As Temporal's Worker Controller makes it."""
POSTS = 8
NOTICED = 20.0
"""Seconds in which the tests' server says that a workflow is stuck."""
KEY = CodecKey("a", bytes(32))


# builds whose runs differ; in the sandbox this module cannot be imported


@workflow.defn(name="RunWorkflow", sandboxed=False, versioning_behavior=VersioningBehavior.PINNED)
class PatchedRun(RunWorkflow):
    """A change that goes on with what older builds began."""

    @workflow.init
    def __init__(self, order: RunOrder) -> None:
        super().__init__(order)

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        if workflow.patched("a-change"):
            await workflow.sleep(0.1)
        return await super().run(order)


@workflow.defn(name="RunWorkflow", sandboxed=False, versioning_behavior=VersioningBehavior.PINNED)
class UnpatchedRun(RunWorkflow):
    """A change that does not."""

    @workflow.init
    def __init__(self, order: RunOrder) -> None:
        super().__init__(order)

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        await workflow.sleep(0.1)
        return await super().run(order)


@workflow.defn(name="RunWorkflow", sandboxed=False, versioning_behavior=VersioningBehavior.PINNED)
class DefectiveRun(RunWorkflow):
    @workflow.init
    def __init__(self, order: RunOrder) -> None:
        super().__init__(order)

    @workflow.run
    async def run(self, order: RunOrder) -> RunResult:
        raise RuntimeError("a defect of this build")


def with_run(run: type, workflows: Sequence[type]) -> list[type]:
    return [run if found is RunWorkflow else found for found in workflows]


async def apart(stack: Stack, *keys: CodecKey) -> Stack:
    """The same in a namespace that only this test uses: a current build counts for a whole namespace."""
    client = await Client.connect(
        stack.client.service_client.config.target_host,
        namespace=f"deploys-{new_id()}",
        data_converter=data_converter(keys),
    )
    await set_up(client, timedelta(days=1), lambda _: None)
    return replace(stack, client=client, gateway=Gateway(client, stack.services.settings))


@asynccontextmanager
async def build(stack: Stack, name: str, run: type = RunWorkflow) -> AsyncIterator[None]:
    """Workers of a build, without loops; UNVERSIONED: without a build."""
    version = WorkerDeploymentVersion(NAME, name) if name else None
    made = [replace(group, workflows=with_run(run, group.workflows)) for group in groups(Steps.of(stack.services))]
    async with AsyncExitStack() as started:
        for worker in build_workers(stack.client, made, GRACEFUL, version):
            await started.enter_async_context(worker)
        yield


def deploy(stack: Stack, own: str, run: type = RunWorkflow, *, size: int = 20, pause: float = 1) -> Deploy:
    return Deploy(
        Deploys(stack.client, NAME), print, own=own, size=size, pause=pause, workflows=with_run(run, WORKFLOWS)
    )


async def begin(stack: Stack, seconds: float) -> tuple[Assistant, datetime, WorkflowHandle[Any, RunResult]]:
    """Start a run whose post is due in so many seconds, as its assistant would."""
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    topics = f"- Cargo bikes\n-- Bike {new_id()}"  # the network refuses the same text again
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False, topics=topics)
    slot = soon(seconds)
    name, order = order_for(assistant, slot)
    handle = await stack.client.start_workflow(
        RunWorkflow.run,
        order,
        id=name,
        task_queue=RUNS,
        search_attributes=TypedSearchAttributes(
            [SearchAttributePair(RUN_STATE, "preparing"), SearchAttributePair(NEXT_SLOT, slot)]
        ),
    )
    return assistant, slot, handle


async def in_state(handle: WorkflowHandle[Any, Any], state: RunState) -> None:
    async def so() -> bool:
        return (await handle.describe()).typed_search_attributes.get(RUN_STATE) == state

    await eventually(so)


async def build_of(handle: WorkflowHandle[Any, Any]) -> str:
    info = (await handle.describe()).raw_description.workflow_execution_info.versioning_info
    found: str = info.deployment_version.build_id
    return found


async def lateness(stack: Stack, assistant: Assistant, slot: datetime) -> timedelta:
    """Raise if the post is not published."""
    _, post, delivery = await outcome(stack, assistant, slot)
    assert post.status is PostStatus.published
    assert delivery.called_at is not None
    return delivery.called_at - slot


async def test_posts_go_out_on_time_while_a_build_is_deployed(stack: Stack) -> None:
    own = await apart(stack)
    before = await calls(own)
    async with AsyncExitStack() as two:
        async with build(own, "one"):
            assert not await own.gateway.has_pollers()
            await deploy(own, "one").go_to("one")  # at once: nobody else polls
            await eventually(own.gateway.has_pollers)
            assistant, _ = await asleep(own, daily(LATER))
            _, _, far = await begin(own, timedelta(days=30).total_seconds())
            load = [await begin(own, 12 + number) for number in range(POSTS)]
            await in_state(far, RunState.ready)
            assert await build_of(far) == "one"

            await two.enter_async_context(build(own, "two", PatchedRun))
            await deploy(own, "two", PatchedRun).go_to("two")
            younger = [await begin(own, 6 + number) for number in range(POSTS)]
            ended = [await asyncio.wait_for(handle.result(), PATIENCE) for _, _, handle in (*load, *younger)]
            assert {result.state for result in ended} == {RunState.published}
            assert {await build_of(handle) for _, _, handle in load} == {"one"}
            assert {await build_of(handle) for _, _, handle in younger} == {"two"}
            late = [await lateness(own, assistant, slot) for assistant, slot, _ in (*load, *younger)]
            assert max(late) < timedelta(seconds=5), late
            assert await calls(own) - before == 2 * POSTS

            async def is_drained() -> bool:
                return await Deploys(own.client, NAME).count_pinned("one") == 0

            await eventually(is_drained)
        # without the workers of the first build
        saved = await edit(own, assistant, daily(LATER / 2))
        await tell(own, saved)
        await shown(own, assistant, AssistantPhase.asleep, saved.row.version)
        assert await build_of(handle_of(own, assistant)) == "two"
        await far.cancel()
        assert (await asyncio.wait_for(far.result(), PATIENCE)).state == RunState.skipped
        assert await build_of(far) == "two"


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_build_that_cannot_go_on_with_open_workflows_gets_no_work(stack: Stack, encrypted: bool) -> None:
    own = await apart(stack, *([KEY] if encrypted else []))
    async with build(own, "one"):
        await deploy(own, "one").go_to("one")
        _, _, far = await begin(own, timedelta(days=30).total_seconds())
        _, _, near = await begin(own, 1800)
        await in_state(far, RunState.ready)
        await in_state(near, RunState.ready)
        async with build(own, "two", UnpatchedRun):
            with pytest.raises(DeployRefused, match="^1 of 1 open workflows cannot go on with this code"):
                await deploy(own, "two", UnpatchedRun).go_to("two")
        assert (await Deploys(own.client, NAME).read_routing()).current == "one"
        # the same code is all right, and one that is due soon would stay with its build
        assert await Deploys(own.client, NAME).replay_sample(5) == (1, [])


async def test_a_defective_build_is_noticed_and_rolled_back(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.deploy._RAMP", (100,))  # by its id, a single run may belong to the others
    own = await apart(stack)
    deploys = Deploys(own.client, NAME)
    async with build(own, "one"):
        await deploy(own, "one").go_to("one")
        with pytest.raises(DeployRefused, match="there were workers without a build, and none is running"):
            await deploy(own, "one").go_back()
        async with build(own, "two", DefectiveRun):
            await eventually(lambda: polls(deploys, "two"))
            deploying = asyncio.create_task(deploy(own, "two", DefectiveRun, pause=NOTICED).go_to("two"))
            await eventually(lambda: ramps(deploys))
            assistant, slot, handle = await begin(own, NOTICED + 40)
            with pytest.raises(DeployRefused, match=f"workflows are stuck .{handle.id}.: it gets no new work"):
                await deploying
            assert not await ramps(deploys)
            assert (await asyncio.wait_for(handle.result(), PATIENCE)).state == RunState.published
            assert await build_of(handle) == "one"
            assert await lateness(own, assistant, slot) < timedelta(seconds=5)

            # as after a deploy whose defect shows later
            await deploys.set_current("two")
            assert await deploys.read_routing() == Routing("two", "one", None, ANY)
            await deploy(own, "three").go_back()
            assert (await deploys.read_routing()).current == "one"
            await deploy(own, "one").go_to("one")  # repeated: nothing to do


async def test_work_never_goes_to_a_build_whose_workers_are_gone(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    own = await apart(stack)
    deploys = Deploys(own.client, NAME)
    async with build(own, "one"):
        await deploy(own, "one").go_to("one")
    async with build(own, "two"):
        await deploy(own, "two").go_to("two")
        await eventually(own.gateway.has_pollers)
        monkeypatch.setattr("cli.deploy._PATIENCE", 2.0)
        monkeypatch.setattr("temporal.deploys.LONGEST_POLL", timedelta(seconds=1))  # the last polls are older
        await asyncio.sleep(1)
        with pytest.raises(DeployRefused, match="no worker of build one polls assistants, .*start its workers"):
            await deploy(own, "two").go_back()
        with pytest.raises(DeployRefused, match="no worker of build one polls assistants, "):
            await deploy(own, "one").go_to("one")
        assert (await deploys.read_routing()).current == "two"


async def test_what_is_pinned_to_a_build_without_workers_goes_on_with_the_current_one(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.deploy._RAMP", (100,))
    own = await apart(stack)
    deploys = Deploys(own.client, NAME)
    async with build(own, "one"):
        await deploy(own, "one").go_to("one")
        async with build(own, "two"):
            await eventually(lambda: polls(deploys, "two"))
            await deploys.ramp("two", 100)
            _, _, near = await begin(own, 1800)
            await in_state(near, RunState.ready)
            assert await build_of(near) == "two"
            assert await deploys.read_routing() == Routing("one", UNVERSIONED, "two", ANY)
            # as after a deploy that was interrupted
            await deploy(own, "two").go_back()
            assert await deploys.read_routing() == Routing("one", UNVERSIONED, None, ANY)
            await deploys.ramp("two", 50)
            await deploy(own, "one").go_to("one")
            assert await deploys.read_routing() == Routing("one", UNVERSIONED, None, ANY)
            assert await deploys.count_pinned("two") == 1
            assert "workers of build two are still needed: 1 runs and posts" in capsys.readouterr().out

        async def is_left() -> bool:
            return "two" not in await deploys._read_polling(RUNS)

        monkeypatch.setattr("temporal.deploys.LONGEST_POLL", timedelta(seconds=20))
        await eventually(is_left)
        assert await deploys.unpin("one", asleep=False) == 1
        await near.cancel()
        assert (await asyncio.wait_for(near.result(), PATIENCE)).state == RunState.skipped
        assert await build_of(near) == "one"


async def polls(deploys: Deploys, name: str) -> bool:
    return not await deploys.find_unpolled(name, queues())


async def ramps(deploys: Deploys) -> bool:
    described = await deploys._describe()
    return bool(described.routing_config.ramping_version_percentage)


async def test_what_began_without_a_build_goes_on_with_the_first_one(stack: Stack) -> None:
    """And the way back."""
    own = await apart(stack)
    async with AsyncExitStack() as workers:
        async with build(own, UNVERSIONED):
            assistant, _ = await asleep(own, daily(LATER))
            handle = handle_of(own, assistant)
            mid_way, slot, run = await begin(own, 25)
            await in_state(run, RunState.ready)
            await workers.enter_async_context(build(own, "one"))
            with pytest.raises(DeployRefused, match="no build is the current one"):
                await deploy(own, "one").go_back()
            await deploy(own, "one").go_to("one")
        assert (await asyncio.wait_for(run.result(), PATIENCE)).state == RunState.published
        assert await lateness(own, mid_way, slot) < timedelta(seconds=5)
        saved = await edit(own, assistant, daily(LATER / 2))
        await tell(own, saved)
        await shown(own, assistant, AssistantPhase.asleep, saved.row.version)
        assert await build_of(handle) == "one"
        async with build(own, UNVERSIONED):
            await deploy(own, "one").go_back()
            await workers.aclose()
            saved = await edit(own, assistant, daily(LATER / 3))
            await tell(own, saved)
            await shown(own, assistant, AssistantPhase.asleep, saved.row.version)
