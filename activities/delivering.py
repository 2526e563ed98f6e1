"""The steps that reach a network."""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.services.delivering import DeliveringService


@dataclass(frozen=True)
class Stage:
    user_id: UUID
    delivery_id: UUID


@dataclass(frozen=True)
class StageResult:
    ready_in: timedelta


@dataclass(frozen=True)
class Deliver:
    user_id: UUID
    delivery_id: UUID
    slot: datetime


@dataclass(frozen=True)
class Delivered:
    """published, failed, unknown, missed or moved: the ledger has the rest."""

    outcome: str


@dataclass(frozen=True)
class Delivering:
    service: "DeliveringService"

    @activity.defn
    async def stage(self, step: Stage) -> StageResult:
        """What publishes nothing (uploads), before the slot. Found again by the hash of the content."""
        async with heartbeating():
            return StageResult(await self.service.stage(step.user_id, step.delivery_id))

    @activity.defn
    async def deliver(self, step: Deliver) -> Delivered:
        """Ledger, wait, one call, receipt. A retry asks the network what is there before it posts again."""
        # from arming to the receipt: a worker that dies meanwhile is noticed after half a minute
        async with heartbeating():
            outcome = await self.service.deliver(
                step.user_id, step.delivery_id, wait=lambda: _until(step.slot), planned_at=step.slot
            )
        return Delivered(outcome.value)


async def _until(slot: datetime) -> None:
    """Armed: wait here, by the server's time and this machine's monotonic clock, never by its wall clock."""
    info, began = activity.info(), time.monotonic()
    early = (slot - info.started_time).total_seconds()
    stopping = asyncio.ensure_future(activity.wait_for_worker_shutdown())
    try:
        if (left := early - (time.monotonic() - began)) > 0:
            await asyncio.wait([stopping], timeout=left)
        if stopping.done():
            # nothing was called yet, so another worker may arm it at once
            raise ApplicationError(
                "worker is stopping", type="worker_stopping", category=ApplicationErrorCategory.BENIGN
            )
    finally:
        stopping.cancel()
