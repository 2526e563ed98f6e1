"""Publish a post exactly once, from a step that may run more than once.

The delivery's row is the ledger: the intent before the call, a fence right before it, a receipt after it. A call with
an unknown outcome is never repeated before the network was asked whether the post exists. Where the network cannot
tell, a person decides.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import FaultService
from core.assistants.rules.assistants import RunState
from core.billing.entitlements import Allowance, Entitlements
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.database_clock import database_now
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import FailedAttempts, ensure_not_renewing, outcome_or_raise
from core.deliveries.jobs import DeliveryJobs, Job
from core.deliveries.ledger import FenceRequest, Ledger, Proof
from core.deliveries.lookup import LookUpService
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.deliveries.rules.deliveries import ENDED, SETTLED, DeliveryOutcome
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.staging import NOT_READY, StagingService
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    WAITS_FOR_NETWORK,
    WAITS_FOR_OPERATOR,
    Ambiguous,
    ErrorCode,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
    TokenRefused,
)
from core.ids import new_id
from core.live import LiveKind
from core.metrics import observe_lateness
from core.networks.posts import Finding, Prepared, Receipt
from core.networks.rules.channels import AccountState
from core.networks.usage import ReportedUsage, defer_usage
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.repositories.runs import RunRepository

_TRIED_BUT_LATE: Final = (
    ErrorCode.reconnected_too_late,
    ErrorCode.limited_too_long,
    ErrorCode.unavailable_too_long,
    ErrorCode.storage_unavailable,
    *WAITS_FOR_OPERATOR,
)
"""Reasons for being late although an attempt was made in time: the delivery has failed, and may be tried again."""


_UNKNOWN_CALL_AGE: Final = timedelta(days=1)
"""How far back to search for a call whose time was not stored."""


@dataclass(frozen=True)
class DeliveringService:
    sessions: Sessions
    jobs: DeliveryJobs
    staging: StagingService
    faults: FaultService
    catch_up: timedelta
    entitlements: Entitlements
    worker_id: UUID
    """Id of this worker process."""

    async def deliver(
        self,
        user_id: UUID,
        delivery_id: UUID,
        *,
        wait: Callable[[], Awaitable[None]],
        shortly_before: Callable[[], Awaitable[None]] | None = None,
        planned_at: datetime | None = None,
        pause: timedelta | None = None,
    ) -> DeliveryOutcome:
        """Write the intent, `wait` for the slot, set the fence, make the one call, write the receipt. `shortly_before`
        waits for the moment to connect.

        Return the outcome, final refusals included; `moved` if the post's time is no longer `planned_at`. Raises
        RetrySafe, RateLimited or Ambiguous where another attempt has to follow, `pause` later unless the error names a
        time; that attempt asks the network before it calls again.
        """
        attempt = new_id()
        async with self.sessions.begin() as session:
            allowance = await self.entitlements.hold(session, user_id, Limit.published_posts)
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            called_at, hold_code = delivery.called_at, _network_hold_code(delivery)
            if ended := await self._end_without_call(session, delivery, allowance, planned_at):
                return ended
            job = replace(await self.jobs.build(session, delivery), pause=pause)
            # by the clock that has set the fence
            still_calling = called_at + job.outcome_timeout - await database_now(session) if called_at else timedelta(0)
            if still_calling > timedelta(0):
                # the calling attempt stays the current one, because it has to save the outcome of its call
                delivery.state, delivery.retry_at = DeliveryState.retrying, utcnow() + still_calling
            else:
                delivery.state, delivery.attempt = DeliveryState.publishing, attempt
                delivery.worker_id = self.worker_id
                delivery.attempts += 1
                job = replace(job, state=delivery.state, attempt=attempt, attempts=delivery.attempts)
                await self._mark_run_publishing(session, job)
        if still_calling > timedelta(0):
            raise Ambiguous(ErrorCode.ambiguous_outcome, retry_after=still_calling)
        if called_at is not None:
            if settled := await self._lookup.look_up(job, called_at):
                return settled
            since = job.unconfirmed_at if job.unconfirmed and job.unconfirmed_at else called_at
            job = replace(job, unconfirmed=True, unconfirmed_at=since)
        if hold_code in WAITS_FOR_OPERATOR and not await self._are_settings_fixed(job):
            return await self._failed_attempts.keep_held_for_settings(job, hold_code)
        if limited_for := job.remaining_limit:
            limited = RateLimited(detail="the network accepts nothing from this account yet", retry_after=limited_for)
            return outcome_or_raise(await self._failed_attempts.record(job, limited, DeliveryStep.publish, ()))
        if job.needs_staging and not job.staged:
            await self._stage_missing(job)
            job = await self.jobs.load(user_id, delivery_id)
            if job.state in ENDED:
                return ENDED[job.state]
        job = replace(job, attempt=attempt, pause=pause)
        return await self._call_at_slot(job, attempt, wait, shortly_before)

    async def _end_without_call(
        self, session: AsyncSession, delivery: Delivery, allowance: Allowance | None, planned_at: datetime | None
    ) -> DeliveryOutcome | None:
        """Return the outcome of a delivery that is held, moved or refused now, else None. Raises RetrySafe while its
        account waits for a new token."""
        if _network_hold_code(delivery) and delivery.retry_at and utcnow() < delivery.retry_at:
            # after a call the post may be published, so nothing refuses it any more
            refused = await self._settle_if_refused(session, delivery) if delivery.called_at is None else None
            return refused or DeliveryOutcome.held
        if delivery.called_at is not None:
            return None
        if planned_at and await PostRepository(session).planned_at(delivery.user_id, delivery.post_id) != planned_at:
            return DeliveryOutcome.moved
        if refused := await self._settle_if_refused(session, delivery):
            return refused
        ensure_not_renewing(delivery.account)
        return await _settle_if_over_limit(allowance, delivery, planned_at or utcnow()) if allowance else None

    async def _call_at_slot(
        self,
        job: Job,
        attempt: UUID,
        wait: Callable[[], Awaitable[None]],
        shortly_before: Callable[[], Awaitable[None]] | None,
    ) -> DeliveryOutcome:
        """Prepare the call, `wait` for the slot, set the fence, make the call. Raises as `deliver`."""
        with record_exchanges() as exchanges:
            try:
                if job.needs_staging and await job.network.ready(job.credentials, job.refs):
                    raise RetrySafe(detail=NOT_READY)
                if wait_for := await job.network.quota(job.credentials):
                    raise RateLimited(detail="the account has reached its publishing limit", retry_after=wait_for)
                prepared = job.network.prepare(job.credentials, job.post, job.refs)
            except ProviderError as error:
                return await self._outcome_after(error, job, exchanges, called=False)
        try:
            if shortly_before:
                await shortly_before()
                await prepared.open()
            await wait()
            # after a fence without a call, nobody would know that there was none
            return await _finish_despite_cancellation(self._fence_and_call(job, attempt, prepared))
        finally:
            await prepared.close()

    async def _fence_and_call(self, job: Job, attempt: UUID, prepared: Prepared) -> DeliveryOutcome:
        # no token: the account is disconnected
        if job.token_id is None or not await self._ledger.fence(
            FenceRequest(job.user_id, job.delivery_id, attempt, job.token_id)
        ):
            return await self._explain_refused_fence(job)
        if job.planned_at:
            late = utcnow() - job.planned_at
            observe_lateness(job.network.kind, late, attempts=job.attempts, was_held=job.was_held)
        return await self._call(job, prepared)

    async def has_run_ended(self, user_id: UUID, delivery_id: UUID) -> bool:
        """Return whether the receipt of this delivery was the last of its run, and has ended it."""
        async with self.sessions() as session:
            return await DeliveryRepository(session).has_run_ended(user_id, delivery_id)

    async def end_details(self, user_id: UUID, delivery_id: UUID) -> tuple[str, datetime | None, datetime | None]:
        """Return (error code or "", end of the hold, next attempt) of a delivery that was not published. The end is
        None unless it is held, the next attempt unless it is held for its network or for this server's settings."""
        async with self.sessions() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            held = delivery.state is DeliveryState.held
            again_at = delivery.retry_at if _network_hold_code(delivery) else None
            return delivery.error_code or "", delivery.held_until if held else None, again_at

    async def _are_settings_fixed(self, job: Job) -> bool:
        """Return whether to call again after an error of this server's settings. If all accounts of the network meet
        the same error, check it with one account, at most every few minutes."""
        if not job.at_fault:
            return True
        await self.faults.recheck(job.user_id, [job.account_id])
        return not await self.faults.has_network_fault(job.network.kind)

    async def _mark_run_publishing(self, session: AsyncSession, job: Job) -> None:
        """Set the run's state to publishing and notify browsers."""
        changed: list[tuple[UUID, LiveKind, UUID | None]] = []
        if job.run_id:
            await RunRepository(session).set_state(job.user_id, job.run_id, RunState.publishing)
            changed.append((job.user_id, LiveKind.run, job.run_id))
        changed.append((job.user_id, LiveKind.post, job.post_id))
        await notify_browsers_of_all(session, changed)

    async def _explain_refused_fence(self, job: Job) -> DeliveryOutcome:
        """Return the outcome of a delivery that must not go out any more. Raises RetrySafe if its account was
        reconnected meanwhile, Ambiguous if another attempt has taken over."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            mine = delivery.attempt == job.attempt and delivery.called_at is None
            if mine and (refused := await self._settle_if_refused(session, delivery)):
                await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
                return refused
            if mine and delivery.account.token_id != job.token_id:
                raise RetrySafe(detail="the account was reconnected")
        raise Ambiguous(detail="another attempt owns this delivery")

    async def _settle_if_refused(self, session: AsyncSession, delivery: Delivery) -> DeliveryOutcome | None:
        """Settle or hold the delivery if it must not go out now, and return that outcome. Asked before any work, and
        again when the fence was refused."""
        deadlines = DeadlineService(session, self.catch_up)
        late = await deadlines.lateness_code(delivery)
        if not await DeliveryRepository(session).is_approved(delivery.user_id, delivery.id):
            late = ErrorCode.approval_expired
        if delivery.account.disconnected_at is not None:
            state, code = DeliveryState.failed, ErrorCode.account_disconnected
        elif late in _TRIED_BUT_LATE:
            state, code = DeliveryState.failed, late
        elif late:
            state, code = DeliveryState.cancelled, late
        elif delivery.account.state is AccountState.needs_reconnecting:
            held = delivery.state is DeliveryState.held and not _network_hold_code(delivery) and delivery.error_code
            await deadlines.hold_for_account(delivery, held or ErrorCode.delivery_needs_reconnect)
            return ENDED[delivery.state]
        else:
            return None
        delivery.state, delivery.error_code, delivery.settled_at = state, code, utcnow()
        return SETTLED[state]

    async def _stage_missing(self, job: Job) -> None:
        """Stage what is not staged yet and wait until it may be used. Publishes nothing."""
        ready_in = await self.staging.stage(job.user_id, job.delivery_id, job.pause)
        if ready_in > timedelta(0):
            await asyncio.sleep(ready_in.total_seconds())

    async def _call(self, job: Job, prepared: Prepared) -> DeliveryOutcome:
        with record_exchanges() as exchanges, defer_usage() as usage:
            try:
                async with asyncio.timeout(job.call_timeout.total_seconds()):
                    receipt = await prepared.publish()
            except TimeoutError as late:
                error = Ambiguous(detail="no answer in time")
                await self._failed_attempts.record(job, error, DeliveryStep.publish, exchanges, usage)
                raise error from late
            except ProviderError as error:
                return await self._outcome_after(error, job, exchanges, usage)
        return await self._settle(job, receipt, exchanges, usage)

    async def _outcome_after(
        self,
        error: ProviderError,
        job: Job,
        exchanges: Sequence[dict[str, Any]],
        usage: Sequence[ReportedUsage] = (),
        *,
        called: bool = True,
    ) -> DeliveryOutcome:
        """Return the outcome of an attempt that the network refused, by its answer or, unless `called`, before the
        call. Raises as `deliver`."""
        finding: Finding | None
        try:
            finding = await self._look_up_unconfirmed(job, error)
        except ProviderError as unasked:
            if not called and isinstance(unasked, RetrySafe | RateLimited) and not isinstance(unasked, StagedLost):
                # this attempt has called nothing, so another one may ask again
                error, finding = unasked, None
            else:  # a person decides; another call could be one too many
                may_not_read = isinstance(unasked, NeedsReconnect) and not isinstance(unasked, TokenRefused)
                finding = Finding(unreadable=may_not_read)
        if finding is None or finding.absent:
            failure = await self._failed_attempts.record(job, error, DeliveryStep.publish, exchanges, usage)
            return outcome_or_raise(failure)
        if finding.receipt is None:
            return await self._lookup.mark_unknown(
                job,
                DeliveryStep.publish,
                exchanges,
                error.code,
                reason=ErrorCode.delivery_unreadable if finding.unreadable else ErrorCode.delivery_unknown,
                detail=error.detail,
                called=called,
                lost=isinstance(error, StagedLost),
            )
        return await self._settle(job, finding.receipt, exchanges, usage)

    async def _settle(
        self, job: Job, receipt: Receipt, exchanges: Sequence[dict[str, Any]], usage: Sequence[ReportedUsage]
    ) -> DeliveryOutcome:
        entry = job.log_entry(DeliveryStep.publish, DeliveryDecision.done, exchanges)
        await self._ledger.settle(Proof(job.user_id, job.delivery_id, receipt, entry, usage))
        if job.at_fault:
            await self.faults.clear_network_fault(job.network.kind)
        return DeliveryOutcome.published

    async def _look_up_unconfirmed(self, job: Job, error: ProviderError) -> Finding | None:
        """Ask the network for the post after a refusal, if an earlier call with the same content was never confirmed:
        that call may be the reason. Return None if the refusal stands on its own. Raise ProviderError if the network
        does not say."""
        if not job.unconfirmed or not isinstance(error, Refused | StagedLost):
            return None
        existing = error.params.get("urn") if error.code is ErrorCode.delivery_duplicate else None
        if isinstance(existing, str):
            receipt = await job.network.verify_duplicate(job.credentials, existing)
            return Finding(receipt, absent=receipt is None)
        if not job.network.traits.can_list_own:
            return None
        since = job.unconfirmed_at or utcnow() - _UNKNOWN_CALL_AGE
        return await job.network.find(job.credentials, job.post, job.refs, since=since)

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self.sessions, self.catch_up)

    @cached_property
    def _lookup(self) -> LookUpService:
        return LookUpService(self.sessions, self._ledger, self.catch_up)

    @cached_property
    def _failed_attempts(self) -> FailedAttempts:
        return FailedAttempts(self.sessions, self.catch_up)


def _network_hold_code(delivery: Delivery) -> ErrorCode | None:
    """Return why the delivery is held, if that is its network or this server's settings, not its account."""
    code = delivery.error_code if delivery.state is DeliveryState.held else None
    return ErrorCode(code) if code in WAITS_FOR_NETWORK else None


async def _settle_if_over_limit(allowance: Allowance, delivery: Delivery, at: datetime) -> DeliveryOutcome | None:
    """Fail the delivery if it exceeds the user's monthly limit of published posts. It can be tried again once the limit
    allows."""
    refusal = await allowance.post_refusal(at, delivery.post_id)
    if refusal is None:
        return None
    delivery.state, delivery.error_code, delivery.settled_at = DeliveryState.failed, refusal.code, utcnow()
    await allowance.tell(at)
    await notify_browsers(allowance.session, delivery.user_id, LiveKind.post, delivery.post_id)
    return DeliveryOutcome.failed


async def _finish_despite_cancellation(call: Coroutine[Any, Any, DeliveryOutcome]) -> DeliveryOutcome:
    """Wait for fence and call even if this task is cancelled: otherwise nobody would know their outcome."""
    calling = asyncio.ensure_future(call)
    while True:
        try:
            return await asyncio.shield(calling)
        except asyncio.CancelledError:
            if calling.done():
                raise
