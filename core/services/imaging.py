"""The image of a draft: made once, stored, attached."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import select

from core.database import Sessions, announce
from core.domain.assistants import StepKind
from core.domain.cards import CardSettings, card_to_json
from core.domain.errors import ErrorCode, InvalidInput, NotFound, ProviderError
from core.domain.model_settings import ImageSettings, image_from_json
from core.domain.templates import Engine, fill
from core.domain.texts import first_sentence
from core.models import Media, MediaSource, PostFile, TransactionType
from core.providers.pictures.base import Picture, PictureMaker, PictureOrder
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository
from core.repositories.templates import TemplateRepository
from core.services.booking import book, book_failure, milliseconds_since
from core.services.drafting import subject_of, values_for
from core.services.media import MediaService

_CARD_TEXT = 220
_ALT = 300


@dataclass(frozen=True)
class ImagingService:
    sessions: Sessions
    cards: PictureMaker
    """Always there; also what draws for the engine `ai` where there is no image model."""
    pictures: PictureMaker | None
    """The image model."""
    media: MediaService

    async def make(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """A repeated step finds the picture that it made and asks no model again."""
        async with self.sessions.begin() as session:
            runs = RunRepository(session)
            run = await runs.get(user_id, run_id)
            post = await PostRepository(session).of_run(user_id, run_id)
            if post is None:
                raise InvalidInput(ErrorCode.content_empty)
            if post.files:
                return
            version = await TemplateRepository(session).version(user_id, UUID(run.setup["image_template_version_id"]))
            await runs.start_step(user_id, run_id, StepKind.image, attempt)
            await announce(session, user_id, "run", run_id)
        settings = image_from_json(version.settings.get("image") or {})
        maker = maker_for(settings, self.cards, self.pictures)
        # a card has room for a sentence, a model reads the whole post
        content = first_sentence(post.content, _CARD_TEXT) if maker is self.cards else post.content
        order = picture_order(
            version.body,
            values_for(run.setup, Content=content),
            settings,
            language=run.setup["language"],
            user_id=user_id,
            foot=run.setup["name"],
            seed=str(run_id),
            logo=await logo_of(self.media, user_id, settings.card) if maker is self.cards else None,
        )
        began = time.monotonic()
        try:
            picture = await maker.make(order)
        except ProviderError as error:
            async with self.sessions.begin() as session:
                await book_failure(
                    session,
                    error,
                    user_id=user_id,
                    run_id=run_id,
                    attempt=attempt,
                    type=TransactionType.image,
                    duration_ms=milliseconds_since(began),
                )
                await RunRepository(session).note_failure(user_id, run_id, StepKind.image, attempt, error.code)
                await announce(session, user_id, "run", run_id)
            raise
        # before it is stored: what it cost is true whatever becomes of the picture
        async with self.sessions.begin() as session:
            booked = await book(
                session,
                picture,
                user_id=user_id,
                run_id=run_id,
                attempt=attempt,
                type=TransactionType.image,
                duration_ms=milliseconds_since(began),
            )
        alt = first_sentence(post.content, _ALT)
        media = await store(self.media, user_id, picture, order, name=run.setup["topic"], alt=alt)
        async with self.sessions.begin() as session:
            session.add(PostFile(user_id=user_id, post_id=post.id, media_id=media.id, position=0, alt=alt))
            await RunRepository(session).finish_step(
                user_id,
                run_id,
                StepKind.image,
                facts=booked | {"template_version_id": run.setup["image_template_version_id"], "prompt": order.prompt},
            )
            await TemplateRepository(session).count_use(user_id, version.id)
            await announce(session, user_id, "template", version.template_id)
            await announce(session, user_id, "run", run_id)
            await announce(session, user_id, "post", post.id)
            await announce(session, user_id, "media", media.id)


def maker_for(settings: ImageSettings, cards: PictureMaker, pictures: PictureMaker | None) -> PictureMaker:
    """The image model where the settings want it and there is one, else cards."""
    return pictures if pictures and settings.engine is Engine.ai else cards


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
) -> PictureOrder:
    """A template's body as an order for its picture, for either maker. `foot` is for cards whose settings have none.
    A card that stands in for an image model has the ratio that was wanted of that.
    Raises InvalidInput (variable_value_required)."""
    card = settings.card if settings.engine is Engine.card else replace(settings.card, size=settings.size)
    return PictureOrder(
        prompt=fill(body, values),
        language=language,
        subject=subject_of(user_id),
        foot=card.foot or foot,
        seed=seed,
        size=settings.size,
        quality=settings.quality,
        style=settings.style,
        model=settings.model,
        card=card,
        logo=logo,
    )


async def logo_of(media: MediaService, user_id: UUID, card: CardSettings) -> bytes | None:
    """None also where the picture is gone, or was never this user's as in a copied template: a card does without."""
    if card.logo_id is None:
        return None
    async with media.sessions() as session:
        logo = await session.scalar(select(Media).where(Media.id == card.logo_id, Media.user_id == user_id))
    if logo is None:
        return None
    try:
        return await media.read(logo)
    except NotFound:
        return None


async def store(
    media: MediaService, user_id: UUID, picture: Picture, order: PictureOrder, *, name: str, alt: str
) -> Media:
    """In the media library, a card with what it was made of."""
    if picture.provider != "cards":
        return await media.store(user_id, picture, source=MediaSource.ai, name=name, alt=alt)
    headline, _, text = order.prompt.strip().partition("\n")
    design = {
        "headline": headline.strip(),
        "text": text.strip(),
        "settings": card_to_json(order.card or CardSettings(size=order.size)),
    }
    return await media.store(user_id, picture, source=MediaSource.card, name=name, alt=alt, design=design)
