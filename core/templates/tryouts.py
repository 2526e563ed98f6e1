"""Model calls outside of a run, saved with their evidence: try-outs of templates, dry runs, and texts and images for a
post that a user composes."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.bounds import picture_bound, text_bound
from core.ai.generations import GenerationService
from core.ai.model_calls import CallAbandoned, Meter, ModelRequest, cut_prompts, milliseconds_since
from core.ai.model_texts import write_text
from core.ai.pictures.base import PictureMaker
from core.ai.repositories.transactions import Cause
from core.ai.rules.generation import GenerationState
from core.ai.rules.prices import FREE
from core.ai.rules.usage import Usage
from core.ai.tables.transactions import TransactionType
from core.ai.writers.base import DEMO_MODEL, TextOrder, Writer, Written
from core.articles.rules.outlines import part_from_json
from core.brands.repository import BrandRepository
from core.brands.rules import BrandVoice
from core.clock import utcnow
from core.database import notify_browsers, notify_browsers_of_all
from core.errors import Conflict, DomainError, ErrorCode, InvalidInput, NoMoreSpending, ProviderError
from core.live import LiveKind
from core.media.pictures import MediaService
from core.media.repository import MediaRepository
from core.media.tables import Media
from core.runs.carousels import CarouselOrder, PageStructuring, StructuredPages, draw_carousel
from core.runs.imaging import (
    ALT,
    carousel_of_run,
    choose_maker,
    make_picture,
    picture_of_run,
    provider_and_model,
    read_logo,
    store_picture,
    with_brand,
)
from core.runs.network_rooms import finish_sample
from core.runs.rules.samples import Sample, sample_to_json
from core.runs.second_looks import SecondLooks
from core.runs.text_orders import own_voice
from core.runs.unstored_texts import UnstoredTexts
from core.runs.writing import EarlierPost, earlier_posts, finish_texts, orders_for
from core.templates.repositories.templates import TemplateRepository
from core.templates.repositories.tryouts import TryoutRepository
from core.templates.rules.model_settings import image_from_json, text_from_json
from core.templates.rules.templates import Engine, TemplateType, used_values
from core.templates.shown_texts import ShownText
from core.templates.tables import Tryout
from core.templates.tryout_document import json_output
from core.templates.tryout_orders import (
    carousel_of_tryout,
    find_problems,
    order_of_sample,
    pages_of_sample,
    picture_of_tryout,
    settings_of_type,
    text_order_of_tryout,
    tried_body,
)
from core.texts.rules.texts import cut_text, first_sentence
from core.texts.rules.typography import typeset


@dataclass(frozen=True)
class TryoutForm:
    body: str
    settings: dict[str, Any]
    """`text` and `image` of `core.templates.rules.model_settings`, as JSON; the template's type selects one."""
    language: str
    inputs: dict[str, str]


@dataclass(frozen=True)
class TryoutService(GenerationService[Tryout]):
    meter: Meter
    writer: Writer
    cards: PictureMaker
    pictures: PictureMaker | None
    """The image model; None: cards are drawn instead."""
    media: MediaService
    structuring: PageStructuring
    """Makes the pages of carousels."""
    kind = LiveKind.tryout

    async def order(self, user_id: UUID, template_id: UUID, tryout_id: UUID, form: TryoutForm) -> Tryout:
        """Save a queued try-out. The caller starts its workflow; if that fails, the reconciliation does.

        Raise NotFound; InvalidInput: template_syntax and content_empty on `body`, variable_value_required and
        content_too_long on `inputs.<name>`, prompt_too_long on `body`; SubscriptionRequired as `admit`.
        """
        async with self.sessions.begin() as session:
            template, *_ = await TemplateRepository(session).get(user_id, template_id)
            settings = settings_of_type(template.type, form.settings)
            tryout = Tryout(
                id=tryout_id,
                user_id=user_id,
                template_id=template_id,
                type=template.type,
                body=form.body,
                settings=settings,
                language=form.language,
                created_at=utcnow(),
            )
            tryout.inputs = used_values(tried_body(tryout), form.inputs)
            if problems := find_problems(tryout):
                raise InvalidInput(errors=problems)
            tryout.number = await self._number(session, tryout)
            await self.admit(session, tryout)
            session.add(tryout)
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.tryout, tryout_id)
        return tryout

    async def admit(self, session: AsyncSession, tryout: Tryout) -> None:
        """Raise SubscriptionRequired if the user's subscription would refuse the first model call. Call it before
        adding a row, also for dry runs and composed posts."""
        provider, model = self._asked(tryout)
        if provider not in FREE and self.meter.entitlements.asks:
            most = await self._most(session, tryout)
            await self.meter.admit(session, tryout.user_id, ModelRequest(provider, model, most))

    async def _most(self, session: AsyncSession, tryout: Tryout) -> Usage:
        """Return the most that the try-out's first call may use."""
        if tryout.type is TemplateType.text:
            sampled = tryout.sample is not None and tryout.part is None
            order = self._sample_order(tryout) if sampled else await _text_order(session, tryout)
            return text_bound(order, self.writer.effort)
        settings = image_from_json(tryout.settings)
        if asked := self._asked_for_pages(tryout):
            return asked.most
        maker = choose_maker(settings, self.cards, self.pictures)
        return picture_bound(picture_of_tryout(tryout, settings, logo=None, drawn=maker is self.cards)[1])

    def _sample_order(self, tryout: Tryout) -> TextOrder:
        return order_of_sample(tryout, one_for_all=self.writer.one_for_all)

    async def page(
        self, user_id: UUID, template_id: UUID, *, search: str, offset: int, limit: int
    ) -> tuple[list[Tryout], int]:
        """Newest first. `search` matches inputs and output. Raise NotFound."""
        async with self.sessions() as session:
            await TemplateRepository(session).get(user_id, template_id)
            return await TryoutRepository(session).page(user_id, template_id, search=search, offset=offset, limit=limit)

    async def get(self, user_id: UUID, template_id: UUID, tryout_id: UUID) -> Tryout:
        async with self.sessions() as session:
            return await TryoutRepository(session).get(user_id, template_id, tryout_id)

    async def json_output(self, tryout: Tryout) -> dict[str, Any]:
        """Return a try-out of a template as one document, with the prompt that its model is told."""
        async with self.sessions() as session:
            brand = await _brand_of_text(session, tryout) if tryout.type is TemplateType.text else None
        return json_output(tryout, brand)

    async def made_pages(self, user_id: UUID, tryouts: Sequence[Tryout]) -> dict[UUID, list[Media]]:
        """Return by try-out the pages of its carousel, in order, as far as they are still there."""
        wanted = {UUID(page_id) for tryout in tryouts for page_id in tryout.page_ids}
        if not wanted:
            return {}
        async with self.sessions() as session:
            rows = {row.id: row for row in await MediaRepository(session).of_ids(user_id, wanted)}
        return {
            tryout.id: [rows[UUID(page_id)] for page_id in tryout.page_ids if UUID(page_id) in rows]
            for tryout in tryouts
        }

    async def open(self, user_id: UUID, template_id: UUID, tryout_id: UUID) -> Tryout:
        """Return a try-out that can still be stopped. Raise NotFound, Conflict (tryout_over)."""
        tryout = await self.get(user_id, template_id, tryout_id)
        if not tryout.is_open:
            raise Conflict(ErrorCode.tryout_over)
        return tryout

    async def remove(self, user_id: UUID, template_id: UUID, tryout_id: UUID) -> None:
        """Delete a try-out; its transactions stay. Raise NotFound, Conflict (generation_in_progress) while it runs."""
        async with self.sessions.begin() as session:
            tryouts = TryoutRepository(session)
            await tryouts.get(user_id, template_id, tryout_id)
            tryout = await tryouts.find_locked(user_id, tryout_id)
            if tryout is None:  # another tab has deleted it meanwhile
                return
            if tryout.is_open:
                raise Conflict(ErrorCode.generation_in_progress)
            await session.delete(tryout)
            await notify_browsers(session, user_id, LiveKind.tryout, tryout_id)

    # called by the workflow

    async def make(
        self, user_id: UUID, tryout_id: UUID, attempt: int, pause: timedelta | None = None
    ) -> GenerationState | None:
        """Call the model once, show the text while it is written, and book the cost. Repeating a finished try-out
        calls no model.

        `pause` is the wait before the next attempt if the error names none. Return the state, or None if the try-out
        was deleted with its template. Raise the provider's error after noting it in the row.
        """
        begun = await self._begin(user_id, tryout_id, attempt)
        if begun is None or not begun.is_open:
            return begun.state if begun else None
        began = time.monotonic()
        try:
            if begun.type is TemplateType.image:
                return await self._draw(begun)
            # a part of an article has a sample too, for the template's brief, but is written as a single text
            return await (self._sample(begun) if begun.sample and not begun.part else self._write(begun))
        except CallAbandoned:
            return await self._settle_attempt(begun)
        except asyncio.CancelledError:
            await self._settle_attempt(begun)
            raise
        except DomainError as error:
            duration_ms, reason = milliseconds_since(began), error
            await self._settle_attempt(begun, lambda row: _record_failed_attempt(row, reason, duration_ms, pause))
            raise

    def _before_end(self, row: Tryout, reason: str | None) -> None:
        if reason != row.reason:
            row.detail = ""
        row.next_try_at = row.structured = None

    async def _begin(self, user_id: UUID, tryout_id: UUID, attempt: int) -> Tryout | None:
        """Claim the try-out for this attempt. The row counts attempts itself: a restarted workflow begins at 1."""
        async with self.sessions.begin() as session:
            tryout = await TryoutRepository(session).find_locked(user_id, tryout_id)
            if tryout is None or not tryout.is_open:
                return tryout
            self._claim(tryout, attempt)
            tryout.detail = ""
            if not _has_text(tryout):
                tryout.output = ""
            tryout.next_try_at = tryout.duration_ms = tryout.request_id = None
            tryout.started_at = tryout.started_at or utcnow()
            tryout.provider, tryout.model = self._asked(tryout)
            await notify_browsers(session, user_id, LiveKind.tryout, tryout_id)
        return tryout

    def _asked(self, tryout: Tryout) -> tuple[str, str]:
        """Return the provider and the model to call."""
        if tryout.type is TemplateType.text:
            return self.writer.provider, text_from_json(tryout.settings).model or self.writer.model
        if pages := self._asked_for_pages(tryout):
            return pages.provider, pages.model
        settings = image_from_json(tryout.settings)
        return provider_and_model(choose_maker(settings, self.cards, self.pictures), settings, self.pictures)

    def _asked_for_pages(self, tryout: Tryout) -> ModelRequest | None:
        """Return the text model's call for the pages of a carousel; None for one image, and where there is no model."""
        order = carousel_of_tryout(tryout, image_from_json(tryout.settings))
        return self.structuring.request(order) if order else None

    def _cause(self, tryout: Tryout) -> Cause:
        is_text = tryout.type is TemplateType.text or self._asked_for_pages(tryout) is not None
        kind = TransactionType.text if is_text else TransactionType.image
        return Cause(tryout.user_id, kind, tryout_id=tryout.id, post_id=tryout.post_id)

    async def _write(self, tryout: Tryout) -> GenerationState | None:
        async with self.sessions() as session:
            order = await _text_order(session, tryout)

        made, used = await write_text(self.meter, self._cause(tryout), self.writer, order, self._watched(tryout))
        text = made.text
        if self._asked(tryout)[1] != DEMO_MODEL:  # whose texts have it already
            text = typeset(text, order.language, markdown=tryout.part is not None or order.markdown)
        if tryout.part:
            text = part_from_json(tryout.part).taken_by(text, order.topic)
        else:
            text = cut_text(text, order.max_characters)
        async with self.sessions.begin() as session:
            return await self._finish(session, tryout, _facts(used) | {"output": text})

    def _watched(self, tryout: Tryout) -> Callable[[TextOrder], Awaitable[Written]]:
        """Return a call of the writer that shows the text while it is written."""

        async def write(order: TextOrder) -> Written:
            async with ShownText(self.sessions, tryout, order.max_characters, order.form) as showing:
                return await self.writer.write(order, showing)

        return write

    def _causes(self, row: Tryout) -> Sequence[Cause]:
        if row.sample is None:
            return [self._cause(row)]
        return [Cause(row.user_id, kind, tryout_id=row.id, post_id=row.post_id) for kind in TransactionType]

    async def _sample(self, tryout: Tryout) -> GenerationState | None:
        """Make a dry run: save the text, then make the image. If the image fails, save the reason."""
        sample, facts = tryout.sampled, dict[str, Any]()
        if not sample.written:
            sample, facts = await self._sample_text(tryout, sample)
        if sample.setup.image_template_version_id and tryout.media_id is None:
            try:
                facts |= await self._sample_image(tryout, sample, sample.setup.image_template_version_id)
            except DomainError as error:
                if error.retryable:
                    raise
                facts["sample"] = sample_to_json(replace(sample, image_reason=error.code.value))
        async with self.sessions.begin() as session:
            return await self._finish(session, tryout, facts)

    async def _sample_text(self, tryout: Tryout, sample: Sample) -> tuple[Sample, dict[str, Any]]:
        """Write the texts as a run does. A user waits, so a correction that fails is skipped."""
        orders, earlier = orders_for(self._sample_order(tryout)), list[EarlierPost]()
        cause = replace(self._cause(tryout), texts=len(orders.alone))
        source = UnstoredTexts(self.meter, cause, self.writer)
        first = await source.first_texts(orders, self._watched(tryout))
        # the user who composes a post has chosen its topic
        if tryout.assistant_id is not None and not tryout.post_id:
            async with self.sessions() as session:
                earlier = await earlier_posts(session, tryout.user_id, tryout.assistant_id, beside=tryout.id)
        made = await finish_texts(first, orders, earlier, source, SecondLooks.of_run(sample.setup, self.writer))
        text, texts = finish_sample(sample, made.text, made.texts, orders.whole.max_characters)
        how = cut_prompts(source.used) | made.facts
        sample = replace(sample, written=True, texts=texts, facts=how, notes=made.notes)
        facts = _facts(source.used[0]) | {"output": text, "sample": sample_to_json(sample)}
        async with self.sessions.begin() as session:
            row = await TryoutRepository(session).find_locked(tryout.user_id, tryout.id)
            if row is None or not row.is_open:
                raise CallAbandoned
            for name, value in facts.items():
                setattr(row, name, value)
            await notify_browsers(session, tryout.user_id, LiveKind.tryout, tryout.id)
        tryout.output = text
        return sample, facts

    async def _sample_image(self, tryout: Tryout, sample: Sample, version_id: UUID) -> dict[str, Any]:
        user_id = tryout.user_id
        async with self.sessions() as session:
            version = await TemplateRepository(session).version(user_id, version_id)
            settings = image_from_json(version.settings.get("image") or {})
            settings = await with_brand(session, user_id, settings, sample.setup.brand_id)
        if settings.engine is Engine.carousel:
            carousel = carousel_of_run(
                version.body,
                settings,
                sample.setup.brief,
                tryout.output,
                slot=sample.slot,
                user_id=user_id,
                seed=str(tryout.id),
                most=pages_of_sample(sample),
                brand=sample.setup.brand,
            )
            # pages are one more text of the sample
            cause = Cause(
                user_id, TransactionType.text, tryout_id=tryout.id, texts=max(1, len(sample.setup.networks)) + 1
            )
            if facts := await self._draw_pages(tryout, carousel, cause, by_assistant=True, kept=False):
                return facts.of_image
        maker = choose_maker(settings, self.cards, self.pictures)
        order = picture_of_run(
            version.body,
            settings,
            sample.setup.brief,
            tryout.output,
            slot=sample.slot,
            user_id=user_id,
            seed=str(tryout.id),
            logo=await read_logo(self.media, user_id, settings.card) if maker is self.cards else None,
            drawn=maker is self.cards,
            brand=sample.setup.brand,
        )
        asked = ModelRequest(*provider_and_model(maker, settings, self.pictures), picture_bound(order))
        cause = Cause(user_id, TransactionType.image, tryout_id=tryout.id)
        picture, _ = await make_picture(self.meter, self.media, cause, maker, order, asked)
        alt = first_sentence(tryout.output, ALT)
        media = await store_picture(
            self.media, user_id, picture, order, name=sample.setup.brief.topic, alt=alt, by_assistant=True, kept=False
        )
        return _image_facts(media)

    async def _draw_pages(
        self, tryout: Tryout, order: CarouselOrder, cause: Cause, *, by_assistant: bool = False, kept: bool = True
    ) -> "_DrawnPages | None":
        """Return None if the content is too short for pages."""
        structured = await self._structure(tryout, order, cause)
        if not structured.pages:
            return None
        logo = await read_logo(self.media, cause.user_id, order.card)
        rows = await draw_carousel(
            self.media, cause.user_id, structured.pages, order, logo, by_assistant=by_assistant, kept=kept
        )
        return _DrawnPages(structured.used, rows)

    async def _structure(self, tryout: Tryout, order: CarouselOrder, cause: Cause) -> StructuredPages:
        """Return the pages that an earlier attempt kept, or structure and keep them."""
        if tryout.structured:
            return StructuredPages.from_json(tryout.structured)
        structured = await self.structuring.structure(cause, order)
        if structured.pages:
            async with self.sessions.begin() as session:
                row = await TryoutRepository(session).find_locked(tryout.user_id, tryout.id)
                if row is None or not row.is_open:
                    raise CallAbandoned
                row.structured = structured.to_json()
        return structured

    async def _draw(self, tryout: Tryout) -> GenerationState | None:
        began, of_post = time.monotonic(), tryout.sampled.setup.brand_id if tryout.sample else None
        async with self.sessions() as session:
            settings = await with_brand(session, tryout.user_id, image_from_json(tryout.settings), of_post)
        carousel = carousel_of_tryout(tryout, settings)
        if carousel and (drawn := await self._draw_pages(tryout, carousel, self._cause(tryout))):
            # without a model the pages are free
            own = {"provider": self.cards.provider, "model": self.cards.model, "duration_ms": milliseconds_since(began)}
            facts = drawn.of_image | (_facts(drawn.used) if drawn.used else own)
            async with self.sessions.begin() as session:
                state = await self._finish(session, tryout, facts)
                await notify_browsers_of_all(session, [(tryout.user_id, LiveKind.media, row.id) for row in drawn.rows])
            return state
        maker = choose_maker(settings, self.cards, self.pictures)
        logo = await read_logo(self.media, tryout.user_id, settings.card) if maker is self.cards else None
        content, order = picture_of_tryout(tryout, settings, logo=logo, drawn=maker is self.cards)
        asked = ModelRequest(tryout.provider, tryout.model, picture_bound(order))
        picture, used = await make_picture(self.meter, self.media, self._cause(tryout), maker, order, asked)
        name = await self._name(tryout)
        media = await store_picture(
            self.media, tryout.user_id, picture, order, name=name, alt=first_sentence(content or order.prompt, ALT)
        )
        facts = _facts(used) | _image_facts(media)
        async with self.sessions.begin() as session:
            state = await self._finish(session, tryout, facts)
            await notify_browsers(session, tryout.user_id, LiveKind.media, media.id)
        return state

    async def _finish(self, session: AsyncSession, tryout: Tryout, facts: Mapping[str, Any]) -> GenerationState | None:
        """Save the result of the first attempt that has one, and the cost. A try-out that was stopped meanwhile stays
        stopped."""
        row = await TryoutRepository(session).find_locked(tryout.user_id, tryout.id)
        if row is None:
            return None
        if row.is_open:
            for name, value in facts.items():
                setattr(row, name, value)
            row.state, row.finished_at = GenerationState.succeeded, utcnow()
            row.reason, row.next_try_at, row.detail = None, None, ""
            row.structured = None
        await self._count(session, row)
        await notify_browsers(session, row.user_id, LiveKind.tryout, row.id)
        return row.state

    def _rows(self, session: AsyncSession) -> TryoutRepository:
        return TryoutRepository(session)

    async def _number(self, session: AsyncSession, tryout: Tryout) -> int | None:
        """Return the number of the newest saved version with the same content."""
        assert tryout.template_id is not None  # a try-out is ordered with a template
        versions = await TryoutRepository(session).versions_of(tryout.user_id, tryout.template_id, tryout.body)
        for version in versions:
            settings = settings_of_type(tryout.type, version.settings)
            if version.language == tryout.language and settings == tryout.settings:
                return version.number
        return None

    async def _name(self, tryout: Tryout) -> str:
        if tryout.sample and (topic := tryout.sampled.setup.brief.topic):
            return topic
        assert tryout.template_id is not None  # every image is made with a template
        async with self.sessions() as session:
            template, *_ = await TemplateRepository(session).get(tryout.user_id, tryout.template_id)
        return template.name


async def _text_order(session: AsyncSession, tryout: Tryout) -> TextOrder:
    """Return the order of a try-out without a sample, with the brand of its template, and of a part or a passage."""
    return text_order_of_tryout(tryout, await _brand_of_text(session, tryout))


async def _brand_of_text(session: AsyncSession, tryout: Tryout) -> BrandVoice | None:
    brand_id = None if tryout.sample else text_from_json(tryout.settings).brand_id
    return await BrandRepository(session).voice_of_text(tryout.user_id, None, brand_id, own_voice(tryout.inputs))


def _facts(used: Mapping[str, Any]) -> dict[str, Any]:
    facts = {name: used[name] for name in ("provider", "model", "duration_ms", "request_id")}
    return facts | {"prompt_cut": used.get("prompt_cut", False)}


def _image_facts(media: Media) -> dict[str, Any]:
    return {
        "media_id": media.id,
        "image_width": media.width,
        "image_height": media.height,
        "image_mime": media.mime,
    }


def _record_failed_attempt(row: Tryout, error: DomainError, duration_ms: int, pause: timedelta | None) -> None:
    """Note why this attempt failed and when the next one is, to be shown while the try-out waits."""
    wait = error.retry_after or pause
    row.reason, row.duration_ms = error.code.value, duration_ms
    # the cause of NoMoreSpending is the last call's error
    said = error.__cause__ if isinstance(error, NoMoreSpending) else error
    if isinstance(said, ProviderError):
        row.detail, row.request_id = said.detail, said.request_id
    row.next_try_at = utcnow() + wait if error.retryable and wait else None
    if not _has_text(row):
        row.output = ""


def _has_text(row: Tryout) -> bool:
    """Return whether this is a dry run whose text is finished."""
    return row.sample is not None and row.sampled.written


@dataclass(frozen=True)
class _DrawnPages:
    """`used`: the usage of the model's call, empty without one."""

    used: Mapping[str, Any]
    rows: Sequence[Media]

    @property
    def of_image(self) -> dict[str, Any]:
        return _image_facts(self.rows[0]) | {"page_ids": [str(row.id) for row in self.rows]}
