"""Suggesting subtopics."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.topics.suggestions import SuggestingService


@dataclass(frozen=True)
class SuggestionRef:
    user_id: UUID
    suggestion_id: UUID


@dataclass(frozen=True)
class SuggestionEnd:
    """`reason` is the code that it failed with; None where an operator has cancelled it."""

    user_id: UUID
    suggestion_id: UUID
    reason: str | None


@dataclass(frozen=True)
class SuggestionOver:
    """A `GenerationState`, or `gone` with its topic."""

    state: str


@dataclass(frozen=True)
class Suggesting:
    service: "SuggestingService"

    @activity.defn
    async def suggest(self, ref: SuggestionRef) -> SuggestionOver:
        """The titles, once: a repeat of a round that is over asks no model again."""
        async with heartbeating():
            state = await self.service.ask(ref.user_id, ref.suggestion_id, activity.info().attempt)
        return SuggestionOver(state.value if state else "gone")

    @activity.defn
    async def end_suggestion(self, end: SuggestionEnd) -> SuggestionOver:
        """The row of a round without titles; one that is over stays as it is."""
        if end.reason is None:
            state = await self.service.cancelled(end.user_id, end.suggestion_id)
        else:
            state = await self.service.failed(end.user_id, end.suggestion_id, end.reason)
        return SuggestionOver(state.value if state else "gone")
