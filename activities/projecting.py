"""Write the state of workflows to rows for the browser."""

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
class AssistantUpdate:
    """The assistant's state at one revision; an older one never overwrites a newer."""

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
class MissedSlots:
    user_id: UUID
    assistant_id: UUID
    outage: Outage


@dataclass(frozen=True)
class RunToFinish:
    """`post_id`: of a run whose row may have been deleted with its assistant; its post stays. `followed`: the workflow
    knows all changes up to this version; None in histories without this field."""

    user_id: UUID
    run_id: UUID
    post_id: UUID | None = None
    followed: int | None = None


@dataclass(frozen=True)
class RunFailure:
    user_id: UUID
    run_id: UUID
    code: str


@dataclass(frozen=True)
class RunOutcome:
    """`reason`: an error code or ""."""

    state: RunState
    reason: str = ""


@dataclass(frozen=True)
class Projecting:
    service: "ProjectingService"

    @activity.defn
    async def assistant(self, shown: AssistantUpdate) -> None:
        await self.service.project_assistant(shown)

    @activity.defn
    async def missed(self, shown: MissedSlots) -> None:
        """Insert one row for each slot of the outage; a repeat continues."""
        async with heartbeating():
            await self.service.record_missed_slots(shown.user_id, shown.assistant_id, shown.outage)

    @activity.defn
    async def finish(self, shown: RunToFinish) -> RunOutcome:
        """Set the final state, from the ledger."""
        ended = await self.service.finish(shown.user_id, shown.run_id, shown.post_id, shown.followed)
        return RunOutcome(ended.state, ended.reason)

    @activity.defn
    async def fail(self, failed: RunFailure) -> RunOutcome:
        """End the run unpublished, with its reason."""
        return RunOutcome(await self.service.fail(failed.user_id, failed.run_id, failed.code))
