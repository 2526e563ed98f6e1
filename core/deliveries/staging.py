"""What is done at a network before a post's time, and publishes nothing."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Final
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions
from core.deliveries.deadlines import DeadlineService
from core.deliveries.failed_attempts import FailedAttempts, must_not_be_renewing
from core.deliveries.jobs import DeliveryJobs, Job, reading_images
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.deliveries import SETTLED
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.errors import ProviderError, RateLimited, Refused, RetrySafe
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind, too_long_alts
from core.outgoing.exchanges import record_exchanges
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState

NOT_READY: Final = "what was staged is not ready"


def _must_fit(job: Job) -> None:
    """Raise Refused where the description of an image is longer than the network takes, which would cut or refuse it.
    Posts that were planned before there was this rule have not been held against it."""
    if job.post.article is None and job.limits.max_alt is not None:
        for problem in too_long_alts([image.alt for image in job.post.images], job.limits.max_alt):
            found, most = problem.params["length"], problem.params["limit"]
            raise Refused(problem.code, detail=f"{found} characters, {most} are taken")


@dataclass(frozen=True)
class StagingService:
    sessions: Sessions
    jobs: DeliveryJobs
    catch_up: timedelta
    worker_id: UUID
    """Of this process."""

    async def stage(self, user_id: UUID, delivery_id: UUID, pause: timedelta | None = None) -> timedelta:
        """Do at the network what publishes nothing. Returns how long the network still needs before the publishing
        call; staged content is found again by its hash. Where it raises, it is tried again `pause` later if the error
        names no time."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.state in SETTLED or delivery.called_at is not None:
                return timedelta(0)
            if delivery.staged_hash == (delivery.own_hash or delivery.content_hash) and delivery.staged_ready_at:
                return max(timedelta(0), delivery.staged_ready_at - utcnow())
            if delivery.account.state is AccountState.needs_reconnecting:
                return timedelta(0)  # the delivering step holds it
            if await DeadlineService(session, self.catch_up).late(delivery):
                return timedelta(0)  # as above
            must_not_be_renewing(delivery.account)
            if delivery.state is DeliveryState.held and delivery.retry_at and utcnow() < delivery.retry_at:
                return timedelta(0)  # nothing is asked before, and the delivering step waits for it
            limited_until = delivery.account.limited_until
            if limited_until and utcnow() < limited_until and delivery.state is not DeliveryState.publishing:
                planned_at = await PostRepository(session).planned_at(user_id, delivery.post_id)
                if planned_at is None or limited_until >= planned_at:
                    return timedelta(0)  # as above
                raise RateLimited(
                    detail="the network takes nothing from this account yet", retry_after=limited_until - utcnow()
                )
            whole = channel(ChannelKind(delivery.channel)).traits.stages_post
            if not whole and not await PostRepository(session).has_files(user_id, delivery.post_id):
                return timedelta(0)
            delivery.worker_id = self.worker_id
        job = replace(await self.jobs.of(user_id, delivery_id), pause=pause)
        if not job.stages:
            return timedelta(0)
        with record_exchanges() as heard:
            try:
                _must_fit(job)
                with reading_images():
                    job = replace(await self.jobs.with_images(user_id, delivery_id), pause=pause)
                staged = await job.network.stage(
                    job.to, job.post, had=job.half_staged, keep=partial(self._keep_ref, job)
                )
            except ProviderError as error:
                error = await self._failed.note(job, error, DeliveryStep.stage, heard)
                if error.retryable:
                    raise error
                return timedelta(0)  # final: the ledger has it, the delivering step will find it
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            delivery.staged_refs = list(staged.refs)
            delivery.staged_hash = job.own_hash  # edited meanwhile, it is staged once more
            delivery.staged_ready_at = utcnow() + staged.ready_in
            delivery.worker_id = None
            delivery.error_code = delivery.error_detail = None
            if delivery.state is DeliveryState.retrying:
                delivery.state = DeliveryState.pending
            if heard:
                await DeliveryLogRepository(session).add([job.entry(DeliveryStep.stage, DeliveryDecision.done, heard)])
        return staged.ready_in

    def asks_ready(self, kind: str) -> bool:
        """Whether `ready` is to be asked before it is delivered there."""
        return bool(kind) and supports(channel(ChannelKind(kind)), BaseChannel.ready)

    async def ready(self, user_id: UUID, delivery_id: UUID, pause: timedelta | None = None) -> timedelta | None:
        """How long until the network is to be asked again whether what was staged may be used; None: deliver it. What
        is final is in the ledger then. Only reads at the network, so it may be repeated freely; raises RetrySafe and
        RateLimited, with `pause` as above."""
        job = replace(await self.jobs.of(user_id, delivery_id), pause=pause)
        if not supports(job.network, BaseChannel.ready) or job.state in SETTLED or not job.staged:
            return None  # the delivering step stages what is missing
        with record_exchanges() as heard:
            try:
                again_in = await job.network.ready(job.to, job.refs)
                if again_in is None or not await self._is_late(job):
                    return again_in
                await self._failed.note(job, RetrySafe(detail=NOT_READY), DeliveryStep.ready, heard)
                return None  # the delivering step says so
            except ProviderError as error:
                error = await self._failed.note(job, error, DeliveryStep.ready, heard)
                if error.retryable:
                    raise error
                return None

    @cached_property
    def _failed(self) -> FailedAttempts:
        return FailedAttempts(self.sessions, self.catch_up)

    async def _keep_ref(self, job: Job, ref: str) -> None:
        """An upload that got through is not made again by the next attempt."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            earlier = delivery.staged_refs if delivery.staged_hash == job.own_hash else []
            delivery.staged_refs, delivery.staged_hash = [*earlier, ref], job.own_hash
            delivery.staged_ready_at = None  # not before all are there

    async def _is_late(self, job: Job) -> bool:
        async with self.sessions() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            return await DeadlineService(session, self.catch_up).late(delivery) is not None
