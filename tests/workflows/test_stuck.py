"""What readiness tells of workflows that do not go on."""

import asyncio

import pytest
from temporalio import workflow
from temporalio.worker import Worker

from core.ids import new_id
from temporal.gateway import Gateway
from tests.api.test_system import ROOT, run_queues
from tests.conftest import Stack, browsing
from tests.patience import PATIENCE
from tests.workflows.support import eventually
from workflows.mail import MailWorkflow
from workflows.messages import MailOrder
from workflows.names import RUNS


@pytest.mark.slow  # the server says so after some failed tasks, whose pauses grow
async def test_stuck_workflows_and_what_waits_in_the_queues_are_told(stack: Stack) -> None:
    user = await stack.make.user()
    async with browsing(stack.services, stack.gateway, user) as api, run_queues(stack):
        async with Worker(stack.client, task_queue="defects", workflows=[Defect]):
            await stack.client.start_workflow(Defect.run, id=f"defect-{user.id}", task_queue="defects")
            async with asyncio.timeout(PATIENCE):
                while await Gateway(stack.client, stack.services.settings).count_stuck() != 1:
                    await asyncio.sleep(1)
            await stack.services.health.beat("a worker", [])
            told = (await api.get(f"{ROOT}/readyz")).json()
        assert (told["stuck_workflows"], told["detail"]) == (1, "all there; 1 workflows are stuck")
    for _ in range(3):
        await stack.client.start_workflow(MailWorkflow.run, MailOrder(new_id()), id=f"mail-{new_id()}", task_queue=RUNS)

    async def backlog() -> bool:
        return ((await stack.gateway.read_queues()).backlog or 0) >= 3

    await eventually(backlog)
    async for left in stack.client.list_workflows("ExecutionStatus = 'Running'"):
        await stack.client.get_workflow_handle(left.id).terminate("its test is over")


@workflow.defn(sandboxed=False)  # the sandbox refuses this module
class Defect:
    @workflow.run
    async def run(self) -> None:
        raise RuntimeError("as a changed workflow does without a patch")
