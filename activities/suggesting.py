"""Suggest subtopics."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.topics.suggestions import SuggestionService


@dataclass(frozen=True)
class SuggestionRef:
    user_id: UUID
    suggestion_id: UUID


@dataclass(frozen=True)
class SuggestionEnd:
    """`reason` is the error code; None if an operator has cancelled it."""

    user_id: UUID
    suggestion_id: UUID
    reason: str | None


@dataclass(frozen=True)
class SuggestionOutcome:
    """A `GenerationState`, or `gone` with its topic."""

    state: str


@dataclass(frozen=True)
class Suggesting:
    service: "SuggestionService"

    @activity.defn
    async def suggest(self, ref: SuggestionRef) -> SuggestionOutcome:
        """Suggest titles once: a repeat of a finished round calls no model."""
        async with heartbeating():
            state = await self.service.run_round(ref.user_id, ref.suggestion_id, activity.info().attempt)
        return SuggestionOutcome(state.value if state else "gone")

    @activity.defn
    async def end_suggestion(self, end: SuggestionEnd) -> SuggestionOutcome:
        """End the row without titles; a finished one stays as it is."""
        if end.reason is None:
            state = await self.service.cancel(end.user_id, end.suggestion_id)
        else:
            state = await self.service.fail(end.user_id, end.suggestion_id, end.reason)
        return SuggestionOutcome(state.value if state else "gone")
