"""What a step of a delivery comes to that its network did not take, and what is written down of it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import note_network
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.deliveries.deadlines import DeadlineService
from core.deliveries.jobs import Job
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import ENDED, SETTLED, DeliveryOutcome
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    NOT_TAKEN_IMAGES,
    WAITS_FOR_NETWORK,
    Ambiguous,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
)
from core.live import LiveKind
from core.networks.base import Guessed
from core.networks.usage import Told, note_usage
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import tell_that_it_waits
from core.runs.rules.failures import with_failure
from core.social_accounts.connecting import RENEWED_WITHIN, access_refused, renewing
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

logger = logging.getLogger(__name__)

_FEW_TIMES: Final = {
    ErrorCode.staging_lost: 3,
    ErrorCode.media_unreachable: 3,
    ErrorCode.image_not_ready: 5,
    ErrorCode.delivery_refused: 1,
}
"""Of what may pass, but not for hours: how often it is tried again."""


@dataclass(frozen=True)
class FailedAttempts:
    sessions: Sessions
    catch_up: timedelta

    async def still_misconfigured(self, job: Job, code: ErrorCode) -> DeliveryOutcome:
        """Hold on to a delivery that waits for this server's settings, without a call: a look has found them as they
        were."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.attempt == job.attempt and delivery.state not in SETTLED:
                await _misconfigured(DeadlineService(session, self.catch_up), delivery, Misconfigured(code))
                await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return ENDED.get(delivery.state, DeliveryOutcome.held)

    async def note(
        self,
        job: Job,
        error: ProviderError,
        step: DeliveryStep,
        heard: Sequence[dict[str, Any]],
        told: Sequence[Told] = (),
    ) -> ProviderError:
        """Write down what happened, and what was `told` of the calls that are left. Only an ambiguous outcome leaves
        the fence standing. Returns what it comes to: with a new token it may be tried again, where that can be had."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.attempt != job.attempt or delivery.state in SETTLED:
                await note_usage(session, told)
                return error  # a newer attempt has taken over: its fence is not ours to touch
            deadlines = DeadlineService(session, self.catch_up)
            if isinstance(error, NeedsReconnect):
                error = await unless_renewed(session, job, delivery.account, error)
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            delivery.failures = with_failure(delivery.failures, delivery.attempts, error.code, utcnow())
            # a person who tries it again after that would be refused for the same upload
            if isinstance(error, StagedLost) or error.code in NOT_TAKEN_IMAGES:
                delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
            had = sum(one["code"] == error.code for one in delivery.failures)
            if had > _FEW_TIMES.get(error.code, had):
                # that the image is not ready was the best guess
                not_ready = error.code is ErrorCode.image_not_ready
                error = Refused(ErrorCode.delivery_refused if not_ready else error.code, detail=error.detail)
                delivery.error_code = error.code
            if not isinstance(error, Ambiguous):
                delivery.called_at = None
            if isinstance(error, RateLimited) and error.retry_after is not None:
                error = await _limited(deadlines, delivery, error, error.retry_after)
            elif isinstance(error, Misconfigured):
                if not delivery.account.base_url:  # else it is what one server of many says
                    await note_network(session, job.network.kind, error)
                error = await _misconfigured(deadlines, delivery, error)
            elif isinstance(error, NeedsReconnect):
                await deadlines.hold(delivery, error.code)
                error = _held(error, delivery)
            elif not error.retryable:
                delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
            if error.retryable:
                delivery.state, delivery.retry_at = DeliveryState.retrying, job.again_at(error)
            if delivery.state is DeliveryState.held and delivery.error_code in WAITS_FOR_NETWORK:
                await tell_that_it_waits(session, delivery)
            entry = job.entry(step, _decision(error, delivery), heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
            await note_usage(session, told)
        logger.warning("delivery %s: %s", job.delivery_id, error.code)
        return error


class _Held(ProviderError):
    """What it comes to where the delivery is held: for its account, its network or this server's settings."""


def _held(error: ProviderError, delivery: Delivery) -> ProviderError:
    return _Held(error.code, detail=error.detail) if delivery.state is DeliveryState.held else error


async def _limited(
    deadlines: DeadlineService, delivery: Delivery, error: RateLimited, pause: timedelta
) -> ProviderError:
    """What a limit comes to. The end that a network names is kept with the account, so that no other post asks before
    it; one that is guessed is waited for with growing pauses."""
    is_guess = isinstance(pause, Guessed)
    if is_guess:
        pause = await deadlines.guessed_pause(delivery, pause)
    else:
        await AccountRepository(deadlines.session).limit(delivery.user_id, delivery.account_id, utcnow() + pause)
    if until := await deadlines.waits_for_network_until(delivery):
        delivery.held_until = until
    if await deadlines.waits_in_its_step(delivery, pause):
        return RateLimited(error.code, detail=error.detail, retry_after=pause)
    await deadlines.hold_for_network(delivery, error.code, pause, is_guess=is_guess)
    if delivery.state is DeliveryState.held:
        return _Held(error.code, detail=error.detail)
    return Refused(ErrorCode.limited_too_long, detail=error.detail)


async def _misconfigured(deadlines: DeadlineService, delivery: Delivery, error: Misconfigured) -> ProviderError:
    pause = await deadlines.pause_for_operator(delivery)
    await deadlines.hold_for_network(delivery, error.code, pause, is_guess=True)
    return _held(error, delivery)


def _decision(error: ProviderError, delivery: Delivery) -> DeliveryDecision:
    if isinstance(error, Ambiguous):
        return DeliveryDecision.look_up
    if error.retryable:
        return DeliveryDecision.again
    return DeliveryDecision.held if delivery.state is DeliveryState.held else DeliveryDecision.failed


def ended(error: ProviderError) -> DeliveryOutcome:
    """Raises the error where another attempt has to follow."""
    if error.retryable:
        raise error
    return DeliveryOutcome.held if isinstance(error, _Held) else DeliveryOutcome.failed


async def unless_renewed(session: AsyncSession, job: Job, account: Account, error: NeedsReconnect) -> ProviderError:
    """What it comes to: nothing that lasts where another token has come meanwhile, or is being had."""
    if wait := await access_refused(session, account, error, by=job.token_id):
        return RetrySafe(ErrorCode.access_renewing, detail=error.detail, retry_after=wait)
    return error


def must_not_be_renewing(account: Account) -> None:
    """A call by a token that is known to be refused would be one more refusal. Raises RetrySafe."""
    if renewing(account):
        raise RetrySafe(ErrorCode.access_renewing, retry_after=RENEWED_WITHIN)
