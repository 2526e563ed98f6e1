"""The pages of a run's carousel: a model structures the post, and without one its sentences are the pages."""

from dataclasses import dataclass
from typing import Any, Final

from core.ai.model_calls import Meter
from core.ai.model_texts import fill_form
from core.ai.prompts import PAGES_OF_POST, pages_brief
from core.ai.repositories.transactions import Cause
from core.ai.writers.base import Writer
from core.ai.writers.forms import FormOrder, FormWriter
from core.ai.writers.pages import SCHEMA, read_pages
from core.errors import DomainError
from core.i18n import english_name
from core.media.card_renderer.page_excerpts import pages_of_text
from core.media.rules.sequences import MIN_INNER, CardPage
from core.runs.rules.runs import Brief

MAX_POST_PAGES: Final = 10
"""Pages of a carousel in a post: what most networks take."""


@dataclass(frozen=True)
class StructuredPages:
    """`used`: the usage of the model's call, empty without one. `refusal`: why the model's pages are not used."""

    pages: tuple[CardPage, ...]
    prompt: str
    used: dict[str, Any]
    refusal: str = ""


@dataclass(frozen=True)
class PageStructuring:
    """`writer`: structures with a model if it has one."""

    meter: Meter
    writer: Writer

    @property
    def has_model(self) -> bool:
        return isinstance(self.writer, FormWriter)

    async def structure(
        self, cause: Cause, brief: Brief, content: str, *, title: str, most: int, subject: str
    ) -> StructuredPages:
        """Return at most `most` pages, or none if the post is too short for a sequence. `title`: what the template puts
        on the cover. The post's sentences are the pages if the model refuses, the budget is used up or the answer is
        unusable. Raise temporary errors."""
        plain = pages_of_text(content, title=title or brief.topic, most=most)
        # a post without sentences for pages has no pages of a model either
        if not self.has_model or not plain:
            return StructuredPages(plain, content, {})
        order = FormOrder(
            PAGES_OF_POST.format(language=english_name(brief.language), least=MIN_INNER + 2, most=most),
            pages_brief(brief.topic, title, content),
            SCHEMA,
            subject,
        )
        try:
            filled, used = await fill_form(self.meter, cause, self.writer, order)
        except DomainError as error:
            if error.retryable:
                raise
            return StructuredPages(plain, content, {}, error.code.value)
        known = f"{content} {title} {brief.topic}"
        pages = read_pages(filled.values, title=title, known=known, most=most)
        return StructuredPages(pages or plain, order.brief, used, "" if pages else "unusable")
