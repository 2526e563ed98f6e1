"""The steps that reach a network."""

import asyncio
import time
import zlib
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
        clock = _Clock(activity.info().started_time)
        # from arming to the receipt: a worker that dies meanwhile is noticed after half a minute
        async with heartbeating():
            outcome = await self.service.deliver(
                step.user_id,
                step.delivery_id,
                shortly_before=lambda: clock.until(step.slot - _ahead(step.delivery_id)),
                wait=lambda: clock.until(step.slot),
                planned_at=step.slot,
            )
        return Delivered(outcome.value)


def _ahead(delivery_id: UUID) -> timedelta:
    """How long before its slot it connects: spread, so that hundreds do not shake hands at once, and short, so that no
    network has closed the connection meanwhile."""
    return timedelta(milliseconds=1500 + zlib.crc32(delivery_id.bytes) % 2500)


class _Clock:
    """By the server's time and this machine's monotonic clock, never by its wall clock. Made at the step's start."""

    def __init__(self, started_at: datetime) -> None:
        self._started_at, self._began = started_at, time.monotonic()

    async def until(self, moment: datetime) -> None:
        """Armed: wait here."""
        left = (moment - self._started_at).total_seconds() - (time.monotonic() - self._began)
        stopping = asyncio.ensure_future(activity.wait_for_worker_shutdown())
        try:
            if left > 0:
                await asyncio.wait([stopping], timeout=left)
            if stopping.done():
                # nothing was called yet, so another worker may arm it at once
                raise ApplicationError(
                    "worker is stopping", type="worker_stopping", category=ApplicationErrorCategory.BENIGN
                )
        finally:
            stopping.cancel()
