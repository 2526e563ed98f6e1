"""After a call whose outcome nobody knows: the network is asked what is there."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.ai.provider_faults import note_network
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import unless_renewed
from core.deliveries.jobs import Job
from core.deliveries.ledger import Ledger, Proof
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import SETTLED, DeliveryOutcome
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.errors import ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, RetrySafe
from core.live import LiveKind
from core.networks.base import Finding, Guessed
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import tell_how_it_ended, tell_that_it_waits

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LookingUpService:
    sessions: Sessions
    ledger: Ledger
    catch_up: timedelta

    async def find_out(self, job: Job, called_at: datetime) -> DeliveryOutcome | None:
        """What an earlier attempt has done, which has called, and whose call is over. None: proof that nothing is
        there, go on. Raises RetrySafe or RateLimited where it is to be asked later."""
        code: ErrorCode | None = None
        with record_exchanges() as heard:
            try:
                finding: Finding = await job.network.find(job.to, job.post, job.refs, since=called_at)
            except RateLimited as error:
                if error.retry_after is None or await self._waits_in_its_step(job, error.retry_after):
                    await self._ask_again(job, error, heard)
                    raise
                if await self._held_for_network(job, error, heard, error.retry_after):
                    return DeliveryOutcome.held
                finding, code = Finding(), error.code
            except RetrySafe as error:
                await self._ask_again(job, error, heard)
                raise  # asking has no effect: ask again later
            except Misconfigured as error:
                if await self._held_for_network(job, error, heard):
                    return DeliveryOutcome.held
                finding, code = Finding(), error.code
            except NeedsReconnect as error:
                async with self.sessions.begin() as session:
                    delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
                    comes_to = await unless_renewed(session, job, delivery.account, error)
                if comes_to.retryable:
                    await self._ask_again(job, comes_to, heard)
                    raise comes_to from error
                if await self._held(job, error, heard):
                    return DeliveryOutcome.held
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
            except ProviderError as error:
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
        if finding.receipt:
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.done, heard)
            await self.ledger.settle(Proof(job.user_id, job.delivery_id, finding.receipt, entry))
            return DeliveryOutcome.published
        if not finding.absent:
            return await self.leave_to_person(
                job, DeliveryStep.look_up, heard, code, could_be_read=not finding.unreadable
            )
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.absent, heard, code)
            await DeliveryLogRepository(session).add([entry])
            if not job.doubted or delivery.doubted_at is None:
                delivery.doubted_at = called_at
            delivery.called_at, delivery.doubted_hash = None, job.own_hash
        return None

    async def leave_to_person(
        self,
        job: Job,
        step: DeliveryStep,
        heard: Sequence[dict[str, Any]],
        code: ErrorCode | None,
        *,
        could_be_read: bool,
        detail: str = "",
    ) -> DeliveryOutcome:
        """Nobody knows whether it is there, and a person decides. Its fence stands: nothing calls before that.
        `could_be_read`: False where the account may post, but not read."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.state in SETTLED:
                return SETTLED[delivery.state]
            await DeliveryLogRepository(session).add([job.entry(step, DeliveryDecision.unknown, heard, code)])
            delivery.state = DeliveryState.unknown
            delivery.error_code = ErrorCode.delivery_unknown if could_be_read else ErrorCode.delivery_unreadable
            delivery.error_detail = detail or delivery.error_detail
            post, _ = await PostRepository(session).get(job.user_id, job.post_id, deleted=True)
            await tell_how_it_ended(session, post)
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return DeliveryOutcome.unknown

    async def _held(self, job: Job, error: NeedsReconnect, heard: Sequence[dict[str, Any]]) -> bool:
        """What an earlier call has done can be asked once its account is connected again, so a person is not asked
        before that, as long as it may wait. Its fence stands."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            until = await DeadlineService(session, self.catch_up).waits_until(delivery)
            if delivery.state in SETTLED or delivery.account.disconnected_at is not None or until is None:
                return False
            delivery.state, delivery.held_until = DeliveryState.held, until
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.held, heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return True

    async def _waits_in_its_step(self, job: Job, pause: timedelta) -> bool:
        async with self.sessions() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            return await DeadlineService(session, self.catch_up).waits_in_its_step(delivery, pause)

    async def _held_for_network(
        self, job: Job, error: ProviderError, heard: Sequence[dict[str, Any]], pause: timedelta | None = None
    ) -> bool:
        """As `_held`, for the next question `pause` from now; without one until this server's settings are mended.
        False where that would be after its day."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            deadlines = DeadlineService(session, self.catch_up)
            until = await deadlines.waits_for_network_until(delivery)
            is_named = pause is not None and not isinstance(pause, Guessed)
            if delivery.state in SETTLED or until is None or (pause and is_named and utcnow() + pause >= until):
                return False
            if isinstance(error, Misconfigured) and not delivery.account.base_url:
                await note_network(session, job.network.kind, error)
            if pause is None:
                pause = await deadlines.pause_for_operator(delivery)
            elif isinstance(pause, Guessed):
                pause = await deadlines.guessed_pause(delivery, pause)
            await deadlines.hold_for_network(delivery, error.code, pause, is_guess=True)
            delivery.error_detail = error.detail or None
            await tell_that_it_waits(session, delivery)
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.held, heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return True

    async def _ask_again(self, job: Job, error: ProviderError, heard: Sequence[dict[str, Any]]) -> None:
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.state not in SETTLED and delivery.attempt == job.attempt:
                delivery.state, delivery.retry_at = DeliveryState.retrying, job.again_at(error)
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.again, heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
