"""Prepare a post at its network before its slot, without publishing anything."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Final
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import FailedAttempts, ensure_not_renewing
from core.deliveries.jobs import DeliveryJobs, Job, translate_file_errors
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import SETTLED
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, ProviderError, RateLimited, Refused, RetrySafe
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind, too_long_alts
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState

NOT_READY: Final = "the staged content is not ready"


_LOST_IMAGE_PAUSE: Final = timedelta(seconds=30)


def _retry_until_due(job: Job, error: ProviderError) -> ProviderError:
    """Return the error to record: a lost image may come back, such as while a backup is being restored, so it is final
    only at the post's time."""
    left = job.planned_at - utcnow() if job.planned_at else timedelta(0)
    if error.code is not ErrorCode.image_lost or left <= timedelta(0):
        return error
    return RetrySafe(error.code, detail=error.detail, retry_after=min(left, _LOST_IMAGE_PAUSE))


def _ensure_files_sent(job: Job) -> None:
    """Raises Refused if the network takes none of the post's files any more, since its server has changed its limits:
    the text alone is not what was approved."""
    if job.unsent_code:
        raise Refused(job.unsent_code)


def _ensure_alts_fit(job: Job) -> None:
    """Raises Refused if an image's description is longer than the network accepts. Posts planned before this rule
    existed were not checked when they were saved."""
    if job.post.article is None and job.limits.max_alt is not None:
        alts = [image.alt for image in job.post.images] + [job.post.video.alt if job.post.video else ""]
        for problem in too_long_alts(dict(enumerate(alts)), job.limits.max_alt):
            length, most = problem.params["length"], problem.params["limit"]
            raise Refused(problem.code, detail=f"the alt text has {length} characters, the maximum is {most}")


def _is_out_of_hands(delivery: Delivery) -> bool:
    """Return whether an upload that ends now must not be saved: another attempt has staged, called or settled the
    delivery meanwhile. A call with an unknown outcome is looked up by the ids that it was made with."""
    return delivery.called_at is not None or delivery.state in SETTLED or delivery.is_staged


def _ready_in(delivery: Delivery) -> timedelta:
    return max(timedelta(0), delivery.staged_ready_at - utcnow()) if delivery.staged_ready_at else timedelta(0)


@dataclass(frozen=True)
class StagingService:
    sessions: Sessions
    jobs: DeliveryJobs
    catch_up: timedelta
    worker_id: UUID
    """Id of this worker process."""

    async def stage(self, user_id: UUID, delivery_id: UUID, pause: timedelta | None = None) -> timedelta:
        """Upload or create at the network whatever publishes nothing. Return how long the network needs before the
        publishing call. Staged content is found again by its hash. An error is retried `pause` later unless it names a
        time."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if delivery.state in SETTLED or delivery.called_at is not None:
                return timedelta(0)
            if delivery.is_staged:
                return _ready_in(delivery)
            if delivery.account.state is AccountState.needs_reconnecting:
                return timedelta(0)  # the delivering activity holds it
            if await DeadlineService(session, self.catch_up).lateness_code(delivery):
                return timedelta(0)  # as above
            ensure_not_renewing(delivery.account)
            if delivery.state is DeliveryState.held and delivery.retry_at and utcnow() < delivery.retry_at:
                return timedelta(0)  # no call before `retry_at`; the delivering activity waits for it
            limited_until = delivery.account.limited_until
            if limited_until and utcnow() < limited_until and delivery.state is not DeliveryState.publishing:
                planned_at = await PostRepository(session).planned_at(user_id, delivery.post_id)
                if planned_at is None or limited_until >= planned_at:
                    return timedelta(0)  # as above
                raise RateLimited(
                    detail="the network accepts nothing from this account yet", retry_after=limited_until - utcnow()
                )
            stages_post = channel(ChannelKind(delivery.channel)).traits.stages_post
            if not stages_post and not await PostRepository(session).has_files(user_id, delivery.post_id):
                return timedelta(0)
            delivery.worker_id = self.worker_id
        job = replace(await self.jobs.load(user_id, delivery_id), pause=pause)
        if not job.needs_staging:
            return timedelta(0)
        with record_exchanges() as exchanges:
            try:
                _ensure_files_sent(job)
                _ensure_alts_fit(job)
                with translate_file_errors():
                    job = replace(await self.jobs.load_with_files(user_id, delivery_id), pause=pause)
                staged = await job.network.stage(
                    job.credentials,
                    job.post,
                    had=job.partial_uploads,
                    keep=partial(self._save_ref, job, list(job.partial_uploads)),
                )
            except ProviderError as error:
                error = _retry_until_due(job, error)
                error = await self._failed_attempts.record(job, error, DeliveryStep.stage, exchanges)
                if error.retryable:
                    raise error
                return timedelta(0)  # final: the delivering activity finds it in the ledger
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(user_id, delivery_id)
            if _is_out_of_hands(delivery):
                return _ready_in(delivery)
            delivery.staged_refs = list(staged.refs)
            delivery.staged_hash = job.own_hash  # if the post was edited meanwhile, it is staged again
            delivery.staged_ready_at = utcnow() + staged.ready_in
            if delivery.state is not DeliveryState.publishing:  # an armed delivery stays with this worker
                delivery.worker_id = None
            delivery.error_code = delivery.error_detail = None
            if delivery.state is DeliveryState.retrying:
                delivery.state = DeliveryState.pending
            if exchanges:
                await DeliveryLogRepository(session).add(
                    [job.log_entry(DeliveryStep.stage, DeliveryDecision.done, exchanges)]
                )
        return staged.ready_in

    def reports_readiness(self, kind: str) -> bool:
        """Return whether `check_ready` has to be asked before delivering to this kind of network."""
        return bool(kind) and supports(channel(ChannelKind(kind)), BaseChannel.ready)

    async def check_ready(self, user_id: UUID, delivery_id: UUID, pause: timedelta | None = None) -> timedelta | None:
        """Return the time until the network has to be asked again whether the staged content may be used, or None if
        the delivery may go on; final errors are in the ledger then. Only reads, so it may be repeated. Raises RetrySafe
        and RateLimited, with `pause` as in `stage`."""
        job = replace(await self.jobs.load(user_id, delivery_id), pause=pause)
        if not supports(job.network, BaseChannel.ready) or job.state in SETTLED or not job.staged:
            return None  # the delivering activity stages what is missing
        if job.was_called or job.unconfirmed:
            return None  # the delivering activity looks it up; what is published may be gone from where it was staged
        with record_exchanges() as exchanges:
            try:
                again_in = await job.network.ready(job.credentials, job.refs)
                if again_in is None or not await self._is_late(job):
                    return again_in
                await self._failed_attempts.record(job, RetrySafe(detail=NOT_READY), DeliveryStep.ready, exchanges)
                return None  # the delivering activity fails it
            except ProviderError as error:
                error = await self._failed_attempts.record(job, error, DeliveryStep.ready, exchanges)
                if error.retryable:
                    raise error
                return None

    @cached_property
    def _failed_attempts(self) -> FailedAttempts:
        return FailedAttempts(self.sessions, self.catch_up)

    async def _save_ref(self, job: Job, saved: list[str], ref: str) -> None:
        """Save the id of a finished upload, so that the next attempt does not repeat it. `saved`: the ids that this
        attempt knows of; the new one is added. Raises RetrySafe if another attempt stages or has called meanwhile: the
        ids of the two would be mixed."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            earlier = delivery.staged_refs if delivery.staged_hash == job.own_hash else []
            if _is_out_of_hands(delivery) or earlier != saved:
                raise RetrySafe(detail="another attempt has staged this delivery meanwhile")
            saved.append(ref)
            delivery.staged_refs, delivery.staged_hash = list(saved), job.own_hash
            delivery.staged_ready_at = None  # not before all are there

    async def _is_late(self, job: Job) -> bool:
        async with self.sessions() as session:
            delivery = await PostRepository(session).lock_delivery(job.user_id, job.delivery_id)
            return await DeadlineService(session, self.catch_up).lateness_code(delivery) is not None
