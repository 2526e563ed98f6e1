"""The demo writer's sentences, by language and kind of post: data in `phrases/*.json`.

`{topic}` is the place of the topic: alone before or after a mark, since a topic may be any words and nothing here can
inflect them; `{fact}` is the place of the notes' first sentence. `[du gehst|Sie gehen]` holds both ways of addressing
readers.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from pydantic import TypeAdapter

from core.languages import Language, language_of

PHRASES = Path(__file__).parent / "phrases"

T = TypeVar("T")

_ADDRESS = re.compile(r"\[([^\]|]*)\|([^\]|]*)\]")


@dataclass(frozen=True)
class Kind:
    """One kind of post. `signs` matches the words of its templates."""

    signs: re.Pattern[str]
    hooks: tuple[str, ...]
    plain: tuple[str, ...]
    """Paragraphs that are true without notes; for a `how-to`, steps, one per line."""
    closings: tuple[str, ...]
    """Used if the notes end without a question."""
    turns: tuple[str, ...] = ()
    """Used after the notes."""
    plain_hooks: tuple[str, ...] = ()
    """Used if the notes have no quotes; empty: `hooks`."""
    options: tuple[tuple[str, ...], ...] = ()
    """Answers to choose from."""
    always: str = ""
    """A sentence in every post of the kind."""
    suffix: str = ""
    """Appended to every topic of the kind."""
    facts: str = "prose"
    """Form of the notes: prose, steps or options."""
    labels_first: bool = False


@dataclass(frozen=True)
class ArticleSection:
    heading: str
    holds: str
    """The part of the notes in it: `prose`, the `rest` of the prose, `items`, `labels` or `none`."""
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class ArticlePhrases:
    """Phrases of an article on any topic, true without notes."""

    titles: tuple[str, ...]
    sections: tuple[ArticleSection, ...]
    summaries: tuple[str, ...]
    descriptions: tuple[str, ...]


@dataclass(frozen=True)
class Phrases:
    """`kinds` by name; the first is for templates without a sign. The patterns read templates and notes."""

    kinds: Mapping[str, Kind]
    clause: re.Pattern[str]
    """Matches the start of a topic that is a clause: "What a service costs"."""
    clause_hooks: tuple[str, ...]
    pronoun: re.Pattern[str]
    """Matches the start of a sentence that refers to the one before."""
    order: re.Pattern[str]
    """Matches the start of an order to the writer."""
    note_order: re.Pattern[str]
    """As `order`, in notes, where "keep the chain dry" is a tip to readers."""
    meta: re.Pattern[str]
    """Matches words about the text itself: a sentence with one of them is an order too."""
    negative: re.Pattern[str]
    first: re.Pattern[str]
    last: re.Pattern[str]
    formal: re.Pattern[str]
    about: re.Pattern[str]
    numbers: Mapping[str, int]
    small: frozenset[str]
    """Words that are not used as hashtags."""
    capital_nouns: bool
    fallback: str
    titles: tuple[str, ...]
    """Subtopics of any topic."""
    beside: tuple[str, ...]
    """Subtopics that combine the topic with a topic above or beside it."""
    readers_of: tuple[str, ...]
    """Subtopics for groups of readers."""
    more: str
    article: ArticlePhrases


_PHRASES = TypeAdapter(Phrases)


@dataclass
class Picker:
    """Deterministic choices from a seed: always the same for the same order. With a `turn`, named choices rotate
    instead, so that two turns in a row never choose the same of two or more options."""

    seed: int
    turn: int | None = None
    _drawn: int = field(default=0, init=False)

    def one(self, options: tuple[T, ...], name: str = "") -> T:
        if name and self.turn is not None:
            return options[(crc32(name.encode()) + self.turn) % len(options)]
        # a new mix for each choice, so that a short list never uses up the seed
        self._drawn += 1
        mixed = (self.seed + self._drawn * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        return options[(mixed ^ (mixed >> 27)) % len(options)]

    def shuffled(self, options: tuple[T, ...]) -> Iterator[T]:
        left = options
        while left:
            chosen = self.one(left)
            left = tuple(option for option in left if option != chosen)
            yield chosen


@lru_cache
def phrases_of(language: str) -> Phrases:
    """Return the phrases of the language, or English ones."""
    own = PHRASES / f"{language_of(language)}.json"
    return _PHRASES.validate_json((own if own.exists() else PHRASES / f"{Language.en}.json").read_bytes())


def addressed(sentence: str, *, formal: bool) -> str:
    return _ADDRESS.sub(lambda both: both[2 if formal else 1], sentence)


def length(text: str) -> int:
    """Return the length in UTF-16 units, as some networks count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, limit: int) -> str:
    """Return the beginning of `text` that fits, cut at a word's end if possible."""
    if length(text) <= limit:
        return text
    head = text.encode("utf-16-le", "surrogatepass")[: max(limit - 1, 0) * 2].decode("utf-16-le", errors="ignore")
    return (head.rsplit(None, 1)[0] if " " in head.strip() else head).rstrip(" ,;:.") + "…" if limit > 0 else ""
