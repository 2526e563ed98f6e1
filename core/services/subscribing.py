"""What somebody is subscribed to, and what they have used of it this month."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.database import Sessions
from core.domain.budgets import Month, month_at
from core.domain.subscriptions import SELF_HOSTED, Subscription, Used
from core.repositories.allowances import AllowanceRepository


@dataclass(frozen=True)
class Standing:
    subscription: Subscription
    used: Used
    month: Month


@dataclass(frozen=True)
class SubscribingService:
    sessions: Sessions

    async def standing(self, user_id: UUID, time_zone: str, now: datetime) -> Standing:
        """In the calendar month on the user's own clock."""
        month = month_at(now, time_zone)
        async with self.sessions() as session:
            used = await AllowanceRepository(session).used(user_id, month.since, month.until)
        return Standing(SELF_HOSTED, used, month)
