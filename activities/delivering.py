"""The steps that reach a network."""

import zlib
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating
from activities.pausing import pause_after
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
    """Of steps that were ordered before it was told: empty."""


@dataclass(frozen=True)
class StageResult:
    ready_in: timedelta
    asks_ready: bool = False
    """Whether the network is asked after that, again and again, whether it is ready."""


@dataclass(frozen=True)
class ReadyResult:
    again_in: timedelta | None
    """None: it is, or never will be, which the delivering step finds."""


@dataclass(frozen=True)
class Deliver:
    user_id: UUID
    delivery_id: UUID
    slot: datetime


@dataclass(frozen=True)
class Delivered:
    """published, failed, unknown, missed, moved or held: the ledger has the rest."""

    outcome: str
    reason: str = ""
    """An error code, where it is not published."""
    held_until: datetime | None = None
    """Then it is over, if it has not gone out by then."""
    again_at: datetime | None = None
    """When its next attempt begins, where it is held for its network or for this server's settings; None: once its
    account is connected again."""


@dataclass(frozen=True)
class Delivering:
    service: "DeliveringService"
    staging: "StagingService"

    @activity.defn
    async def stage(self, step: Stage) -> StageResult:
        """What publishes nothing (uploads), before the slot. Found again by the hash of the content."""
        async with heartbeating():
            ready_in = await self.staging.stage(step.user_id, step.delivery_id, pause_after(activity.info()))
        return StageResult(ready_in, self.staging.reports_readiness(step.channel))

    @activity.defn
    async def ready(self, step: Stage) -> ReadyResult:
        """Whether what was staged may be used: one read, repeated by a timer of the workflow."""
        return ReadyResult(await self.staging.check_ready(step.user_id, step.delivery_id, pause_after(activity.info())))

    @activity.defn
    async def deliver(self, step: Deliver) -> Delivered:
        """Ledger, wait, one call, receipt. A retry asks the network what is there before it posts again."""
        clock, info = self._server_time, activity.info()
        clock.heard(info.started_time)
        # from arming to the receipt; a killed worker is noticed sooner (temporal/dead_workers.py), a frozen one by this
        async with heartbeating():
            with ExitStack() as going_out:

                async def wait() -> None:
                    await clock.until(step.slot)
                    going_out.enter_context(self._told.going_out())

                outcome = await self.service.deliver(
                    step.user_id,
                    step.delivery_id,
                    shortly_before=lambda: clock.until(step.slot - _ahead(step.delivery_id)),
                    wait=wait,
                    planned_at=step.slot,
                    pause=pause_after(info),
                )
            await self._told.turn()
        return Delivered(outcome.value, *await self._reason(step, outcome))

    async def _reason(self, step: Deliver, outcome: DeliveryOutcome) -> tuple[str, datetime | None, datetime | None]:
        return ("", None, None) if outcome.went_well else await self.service.end_details(step.user_id, step.delivery_id)

    @cached_property
    def _server_time(self) -> ServerTime:
        return ServerTime()

    @cached_property
    def _told(self) -> Pace:
        """The ledger has the outcome. A thousand that end at once would make the server refuse each other's work."""
        return Pace(timedelta(milliseconds=10), at_most=timedelta(seconds=2))


def _ahead(delivery_id: UUID) -> timedelta:
    """How long before its slot it connects: spread, so that hundreds do not shake hands at once, and short, so that no
    network has closed the connection meanwhile."""
    return timedelta(milliseconds=1500 + zlib.crc32(delivery_id.bytes) % 2500)
