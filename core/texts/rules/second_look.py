"""A second look at a model's text, by rules alone: what it states without a source, worn phrases, what the brand does
not want, and what the network's readers do not see.

The rules rather miss something than accuse a good text: each note is shown to a person, and may cost a revision. What
they cannot see: a fact without a number, name, address or quotation, and in German a name that is neither a person's
nor a company's, because all nouns are capitalised there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import regex

from core.brands.rules import Address, BrandVoice, EmojiUse, HashtagUse
from core.texts.rules import cliches
from core.texts.rules.endings import Ending, count_own_hashtags
from core.texts.rules.figures import unproven_figures
from core.texts.rules.names import Source, unproven_addresses, unproven_names, unproven_quotations
from core.texts.rules.review import Finding, ReviewNote
from core.texts.rules.texts import first_sentence, sentences
from core.texts.rules.written_language import other_language

MOST_OF_A_FINDING: Final = 5
"""Notes of the same finding for one text: more would not be read."""
SPARING_EMOJI: Final = 2
"""See `EmojiUse.sparing`."""
_SAME_WORDS: Final = 4
"""Openings that begin with so many equal words repeat each other, and so do closings that begin or end with them."""
_LEAST_WORDS: Final = 2
"""Shorter openings and closings repeat each other if all their words are equal, from this number on."""
_LONGEST: Final = 80
"""Characters of a passage in a note."""

_NO_ENDING: Final = Ending()
_NO_SENTENCE: Final = re.compile(r"(?>(?:https?://|www\.)\S+|[#＃@＠][\w.]+|[^\w\n])*+")
"""A line of hashtags, mentions, addresses and signs alone. Nothing is tried twice: the dot of `#Tag.` could also be a
sign, and a row of those would take forever."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_QUOTED: Final = re.compile(r"„[^“”\"]*[“”\"]|“[^”]*”|«[^»]*»|»[^«]*«|\"[^\"\n]*\"|‚[^‘’]*[‘’]")
_INFORMAL: Final = re.compile(
    r"(?<![\w#@])(?<!\bper )(?<!\bauf )(?<!\bdas )(?:du|dich|dir|dein(?:e[mnrs]?)?|euch|euer|eure[mnrs]?)(?!\w)",
    re.IGNORECASE,
)
# capitalised inside a sentence: at its beginning "Sie" may be several people, and "Ihr" a form of "her"
_FORMAL: Final = re.compile(r"(?<=[\w,;] )(?:Sie|Ihnen|Ihre?[mnrs]?)(?!\w)")
_EMOJI: Final = regex.compile(r"\p{Emoji_Presentation}|\p{Emoji}\ufe0f")
_CLUSTER: Final = regex.compile(r"\X")


def look(
    text: str,
    *,
    language: str,
    brief: str,
    brand: BrandVoice | None = None,
    network: str = "",
    fold: int | None = None,
    most_hashtags: int | None = None,
    ending: Ending = _NO_ENDING,
    earlier_openings: Sequence[str] = (),
    earlier_closings: Sequence[str] = (),
) -> tuple[ReviewNote, ...]:
    """Return what is wrong with a text for a network, or with a post's text (`network` ""); nothing for a good text.

    `brief`: all that the model was told and may state: topic, path, notes, values, date and link. `fold`: characters
    that readers see before they unfold the text; None: all. `most_hashtags`: None for any number; `ending` says which
    of them are published. The `earlier_` texts are those of other posts, as `opening_of` and `closing_of` return them.
    """
    source = Source("\n".join((brief, network, *_facts_of(brand))))
    notes = [
        *_notes(Finding.unproven, network, _unproven(text, language, source)),
        *([ReviewNote(Finding.wrong_language, network)] if other_language(text, language, brief) else []),
        *_notes(Finding.wrong_address, network, _wrong_address(text, language, brand)[:1]),
        *_notes(Finding.avoided_word, network, _avoided(text, brand)),
        *_notes(Finding.cliche, network, cliches.find(text, language)),
        *_notes(Finding.repeated_opening, network, _repeated(opening_of(text), earlier_openings, brief, _share_start)),
        *_notes(Finding.repeated_closing, network, _repeated(closing_of(text), earlier_closings, brief, _share_end)),
    ]
    if brand and brand.hashtags is HashtagUse.none:
        most_hashtags = 0
    count = count_own_hashtags(text, ending)
    if most_hashtags is not None and count > most_hashtags:
        notes.append(ReviewNote(Finding.too_many_hashtags, network, {"count": count, "most": most_hashtags}))
    notes += _emoji_notes(text, network, brand)
    if fold and len(text) > fold and len(first_sentence(text, len(text) * 2)) > fold:
        notes.append(ReviewNote(Finding.late_message, network, {"fold": fold}))
    return tuple(notes)


def opening_of(text: str) -> str:
    """Return a text's first sentence or line, to compare it with those of other posts."""
    return first_sentence(text, max(1, len(text) * 2))


def closing_of(text: str) -> str:
    """Return a text's last sentence or line, without hashtags and addresses below it."""
    lines = text.split("\n")
    while lines and _NO_SENTENCE.fullmatch(lines[-1]):
        lines.pop()
    found = [sentence for sentence in sentences("\n".join(lines)) if not _NO_SENTENCE.fullmatch(sentence)]
    return found[-1] if found else ""


def count_emoji(text: str) -> int:
    """Return the number of emoji, a family or a flag as one."""
    return sum(1 for cluster in _CLUSTER.findall(text) if _EMOJI.search(cluster))


def _facts_of(brand: BrandVoice | None) -> Iterator[str]:
    """Yield what a text for the brand may state. Its examples are other posts: what they offered may be over."""
    if brand:
        yield from (brand.told_name, brand.about, brand.audience, brand.voice)
        yield from (*brand.dos, *brand.words_to_use, *brand.facts)


def _notes(finding: Finding, network: str, passages: Iterable[str]) -> list[ReviewNote]:
    shown = dict.fromkeys(passages)
    return [ReviewNote(finding, network, {"what": _short(what)}) for what in list(shown)[:MOST_OF_A_FINDING]]


def _short(passage: str) -> str:
    line = " ".join(passage.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def _unproven(text: str, language: str, source: Source) -> list[str]:
    return [
        *unproven_figures(text, source.text),
        *unproven_names(text, language, source),
        *unproven_addresses(text, source),
        *unproven_quotations(text, source),
    ]


def _wrong_address(text: str, language: str, brand: BrandVoice | None) -> list[str]:
    """Return the words that address readers in the form that the brand does not use; not in what somebody else says."""
    if language != "de" or brand is None or brand.address is Address.any:
        return []
    wrong = _INFORMAL if brand.address is Address.formal else _FORMAL
    return wrong.findall(_QUOTED.sub(" … ", text))


def _avoided(text: str, brand: BrandVoice | None) -> list[str]:
    found = []
    for entry in brand.words_to_avoid if brand else ():
        if words := entry.split():
            # with the endings of German and English forms
            pattern = r"\s+".join(map(re.escape, words)) + r"(?:e[mnrs]?|s|n)?"
            if match := re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
                found.append(match[0])
    return found


def _repeated(
    mine: str, earlier: Sequence[str], brief: str, shares: Callable[[list[str], list[str]], list[str]]
) -> list[str]:
    """Return the text's own opening or closing if another post has it, and the brief does not ask for it."""
    words, asked = _words(mine), " ".join(_words(brief))
    for other in earlier:
        if (same := shares(words, _words(other))) and " ".join(same) not in asked:
            return [mine]
    return []


def _share_start(mine: list[str], other: list[str]) -> list[str]:
    """Return the equal first words if both repeat each other, else nothing."""
    if mine == other and len(mine) >= _LEAST_WORDS:
        return mine
    return mine[:_SAME_WORDS] if len(mine) >= _SAME_WORDS and mine[:_SAME_WORDS] == other[:_SAME_WORDS] else []


def _share_end(mine: list[str], other: list[str]) -> list[str]:
    """Return the equal first or last words if both repeat each other, else nothing."""
    if len(mine) >= _SAME_WORDS and mine[-_SAME_WORDS:] == other[-_SAME_WORDS:]:
        return mine[-_SAME_WORDS:]
    return _share_start(mine, other)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _emoji_notes(text: str, network: str, brand: BrandVoice | None) -> list[ReviewNote]:
    if brand is None or brand.emoji is EmojiUse.free:
        return []
    most = SPARING_EMOJI if brand.emoji is EmojiUse.sparing else 0
    if (count := count_emoji(text)) > most:
        return [ReviewNote(Finding.too_many_emoji, network, {"count": count, "most": most})]
    if first := count_emoji(text.strip().partition("\n")[0]):
        return [ReviewNote(Finding.too_many_emoji, network, {"count": first, "most": 0, "where": "first_line"})]
    return []
