"""Card sequences: a cover, pages and an end card in one design, for carousels and documents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from core.errors import ErrorCode, FieldError
from core.media.rules.cards import MAX_ALT, MAX_HEADLINE, MAX_TEXT
from core.texts.rules.texts import cut_text, is_blank, one_line

MIN_INNER, MAX_INNER = 2, 9
"""Pages between the cover and the end card."""

MAX_PAGES: Final = MAX_INNER + 2
MAX_ITEMS: Final = 6
"""Items of a list that a page shows."""


class PageKind(StrEnum):
    """The first page; a thought; a figure with its words; a quotation with its source; a list; the end card."""

    cover = "cover"
    point = "point"
    number = "number"
    quote = "quote"
    list = "list"
    call_to_action = "call_to_action"


@dataclass(frozen=True)
class CardPage:
    """`headline`: of a number, the figure with or without its words; of a quotation, what was said. `text`: of a list,
    a line for each item; of a quotation, its source. `alt`: empty means what stands on the page."""

    kind: PageKind
    headline: str
    text: str = ""
    alt: str = ""

    @property
    def alt_text(self) -> str:
        """Return the alternative text: what stands on the page, unless there is another one."""
        if self.alt:
            return self.alt
        lines = [one_line(line).strip() for line in (self.headline, *self.text.splitlines())]
        return cut_text(" ".join(f"{line}." if line[-1].isalnum() else line for line in lines if line), MAX_ALT)


def check_pages(pages: Sequence[CardPage]) -> list[FieldError]:
    """Return what is wrong with a sequence. The cover is first and the only one; 2 to 9 pages follow; an end card is
    last or missing."""
    errors = [error for index, page in enumerate(pages) for error in _wrong_texts(index, page)]
    for index, page in enumerate(pages):
        is_end = page.kind is PageKind.call_to_action
        if (page.kind is PageKind.cover) != (index == 0) or (is_end and index != len(pages) - 1):
            errors.append(FieldError(f"pages.{index}.kind", ErrorCode.invalid_input))
    inner = sum(1 for page in pages if page.kind not in (PageKind.cover, PageKind.call_to_action))
    if not MIN_INNER <= inner <= MAX_INNER:
        errors.append(FieldError("pages", ErrorCode.invalid_input, least=MIN_INNER, limit=MAX_INNER, length=inner))
    return errors


def _wrong_texts(index: int, page: CardPage) -> Iterator[FieldError]:
    if is_blank(page.headline):
        yield FieldError(f"pages.{index}.headline", ErrorCode.content_empty)
    for name, limit in (("headline", MAX_HEADLINE), ("text", MAX_TEXT), ("alt", MAX_ALT)):
        if (length := len(getattr(page, name))) > limit:
            code = ErrorCode.content_too_long
            yield FieldError(f"pages.{index}.{name}", code, length=length, limit=limit)


def pages_from_json(stored: Sequence[dict[str, Any]]) -> tuple[CardPage, ...]:
    return tuple(
        CardPage(PageKind(page["kind"]), page["headline"], page.get("text", ""), page.get("alt", "")) for page in stored
    )


def pages_to_json(pages: Sequence[CardPage]) -> list[dict[str, Any]]:
    return [{"kind": page.kind.value, "headline": page.headline, "text": page.text, "alt": page.alt} for page in pages]


def _cut(page: CardPage) -> CardPage:
    headline, text = cut_text(page.headline, MAX_HEADLINE), cut_text(page.text, MAX_TEXT)
    return replace(page, headline=headline, text=text, alt=cut_text(page.alt, MAX_ALT))


def arrange(cover: CardPage, inner: Sequence[CardPage], end: CardPage | None, most: int) -> tuple[CardPage, ...]:
    """Return at most `most` pages, or () if there are too few for a sequence. The end card gives way before the pages
    that a sequence needs. Texts are cut to their limits; a page whose headline is blank then is left out."""
    cover, *inner = map(_cut, (cover, *inner))
    inner = [page for page in inner if not is_blank(page.headline)]
    if is_blank(cover.headline):
        return ()
    end = _cut(end) if end else None
    if end and is_blank(end.headline):
        end = None
    room = min(most, MAX_PAGES)
    if min(len(inner), room - 1) < MIN_INNER:
        return ()
    last = [end] if end and room - 2 >= MIN_INNER else []
    return (cover, *inner[: min(MAX_INNER, room - 1 - len(last))], *last)
