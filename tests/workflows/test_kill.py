"""Workers that are killed, not stopped: what they were doing is done by others, and posted once."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest
from temporalio.client import WorkflowHandle

from core.domain.assistants import RunState
from core.domain.errors import NotFound
from core.domain.posts import DeliveryState
from core.models import Assistant
from tests.conftest import Stack
from tests.providers.conftest import Server
from tests.workflows.support import automatic, calls, eventually, order_for, outcome, soon, written
from workflows.messages import RunResult
from workflows.names import RUNS
from workflows.run import RunWorkflow

ROOT = Path(__file__).parents[2]
TEXTS = ("Armed when the lights went out.", "Heard.")


class Address(Protocol):
    """A model server, whoever it is."""

    @property
    def url(self) -> str: ...


@contextmanager
def worker_process(stack: Stack, model: Address, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`python -m temporal.worker` on the database of this test, with a log of its own; stopped at the end."""
    settings = stack.services.settings
    assert settings.database_url
    env = {
        **os.environ,
        "ENVIRONMENT": "test",
        "DATABASE_URL": settings.database_url,
        "DATA_DIR": str(settings.data_dir),  # has the key of the tokens
        "PUBLIC_URL": settings.public_url,
        "OPENAI_BASE_URL": f"{model.url}/v1",
        "TEXT_MODEL": "test-model",
        "TEMPORAL_ADDRESS": stack.client.service_client.config.target_host,
        "TEMPORAL_NAMESPACE": "default",
        "TEMPORAL_TLS": "false",
        "GRACEFUL_SECONDS": "1",
    }
    with log.open("xb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "temporal.worker"], cwd=ROOT, env=env, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def polls(worker: subprocess.Popen[bytes], log: Path) -> bool:
    said = log.read_text()
    assert worker.poll() is None, said
    return "polling" in said


async def takes_tasks(worker: subprocess.Popen[bytes], log: Path) -> None:
    """A start takes seconds, on a busy machine many more: what a test waits for is counted from here."""

    async def so() -> bool:
        return polls(worker, log)

    await eventually(so, 120)


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
        killed.wait(5)
    assert await calls(stack) == 0
    with worker_process(stack, model, second) as worker:
        await takes_tasks(worker, second)
        results = await asyncio.wait_for(asyncio.gather(*(handle.result() for handle in handles)), 90)
    assert [result.state for result in results] == [RunState.published] * 2, second.read_text()
    for assistant in (armed, writing):
        run, _, delivery = await outcome(stack, assistant, slots[assistant.id])
        assert (run.state, delivery.state) == (RunState.published, DeliveryState.published)
    posts = await stack.networks.posts()
    assert sorted(text for post in posts for text in TEXTS if text in str(post)) == sorted(TEXTS)
    assert (await calls(stack), len(posts)) == (2, 2)
    assert len(model.requests) == 3
