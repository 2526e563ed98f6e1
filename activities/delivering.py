"""Activities that call a network."""

import zlib
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.next_attempt import pause_after
from activities.timing import Pace, ServerTime
from core.deliveries.rules.deliveries import DeliveryOutcome

if TYPE_CHECKING:
    from core.deliveries.delivering import DeliveringService
    from core.deliveries.staging import StagingService


@dataclass(frozen=True)
class Stage:
    user_id: UUID
    delivery_id: UUID
    channel: str = ""
    """Empty in histories from before this field."""


@dataclass(frozen=True)
class StageResult:
    ready_in: timedelta
    asks_ready: bool = False
    """Whether the network has to be asked repeatedly whether it is ready."""


@dataclass(frozen=True)
class ReadyResult:
    again_in: timedelta | None
    """None: it is ready, or never will be, which the delivering activity finds."""


@dataclass(frozen=True)
class Deliver:
    user_id: UUID
    delivery_id: UUID
    slot: datetime


@dataclass(frozen=True)
class Delivered:
    """published, failed, unknown, missed, moved or held; the ledger has the details."""

    outcome: str
    reason: str = ""
    """An error code, if it is not published."""
    held_until: datetime | None = None
    """The delivery fails if it is not published by then."""
    again_at: datetime | None = None
    """Start of the next attempt, if it is held for its network or this server's settings; None if it waits for its
    account."""
    run_ended: bool = False
    """Whether the run has its final state, so that no step has to set it."""


@dataclass(frozen=True)
class Delivering:
    service: "DeliveringService"
    staging: "StagingService"

    @activity.defn
    async def stage(self, step: Stage) -> StageResult:
        """Upload before the slot, without publishing. Found again by the hash of the content."""
        async with heartbeating():
            ready_in = await self.staging.stage(step.user_id, step.delivery_id, pause_after(activity.info()))
        return StageResult(ready_in, self.staging.reports_readiness(step.channel))

    @activity.defn
    async def ready(self, step: Stage) -> ReadyResult:
        """Ask once whether the staged content may be used; a timer of the workflow repeats it."""
        return ReadyResult(await self.staging.check_ready(step.user_id, step.delivery_id, pause_after(activity.info())))

    @activity.defn
    async def deliver(self, step: Deliver) -> Delivered:
        """Ledger, wait, one call, receipt. A retry asks the network what exists before it posts again."""
        clock, info = self._server_time, activity.info()
        clock.add_sample(info.started_time)
        # from arming to the receipt; temporal/dead_workers.py notices a killed worker sooner, this also a frozen one
        async with heartbeating():
            with ExitStack() as going_out:

                async def wait() -> None:
                    await clock.wait_until(step.slot)
                    going_out.enter_context(self._pace.publishing())

                outcome = await self.service.deliver(
                    step.user_id,
                    step.delivery_id,
                    shortly_before=lambda: clock.wait_until(step.slot - _connect_ahead(step.delivery_id)),
                    wait=wait,
                    planned_at=step.slot,
                    pause=pause_after(info),
                )
            await self._pace.wait_for_turn()
        if outcome is DeliveryOutcome.published:
            run_ended = await self.service.has_run_ended(step.user_id, step.delivery_id)
            return Delivered(outcome.value, run_ended=run_ended)
        if outcome.went_well:
            return Delivered(outcome.value)
        return Delivered(outcome.value, *await self.service.end_details(step.user_id, step.delivery_id))

    @cached_property
    def _server_time(self) -> ServerTime:
        return ServerTime()

    @cached_property
    def _pace(self) -> Pace:
        """The outcome is in the ledger already. A thousand completions at once would make the server refuse each
        other's."""
        return Pace(timedelta(milliseconds=10), at_most=timedelta(seconds=2))


def _connect_ahead(delivery_id: UUID) -> timedelta:
    """Return how long before its slot a delivery connects: spread, so that hundreds do not connect at once, and short,
    so that no network closes the connection meanwhile."""
    return timedelta(milliseconds=1500 + zlib.crc32(delivery_id.bytes) % 2500)
