"""The typography of a model's text: German quotation marks, dashes, spaces; in English dashes, ellipses and spaces.

Addresses, mentions, hashtags and code stay as they are. The result may have more characters than the text.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

_NO_BREAK: Final = "\u00a0"
_MARK: Final = "\ue000"
"""Stands for a part that is kept. A model's answer has no such character: `read_answer` removes it."""

_PASSES: Final = 8

_ADDRESSES: Final = (
    r"(?:https?://|www\.)\S*[\w/=#&+-]"
    r"|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|[#＃@＠][\w.@-]{0,200}\w"
    r"|`[^`\n]+`"
)
_KEPT: Final = re.compile(_ADDRESSES)
_KEPT_IN_MARKDOWN: Final = re.compile(
    # code blocks, indented code, tables' lines of dashes, targets of links and images, definitions of links
    r"^(?P<fence>`{3,}|~{3,}).*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|^(?: {4}|\t)[^\n]*$"
    r"|^[ \t|:-]+$"
    r"|\]\([^)\n]*\)"
    rf"|^\[[^\]\n]+\]:[^\n]*$|{_ADDRESSES}",
    re.MULTILINE | re.DOTALL,
)

_ELLIPSIS: Final = re.compile(r"\.{3,}")
_SPACES: Final = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
# between words; not the marker of a list in a quotation, nor an empty cell of a table
_HYPHEN_AS_DASH: Final = re.compile(r"(?<=[^\s>|])(?: -{1,2} |(?<=\w)--(?=\w))(?=[^\s>|])")
_DIGITS_DASH: Final = re.compile(r"(?<=\d)—(?=\d)")
_LONG_DASH: Final = re.compile(r"(?<=[^\s„‚(\[—]) *— *(?=[^\s“‘)\]—])")

_SPACE_BEFORE_SIGN: Final = re.compile(r"(?<=\w)[ \u00a0\u202f]+(?=[!?]+(?:\W|\Z)|[;:](?:\s|\Z))")
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_PERCENT: Final = re.compile(r"(?<=\d)[ \u202f]?(?=[%€](?![\w-]))")
_UNIT: Final = re.compile(
    r"(?<=\d)[ \u202f](?=(?:kg|g|mg|t|km|m|cm|mm|m²|qm|l|ml|h|min|s|kW|kWh|W|V|°C|°|MB|GB|TB|Uhr|Euro|Prozent"
    r"|Mio\.|Mrd\.)(?!\w))"
)
_ABBREVIATION: Final = re.compile(
    r"(?<!\w)(?:([zZ])\. ?([BT])\.|([dD])\. ?(h)\.|([uU])\. ?([aU])\.|([oO])\. ?(Ä)\.|([vV])\. ?(a)\."
    r"|([iI])\. ?(d)\. ?(R)\.|([uU])\. ?(v)\. ?(m)\.)"
)

_OPENING: Final = '„“”"'
_INNER: Final = "‚‘'’"
_BEFORE_OPENING: Final = frozenset(" \t\n\u00a0([{–—-/*_>")


def typeset(text: str, language: str, *, markdown: bool = False) -> str:
    """Return the text with the typography of its language; unchanged in a language without rules here. Applied again,
    it changes nothing. `markdown`: an article, whose code and tables are kept too."""
    rules = _RULES.get(language)
    if rules is None or _MARK in text:
        return text
    # a change may make room for another one, such as a dash between two dashes
    for _ in range(_PASSES):
        before, text = text, _apply(rules, text, _KEPT_IN_MARKDOWN if markdown else _KEPT)
        if text == before:
            break
    return text


def _apply(rules: Iterable[Callable[[str], str]], text: str, kept: re.Pattern[str]) -> str:
    parts = [match[0] for match in kept.finditer(text)]
    text = kept.sub(_MARK, text)
    for rule in rules:
        text = rule(text)
    following = iter(parts)
    return re.sub(_MARK, lambda _: next(following), text)


def _with_ellipses(text: str) -> str:
    return _ELLIPSIS.sub("…", text)


def _with_single_spaces(text: str) -> str:
    return _SPACES.sub(" ", text)


def _with_dashes(text: str) -> str:
    return _HYPHEN_AS_DASH.sub(" – ", text)


def _without_long_dashes(text: str) -> str:
    text = _LONG_DASH.sub(" – ", _DIGITS_DASH.sub("–", text))
    return text.replace("—", "–")


def _with_german_spaces(text: str) -> str:
    text = _SPACE_BEFORE_SIGN.sub("", text)
    text = _UNIT.sub(_NO_BREAK, _PERCENT.sub(_NO_BREAK, text))
    return _ABBREVIATION.sub(lambda match: f".{_NO_BREAK}".join(filter(None, match.groups())) + ".", text)


def _with_apostrophes(text: str) -> str:
    return _APOSTROPHE.sub("’", text)


def _with_german_quotes(text: str) -> str:
    return "".join(map(_quoted, re.split(r"(\n\s*\n)", text)))


def _quoted(paragraph: str) -> str:
    """Return a paragraph with German quotation marks; unchanged if a mark has no counterpart."""
    result, open_marks = list(paragraph), ""
    for at, sign in enumerate(paragraph):
        if sign not in _OPENING + _INNER:
            continue
        before = paragraph[at - 1] if at else " "
        after = paragraph[at + 1] if at + 1 < len(paragraph) else " "
        inner = sign in _INNER
        if inner and (not open_marks or before.isalnum() and after.isalnum()):
            continue  # an apostrophe
        closes = not before.isspace() and bool(open_marks) and before not in _OPENING[:1] + _INNER[:1]
        opens = not after.isspace() and (before in _BEFORE_OPENING or before in "„‚" + '"“')
        if sign in "„‚" or (opens and not (closes and sign in "”’‘")):
            if len(open_marks) == 2 or (inner and open_marks != "„"):
                return paragraph
            result[at] = "‚" if open_marks else "„"
            open_marks += result[at]
        elif closes:
            if inner and open_marks[-1] != "‚":
                continue  # an apostrophe at the end of a word
            result[at] = "‘" if open_marks[-1] == "‚" else "“"
            open_marks = open_marks[:-1]
        elif before.isdigit() and not open_marks:
            continue  # inches
        else:
            return paragraph
    return paragraph if open_marks else "".join(result)


_RULES: Final[Mapping[str, tuple[Callable[[str], str], ...]]] = {
    "de": (
        _with_ellipses,
        _with_single_spaces,
        _with_dashes,
        _without_long_dashes,
        _with_german_spaces,
        _with_german_quotes,
        _with_apostrophes,
    ),
    "en": (_with_ellipses, _with_single_spaces, _with_dashes),
}
