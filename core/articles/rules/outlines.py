"""How an article is planned, and how what a model answers becomes its parts: title and headings, the text of a section,
a summary, what a page of search results shows. A model may answer in many ways; what is meant is read out of all of
them, and nothing of it is more than the text it was."""

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
"""Headings that are asked for; of more than the most, the first are taken."""
LONGEST_HEADING: Final = 160
"""Characters; as `MAX_TITLE`, cut between words."""
LONGEST_SUMMARY: Final = 300
_MARK: Final = re.compile(r"\A\s*(?:#{1,6}\s+|[-*•+]\s+|\d{1,2}[.)]\s+)")
_LABEL: Final = re.compile(r"\A(?:title|titel|description|beschreibung|summary|zusammenfassung)\s*:\s*", re.IGNORECASE)
_HEADING: Final = re.compile(r"\A#{1,6}\s+(?P<said>.*?)(?:\s+#+)?\s*\Z")
_BELOW: Final = 3
"""The level of headings within a section, whose own is the second."""


class Part(StrEnum):
    """What of an article may be wanted of a writer."""

    outline = "outline"
    section = "section"
    summary = "summary"
    search = "search"
    """What a page of search results shows of it."""
    revision = "revision"
    """All of it, written anew."""


@dataclass(frozen=True, slots=True)
class Outline:
    title: str
    headings: tuple[str, ...]
    """One at least. An empty one belongs to a text without headings."""

    @property
    def further_texts(self) -> int:
        """That the article takes beyond it: its sections, its summary, what search results show."""
        return len(self.headings) + 2


@dataclass(frozen=True, slots=True)
class WantedPart:
    """A part of an article that somebody writes by hand. `text`: the article, of a section what stands before it;
    `number` is the section's, from 0; `remark`: what is to be another than in what there was."""

    part: Part
    title: str = ""
    headings: tuple[str, ...] = ()
    text: str = ""
    number: int = 0
    remark: str = ""

    def taken_by(self, answer: str, topic: str) -> str:
        """What a writer's answer is in its place, in Markdown: of an outline a heading of the first level and those of
        its sections, of what search results show two lines. Empty where nothing of it can be used."""
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


def part_to_json(wanted: WantedPart) -> dict[str, Any]:
    return asdict(wanted) | {"part": wanted.part.value, "headings": list(wanted.headings)}


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
    """The first line is the title, each further one a heading. `topic` is the title where nothing was answered."""
    lines = [_bare(line) for line in _read(answer).split("\n")]
    told = [line for line in lines if line]
    title = _cut(told[0] if told else one_line(topic), MAX_TITLE)
    headings = dict.fromkeys(_cut(line, LONGEST_HEADING) for line in told[1:] if line != title)
    return Outline(title, tuple(headings)[:MOST_SECTIONS] or ("",))


def section_text(answer: str, heading: str, limit: int) -> str:
    """The text of a section in Markdown, without its own heading and none of the same level
    in it. At most `limit` characters, but for the
    end of a block of code."""
    lines = _read(answer).split("\n")
    while lines and (not lines[0].strip() or _is_heading(lines[0], heading)):
        del lines[0]
    return closed(cut_text(lowered("\n".join(lines), _BELOW).strip(), limit))


def body_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """The article's text as far as it is written: the headings of the sections that are there, in their order."""
    parts = [f"## {heading}\n\n{text}" if heading else text for heading, text in zip(headings, sections, strict=False)]
    return "\n\n".join(part.strip() for part in parts)


def skeleton_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """As `body_of`, with the headings that are still to be written about."""
    to_come = [f"## {heading}" for heading in headings[len(sections) :] if heading]
    return "\n\n".join(part for part in (body_of(headings, sections), *to_come) if part)


def read_summary(answer: str) -> str:
    return _cut(_unlabelled(one_line(_read(answer))), LONGEST_SUMMARY)


def read_search_fields(answer: str) -> tuple[str, str]:
    """Title and description, of which the second may be empty."""
    told = [line for line in map(_bare, _read(answer).split("\n")) if line]
    title = _cut(told[0], SHOWN_SEO_TITLE) if told else ""
    return title, _cut(" ".join(told[1:]), SHOWN_SEO_DESCRIPTION)


def read_revision(answer: str, title: str) -> tuple[str, str]:
    """Title and text of an article that was written anew: the title is the heading that it begins with, or else the
    one that it had."""
    text = _read(answer)
    first, _, rest = text.partition("\n")
    found = re.match(r"\A#\s+(?P<said>.+)\Z", first)
    return (_cut(_bare(found["said"]), MAX_TITLE), rest.strip()) if found else (title, text)


def _read(answer: str) -> str:
    # what an older release has kept is as the model answered it; anything else stays as it is
    return read_answer(answer, Form.article).text


def _is_heading(line: str, heading: str) -> bool:
    """Whether it only says the section's heading once more."""
    return bool(heading) and _bare(line).rstrip(":").casefold() == heading.rstrip(":").casefold()


def _bare(line: str) -> str:
    """Without the marks of a heading, a list or bold type around it, and without what it is called."""
    found = _HEADING.match(line.strip())
    said = one_line(found["said"] if found else _MARK.sub("", line))
    while len(said) > 4 and said[:2] == said[-2:] and said[:2] in ("**", "__"):
        said = said[2:-2].strip()
    return _unlabelled(said).strip('"“”„«»').strip()


def _unlabelled(text: str) -> str:
    return _LABEL.sub("", text)


def _cut(text: str, limit: int) -> str:
    return cut_text(text, limit)
