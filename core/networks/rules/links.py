"""The address that a post leads to: as a card where its network makes one of it, else in the text."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from core.errors import ErrorCode, FieldError
from core.texts.rules.texts import has_link, is_blank, normal, normal_link, one_line

MAX_ADDRESS: Final = 2_000
MAX_TITLE: Final = 300
MAX_DESCRIPTION: Final = 1_000


class LinkPlace(StrEnum):
    """What becomes of a post's link at a network."""

    card = "card"
    """It is shown as a card below the post, which is made of what we send."""
    page_card = "page_card"
    """The same, but the network makes it of the page behind the address: title, description and picture are its own."""
    below = "below"
    """It stands in the text: below it, unless the text has it already."""
    left_out = "left_out"
    """Nobody could press it: it is not sent."""


CARDS: Final = frozenset({LinkPlace.card, LinkPlace.page_card})


@dataclass(frozen=True)
class Link:
    """`title` and `description` are of the card."""

    url: str
    title: str = ""
    description: str = ""

    def to_json(self) -> dict[str, str]:
        return {"url": self.url, "title": self.title, "description": self.description}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any] | None) -> "Link | None":
        """From what `to_json` wrote."""
        return None if stored is None else cls(stored["url"], stored["title"], stored["description"])


def tidied(link: Link) -> Link:
    """An address without a scheme gets one; title and description are one line each."""
    url = normal_link(link.url, MAX_ADDRESS) or link.url.strip()
    return Link(url, one_line(link.title), one_line(link.description))


def malformed(link: Link) -> list[FieldError]:
    """What is wrong with a tidied one whatever the network, each at its field."""
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
    """Return the text as it is sent: empty where nobody would see anything of it."""
    text = "" if is_blank(text) else normal(text)
    if link is None or place is not LinkPlace.below or has_link(text, link.url):
        return text
    return f"{text.rstrip()}\n\n{link.url}" if text else link.url
