"""Detection of a text file's encoding; if several are likely, a person is asked. Pure."""

import codecs
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final


class TextEncoding(StrEnum):
    utf_8 = "utf-8"
    utf_16 = "utf-16"
    windows_1252 = "windows-1252"
    """Western Europe: Excel on Windows."""
    macintosh = "macintosh"
    """Mac Roman: Excel on a Mac, where "CSV (Macintosh)" is chosen."""
    ibm850 = "ibm850"
    """Excel, where "CSV (MS-DOS)" is chosen."""
    windows_1250 = "windows-1250"
    """Central Europe."""
    windows_1251 = "windows-1251"
    """Cyrillic."""


_CODECS: Final = {
    TextEncoding.utf_8: "utf-8-sig",
    TextEncoding.windows_1252: "cp1252",
    TextEncoding.macintosh: "mac_roman",
    TextEncoding.ibm850: "cp850",
    TextEncoding.windows_1250: "cp1250",
    TextEncoding.windows_1251: "cp1251",
}
_GUESSED: Final = (TextEncoding.windows_1252, TextEncoding.macintosh, TextEncoding.ibm850)
"""Detected without a question; the others are only chosen by a person."""
_LOOKED_AT: Final = 20_000
"""Non-ASCII characters that a guess examines."""
_LINES_LOOKED_AT: Final = 200
_LIKELY_BELOW, _UNLIKELY_FROM = 0.04, 0.25
"""Shares of misplaced characters: at most the first for an encoding that is taken without a question, at least the
second for all others."""


@dataclass(frozen=True)
class DecodedText:
    text: str
    encoding: TextEncoding
    sure: bool
    """No other encoding is plausible."""
    others: tuple[TextEncoding, ...] = ()
    """The other possible encodings, the likely ones first."""


def decode(data: bytes, chosen: TextEncoding | None = None) -> DecodedText | None:
    """Return the text, decoded as `chosen` or as detected from the bytes. None if `data` is not text, or not in that
    encoding."""
    if (wide := _wide(data)) is not None:
        return wide if chosen in (None, TextEncoding.utf_16) else None
    if 0 in data:
        return None
    readings = {encoding: text for encoding in _CODECS if (text := _read(data, encoding)) is not None}
    if TextEncoding.utf_8 in readings:
        # bytes that are valid UTF-8 are almost never anything else
        readings = {TextEncoding.utf_8: readings[TextEncoding.utf_8]}
    if chosen is not None and chosen not in readings:
        return None
    guessed: list[TextEncoding] = [encoding for encoding in _GUESSED if encoding in readings]
    shares = {encoding: _misplaced(readings[encoding]) for encoding in guessed}
    ranked = sorted(readings, key=lambda encoding: shares[encoding].doubtful if encoding in shares else 2)
    best = chosen or ranked[0]
    others = [encoding for encoding in ranked if encoding is not best]
    sure = chosen is not None or best is TextEncoding.utf_8
    if not sure and shares[best].doubtful <= _LIKELY_BELOW:
        rivals = [
            shares[encoding] for encoding in others if encoding in shares and readings[encoding] != readings[best]
        ]
        sure = all(share.misplaced >= _UNLIKELY_FROM for share in rivals)
    return DecodedText(readings[best], best, sure, tuple(others))


def readings_of(data: bytes, encodings: Collection[TextEncoding]) -> list[tuple[TextEncoding, str]]:
    """Return a line of the file in each encoding, the one that differs most, so that a person can choose."""
    beyond = islice((line for line in data.splitlines() if not line.isascii()), _LINES_LOOKED_AT)
    lines = [
        [(encoding, text) for encoding in encodings if (text := _read(line, encoding)) is not None] for line in beyond
    ]
    return max(lines, key=lambda line: len({text for _, text in line}), default=[])


def _read(data: bytes, encoding: TextEncoding) -> str | None:
    try:
        return data.decode(_CODECS[encoding])
    except UnicodeDecodeError:
        return None


def _wide(data: bytes) -> DecodedText | None:
    """Decode UTF-16 (Excel: "Unicode text"), detected by its byte order mark or by every other byte being zero."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not data.startswith(codecs.BOM_UTF32_LE):
        name = "utf-16"
    elif data.count(0) * 3 < len(data):
        return None
    else:
        name = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else DecodedText(text, TextEncoding.utf_16, sure=True)


# scoring of guesses

_LETTERS: Final = frozenset("äöüßÄÖÜàâçèéêëîïôûùœæÀÂÇÈÉÊÎÔŒÆáíóúñÁÍÓÚÑìòãõåøÅØ")
"""Of Western European languages."""
_WORDS: Final = frozenset("àÀâáéÉèÈêóÓöåÅøØæÆ")
"""Letters that are words by themselves."""
_SIGNS: Final = frozenset("„“”‘’‚«»‹›–—…•·€£¥§©®™°¡¿ºª²³½¼¾±×´\xa0\xad")
"""Signs that people type, or programs for them."""
_JOINING: Final = frozenset("’´·\xad®™–—…")
"""Signs that may stand between two letters."""
_OPENING: Final = frozenset("„‚¡¿§")
"""Signs that never follow a letter."""
# don’t, we’re, I’m, it’s, whose apostrophe is a letter in another encoding
_CONTRACTED: Final = re.compile(r"(?:(?<=n).t|.(?:re|ve|ll)|(?<=\bI).m|(?<=\b[Ii]t).s)\b")


@dataclass(frozen=True)
class _Shares:
    """Shares of a text's non-ASCII characters."""

    misplaced: float
    """Certainly wrong."""
    doubtful: float
    """Probably wrong, the misplaced ones included."""


def _misplaced(text: str) -> _Shares:
    surely = hardly = total = 0
    for match in islice(re.finditer(r"[^\x00-\x7f]", text), _LOOKED_AT):
        never = _is_misplaced(text, match.start())
        total, surely = total + 1, surely + never
        hardly += never or match[0] not in _LETTERS | _SIGNS
    return _Shares(surely / total, hardly / total) if total else _Shares(0, 0)


def _is_misplaced(text: str, at: int) -> bool:
    sign = text[at]
    before, after = text[at - 1] if at else " ", text[at + 1] if at + 1 < len(text) else " "
    if unicodedata.category(sign) == "Cc":
        return True
    if not sign.isalpha() or sign in "ºª":
        between = before.isalpha() and after.isalpha() and sign not in _JOINING
        strange = sign not in _SIGNS and (before.isalpha() or after.isalpha())
        return between or strange or (before.isalpha() and sign in _OPENING)
    if sign in "ﬁﬂıˆƒ":
        return True
    if not before.isalpha() and not after.isalpha():
        return sign not in _WORDS
    if sign.isupper():
        return before.islower()
    three = before.isalpha() and after.isalpha() and not before.isascii() and not after.isascii()
    return (
        three  # such letters occur alone or in pairs
        or after.isupper()
        or (sign == "œ" and after.isalpha() and not after.isascii())
        or (sign == "õ" and after != "e")
        or (sign == "ã" and after.isalpha() and after not in "oesn")
        or (sign in "íõ" and _CONTRACTED.match(text, at) is not None)
    )
