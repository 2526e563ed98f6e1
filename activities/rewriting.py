"""Another text for a post that waits for a person, because they asked for one."""

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
class NotRewritten:
    user_id: UUID
    run_id: UUID
    code: str


@dataclass(frozen=True)
class Rewriting:
    service: "RewritingService"

    @activity.defn
    async def write_again(self, order: Rewrite) -> None:
        """The new text, and the question about it; a repeat that finds none wanted asks no model."""
        arming = timedelta(seconds=order.arming_seconds)
        async with heartbeating():
            await self.service.write(order.user_id, order.run_id, activity.info().attempt, arming)

    @activity.defn
    async def keep_text(self, order: NotRewritten) -> None:
        """There is no other text: the person is asked about the old one once more."""
        await self.service.give_up(order.user_id, order.run_id, ErrorCode(order.code))
