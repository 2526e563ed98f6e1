"""What the stories share: how a run is ordered, and how something is waited for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from temporalio.api.common.v1 import Priority
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client, Interceptor, OutboundInterceptor, StartWorkflowInput, WorkflowHandle
from temporalio.service import RPCError, RPCStatusCode

from core.assistants.tables import Assistant
from core.container import wire
from core.deliveries.tables.deliveries import Delivery
from core.ids import run_id, run_workflow
from core.networks.rules.channels import ChannelKind
from core.posts.repositories.posts import PostRepository
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from temporal.gateway import Gateway
from tests.conftest import Stack
from tests.http_server import Answer
from tests.patience import PATIENCE
from workflows.messages import RunOrder, RunResult
from workflows.names import RUNS
from workflows.run import RunWorkflow

POSTED = "/rest/posts"


def order_for(assistant: Assistant, slot: datetime, /, **more: Any) -> tuple[str, RunOrder]:
    name = run_workflow(assistant.id, slot)
    settings: dict[str, Any] = {"arm_seconds": 1, "arm_spread_seconds": 0, **more}
    return name, RunOrder(assistant.user_id, assistant.id, run_id(name), slot, **settings)


async def run_once(stack: Stack, assistant: Assistant, slot: datetime, **more: int) -> RunResult:
    name, order = order_for(assistant, slot, **more)
    return await asyncio.wait_for(
        stack.client.execute_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS), PATIENCE
    )


def writing(stack: Stack, url: str) -> Stack:
    """The same, its texts and titles written at `url` by a model that has a price."""
    settings = stack.services.settings.model_copy(update={"openai_base_url": f"{url}/v1", "text_model": "gpt-6-luna"})
    return replace(stack, services=wire(settings, stack.services.engine, stack.services.sessions))


def soon(seconds: float = 8) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


async def eventually(what: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> None:
    """Wait as long as a busy machine may need; a test that measures time asserts on times that were recorded."""
    async with asyncio.timeout(seconds):
        while not await what():
            await asyncio.sleep(0.1)


async def automatic(stack: Stack, kind: ChannelKind = ChannelKind.linkedin) -> Assistant:
    """One that posts text without an image, for a person where the network has them."""
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url, kind=kind)
    return await stack.make.assistant(user, accounts=(account.id,), image=False)


async def outcome(stack: Stack, assistant: Assistant, slot: datetime) -> tuple[Run, Post, Delivery]:
    """The rows of a run with one delivery."""
    ref = run_id(run_workflow(assistant.id, slot))
    async with stack.services.sessions() as session:
        run = await RunRepository(session).get(assistant.user_id, ref)
        post = await PostRepository(session).find_by_run(assistant.user_id, ref)
    assert post is not None
    [delivery] = post.deliveries
    return run, post, delivery


async def drafted(stack: Stack, assistant: Assistant, slot: datetime) -> UUID:
    """What a run does before it delivers, without its workflow. The id of its delivery."""
    name, order = order_for(assistant, slot)
    drafting = stack.services.drafting
    await drafting.begin(order.user_id, order.assistant_id, order.run_id, name, slot)
    await drafting.write(order.user_id, order.run_id, 1)
    checked = await drafting.check(order.user_id, order.run_id)
    [(delivery_id, *_)] = checked.deliveries
    return delivery_id


def activities_of(events: Sequence[HistoryEvent]) -> list[tuple[str, Priority]]:
    """Name and priority of each activity, in the order of their scheduling."""
    return [
        (scheduled.activity_type.name, scheduled.priority)
        for event in events
        if event.HasField("activity_task_scheduled_event_attributes")
        for scheduled in [event.activity_task_scheduled_event_attributes]
    ]


async def recorded_activities(stack: Stack, workflow_id: str) -> list[tuple[str, Priority]]:
    """As `activities_of`, of the workflow's history."""
    return activities_of((await stack.client.get_workflow_handle(workflow_id).fetch_history()).events)


async def calls(stack: Stack) -> int:
    """How often the publishing call has reached the network since the test began."""
    return len((await stack.networks.client.get("/sandbox/requests", params={"path": POSTED, "method": "POST"})).json())


def with_model(stack: Stack, url: str) -> Stack:
    """The same, its texts written by the model server at `url`."""
    services = stack.services
    settings = services.settings.model_copy(update={"openai_base_url": f"{url}/v1", "text_model": "test-model"})
    return replace(stack, services=wire(settings, services.engine, services.sessions))


def written(text: str, delay: float = 0) -> Answer:
    """A model's answer; `delay` in seconds."""
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "test-model",
        "output": [
            {
                "id": "msg_1",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }
        ],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 36,
            "output_tokens": 87,
            "total_tokens": 123,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }
    return Answer(body=body, delay=delay)


class _Refusing(Interceptor):
    """Temporal refuses to start this workflow."""

    def __init__(self, workflow_id: str) -> None:
        self.workflow_id = workflow_id

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        refused = self.workflow_id

        class Outbound(OutboundInterceptor):
            async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:
                if input.id == refused:
                    raise RPCError("refused", RPCStatusCode.INVALID_ARGUMENT, b"")
                return await super().start_workflow(input)

        return Outbound(next)


def refusing(stack: Stack, workflow_id: str) -> Gateway:
    """Return a gateway to a Temporal that refuses to start this workflow."""
    config = stack.client.config()
    config["interceptors"] = [_Refusing(workflow_id)]
    return Gateway(Client(**config), stack.services.settings)
