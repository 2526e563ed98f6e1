"""Cards: previews, saved looks, and cards kept in the media library."""

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.pictures.base import PictureOrder
from core.brands.repository import BrandRepository
from core.database import Sessions, violates
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound, Refused
from core.media.pictures import Added, MediaService
from core.media.repository import MediaRepository
from core.media.rules.cards import CardLayout, CardNote, CardSettings, card_to_json
from core.media.rules.media import clean_name
from core.media.tables import CardPreset, Media, MediaSource
from core.texts.rules.tags import checked_tags
from core.texts.rules.texts import is_blank

if TYPE_CHECKING:
    from core.media.card_renderer.renderer import Rendered

_AT_ONCE = 2
_LARGE_LOGO = 4_000_000
"""Pixels. For a larger logo, the thumbnail is drawn: it has enough pixels for a card's corner."""


@dataclass(frozen=True)
class Card:
    data: bytes
    mime: str
    width: int
    height: int
    layout: CardLayout
    notes: tuple[CardNote, ...]


@dataclass(frozen=True)
class CardForm:
    headline: str
    text: str
    settings: CardSettings


@dataclass(frozen=True)
class CardService:
    sessions: Sessions
    media: MediaService

    async def preview(self, user_id: UUID, form: CardForm) -> Card:
        """Draw a card off the event loop.

        Raise InvalidInput: content_empty or card_letters_missing on headline; on settings.logo_id not_found, or
        image_unreadable if the logo is fully transparent; not_found on settings.brand_id.
        """
        drawn = await self._draw(user_id, form)
        picture = drawn.picture
        return Card(picture.data, picture.mime, picture.width, picture.height, drawn.layout, picture.notes)

    async def save(
        self, user_id: UUID, form: CardForm, alt: str, tags: list[str], *, added: Added | None = None
    ) -> Media:
        """As `preview`, and save the card in the media library with its texts and settings. An identical saved card is
        reused and gets the new alt text and tags. Raise InvalidInput also for content_too_long on `tags.<index>`."""
        cleaned = checked_tags(tags)
        drawn = await self._draw(user_id, form)
        return await self.media.store(
            user_id,
            drawn.picture,
            source=MediaSource.card,
            name=clean_name(form.headline),
            alt=alt,
            tags=cleaned,
            design={"headline": form.headline, "text": form.text, "settings": card_to_json(form.settings)},
            # a page of a carousel that looks the same is a single card now
            renewed=("alt", "tags", "design", "facts", "card_notes"),
            added=added,
        )

    async def _draw(self, user_id: UUID, form: CardForm) -> "Rendered":
        if is_blank(form.headline):
            raise InvalidInput(errors=[FieldError("headline", ErrorCode.content_empty)])
        settings = await self.with_brand(user_id, form.settings)
        order = PictureOrder(
            prompt=f"{form.headline}\n{form.text}",
            language="",
            subject="",
            foot=settings.foot,
            seed=form.headline,
            size=settings.size,
            card=settings,
            logo=await self.read_logo(user_id, settings.logo_id),
        )
        async with self.drawing:
            return await asyncio.to_thread(_render, order)

    async def with_brand(self, user_id: UUID, settings: CardSettings) -> CardSettings:
        """Return the settings with the look of their brand. Raise InvalidInput if it is not this user's."""
        if settings.brand_id is None:
            return settings
        async with self.sessions() as session:
            look = await BrandRepository(session).look(user_id, settings.brand_id)
        if look is None:
            raise InvalidInput(errors=[FieldError("settings.brand_id", ErrorCode.not_found)])
        return settings.with_look(look)

    @cached_property
    def drawing(self) -> asyncio.Semaphore:
        """Limits how many cards or sequences are drawn at once."""
        return asyncio.Semaphore(_AT_ONCE)

    async def read_logo(self, user_id: UUID, logo_id: UUID | None) -> bytes | None:
        """Return the logo's bytes. Raise InvalidInput if it is not this user's."""
        if logo_id is None:
            return None
        async with self.sessions() as session:
            row = await _own_logo(session, user_id, logo_id)
        return await (self.media.read_small(row) if row.width * row.height > _LARGE_LOGO else self.media.read(row))

    async def presets(self, user_id: UUID) -> list[CardPreset]:
        """Return the presets, sorted by name."""
        async with self.sessions() as session:
            return list(await MediaRepository(session).presets(user_id))

    async def add_preset(self, user_id: UUID, name: str, settings: CardSettings) -> CardPreset:
        """Raise Conflict (name_taken); InvalidInput: name_required, not_found on settings.logo_id or
        settings.brand_id."""
        async with self.sessions.begin() as session:
            values = await _preset_values(session, user_id, name, settings)
            added = await MediaRepository(session).add_preset(user_id, values)
        if added is None:
            raise Conflict(ErrorCode.name_taken)
        return added

    async def change_preset(self, user_id: UUID, preset_id: UUID, name: str, settings: CardSettings) -> CardPreset:
        """Raise NotFound, Conflict (name_taken), InvalidInput as `add_preset`."""
        async with self.sessions.begin() as session:
            row = await MediaRepository(session).preset(user_id, preset_id)
            values = await _preset_values(session, user_id, name, settings)
            row.name, row.settings = values["name"], values["settings"]
            try:
                await session.flush()
            except IntegrityError as error:
                if not violates(error, "uq_card_presets_user_id_name"):
                    raise
                raise Conflict(ErrorCode.name_taken) from error
        return row

    async def remove_preset(self, user_id: UUID, preset_id: UUID) -> None:
        async with self.sessions.begin() as session:
            await session.delete(await MediaRepository(session).preset(user_id, preset_id))


async def _preset_values(session: AsyncSession, user_id: UUID, name: str, settings: CardSettings) -> dict[str, Any]:
    if not (line := clean_name(name)):
        raise InvalidInput(errors=[FieldError("name", ErrorCode.name_required)])
    if settings.logo_id:
        await _own_logo(session, user_id, settings.logo_id)
    brands = {settings.brand_id} if settings.brand_id else set[UUID]()
    if brands - await BrandRepository(session).filter_own(user_id, brands):
        raise InvalidInput(errors=[FieldError("settings.brand_id", ErrorCode.not_found)])
    return {"name": line, "settings": card_to_json(settings)}


async def _own_logo(session: AsyncSession, user_id: UUID, logo_id: UUID) -> Media:
    """Return the user's logo, also if it was deleted since. Raise InvalidInput."""
    try:
        return await MediaRepository(session).get(user_id, logo_id, deleted=True)
    except NotFound as error:
        raise InvalidInput(errors=[FieldError("settings.logo_id", ErrorCode.not_found)]) from error


def _render(order: PictureOrder) -> "Rendered":
    """Raise InvalidInput on the field that cannot be drawn."""
    # imported here: it loads Pillow, and most commands never draw
    from core.media.card_renderer.renderer import render

    try:
        return render(order)
    except Refused as error:
        if error.code is ErrorCode.card_letters_missing:
            raise InvalidInput(errors=[FieldError("headline", error.code)]) from error
        # the logo is fully transparent
        raise InvalidInput(errors=[FieldError("settings.logo_id", ErrorCode.image_unreadable)]) from error
