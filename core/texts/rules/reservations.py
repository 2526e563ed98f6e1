"""Reservations of pages against being read by programs like this."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final

from core.texts.rules.markup import read_tags

_REFUSALS: Final = re.compile(r"\b(noai|none|nosnippet)\b", re.IGNORECASE)
_MOST_HEAD: Final = 100_000
"""Characters of a page in which its reservation is looked for."""


def is_reserved(headers: Mapping[str, str], html: str) -> bool:
    """Return whether a page reserves its text: by `X-Robots-Tag`, by the TDM Reservation Protocol, or by the same in
    its head."""
    if _REFUSALS.search(headers.get("x-robots-tag", "")) or headers.get("tdm-reservation", "").strip() == "1":
        return True
    finder = _MetaFinder()
    read_tags(finder, html[:_MOST_HEAD])
    return finder.reserved


class _MetaFinder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.reserved = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            return
        values = {name: value or "" for name, value in attrs}
        name, content = values.get("name", "").lower(), values.get("content", "")
        refuses = name in ("robots", "postloom") and _REFUSALS.search(content)
        self.reserved |= bool(refuses) or (name == "tdm-reservation" and content.strip() == "1")
