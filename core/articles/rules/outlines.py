"""The outline of an article, and how a model's answers become its parts: title and headings, sections, summary, search
texts. Models answer in many forms; all are understood, and no more is read from an answer than it says."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from core.ai.rules.answers import Form, read_answer
from core.articles.rules.articles import MAX_BODY, MAX_TITLE, SHOWN_SEO_DESCRIPTION, SHOWN_SEO_TITLE
from core.texts.rules.markdown import closed, lowered
from core.texts.rules.texts import cut_text, one_line

LEAST_SECTIONS: Final = 3
MOST_SECTIONS: Final = 7
"""Headings to ask for; further ones are dropped."""
LONGEST_HEADING: Final = 160
"""Characters; longer ones are cut between words, as by `MAX_TITLE`."""
LONGEST_SUMMARY: Final = 300
_MARK: Final = re.compile(r"\A\s*(?:#{1,6}\s+|[-*•+]\s+|\d{1,2}[.)]\s+)")
_LABEL: Final = re.compile(r"\A(?:title|titel|description|beschreibung|summary|zusammenfassung)\s*:\s*", re.IGNORECASE)
_HEADING: Final = re.compile(r"\A#{1,6}\s+(?P<text>.*?)(?:\s+#+)?\s*\Z")
_BELOW: Final = 3
"""The level of headings within a section, whose own heading has level 2."""


class Part(StrEnum):
    """Parts of an article that a writer may be asked for."""

    outline = "outline"
    section = "section"
    summary = "summary"
    search = "search"
    """The title and description for search results."""
    revision = "revision"
    """The whole article, rewritten."""


@dataclass(frozen=True, slots=True)
class Outline:
    title: str
    headings: tuple[str, ...]
    """At least one. An empty one stands for a text without headings."""

    @property
    def further_texts(self) -> int:
        """The number of texts after the outline: sections, summary, search texts."""
        return len(self.headings) + 2


@dataclass(frozen=True, slots=True)
class WantedPart:
    """A part of an article that somebody writes by hand. `text`: the article, or for a section the text before it;
    `number`: the section's, from 0; `remark`: what to change in the existing text."""

    part: Part
    title: str = ""
    headings: tuple[str, ...] = ()
    text: str = ""
    number: int = 0
    remark: str = ""

    def taken_by(self, answer: str, topic: str) -> str:
        """Return the writer's answer as Markdown: for an outline, the title and headings of sections; for search texts,
        two lines. Empty if nothing of it can be used."""
        if self.part is Part.outline:
            outline = read_outline(answer, topic)
            return f"# {outline.title}\n\n{skeleton_of(outline.headings, ())}".strip()
        if self.part is Part.section:
            return section_text(answer, self.headings[self.number], MAX_BODY)
        if self.part is Part.summary:
            return read_summary(answer)
        if self.part is Part.search:
            return "\n".join(read_search_fields(answer)).strip()
        title, text = read_revision(answer, self.title)
        return f"# {title}\n\n{text}"


def part_to_json(part: WantedPart) -> dict[str, Any]:
    return asdict(part) | {"part": part.part.value, "headings": list(part.headings)}


def part_from_json(stored: dict[str, Any]) -> WantedPart:
    return WantedPart(
        part=Part(stored["part"]),
        title=stored["title"],
        headings=tuple(stored["headings"]),
        text=stored["text"],
        number=stored["number"],
        remark=stored["remark"],
    )


def read_outline(answer: str, topic: str) -> Outline:
    """Parse an outline: the first line is the title, each further one a heading. `topic` is the title of an empty
    answer."""
    lines = [_bare(line) for line in _read(answer).split("\n")]
    filled = [line for line in lines if line]
    title = _cut(filled[0] if filled else one_line(topic), MAX_TITLE)
    headings = dict.fromkeys(_cut(line, LONGEST_HEADING) for line in filled[1:] if line != title)
    return Outline(title, tuple(headings)[:MOST_SECTIONS] or ("",))


def section_text(answer: str, heading: str, limit: int) -> str:
    """Return a section's text in Markdown, without its own heading or headings of the same level. At most `limit`
    characters, except for the end of a code block."""
    lines = _read(answer).split("\n")
    while lines and (not lines[0].strip() or _is_heading(lines[0], heading)):
        del lines[0]
    return closed(cut_text(lowered("\n".join(lines), _BELOW).strip(), limit))


def body_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """Return the text written so far: the finished sections with their headings, in order."""
    parts = [f"## {heading}\n\n{text}" if heading else text for heading, text in zip(headings, sections, strict=False)]
    return "\n\n".join(part.strip() for part in parts)


def skeleton_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """As `body_of`, followed by the headings of the sections still to be written."""
    to_come = [f"## {heading}" for heading in headings[len(sections) :] if heading]
    return "\n\n".join(part for part in (body_of(headings, sections), *to_come) if part)


def read_summary(answer: str) -> str:
    return _cut(_unlabelled(one_line(_read(answer))), LONGEST_SUMMARY)


def read_search_fields(answer: str) -> tuple[str, str]:
    """Return title and description; the description may be empty."""
    filled = [line for line in map(_bare, _read(answer).split("\n")) if line]
    title = _cut(filled[0], SHOWN_SEO_TITLE) if filled else ""
    return title, _cut(" ".join(filled[1:]), SHOWN_SEO_DESCRIPTION)


def read_revision(answer: str, title: str) -> tuple[str, str]:
    """Return the title and text of a rewritten article; without a heading of its own it keeps `title`."""
    text = _read(answer)
    first, _, rest = text.partition("\n")
    match = re.match(r"\A#\s+(?P<text>.+)\Z", first)
    return (_cut(_bare(match["text"]), MAX_TITLE), rest.strip()) if match else (title, text)


def _read(answer: str) -> str:
    # older releases stored raw answers; cleaned ones stay as they are
    return read_answer(answer, Form.article).text


def _is_heading(line: str, heading: str) -> bool:
    """Return whether the line only repeats the section's heading."""
    return bool(heading) and _bare(line).rstrip(":").casefold() == heading.rstrip(":").casefold()


def _bare(line: str) -> str:
    """Return the line without marks of a heading, list or bold type, and without a label."""
    match = _HEADING.match(line.strip())
    text = one_line(match["text"] if match else _MARK.sub("", line))
    while len(text) > 4 and text[:2] == text[-2:] and text[:2] in ("**", "__"):
        text = text[2:-2].strip()
    return _unlabelled(text).strip('"“”„«»').strip()


def _unlabelled(text: str) -> str:
    return _LABEL.sub("", text)


def _cut(text: str, limit: int) -> str:
    return cut_text(text, limit)
