"""What the browser sees of the workflows."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from core.assistants.rules.assistants import AssistantPhase, RunState
from core.assistants.rules.planning import Outage

if TYPE_CHECKING:
    from core.runs.projecting import ProjectingService


@dataclass(frozen=True)
class AssistantShown:
    """The assistant's picture at one revision; an older one never overwrites a newer."""

    user_id: UUID
    assistant_id: UUID
    phase: AssistantPhase
    revision: int
    applied_version: int
    cursor: datetime
    next_slot: datetime | None = None
    next_start: datetime | None = None
    rules: str = ""
    reason: str = ""
    retry_at: datetime | None = None


@dataclass(frozen=True)
class MissedShown:
    user_id: UUID
    assistant_id: UUID
    outage: Outage


@dataclass(frozen=True)
class RunShown:
    """`post_id`: of a run whose row may have gone with its assistant; its post stays."""

    user_id: UUID
    run_id: UUID
    post_id: UUID | None = None


@dataclass(frozen=True)
class RunFailed:
    user_id: UUID
    run_id: UUID
    code: str


@dataclass(frozen=True)
class RunOver:
    """`reason`: an error code, or nothing."""

    state: RunState
    reason: str = ""


@dataclass(frozen=True)
class Projecting:
    service: "ProjectingService"

    @activity.defn
    async def assistant(self, shown: AssistantShown) -> None:
        await self.service.project_assistant(shown)

    @activity.defn
    async def missed(self, shown: MissedShown) -> None:
        """One row for each slot of the outage, however many; repeated, it goes on where it was."""
        async with heartbeating():
            await self.service.record_missed_slots(shown.user_id, shown.assistant_id, shown.outage)

    @activity.defn
    async def finish(self, shown: RunShown) -> RunOver:
        """The final state, from what the ledger says."""
        ended = await self.service.finish(shown.user_id, shown.run_id, shown.post_id)
        return RunOver(ended.state, ended.reason)

    @activity.defn
    async def fail(self, failed: RunFailed) -> RunOver:
        """It ends without having gone out, with its reason."""
        return RunOver(await self.service.fail(failed.user_id, failed.run_id, failed.code))
