"""The pages of a post without a model: its sentences and lists in their order."""

import re
from collections.abc import Iterator
from typing import Final

from core.media.card_renderer.words import LISTED, Content
from core.media.rules.cards import MAX_HEADLINE
from core.media.rules.sequences import MAX_ITEMS, CardPage, PageKind, arrange
from core.texts.rules.texts import first_sentence, sentences

_LONGEST_FIGURE: Final = 120
"""Characters of a sentence that is shown around its figure."""
_LONGEST_HEADLINE: Final = 90
_LONGEST_END: Final = 140
_SHORTEST: Final = 12
_TAGS: Final = re.compile(r"(?:\s*[#@]\w[\w.]*)+\s*$")
_LINK: Final = re.compile(r"\bhttps?://\S+")
_QUOTED: Final = re.compile(r"[„“«»\"](?P<words>[^„“”«»\"]{12,160})[“”«»\"]")


def pages_of_text(content: str, *, title: str, most: int) -> tuple[CardPage, ...]:
    """Return the pages of a post, or () if it is too short for a sequence. `title` is the cover's headline; without it,
    the first sentence is. The last paragraph is the end card if it is short."""
    paragraphs = [part for part in (_readable(part) for part in re.split(r"\n\s*\n", content)) if part]
    end = None
    if len(paragraphs) > 2 and len(paragraphs[-1]) <= _LONGEST_END and "\n" not in paragraphs[-1]:
        end = CardPage(PageKind.call_to_action, paragraphs.pop())
    inner = [page for paragraph in paragraphs for page in _pages_of(paragraph)]
    if not title and inner:
        title, inner = inner[0].headline, inner[1:] if not inner[0].text else inner
    repeats = title.casefold().strip(" .?!")
    inner = [page for page in inner if page.text or page.headline.casefold().strip(" .?!") != repeats]
    return arrange(CardPage(PageKind.cover, title), inner, end, most) if title else ()


def _readable(paragraph: str) -> str:
    """Return a paragraph without its addresses, and without tags at the ends of its lines."""
    lines = (_TAGS.sub("", _LINK.sub("", line)).strip() for line in paragraph.splitlines())
    return "\n".join(line for line in lines if line)


def _pages_of(paragraph: str) -> Iterator[CardPage]:
    lines = paragraph.splitlines()
    listed = [line for line in lines if LISTED.match(line)]
    if len(listed) < 2:
        yield from _pages_of_sentences(paragraph)
        return
    first = lines.index(listed[0])
    before = "\n".join(lines[:first])
    *earlier, headline = list(sentences(before)) or [first_sentence(LISTED.sub("", listed.pop(0)), MAX_HEADLINE)]
    yield from _pages_of_sentences("\n".join(earlier))
    for start in range(0, len(listed), MAX_ITEMS):
        items = "\n".join(LISTED.sub("", line) for line in listed[start : start + MAX_ITEMS])
        yield CardPage(PageKind.list, headline.rstrip(" :"), items)
    after = [line for line in lines[first:] if not LISTED.match(line)]
    yield from _pages_of_sentences("\n".join(after))


def _pages_of_sentences(text: str) -> Iterator[CardPage]:
    """Yield a page for each figure or quotation, and for one or two other sentences."""
    waiting = ""
    for sentence in sentences(text):
        quoted = _QUOTED.search(sentence)
        if quoted and len(quoted["words"]) * 2 > len(sentence):
            rest = (sentence[: quoted.start()] + sentence[quoted.end() :]).strip(" ,.:;–—-")
            special = CardPage(PageKind.quote, quoted[0], rest)
        elif len(sentence) <= _LONGEST_FIGURE and Content(sentence, (), "").figure:
            special = CardPage(PageKind.number, sentence)
        else:
            if waiting and len(waiting) <= _LONGEST_HEADLINE:
                yield CardPage(PageKind.point, waiting, sentence)
                waiting = ""
            else:
                yield from _point(waiting)
                waiting = sentence
            continue
        yield from _point(waiting)
        waiting = ""
        yield special
    yield from _point(waiting)


def _point(sentence: str) -> Iterator[CardPage]:
    if len(sentence) >= _SHORTEST:
        yield CardPage(PageKind.point, sentence)
