"""Histories keep their promise: what was begun by older code goes on with today's."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.message import Message
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner
from temporalio.workflow import NondeterminismError

from temporal.client import data_converter
from temporal.registry import WORKFLOWS

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*.json"))
LARGEST_PAYLOAD = 32 * 1024
SOURCE = Path(__file__).parents[2] / "workflows" / "run.py"

# what the tests' accounts, models and posts hold, and what no history may
SECRETS = ("test-secret", "access_token", "Bearer ")
CONTENT = ("Rain without drama", "Riding in snow", "What a service costs", "people who ride to work")


def history(path: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json(path.stem, path.read_text())


def workflow_type(path: Path) -> str:
    started = history(path).events[0].workflow_execution_started_event_attributes
    return started.workflow_type.name


def payloads(message: Message) -> Iterator[Payload]:
    """All of a message, however deep."""
    if isinstance(message, Payload):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            parts = [part for part in value.values() if isinstance(part, Message)]
        else:
            parts = value if field.is_repeated else [value]
        for part in parts:
            yield from payloads(part)


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
async def test_what_was_recorded_still_replays(path: Path) -> None:
    replayer = Replayer(workflows=WORKFLOWS, data_converter=data_converter())
    await replayer.replay_workflow(history(path))


def test_every_workflow_has_a_history() -> None:
    recorded = {workflow_type(path) for path in HISTORIES}
    assert recorded == {workflow.__name__ for workflow in WORKFLOWS}, "record one: make history"


def test_the_stories_are_the_ones_they_are_called() -> None:
    kinds = {path.stem: [event.event_type for event in history(path).events] for path in HISTORIES}
    steps = {
        path.stem: [
            event.activity_task_scheduled_event_attributes.activity_type.name
            for event in history(path).events
            if event.HasField("activity_task_scheduled_event_attributes")
        ]
        for path in HISTORIES
    }
    whole = ["begin", "write", "make", "check", "stage", "deliver", "finish"]
    assert steps["run.published-with-image"] == whole
    assert steps["run.draft-only"] == whole[:4]
    assert steps["run.failed-at-text"] == ["begin", "write", "fail"]
    assert steps["run.unknown-after-lost-answer"] == ["begin", "write", "check", "stage", "deliver", "finish"]
    assert steps["tryout.succeeded"] == ["make_tryout"]
    assert steps["tryout.failed"] == steps["tryout.cancelled"] == ["make_tryout", "end_tryout"]
    assert steps["suggestion.succeeded"] == ["suggest"]
    assert steps["suggestion.failed"] == ["suggest", "end_suggestion"]
    slept = kinds["assistant.slept-edited-continued"]
    assert EventType.EVENT_TYPE_TIMER_STARTED in slept
    assert EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED in slept
    assert EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED in slept
    assert slept[-1] == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_payloads_are_small_and_tell_nothing(path: Path) -> None:
    found = [payload for event in history(path).events for payload in payloads(event)]
    assert found
    assert max(payload.ByteSize() for payload in found) <= LARGEST_PAYLOAD
    told = b"\n".join(payload.data for payload in found).decode()
    whole = f"{told}\n{path.read_text()}"
    for word in (*SECRETS, *CONTENT):
        assert word not in whole
    assert f"{Path(__file__).parents[2]}/" not in whole
    # ids, hashes, codes and moments are single words: prose would be content
    prose = [text for text in re.findall(r'"((?:[^"\\]|\\.)*)"', told) if text.count(" ") > 6]
    assert prose == []


# the negative control: a gate that nothing can close is none

STEP = "await workflow.execute_activity_method(%s)"
TEXT = STEP % "Drafting.write, self._ref, **named(TEXT_STEP, 'text', until=late)"
CHECK = STEP % "Drafting.check, self._ref, **named(DATABASE_STEP, 'checks')"


def changed(*swapped: tuple[str, str]) -> type:
    """RunWorkflow from a copy of its source, however that is laid out, with these pieces of text replaced."""
    source = ast.unparse(ast.parse(SOURCE.read_text()))
    for old, new in swapped:
        assert source.count(old) == 1, f"{SOURCE.name} reads differently now: update this test"
        source = source.replace(old, new)
    module = ModuleType("changed_run")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(source, str(SOURCE), "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    workflow: type = module.__dict__["RunWorkflow"]
    return workflow


async def replay_with(workflow: type) -> None:
    # a copy without a file: the sandbox could not import it
    replayer = Replayer(
        workflows=[workflow], data_converter=data_converter(), workflow_runner=UnsandboxedWorkflowRunner()
    )
    await replayer.replay_workflow(history(Path(__file__).parent / "histories" / "run.draft-only.json"))


async def test_an_unchanged_copy_replays() -> None:
    await replay_with(changed())


async def test_reordered_steps_are_noticed() -> None:
    with pytest.raises(NondeterminismError):
        await replay_with(changed((TEXT, "§"), (CHECK, TEXT), ("§", CHECK)))


async def test_a_dropped_step_is_noticed() -> None:
    with pytest.raises(NondeterminismError):
        await replay_with(changed((TEXT, "pass")))
