"""Pages of a carousel in a model's answer: the schema that a model is asked to keep to, and reading its answer."""

import re
from typing import Any, Final

from core.ai.rules.answers import Form, clean_characters
from core.media.rules.sequences import MAX_ITEMS, CardPage, PageKind, arrange
from core.texts.rules.texts import one_line

_NUMBER: Final = re.compile(r"\d+")
_PROPERTIES: Final[dict[str, Any]] = {
    "kind": {"type": "string", "enum": [kind.value for kind in PageKind]},
    "headline": {"type": "string"},
    "text": {"type": "string"},
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pages": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _PROPERTIES,
                "required": list(_PROPERTIES),
                "additionalProperties": False,
            },
        }
    },
    "required": ["pages"],
    "additionalProperties": False,
}


def read_pages(values: dict[str, Any], *, title: str, known: str, most: int) -> tuple[CardPage, ...]:
    """Return the pages of an answer, or () if it has too few. `title` replaces the cover's headline, if it is given. A
    page with a number that is not in `known` is left out."""
    found = values.get("pages")
    numbers = set(_NUMBER.findall(known))
    pages = [
        page
        for item in (found if isinstance(found, list) else [])
        if (page := _page_of(item)) and numbers.issuperset(_NUMBER.findall(f"{page.headline} {page.text}"))
    ]
    cover = next((page for page in pages if page.kind is PageKind.cover), None)
    end = next((page for page in reversed(pages) if page.kind is PageKind.call_to_action), None)
    inner = [page for page in pages if page.kind not in (PageKind.cover, PageKind.call_to_action)]
    if title:
        cover = CardPage(PageKind.cover, title, cover.text if cover else "")
    return arrange(cover, inner, end, most) if cover else ()


def _page_of(item: object) -> CardPage | None:
    """Return a page as far as it is what was asked for, else None."""
    if not isinstance(item, dict):
        return None
    kind = next((kind for kind in PageKind if kind.value == item.get("kind")), PageKind.point)
    headline = one_line(_text(item.get("headline"))).strip()
    lines = [line.strip() for line in _text(item.get("text")).split("\n")]
    text = "\n".join([line for line in lines if line][: MAX_ITEMS if kind is PageKind.list else None])
    return CardPage(kind, headline, text) if headline else None


def _text(value: object) -> str:
    if isinstance(value, list):  # of a list's items
        value = "\n".join(part for part in value if isinstance(part, str))
    return clean_characters(value, Form.post) if isinstance(value, str) else ""
