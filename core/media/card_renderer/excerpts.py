"""The excerpt of a post on its card: the part that the card's layout is for, or else a sentence."""

from dataclasses import dataclass
from itertools import zip_longest

from core.media.card_renderer.words import DATED, LISTED, MAX_STEPS, Content
from core.media.rules.cards import CardLayout
from core.texts.rules.texts import first_sentence, sentences

LONGEST = 220
"""Characters that fit on a card."""

_SHORTEST = 15
_LONGEST_DATE = 80
_LONGEST_STEP = 110


@dataclass(frozen=True)
class Excerpt:
    """`layout` is the layout for the text; None leaves the choice to the renderer."""

    text: str
    layout: CardLayout | None


def excerpt(content: str, topic: str, notes: str, layout: CardLayout | None) -> Excerpt:
    """Return the excerpt for a layout. Steps are a list of the post, else of the notes; a date is from the notes, else
    from the post; a figure is from the topic, the notes or the post. Without them, the card is a statement."""
    finders = {CardLayout.steps: _steps, CardLayout.event: _date, CardLayout.number: _figure}
    for kind in finders if layout is None else (layout,):
        if kind in finders and (part := finders[kind](content, topic, notes)):
            return Excerpt(part, kind)
    return Excerpt(sentence_of(content, topic), CardLayout.statement if layout in finders else layout)


_WHOLE = 6
"""Minimum words of a whole sentence, not the second half of a heading."""


def sentence_of(content: str, topic: str) -> str:
    """Return the first sentence that is no question, no heading and not the topic, which is the headline."""
    topic_words = topic.casefold().strip(" .?!")
    for sentence in sentences(content):
        head, _, rest = sentence.partition(": ")
        if topic_words and head.casefold() == topic_words and rest[:1].isupper() and len(rest.split()) >= _WHOLE:
            sentence = rest  # drop the topic before the sentence
        repeats = topic_words and topic_words in sentence.casefold()
        telling = _SHORTEST <= len(sentence) <= LONGEST and sentence[-1] not in "?:"
        if telling and not repeats and not LISTED.match(sentence) and not sentence.startswith("#"):
            return sentence
    return first_sentence(content, LONGEST)


def _steps(content: str, topic: str, notes: str) -> str:
    for text in (content, notes):
        listed = [line.strip() for line in text.splitlines() if LISTED.match(line)]
        if len(listed) > 1:
            return "\n".join(_shortened(line) for line in listed[:MAX_STEPS])
    return ""


def _shortened(line: str) -> str:
    """Return a step's first sentence with its list mark."""
    mark = LISTED.match(line)
    head = mark[0] if mark else ""
    return head + first_sentence(line[len(head) :], _LONGEST_STEP)


def _date(content: str, topic: str, notes: str) -> str:
    """Return the line or sentence with the date, plus the next line if it has a label, such as the place."""
    for text in (notes, content):
        lines = [line for line in text.splitlines() if line.strip()]
        for line, following in zip_longest(lines, lines[1:], fillvalue=""):
            dated = next((part for part in sentences(line) if DATED.search(part)), "")
            if not dated or len(_unlabelled(dated)) > _LONGEST_DATE:
                continue
            when, place = _unlabelled(dated).rstrip("."), _unlabelled(following)
            both = f"{when}, {place}"
            return both if place != following.strip() and len(both) <= _LONGEST_DATE else when
    return ""


def _unlabelled(line: str) -> str:
    """Return "Saturday" for "When: Saturday"."""
    label, colon, value = line.strip().partition(": ")
    return (value if colon and len(label) <= 20 else line).strip()


def _figure(content: str, topic: str, notes: str) -> str:
    if Content(topic, (), "").figure:
        return sentence_of(content, topic)
    for sentence in (*sentences(notes), *sentences(content)):
        figure_text = "" if LISTED.match(sentence) or DATED.search(sentence) else _unlabelled(sentence)
        if figure_text and len(figure_text) <= LONGEST and Content(topic, (figure_text,), "").figure:
            return figure_text
    return ""
