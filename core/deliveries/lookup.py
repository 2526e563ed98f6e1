"""Look up at the network what a call with an unknown outcome has done."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.ai.provider_faults import note_network
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import retry_if_renewing
from core.deliveries.jobs import Job
from core.deliveries.ledger import Ledger, Proof
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import SETTLED, DeliveryOutcome
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.errors import Ambiguous, ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, RetrySafe
from core.installation.repository import InstallationRepository
from core.live import LiveKind
from core.networks.base import EstimatedDelay
from core.networks.posts import Finding
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import notify_outcome, notify_waiting

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LookUpService:
    sessions: Sessions
    ledger: Ledger
    catch_up: timedelta

    async def look_up(self, job: Job, called_at: datetime) -> DeliveryOutcome | None:
        """Find out what the finished call of an earlier attempt has done. Return None if the post is proven to be
        absent, so that the attempt may call. Raises RetrySafe or RateLimited where the network has to be asked
        later, RetrySafe or Ambiguous if another attempt has taken over: what was looked up says nothing of its call.

        Absence proves nothing about a call from before the database was restored: since the backup, the post may have
        been published with another text, and deleted or changed."""
        code: ErrorCode | None = None
        may_be_older = await self._is_from_before_restore(called_at)
        if may_be_older and job.network.traits.asks_by_repeating:  # perhaps nobody has called before
            return await self.mark_unknown(
                job, DeliveryStep.look_up, (), None, reason=ErrorCode.restored_from_backup, called=False
            )
        with record_exchanges() as exchanges:
            try:
                finding: Finding = await job.network.find(job.credentials, job.post, job.refs, since=called_at)
            except RateLimited as error:
                if error.retry_after is None or await self._retries_within_step(job, error.retry_after):
                    await self._retry_later(job, error, exchanges)
                    raise
                if await self._hold_for_network(job, error, exchanges, error.retry_after):
                    return DeliveryOutcome.held
                finding, code = Finding(), error.code
            except RetrySafe as error:
                await self._retry_later(job, error, exchanges)
                raise  # a look-up has no effect, so it may be repeated
            except Misconfigured as error:
                if await self._hold_for_network(job, error, exchanges):
                    return DeliveryOutcome.held
                finding, code = Finding(), error.code
            except NeedsReconnect as error:
                async with self.sessions.begin() as session:
                    delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
                    failure = await retry_if_renewing(session, job, delivery.account, error)
                if failure.retryable:
                    await self._retry_later(job, failure, exchanges)
                    raise failure from error
                if await self._hold_for_account(job, error, exchanges):
                    return DeliveryOutcome.held
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
            except ProviderError as error:
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
        if finding.receipt:
            entry = job.log_entry(DeliveryStep.look_up, DeliveryDecision.done, exchanges)
            proof = Proof(job.user_id, job.delivery_id, finding.receipt, entry, follows_up=not may_be_older)
            await self.ledger.settle(proof)
            return DeliveryOutcome.published
        if may_be_older:
            return await self.mark_unknown(
                job, DeliveryStep.look_up, exchanges, code, reason=ErrorCode.restored_from_backup, called=False
            )
        if not finding.absent:
            reason = ErrorCode.delivery_unreadable if finding.unreadable else ErrorCode.delivery_unknown
            return await self.mark_unknown(job, DeliveryStep.look_up, exchanges, code, reason=reason, called=False)
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            if delivery.attempt != job.attempt or delivery.called_at != called_at:
                raise Ambiguous(detail="another attempt has taken over")  # its fence is not ours to touch
            entry = job.log_entry(DeliveryStep.look_up, DeliveryDecision.absent, exchanges, code)
            await DeliveryLogRepository(session).add([entry])
            if not job.unconfirmed or delivery.doubted_at is None:
                delivery.doubted_at = called_at
            delivery.called_at, delivery.doubted_hash = None, job.own_hash
        return None

    async def mark_unknown(
        self,
        job: Job,
        step: DeliveryStep,
        exchanges: Sequence[dict[str, Any]],
        code: ErrorCode | None,
        *,
        reason: ErrorCode = ErrorCode.delivery_unknown,
        detail: str = "",
        called: bool = True,
        lost: bool = False,
    ) -> DeliveryOutcome:
        """Mark the delivery as unknown, so that a person decides. The fence stays, or is set again to the time of the
        unclear call, so nothing is called before that. `reason`: delivery_unreadable where the account may post but not
        read. `lost`: whether what was staged is gone, so that it is staged anew when the person sends again. Unless the
        attempt has `called`, raise RetrySafe if another one has taken over."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            if not called and delivery.attempt != job.attempt:
                raise RetrySafe(detail="another attempt has taken over")
            await DeliveryLogRepository(session).add([job.log_entry(step, DeliveryDecision.unknown, exchanges, code)])
            if lost:
                delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
            delivery.state = DeliveryState.unknown
            delivery.called_at = delivery.called_at or job.unconfirmed_at or utcnow()
            delivery.error_code = reason
            delivery.error_detail = detail or delivery.error_detail
            post, _ = await PostRepository(session).get(job.user_id, job.post_id, deleted=True)
            await notify_outcome(session, post)
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return DeliveryOutcome.unknown

    async def _is_from_before_restore(self, called_at: datetime) -> bool:
        async with self.sessions() as session:
            restored_at = await InstallationRepository(session).restored_at()
        return restored_at is not None and called_at < restored_at

    async def _hold_for_account(self, job: Job, error: NeedsReconnect, exchanges: Sequence[dict[str, Any]]) -> bool:
        """Hold the delivery until its account is reconnected and can be looked up, if there is time for that. The fence
        stays. Return whether it is held."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            until = await DeadlineService(session, self.catch_up).account_deadline(delivery)
            overtaken = delivery.state in SETTLED or delivery.attempt != job.attempt
            if overtaken or delivery.account.disconnected_at is not None or until is None:
                return False
            delivery.state, delivery.held_until = DeliveryState.held, until
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            entry = job.log_entry(DeliveryStep.look_up, DeliveryDecision.held, exchanges, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return True

    async def _retries_within_step(self, job: Job, pause: timedelta) -> bool:
        async with self.sessions() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            return await DeadlineService(session, self.catch_up).retries_within_step(delivery, pause)

    async def _hold_for_network(
        self, job: Job, error: ProviderError, exchanges: Sequence[dict[str, Any]], pause: timedelta | None = None
    ) -> bool:
        """Hold the delivery until its next look-up, `pause` from now; without a `pause`, until this server's settings
        are fixed. The fence stays. Return False where that would be more than a day after its slot."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            deadlines = DeadlineService(session, self.catch_up)
            until = await deadlines.network_deadline(delivery)
            is_named = pause is not None and not isinstance(pause, EstimatedDelay)
            overtaken = delivery.state in SETTLED or delivery.attempt != job.attempt
            if overtaken or until is None or (pause and is_named and utcnow() + pause >= until):
                return False
            if isinstance(error, Misconfigured) and not delivery.account.base_url:
                await note_network(session, job.network.kind, error)
            if pause is None:
                pause = await deadlines.settings_pause(delivery)
            elif isinstance(pause, EstimatedDelay):
                pause = await deadlines.rate_limit_pause(delivery, pause)
            await deadlines.hold_for_network(delivery, error.code, pause, is_guess=True)
            delivery.error_detail = error.detail or None
            await notify_waiting(session, delivery)
            entry = job.log_entry(DeliveryStep.look_up, DeliveryDecision.held, exchanges, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return True

    async def _retry_later(self, job: Job, error: ProviderError, exchanges: Sequence[dict[str, Any]]) -> None:
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            if delivery.state not in SETTLED and delivery.attempt == job.attempt:
                delivery.state, delivery.retry_at = DeliveryState.retrying, job.next_attempt_at(error)
            entry = job.log_entry(DeliveryStep.look_up, DeliveryDecision.again, exchanges, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
