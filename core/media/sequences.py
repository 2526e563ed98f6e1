"""Card sequences: previews, pages kept in the media library, and PDF documents of them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from core.ai.pictures.base import Picture
from core.errors import ErrorCode, FieldError, InvalidInput, Refused
from core.media.cards import CardService
from core.media.pictures import MediaService
from core.media.rules.cards import CardNote, CardSettings, card_to_json
from core.media.rules.media import clean_name
from core.media.rules.sequences import CardPage, check_pages, pages_to_json
from core.media.tables import Media, MediaSource
from core.texts.rules.tags import checked_tags
from core.texts.rules.texts import is_blank

if TYPE_CHECKING:
    from core.media.card_renderer.sequences import SequenceOrder

Made = TypeVar("Made")


@dataclass(frozen=True)
class SequenceForm:
    """The layout of `settings` is not used."""

    pages: tuple[CardPage, ...]
    settings: CardSettings


@dataclass(frozen=True)
class DrawnPage:
    data: bytes
    mime: str
    width: int
    height: int
    alt: str
    notes: tuple[CardNote, ...]


@dataclass(frozen=True)
class CardSequences:
    """Draws sequences for the designer, saves them and writes their documents."""

    media: MediaService
    cards: CardService

    async def preview(self, user_id: UUID, form: SequenceForm) -> list[DrawnPage]:
        """Draw all pages off the event loop.

        Raise InvalidInput: as `check_pages`; card_letters_missing on `pages.<index>.headline`; not_found or
        image_unreadable on settings.logo_id; not_found on settings.brand_id."""
        _check(form)
        pictures = await self._make(await self._order(user_id, form), _draw)
        return [_drawn(page, picture) for page, picture in zip(form.pages, pictures, strict=True)]

    async def preview_page(self, user_id: UUID, form: SequenceForm, index: int) -> DrawnPage:
        """As `preview`, but draw one page, while other pages may still be incomplete. Raise InvalidInput also on `only`
        for a page that is not there."""
        if index >= len(form.pages):
            raise InvalidInput(errors=[FieldError("only", ErrorCode.invalid_input)])
        if is_blank(form.pages[index].headline):
            raise InvalidInput(errors=[FieldError(f"pages.{index}.headline", ErrorCode.content_empty)])
        picture = await self._make(await self._order(user_id, form), lambda order: _draw_one(order, index))
        return _drawn(form.pages[index], picture)

    async def save(self, user_id: UUID, form: SequenceForm, tags: list[str]) -> list[Media]:
        """As `preview`, and save the pages in the media library, each with its alternative text. Return them in order.
        Raise InvalidInput also for content_too_long on `tags.<index>`."""
        _check(form)
        cleaned = checked_tags(tags)
        order = await self._order(user_id, form)
        pictures = await self._make(order, _draw)
        return await store_pages(self.media, user_id, order, pictures, tags=cleaned, renewed=("alt", "tags", "design"))

    async def document(self, user_id: UUID, form: SequenceForm, *, title: str, language: str) -> bytes:
        """Return the pages as a PDF with selectable text. Raise InvalidInput as `preview`."""
        _check(form)
        order = await self._order(user_id, form)
        return await self._make(order, lambda ordered: _write(ordered, title, language))

    async def _order(self, user_id: UUID, form: SequenceForm) -> "SequenceOrder":
        # imported here: it loads Pillow, and most commands never draw
        from core.media.card_renderer.sequences import SequenceOrder

        settings = await self.cards.with_brand(user_id, form.settings)
        logo = await self.cards.read_logo(user_id, settings.logo_id)
        return SequenceOrder(form.pages, settings, seed=form.pages[0].headline, logo=logo)

    async def _make(self, order: "SequenceOrder", make: Callable[["SequenceOrder"], Made]) -> Made:
        async with self.cards.drawing:
            try:
                return await asyncio.to_thread(make, order)
            except Refused as error:
                raise _invalid(error) from error


def _check(form: SequenceForm) -> None:
    if errors := check_pages(form.pages):
        raise InvalidInput(errors=errors)


def _drawn(page: CardPage, picture: Picture) -> DrawnPage:
    return DrawnPage(picture.data, picture.mime, picture.width, picture.height, page.alt_text, picture.notes)


def _draw_one(order: "SequenceOrder", index: int) -> Picture:
    from core.media.card_renderer.sequences import draw_page

    return draw_page(order, index)


def _draw(order: "SequenceOrder") -> list[Picture]:
    from core.media.card_renderer.sequences import draw_pages

    return draw_pages(order)


def _write(order: "SequenceOrder", title: str, language: str) -> bytes:
    from core.media.card_renderer.documents import write_document
    from core.media.card_renderer.sequences import plan_pages

    return write_document(plan_pages(order), title=title, language=language, author=order.settings.foot or order.foot)


def _invalid(error: Refused) -> InvalidInput:
    page = error.params.get("page")
    if page is None:  # the logo is fully transparent
        return InvalidInput(errors=[FieldError("settings.logo_id", ErrorCode.image_unreadable)])
    code = ErrorCode.content_empty if error.code is ErrorCode.image_failed else error.code
    return InvalidInput(errors=[FieldError(f"pages.{page}.headline", code)])


async def store_pages(
    media: MediaService,
    user_id: UUID,
    order: "SequenceOrder",
    pictures: Sequence[Picture],
    *,
    tags: Sequence[str] = (),
    by_assistant: bool = False,
    renewed: Sequence[str] = (),
) -> list[Media]:
    """Store the pages of a sequence in the media library. Return them in order."""
    settings = replace(order.settings, layout=None, foot=order.settings.foot or order.foot)
    return [
        await media.store(
            user_id,
            picture,
            source=MediaSource.card,
            name=clean_name(page.headline),
            alt=page.alt_text,
            tags=tags,
            design=_design(page, settings, order.seed, index, len(order.pages)),
            by_assistant=by_assistant,
            renewed=renewed,
        )
        for index, (page, picture) in enumerate(zip(order.pages, pictures, strict=True))
    ]


def _design(page: CardPage, settings: CardSettings, seed: str, index: int, count: int) -> dict[str, Any]:
    """Return a page's words and look as those of a card, and what makes it a page."""
    (stored,) = pages_to_json([page])
    place = {"kind": stored["kind"], "alt": stored["alt"], "number": index + 1, "count": count, "seed": seed}
    return {
        "headline": page.headline,
        "text": page.text,
        "settings": card_to_json(settings),
        "page": place,
    }
