"""Whether a model's text is in the language that was asked for, and whether it has words at all.

Counted are words that are frequent in one of the languages and no word of the other. A short text, a mixed one and one
in a third language are never called wrong.
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
"""Of the words, those that are frequent in the other language: English prose has some 0.4, German some 0.35."""
_LEAST_DIFFERENT: Final = 4
"""Of the words that are frequent in the other language: names repeat a few, as in "Die Zeit" and "von der Leyen"."""
_MOST_OWN: Final = 0.04
"""Of the words, those that are frequent in the wanted language. A quotation or a name has some."""


class Flaw(StrEnum):
    """What is wrong with a text, which is worth asking for another."""

    language = "language"
    """It is in another language than the one that was asked for."""
    no_words = "no_words"
    """It is but hashtags, addresses or signs."""


def find_flaw(text: str, wanted: str, asked: str = "") -> Flaw | None:
    """`asked` as for `other_language`."""
    if not has_words(text):
        return Flaw.no_words
    return Flaw.language if other_language(text, wanted, asked) else None


def other_language(text: str, wanted: str, asked: str = "") -> str | None:
    """Return the language that a text is in, where it is clearly another than `wanted`; None else. `asked` is what the
    model was told: a language that is named there is not wrong."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(_NO_WORDS.sub(" ", text))]
    own = _WORDS_OF.get(wanted)
    if own is None or len(words) < _LEAST_WORDS or _share(words, own) > _MOST_OWN:
        return None
    for language, frequent in _WORDS_OF.items():
        different = len(frequent & set(words))
        if language == wanted or different < _LEAST_DIFFERENT:
            continue
        if _share(words, frequent) >= _LEAST_SHARE and not _NAMES[language].search(asked):
            return language
    return None


def has_words(text: str) -> bool:
    """Whether there is anything but hashtags, mentions, addresses and signs."""
    return any(each.isalpha() for each in _NO_WORDS.sub(" ", text))


def _share(words: list[str], frequent: frozenset[str]) -> float:
    return sum(word in frequent for word in words) / len(words)
