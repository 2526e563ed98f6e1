"""What one step of a delivery works with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import network_subject
from core.articles.rules.articles import ArticleFields
from core.clock import utcnow
from core.database import Sessions
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep, Entry
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, InvalidInput, NotFound, ProviderError, Refused, RetrySafe, Unavailable
from core.media.pictures import MediaService
from core.media.tables import MediaSource
from core.networks.base import Article, BaseChannel, Credentials, Image, Outgoing, limits_of
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, ChannelLimits, with_link
from core.networks.rules.links import Link
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.social_accounts.connecting import ConnectingService
from core.texts.rules.markdown import html_of
from core.texts.rules.texts import is_blank, normal

# beyond the time that a network's client gives its own call
_MARGIN = timedelta(seconds=2)


@dataclass(frozen=True)
class Job:
    """What one attempt needs, read in one transaction."""

    delivery_id: UUID
    user_id: UUID
    post_id: UUID
    account_id: UUID
    run_id: UUID | None
    network: BaseChannel
    limits: ChannelLimits
    to: Credentials
    token_id: UUID | None
    post: Outgoing
    files: tuple[PostFile, ...]
    own_hash: str
    refs: tuple[str, ...]
    staged: bool
    state: DeliveryState
    attempt: UUID | None
    attempts: int
    doubted: bool = False
    """Whether an earlier call with this very content may have worked, though nothing proved it."""
    doubted_at: datetime | None = None
    """When the first of those calls was made; None also of one that was made before that was kept."""
    limited_until: datetime | None = None
    """Until then the network takes nothing from the account."""
    at_fault: bool = False
    """Whether the network is believed not to work: a post that is made is tried all the same, and proves it."""

    pause: timedelta | None = None
    """How long its step is waited with before it is repeated, where its error names no time of its own."""

    def again_at(self, error: ProviderError) -> datetime | None:
        """When its step is repeated after that error; None where nobody knows."""
        pause = self.pause if error.retry_after is None else error.retry_after
        return utcnow() + pause if pause is not None else None

    @property
    def limited_for(self) -> timedelta | None:
        """So long the network takes nothing from the account; None: it may be asked."""
        left = self.limited_until - utcnow() if self.limited_until else timedelta(0)
        return left if left > timedelta(0) else None

    @property
    def half_staged(self) -> tuple[str, ...]:
        """What an attempt uploaded that did not get through."""
        return () if self.staged else self.refs

    @property
    def stages(self) -> bool:
        """Whether there is anything to be done before it is published."""
        return bool(self.post.images) or self.network.traits.stages_post

    @property
    def call_within(self) -> timedelta:
        """How long the publishing call is waited for."""
        return self.network.call_timeout + _MARGIN

    @property
    def written_within(self) -> timedelta:
        """From the fence on: by then whoever called has written down what came of it, or has died."""
        return self.call_within + _MARGIN

    def entry(
        self,
        step: DeliveryStep,
        decision: DeliveryDecision,
        heard: Sequence[dict[str, Any]],
        code: ErrorCode | None = None,
    ) -> Entry:
        """A step of it that is over now."""
        return Entry(self.user_id, self.delivery_id, utcnow(), self.attempts, step, decision, code, heard)


@contextmanager
def reading_images() -> Iterator[None]:
    """Raise what keeps an image from being read as the failure of a step: RetrySafe (storage_unavailable), Refused
    (image_unreadable) where the image is gone from the storage or cannot be decoded."""
    try:
        yield
    except Unavailable as error:
        raise RetrySafe(error.code) from error
    except (NotFound, InvalidInput) as error:
        raise Refused(ErrorCode.image_unreadable, detail=str(error.code)) from error


@dataclass(frozen=True)
class DeliveryJobs:
    sessions: Sessions
    connecting: ConnectingService
    media: MediaService

    async def of(self, user_id: UUID, delivery_id: UUID) -> Job:
        """Without its images' bytes and addresses, which only staging needs: a thousand may be armed at once."""
        async with self.sessions() as session:
            return await self.read(session, await PostRepository(session).delivery(user_id, delivery_id))

    async def with_images(self, user_id: UUID, delivery_id: UUID) -> Job:
        """With the bytes of its images, or where the network finds them."""
        job = await self.of(user_id, delivery_id)
        if job.network.traits.stages_by_url:
            images = [
                replace(image, fetch_url=await self.media.fetch_url(file.media, job.network.kind))
                for image, file in zip(job.post.images, job.files, strict=True)
            ]
        else:
            images = [
                replace(image, data=data, mime=mime)
                for image, file in zip(job.post.images, job.files, strict=True)
                for data, mime in [await self.media.read_for(file.media, job.limits)]
            ]
        return replace(job, post=replace(job.post, images=tuple(images)))

    async def read(self, session: AsyncSession, delivery: Delivery) -> Job:
        """As it stands in this transaction, without its images' bytes and addresses."""
        post = await PostRepository(session).with_files(delivery.user_id, delivery.post_id)
        kind = ChannelKind(delivery.channel)
        network = channel(kind)
        at_fault = bool(await FaultRepository(session).of([network_subject(kind)]))
        own_hash = delivery.own_hash or delivery.content_hash
        current = delivery.staged_hash == own_hash
        limits = limits_of(network, delivery.account.server_limits)
        text = post.content if delivery.content is None else delivery.content
        text, card = with_link(text, Link.from_json(post.link), len(post.files), limits)
        return Job(
            delivery_id=delivery.id,
            user_id=delivery.user_id,
            post_id=post.id,
            account_id=delivery.account_id,
            run_id=post.run_id,
            network=network,
            limits=limits,
            to=self.connecting.credentials(delivery.account),
            token_id=delivery.account.token_id,
            post=Outgoing(
                text,
                tuple(
                    Image(
                        b"",
                        file.media.mime,
                        "" if is_blank(file.alt) else normal(file.alt),
                        by_model=file.media.source is MediaSource.ai,
                    )
                    for file in post.files
                ),
                link=card,
                article=_article(post),
                language=post.language,
            ),
            files=tuple(post.files),
            own_hash=own_hash,
            refs=tuple(delivery.staged_refs) if current else (),
            staged=current and delivery.staged_ready_at is not None,
            state=delivery.state,
            attempt=delivery.attempt,
            attempts=delivery.attempts,
            # what was called for before there was a hash of its own has its post's
            doubted=delivery.doubted_hash in (own_hash, delivery.content_hash),
            doubted_at=delivery.doubted_at,
            limited_until=delivery.account.limited_until,
            at_fault=at_fault,
        )


def _article(post: Post) -> Article | None:
    if post.article is None:
        return None
    told = ArticleFields.from_json(post.article)
    return Article(
        title=normal(told.title),
        slug=told.slug,
        summary=normal(told.summary),
        html=html_of(normal(post.content)),
        tags=tuple(map(normal, told.tags)),
        categories=told.categories,
        seo_title=normal(told.seo_title),
        seo_description=normal(told.seo_description),
        canonical_url=told.canonical_url,
        image_ids=tuple(file.media_id for file in post.files),
        featured=told.featured,
        language=post.language,
    )
