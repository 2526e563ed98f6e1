"""Read a feed of a topic tree."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.feeds.reading import FeedReadingService


@dataclass(frozen=True)
class FeedRef:
    user_id: UUID
    feed_id: UUID


@dataclass(frozen=True)
class FeedStatus:
    """`next_at`: when to read it again; None: not any more. `error`: an ErrorCode, or empty. `added`: new topics."""

    next_at: datetime | None
    error: str = ""
    added: int = 0


@dataclass(frozen=True)
class Feeding:
    service: "FeedReadingService"

    @activity.defn
    async def read_feed(self, ref: FeedRef) -> FeedStatus:
        """Ask the feed if it is due and add its new items. Repeatable: rows say what is done."""
        async with heartbeating():
            result = await self.service.read(ref.user_id, ref.feed_id)
        return FeedStatus(result.next_at, result.error, result.added) if result else FeedStatus(None)
