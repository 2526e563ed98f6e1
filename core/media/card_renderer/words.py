"""Recognises a card's words: a figure, steps, a date, a quotation."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from core.ai.pictures.base import PictureOrder
from core.errors import ErrorCode, Refused
from core.media.card_renderer.glyphs import drawable
from core.media.rules.cards import CardLayout

MAX_STEPS = 6
LONGEST_QUOTE, LONGEST_SOURCE, LONGEST_BUTTON = 160, 80, 28
"""Characters."""

LISTED = re.compile(r"^\s*(?:[-–•*·▪]|\(?\d{1,2}[.)]|[①-⑨❶-❾])\s+")
# not after an ordinal such as "12." nor an abbreviation such as "z. B."
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\d\.)(?<!\b\w\.)\s+(?=\S)")
_FIGURE = re.compile(
    r"""(?x) (?<![\w.,:/+-])
        ( [€$£]?\s? \d{1,3} (?: [.,\u00a0\u202f'’]\d{3} )+ (?:[.,]\d{1,2})? (?:\s?[%‰€$£×])?
        | [€$£]?\s? \d{1,5} (?:[.,]\d{1,2})? (?:\s?[%‰€$£×])? )
        (?![\w:/'’-]|[.,]\d|\.\s*\w)"""
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_OF = re.compile(r"^\s*(?:of|out\sof|von)\s+(\d{1,6})\b")
_QUOTED = re.compile(r"^[„“”«»\"‚‘‹›](.+)[“”«»\"‘’‹›]$")
# a hyphen begins a list
_SOURCE = re.compile(r"^(?:[–—―]|--)\s*(?=\w)")

_MONTHS = (
    "jan(?:uary|uar)?|jän(?:ner)?|feb(?:ruary|ruar)?|mar(?:ch)?|mär(?:z)?|apr(?:il)?|may|mai|june?|juni?|july?|juli?"
    "|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?"
)
DATED = re.compile(
    rf"""(?xi) \b(?:
        \d{{1,2}}(?:st|nd|rd|th|\.)?\s?(?:{_MONTHS})\b | (?:{_MONTHS})\.?\s\d{{1,2}}\b
        | \d{{1,2}}\.\s?\d{{1,2}}\.(?:\s?(?:20)?\d\d)?(?!\d) | 20\d\d-\d\d-\d\d
        | \d{{1,2}}/\d{{1,2}}/(?:20)?\d\d
        | [01]?\d[:.][0-5]\d(?:\s?(?:uhr|h|am|pm))?\b | 2[0-3][:.][0-5]\d(?:\s?(?:uhr|h))?\b
        | \d{{1,2}}\s?(?:uhr|am|pm|a\.m\.|p\.m\.)\b
        )"""
)


@dataclass(frozen=True)
class Content:
    """The words of a card, all of which the fonts can draw. `lines` are the text's."""

    headline: str
    lines: tuple[str, ...]
    foot: str
    dropped: bool = False
    """Whether characters without a sign were dropped."""

    @property
    def text(self) -> str:
        return _joined(self.lines)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """Lines without their bullets, or sentences if there are fewer than two lines."""
        lines = [line for line in (LISTED.sub("", line).strip() for line in self.lines) if line]
        if len(lines) >= 2:
            return tuple(lines)
        return tuple(part for line in lines for part in _SENTENCE_END.split(line) if part)

    @cached_property
    def figure(self) -> "Figure | None":
        return _figure(self)

    @cached_property
    def event(self) -> "Event":
        return _event(self)

    @property
    def quotation(self) -> str:
        """The headline without the marks around it, since the card draws one."""
        quoted = _QUOTED.match(self.headline)
        return quoted[1].strip() if quoted and quoted[1].strip() else self.headline

    @property
    def source(self) -> str:
        """The text without the dash before a name, since the card draws one."""
        return _SOURCE.sub("", self.text)

    @property
    def layouts(self) -> tuple[CardLayout, ...]:
        """Layouts that fit the words, else a statement. A quotation needs quotation marks, or only a source below the
        headline."""
        layouts = []
        listed = sum(1 for line in self.lines if LISTED.match(line))
        if 2 <= len(self.steps) <= MAX_STEPS and (listed >= 2 or len(self.lines) > 2 or 3 <= len(self.steps) <= 4):
            layouts.append(CardLayout.steps)
        if self.event.when and DATED.search(f"{self.headline}\n{self.event.when}"):
            layouts.append(CardLayout.event)
        if self.figure is not None and CardLayout.event not in layouts:
            layouts.append(CardLayout.number)
        short = len(self.headline) <= LONGEST_QUOTE and len(self.text) <= LONGEST_SOURCE
        quoted = _QUOTED.match(self.headline) or (len(self.lines) == 1 and _SOURCE.match(self.lines[0]))
        if short and quoted:
            layouts.append(CardLayout.quote)
        return tuple(layouts) or (CardLayout.statement,)


@dataclass(frozen=True)
class Figure:
    """`share` is the part of the tally that the figure represents, or None."""

    figure: str
    above: str
    below: str
    body: str
    share: float | None


@dataclass(frozen=True)
class Event:
    """`when` is the line with the date, `button` the words of the button shape."""

    when: str
    body: str
    button: str


def read(order: PictureOrder) -> Content:
    """Return the first line as the headline and the rest as text, without characters that no font has.

    Raise Refused: image_failed if there are no words, card_letters_missing if no font has most of the headline's
    letters.
    """
    card = order.card
    # skip lines of only joiners and spaces
    shown = [(line, *drawn) for line in order.prompt.splitlines() if any(drawn := drawable(line))]
    if not shown:
        raise Refused(ErrorCode.image_failed, detail="nothing to draw")
    (written, headline, _), *others = shown
    if not headline or 2 * _letters(headline) < _letters(written):
        raise Refused(ErrorCode.card_letters_missing)
    foot, foot_dropped = drawable((card.foot if card else "") or order.foot)
    dropped = foot_dropped or any(missing for *_, missing in shown)
    return Content(headline, tuple(line for _, line, _ in others if line), foot, dropped)


def _joined(lines: Iterable[str]) -> str:
    """Join lines; a dot separates a line without a final mark from the next, so that they do not read as one."""
    text = ""
    for line in filter(None, lines):
        text += (" " if re.search(r"[^\w%‰€$£)\]]$", text) else " · ") + line if text else line
    return text


def _letters(text: str) -> int:
    return sum(map(str.isalpha, unicodedata.normalize("NFC", text)))


def _figure(content: Content) -> Figure | None:
    """Return the first figure of the headline, else of the text's first sentence."""
    first, *others = _SENTENCE_END.split(content.lines[0]) if content.lines else [""]
    rest = _joined([" ".join(others), *content.lines[1:]])
    for source, above, body in ((content.headline, "", content.text), (first, content.headline, rest)):
        for match in _FIGURE.finditer(source):
            figure = match[1].strip()
            if _YEAR.fullmatch(figure):
                continue
            after = source[match.end() :]
            # a figure at the start is not repeated in the words
            below = after.strip(" .,:;–-") if not source[: match.start()].strip() else source
            return Figure(figure, above, below, body, _share(figure, after))
    return None


def _share(figure: str, rest: str) -> float | None:
    digits = re.sub(r"[^\d.,]", "", figure).replace(",", ".")
    if digits.count(".") > 1:
        return None
    value = float(digits)
    if figure.endswith("%"):
        total = 100.0
    elif of := _OF.match(rest):
        total = float(of[1])
    else:
        return None
    return value / total if 0 <= value <= total and total else None


def _event(content: Content) -> Event:
    """Return the event; `when` is the first line with a date or a time, else the first line."""
    lines = list(content.lines)
    dated = next((index for index, line in enumerate(lines) if DATED.search(line)), 0)
    when = lines.pop(dated) if lines else ""
    if len(when) > LONGEST_SOURCE and (parts := _SENTENCE_END.split(when)):
        when, more = parts[0], " ".join(parts[1:])
        lines[dated:dated] = [more] if more else []
    button = ""
    if lines and len(lines[-1]) <= LONGEST_BUTTON and not re.search(r"[.,;:!?…]$", lines[-1]):
        button = lines.pop()
    return Event(when, _joined(lines), button)
