"""Try-outs of templates."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.next_attempt import pause_after

if TYPE_CHECKING:
    from core.templates.tryouts import TryoutService

BEAT = 2.0  # seconds; a cancellation waits for the next one


@dataclass(frozen=True)
class TryoutRef:
    user_id: UUID
    tryout_id: UUID


@dataclass(frozen=True)
class TryoutEnd:
    """`reason` is the error code; None if a user has cancelled it."""

    user_id: UUID
    tryout_id: UUID
    reason: str | None


@dataclass(frozen=True)
class TryoutOutcome:
    """A `GenerationState`, or `gone` with its template."""

    state: str


@dataclass(frozen=True)
class Tryouts:
    service: "TryoutService"

    @activity.defn
    async def make_tryout(self, ref: TryoutRef) -> TryoutOutcome:
        """Make the output once: a repeat of a finished try-out calls no model."""
        info = activity.info()
        async with heartbeating(BEAT):
            state = await self.service.make(ref.user_id, ref.tryout_id, info.attempt, pause_after(info))
        return TryoutOutcome(state.value if state else "gone")

    @activity.defn
    async def end_tryout(self, end: TryoutEnd) -> TryoutOutcome:
        """End the row without output; a finished one stays as it is."""
        if end.reason is None:
            state = await self.service.cancel(end.user_id, end.tryout_id)
        else:
            state = await self.service.fail(end.user_id, end.tryout_id, end.reason)
        return TryoutOutcome(state.value if state else "gone")
