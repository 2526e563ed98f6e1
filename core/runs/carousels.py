"""The pages of a post's carousel: a model structures the post, and without one its sentences are the pages. They are
drawn in one design and kept in the media library."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from core.ai.model_calls import Meter, ModelRequest
from core.ai.model_texts import fill_form, form_request
from core.ai.prompts import PAGES_OF_POST, pages_brief
from core.ai.repositories.transactions import Cause
from core.ai.writers.base import Writer
from core.ai.writers.forms import FormOrder, FormWriter
from core.ai.writers.pages import SCHEMA, read_pages
from core.errors import DomainError
from core.i18n import english_name
from core.media.card_renderer.page_excerpts import pages_of_text
from core.media.pictures import MediaService
from core.media.rules.cards import CardSettings
from core.media.rules.sequences import MIN_INNER, CardPage, pages_from_json, pages_to_json
from core.media.sequences import store_pages
from core.media.tables import Media
from core.runs.rules.runs import Brief

MAX_POST_PAGES: Final = 10
"""Pages of a carousel in a post: what most networks take."""


def most_pages(max_images: Iterable[int]) -> int:
    """Return how many pages a carousel may have on networks that show so many images. One that shows fewer than another
    gets the first pages."""
    return min(MAX_POST_PAGES, max(max_images, default=MAX_POST_PAGES))


@dataclass(frozen=True)
class CarouselOrder:
    """`title`: what the template puts on the cover. `most`: pages. `seed` as of `SequenceOrder`."""

    brief: Brief
    content: str
    title: str
    card: CardSettings
    most: int
    seed: str
    subject: str


@dataclass(frozen=True)
class StructuredPages:
    """`used`: the usage of the model's call, empty without one. `refusal`: why the model's pages are not used."""

    pages: tuple[CardPage, ...]
    prompt: str
    used: dict[str, Any]
    refusal: str = ""

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "StructuredPages":
        return cls(pages_from_json(stored["pages"]), stored["prompt"], stored["used"], stored["refusal"])

    def to_json(self) -> dict[str, Any]:
        return {
            "pages": pages_to_json(self.pages),
            "prompt": self.prompt,
            "used": self.used,
            "refusal": self.refusal,
        }


@dataclass(frozen=True)
class PageStructuring:
    """`writer`: structures with a model if it has one."""

    meter: Meter
    writer: Writer

    @property
    def has_model(self) -> bool:
        return isinstance(self.writer, FormWriter)

    async def structure(self, cause: Cause, order: CarouselOrder) -> StructuredPages:
        """Return the pages, or none if the post is too short for a sequence. The post's sentences are the pages if the
        model refuses, the budget is used up or the answer is unusable. Raise temporary errors."""
        plain = self.plain(order)
        # a post without sentences for pages has no pages of a model either
        if not self.has_model or not plain.pages:
            return plain
        form = _form_order(order)
        try:
            filled, used = await fill_form(self.meter, cause, self.writer, form)
        except DomainError as error:
            if error.retryable:
                raise
            return self.plain(order, error)
        known = f"{order.content} {order.title} {order.brief.topic}"
        pages = read_pages(filled.values, title=order.title, known=known, most=order.most)
        return StructuredPages(pages or plain.pages, form.brief, used, "" if pages else "unusable")

    def plain(self, order: CarouselOrder, error: DomainError | None = None) -> StructuredPages:
        """Return the pages without a model. `error`: why its pages are not used."""
        return StructuredPages(_plain_pages(order), order.content, {}, error.code.value if error else "")

    def request(self, order: CarouselOrder) -> ModelRequest | None:
        """Return the model's call for the pages, or None if there is none: no model, or a post too short for pages."""
        return form_request(self.writer, _form_order(order)) if self.has_model and _plain_pages(order) else None


def _plain_pages(order: CarouselOrder) -> tuple[CardPage, ...]:
    return pages_of_text(order.content, title=order.title or order.brief.topic, most=order.most)


def _form_order(order: CarouselOrder) -> FormOrder:
    brief = order.brief
    return FormOrder(
        PAGES_OF_POST.format(language=english_name(brief.language), least=MIN_INNER + 2, most=order.most),
        pages_brief(brief.topic, order.title, order.content),
        SCHEMA,
        order.subject,
    )


async def draw_carousel(
    media: MediaService,
    user_id: UUID,
    pages: tuple[CardPage, ...],
    order: CarouselOrder,
    logo: bytes | None,
    *,
    by_assistant: bool = False,
    kept: bool = True,
) -> list[Media]:
    """Draw the pages and store them as `store_pages`."""
    # imported here: it loads Pillow, and most commands never draw
    from core.media.card_renderer.sequences import SequenceOrder, draw_pages

    sequence = SequenceOrder(pages, order.card, foot=order.brief.name, seed=order.seed, logo=logo)
    pictures = await asyncio.to_thread(draw_pages, sequence)
    return await store_pages(media, user_id, sequence, pictures, by_assistant=by_assistant, kept=kept)
