"""Checks whether a model's text is in the requested language, and has words at all.

It counts words that are frequent in one language and do not exist in the other. Short or mixed texts, and texts in a
third language, always pass.
"""

import re
from enum import StrEnum
from typing import Final

_ONLY_GERMAN: Final = """
    der die das und ist ein eine einen einem einer nicht mit für auf den dem des sich auch von wir ihr ich sie es im zu
    zum zur bei aus nach über wie oder aber wenn dass noch nur mehr schon sind wird werden haben euch dein deine unser
    unsere euer eure kein keine durch dann jetzt hier wer
"""
_ONLY_ENGLISH: Final = """
    the and of to is are you your our we it that this with for on from they them not be have has what when how who can
    just more than into about their there out up if or as at by my it's don't you're we're today now get use better
    only because why which these
"""
_WORDS_OF: Final = {"de": frozenset(_ONLY_GERMAN.split()), "en": frozenset(_ONLY_ENGLISH.split())}
_NAMES: Final = {"de": re.compile("german|deutsch", re.IGNORECASE), "en": re.compile("english|englisch", re.IGNORECASE)}
_NO_WORDS: Final = re.compile(r"(?:https?://|www\.)\S+|[#＃@＠][\w.]+|[\w.+-]+@[\w-]+\.\w+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LEAST_WORDS: Final = 12
_LEAST_SHARE: Final = 0.2
"""Minimum share of words that are frequent in the other language: English prose has about 0.4, German 0.35."""
_LEAST_DIFFERENT: Final = 4
"""Minimum distinct frequent words of the other language: names repeat a few, as in "Die Zeit", "von der Leyen"."""
_MOST_OWN: Final = 0.04
"""Maximum share of words that are frequent in the wanted language, such as in a quotation or a name."""


class Flaw(StrEnum):
    """A flaw of a text for which another one is requested."""

    language = "language"
    """The text is in another language than requested."""
    no_words = "no_words"
    """The text has only hashtags, addresses or symbols."""


def find_flaw(text: str, expected: str, asked: str = "") -> Flaw | None:
    """Return a text's flaw, if any. `asked`: see `other_language`."""
    if not has_words(text):
        return Flaw.no_words
    return Flaw.language if other_language(text, expected, asked) else None


def other_language(text: str, expected: str, asked: str = "") -> str | None:
    """Return the text's language if it is clearly not `wanted`, else None. `asked` is the prompt: a language named
    there is accepted."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(_NO_WORDS.sub(" ", text))]
    own = _WORDS_OF.get(expected)
    if own is None or len(words) < _LEAST_WORDS or _share(words, own) > _MOST_OWN:
        return None
    for language, frequent in _WORDS_OF.items():
        different = len(frequent & set(words))
        if language == expected or different < _LEAST_DIFFERENT:
            continue
        if _share(words, frequent) >= _LEAST_SHARE and not _NAMES[language].search(asked):
            return language
    return None


def has_words(text: str) -> bool:
    """Return whether there is anything but hashtags, mentions, addresses and symbols."""
    return any(each.isalpha() for each in _NO_WORDS.sub(" ", text))


def _share(words: list[str], frequent: frozenset[str]) -> float:
    return sum(word in frequent for word in words) / len(words)
