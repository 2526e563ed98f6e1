"""The demo writer's sentences, by language and kind of post: data in `phrases/*.json`.

`{topic}` stands where the topic goes: alone before or after a mark, since a topic may be any words and nothing here can
inflect them; `{fact}` where the first sentence of the notes does. `[du gehst|Sie gehen]` holds both ways of addressing
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
    """One kind of post. `signs` tells it by the words of a template."""

    signs: re.Pattern[str]
    hooks: tuple[str, ...]
    plain: tuple[str, ...]
    """Paragraphs that are true without any notes; of a `how-to` they are steps, one on each line."""
    closings: tuple[str, ...]
    """Where the notes end with no question of their own."""
    turns: tuple[str, ...] = ()
    """After what the notes say."""
    plain_hooks: tuple[str, ...] = ()
    """Where nobody's words are in the notes; empty: `hooks`."""
    options: tuple[tuple[str, ...], ...] = ()
    """Answers to choose from."""
    always: str = ""
    """A sentence that no post of the kind goes without."""
    suffix: str = ""
    """Belongs to every topic of the kind."""
    facts: str = "prose"
    """How the notes appear: prose, steps or options."""
    labels_first: bool = False


@dataclass(frozen=True)
class ArticleSection:
    heading: str
    holds: str
    """What of the notes it tells: `prose`, the `rest` of the prose, `items`, `labels` or `none`."""
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class ArticlePhrases:
    """Of an article on any topic, true without any notes."""

    titles: tuple[str, ...]
    sections: tuple[ArticleSection, ...]
    summaries: tuple[str, ...]
    descriptions: tuple[str, ...]


@dataclass(frozen=True)
class Phrases:
    """`kinds` by name; the first is for what no sign tells. The patterns read templates and notes."""

    kinds: Mapping[str, Kind]
    clause: re.Pattern[str]
    """How a topic begins that is half a sentence: "What a service costs"."""
    clause_hooks: tuple[str, ...]
    pronoun: re.Pattern[str]
    """How a sentence begins that points at the one before."""
    order: re.Pattern[str]
    """How a sentence begins that tells the writer what to do."""
    note_order: re.Pattern[str]
    """The same in notes, where "keep the chain dry" is a tip to readers."""
    meta: re.Pattern[str]
    """Words about the text itself: a sentence with one of them is an order in disguise."""
    negative: re.Pattern[str]
    first: re.Pattern[str]
    last: re.Pattern[str]
    formal: re.Pattern[str]
    about: re.Pattern[str]
    numbers: Mapping[str, int]
    small: frozenset[str]
    """Words that are no hashtag."""
    capital_nouns: bool
    fallback: str
    titles: tuple[str, ...]
    """Subtopics of any topic."""
    beside: tuple[str, ...]
    """The same with another topic, above it or beside it."""
    readers_of: tuple[str, ...]
    """For whom a subtopic may be."""
    more: str
    article: ArticlePhrases


_PHRASES = TypeAdapter(Phrases)


@dataclass
class Picker:
    """Choices that follow from a number: the same every time, different for a different order. With a `turn` those that
    have a name go round instead, so that two turns in a row never choose the same of two or more."""

    seed: int
    turn: int | None = None
    _drawn: int = field(default=0, init=False)

    def one(self, options: tuple[T, ...], name: str = "") -> T:
        if name and self.turn is not None:
            return options[(crc32(name.encode()) + self.turn) % len(options)]
        # a step of its own for each choice, so that a short list never uses up the number
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
    """English where there is none of the language."""
    own = PHRASES / f"{language_of(language)}.json"
    return _PHRASES.validate_json((own if own.exists() else PHRASES / f"{Language.en}.json").read_bytes())


def addressed(sentence: str, *, formal: bool) -> str:
    return _ADDRESS.sub(lambda both: both[2 if formal else 1], sentence)


def length(text: str) -> int:
    """As a network may count it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, limit: int) -> str:
    """The beginning of `text` that fits, up to a word's end where there is one."""
    if length(text) <= limit:
        return text
    head = text.encode("utf-16-le", "surrogatepass")[: max(limit - 1, 0) * 2].decode("utf-16-le", errors="ignore")
    return (head.rsplit(None, 1)[0] if " " in head.strip() else head).rstrip(" ,;:.") + "…" if limit > 0 else ""
