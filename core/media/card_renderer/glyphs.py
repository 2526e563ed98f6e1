"""Signs of cards: which font has them, how wide they are, and where they stand in a word.

Nothing here opens a font. Beside each one lies what a layout needs of it (`fonts/build.py`), so that a text has the
same width on every machine, whatever shaping engine is installed there. An emoji of several code points is one sign:
`drawable` puts a code point of a private plane in its place.
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
"""Controls, joiners and variation selectors: nobody misses them."""

_MAX_MARKS = 2
"""On one letter: a pile of them would run into other lines."""

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
"""Marks and the signs that look like them and stand alone, which every family has."""

_BELOW = "\u0323\u0327\u0328\u0331"
_TOUCHING = "\u0327\u0328"
_GAP = 0.05
_AIR = 0.06
"""On both sides of an emoji, which fills its width."""


@dataclass(frozen=True)
class Style:
    font: CardFont
    weight: int

    @property
    def faces(self) -> tuple[str, ...]:
        """In this order a sign is looked for."""
        return f"{self.font}-{self.weight}", f"fallback-{self.weight}", _SYMBOLS, _EMOJI


@dataclass(frozen=True)
class Face:
    """Lengths are in parts of the size; `boxes` are the ink around a sign's origin on the baseline."""

    advances: dict[str, float]
    boxes: dict[str, Box]
    kerns: dict[int, int]
    """By both code points, in thousandths of the size."""

    def kern(self, left: str, right: str) -> float:
        return self.kerns.get(ord(left) << 16 | ord(right), 0) / 1000


@dataclass(frozen=True)
class Sign:
    """`x` and `y` are its origin from the word's left end and baseline, in parts of the size.

    `step` is how many signs stand before it: each adds the text's tracking.
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
    """`width` without tracking, `ink` around all of it; both in parts of the size."""

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
    """One line of what the fonts can show, single spaces between its words, and whether anything visible is missing.

    Sequences of emoji have become one sign each.
    """
    kept: list[str] = []
    dropped = False
    composed = unicodedata.normalize("NFC", text)
    at = marks = 0
    while at < len(composed):
        found = _emoji_at(composed, at)
        if found is not None:
            sign, at = found
            kept.append(sign)
            continue
        sign = composed[at]
        at += 1
        if unicodedata.combining(sign):
            follows = bool(kept) and kept[-1][-1].isalnum()
            marks = marks + 1 if unicodedata.combining(composed[at - 2]) else 1
            if follows and marks <= _MAX_MARKS and sign in _SPACING:
                kept[-1] += sign
            else:
                dropped = True
        elif sign.isspace():
            kept.append(" ")
        elif unicodedata.category(sign) in _UNSEEN:
            continue
        elif _has(sign):
            kept.append(sign)
        else:
            # bold letters from the mathematical plane, ligatures, Roman numbers: the plain letters
            plain = unicodedata.normalize("NFKC", sign)
            if plain != sign and all(map(_has, plain)):
                kept.append(plain)
            else:
                dropped = True
    return " ".join("".join(kept).split()), dropped


def clusters(word: str) -> list[str]:
    """Letters with the marks on them."""
    found: list[str] = []
    for sign in word:
        if found and unicodedata.combining(sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


@lru_cache(30_000)
def shape(word: str, style: Style) -> Word:
    """`word` holds no spaces, and nothing that `drawable` would drop."""
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
    """Its width in parts of the size."""
    return face(style.faces[0]).advances[" "]


def _order(word: str, style: Style) -> tuple[str, ...]:
    """A word of letters from two fonts looks like a mistake: where one is missing, the fallback has them all."""
    first, fallback, *rest = style.faces
    letters = [sign for sign in word if sign.isalpha() and ord(sign) < _PLANE]
    if any(sign not in face(first).advances for sign in letters):
        return fallback, first, *rest
    return style.faces


def _mark(mark: str, base: Sign, below: Sign, order: tuple[str, ...]) -> Sign:
    """A mark in the middle above its letter, or above the mark before it; some are at home below."""
    shown = _SPACING[mark]
    name = next(name for name in (base.face, *order) if shown in face(name).advances)
    left, top, right, bottom = face(name).boxes[shown]
    box = base.box
    x = (box[0] + box[2]) / 2 - (left + right) / 2
    if mark in _BELOW:
        y = max(box[3], 0.0) + (0.0 if mark in _TOUCHING else _GAP) - top
    else:
        # a mark on a mark, but not on one below the letter
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
    """By their first code point: sequences without variation selectors, the longest first, and their signs."""
    found: dict[str, list[tuple[str, str]]] = {}
    for index, line in enumerate((FONTS / "emoji.txt").read_text().splitlines()):
        sequence = "".join(chr(int(code, 16)) for code in line.split())
        found.setdefault(sequence[0], []).append((sequence, chr(_PLANE + index)))
    for sequences in found.values():
        sequences.sort(key=lambda item: -len(item[0]))
    return found


def _emoji_at(text: str, at: int) -> tuple[str, int] | None:
    """The sign of the emoji that begins here, and where it ends."""
    for sequence, sign in _emojis().get(text[at], ()):
        end = _match(text, at, sequence)
        if end is None:
            continue
        if len(sequence) > 1 or text[end : end + 1] == _AS_EMOJI or not _has(sequence):
            return sign, end
    return None


def _match(text: str, at: int, sequence: str) -> int | None:
    for wanted in sequence:
        if text[at : at + 1] == _AS_EMOJI:
            at += 1
        if text[at : at + 1] != wanted:
            return None
        at += 1
    return at
