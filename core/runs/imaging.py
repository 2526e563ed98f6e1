"""Make the image of a draft, or the pages of its carousel, once; store and attach them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.bounds import picture_bound
from core.ai.model_calls import SUMMED, Meter, ModelRequest, sum_or_none
from core.ai.pictures.base import Picture, PictureMaker, PictureOrder
from core.ai.repositories.transactions import Cause
from core.ai.rules.prices import FREE
from core.ai.tables.transactions import TransactionType
from core.articles.rules.articles import ArticleFields
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import ImageFallback, ImageSource, StepKind, StepState
from core.assistants.rules.own_images import OwnImage, pick_image
from core.brands.repository import BrandRepository
from core.brands.rules import BrandVoice
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import DomainError, ErrorCode, InvalidInput, NotFound
from core.live import LiveKind
from core.media.card_renderer.excerpts import Excerpt, excerpt, sentence_of
from core.media.documents import CarouselDocuments, pages_of
from core.media.pictures import MediaService
from core.media.repository import MediaRepository
from core.media.rules.cards import MAX_FOOT, MAX_HEADLINE, MAX_TEXT, CardSettings, card_to_json
from core.media.rules.media import default_title
from core.media.tables import Media, MediaSource
from core.networks.registry import channel
from core.posts.fitting import fit_alt, limits_of_account
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile
from core.posts.tables.posts import Post, PostFile
from core.runs.carousels import CarouselOrder, PageStructuring, StructuredPages, draw_carousel, most_pages
from core.runs.model_steps import ModelStep
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import Brief, RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.tables import Run
from core.runs.text_orders import provider_subject_id, variable_values
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import ImageSettings, image_from_json
from core.templates.rules.templates import CONTENT, TOPIC, Engine, fill, used_values
from core.templates.tables import TemplateVersion
from core.texts.rules.markdown import plain
from core.texts.rules.texts import cut_text, first_sentence

ALT = 300
"""Characters of an image's alternative text."""
_MEDIA: Final = "media_ids"
"""Fact of a finished step: what it attached, in order."""
_STRUCTURED: Final = "structured"
"""Fact of an active step: the pages of a carousel. Stored before they are drawn, so that no repeat of the step pays for
them again and draws others."""


@dataclass(frozen=True)
class ImagingService:
    sessions: Sessions
    meter: Meter
    cards: PictureMaker
    """Always available; also draws for the engine `ai` if there is no image model."""
    pictures: PictureMaker | None
    """The image model, if one is configured."""
    media: MediaService
    structuring: PageStructuring
    """Makes the pages of carousels."""
    documents: CarouselDocuments
    catch_up: timedelta
    """How late a post may still be published."""

    async def make(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """Make or pick the image. A repeated step finds the result of an earlier attempt and calls no model again.

        An image that cannot be made is replaced as the assistant is configured, because the text is already paid for.
        Raises temporary errors.
        """
        step = ModelStep(self.sessions, user_id, run_id, StepKind.image, attempt)
        async with self.sessions.begin() as session:
            runs = RunRepository(session)
            run, setup = await runs.get_with_setup(user_id, run_id)
            post = await PostRepository(session).find_by_run(user_id, run_id)
            if post is None:
                raise InvalidInput(ErrorCode.content_empty)
            earlier = await runs.step(user_id, run_id, StepKind.image)
            is_made = post.files or (earlier and earlier.state is not StepState.active)
            if is_made or await runs.is_checked(user_id, run_id):
                return
            if setup.image_source is ImageSource.own:
                await ensure_runnable(session, user_id, run_id, setup, self.catch_up, self.meter.entitlements)
                await _attach_own_image(session, run, setup, post, attempt)
                return
            making = await self._picture(session, step, run, setup, post)
            await ensure_runnable(session, user_id, run_id, setup, self.catch_up, self.meter.entitlements)
            asked = provider_and_model(making.maker, making.settings, self.pictures)
            if making.most and self.structuring.has_model:
                asked = self.structuring.writer.provider, self.structuring.writer.model
            kept = earlier.facts.get(_STRUCTURED) if earlier else None
            await step.start(session, *asked, more={_STRUCTURED: kept} if kept else None)
        drawn: _StoredPicture | None
        facts: dict[str, Any] = {}
        try:
            drawn = await making.draw(lambda order: making.keep_pages(kept, order))
        except DomainError as error:
            if error.retryable:
                raise
            drawn, facts = await making.use_fallback(error.code)
        await self._finish(making, drawn, facts)

    async def redraw_carousel(
        self,
        user_id: UUID,
        run_id: UUID,
        attempt: int,
        content: str,
        structure: Callable[[CarouselOrder], Awaitable[StructuredPages]],
    ) -> "RedrawnCarousel | None":
        """Draw the carousel of the run's post again for another text, with the pages that `structure` returns. Return
        None if the run made no carousel, or a person has removed all of it or added other files since. Raise the errors
        of `structure`, drawing and storing."""
        step = ModelStep(self.sessions, user_id, run_id, StepKind.image, attempt)
        async with self.sessions() as session:
            runs = RunRepository(session)
            run, setup = await runs.get_with_setup(user_id, run_id)
            post = await PostRepository(session).find_by_run(user_id, run_id)
            before = await runs.step_facts(user_id, run_id, StepKind.image)
            if post is None or "pages" not in before or not _is_of_carousel(post.files, before[_MEDIA]):
                return None
            making = await self._picture(session, step, run, setup, post)

        drawn = await replace(making, subject=content).draw(structure)
        alts = [fit_alt(media.alt, making.accounts) for media in drawn.media]
        files = [ComposedFile(media.id, alt) for media, alt in zip(drawn.media, alts, strict=True)]
        of_calls = [used for used in (before, drawn.used) if "input_tokens" in used]  # the others are free
        sums: dict[str, Any] = {}
        if of_calls:
            sums = {name: sum_or_none([used[name] for used in of_calls]) for name in SUMMED}
            # the model that the sums are of
            sums |= {name: of_calls[-1][name] for name in ("provider", "model")}
        kept = {name: fact for name, fact in before.items() if name not in ("pages", "pages_refused")}
        return RedrawnCarousel(files, kept | drawn.facts() | sums)

    async def _picture(
        self, session: AsyncSession, step: ModelStep, run: Run, setup: RunSetup, post: Post
    ) -> "_PictureInProgress":
        user_id = step.user_id
        assert setup.image_template_version_id is not None  # a set-up that wants an image has one
        version = await TemplateRepository(session).version(user_id, setup.image_template_version_id)
        settings = image_from_json(version.settings.get("image") or {})
        settings = await with_brand(session, user_id, settings, setup.brand_id)
        accounts = await AccountRepository(session).filter_connected(user_id, setup.account_ids)
        maker = choose_maker(settings, self.cards, self.pictures)
        most = _most_pages(settings, post, accounts)
        subject = picture_subject(post)
        return _PictureInProgress(self, step, run.slot, setup, post, version, settings, accounts, maker, most, subject)

    async def _finish(
        self, making: "_PictureInProgress", drawn: "_StoredPicture | None", facts: dict[str, Any]
    ) -> None:
        step, post, version = making.step, making.post, making.version
        async with self.sessions.begin() as session:
            if drawn:
                for position, media in enumerate(drawn.media):
                    alt = await _fitting_alt(session, step.user_id, making.setup, media.alt)
                    file = PostFile(
                        user_id=step.user_id,
                        post_id=post.id,
                        media_id=media.id,
                        position=position,
                        alt=alt,
                        title=default_title(media.kind, media.name),
                    )
                    session.add(file)
                    await notify_browsers(session, step.user_id, LiveKind.media, media.id)
                await _show_above_article(session, post)
                facts = drawn.facts() | {"template_version_id": str(version.id)} | facts
                await TemplateRepository(session).count_use(step.user_id, version.id)
                await notify_browsers(session, step.user_id, LiveKind.template, version.template_id)
            await RunRepository(session).finish_step(
                step.user_id,
                step.run_id,
                StepKind.image,
                state=StepState.failed if facts.get("fallback") == ImageFallback.ask else StepState.done,
                facts=facts,
            )
            await notify_browsers(session, step.user_id, LiveKind.run, step.run_id)
            await notify_browsers(session, step.user_id, LiveKind.post, post.id)


@dataclass(frozen=True)
class _StoredPicture:
    """One picture, or the pages of a carousel in order."""

    media: tuple[Media, ...]
    prompt: str
    used: dict[str, Any]

    def facts(self) -> dict[str, Any]:
        return self.used | {"prompt": self.prompt, _MEDIA: [str(media.id) for media in self.media]}


@dataclass(frozen=True)
class RedrawnCarousel:
    """The files that replace a post's, in order, and the facts of the image step then."""

    files: list[ComposedFile]
    facts: dict[str, Any]


@dataclass(frozen=True)
class _PictureInProgress:
    """The picture of one run."""

    service: ImagingService
    step: ModelStep
    slot: datetime
    setup: RunSetup
    post: Post
    version: TemplateVersion
    settings: ImageSettings
    accounts: Sequence[Account]
    maker: PictureMaker
    most: int
    """Pages of a carousel, or 0 for one image."""
    subject: str
    """What is illustrated."""

    async def draw(self, structure: Callable[[CarouselOrder], Awaitable[StructuredPages]]) -> _StoredPicture:
        """Draw and store the picture, or the pages that `structure` returns with their document."""
        drawn = await self._draw_carousel(structure) if self.most else None
        # also for a post that is too short for pages
        return drawn or await self.draw_with(self.maker)

    async def draw_with(self, maker: PictureMaker) -> _StoredPicture:
        service, user_id, settings = self.service, self.step.user_id, self.settings
        provider_model, cards = provider_and_model(maker, settings, service.pictures), maker is service.cards
        async with self.step.record_failures():
            order = picture_of_run(
                self.version.body,
                settings,
                self.setup.brief,
                self.subject,
                slot=self.slot,
                user_id=user_id,
                seed=str(self.step.run_id),
                logo=await read_logo(service.media, user_id, settings.card) if cards else None,
                drawn=cards,
                brand=self.setup.brand,
            )
            asked = ModelRequest(*provider_model, picture_bound(order))
            picture, used = await make_picture(service.meter, service.media, self.step.cause, maker, order, asked)
            alt = first_sentence(self.subject, ALT)
            media = await store_picture(
                service.media, user_id, picture, order, name=self.setup.brief.topic, alt=alt, by_assistant=True
            )
        return _StoredPicture((media,), order.prompt, used)

    async def _draw_carousel(
        self, structure: Callable[[CarouselOrder], Awaitable[StructuredPages]]
    ) -> _StoredPicture | None:
        """Return None if the post is too short for pages."""
        service, user_id = self.service, self.step.user_id
        order = carousel_of_run(
            self.version.body,
            self.settings,
            self.setup.brief,
            self.subject,
            slot=self.slot,
            user_id=user_id,
            seed=str(self.step.run_id),
            most=self.most,
            brand=self.setup.brand,
        )
        structured = await structure(order)
        if not structured.pages:
            return None
        logo = await read_logo(service.media, user_id, order.card)
        rows = await draw_carousel(service.media, user_id, structured.pages, order, logo, by_assistant=True)
        used = structured.used or {"provider": service.cards.provider, "model": service.cards.model, "cost_micros": 0}
        facts = {"pages": len(rows)} | ({"pages_refused": structured.refusal} if structured.refusal else {})
        if any(limits_of_account(account).document for account in self.accounts):
            language = self.setup.brief.language
            rows.append(await service.documents.make(user_id, rows, language=language, by_assistant=True))
        return _StoredPicture(tuple(rows), structured.prompt, used | facts)

    async def keep_pages(self, kept: dict[str, Any] | None, order: CarouselOrder) -> StructuredPages:
        """Return the pages that an earlier attempt kept, or structure and keep them."""
        if kept:
            return StructuredPages.from_json(kept)
        step = self.step
        async with step.record_failures():
            # pages are one more text of the run
            texts = len({account.kind for account in self.accounts}) + 1
            cause = Cause(step.user_id, TransactionType.text, run_id=step.run_id, texts=texts)
            structured = await self.service.structuring.structure(cause, order)
        if structured.pages:
            async with step.sessions.begin() as session:
                facts = {_STRUCTURED: structured.to_json()}
                await RunRepository(session).add_facts(step.user_id, step.run_id, StepKind.image, facts)
        return structured

    async def use_fallback(self, code: ErrorCode) -> tuple[_StoredPicture | None, dict[str, Any]]:
        """Return a card or None, and facts with the reason. If a network requires an image, a person decides."""
        fallback, drawn = self.setup.image_fallback, None
        kinds = (account.kind for account in self.accounts)
        needed_by = next((kind for kind in kinds if channel(kind).limits.needs_image), None)
        facts: dict[str, Any] = {"code": code.value}
        if fallback is ImageFallback.card:
            try:
                drawn = None if self.maker is self.service.cards else await self.draw_with(self.service.cards)
            except DomainError as error:
                if error.retryable:
                    raise
            if drawn is None:
                fallback = ImageFallback.ask
        if fallback is ImageFallback.without and needed_by:
            fallback = ImageFallback.ask
            facts["needed_by"] = needed_by.value
        return drawn, facts | {"fallback": fallback.value}


async def _attach_own_image(session: AsyncSession, run: Run, setup: RunSetup, post: Post, attempt: int) -> None:
    """Attach the assistant's next own image, in the transaction that records it, so that no other run takes the same.
    Raises InvalidInput (own_images_required) if none is left in the gallery."""
    assistants, runs = AssistantRepository(session), RunRepository(session)
    # serialises the runs of one assistant
    await assistants.lock_for_runs(run.user_id, run.assistant_id)
    chosen = await assistants.lock_images(run.user_id, run.assistant_id)
    available = [(image, media) for image, media in chosen if media.deleted_at is None]
    if not available:
        raise InvalidInput(ErrorCode.own_images_required)
    picked = pick_image(
        [OwnImage(image.media_id, image.round, image.used_at) for image, _ in available], setup.image_order, str(run.id)
    )
    image, media = next(pair for pair in available if pair[0].media_id == picked.media_id)
    image.round, image.used_at = picked.round, utcnow()
    alt = await _fitting_alt(session, run.user_id, setup, media.alt or first_sentence(picture_subject(post), ALT))
    session.add(PostFile(user_id=run.user_id, post_id=post.id, media_id=media.id, position=0, alt=alt))
    await _show_above_article(session, post)
    await runs.start_step(run.user_id, run.id, StepKind.image, attempt, facts={"source": ImageSource.own.value})
    await runs.finish_step(
        run.user_id,
        run.id,
        StepKind.image,
        facts={
            "source": ImageSource.own.value,
            "media_id": str(media.id),
            "name": media.name,
            "order": setup.image_order.value,
            "round": picked.round,
            "images": len(available),
            "left_out": len(chosen) - len(available),
        },
    )
    await notify_browsers(session, run.user_id, LiveKind.run, run.id)
    await notify_browsers(session, run.user_id, LiveKind.post, post.id)


async def _fitting_alt(session: AsyncSession, user_id: UUID, setup: RunSetup, alt: str) -> str:
    return fit_alt(alt, await AccountRepository(session).filter_connected(user_id, setup.account_ids))


async def _show_above_article(session: AsyncSession, post: Post) -> None:
    """Show the first image of an article above it."""
    if post.article is not None:
        row = await PostRepository(session).lock(post.user_id, post.id, deleted=True)
        row.article = replace(ArticleFields.from_json(row.article or {}), featured=True).to_json()


def _is_of_carousel(files: Sequence[PostFile], made: Sequence[str]) -> bool:
    """Return whether there are files, and all are of those that a run has made, or documents of its pages."""
    # the document is another one after pages were removed or moved
    parts = [pages_of(file.media) or [str(file.media_id)] for file in files]
    return bool(files) and all(set(made).issuperset(part) for part in parts)


def _most_pages(settings: ImageSettings, post: Post, accounts: Sequence[Account]) -> int:
    """Return how many pages a carousel of the post may have, or 0 if it gets one image: an article shows one above its
    text."""
    if settings.engine is not Engine.carousel or post.article is not None:
        return 0
    return most_pages(limits_of_account(account).max_images for account in accounts)


def picture_subject(post: Post) -> str:
    """Return what an image illustrates: the post's text, or an article's title and summary."""
    if post.article is None:
        return post.content
    fields = ArticleFields.from_json(post.article)
    return f"{fields.title}\n\n{fields.summary or plain(post.content)}"


def choose_maker(settings: ImageSettings, cards: PictureMaker, pictures: PictureMaker | None) -> PictureMaker:
    """Return the image model if the settings want it and it is configured, else cards."""
    return pictures if pictures and settings.engine is Engine.ai else cards


def provider_and_model(maker: PictureMaker, settings: ImageSettings, pictures: PictureMaker | None) -> tuple[str, str]:
    """Return both. Only the image model offers several models."""
    return maker.provider, (settings.model if maker is pictures else None) or maker.model


def carousel_of_run(
    body: str,
    settings: ImageSettings,
    brief: Brief,
    content: str,
    *,
    slot: datetime,
    user_id: UUID,
    seed: str,
    most: int,
    brand: BrandVoice | None = None,
) -> CarouselOrder:
    """Return the run's order for the pages of `content`: the template's words without it are the cover's headline."""
    values = variable_values(brief, day=brief.day(slot), brand=brand, Content="")
    return CarouselOrder(
        brief, content, cover_title(body, values), settings.card, most, seed, provider_subject_id(user_id)
    )


def cover_title(body: str, values: Mapping[str, str]) -> str:
    """Return what a template puts on the cover of a carousel. `values`: without content."""
    return cut_text(" ".join(fill(body, values).split()), MAX_HEADLINE)


def picture_of_run(
    body: str,
    settings: ImageSettings,
    brief: Brief,
    content: str,
    *,
    slot: datetime,
    user_id: UUID,
    seed: str,
    logo: bytes | None,
    drawn: bool,
    brand: BrandVoice | None = None,
) -> PictureOrder:
    """Return the run's order for a picture of `content`: a model reads all of it, a card shows an excerpt that suits
    its layout. `drawn` and errors as in `picture_order`."""
    values = variable_values(brief, day=brief.day(slot), brand=brand, Content=content)
    if drawn and settings.engine is not Engine.ai:
        # a card's body is its headline; without one it shows a sentence of the post
        headed = fill(body, values | {CONTENT: ""}).strip() != ""
        layout = settings.card.layout
        shown = (
            excerpt(content, brief.topic, brief.topic_notes, layout)
            if headed
            else Excerpt(sentence_of(content, brief.topic), layout)
        )
        values |= {CONTENT: shown.text}
        settings = replace(settings, card=replace(settings.card, layout=shown.layout))
    return picture_order(
        body,
        values,
        settings,
        language=brief.language,
        user_id=user_id,
        foot=brief.name,
        seed=seed,
        logo=logo,
        drawn=drawn,
    )


def picture_order(
    body: str,
    values: Mapping[str, str],
    settings: ImageSettings,
    *,
    language: str,
    user_id: UUID,
    foot: str,
    seed: str,
    logo: bytes | None,
    drawn: bool,
) -> PictureOrder:
    """Fill in a template's body and return the order for its picture. `drawn` is true for cards. `foot` is used for
    cards whose settings have none. A card that replaces an image model keeps the requested ratio and shows topic and
    content, because the body is a prompt and not meant for readers. Raises InvalidInput (variable_value_required)."""
    prompt, card = fill(body, values), stand_in_card(settings)
    if drawn and settings.engine is Engine.ai:
        prompt = _stand_in_prompt(values)
    return PictureOrder(
        prompt=prompt,
        language=language,
        subject=provider_subject_id(user_id),
        foot=card.foot or foot,
        seed=seed,
        size=settings.size,
        quality=settings.quality,
        style=settings.style,
        model=settings.model,
        card=card,
        logo=logo,
    )


def stand_in_card(settings: ImageSettings) -> CardSettings:
    """Return the card settings, in the ratio of the image settings."""
    return settings.card if settings.engine is not Engine.ai else replace(settings.card, size=settings.size)


def _stand_in_prompt(values: Mapping[str, str]) -> str:
    used = used_values(f"(({TOPIC})) (({CONTENT}))", values)
    topic, content = " ".join(used.get(TOPIC, "").split()), used.get(CONTENT, "")
    sentence = sentence_of(content, topic)
    return f"{topic}\n{sentence}" if topic else sentence


async def with_brand(
    session: AsyncSession, user_id: UUID, settings: ImageSettings, of_post: UUID | None = None
) -> ImageSettings:
    """Return the settings with the look of the brand that the card names, if it is still there, and its name as the
    foot unless they have one. If the card names none, the name is that of the brand that the post is written for; a
    carousel has the look of that brand, too."""
    brands = BrandRepository(session)
    look = await brands.look(
        user_id, settings.card.brand_id or (of_post if settings.engine is Engine.carousel else None)
    )
    brand = await brands.voice(user_id, settings.card.brand_id or of_post)
    card = settings.card.with_look(look)
    return replace(settings, card=replace(card, foot=card.foot or (brand.told_name if brand else "")))


async def read_logo(media: MediaService, user_id: UUID, card: CardSettings) -> bytes | None:
    """Return the logo's bytes. None also if it was deleted, or belongs to another user as in a copied template; the
    card is drawn without it."""
    if card.logo_id is None:
        return None
    try:
        async with media.sessions() as session:
            logo = await MediaRepository(session).get(user_id, card.logo_id, deleted=True)
        return await media.read(logo)
    except NotFound:
        return None


async def make_picture(
    meter: Meter, media: MediaService, cause: Cause, maker: PictureMaker, order: PictureOrder, asked: ModelRequest
) -> tuple[Picture, dict[str, Any]]:
    """Return the picture and its usage, as `Meter.call`. Raise Unavailable before a call that costs something if images
    cannot be stored: the picture would be lost, and each repeat would pay for another one."""
    if asked.provider not in FREE:
        await media.ensure_room()
    return await meter.call(cause, asked, lambda: maker.make(order))


async def store_picture(
    media: MediaService,
    user_id: UUID,
    picture: Picture,
    order: PictureOrder,
    *,
    name: str,
    alt: str,
    by_assistant: bool = False,
    kept: bool = True,
) -> Media:
    """Store the picture in the media library, a card with its design, cut to what the designer takes; a card's
    alternative text is what stands on it. Unless `kept`, it is only a preview."""
    if picture.provider != "cards":
        return await media.store(
            user_id, picture, source=MediaSource.ai, name=name, alt=alt, by_assistant=by_assistant, kept=kept
        )
    headline, _, text = order.prompt.strip().partition("\n")
    settings = replace(order.card or CardSettings(size=order.size), foot=cut_text(order.foot, MAX_FOOT))
    design = {
        "headline": cut_text(headline.strip(), MAX_HEADLINE),
        "text": cut_text(text.strip(), MAX_TEXT),
        "settings": card_to_json(settings),
    }
    return await media.store(
        user_id,
        picture,
        source=MediaSource.card,
        name=name,
        alt=_alt_of_card(order.prompt) or alt,
        design=design,
        by_assistant=by_assistant,
        kept=kept,
    )


def _alt_of_card(prompt: str) -> str:
    lines = [line.strip() for line in prompt.splitlines() if line.strip()]
    return cut_text(" ".join(f"{line}." if line[-1].isalnum() else line for line in lines), ALT)
