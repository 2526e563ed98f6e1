"""What is due soon is found by lists of workflows, in Temporal's Web UI too."""

from datetime import datetime, timedelta

import pytest

from core.assistants.rules.assistants import AssistantPhase, RunState
from core.clock import utcnow
from core.monitoring.figures import FiguresService
from tests.conftest import Stack
from tests.workflows.conftest import Record
from tests.workflows.support import automatic, eventually, soon
from tests.workflows.test_assistant import LATER, asleep, daily, handle_of, shown, tell, workers
from tests.workflows.test_publishing import begun
from tests.workflows.test_steering import pause
from workflows.names import NEXT_SLOT, assistant_workflow


async def due(stack: Stack, until: datetime) -> set[str]:
    """The query of docs/operating/temporal.md."""
    query = f"ExecutionStatus = 'Running' AND NextSlot < '{until:%Y-%m-%dT%H:%M:%SZ}'"
    return {found.id async for found in stack.client.list_workflows(query)}


async def test_an_assistant_is_listed_by_its_next_slot(stack: Stack, record: Record) -> None:
    async with workers(stack):
        assistant, status = await asleep(stack, daily(LATER))
        name, handle = assistant_workflow(assistant.id), handle_of(stack, assistant)
        assert status.next_slot is not None
        assert (await handle.describe()).typed_search_attributes[NEXT_SLOT] == status.next_slot

        async def listed() -> bool:
            return name in await due(stack, utcnow() + LATER + timedelta(minutes=1))

        await eventually(listed)
        assert name not in await due(stack, utcnow() + timedelta(hours=1))
        saved = await pause(stack, assistant)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        assert (await handle.describe()).typed_search_attributes.get(NEXT_SLOT) is None
        await record("assistant.next-slot", name)


async def test_a_run_is_listed_by_its_time_wherever_that_is_moved(stack: Stack, record: Record) -> None:
    assistant = await automatic(stack)
    async with begun(stack, assistant, soon(3600)) as story:
        await story.in_state(RunState.ready)
        await story.move(soon(60))

        async def listed() -> bool:
            return story.name in await due(stack, soon(120))

        await eventually(listed)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    await record("run.next-slot-moved", story.name)


@pytest.mark.parametrize("phase", [AssistantPhase.asleep, AssistantPhase.paused])
async def test_assistants_are_counted_by_phase(stack: Stack, phase: AssistantPhase) -> None:
    async with workers(stack):
        assistant, _ = await asleep(stack, daily(LATER))
        if phase is AssistantPhase.paused:
            await tell(stack, await pause(stack, assistant))

        async def counted() -> bool:
            query = f"ExecutionStatus = 'Running' AND AssistantPhase = '{phase}'"
            return (await stack.client.count_workflows(query)).count == 1

        await eventually(counted)
        figures = await FiguresService(stack.services.reading).read()
        assert figures.assistants == {phase: 1}
