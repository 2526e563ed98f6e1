"""Messages to the workflows of runs, which are otherwise started by their assistants alone."""

import asyncio
from collections.abc import Iterable

from temporalio.client import Client
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy

from core.assistants.tables import Assistant
from core.networks.rules.channels import ChannelKind
from core.runs.tables import Run
from core.settings import Settings
from workflows.messages import RunOrder
from workflows.names import ASSISTANT_ID, CHANNELS, DELIVERY, RUN_STATE, RUNS, USER_ID, owned_by
from workflows.run import RunWorkflow

_TITLE = 60  # characters of a name in static summaries, which have 200 bytes


class RunMessages:
    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings

    async def carry_on(self, run: Run, assistant: Assistant, channels: Iterable[ChannelKind]) -> None:
        """For the reconcile: start the workflow of an open run that Temporal has lost. Its steps find in the rows what
        was done, so nothing is written, paid or published twice. Raises RPCError, TimeoutError or RuntimeError while
        Temporal is away."""
        settings, setup = self._settings, run.setup
        catch_up = setup.catch_up_minutes if setup else None
        async with asyncio.timeout(10):
            await self._client.start_workflow(
                RunWorkflow.run,
                RunOrder(
                    user_id=run.user_id,
                    assistant_id=run.assistant_id,
                    run_id=run.id,
                    slot=run.slot,
                    catch_up_seconds=settings.catch_up_seconds if catch_up is None else catch_up * 60,
                    arm_seconds=settings.arm_seconds,
                    arm_spread_seconds=settings.arm_spread_seconds,
                    stage_ahead_seconds=settings.stage_ahead_seconds,
                    by_hand=run.by_hand,
                    address=f"{settings.public_url}/assistants/{run.assistant_id}",
                    assistant=assistant.name[:_TITLE],
                ),
                id=run.workflow_id,
                task_queue=RUNS,
                priority=owned_by(run.user_id, DELIVERY),
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                # a person may have moved the post or changed its accounts: it reads the rows before it publishes
                start_signal="changed",
                static_summary=f"{assistant.name[:_TITLE]}, slot {run.slot:%Y-%m-%d %H:%M} UTC",
                search_attributes=TypedSearchAttributes(
                    [
                        SearchAttributePair(USER_ID, str(run.user_id)),
                        SearchAttributePair(ASSISTANT_ID, str(run.assistant_id)),
                        SearchAttributePair(RUN_STATE, run.state.value),
                        SearchAttributePair(CHANNELS, sorted({kind.value for kind in channels})),
                    ]
                ),
            )
