"""The data that one attempt at a delivery works with."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession
from structlog.contextvars import bind_contextvars

from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import network_subject
from core.articles.rules.articles import ArticleFields
from core.clock import utcnow
from core.database import Sessions
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep, Entry
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, InvalidInput, NotFound, ProviderError, Refused, RetrySafe, Unavailable
from core.media.pictures import MediaService
from core.media.rules.media import MediaKind, VideoFacts, default_title
from core.media.tables import Media, MediaSource
from core.networks.base import BaseChannel, limits_of
from core.networks.connections import Credentials
from core.networks.posts import Article, Document, Image, Outgoing, Video
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, ChannelLimits, with_link
from core.networks.rules.files import VideoLimits, unsent_problems
from core.networks.rules.links import Link
from core.posts.fitting import facts_of, sent_files
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.social_accounts.connecting import ConnectingService
from core.texts.rules.markdown import html_of
from core.texts.rules.texts import is_blank, normal

# added to the time-out of the network's own client
_MARGIN = timedelta(seconds=2)


@dataclass(frozen=True)
class Job:
    """Everything that one attempt needs, read in one transaction."""

    delivery_id: UUID
    user_id: UUID
    post_id: UUID
    account_id: UUID
    run_id: UUID | None
    network: BaseChannel
    limits: ChannelLimits
    credentials: Credentials
    token_id: UUID | None
    post: Outgoing
    files: tuple[PostFile, ...]
    """Those that the network gets."""
    unsent_code: ErrorCode | None
    """Why the network gets none of the post's files although it has some; None: it gets files, or there are none."""
    own_hash: str
    refs: tuple[str, ...]
    staged: bool
    state: DeliveryState
    attempt: UUID | None
    attempts: int
    was_called: bool = False
    """Whether the fence is set: the post may be published."""
    unconfirmed: bool = False
    """Whether an earlier call with exactly this content may have worked without proof."""
    unconfirmed_at: datetime | None = None
    """When the first of those calls was made. None also for calls older than this column."""
    limited_until: datetime | None = None
    """Until then the network's rate limit refuses calls of this account."""
    at_fault: bool = False
    """Whether the network has a standing fault (`core.ai.provider_faults`). Finished posts are still tried; a success
    clears the fault."""
    planned_at: datetime | None = None
    was_held: bool = False
    """Whether it has waited for its account, its network or a setting."""
    pause: timedelta | None = None
    """Delay before the step is repeated, unless the error names one."""

    def next_attempt_at(self, error: ProviderError) -> datetime | None:
        """Return when the step is repeated after `error`, or None if that is not known."""
        pause = self.pause if error.retry_after is None else error.retry_after
        return utcnow() + pause if pause is not None else None

    @property
    def remaining_limit(self) -> timedelta | None:
        """How long the account's rate limit still lasts. None if it may be called."""
        left = self.limited_until - utcnow() if self.limited_until else timedelta(0)
        return left if left > timedelta(0) else None

    @property
    def partial_uploads(self) -> tuple[str, ...]:
        """Provider ids of the uploads of an earlier attempt that did not finish staging."""
        return () if self.staged else self.refs

    @property
    def needs_staging(self) -> bool:
        """Whether something has to be uploaded or created before publishing."""
        return bool(self.files) or self.unsent_code is not None or self.network.traits.stages_post

    @property
    def call_timeout(self) -> timedelta:
        """Time-out of the publishing call."""
        return self.network.call_timeout + _MARGIN

    @property
    def outcome_timeout(self) -> timedelta:
        """Time after the fence by which the calling attempt has saved its outcome, or has died."""
        return self.call_timeout + _MARGIN

    def log_entry(
        self,
        step: DeliveryStep,
        decision: DeliveryDecision,
        exchanges: Sequence[dict[str, Any]],
        code: ErrorCode | None = None,
    ) -> Entry:
        """Return the log entry of a step that has just ended."""
        return Entry(self.user_id, self.delivery_id, utcnow(), self.attempts, step, decision, code, exchanges)


@contextmanager
def translate_file_errors() -> Iterator[None]:
    """Translate errors of reading a file into those of a delivery: RetrySafe (storage_unavailable), or Refused
    (image_lost, image_unreadable) where it is missing or cannot be decoded."""
    try:
        yield
    except Unavailable as error:
        raise RetrySafe(error.code) from error
    except NotFound as error:
        raise Refused(ErrorCode.image_lost, detail=str(error.code)) from error
    except InvalidInput as error:
        raise Refused(ErrorCode.image_unreadable, detail=str(error.code)) from error


@dataclass(frozen=True)
class DeliveryJobs:
    sessions: Sessions
    connecting: ConnectingService
    media: MediaService

    async def load(self, user_id: UUID, delivery_id: UUID) -> Job:
        """Return the job without its files' bytes and URLs. Only staging needs those, and a thousand jobs may be armed
        at once."""
        async with self.sessions() as session:
            return await self.build(session, await PostRepository(session).lock_delivery(user_id, delivery_id))

    async def load_with_files(self, user_id: UUID, delivery_id: UUID) -> Job:
        """Return the job with its images' bytes and a way to read its document or video, or with URLs where the network
        fetches them itself."""
        job = await self.load(user_id, delivery_id)
        if job.post.document:
            document = replace(job.post.document, read=partial(self._read, job.files[0].media))
            return replace(job, post=replace(job.post, document=document))
        if job.post.video:
            return replace(job, post=replace(job.post, video=await self._with_source(job, job.post.video)))
        images = [
            await self._with_bytes(job, image, file.media)
            for image, file in zip(job.post.images, job.files, strict=True)
        ]
        return replace(job, post=replace(job.post, images=tuple(images)))

    async def _with_bytes(self, job: Job, image: Image, media: Media) -> Image:
        if job.network.traits.stages_by_url:
            return replace(image, fetch_url=await self.media.fetch_url(media, job.network.kind))
        data, mime = await self.media.read_for(media, job.limits)
        return replace(image, data=data, mime=mime)

    async def _with_source(self, job: Job, video: Video) -> Video:
        (file,) = job.files
        if video.cover and file.cover:
            video = replace(video, cover=await self._with_bytes(job, video.cover, file.cover))
        if job.network.traits.stages_by_url:
            return replace(video, fetch_url=await self.media.fetch_url(file.media, job.network.kind))
        return replace(video, read=partial(self._read, file.media))

    async def _read(self, media: Media, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Raises what `translate_file_errors` raises."""
        with translate_file_errors():
            async for chunk in self.media.storage.stream(media.storage_key, start, end):
                yield chunk

    async def build(self, session: AsyncSession, delivery: Delivery) -> Job:
        """Build the job from the rows of this transaction, without its files' bytes and URLs."""
        post = await PostRepository(session).get_with_files(delivery.user_id, delivery.post_id)
        # for the log lines of this step, whose order has only the delivery's id
        bind_contextvars(post_id=str(post.id), **({"run_id": str(post.run_id)} if post.run_id else {}))
        kind = ChannelKind(delivery.channel)
        network = channel(kind)
        at_fault = bool(await FaultRepository(session).find([network_subject(kind)]))
        own_hash = delivery.current_hash
        current = delivery.staged_hash == own_hash
        limits = limits_of(network, delivery.account.server_limits)
        refs, staged = tuple(delivery.staged_refs) if current else (), delivery.is_staged
        # the limits of a server may have changed since
        taken = _limits_as_staged(limits, len(refs) - network.traits.stages_post) if staged else limits
        text = post.content if delivery.content is None else delivery.content
        files, facts = sent_files(post, taken), facts_of(post)
        unsent = unsent_problems(facts, taken.sent_places(facts))
        text, card = with_link(text, Link.from_json(post.link), taken.card_files(facts), taken)
        return Job(
            delivery_id=delivery.id,
            user_id=delivery.user_id,
            post_id=post.id,
            account_id=delivery.account_id,
            run_id=post.run_id,
            network=network,
            limits=limits,
            credentials=self.connecting.credentials(delivery.account),
            token_id=delivery.account.token_id,
            post=Outgoing(
                text,
                tuple(_image(file.media, file.alt) for file in files if file.media.kind is MediaKind.image),
                link=card,
                article=_outgoing_article(post),
                language=post.language,
                document=next((_document(file) for file in files if file.media.kind is MediaKind.document), None),
                video=next((_video(file, taken) for file in files if file.media.kind is MediaKind.video), None),
            ),
            files=tuple(files),
            unsent_code=unsent[0].code if unsent else None,
            own_hash=own_hash,
            refs=refs,
            staged=staged,
            state=delivery.state,
            attempt=delivery.attempt,
            attempts=delivery.attempts,
            was_called=delivery.called_at is not None,
            # calls from before `own_hash` existed were compared by the post's hash
            unconfirmed=delivery.doubted_hash in (own_hash, delivery.content_hash),
            unconfirmed_at=delivery.doubted_at,
            limited_until=delivery.account.limited_until,
            at_fault=at_fault,
            planned_at=post.planned_at,
            was_held=delivery.held_until is not None,
        )


def _limits_as_staged(limits: ChannelLimits, count: int) -> ChannelLimits:
    """Return the limits by which this many files of a post were staged: a carousel has as many pages, and a video that
    the network has taken stays."""
    return replace(limits, max_images=count, video=limits.video or VideoLimits(max_bytes=0)) if count else limits


def _image(media: Media, alt: str) -> Image:
    return Image(b"", media.mime, "" if is_blank(alt) else normal(alt), by_model=media.source is MediaSource.ai)


def _title(file: PostFile) -> str:
    return normal(file.title or default_title(file.media.kind, file.media.name))


def _document(file: PostFile) -> Document:
    return Document(_title(file) or "PDF", file.media.bytes)


def _video(file: PostFile, limits: ChannelLimits) -> Video:
    media = file.media
    cover = file.cover if limits.video and limits.video.shows_cover else None
    return Video(
        title=_title(file) or "Video",
        alt="" if is_blank(file.alt) else normal(file.alt),
        mime=media.mime,
        size=media.bytes,
        width=media.width,
        height=media.height,
        seconds=VideoFacts.from_json(media.facts or {}).seconds,
        cover=_image(cover, "") if cover else None,
    )


def _outgoing_article(post: Post) -> Article | None:
    if post.article is None:
        return None
    fields = ArticleFields.from_json(post.article)
    return Article(
        title=normal(fields.title),
        slug=fields.slug,
        summary=normal(fields.summary),
        html=html_of(normal(post.content)),
        tags=tuple(map(normal, fields.tags)),
        categories=fields.categories,
        seo_title=normal(fields.seo_title),
        seo_description=normal(fields.seo_description),
        canonical_url=fields.canonical_url,
        image_ids=tuple(file.media_id for file in post.files),
        featured=fields.featured,
        language=post.language,
    )
