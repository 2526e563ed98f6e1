"""The link of a post: a card if the network shows cards, else part of the text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from core.errors import ErrorCode, FieldError
from core.texts.rules.endings import has_link, normal_link
from core.texts.rules.texts import is_blank, normal, one_line

MAX_ADDRESS: Final = 2_000
MAX_TITLE: Final = 300
MAX_DESCRIPTION: Final = 1_000


class LinkPlace(StrEnum):
    """How a network shows a post's link."""

    card = "card"
    """As a card below the post, with the data that we send."""
    page_card = "page_card"
    """As a card that the network makes from the page: with the page's own title, description and picture."""
    below = "below"
    """Below the text, unless the text contains it already."""
    left_out = "left_out"
    """Not sent: it could not be clicked."""


CARDS: Final = frozenset({LinkPlace.card, LinkPlace.page_card})


@dataclass(frozen=True)
class Link:
    """`title` and `description` are for the card."""

    url: str
    title: str = ""
    description: str = ""

    def to_json(self) -> dict[str, str]:
        return {"url": self.url, "title": self.title, "description": self.description}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any] | None) -> "Link | None":
        """Read the output of `to_json`."""
        return None if stored is None else cls(stored["url"], stored["title"], stored["description"])


def tidied(link: Link) -> Link:
    """Add a missing scheme; make title and description one line each."""
    url = normal_link(link.url, MAX_ADDRESS) or link.url.strip()
    return Link(url, one_line(link.title), one_line(link.description))


def malformed(link: Link) -> list[FieldError]:
    """Return the errors of a tidied link for any network, each with its field."""
    problems = []
    if normal_link(link.url, MAX_ADDRESS) != link.url:
        problems.append(FieldError("link.url", ErrorCode.link_not_usable))
    for field, text, limit in (
        ("link.title", link.title, MAX_TITLE),
        ("link.description", link.description, MAX_DESCRIPTION),
    ):
        if len(text) > limit:
            problems.append(FieldError(field, ErrorCode.field_too_long, length=len(text), limit=limit))
    return problems


def text_with(text: str, link: Link | None, place: LinkPlace) -> str:
    """Return the text as it is sent; empty if it would be invisible."""
    text = "" if is_blank(text) else normal(text)
    if link is None or place is not LinkPlace.below or has_link(text, link.url):
        return text
    return f"{text.rstrip()}\n\n{link.url}" if text else link.url
