"""PDF documents of carousels: made from the pages of a post, and made anew when the pages differ."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.media.cards import CardService
from core.media.pictures import MediaService
from core.media.repository import MediaRepository
from core.media.rules.cards import CardSettings, card_from_json
from core.media.rules.media import DOCUMENT_TITLE, LEAST_PAGES, PDF, DocumentFacts, MediaKind, default_title
from core.media.rules.sequences import CardPage, PageKind
from core.media.sequences import place_of
from core.media.tables import Media
from core.media.uploads import CleanedUpload
from core.posts.rules.posts import ComposedFile
from core.texts.rules.texts import cut_text, one_line

_POINTS: Final = 0.75
"""Of a pixel."""


@dataclass(frozen=True)
class CarouselDocuments:
    media: MediaService
    cards: CardService

    async def add_document(
        self, user_id: UUID, media_ids: Sequence[UUID], *, title: str = "", language: str = ""
    ) -> Media:
        """Return the document of these pages from the media library, in order. Raise NotFound; InvalidInput on
        `media_ids` unless they are two or more pages of one size."""
        rows = await self._rows(user_id, media_ids)
        if missing_id := next((media_id for media_id in media_ids if media_id not in rows), None):
            raise NotFound(what="media", id=str(missing_id))
        pages = [rows[media_id] for media_id in media_ids]
        if not are_pages(pages):
            raise InvalidInput(errors=[FieldError("media_ids", ErrorCode.invalid_input)])
        return await self.make(user_id, pages, title=title, language=language)

    async def make(
        self, user_id: UUID, pages: Sequence[Media], *, title: str = "", language: str = "", by_assistant: bool = False
    ) -> Media:
        """Draw the pages as a PDF and store it in the media library; its name is the title, by default the headline of
        the first page. The same pages give the same row."""
        title = title or _headline(pages[0])
        logos = {page.id: await self._logo(user_id, _settings(page).logo_id) for page in pages}
        async with self.cards.drawing:
            data = await asyncio.to_thread(_write, pages, logos, title, language)
        cover = pages[0]
        document = CleanedUpload(
            data,
            PDF,
            round(cover.width * _POINTS),
            round(cover.height * _POINTS),
            await self.media.read_small(cover),
            kind=MediaKind.document,
            facts=DocumentFacts(len(pages)),
        )
        made_of = {"pages": [str(page.id) for page in pages], "title": title, "language": language}
        return await self.media.keep_document(user_id, document, name=title, made_of=made_of, by_assistant=by_assistant)

    async def renew(self, user_id: UUID, files: Sequence[ComposedFile], language: str) -> tuple[ComposedFile, ...]:
        """Return the files with the document of a carousel as its pages are now; a title that is the headline of its
        first page follows that. It stays as it is with no page or a single one, of which no document can be made. It is
        left out if the post's images are no longer pages alone, since it would not show all of them."""
        rows = await self._rows(user_id, [file.media_id for file in files])
        made = next((file for file in files if file.media_id in rows and pages_of(rows[file.media_id])), None)
        if made is None:
            return tuple(files)
        found = [rows[file.media_id] for file in files if file.media_id in rows]
        images = [row for row in found if row.kind is MediaKind.image]
        if [str(image.id) for image in images] == pages_of(rows[made.media_id]):
            return tuple(files)
        # whoever removes the pages wants the document alone, or is about to add others
        if len(images) < LEAST_PAGES and all(place_of(image) for image in images):
            return tuple(files)
        if not are_pages(images):
            return tuple(file for file in files if file is not made)
        document = await self.make(user_id, images, language=language)
        first = UUID(pages_of(rows[made.media_id])[0])
        former = (await self._rows(user_id, [first])).get(first)
        title = made.title
        if former and title == default_title(MediaKind.document, _headline(former)):
            title = default_title(MediaKind.document, _headline(images[0]))
        renewed = replace(made, media_id=document.id, title=title)
        return tuple(renewed if file is made else file for file in files)

    async def _rows(self, user_id: UUID, media_ids: Sequence[UUID]) -> dict[UUID, Media]:
        async with self.media.sessions() as session:
            return {row.id: row for row in await MediaRepository(session).of_ids(user_id, media_ids)}

    async def _logo(self, user_id: UUID, logo_id: UUID | None) -> bytes | None:
        """Return the logo's bytes; None also if it was deleted since."""
        try:
            return await self.cards.read_logo(user_id, logo_id)
        except InvalidInput:
            return None


def are_pages(images: Sequence[Media]) -> bool:
    """Return whether the images are pages of carousels in one size, so that a document can show them."""
    sizes = {(image.width, image.height) for image in images}
    return len(images) >= LEAST_PAGES and len(sizes) == 1 and all(place_of(image) for image in images)


def title_of_document(images: Sequence[Media]) -> str | None:
    """Return the title that a document of these pages gets; None if no document can be made of them."""
    return default_title(MediaKind.document, _headline(images[0])) if are_pages(images) else None


def pages_of(media: Media) -> list[str]:
    """Return the ids of the pages that a document was made from, or [] for any other file."""
    pages: list[str] = (media.facts or {}).get("document", {}).get("pages", [])
    return pages


def _headline(page: Media) -> str:
    """Return the headline of a page as a title."""
    return cut_text(one_line((page.design or {})["headline"]).strip(), DOCUMENT_TITLE)


def _settings(page: Media) -> CardSettings:
    return card_from_json((page.design or {})["settings"])


def _write(pages: Sequence[Media], logos: dict[UUID, bytes | None], title: str, language: str) -> bytes:
    # imported here: it loads Pillow, and most commands never draw
    from core.media.card_renderer.documents import write_document
    from core.media.card_renderer.sequences import SequenceOrder, plan_page

    plans = []
    for page in pages:
        design, place = page.design or {}, place_of(page) or {}
        shown = CardPage(PageKind(place["kind"]), design["headline"], design["text"])
        # a page keeps the place with which its image was drawn
        order = SequenceOrder((shown,) * place["count"], _settings(page), seed=place["seed"], logo=logos[page.id])
        plans.append(plan_page(order, place["number"] - 1))
    return write_document(plans, title=title, language=language, author=_settings(pages[0]).foot)
