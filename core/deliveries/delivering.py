"""Exactly one effect on a network from a step that may run more than once.

The ledger is the delivery's row. Intent before the call, a fence right before it, a receipt after it. A call whose
outcome is unknown is never repeated before the network was asked what is there; where it cannot tell, a person
decides.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import FaultService
from core.assistants.rules.assistants import RunState
from core.billing.entitlements import Allowance, Allowing
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import FailedAttempts, ended, must_not_be_renewing
from core.deliveries.jobs import DeliveryJobs, Job
from core.deliveries.ledger import Ledger, Pass, Proof
from core.deliveries.lookup import LookingUpService
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
from core.networks.base import Finding, Prepared
from core.networks.rules.channels import AccountState
from core.networks.usage import put_off
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.repositories.runs import RunRepository

_TRIED_IN_TIME: Final = (
    ErrorCode.reconnected_too_late,
    ErrorCode.limited_too_long,
    ErrorCode.unavailable_too_long,
    ErrorCode.storage_unavailable,
    *WAITS_FOR_OPERATOR,
)
"""Why a delivery was too late though somebody tried it in time: it has failed, and may be tried again."""


_LONG_AGO: Final = timedelta(days=1)
"""What is looked through for a call whose time was not kept."""


@dataclass(frozen=True)
class DeliveringService:
    sessions: Sessions
    jobs: DeliveryJobs
    staging: StagingService
    faults: FaultService
    catch_up: timedelta
    allowing: Allowing
    worker_id: UUID
    """Of this process."""

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
        """Intent, `wait` for its time, fence, the one call, receipt. `shortly_before` waits for when to connect.

        Returns how it ended, final refusals included; `moved` where its post does not go out at `planned_at`, for
        which it would be armed. Raises RetrySafe, RateLimited or Ambiguous where another attempt has to follow, `pause`
        later if the error names no time; that attempt asks the network before it posts.
        """
        attempt = new_id()
        async with self.sessions.begin() as session:
            allowance = await self.allowing.hold(session, user_id, Limit.published_posts)
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            called_at, waited_for = delivery.called_at, _waits_for_network(delivery)
            if waited_for and delivery.retry_at and utcnow() < delivery.retry_at:
                # what was called for may be out, whatever has come since
                if called_at is None and (refused := await self._refused(session, delivery)):
                    return refused
                return DeliveryOutcome.held
            if called_at is None:
                if planned_at and await PostRepository(session).planned_at(user_id, delivery.post_id) != planned_at:
                    return DeliveryOutcome.moved
                if refused := await self._refused(session, delivery):
                    return refused
                must_not_be_renewing(delivery.account)
                if allowance and (refused := await _beyond(allowance, delivery, planned_at or utcnow())):
                    return refused
            job = replace(await self.jobs.read(session, delivery), pause=pause)
            still_calling = called_at + job.written_within - utcnow() if called_at else timedelta(0)
            if still_calling > timedelta(0):
                # the attempt that calls stays the current one: what comes of its call is its to write down
                delivery.state, delivery.retry_at = DeliveryState.retrying, utcnow() + still_calling
            else:
                delivery.state, delivery.attempt = DeliveryState.publishing, attempt
                delivery.worker_id = self.worker_id
                delivery.attempts += 1
                job = replace(job, state=delivery.state, attempt=attempt, attempts=delivery.attempts)
                await self._under_way(session, job)
        if still_calling > timedelta(0):
            raise Ambiguous(ErrorCode.ambiguous_outcome, retry_after=still_calling)
        if called_at is not None:
            if settled := await self._looking_up.find_out(job, called_at):
                return settled
            since = job.doubted_at if job.doubted and job.doubted_at else called_at
            job = replace(job, doubted=True, doubted_at=since)
        if waited_for in WAITS_FOR_OPERATOR and not await self._is_mended(job):
            return await self._failed.still_misconfigured(job, waited_for)
        if limited_for := job.limited_for:
            limited = RateLimited(detail="the network takes nothing from this account yet", retry_after=limited_for)
            return ended(await self._failed.note(job, limited, DeliveryStep.publish, ()))
        if job.stages and not job.staged:
            await self._stage_again(job)
            job = await self.jobs.of(user_id, delivery_id)
            if job.state in ENDED:
                return ENDED[job.state]
        job = replace(job, attempt=attempt, pause=pause)
        with record_exchanges() as heard:
            try:
                if job.stages and await job.network.ready(job.to, job.refs):
                    raise RetrySafe(detail=NOT_READY)
                if wait_for := await job.network.quota(job.to):
                    raise RateLimited(detail="the account has published as much as it may", retry_after=wait_for)
                prepared = job.network.prepare(job.to, job.post, job.refs)
            except ProviderError as error:
                return ended(await self._failed.note(job, error, DeliveryStep.publish, heard))
        try:
            if shortly_before:
                await shortly_before()
                await prepared.open()
            await wait()
            # without a token it is not connected any more
            if job.token_id is None or not await self._ledger.fence(Pass(user_id, delivery_id, attempt, job.token_id)):
                return await self._turned_away(job)
            return await _to_its_end(self._call(job, prepared))
        finally:
            await prepared.close()

    async def reason(self, user_id: UUID, delivery_id: UUID) -> tuple[str, datetime | None, datetime | None]:
        """Of a delivery that has ended otherwise than it should, its error code or nothing; if it is held, until when,
        and when its next attempt begins where it waits for no account."""
        async with self.sessions() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            held = delivery.state is DeliveryState.held
            again_at = delivery.retry_at if _waits_for_network(delivery) else None
            return delivery.error_code or "", delivery.held_until if held else None, again_at

    async def _is_mended(self, job: Job) -> bool:
        """Whether a call is worth making for what has met wrong settings of this server. Where all accounts of the
        network meet the same, one of them asks, some minutes after the last look."""
        if not job.at_fault:
            return True
        await self.faults.look(job.user_id, [job.account_id])
        return not await self.faults.stands(job.network.kind)

    async def _under_way(self, session: AsyncSession, job: Job) -> None:
        changed: list[tuple[UUID, LiveKind, UUID | None]] = []
        if job.run_id:
            await RunRepository(session).set_state(job.user_id, job.run_id, RunState.publishing)
            changed.append((job.user_id, LiveKind.run, job.run_id))
        changed.append((job.user_id, LiveKind.post, job.post_id))
        await notify_browsers_of_all(session, changed)

    async def _turned_away(self, job: Job) -> DeliveryOutcome:
        """The fence did not let it pass: it must not go out any more, its account was connected anew meanwhile, or a
        newer attempt has taken over."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            mine = delivery.attempt == job.attempt and delivery.called_at is None
            if mine and (refused := await self._refused(session, delivery)):
                await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
                return refused
            if mine and delivery.account.token_id != job.token_id:
                raise RetrySafe(detail="the account was connected anew")
        raise Ambiguous(detail="another attempt owns this delivery")

    async def _refused(self, session: AsyncSession, delivery: Delivery) -> DeliveryOutcome | None:
        """Settle what must not go out any more: asked before anything is done for it, and by the fence once more."""
        deadlines = DeadlineService(session, self.catch_up)
        late = await deadlines.late(delivery)
        if not await DeliveryRepository(session).is_approved(delivery.user_id, delivery.id):
            late = ErrorCode.approval_expired
        if delivery.account.disconnected_at is not None:
            state, code = DeliveryState.failed, ErrorCode.account_disconnected
        elif late in _TRIED_IN_TIME:
            state, code = DeliveryState.failed, late
        elif late:
            state, code = DeliveryState.cancelled, late
        elif delivery.account.state is AccountState.needs_reconnecting:
            held = delivery.state is DeliveryState.held and not _waits_for_network(delivery) and delivery.error_code
            await deadlines.hold(delivery, held or ErrorCode.delivery_needs_reconnect)
            return ENDED[delivery.state]
        else:
            return None
        delivery.state, delivery.error_code, delivery.settled_at = state, code, utcnow()
        return SETTLED[state]

    async def _stage_again(self, job: Job) -> None:
        """What staging left missing; harmless, and before the fence."""
        ready_in = await self.staging.stage(job.user_id, job.delivery_id, job.pause)
        if ready_in > timedelta(0):
            await asyncio.sleep(ready_in.total_seconds())

    async def _call(self, job: Job, prepared: Prepared) -> DeliveryOutcome:
        with record_exchanges() as heard, put_off() as told:
            try:
                async with asyncio.timeout(job.call_within.total_seconds()):
                    receipt = await prepared.publish()
            except TimeoutError as late:
                error = Ambiguous(detail="no answer in time")
                await self._failed.note(job, error, DeliveryStep.publish, heard, told)
                raise error from late
            except ProviderError as error:
                finding = await self._looked_into(job, error)
                if finding is None or finding.absent:
                    noted = await self._failed.note(job, error, DeliveryStep.publish, heard, told)
                    if noted.retryable:
                        raise noted from error
                    return ended(noted)
                if finding.receipt is None:
                    return await self._looking_up.leave_to_person(
                        job,
                        DeliveryStep.publish,
                        heard,
                        error.code,
                        could_be_read=not finding.unreadable,
                        detail=error.detail,
                    )
                receipt = finding.receipt
        entry = job.entry(DeliveryStep.publish, DeliveryDecision.done, heard)
        await self._ledger.settle(Proof(job.user_id, job.delivery_id, receipt, entry, told))
        if job.at_fault:
            await self.faults.works(job.network.kind)
        return DeliveryOutcome.published

    async def _looked_into(self, job: Job, error: ProviderError) -> Finding | None:
        """What is there, where an unproved call of this delivery had sent the same: the network may refuse the repeat
        because that call worked. None: the error stands for itself."""
        if not job.doubted or not isinstance(error, Refused | StagedLost):
            return None
        named = error.params.get("urn") if error.code is ErrorCode.delivery_duplicate else None
        try:
            if isinstance(named, str):
                receipt = await job.network.verify_duplicate(job.to, named)
                return Finding(receipt, absent=receipt is None)
            if not job.network.traits.can_list_own:
                return None
            since = job.doubted_at or utcnow() - _LONG_AGO
            return await job.network.find(job.to, job.post, job.refs, since=since)
        except ProviderError as unasked:
            # the refusal says enough for a person, and another call might be one too many
            may_not_read = isinstance(unasked, NeedsReconnect) and not isinstance(unasked, TokenRefused)
            return Finding(unreadable=may_not_read)

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self.sessions, self.catch_up)

    @cached_property
    def _looking_up(self) -> LookingUpService:
        return LookingUpService(self.sessions, self._ledger, self.catch_up)

    @cached_property
    def _failed(self) -> FailedAttempts:
        return FailedAttempts(self.sessions, self.catch_up)


def _waits_for_network(delivery: Delivery) -> ErrorCode | None:
    """Why it is held, where that is not its account."""
    code = delivery.error_code if delivery.state is DeliveryState.held else None
    return ErrorCode(code) if code in WAITS_FOR_NETWORK else None


async def _beyond(allowance: Allowance, delivery: Delivery, at: datetime) -> DeliveryOutcome | None:
    """Settle what would be more than its user may publish in that month: failed, so that it can be tried again once
    they may."""
    refusal = await allowance.post_refusal(at, delivery.post_id)
    if refusal is None:
        return None
    delivery.state, delivery.error_code, delivery.settled_at = DeliveryState.failed, refusal.code, utcnow()
    await allowance.tell(at)
    await notify_browsers(allowance.session, delivery.user_id, LiveKind.post, delivery.post_id)
    return DeliveryOutcome.failed


async def _to_its_end(call: Coroutine[Any, Any, DeliveryOutcome]) -> DeliveryOutcome:
    """A call that is on its way is waited for: stopping in its middle would leave nobody who knows its answer."""
    calling = asyncio.ensure_future(call)
    while True:
        try:
            return await asyncio.shield(calling)
        except asyncio.CancelledError:
            if calling.done():
                raise
