"""Until when a delivery may still go out, and for how long it waits for its account."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.domain.errors import ErrorCode
from core.domain.posts import DeliveryState
from core.models import Delivery
from core.repositories.lateness import LatenessRepository
from core.services.base import InTransaction

_BY_CLOCK: Final = (ErrorCode.missed_outage, ErrorCode.reconnected_too_late)
"""By the clock, and for nothing that came after it."""
_NOT_TAKEN: Final = (
    ErrorCode.provider_unavailable,
    ErrorCode.ambiguous_outcome,
    ErrorCode.staging_lost,
    ErrorCode.media_unreachable,
    ErrorCode.access_renewing,
)
"""What keeps a delivery waiting for its network, not for us."""


class DeadlineService(InTransaction):
    def __init__(self, session: AsyncSession, catch_up: timedelta) -> None:
        super().__init__(session)
        self.catch_up = catch_up

    async def late(self, delivery: Delivery) -> ErrorCode | None:
        """Why it must not go out any more, if so: by the clock, or for what came after it."""
        late = await LatenessRepository(self.session).of_post(delivery.user_id, delivery.post_id, self.catch_up)
        if late is ErrorCode.missed_outage and delivery.held_until is not None:
            late = None if await self.waits_until(delivery) else ErrorCode.reconnected_too_late
        if late in _BY_CLOCK and delivery.error_code == ErrorCode.rate_limited:
            return ErrorCode.limited_too_long
        if late in _BY_CLOCK and delivery.error_code == ErrorCode.storage_unavailable:
            return ErrorCode.storage_unavailable
        if late in _BY_CLOCK and delivery.error_code in _NOT_TAKEN:  # neither we nor its account were away
            return ErrorCode.unavailable_too_long
        return late

    async def hold(self, delivery: Delivery, code: str) -> None:
        """It waits for its account to be connected again, as long as it may still go out; else it has failed."""
        until = await self.waits_until(delivery)
        if until is None:
            code = ErrorCode.reconnected_too_late if delivery.held_until else code
            delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
        else:
            delivery.state, delivery.held_until = DeliveryState.held, until
        delivery.error_code = code

    async def waits_until(self, delivery: Delivery) -> datetime | None:
        """None: it does not, for its time is over."""
        return await LatenessRepository(self.session).held_until(delivery.user_id, delivery.post_id, self.catch_up)

    async def ends_too_late(self, delivery: Delivery, pause: timedelta | None) -> bool:
        """Whether a network's limit is over only when the delivery must not go out any more."""
        if pause is None or (delivery.held_until and utcnow() + pause < delivery.held_until):
            return False
        lateness = LatenessRepository(self.session)
        return await lateness.past_by_then(delivery.user_id, delivery.post_id, self.catch_up, pause)
