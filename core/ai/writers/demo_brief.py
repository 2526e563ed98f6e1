"""How the demo writer reads a template and a topic's notes.

It understands no language. It recognises a kind of post by a word and an order by its beginning, and uses for the post
only what is clearly meant for it: wording in quotation marks, and lines with only statements.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.ai.writers.demo_phrases import Kind, Phrases
from core.texts.rules.texts import sentences

MAX_TAGS = 3
MAX_OWN_LENGTH = 300
_MAX_LABEL = 32

_MARKS = re.compile(r"(?<!\w)[`*_#]{1,3}(?=\S)|(?<=\S)[`*_]{1,3}(?!\w)")
"""Markdown, which networks do not render."""
_BULLET = re.compile(r"^\s*(?:[-*•–→]|\d{1,2}[.)])\s+")
_LABEL = re.compile(rf"^(?=[^:]{{2,{_MAX_LABEL}}}:)[^\W\d][\w/-]*(?: [\w/-]+)?:\s+\S")
"""A label of one or two words, as in "How long: two hours"; more words are a sentence."""
_HEADED = re.compile(rf"^[^:.?!]{{2,{2 * _MAX_LABEL}}}:")
_QUOTE = re.compile(r"(?:[„“«]|(?<![^\s(])[\"”])(?P<wording>[^„“”\"«»]{1,300})[“”\"»](?!\w)")
_QUOTED_LINE = re.compile(r"^[„“”\"«].{8,}[“”\"»](?:\s*[–—-]\s*\S.{0,80})?[.]?$")
_QUOTED_END = re.compile(r":\s[„“”\"«](?P<wording>.{6,400})[“”\"»]$")
"""At a line's end, the quote extends to the last mark, since a value may contain marks."""
_SENTENCE_BEFORE = re.compile(r"[.!?]\s+(?=\S)")
_ABOUT_FORM = re.compile(r"(?i)\b(?:hashtags?|emojis?)\b")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Brief:
    """`hooks`, `own` and `closings` are the template's wording for the beginning, the middle and the end."""

    kind: Kind
    formal: bool
    tags: int
    """Maximum number of hashtags; 0 if none are wanted."""
    hooks: tuple[str, ...]
    own: tuple[str, ...]
    closings: tuple[str, ...]


@dataclass(frozen=True)
class Notes:
    """`labels` are lines such as "When: Saturday", `items` are list items, `quotes` are quotations. `question` is the
    notes' last sentence if it asks the readers something."""

    prose: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    question: str = ""

    def __bool__(self) -> bool:
        return bool(self.prose or self.labels or self.items or self.quotes)


def read_brief(prompt: str, topic: str, phrases: Phrases) -> Brief:
    lines = [_MARKS.sub("", line).strip() for line in prompt.splitlines()]
    wording: dict[str, list[str]] = {"first": [], "own": [], "last": []}
    for line in lines:
        for place, text in _find_quoted(line, phrases):
            wording[place].append(text)
    wording["own"] += [line for line in lines if _is_own(line, topic, phrases)]
    return Brief(
        kind=_kind(prompt, topic, phrases),
        formal=phrases.formal.search(prompt) is not None,
        tags=_tags(prompt, phrases),
        hooks=tuple(wording["first"]),
        own=tuple(wording["own"]),
        closings=tuple(wording["last"]),
    )


def read_notes(notes: str, phrases: Phrases) -> Notes:
    """Return the notes without orders to the writer."""
    found: dict[str, list[str]] = {"prose": [], "labels": [], "items": [], "quotes": []}
    for line in notes.splitlines():
        text = " ".join(_MARKS.sub("", line).split())
        if not text or phrases.note_order.match(_BULLET.sub("", text)) or _ABOUT_FORM.search(text):
            continue
        if _BULLET.match(text):
            found["items"].append(_BULLET.sub("", text))
        elif _QUOTED_LINE.match(text):
            found["quotes"].append(text)
        elif _LABEL.match(text):
            found["labels"].append(text)
        else:
            found["prose"] += [_ended(each) for each in sentences(text) if not phrases.note_order.match(each)]
    count = sum(map(len, found.values()))
    asks = count > 1 and bool(found["prose"]) and found["prose"][-1].endswith("?")
    question = found["prose"].pop() if asks else ""
    return Notes(**{name: tuple(texts) for name, texts in found.items()}, question=question)


def about(prompt: str, phrases: Phrases) -> str:
    """Return the subject of the template's first order, used without a topic."""
    for sentence in sentences(prompt):
        if phrases.order.match(sentence) and (found := phrases.about.search(sentence)):
            rest = sentence[found.end() :].strip(" .!?:\"'“”„«»")
            if rest and not phrases.meta.search(rest):
                return rest
    return ""


def _kind(prompt: str, topic: str, phrases: Phrases) -> Kind:
    """Return the kind whose sign comes first in the template's words."""
    words = prompt.replace(topic, " ") if topic else prompt
    found = [(sign.start(), name) for name, kind in phrases.kinds.items() if (sign := kind.signs.search(words))]
    return phrases.kinds[min(found)[1] if found else next(iter(phrases.kinds))]


def _find_quoted(line: str, phrases: Phrases) -> Iterator[tuple[str, str]]:
    """Yield wording in quotation marks with its place, as in: Begin with "((Topic)), step by step."."""
    place = None
    if end := _QUOTED_END.search(line):
        *_, context = _SENTENCE_BEFORE.split(_QUOTE.sub(" ", line[: end.start()]))
        if phrases.last.search(context) and not phrases.negative.search(context):
            yield "last", end["wording"].strip()
            line = line[: end.start()]
    for quote in _QUOTE.finditer(line):
        text = quote["wording"].strip()
        before = _QUOTE.sub(" ", line[: quote.start()])
        *_, context = _SENTENCE_BEFORE.split(before) or [""]
        if len(_WORD.findall(text)) < 3 or phrases.negative.search(context):
            continue
        # two quotes in one sentence are alternatives for the same place
        if phrases.last.search(context):
            place = "last"
        elif phrases.first.search(context):
            place = "first"
        yield place or "own", text


def _is_own(line: str, topic: str, phrases: Phrases) -> bool:
    """Return whether a whole line can be used in the post unchanged."""
    if not line or len(line) > MAX_OWN_LENGTH or _BULLET.match(line) or _QUOTE.search(line) or _HEADED.match(line):
        return False
    return all(
        len(_WORD.findall(sentence)) >= 4
        and sentence[-1] in ".!?…"
        and not phrases.order.match(sentence)
        and not phrases.meta.search(sentence.replace(topic, "") if topic else sentence)
        for sentence in sentences(line)
    )


def _tags(prompt: str, phrases: Phrases) -> int:
    count = 0
    for sentence in sentences(prompt):
        found = re.search(r"(?i)hashtags?\b", sentence)
        if not found:
            continue
        before = sentence[: found.start()]
        *_, clause = re.split(r"[,;:.]\s", before)
        if phrases.negative.search(clause):
            continue
        numbers = [phrases.numbers.get(word, int(word) if word.isdecimal() else 0) for word in _words(clause)]
        count = max(count, min(MAX_TAGS, max(numbers, default=0) or 2))
    return count


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if len(word) < 10]


def _ended(sentence: str) -> str:
    return sentence if sentence[-1] in '.!?…:“”"»)' else f"{sentence}."
