"""Until when a delivery may still be published, and how long it waits for its account or its network."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.deliveries.rules.retries import LONGEST_GUESSED_PAUSE, LONGEST_WAIT_IN_STEP, SETTINGS_PAUSES
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_OPERATOR, ErrorCode
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.repositories.lateness import LatenessRepository
from core.service import InTransaction

_TOO_LATE: Final = (ErrorCode.missed_outage, ErrorCode.reconnected_too_late)
"""Codes that say only that time has run out."""
_NETWORK_CODES: Final = (
    ErrorCode.provider_unavailable,
    ErrorCode.ambiguous_outcome,
    ErrorCode.staging_lost,
    ErrorCode.media_unreachable,
    ErrorCode.access_renewing,
)
"""Errors by which a delivery waits for its network, not for this server."""


class DeadlineService(InTransaction):
    def __init__(self, session: AsyncSession, catch_up: timedelta) -> None:
        super().__init__(session)
        self.catch_up = catch_up

    async def lateness_code(self, delivery: Delivery) -> ErrorCode | None:
        """Return why the delivery must not go out any more, or None: its time is over, or a newer post replaced it."""
        late = await LatenessRepository(self.session).post_code(delivery.user_id, delivery.post_id, self.catch_up)
        if late is ErrorCode.missed_outage and delivery.held_until is not None:
            waits = delivery.held_until > utcnow() or await self.account_deadline(delivery)
            late = None if waits else ErrorCode.reconnected_too_late
        if late in _TOO_LATE and delivery.error_code == ErrorCode.rate_limited:
            return ErrorCode.limited_too_long
        if late in _TOO_LATE and delivery.error_code == ErrorCode.storage_unavailable:
            return ErrorCode.storage_unavailable
        if late in _TOO_LATE and delivery.error_code in WAITS_FOR_OPERATOR:
            return ErrorCode(delivery.error_code)
        # the network was the reason, not an outage here
        if late in _TOO_LATE and delivery.error_code in _NETWORK_CODES:
            return ErrorCode.unavailable_too_long
        return late

    async def hold_for_account(self, delivery: Delivery, code: str) -> None:
        """Hold the delivery until its account is reconnected, or fail it if it would be too late then."""
        until = await self.account_deadline(delivery)
        if until is None:
            code = ErrorCode.reconnected_too_late if delivery.held_until else code
            delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
        else:
            delivery.state, delivery.held_until = DeliveryState.held, until
        delivery.error_code = code

    async def account_deadline(self, delivery: Delivery) -> datetime | None:
        """Return until when it may wait for its account, or None if its time is over."""
        return await LatenessRepository(self.session).account_deadline(
            delivery.user_id, delivery.post_id, self.catch_up
        )

    async def hold_for_network(self, delivery: Delivery, code: ErrorCode, pause: timedelta, *, is_guess: bool) -> None:
        """Hold the delivery until its next attempt, `pause` from now, or fail it if its window for networks ends first.
        Unless `is_guess`, it fails already if the network named an end of its limit beyond that window."""
        until = await self.network_deadline(delivery)
        now = utcnow()
        if until is None or (now + pause >= until and not is_guess):
            limited = code is ErrorCode.rate_limited
            delivery.error_code = ErrorCode.limited_too_long if limited else code
            delivery.state, delivery.settled_at = DeliveryState.failed, now
        else:
            delivery.state, delivery.held_until, delivery.error_code = DeliveryState.held, until, code
            delivery.retry_at = min(now + pause, until)

    async def network_deadline(self, delivery: Delivery) -> datetime | None:
        """Return until when it may wait for its network, or None if its time is over."""
        lateness = LatenessRepository(self.session)
        return await lateness.network_deadline(delivery.user_id, delivery.post_id, self.catch_up)

    async def retries_within_step(self, delivery: Delivery, pause: timedelta) -> bool:
        """Return whether an attempt `pause` from now is made by the same activity, instead of holding the delivery."""
        lateness = LatenessRepository(self.session)
        return not await lateness.is_past_in(
            delivery.user_id, delivery.post_id, self.catch_up, pause, at_most=LONGEST_WAIT_IN_STEP
        )

    async def rate_limit_pause(self, delivery: Delivery, first: timedelta) -> timedelta:
        """Return how long to wait where the network named no end of its limit: `first`, growing with the lateness up to
        an hour."""
        return await self._growing_pause(delivery, first, max(first, LONGEST_GUESSED_PAUSE))

    async def settings_pause(self, delivery: Delivery) -> timedelta:
        """Return the time until the next check of whether this server's settings are fixed."""
        return await self._growing_pause(delivery, *SETTINGS_PAUSES)

    async def _growing_pause(self, delivery: Delivery, first: timedelta, longest: timedelta) -> timedelta:
        planned_at = await PostRepository(self.session).planned_at(delivery.user_id, delivery.post_id)
        late = utcnow() - planned_at if planned_at else timedelta(0)
        return timedelta(seconds=min(max(first, late / 2), longest).total_seconds())
