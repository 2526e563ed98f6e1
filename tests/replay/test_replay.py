"""Histories keep their promise: what was begun by older code goes on with today's."""

import ast
import base64
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from google.protobuf.message import Message
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner
from temporalio.workflow import NondeterminismError

from temporal.client import data_converter
from temporal.registry import WORKFLOWS
from workflows.assistant import AssistantWorkflow
from workflows.comparison import ComparisonWorkflow
from workflows.feed import FeedWorkflow
from workflows.follow_ups import AnnouncementWorkflow, FirstCommentWorkflow, RemovalWorkflow, RevisionWorkflow
from workflows.grant import GrantWorkflow
from workflows.mail import MailWorkflow
from workflows.post import PostWorkflow
from workflows.run import RunWorkflow
from workflows.suggestion import SuggestionWorkflow
from workflows.tryout import TryoutWorkflow

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*.json"))
LARGEST_PAYLOAD = 32 * 1024

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


def answered(story: str, step: str, change: Callable[[dict[str, Any]], None]) -> WorkflowHistory:
    """A recorded history in which one activity has returned something else."""
    recorded = json.loads((Path(__file__).parent / "histories" / f"{story}.json").read_text())
    names = {}
    for event in recorded["events"]:
        if scheduled := event.get("activityTaskScheduledEventAttributes"):
            names[event["eventId"]] = scheduled["activityType"]["name"]
        completed = event.get("activityTaskCompletedEventAttributes")
        if completed and names[completed["scheduledEventId"]] == step:
            [payload] = completed["result"]["payloads"]
            result = json.loads(base64.b64decode(payload["data"]))
            change(result)
            payload["data"] = base64.b64encode(json.dumps(result).encode()).decode()
    return WorkflowHistory.from_json(story, json.dumps(recorded))


def is_of_text_alone(begun: dict[str, Any]) -> None:
    begun["text_only"] = True


def stages_nothing(plan: dict[str, Any]) -> None:
    for delivery in plan["deliveries"]:
        delivery["stages"] = False


def ends_the_run(delivered: dict[str, Any]) -> None:
    delivered["run_ended"] = True


@pytest.mark.parametrize(
    ("story", "step", "change"),
    [
        ("run.unknown-after-lost-answer", "begin", is_of_text_alone),
        ("run.unknown-after-lost-answer", "check", stages_nothing),
        ("run.unknown-after-lost-answer", "deliver", ends_the_run),
        ("run.approved-and-moved", "check", stages_nothing),
    ],
)
async def test_what_an_older_worker_went_on_with_replays(
    story: str, step: str, change: Callable[[dict[str, Any]], None]
) -> None:
    """An activity of this release has said that fewer steps are needed, and a worker of the last one did not know."""
    replayer = Replayer(workflows=WORKFLOWS, data_converter=data_converter())
    await replayer.replay_workflow(answered(story, step, change))


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


# the negative controls: a gate that nothing can close is none


@dataclass(frozen=True)
class Change:
    """What nobody may do to a workflow that has a history: pieces of its source, swapped."""

    workflow: type
    story: str
    swapped: tuple[tuple[str, str], ...]


STEP = "await workflow.execute_activity_method(%s)"
TEXT = STEP % "Drafting.write, self._ref, **with_summary(TEXT_STEP, 'text', until=late, owner=self._user_id)"
CHECK = STEP % "Drafting.check, self._ref, **with_summary(DATABASE_STEP, 'checks', priority=WRITING)"
CHANGES = {
    "run: reordered steps": Change(RunWorkflow, "run.draft-only", ((TEXT, "§"), (CHECK, TEXT), ("§", CHECK))),
    "run: a dropped step": Change(RunWorkflow, "run.draft-only", ((TEXT, "pass"),)),
    "assistant: a dropped run": Change(
        AssistantWorkflow, "assistant.slept-edited-continued", (("await self._start_run(due)", "pass"),)
    ),
    "assistant: no sleep": Change(
        AssistantWorkflow, "assistant.slept-edited-continued", (("await self._sleep()", "pass"),)
    ),
    "assistant: an unrecorded outage": Change(
        AssistantWorkflow,
        "assistant.long-outage",
        (("(*state.outages, *plan.replaced, *((plan.outage,) if plan.outage else ()))", "()"),),
    ),
    "assistant: planning that failed is not shown": Change(
        AssistantWorkflow,
        "assistant.planning-failed",
        (
            (
                "await self._project(AssistantPhase.planning_failed, None, reason=code, retry_at=retry_at)",
                "await workflow.sleep(1)",
            ),
        ),
    ),
    "assistant: what an ended schedule missed": Change(
        AssistantWorkflow,
        "assistant.edited-while-away",
        (("(*state.outages, *plan.replaced, *((plan.outage,) if plan.outage else ()))", "state.outages"),),
    ),
    "post: nothing is delivered": Change(
        PostWorkflow, "post.published-by-hand", (("await self._publish(plan.deliveries)", "pass"),)
    ),
    "publication: staging is left out": Change(
        RunWorkflow, "run.approved-and-moved", (("ready = await self._stage(to)", "ready = workflow.now()"),)
    ),
    "publication: nobody is asked": Change(
        RunWorkflow,
        "run.deadline-publish",
        (("(verdict := (await self._wait_for_verdict(draft.post_id)))", "(verdict := '')"),),
    ),
    "mail: a timer before": Change(
        MailWorkflow,
        "mail.sent-after-outage",
        (("over = await workflow.execute", "await workflow.sleep(1)\n        over = await workflow.execute"),),
    ),
    "comparison: without a night in between": Change(
        ComparisonWorkflow,
        "comparison.found-one",
        (("await workflow.sleep(_DAY, summary='until the next comparison')", "pass"),),
    ),
    "first comment: a timer instead of what operators read": Change(
        FirstCommentWorkflow,
        "first-comment.published",
        (("_set_details(one, 'asks the network for the first comment', STEP)", "await workflow.sleep(1)"),),
    ),
    "removal: a timer instead of what operators read": Change(
        RemovalWorkflow,
        "removal.removed",
        (("_set_details(one, 'asks the network to delete the post', STEP)", "await workflow.sleep(1)"),),
    ),
    "revision: a timer instead of what operators read": Change(
        RevisionWorkflow,
        "revision.updated",
        (("_set_details(one, 'brings the changed article to its site', STEP)", "await workflow.sleep(1)"),),
    ),
    "announcement: a timer instead of what operators read": Change(
        AnnouncementWorkflow,
        "announcement.drafted",
        (("_set_details(one, 'waits until readers get the article', STEP)", "await workflow.sleep(1)"),),
    ),
    "feed: no sleep": Change(
        FeedWorkflow,
        "feed.followed-and-stopped",
        (("await self._wait_for_message(seen_messages, seen.next_at, what)", "pass"),),
    ),
    "grant: without a new token": Change(
        GrantWorkflow, "grant.renewed-and-given-back", (("await self._renew(seen, seen_messages)", "pass"),)
    ),
    "tryout: another step": Change(
        TryoutWorkflow,
        "tryout.succeeded",
        (
            (
                "Tryouts.make_tryout, TryoutRef(order.user_id, order.tryout_id)",
                "Tryouts.end_tryout, TryoutEnd(order.user_id, order.tryout_id, None)",
            ),
        ),
    ),
    "suggestion: another step": Change(
        SuggestionWorkflow,
        "suggestion.succeeded",
        (
            (
                "Suggesting.suggest, SuggestionRef(order.user_id, order.suggestion_id)",
                "Suggesting.end_suggestion, SuggestionEnd(order.user_id, order.suggestion_id, None)",
            ),
        ),
    ),
}


def changed(original: type, *swapped: tuple[str, str]) -> type:
    """A workflow from a copy of its source and of what it is based on, however that is laid out, with these pieces of
    text replaced."""
    file = inspect.getfile(original)
    source = ast.unparse(ast.parse(Path(file).read_text()))
    for base in original.__mro__[1:-1]:
        imported = f"from {base.__module__} import {base.__name__}"
        assert source.count(imported) == 1
        before = ast.unparse(ast.parse(Path(inspect.getfile(base)).read_text()))
        source = f"{before}\n{source.replace(imported, 'pass', 1)}"
    for old, new in swapped:
        assert source.count(old) == 1, f"{Path(file).name} reads differently now: update this test"
        source = source.replace(old, new)
    module = ModuleType("changed_workflow")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(source, file, "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    workflow: type = module.__dict__[original.__name__]
    return workflow


async def replay_with(workflow: type, story: str) -> None:
    # a copy without a file: the sandbox could not import it
    replayer = Replayer(
        workflows=[workflow], data_converter=data_converter(), workflow_runner=UnsandboxedWorkflowRunner()
    )
    await replayer.replay_workflow(history(Path(__file__).parent / "histories" / f"{story}.json"))


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
async def test_an_unchanged_copy_replays(path: Path) -> None:
    [original] = [workflow for workflow in WORKFLOWS if workflow.__name__ == workflow_type(path)]
    await replay_with(changed(original), path.stem)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_a_change_that_breaks_what_was_begun_is_noticed(change: Change) -> None:
    with pytest.raises(NondeterminismError):
        await replay_with(changed(change.workflow, *change.swapped), change.story)


def test_the_gate_of_every_workflow_can_close() -> None:
    assert {change.workflow for change in CHANGES.values()} == set(WORKFLOWS)
