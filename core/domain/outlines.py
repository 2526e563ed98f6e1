"""How an article is planned, and how what a model answers becomes its parts: title and headings, the text of a section,
a summary, what a page of search results shows. A model may answer in many ways; what is meant is read out of all of
them, and nothing of it is more than the text it was."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.articles import MAX_TITLE, SHOWN_SEO_DESCRIPTION, SHOWN_SEO_TITLE
from core.domain.texts import cleaned, cut_text, one_line

LEAST_SECTIONS: Final = 3
MOST_SECTIONS: Final = 7
"""Headings that are asked for; of more than the most, the first are taken."""
LONGEST_HEADING: Final = 160
"""Characters; as `MAX_TITLE`, cut between words."""
LONGEST_SUMMARY: Final = 300
_MARK: Final = re.compile(r"\A\s*(?:#{1,6}\s+|[-*•+]\s+|\d{1,2}[.)]\s+)")
_LABEL: Final = re.compile(r"\A(?:title|titel|description|beschreibung|summary|zusammenfassung)\s*:\s*", re.IGNORECASE)
_HEADING: Final = re.compile(r"\A#{1,6}\s+(?P<said>.*?)(?:\s+#+)?\s*\Z")
_FENCE: Final = re.compile(r"\A\s*(?P<mark>```|~~~)")


@dataclass(frozen=True, slots=True)
class Outline:
    title: str
    headings: tuple[str, ...]
    """One at least. An empty one belongs to a text without headings."""


def read_outline(answer: str, topic: str) -> Outline:
    """The first line is the title, each further one a heading. `topic` is the title where nothing was answered."""
    lines = [_bare(line) for line in cleaned(answer).split("\n")]
    told = [line for line in lines if line]
    title = _cut(told[0] if told else one_line(topic), MAX_TITLE)
    headings = dict.fromkeys(_cut(line, LONGEST_HEADING) for line in told[1:] if line != title)
    return Outline(title, tuple(headings)[:MOST_SECTIONS] or ("",))


def section_text(answer: str, heading: str, limit: int) -> str:
    """The text of a section in Markdown, without its own heading and below it: what is a heading in it is one of the
    third level at most. At most `limit` characters."""
    lines = cleaned(answer).split("\n")
    while lines and (not lines[0].strip() or _is_heading(lines[0], heading)):
        del lines[0]
    lowered, fence = [], ""
    for line in lines:
        found = _FENCE.match(line)
        if found and fence in ("", found["mark"]):
            fence = "" if fence else found["mark"]
        marks = len(line) - len(line.lstrip("#"))
        below = not fence and 0 < marks < 3 and _HEADING.match(line) is not None
        lowered.append("#" * (3 - marks) + line if below else line)
    return cut_text("\n".join(lowered).strip(), limit)


def body_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """The article's text as far as it is written: the headings of the sections that are there, in their order."""
    parts = [f"## {heading}\n\n{text}" if heading else text for heading, text in zip(headings, sections, strict=False)]
    return "\n\n".join(part.strip() for part in parts)


def skeleton_of(headings: Sequence[str], sections: Sequence[str]) -> str:
    """As `body_of`, with the headings that are still to be written about."""
    to_come = [f"## {heading}" for heading in headings[len(sections) :] if heading]
    return "\n\n".join(part for part in (body_of(headings, sections), *to_come) if part)


def read_summary(answer: str) -> str:
    return _cut(_unlabelled(one_line(cleaned(answer))), LONGEST_SUMMARY)


def read_search_fields(answer: str) -> tuple[str, str]:
    """Title and description, of which the second may be empty."""
    told = [line for line in map(_bare, cleaned(answer).split("\n")) if line]
    title = _cut(told[0], SHOWN_SEO_TITLE) if told else ""
    return title, _cut(" ".join(told[1:]), SHOWN_SEO_DESCRIPTION)


def read_revision(answer: str, title: str) -> tuple[str, str]:
    """Title and text of an article that was written anew: the title is the heading that it begins with, or else the
    one that it had."""
    text = cleaned(answer)
    first, _, rest = text.partition("\n")
    found = re.match(r"\A#\s+(?P<said>.+)\Z", first)
    return (_cut(_bare(found["said"]), MAX_TITLE), rest.strip()) if found else (title, text)


def _is_heading(line: str, heading: str) -> bool:
    """Whether it only says the section's heading once more."""
    return bool(heading) and _bare(line).rstrip(":").casefold() == heading.rstrip(":").casefold()


def _bare(line: str) -> str:
    """Without the marks of a heading, a list or bold type around it, and without what it is called."""
    said = one_line(_MARK.sub("", line))
    found = _HEADING.match(said)
    said = found["said"] if found else said
    while len(said) > 4 and said[:2] == said[-2:] and said[:2] in ("**", "__"):
        said = said[2:-2].strip()
    return _unlabelled(said).strip('"“”„«»').strip()


def _unlabelled(text: str) -> str:
    return _LABEL.sub("", text)


def _cut(text: str, limit: int) -> str:
    return cut_text(text, limit)
