"""Card sequences: previews, pages kept in the media library, and PDF documents of them."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID, uuid5

from core.ai.pictures.base import Picture
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound, Refused
from core.media.cards import CardService
from core.media.pictures import MediaService
from core.media.repository import MediaRepository
from core.media.rules.cards import (
    MAX_ALT,
    MAX_FOOT,
    MAX_HEADLINE,
    MAX_TEXT,
    CardNote,
    CardSettings,
    card_from_json,
    card_to_json,
)
from core.media.rules.media import MediaKind, clean_name
from core.media.rules.sequences import CardPage, check_pages, pages_from_json, pages_to_json
from core.media.tables import Media, MediaSource
from core.texts.rules.tags import checked_tags
from core.texts.rules.texts import cut_text, is_blank

if TYPE_CHECKING:
    from core.media.card_renderer.sequences import SequenceOrder

Made = TypeVar("Made")

_SEQUENCES = UUID("4f0c3d1e-5b0a-4d6c-9a57-0c1c7a0f9b52")
"""Namespace of the ids of sequences."""


@dataclass(frozen=True)
class SequenceForm:
    """The layout of `settings` is not used. `seed`: decides colours that the settings leave open; empty: the cover's
    headline does."""

    pages: tuple[CardPage, ...]
    settings: CardSettings
    seed: str = ""


@dataclass(frozen=True)
class SavedSequence:
    """A saved carousel, to be edited again. `tags`: those of the page by which it was found."""

    form: SequenceForm
    tags: list[str]


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
        renewed = ("alt", "tags", "design", "facts")
        return await store_pages(self.media, user_id, order, pictures, tags=cleaned, renewed=renewed)

    async def read(self, user_id: UUID, media_id: UUID) -> SavedSequence:
        """Return the sequence with which the page was saved last, with alternative texts as they are in the media
        library now. Raise NotFound, also for a page of a release that saved no sequences."""
        async with self.media.sessions() as session:
            repository = MediaRepository(session)
            row = await repository.get(user_id, media_id)
            place = place_of(row) or {}
            if row.design is None or "sequence" not in place:
                raise NotFound(what="card_sequence", id=str(media_id))
            alts = await repository.alts_of_sequence(user_id, place["sequence"]["id"])
        saved = pages_from_json(place["sequence"]["pages"])
        pages = tuple(
            page if (alt := alts.get(number)) is None or alt == page.alt_text else replace(page, alt=alt)
            for number, page in enumerate(saved, 1)
        )
        settings = card_from_json(row.design["settings"])
        return SavedSequence(SequenceForm(pages, settings, place["seed"]), list(row.tags))

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
        return SequenceOrder(form.pages, settings, seed=form.seed or form.pages[0].headline, logo=logo)

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
    kept: bool = True,
    renewed: Sequence[str] = ("design", "facts"),
) -> list[Media]:
    """Store the pages of a sequence in the media library, or only as a preview unless `kept`. Return them in order. A
    page that looks the same in two sequences is stored once, and belongs to the one that was stored last. Texts are cut
    to what a person may save, so that each stored page can be edited."""
    foot = cut_text(order.settings.foot or order.foot, MAX_FOOT)
    settings = replace(order.settings, layout=None, foot=foot)
    pages = [_cut(page) for page in order.pages]
    places = places_of(pages, settings, order.seed)
    return [
        await media.store(
            user_id,
            picture,
            source=MediaSource.card,
            name=clean_name(page.headline),
            alt=page.alt_text,
            tags=tags,
            design={"headline": page.headline, "text": page.text, "settings": card_to_json(settings)},
            facts={"page": place},
            by_assistant=by_assistant,
            kept=kept,
            renewed=renewed,
        )
        for page, place, picture in zip(pages, places, pictures, strict=True)
    ]


def _cut(page: CardPage) -> CardPage:
    return replace(
        page,
        headline=cut_text(page.headline, MAX_HEADLINE),
        text=cut_text(page.text, MAX_TEXT),
        alt=cut_text(page.alt, MAX_ALT),
    )


def place_of(media: Media) -> dict[str, Any] | None:
    """Return the place of a sequence's page as `places_of`, or None for any other file."""
    if media.kind is not MediaKind.image:
        return None
    return (media.facts or {}).get("page")


def places_of(pages: Sequence[CardPage], settings: CardSettings, seed: str) -> list[dict[str, Any]]:
    """Return the place of each page and the sequence. Each page has the words of all pages, so that the sequence
    outlives the deletion of other pages.

    They are facts and not part of the design: the release before reads that as a card, and fails on more."""
    look, words = card_to_json(settings), pages_to_json(pages)
    # the same pages get the same id, so that a repeated step stores the same design
    sequence = {"id": str(uuid5(_SEQUENCES, json.dumps([words, look, seed], sort_keys=True))), "pages": words}
    return [
        {
            "kind": page["kind"],
            "alt": page["alt"],
            "number": number,
            "count": len(words),
            "seed": seed,
            "sequence": sequence,
        }
        for number, page in enumerate(words, 1)
    ]
