"""Skip a slot of a sleeping assistant, while its workflow waits for the answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from core.assistants.rules.schedules import Schedule
from core.errors import Conflict

if TYPE_CHECKING:  # workflows import this module, so nothing that does I/O may load with it
    from core.assistants.skipping import SlotSkipService


@dataclass(frozen=True)
class SlotRef:
    """A slot and what its preparation depends on. `schedule` is None if no slots are planned; slots up to `after` do
    not count."""

    user_id: UUID
    assistant_id: UUID
    slot: datetime
    schedule: Schedule | None
    after: datetime
    lead_seconds: int
    jitter_window_seconds: int


@dataclass(frozen=True)
class SkipResult:
    """`refused`: an error code; `right`: the actual next slot."""

    undo_until: datetime | None = None
    refused: str = ""
    right: str = ""


@dataclass(frozen=True)
class Steering:
    service: "SlotSkipService"

    @activity.defn
    async def skip(self, ref: SlotRef) -> SkipResult:
        """Insert the skipped run; a run prepared for the slot ends."""
        try:
            return SkipResult(await self.service.skip(ref))
        except Conflict as error:
            return SkipResult(refused=error.code.value, right=str(error.params.get("slot") or ""))

    @activity.defn
    async def unskip(self, ref: SlotRef) -> None:
        """Delete the skipped run. Refused once its run would have begun."""
        await self.service.unskip(ref)
