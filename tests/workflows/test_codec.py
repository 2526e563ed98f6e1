"""With keys set, Temporal stores nothing readable but what operators need to find things by."""

import asyncio
import os
from dataclasses import replace

import pytest
from temporalio.api.history.v1 import History
from temporalio.client import Client, WorkflowHistory
from temporalio.worker import Replayer

from core.assistants.rules.assistants import RunState
from core.errors import ErrorCode
from core.setting_types import CodecKey
from temporal.client import data_converter
from temporal.registry import WORKFLOWS
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.replay.test_replay import payloads
from tests.workflows.support import automatic, order_for, run_once, soon, with_model, written

KEYS = (CodecKey("second", os.urandom(32)), CodecKey("first", os.urandom(32)))
POST = "Nobody reads this in the history."


@pytest.fixture
def secret(stack: Stack, model: Server) -> Stack:
    """The same stack behind a client with keys, as the worker's with TEMPORAL_CODEC_KEYS."""
    config = stack.client.config()
    config["data_converter"] = data_converter(KEYS)
    return with_model(replace(stack, client=Client(**config)), model.url)


async def replays(history: WorkflowHistory, keys: tuple[CodecKey, ...]) -> None:
    await Replayer(workflows=WORKFLOWS, data_converter=data_converter(keys)).replay_workflow(history)


def hidden(history: History) -> History:
    """A history's events without what is plain by design: the values that lists are filtered by, and the names of
    patches."""
    copy = History()
    copy.CopyFrom(history)
    for event in copy.events:
        started = event.workflow_execution_started_event_attributes
        if started.HasField("search_attributes"):
            started.ClearField("search_attributes")
        upserted = event.upsert_workflow_search_attributes_event_attributes
        if upserted.HasField("search_attributes"):
            upserted.ClearField("search_attributes")
        marker = event.marker_recorded_event_attributes
        if marker.marker_name == "core_patch":
            marker.ClearField("details")
    return copy


async def test_a_history_tells_nothing_without_the_key(secret: Stack, model: Server) -> None:
    model.answers("/v1/responses", written(POST))
    assistant = await automatic(secret)
    slot = soon(0)
    name, order = order_for(assistant, slot)
    async with run_worker(secret.client, secret.services, graceful=GRACEFUL):
        result = await run_once(secret, assistant, slot)
    assert result.state == RunState.published
    history = await secret.client.get_workflow_handle(name).fetch_history()
    _nothing_readable(history, str(order.user_id), str(order.run_id), POST, RunState.published.value)
    await replays(history, KEYS)
    # keys rotate: what the old one encrypted stays readable as long as it is in the list
    await replays(history, (CodecKey("third", os.urandom(32)), *KEYS))
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the SDK makes of bytes that it cannot read
        await replays(history, ())


async def test_failures_tell_their_code_alone(secret: Stack, model: Server) -> None:
    model.answers("/v1/responses", Answer(400, {"error": {"message": POST, "code": "content_policy_violation"}}))
    assistant = await automatic(secret)
    slot = soon(0)
    name, order = order_for(assistant, slot)
    async with run_worker(secret.client, secret.services, graceful=GRACEFUL):
        result = await run_once(secret, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.model_refused)
    history = await secret.client.get_workflow_handle(name).fetch_history()
    _nothing_readable(history, str(order.user_id), str(order.run_id), POST, "execute_activity")
    [failed] = [event for event in history.events if event.HasField("activity_task_failed_event_attributes")]
    failure = failed.activity_task_failed_event_attributes.failure
    assert (failure.message, failure.stack_trace) == ("Encoded failure", "")
    assert failure.application_failure_info.type == ErrorCode.model_refused
    await replays(history, KEYS)


async def test_a_history_from_before_the_switch_goes_on(stack: Stack, model: Server) -> None:
    """Keys may be set while workflows run."""
    plain = with_model(stack, model.url)
    model.answers("/v1/responses", written(POST))
    assistant = await automatic(plain)
    slot = soon(6)
    name, order = order_for(assistant, slot)
    async with run_worker(plain.client, plain.services, graceful=GRACEFUL):
        running = asyncio.create_task(run_once(plain, assistant, slot))
        await asyncio.wait_for(_texts(model), PATIENCE)
    config = stack.client.config()
    config["data_converter"] = data_converter(KEYS)
    async with run_worker(Client(**config), plain.services, graceful=GRACEFUL):
        with_key = Client(**config).get_workflow_handle(name)
        result = await asyncio.wait_for(with_key.result(), PATIENCE)
    assert result["state"] == RunState.published
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await replays(await with_key.fetch_history(), KEYS)


async def _texts(model: Server) -> None:
    while not model.requests:
        await asyncio.sleep(0.05)


def _nothing_readable(history: WorkflowHistory, *words: str) -> None:
    raw = hidden(History(events=history.events))
    found = list(payloads(raw))
    assert len(found) > 5
    assert {payload.metadata["encoding"] for payload in found} == {b"binary/encrypted"}
    assert {payload.metadata["encryption-key-id"] for payload in found} == {b"second"}
    whole = raw.SerializeToString()
    for word in words:
        assert word.encode() not in whole, word
