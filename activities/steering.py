"""A person's word about one slot of a sleeping assistant, written down while its workflow waits for the answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from core.assistants.rules.schedules import Schedule
from core.errors import Conflict

if TYPE_CHECKING:  # workflows import this module, so nothing that does I/O may load with it
    from core.assistants.skipping import SteeringService


@dataclass(frozen=True)
class SlotRef:
    """A slot and what its preparation depends on. `schedule`: None where nothing comes by it; what does not lie after
    `after` is no concern of it."""

    user_id: UUID
    assistant_id: UUID
    slot: datetime
    schedule: Schedule | None
    after: datetime
    lead_seconds: int
    jitter_window_seconds: int


@dataclass(frozen=True)
class SlotSkipped:
    """`refused`: an error code, and `right` the slot that is next instead."""

    undo_until: datetime | None = None
    refused: str = ""
    right: str = ""


@dataclass(frozen=True)
class Steering:
    service: "SteeringService"

    @activity.defn
    async def skip(self, ref: SlotRef) -> SlotSkipped:
        """Its row says so; a run that is prepared for it ends."""
        try:
            return SlotSkipped(await self.service.skip(ref))
        except Conflict as error:
            return SlotSkipped(refused=error.code.value, right=str(error.params.get("slot") or ""))

    @activity.defn
    async def unskip(self, ref: SlotRef) -> None:
        """Its row is gone. Refused once its run would have begun."""
        await self.service.unskip(ref)
