"""What a failed attempt leads to: a retry, a hold or the end, and what is saved of it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import note_network
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.deliveries.deadlines import DeadlineService
from core.deliveries.jobs import Job
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import ENDED, SETTLED, DeliveryOutcome
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.rules.retries import MAX_FAILURES, NOT_READY
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    NOT_TAKEN_FILES,
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
from core.networks.base import EstimatedDelay
from core.networks.usage import ReportedUsage, note_usage
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import notify_waiting
from core.runs.rules.failures import append_failure, count_failures
from core.social_accounts.reconnecting import RENEWED_WITHIN, handle_access_refused, is_renewing
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FailedAttempts:
    sessions: Sessions
    catch_up: timedelta

    async def keep_held_for_settings(self, job: Job, code: ErrorCode) -> DeliveryOutcome:
        """Hold the delivery on without a call, because this server's settings are still wrong."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            if delivery.attempt == job.attempt and delivery.state not in SETTLED:
                await _hold_for_settings(DeadlineService(session, self.catch_up), delivery, Misconfigured(code))
                await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return ENDED.get(delivery.state, DeliveryOutcome.held)

    async def record(
        self,
        job: Job,
        error: ProviderError,
        step: DeliveryStep,
        exchanges: Sequence[dict[str, Any]],
        usage: Sequence[ReportedUsage] = (),
    ) -> ProviderError:
        """Save the failure, the exchanges and the reported quotas, and return the error that results: retryable if
        another attempt follows, for example with a renewed token. Only the outcome of a publishing call takes the fence
        away, unless it is ambiguous. What a step before it met with earlier content or uploads is not saved."""
        error = _name_video_file(job, error)
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            if delivery.attempt != job.attempt or delivery.state in SETTLED:
                await note_usage(session, usage)
                return error  # a newer attempt has taken over: its fence is not ours to touch
            if step is not DeliveryStep.publish and _is_overtaken(job, delivery, step):
                return RetrySafe(detail="the delivery has other content or was staged meanwhile")
            deadlines = DeadlineService(session, self.catch_up)
            if isinstance(error, NeedsReconnect):
                error = await retry_if_renewing(session, job, delivery.account, error)
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            delivery.failures = append_failure(delivery.failures, delivery.attempts, error.code, utcnow())
            # uploads that were refused must not be reused when a person tries again
            if isinstance(error, StagedLost) or error.code in NOT_TAKEN_FILES:
                delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
            count = count_failures(delivery.failures, error.code)
            if count > MAX_FAILURES.get(error.code, count):
                # that the file was not ready was only a guess: the refusal is final
                not_ready = error.code in NOT_READY
                error = Refused(ErrorCode.delivery_refused if not_ready else error.code, detail=error.detail)
                delivery.error_code = error.code
            if step is DeliveryStep.publish and not isinstance(error, Ambiguous):
                delivery.called_at = None
            if isinstance(error, RateLimited) and error.retry_after is not None:
                error = await _apply_rate_limit(deadlines, delivery, error, error.retry_after)
            elif isinstance(error, Misconfigured):
                if not delivery.account.base_url:  # of a network with many servers this is one server's fault
                    await note_network(session, job.network.kind, error)
                error = await _hold_for_settings(deadlines, delivery, error)
            elif isinstance(error, NeedsReconnect):
                await deadlines.hold_for_account(delivery, error.code)
                error = _as_held(error, delivery)
            elif not error.retryable:
                delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
            if error.retryable:
                delivery.state, delivery.retry_at = DeliveryState.retrying, job.next_attempt_at(error)
            if delivery.state is DeliveryState.held and delivery.error_code in WAITS_FOR_NETWORK:
                await notify_waiting(session, delivery)
            entry = job.log_entry(step, _decision(error, delivery), exchanges, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
            await note_usage(session, usage)
        logger.warning("delivery %s failed: %s", job.delivery_id, error.code)
        return error


def _name_video_file(job: Job, error: ProviderError) -> ProviderError:
    """Return the refusal of an image, in a post with a video, as that of its cover, or of the video if the network gets
    no cover: the post has no other image."""
    if job.post.video is None or error.code not in (ErrorCode.image_refused, ErrorCode.image_ratio_refused):
        return error
    code = ErrorCode.cover_refused if job.post.video.cover else ErrorCode.video_refused
    return Refused(code, detail=error.detail)


def _is_overtaken(job: Job, delivery: Delivery, step: DeliveryStep) -> bool:
    """Return whether the step before the call was about content or uploads that the delivery has no more, or another
    attempt has called meanwhile."""
    if job.own_hash != delivery.current_hash or delivery.called_at is not None:
        return True
    return delivery.is_staged if step is DeliveryStep.stage else list(job.refs) != delivery.staged_refs


class _Held(ProviderError):
    """The delivery is held for its account, its network or this server's settings."""


def _as_held(error: ProviderError, delivery: Delivery) -> ProviderError:
    return _Held(error.code, detail=error.detail) if delivery.state is DeliveryState.held else error


async def _apply_rate_limit(
    deadlines: DeadlineService, delivery: Delivery, error: RateLimited, pause: timedelta
) -> ProviderError:
    """Return the error that a rate limit leads to: a retry, a hold or the end. An end named by the network is saved
    with the account, so that no other post calls before it; a guessed one is waited for with growing pauses."""
    is_guess = isinstance(pause, EstimatedDelay)
    if is_guess:
        pause = await deadlines.rate_limit_pause(delivery, pause)
    else:
        await AccountRepository(deadlines.session).set_rate_limit(
            delivery.user_id, delivery.account_id, utcnow() + pause
        )
    if until := await deadlines.network_deadline(delivery):
        delivery.held_until = until
    if await deadlines.retries_within_step(delivery, pause):
        return RateLimited(error.code, detail=error.detail, retry_after=pause)
    await deadlines.hold_for_network(delivery, error.code, pause, is_guess=is_guess)
    if delivery.state is DeliveryState.held:
        return _Held(error.code, detail=error.detail)
    return Refused(ErrorCode.limited_too_long, detail=error.detail)


async def _hold_for_settings(deadlines: DeadlineService, delivery: Delivery, error: Misconfigured) -> ProviderError:
    pause = await deadlines.settings_pause(delivery)
    await deadlines.hold_for_network(delivery, error.code, pause, is_guess=True)
    return _as_held(error, delivery)


def _decision(error: ProviderError, delivery: Delivery) -> DeliveryDecision:
    if isinstance(error, Ambiguous):
        return DeliveryDecision.look_up
    if error.retryable:
        return DeliveryDecision.again
    return DeliveryDecision.held if delivery.state is DeliveryState.held else DeliveryDecision.failed


def outcome_or_raise(error: ProviderError) -> DeliveryOutcome:
    """Return the outcome of a final error. Raises the error where another attempt has to follow."""
    if error.retryable:
        raise error
    return DeliveryOutcome.held if isinstance(error, _Held) else DeliveryOutcome.failed


async def retry_if_renewing(session: AsyncSession, job: Job, account: Account, error: NeedsReconnect) -> ProviderError:
    """Return a retryable error if the account's token was replaced or is being renewed, else `error` itself."""
    if wait := await handle_access_refused(session, account, error, by=job.token_id):
        return RetrySafe(ErrorCode.access_renewing, detail=error.detail, retry_after=wait)
    return error


def ensure_not_renewing(account: Account) -> None:
    """Raises RetrySafe while the account's token is known to be refused and is being renewed."""
    if is_renewing(account):
        raise RetrySafe(ErrorCode.access_renewing, retry_after=RENEWED_WITHIN)
