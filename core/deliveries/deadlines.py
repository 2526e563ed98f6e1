"""Until when a delivery may still go out, and for how long it waits for its account or its network."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_OPERATOR, ErrorCode
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.repositories.lateness import LatenessRepository
from core.service import InTransaction

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
_IN_ITS_STEP: Final = timedelta(hours=1)
"""After its time a delivery that waits for its network leaves its step: a post that is held can be moved, and a step
does not last for a day."""
_LONGEST_PAUSE: Final = timedelta(hours=1)
_PAUSES_FOR_OPERATOR: Final = timedelta(minutes=5), timedelta(minutes=30)


class DeadlineService(InTransaction):
    def __init__(self, session: AsyncSession, catch_up: timedelta) -> None:
        super().__init__(session)
        self.catch_up = catch_up

    async def late(self, delivery: Delivery) -> ErrorCode | None:
        """Why it must not go out any more, if so: by the clock, or for what came after it."""
        late = await LatenessRepository(self.session).of_post(delivery.user_id, delivery.post_id, self.catch_up)
        if late is ErrorCode.missed_outage and delivery.held_until is not None:
            waits = delivery.held_until > utcnow() or await self.waits_until(delivery)
            late = None if waits else ErrorCode.reconnected_too_late
        if late in _BY_CLOCK and delivery.error_code == ErrorCode.rate_limited:
            return ErrorCode.limited_too_long
        if late in _BY_CLOCK and delivery.error_code == ErrorCode.storage_unavailable:
            return ErrorCode.storage_unavailable
        if late in _BY_CLOCK and delivery.error_code in WAITS_FOR_OPERATOR:
            return ErrorCode(delivery.error_code)
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

    async def hold_for_network(self, delivery: Delivery, code: ErrorCode, pause: timedelta, *, is_guess: bool) -> None:
        """Hold the delivery until its next attempt, `pause` from now, for a day after its time at most; else it has
        failed: also where the network said itself that its limit ends only after that."""
        until = await self.waits_for_network_until(delivery)
        now = utcnow()
        if until is None or (now + pause >= until and not is_guess):
            limited = code is ErrorCode.rate_limited
            delivery.error_code = ErrorCode.limited_too_long if limited else code
            delivery.state, delivery.settled_at = DeliveryState.failed, now
        else:
            delivery.state, delivery.held_until, delivery.error_code = DeliveryState.held, until, code
            delivery.retry_at = min(now + pause, until)

    async def waits_for_network_until(self, delivery: Delivery) -> datetime | None:
        """None: its time is over."""
        lateness = LatenessRepository(self.session)
        return await lateness.waits_for_network_until(delivery.user_id, delivery.post_id, self.catch_up)

    async def waits_in_its_step(self, delivery: Delivery, pause: timedelta) -> bool:
        """Whether an attempt so long from now is made by the step that asks, or the delivery is held meanwhile."""
        lateness = LatenessRepository(self.session)
        return not await lateness.past_by_then(
            delivery.user_id, delivery.post_id, self.catch_up, pause, at_most=_IN_ITS_STEP
        )

    async def guessed_pause(self, delivery: Delivery, first: timedelta) -> timedelta:
        """How long to wait for the end of a limit that the network did not name: `first`, and the longer the later it
        is, up to an hour."""
        return await self._growing(delivery, first, max(first, _LONGEST_PAUSE))

    async def pause_for_operator(self, delivery: Delivery) -> timedelta:
        """How long to wait until it is looked again whether this server's settings are mended."""
        return await self._growing(delivery, *_PAUSES_FOR_OPERATOR)

    async def _growing(self, delivery: Delivery, first: timedelta, longest: timedelta) -> timedelta:
        planned_at = await PostRepository(self.session).planned_at(delivery.user_id, delivery.post_id)
        late = utcnow() - planned_at if planned_at else timedelta(0)
        return timedelta(seconds=min(max(first, late / 2), longest).total_seconds())
