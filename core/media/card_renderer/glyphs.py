"""Signs of cards: their font, their width and their position in a word.

Nothing here opens a font. A `.metrics` file beside each font has what a layout needs (`fonts/build.py`), so that a text
has the same width on every machine with any shaping engine. An emoji of several code points is one sign:
`drawable` replaces it by a code point of a private plane.
"""

import struct
import unicodedata
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from core.media.rules.cards import CardFont

FONTS = Path(__file__).with_name("fonts")
TEXT, BOLD = 600, 700
"""Weights of every family."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom; downwards."""

_SYMBOLS, _EMOJI = "symbols-400", "emoji-400"
_PLANE = 0xF0000
_AS_EMOJI = "\ufe0f"
_UNSEEN = ("Cc", "Cf", "Mn")
"""Controls, joiners and variation selectors: invisible, so dropping them is no loss."""

_MAX_MARKS = 2
"""Marks on one letter: more would overlap other lines."""

_SPACING = {
    "\u0300": "`",
    "\u0301": "´",
    "\u0302": "ˆ",
    "\u0303": "˜",
    "\u0304": "¯",
    "\u0306": "˘",
    "\u0307": "˙",
    "\u0308": "¨",
    "\u030a": "˚",
    "\u030b": "˝",
    "\u030c": "ˇ",
    "\u0323": "˙",
    "\u0327": "¸",
    "\u0328": "˛",
    "\u0331": "¯",
}
"""Combining marks and their spacing equivalents, which every family has."""

_BELOW = "\u0323\u0327\u0328\u0331"
_TOUCHING = "\u0327\u0328"
_GAP = 0.05
_AIR = 0.06
"""Space on both sides of an emoji, which fills its width."""


@dataclass(frozen=True)
class Style:
    font: CardFont
    weight: int

    @property
    def faces(self) -> tuple[str, ...]:
        """Fonts in the order in which a sign is looked up."""
        return f"{self.font}-{self.weight}", f"fallback-{self.weight}", _SYMBOLS, _EMOJI


@dataclass(frozen=True)
class Face:
    """Lengths are in parts of the size; `boxes` are the ink around a sign's origin on the baseline."""

    advances: dict[str, float]
    boxes: dict[str, Box]
    kerns: dict[int, int]
    """Kerning by both code points, in thousandths of the size."""

    def kern(self, left: str, right: str) -> float:
        return self.kerns.get(ord(left) << 16 | ord(right), 0) / 1000


@dataclass(frozen=True)
class Sign:
    """`x` and `y` are the origin from the word's left end and baseline, in parts of the size.

    `step` is the number of signs before it: each adds the text's tracking.
    """

    text: str
    face: str
    x: float
    y: float
    step: int

    @property
    def box(self) -> Box:
        left, top, right, bottom = face(self.face).boxes[self.text]
        return self.x + left, self.y + top, self.x + right, self.y + bottom

    @property
    def coloured(self) -> bool:
        return self.face == _EMOJI


@dataclass(frozen=True)
class Word:
    """`width` without tracking, `ink` around the whole word; both in parts of the size."""

    signs: tuple[Sign, ...]
    width: float
    steps: int
    ink: Box


@cache
def face(name: str) -> Face:
    data = zlib.decompress((FONTS / f"{name}.metrics").read_bytes())
    (count,) = struct.unpack_from("<I", data)
    at = 4
    signs = [chr(code) for code in struct.unpack_from(f"<{count}I", data, at)]
    at += 4 * count
    advances = [value / 1000 for value in struct.unpack_from(f"<{count}h", data, at)]
    at += 2 * count
    edges = [value / 1000 for value in struct.unpack_from(f"<{4 * count}h", data, at)]
    at += 8 * count
    (pairs,) = struct.unpack_from("<I", data, at)
    keys = struct.unpack_from(f"<{pairs}I", data, at + 4)
    values = struct.unpack_from(f"<{pairs}h", data, at + 4 + 4 * pairs)
    boxes = zip(edges[::4], edges[1::4], edges[2::4], edges[3::4], strict=True)
    return Face(
        dict(zip(signs, advances, strict=True)),
        dict(zip(signs, boxes, strict=True)),
        dict(zip(keys, values, strict=True)),
    )


@lru_cache(1000)
def drawable(text: str) -> tuple[str, bool]:
    """Return the text as one line of signs that the fonts have, with single spaces, and whether anything visible was
    dropped. Each emoji sequence becomes one sign.
    """
    signs: list[str] = []
    dropped = False
    composed = unicodedata.normalize("NFC", text)
    at = marks = 0
    while at < len(composed):
        emoji = _emoji_at(composed, at)
        if emoji is not None:
            sign, at = emoji
            signs.append(sign)
            continue
        sign = composed[at]
        at += 1
        if unicodedata.combining(sign):
            follows = bool(signs) and signs[-1][-1].isalnum()
            marks = marks + 1 if unicodedata.combining(composed[at - 2]) else 1
            if follows and marks <= _MAX_MARKS and sign in _SPACING:
                signs[-1] += sign
            else:
                dropped = True
        elif sign.isspace():
            signs.append(" ")
        elif unicodedata.category(sign) in _UNSEEN:
            continue
        elif _has(sign):
            signs.append(sign)
        else:
            # replace mathematical bold letters, ligatures and Roman numerals by plain letters
            plain = unicodedata.normalize("NFKC", sign)
            if plain != sign and all(map(_has, plain)):
                signs.append(plain)
            else:
                dropped = True
    return " ".join("".join(signs).split()), dropped


def clusters(word: str) -> list[str]:
    """Return the letters with their marks."""
    signs: list[str] = []
    for sign in word:
        if signs and unicodedata.combining(sign):
            signs[-1] += sign
        else:
            signs.append(sign)
    return signs


@lru_cache(30_000)
def shape(word: str, style: Style) -> Word:
    """Return the placed signs of a word, which has no spaces and nothing that `drawable` would drop."""
    order = _order(word, style)
    signs: list[Sign] = []
    x, before = 0.0, ("", "")
    base: Sign | None = None
    steps = 0
    for letter in word:
        if unicodedata.combining(letter):
            if base is not None:
                signs.append(_mark(letter, base, signs[-1], order))
            continue
        name = next(name for name in order if letter in face(name).advances)
        if before[0] == name and name != _EMOJI:
            x += face(name).kern(before[1], letter)
        air = _AIR if name == _EMOJI else 0.0
        base = Sign(letter, name, x + air, 0.0, steps)
        signs.append(base)
        x += face(name).advances[letter] + 2 * air
        before = name, letter
        steps += 1
    boxes = [sign.box for sign in signs] or [(0.0, 0.0, 0.0, 0.0)]
    left, top, right, bottom = zip(*boxes, strict=True)
    return Word(tuple(signs), x, steps, (min(left), min(top), max(right), max(bottom)))


def space(style: Style) -> float:
    """Return the width of a space in parts of the size."""
    return face(style.faces[0]).advances[" "]


def _order(word: str, style: Style) -> tuple[str, ...]:
    """Return the font order; if a letter is missing, the fallback comes first, so that a word's letters match."""
    first, fallback, *rest = style.faces
    letters = [sign for sign in word if sign.isalpha() and ord(sign) < _PLANE]
    if any(sign not in face(first).advances for sign in letters):
        return fallback, first, *rest
    return style.faces


def _mark(mark: str, base: Sign, below: Sign, order: tuple[str, ...]) -> Sign:
    """Place a mark centred above its letter or the mark before it; some marks go below."""
    shown = _SPACING[mark]
    name = next(name for name in (base.face, *order) if shown in face(name).advances)
    left, top, right, bottom = face(name).boxes[shown]
    box = base.box
    x = (box[0] + box[2]) / 2 - (left + right) / 2
    if mark in _BELOW:
        y = max(box[3], 0.0) + (0.0 if mark in _TOUCHING else _GAP) - top
    else:
        # above the previous mark, unless that is below the letter
        under = min(box[1], below.box[1])
        y = under - _GAP - bottom
    return Sign(shown, name, x, y, base.step)


@lru_cache(10_000)
def _has(sign: str) -> bool:
    return ord(sign) < _PLANE and any(
        sign in face(name).advances for name in (f"{CardFont.schibsted}-{BOLD}", f"fallback-{BOLD}", _SYMBOLS)
    )


@cache
def _emojis() -> dict[str, list[tuple[str, str]]]:
    """Return by first code point: sequences without variation selectors, longest first, with their signs."""
    by_first: dict[str, list[tuple[str, str]]] = {}
    for index, line in enumerate((FONTS / "emoji.txt").read_text().splitlines()):
        sequence = "".join(chr(int(code, 16)) for code in line.split())
        by_first.setdefault(sequence[0], []).append((sequence, chr(_PLANE + index)))
    for sequences in by_first.values():
        sequences.sort(key=lambda item: -len(item[0]))
    return by_first


def _emoji_at(text: str, at: int) -> tuple[str, int] | None:
    """Return the sign of the emoji that begins at `at`, and its end."""
    for sequence, sign in _emojis().get(text[at], ()):
        end = _match(text, at, sequence)
        if end is None:
            continue
        if len(sequence) > 1 or text[end : end + 1] == _AS_EMOJI or not _has(sequence):
            return sign, end
    return None


def _match(text: str, at: int, sequence: str) -> int | None:
    for expected in sequence:
        if text[at : at + 1] == _AS_EMOJI:
            at += 1
        if text[at : at + 1] != expected:
            return None
        at += 1
    return at
