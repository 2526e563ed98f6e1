"""What readers see of a web page, as plain text."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

import nh3

from core.texts.rules.mentions import without_mentions
from core.texts.rules.texts import cleaned, cut_text

_BLOCKS: Final = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "main", "header", "address"),
    *("ul", "ol", "li", "dl", "dt", "dd", "br", "hr", "blockquote", "pre", "table", "tr", "td", "th"),
    *("figure", "figcaption", "details", "summary"),
}
_VOID: Final = {"br", "hr", "meta"}
_DROPPED: Final = {
    *("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas", "video", "audio"),
    *("nav", "aside", "footer", "form", "button", "select", "textarea", "dialog", "menu"),
}
"""Elements dropped with their text: code, and what stands around the text of every page."""
_NAMES: Final = {"description": "description", "og:description": "description", "og:site_name": "site_name"}
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_INVISIBLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MOST_NAME: Final = 300
"""Characters of the title, and of the website's name."""
_MOST_DESCRIPTION: Final = 1000
_LEAST_MAIN: Final = 400
"""Characters of a `main` element from which on the rest of the page is left out."""
_MOST_TAGS: Final = 40_000
"""Tags that are read; the rest of the page is left out. The cleaner's time grows with the square of nested tags: this
many take two seconds."""


@dataclass(frozen=True)
class WebPage:
    title: str = ""
    site_name: str = ""
    description: str = ""
    colour: str | None = None
    """The colour that the page names for itself, as `#rrggbb`."""
    text: str = ""
    """Its main text: paragraphs between blank lines."""


def read_page(html: str, most: int) -> WebPage:
    """Return what readers see: at most `most` characters of text, and the beginnings of the other parts. Hidden
    elements, code, menus, forms and the page's foot are left out, and nobody is mentioned."""
    # the cleaner follows browsers' rules for broken pages; what it returns is balanced
    clean = nh3.clean(
        "<".join(html.split("<", _MOST_TAGS + 1)[: _MOST_TAGS + 1]),
        tags=_BLOCKS | {"title", "meta"},
        clean_content_tags=_DROPPED,
        attributes={"meta": {"name", "property", "content"}, "*": {"hidden", "style", "aria-hidden"}},
        link_rel=None,
    )
    reader = _Reader()
    reader.feed(clean)
    reader.close()
    main = _paragraphs(reader.main)
    text = main if len(main) >= _LEAST_MAIN else _paragraphs(reader.all)
    # cut last: what takes the place of a mention may be longer
    return WebPage(
        title=cut_text(without_mentions(_line("".join(reader.title))), _MOST_NAME),
        site_name=cut_text(without_mentions(_line(reader.named.get("site_name", ""))), _MOST_NAME),
        description=cut_text(without_mentions(_line(reader.named.get("description", ""))), _MOST_DESCRIPTION),
        colour=reader.colour,
        text=cut_text(without_mentions(text), most),
    )


class _Reader(HTMLParser):
    """Collects the text of cleaned, and so balanced, HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.named: dict[str, str] = {}
        self.colour: str | None = None
        self.all: list[str] = []
        self.main: list[str] = []
        self._open: list[str] = []
        self._mains = 0
        self._hidden_from: int | None = None
        """The depth of the outermost hidden element."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "meta":
            self._take_meta(values)
        if tag in _BLOCKS:
            self._add("\n")
        if tag in _VOID:
            return
        self._open.append(tag)
        self._mains += tag == "main"
        hidden = "hidden" in values or values.get("aria-hidden") == "true" or _INVISIBLE.search(values.get("style", ""))
        if hidden and self._hidden_from is None:
            self._hidden_from = len(self._open)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID or not self._open:
            return
        if self._hidden_from == len(self._open):
            self._hidden_from = None
        self._mains -= self._open.pop() == "main"
        if tag in _BLOCKS:
            self._add("\n")

    def handle_data(self, data: str) -> None:
        if self._hidden_from is not None:
            return
        if self._open and self._open[-1] == "title":
            self.title.append(data)
        else:
            self._add(" ".join(f".{data}.".split())[1:-1])

    def _add(self, text: str) -> None:
        self.all.append(text)
        if self._mains:
            self.main.append(text)

    def _take_meta(self, values: dict[str, str]) -> None:
        name = (values.get("name") or values.get("property") or "").lower()
        content = values.get("content", "").strip()
        if field := _NAMES.get(name):
            self.named.setdefault(field, content)
        if name == "theme-color" and _COLOUR.fullmatch(content):
            self.colour = content.lower()


def _paragraphs(parts: list[str]) -> str:
    """Return lines with text, each once: menus and notes are often repeated."""
    lines = (_line(line) for line in cleaned("".join(parts)).split("\n"))
    return "\n\n".join(dict.fromkeys(line for line in lines if line))


def _line(text: str) -> str:
    return " ".join(cleaned(text).split())
