"""The image of one occurrence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from temporalio import activity

from activities.drafting import RunRef
from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.runs.imaging import ImagingService


@dataclass(frozen=True)
class Imaging:
    service: "ImagingService"

    @activity.defn
    async def make(self, ref: RunRef) -> None:
        """Make and attach the image once; a repeat finds it."""
        async with heartbeating():
            await self.service.make(ref.user_id, ref.run_id, activity.info().attempt)
