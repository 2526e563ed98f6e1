"""What the browser sees of the workflows."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from core.domain.assistants import AssistantPhase, RunState

if TYPE_CHECKING:
    from core.services.projecting import ProjectingService


@dataclass(frozen=True)
class MissedRun:
    run_id: UUID
    workflow_id: str
    slot: datetime
    reason: str


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
    missed: tuple[MissedRun, ...] = ()


@dataclass(frozen=True)
class RunShown:
    user_id: UUID
    run_id: UUID


@dataclass(frozen=True)
class RunFailed:
    user_id: UUID
    run_id: UUID
    code: str


@dataclass(frozen=True)
class RunOver:
    state: RunState


@dataclass(frozen=True)
class Projecting:
    service: "ProjectingService"

    @activity.defn
    async def assistant(self, shown: AssistantShown) -> None:
        await self.service.assistant(
            shown,
            [(missed.run_id, missed.workflow_id, missed.slot, missed.reason) for missed in shown.missed],
        )

    @activity.defn
    async def finish(self, shown: RunShown) -> RunOver:
        """The final state, from what the ledger says."""
        return RunOver(await self.service.finish(shown.user_id, shown.run_id))

    @activity.defn
    async def fail(self, failed: RunFailed) -> None:
        await self.service.fail(failed.user_id, failed.run_id, failed.code)
