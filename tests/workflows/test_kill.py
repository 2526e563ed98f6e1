"""Workers that are killed, not stopped: what they were doing is done by others, and posted once."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from temporalio.client import WorkflowHandle

from core.ai.tables.transactions import CallOutcome, Transaction
from core.assistants.rules.assistants import RunState
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.errors import NotFound
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState
from tests.conftest import Stack
from tests.http_server import Server
from tests.patience import PATIENCE
from tests.workflows.support import automatic, calls, eventually, order_for, outcome, soon, written
from tests.workflows.workers import takes_tasks, worker_process
from workflows.messages import RunResult
from workflows.names import RUNS
from workflows.run import RunWorkflow

TEXTS = ("Armed when the lights went out.", "Heard.")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ChannelKind.linkedin, ChannelKind.mastodon])  # Mastodon's key is made when armed
async def test_armed_by_one_of_two_workers_that_is_killed_it_goes_out_on_time_by_the_other(
    stack: Stack, model: Server, tmp_path: Path, kind: ChannelKind
) -> None:
    model.answers("/v1/responses", written(TEXTS[0]))
    assistant = await automatic(stack, kind)
    logs = tmp_path / "one.log", tmp_path / "other.log"
    with worker_process(stack, model, logs[0]) as one, worker_process(stack, model, logs[1]) as other:
        for worker, log in zip((one, other), logs, strict=True):
            await takes_tasks(worker, log)
        slot = soon(15)
        name, order = order_for(assistant, slot, arm_seconds=60)
        handle = await stack.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)

        async def is_armed() -> bool:
            return await _armed_by(handle) != 0

        await eventually(is_armed)
        await asyncio.sleep(max(0.0, (slot - utcnow()).total_seconds() - 4))
        armed_by = await _armed_by(handle)
        killed = one if armed_by == one.pid else other
        assert killed.pid == armed_by
        killed.kill()
        killed.wait(PATIENCE)
        result = await asyncio.wait_for(handle.result(), PATIENCE)
    assert result.state == RunState.published
    _, _, delivery = await outcome(stack, assistant, slot)
    assert delivery.called_at is not None
    assert slot <= delivery.called_at <= slot + timedelta(seconds=5), (slot, delivery.called_at)
    assert len(await stack.networks.posts()) == 1
    if kind is ChannelKind.linkedin:
        assert await calls(stack) == 1


async def _armed_by(handle: WorkflowHandle[RunWorkflow, RunResult]) -> int:
    """Return the process that waits for the slot; 0 while none does."""
    description = await handle.describe()
    for step in description.raw_description.pending_activities:
        if step.activity_id.startswith("deliver-") and step.last_worker_identity:
            return int(step.last_worker_identity.partition("@")[0])
    return 0


@pytest.mark.slow
async def test_killed_while_one_run_is_armed_and_another_waits_for_its_text(
    stack: Stack, model: Server, tmp_path: Path
) -> None:
    model.answers("/v1/responses", written(TEXTS[0]), written("Never heard.", 60), written(TEXTS[1]))
    armed, writing = await automatic(stack), await automatic(stack)
    first, second = tmp_path / "first.log", tmp_path / "second.log"

    async def begin(assistant: Assistant) -> WorkflowHandle[RunWorkflow, RunResult]:
        # armed at once, and due while nobody is there
        name, order = order_for(assistant, slots[assistant.id], arm_seconds=60)
        return await stack.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)

    async def waits_armed() -> bool:
        try:
            _, _, delivery = await outcome(stack, armed, slots[armed.id])
        except (NotFound, AssertionError, ValueError):  # its rows are not there yet
            return False
        return delivery.state is DeliveryState.publishing

    async def waits_for_text() -> bool:
        return len(model.requests) == 2

    with worker_process(stack, model, first) as killed:
        await takes_tasks(killed, first)
        slots = {assistant.id: soon(20) for assistant in (armed, writing)}
        handles = [await begin(armed)]
        await eventually(waits_armed)
        handles.append(await begin(writing))
        await eventually(waits_for_text)
        killed.kill()
        killed.wait(PATIENCE)
    assert await calls(stack) == 0
    with worker_process(stack, model, second) as worker:
        await takes_tasks(worker, second)
        back = utcnow()
        results = await asyncio.wait_for(asyncio.gather(*(handle.result() for handle in handles)), PATIENCE)
    assert [result.state for result in results] == [RunState.published] * 2, second.read_text()
    for assistant in (armed, writing):
        run, _, delivery = await outcome(stack, assistant, slots[assistant.id])
        assert (run.state, delivery.state) == (RunState.published, DeliveryState.published)
        if assistant is armed:  # the one worker was gone: what it had armed goes out at its slot, or once one is back
            assert delivery.called_at is not None
            latest = max(slots[assistant.id], back) + timedelta(seconds=5)
            assert slots[assistant.id] <= delivery.called_at <= latest, (delivery.called_at, latest)
    posts = await stack.networks.posts()
    assert sorted(text for post in posts for text in TEXTS if text in str(post)) == sorted(TEXTS)
    assert (await calls(stack), len(posts)) == (2, 2)
    assert len(model.requests) == 3
    # what the killed worker had asked for is booked, at the most that it may have used
    async with stack.services.sessions() as session:
        asked = select(Transaction).where(Transaction.assistant_id == writing.id).order_by(Transaction.created_at)
        lost, heard = await session.scalars(asked)
    assert (lost.outcome, lost.output_tokens, lost.most_output_tokens) == (CallOutcome.lost, None, 8000)
    assert (heard.outcome, heard.output_tokens) == (CallOutcome.succeeded, 87)
