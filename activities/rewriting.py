"""Rewrite a post that waits for approval, on a person's request."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from core.errors import ErrorCode

if TYPE_CHECKING:
    from core.runs.rewriting import RewritingService


@dataclass(frozen=True)
class Rewrite:
    user_id: UUID
    run_id: UUID
    arming_seconds: int
    """How long before its time a delivery is armed at the earliest."""


@dataclass(frozen=True)
class RewriteFailure:
    user_id: UUID
    run_id: UUID
    code: str


@dataclass(frozen=True)
class Rewriting:
    service: "RewritingService"

    @activity.defn
    async def write_again(self, order: Rewrite) -> None:
        """Write the new text and ask about it; calls no model if none is requested any more."""
        arming = timedelta(seconds=order.arming_seconds)
        async with heartbeating():
            await self.service.write(order.user_id, order.run_id, activity.info().attempt, arming)

    @activity.defn
    async def keep_text(self, order: RewriteFailure) -> None:
        """Ask about the old text again."""
        await self.service.give_up(order.user_id, order.run_id, ErrorCode(order.code))
