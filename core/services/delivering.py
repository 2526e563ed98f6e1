"""Exactly one effect on a network from a step that may run more than once.

The ledger is the delivery's row. Intent before the call, a fence right before it, a receipt after it. A call whose
outcome is unknown is never repeated before the network was asked what is there; where it cannot tell, a person
decides.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.domain.assistants import RunState
from core.domain.channels import AccountState, ChannelKind, ChannelLimits
from core.domain.delivery_log import DeliveryDecision, DeliveryStep, Entry
from core.domain.errors import (
    Ambiguous,
    Conflict,
    ErrorCode,
    FieldError,
    InvalidInput,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
)
from core.domain.failures import with_failure
from core.domain.faults import network_subject
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.notifications import NotificationKind
from core.domain.posts import WAITS_FOR_PERSON, CommentState, DeliveryState, PostStatus, RemovalState
from core.domain.subscriptions import Limit
from core.models import Account, Delivery, MediaSource, PostFile
from core.providers.channels import channel
from core.providers.channels.base import Channel, Credentials, Finding, Image, Outgoing, Prepared, Receipt, limits_of
from core.providers.exchanges import listening
from core.repositories.deliveries import DeliveryRepository
from core.repositories.delivery_log import DeliveryLogRepository
from core.repositories.lateness import LatenessRepository
from core.repositories.posts import PostRepository
from core.repositories.provider_faults import FaultRepository
from core.repositories.runs import RunRepository
from core.services.allowing import Allowance, Allowing
from core.services.connecting import RENEWED_WITHIN, ConnectingService, access_refused, renewing
from core.services.faults import FaultService, note_network
from core.services.ledger import Ledger, Pass, Proof
from core.services.media import MediaService
from core.services.notifying import About, NotifyingService
from core.services.outcomes import follow_deliveries, tell_how_it_ended

logger = logging.getLogger(__name__)

_FEW_TIMES = {ErrorCode.staging_lost: 3, ErrorCode.media_unreachable: 3, ErrorCode.delivery_refused: 1}
"""Of what may pass, but not for hours: how often it is tried again."""

_NOT_TAKEN = (
    ErrorCode.provider_unavailable,
    ErrorCode.ambiguous_outcome,
    ErrorCode.staging_lost,
    ErrorCode.media_unreachable,
    ErrorCode.access_renewing,
)
"""What keeps a delivery waiting for its network, not for us."""

# beyond the time that a network's client gives its own call
_MARGIN = timedelta(seconds=2)
_NOT_READY = "what was staged is not ready"


class DeliveryOutcome(StrEnum):
    """How a delivery ended for now."""

    published = "published"
    failed = "failed"
    unknown = "unknown"
    missed = "missed"
    moved = "moved"
    """Not yet: it goes out at another time than it was armed for."""
    held = "held"
    """Not yet: it waits for its account to be connected again."""

    @property
    def went_well(self) -> bool:
        """There is no reason to tell."""
        return self in (DeliveryOutcome.published, DeliveryOutcome.moved)


_SETTLED = {
    DeliveryState.published: DeliveryOutcome.published,
    DeliveryState.failed: DeliveryOutcome.failed,
    DeliveryState.unknown: DeliveryOutcome.unknown,
    DeliveryState.cancelled: DeliveryOutcome.missed,
}


_ENDED = _SETTLED | {DeliveryState.held: DeliveryOutcome.held}
"""How an attempt can end."""


_BY_CLOCK = (ErrorCode.missed_outage, ErrorCode.reconnected_too_late)
"""By the clock, and for nothing that came after it."""
_OF_THE_NETWORK = (
    ErrorCode.reconnected_too_late,
    ErrorCode.limited_too_long,
    ErrorCode.unavailable_too_long,
)
"""Why it was too late through no fault of ours: it failed, and may be tried again."""


_DECIDED = (DeliveryState.published, DeliveryState.failed)
"""How a person decides."""


@dataclass(frozen=True)
class _Job:
    """What one attempt needs, read in one transaction."""

    delivery_id: UUID
    user_id: UUID
    post_id: UUID
    run_id: UUID | None
    network: Channel
    limits: ChannelLimits
    to: Credentials
    token_id: UUID | None
    post: Outgoing
    files: tuple[PostFile, ...]
    refs: tuple[str, ...]
    staged: bool
    state: DeliveryState
    attempt: UUID | None
    attempts: int
    doubted: bool = False
    """Whether an earlier call with this very content may have worked, though nothing proved it."""
    at_fault: bool = False
    """Whether the network is believed not to work: a post that is made is tried all the same, and proves it."""

    @property
    def half_staged(self) -> tuple[str, ...]:
        """What an attempt uploaded that did not get through."""
        return () if self.staged else self.refs

    def entry(
        self,
        step: DeliveryStep,
        decision: DeliveryDecision,
        heard: Sequence[dict[str, Any]],
        code: ErrorCode | None = None,
    ) -> Entry:
        """A step of it that is over now."""
        return Entry(self.user_id, self.delivery_id, utcnow(), self.attempts, step, decision, code, heard)

    @property
    def stages(self) -> bool:
        """Whether there is anything to be done before it is published."""
        return bool(self.post.images) or self.network.traits.stages_post


@dataclass(frozen=True)
class DeliveringService:
    sessions: Sessions
    connecting: ConnectingService
    media: MediaService
    faults: FaultService
    catch_up: timedelta
    allowing: Allowing

    async def stage(self, user_id: UUID, delivery_id: UUID) -> timedelta:
        """Do at the network what publishes nothing. Returns how long the network still needs before the publishing
        call; staged content is found again by its hash."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.state in _SETTLED or delivery.called_at is not None:
                return timedelta(0)
            if delivery.staged_hash == delivery.content_hash and delivery.staged_ready_at:
                return max(timedelta(0), delivery.staged_ready_at - utcnow())
            if delivery.account.state is AccountState.needs_reconnecting:
                return timedelta(0)  # the delivering step holds it
            if await self._late(session, delivery):
                return timedelta(0)  # as above
            _must_not_be_renewing(delivery.account)
            whole = channel(ChannelKind(delivery.channel)).traits.stages_post
            if not whole and not await PostRepository(session).has_files(user_id, delivery.post_id):
                return timedelta(0)
        job = await self._job(user_id, delivery_id, with_data=True)
        if not job.stages:
            return timedelta(0)
        with listening() as heard:
            try:
                staged = await job.network.stage(
                    job.to, job.post, had=job.half_staged, keep=partial(self._keep_ref, job)
                )
            except ProviderError as error:
                error = await self._failed_attempt(job, error, DeliveryStep.stage, heard)
                if error.retryable:
                    raise error
                return timedelta(0)  # final: the ledger has it, the delivering step will find it
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            delivery.staged_refs = list(staged.refs)
            delivery.staged_hash = delivery.content_hash
            delivery.staged_ready_at = utcnow() + staged.ready_in
            delivery.error_code = delivery.error_detail = None
            if delivery.state is DeliveryState.retrying:
                delivery.state = DeliveryState.pending
            if heard:
                await DeliveryLogRepository(session).add([job.entry(DeliveryStep.stage, DeliveryDecision.done, heard)])
        return staged.ready_in

    def asks_ready(self, kind: str) -> bool:
        """Whether `ready` is to be asked before it is delivered there."""
        return bool(kind) and channel(ChannelKind(kind)).traits.tells_ready

    async def ready(self, user_id: UUID, delivery_id: UUID) -> timedelta | None:
        """How long until the network is to be asked again whether what was staged may be used; None: deliver it. What
        is final is in the ledger then. Only reads at the network, so it may be repeated freely; raises RetrySafe and
        RateLimited."""
        job = await self._job(user_id, delivery_id)
        if not job.network.traits.tells_ready or job.state in _SETTLED or not job.staged:
            return None  # the delivering step stages what is missing
        with listening() as heard:
            try:
                again_in = await job.network.ready(job.to, job.refs)
                if again_in is None or not await self._is_late(job):
                    return again_in
                await self._failed_attempt(job, RetrySafe(detail=_NOT_READY), DeliveryStep.ready, heard)
                return None  # the delivering step says so
            except ProviderError as error:
                error = await self._failed_attempt(job, error, DeliveryStep.ready, heard)
                if error.retryable:
                    raise error
                return None

    async def _keep_ref(self, job: _Job, ref: str) -> None:
        """An upload that got through is not made again by the next attempt."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            earlier = delivery.staged_refs if delivery.staged_hash == delivery.content_hash else []
            delivery.staged_refs, delivery.staged_hash = [*earlier, ref], delivery.content_hash
            delivery.staged_ready_at = None  # not before all are there

    async def deliver(
        self,
        user_id: UUID,
        delivery_id: UUID,
        *,
        wait: Callable[[], Awaitable[None]],
        shortly_before: Callable[[], Awaitable[None]] | None = None,
        planned_at: datetime | None = None,
    ) -> DeliveryOutcome:
        """Intent, `wait` for its time, fence, the one call, receipt. `shortly_before` waits for when to connect.

        Returns how it ended, final refusals included; `moved` where its post does not go out at `planned_at`, for
        which it would be armed. Raises RetrySafe, RateLimited or Ambiguous where another
        attempt has to follow; that attempt asks the network before it posts.
        """
        attempt = new_id()
        async with self.sessions.begin() as session:
            allowance = await self.allowing.hold(session, user_id, Limit.published_posts)
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.state in _SETTLED:
                return _SETTLED[delivery.state]
            called_at = delivery.called_at
            if called_at is None:
                if planned_at and await PostRepository(session).planned_at(user_id, delivery.post_id) != planned_at:
                    return DeliveryOutcome.moved
                if refused := await self._refused(session, delivery):
                    return refused
                _must_not_be_renewing(delivery.account)
                if allowance and (refused := await _beyond(allowance, delivery, planned_at or utcnow())):
                    return refused
            delivery.state, delivery.attempt = DeliveryState.publishing, attempt
            delivery.attempts += 1
            job = await self._read(session, delivery)
            await self._under_way(session, job)
        if called_at is not None and (settled := await self._reconcile(job, called_at)):
            return settled
        if job.stages and not job.staged:
            await self._stage_again(job)
            job = await self._job(user_id, delivery_id)
            if job.state in _ENDED:
                return _ENDED[job.state]
        job = replace(job, attempt=attempt)
        with listening() as heard:
            try:
                if job.network.traits.tells_ready and job.stages and await job.network.ready(job.to, job.refs):
                    raise RetrySafe(detail=_NOT_READY)
                if job.network.traits.has_quota and (wait_for := await job.network.quota(job.to)):
                    raise RateLimited(detail="the account has published as much as it may", retry_after=wait_for)
                prepared = job.network.prepare(job.to, job.post, job.refs)
            except ProviderError as error:
                return _ended(await self._failed_attempt(job, error, DeliveryStep.publish, heard))
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

    async def reason(self, user_id: UUID, delivery_id: UUID) -> tuple[str, datetime | None]:
        """Of a delivery that has ended otherwise than it should, its error code or nothing, and until when it is held
        if it is."""
        async with self.sessions() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            held = delivery.state is DeliveryState.held
            return delivery.error_code or "", delivery.held_until if held else None

    async def decide(self, user_id: UUID, delivery_id: UUID, *, there: bool, address: str = "") -> None:
        """A person's answer for a delivery whose outcome the network could not tell, with the address at which they
        have found it. It is not that of which the network told us, so nothing is ever deleted by it.

        Raises Conflict (post_not_editable) unless it is unknown, InvalidInput (delivery_address_unusable).
        """
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.state is not DeliveryState.unknown:
                raise Conflict(ErrorCode.post_not_editable, state=delivery.state)
            if there and address:
                network, server = channel(ChannelKind(delivery.channel)), delivery.account.base_url
                delivery.permalink = network.permalink_in(address, server)
                if delivery.permalink is None:
                    raise InvalidInput(errors=[FieldError("address", ErrorCode.delivery_address_unusable)])
            delivery.state = DeliveryState.published if there else DeliveryState.failed
            delivery.decided_at = now = utcnow()
            delivery.settled_at = (delivery.called_at or now) if there else now
            delivery.error_code = None if there else ErrorCode.delivery_unknown
            await _without_comment(session, delivery, there=there)
            await session.flush()
            post = await follow_deliveries(session, user_id, delivery.post_id)
            if not there and post.status is PostStatus.failed:
                post.acknowledged_at = now  # whoever found out knows it
            await tell_how_it_ended(session, post)
            await notify_browsers(session, user_id, LiveKind.post, delivery.post_id)

    async def take_back(self, user_id: UUID, delivery_id: UUID) -> None:
        """What a person has decided is open again: nothing has left the house by it. Raises Conflict
        (post_not_editable) where nobody has decided, or it was sent again since."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(user_id, delivery_id)
            if delivery.decided_at is None or delivery.state not in _DECIDED:
                raise Conflict(ErrorCode.post_not_editable, state=delivery.state)
            delivery.state, delivery.error_code = DeliveryState.unknown, ErrorCode.delivery_unknown
            delivery.decided_at = delivery.settled_at = delivery.permalink = None
            delivery.comment = delivery.comment_error_code = None
            await session.flush()
            post = await follow_deliveries(session, user_id, delivery.post_id)
            post.acknowledged_at = None
            about = About(post_id=delivery.post_id)
            await NotifyingService(session).again(user_id, about, NotificationKind.post_unknown)
            await notify_browsers(session, user_id, LiveKind.post, delivery.post_id)

    async def acknowledge(self, user_id: UUID, post_id: UUID) -> None:
        """A person has seen that it failed, that it was kept for them, that a network did not delete it, or has no
        first comment of it, so it no longer waits for one. Raises Conflict otherwise."""
        async with self.sessions.begin() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
            kept = post.status is PostStatus.draft and post.approval is not None and post.approval.kept
            waits = any(
                one.removal is RemovalState.failed or one.comment in WAITS_FOR_PERSON for one in post.deliveries
            )
            if post.status is not PostStatus.failed and not kept and not waits:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            post.acknowledged_at = post.acknowledged_at or utcnow()
            kinds = (
                NotificationKind.post_failed,
                NotificationKind.approval_needed,
                NotificationKind.removal_failed,
                NotificationKind.comment_failed,
            )
            await NotifyingService(session).over(user_id, About(post_id=post_id), *kinds)
            await notify_browsers(session, user_id, LiveKind.post, post_id)

    async def _under_way(self, session: AsyncSession, job: _Job) -> None:
        changed: list[tuple[UUID, LiveKind, UUID | None]] = []
        if job.run_id:
            await RunRepository(session).set_state(job.user_id, job.run_id, RunState.publishing)
            changed.append((job.user_id, LiveKind.run, job.run_id))
        changed.append((job.user_id, LiveKind.post, job.post_id))
        await notify_browsers_of_all(session, changed)

    async def _turned_away(self, job: _Job) -> DeliveryOutcome:
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
        late = await self._late(session, delivery)
        if not await DeliveryRepository(session).is_approved(delivery.user_id, delivery.id):
            late = ErrorCode.approval_expired
        if delivery.account.disconnected_at is not None:
            state, code = DeliveryState.failed, ErrorCode.account_disconnected
        elif late in _OF_THE_NETWORK:
            state, code = DeliveryState.failed, late
        elif late:
            state, code = DeliveryState.cancelled, late
        elif delivery.account.state is AccountState.needs_reconnecting:
            held = delivery.state is DeliveryState.held and delivery.error_code
            await self._hold(session, delivery, held or ErrorCode.delivery_needs_reconnect)
            return _ENDED[delivery.state]
        else:
            return None
        delivery.state, delivery.error_code, delivery.settled_at = state, code, utcnow()
        return _SETTLED[state]

    async def _late(self, session: AsyncSession, delivery: Delivery) -> ErrorCode | None:
        """Why it must not go out any more, if so: by the clock, or for what came after it."""
        late = await LatenessRepository(session).of_post(delivery.user_id, delivery.post_id, self.catch_up)
        if late is ErrorCode.missed_outage and delivery.held_until is not None:
            late = None if await self._waits_until(session, delivery) else ErrorCode.reconnected_too_late
        if late in _BY_CLOCK and delivery.error_code == ErrorCode.rate_limited:
            return ErrorCode.limited_too_long
        if late in _BY_CLOCK and delivery.error_code in _NOT_TAKEN:  # neither we nor its account were away
            return ErrorCode.unavailable_too_long
        return late

    async def _is_late(self, job: _Job) -> bool:
        async with self.sessions() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            return await self._late(session, delivery) is not None

    async def _hold(self, session: AsyncSession, delivery: Delivery, code: str) -> None:
        """It waits for its account to be connected again, as long as it may still go out; else it has failed."""
        until = await self._waits_until(session, delivery)
        if until is None:
            code = ErrorCode.reconnected_too_late if delivery.held_until else code
            delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
        else:
            delivery.state, delivery.held_until = DeliveryState.held, until
        delivery.error_code = code

    async def _waits_until(self, session: AsyncSession, delivery: Delivery) -> datetime | None:
        return await LatenessRepository(session).held_until(delivery.user_id, delivery.post_id, self.catch_up)

    async def _ends_too_late(self, session: AsyncSession, delivery: Delivery, pause: timedelta | None) -> bool:
        """Whether a network's limit is over only when the delivery must not go out any more."""
        if pause is None or (delivery.held_until and utcnow() + pause < delivery.held_until):
            return False
        lateness = LatenessRepository(session)
        return await lateness.past_by_then(delivery.user_id, delivery.post_id, self.catch_up, pause)

    async def _job(self, user_id: UUID, delivery_id: UUID, *, with_data: bool = False) -> _Job:
        """`with_data`: the bytes of its images too, or where they are fetched, which only staging needs; a thousand may
        be armed at once."""
        async with self.sessions() as session:
            job = await self._read(session, await PostRepository(session).delivery(user_id, delivery_id))
        if not with_data:
            return job
        if job.network.traits.stages_by_url:
            images = [
                replace(image, fetch_url=await self.media.fetch_url(file.media, job.network.kind))
                for image, file in zip(job.post.images, job.files, strict=True)
            ]
            return replace(job, post=replace(job.post, images=tuple(images)))
        images = [
            replace(image, data=data, mime=mime)
            for image, file in zip(job.post.images, job.files, strict=True)
            for data, mime in [await self.media.read_for(file.media, job.limits)]
        ]
        return replace(job, post=replace(job.post, images=tuple(images)))

    async def _read(self, session: AsyncSession, delivery: Delivery) -> _Job:
        """As it stands in this transaction, without its images' bytes and addresses."""
        post = await PostRepository(session).with_files(delivery.user_id, delivery.post_id)
        kind = ChannelKind(delivery.channel)
        at_fault = bool(await FaultRepository(session).of([network_subject(kind)]))
        current = delivery.staged_hash == delivery.content_hash
        return _Job(
            delivery_id=delivery.id,
            user_id=delivery.user_id,
            post_id=post.id,
            run_id=post.run_id,
            network=channel(kind),
            limits=limits_of(channel(kind), delivery.account.server_limits),
            to=self.connecting.credentials(delivery.account),
            token_id=delivery.account.token_id,
            post=Outgoing(
                post.content if delivery.content is None else delivery.content,
                tuple(
                    Image(b"", file.media.mime, file.alt, by_model=file.media.source is MediaSource.ai)
                    for file in post.files
                ),
            ),
            files=tuple(post.files),
            refs=tuple(delivery.staged_refs) if current else (),
            staged=current and delivery.staged_ready_at is not None,
            state=delivery.state,
            attempt=delivery.attempt,
            attempts=delivery.attempts,
            doubted=delivery.doubted_hash == delivery.content_hash,
            at_fault=at_fault,
        )

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self.sessions, self.catch_up)

    async def _stage_again(self, job: _Job) -> None:
        """What staging left missing; harmless, and before the fence."""
        ready_in = await self.stage(job.user_id, job.delivery_id)
        if ready_in > timedelta(0):
            await asyncio.sleep(ready_in.total_seconds())

    async def _call(self, job: _Job, prepared: Prepared) -> DeliveryOutcome:
        with listening() as heard:
            try:
                async with asyncio.timeout((job.network.call_timeout + _MARGIN).total_seconds()):
                    receipt = await prepared.publish()
            except TimeoutError as late:
                error = Ambiguous(detail="no answer in time")
                await self._failed_attempt(job, error, DeliveryStep.publish, heard)
                raise error from late
            except ProviderError as error:
                repeated = await self._repeated(job, error)
                if isinstance(repeated, ProviderError):
                    repeated = await self._failed_attempt(job, repeated, DeliveryStep.publish, heard)
                    if repeated.retryable:
                        raise repeated from error
                    return _ended(repeated)
                receipt = repeated
        entry = job.entry(DeliveryStep.publish, DeliveryDecision.done, heard)
        await self._ledger.settle(Proof(job.user_id, job.delivery_id, receipt, entry))
        if job.at_fault:
            await self.faults.works(job.network.kind)
        return DeliveryOutcome.published

    async def _repeated(self, job: _Job, error: ProviderError) -> Receipt | ProviderError:
        """What the network named when it refused a repeat of what an unproved call of this delivery had sent: that call
        worked. Else the error, or why it could not be asked."""
        named = error.params.get("urn") if error.code is ErrorCode.delivery_duplicate else None
        if not job.doubted or not isinstance(named, str):
            return error
        try:
            return await job.network.named(job.to, named) or error
        except ProviderError as unasked:
            return unasked

    async def _failed_attempt(
        self, job: _Job, error: ProviderError, step: DeliveryStep, heard: Sequence[dict[str, Any]]
    ) -> ProviderError:
        """Write down what happened. Only an ambiguous outcome leaves the fence standing. Returns what it comes to: with
        a new token it may be tried again, where that can be had."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.attempt != job.attempt or delivery.state in _SETTLED:
                return error  # a newer attempt has taken over: its fence is not ours to touch
            if isinstance(error, NeedsReconnect):
                error = await self._unless_renewed(session, job, delivery.account, error)
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            delivery.failures = with_failure(delivery.failures, delivery.attempts, error.code, utcnow())
            # a person who tries it again after that would be refused for the same upload
            if isinstance(error, StagedLost) or error.code is ErrorCode.image_failed:
                delivery.staged_refs, delivery.staged_hash, delivery.staged_ready_at = [], None, None
            had = sum(one["code"] == error.code for one in delivery.failures)
            if had > _FEW_TIMES.get(error.code, had):
                error = Refused(error.code, detail=error.detail)
            if isinstance(error, RateLimited) and await self._ends_too_late(session, delivery, error.retry_after):
                error = Refused(ErrorCode.limited_too_long, detail=error.detail)
                delivery.error_code = error.code
            if not isinstance(error, Ambiguous):
                delivery.called_at = None
            if error.retryable:
                delivery.state = DeliveryState.retrying
            elif isinstance(error, NeedsReconnect):
                await self._hold(session, delivery, error.code)
                if delivery.state is DeliveryState.held:
                    error = _Held(error.code, detail=error.detail)
            else:
                delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
            if isinstance(error, Misconfigured):
                await note_network(session, job.network.kind, error)
            entry = job.entry(step, _decision(error, delivery), heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        logger.warning("delivery %s: %s", job.delivery_id, error.code)
        return error

    async def _unless_renewed(
        self, session: AsyncSession, job: _Job, account: Account, error: NeedsReconnect
    ) -> ProviderError:
        """What it comes to: nothing that lasts where another token has come meanwhile, or is being had."""
        if account.token_id != job.token_id:
            return RetrySafe(ErrorCode.access_renewing, detail=error.detail)
        if wait := await access_refused(session, account, error):
            return RetrySafe(ErrorCode.access_renewing, detail=error.detail, retry_after=wait)
        return error

    async def _reconcile(self, job: _Job, called_at: datetime) -> DeliveryOutcome | None:
        """An earlier attempt has called: find out what it did. None: proof that nothing is there, go on."""
        unsettled_until = called_at + job.network.call_timeout + 2 * _MARGIN
        if (left := unsettled_until - utcnow()) > timedelta(0):
            async with self.sessions.begin() as session:
                delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
                if delivery.state in _SETTLED:  # the earlier attempt has just had its answer
                    return _SETTLED[delivery.state]
                delivery.state = DeliveryState.retrying
            raise Ambiguous(ErrorCode.ambiguous_outcome, retry_after=left)
        code: ErrorCode | None = None
        with listening() as heard:
            try:
                finding: Finding = await job.network.find(job.to, job.post, job.refs, since=called_at)
            except (RetrySafe, RateLimited) as error:
                await self._keep(job.entry(DeliveryStep.look_up, DeliveryDecision.again, heard, error.code))
                raise  # asking has no effect: ask again later
            except NeedsReconnect as error:
                async with self.sessions.begin() as session:
                    delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
                    comes_to = await self._unless_renewed(session, job, delivery.account, error)
                if comes_to.retryable:
                    await self._keep(job.entry(DeliveryStep.look_up, DeliveryDecision.again, heard, comes_to.code))
                    raise comes_to from error
                if await self._held_unclear(job, error, heard):
                    return DeliveryOutcome.held
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
            except ProviderError as error:
                logger.warning("delivery %s could not be looked up: %s", job.delivery_id, error.code)
                finding, code = Finding(), error.code
        if finding.receipt:
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.done, heard)
            await self._ledger.settle(Proof(job.user_id, job.delivery_id, finding.receipt, entry))
            return DeliveryOutcome.published
        decision = DeliveryDecision.absent if finding.absent else DeliveryDecision.unknown
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            if delivery.state in _SETTLED:
                return _SETTLED[delivery.state]
            await DeliveryLogRepository(session).add([job.entry(DeliveryStep.look_up, decision, heard, code)])
            if finding.absent:
                delivery.called_at, delivery.doubted_hash = None, delivery.content_hash
                return None
            delivery.state = DeliveryState.unknown
            delivery.error_code = ErrorCode.delivery_unknown
            post, _ = await PostRepository(session).get(job.user_id, job.post_id, deleted=True)
            await tell_how_it_ended(session, post)
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return DeliveryOutcome.unknown

    async def _held_unclear(self, job: _Job, error: NeedsReconnect, heard: Sequence[dict[str, Any]]) -> bool:
        """What an earlier call has done can be asked once its account is connected again, so a person is not asked
        before that, as long as it may wait. Its fence stands."""
        async with self.sessions.begin() as session:
            delivery = await PostRepository(session).delivery(job.user_id, job.delivery_id)
            until = await self._waits_until(session, delivery)
            if delivery.state in _SETTLED or delivery.account.disconnected_at is not None or until is None:
                return False
            delivery.state, delivery.held_until = DeliveryState.held, until
            delivery.error_code, delivery.error_detail = error.code, error.detail or None
            entry = job.entry(DeliveryStep.look_up, DeliveryDecision.held, heard, error.code)
            await DeliveryLogRepository(session).add([entry])
            await notify_browsers(session, job.user_id, LiveKind.post, delivery.post_id)
        return True

    async def _keep(self, entry: Entry) -> None:
        async with self.sessions.begin() as session:
            await DeliveryLogRepository(session).add([entry])


class _Held(NeedsReconnect):
    """What it comes to where the delivery waits for its account."""


def _decision(error: ProviderError, delivery: Delivery) -> DeliveryDecision:
    if isinstance(error, Ambiguous):
        return DeliveryDecision.look_up
    if error.retryable:
        return DeliveryDecision.again
    return DeliveryDecision.held if delivery.state is DeliveryState.held else DeliveryDecision.failed


def _ended(error: ProviderError) -> DeliveryOutcome:
    """Raises the error where another attempt has to follow."""
    if error.retryable:
        raise error
    return DeliveryOutcome.held if isinstance(error, _Held) else DeliveryOutcome.failed


def _must_not_be_renewing(account: Account) -> None:
    """A call by a token that is known to be refused would be one more refusal. Raises RetrySafe."""
    if renewing(account):
        raise RetrySafe(ErrorCode.access_renewing, retry_after=RENEWED_WITHIN)


async def _without_comment(session: AsyncSession, delivery: Delivery, *, there: bool) -> None:
    """Nobody knows the id of what a person has found: no first comment can be put below it, which is said."""
    post = await PostRepository(session).with_files(delivery.user_id, delivery.post_id)
    if there and post.first_comment and channel(delivery.channel).traits.first_comment:
        delivery.comment, delivery.comment_error_code = CommentState.failed, ErrorCode.comment_not_possible


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
