"""Text fitted into a box: as large as possible, shrunk in steps, and only then cut at a word.

Positions and sizes are in units of the card (`page`).
"""

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.media.card_renderer.glyphs import Box, Sign, Style, Word, clusters, shape, space

SHRINK_STEPS = (1.0, 0.92, 0.84, 0.76, 0.68, 0.6)
ELLIPSIS = "…"
_CAPITAL, _DESCENT = 0.72, 0.2
"""Minimum height of a line above and below its baseline, so that positions do not depend on the letters."""

_AIR = 0.03
"""Space between the ink of two lines."""

_ONSET = re.compile(r"(sch|ch|ph|th|[bcdfghjklmnpqrstvwxzß])[aeiouyäöüàáâåèéêëìíîïòóôøùúû]")
_ONE_SOUND = {"ch", "ck", "ph", "th", "sh", "sc", "qu"}
_KNOWN = 20_000
"""Lines whose measures are cached per style."""

_BREAKS_AFTER = "-–—/"

_NUMBER = re.compile(r"[^\w\s]?\d[\d.,:'’+/–-]*")
_SIGNS = "%‰°×"
_CURRENCY = re.compile("EUR|USD|CHF|GBP|JPY|PLN|CZK|SEK|NOK|DKK|HUF|Euro|Dollar|Franken")
_TIMES = re.compile(r"(?:Tsd|Mio|Mrd)\.?|[Mm]illion(?:en)?|Milliarden|billion")
_UNIT = re.compile(r"[kcm]?m|[km]?g|t|[cm]?l|h|min|m?s|[kM]?Wh?|[kMG]?Hz|[KMGT]B|Prozent|percent|Uhr|[ap]m|[ap]\.m")
_TRAILING = " ,;:.–—-(„“\"'"


@dataclass(frozen=True)
class Setting:
    """Type settings. `leading` between baselines and `tracking` between signs are parts of the size."""

    style: Style
    size: float
    leading: float = 1.2
    tracking: float = 0.0
    largest: float | None = None
    """A short text grows up to this size, in at most `grown_lines` lines."""
    grown_lines: int = 4
    smallest: float = SHRINK_STEPS[-1]
    """Part of the size."""

    def sizes(self) -> list[float]:
        """Return the sizes to try, largest first; those below `size` count as shrunk."""
        growing = []
        larger = self.largest or self.size
        while larger > self.size * 1.04:
            growing.append(larger)
            larger *= 0.92
        return growing + [self.size * step for step in SHRINK_STEPS if step >= self.smallest]


@dataclass(frozen=True)
class Line:
    """One line of text. `x` is its left end, `y` its baseline, `room` its limits."""

    text: str
    x: float
    y: float
    setting: Setting
    colour: str
    room: Box

    @property
    def size(self) -> float:
        return self.setting.size

    @property
    def width(self) -> float:
        return width(self.text, self.setting)

    @property
    def box(self) -> Box:
        """The bounding box of the ink."""
        boxes = [
            (x + left * self.size, self.y + top * self.size, x + right * self.size, self.y + bottom * self.size)
            for sign, x in self.signs()
            for left, top, right, bottom in [_around_origin(sign)]
        ]
        if not boxes:
            return self.x, self.y, self.x, self.y
        return (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )

    def signs(self) -> Iterator[tuple[Sign, float]]:
        """Yield each sign with its x position."""
        for word, start in _ruler(self.setting.style, self.setting.tracking).words(self.text):
            for sign in word.signs:
                yield sign, self.x + (start + sign.x + sign.step * self.setting.tracking) * self.size


@dataclass(frozen=True)
class Block:
    """Lines of one size. `shrunk`: smaller than its setting. `cut`: the end of the text is missing."""

    lines: tuple[str, ...]
    setting: Setting
    room: tuple[float, float]
    """Maximum width and height."""
    shrunk: bool = False
    cut: bool = False

    @property
    def size(self) -> float:
        return self.setting.size

    @property
    def height(self) -> float:
        return _stack(self.lines, self.setting)[1]

    @property
    def width(self) -> float:
        """Width of the longest line."""
        return max((width(line, self.setting) for line in self.lines), default=0.0)

    def place(self, left: float, top: float, colour: str) -> tuple[Line, ...]:
        """Return the lines, placed by the block's upper left corner."""
        baselines, height = _stack(self.lines, self.setting)
        room = (left, top, left + self.room[0], top + max(height, self.room[1]))
        return tuple(
            Line(text, left, top + baseline, self.setting, colour, room)
            for text, baseline in zip(self.lines, baselines, strict=True)
        )


@lru_cache(20_000)
def fit(text: str, room: tuple[float, float], setting: Setting) -> Block:
    """Fit `text` into width and height as large as possible; at the smallest size, cut it at a word.

    One line is always set, even if it is higher than the room. A word is broken only if it is wider than the room at
    the smallest size.
    """
    pieces = _pieces(text)
    if not pieces:
        return Block((), setting, room)
    tried = setting
    for size in setting.sizes():
        tried = replace(setting, size=size)
        lines = _wrap(pieces, room[0], tried)
        if lines is not None and len(lines) > setting.grown_lines and size > setting.size:
            continue
        if lines is not None and _stack(lines, tried)[1] <= room[1] + 1e-6:
            return Block(_balance(pieces, lines, room[0], tried), tried, room, shrunk=size < setting.size - 1e-6)
    broken = _wrap(pieces, room[0], tried, breaking=True) or ()
    count = len(broken)
    while count > 1 and _stack(broken[:count], tried)[1] > room[1] + 1e-6:
        count -= 1
    cut = count < len(broken)
    if cut:
        broken = (*broken[: count - 1], _shorten(broken[count - 1], room[0], tried))
    shrunk = tried.size < setting.size - 1e-6
    return Block(broken, tried, room, shrunk=shrunk, cut=cut)


@dataclass(frozen=True)
class Part:
    """A text in a stack; `gap` is the space to the text above."""

    text: str
    setting: Setting
    width: float
    gap: float = 0.0


@lru_cache(1000)
def fit_stack(parts: tuple[Part, ...], height: float) -> tuple[Block, ...]:
    """Fit texts one below the other. They shrink together; at the smallest size, the last is cut first.

    The first one grows if its setting allows it. An empty text takes no space and has no gap.
    """
    shown = [part for part in parts if part.text]
    gaps = sum(part.gap for part in shown[1:])
    # no word is broken to save height, and a long word shrinks only its own text
    own = {part: fit(part.text, (part.width, math.inf), replace(part.setting, largest=None)).size for part in shown}
    blocks: dict[Part, Block] = {}
    for step in SHRINK_STEPS:
        for part in shown:
            least = part.setting.size * part.setting.smallest
            fixed = max(min(own[part], part.setting.size * step), min(least, own[part]))
            blocks[part] = _fixed(part, fixed, math.inf)
        if sum(block.height for block in blocks.values()) + gaps <= height + 1e-6:
            break
    else:
        left = height - gaps
        for index, part in enumerate(shown):
            later = sum(_fixed(other, blocks[other].size, 0).height for other in shown[index + 1 :])
            blocks[part] = _fixed(part, blocks[part].size, max(0.0, left - later))
            left -= blocks[part].height
    if shown and blocks[shown[0]].size >= shown[0].setting.size:
        first = shown[0]
        rest = height - gaps - sum(blocks[part].height for part in shown[1:])
        blocks[first] = fit(first.text, (first.width, rest), first.setting)
    return tuple(blocks[part] if part.text else Block((), part.setting, (part.width, 0)) for part in parts)


def _fixed(part: Part, size: float, height: float) -> Block:
    """Fit a part at this size; `room` is the size that it uses."""
    setting = replace(part.setting, size=size, largest=None, smallest=1.0)
    block = fit(part.text, (part.width, height), setting)
    shrunk = size < part.setting.size - 1e-6
    return replace(block, room=(part.width, block.height), shrunk=shrunk)


def fit_line(text: str, room: tuple[float, float], setting: Setting) -> Block:
    """Fit one line at the size that fills the room, up to the setting's; cut it at the smallest size."""
    natural = replace(setting, size=1.0)
    (baseline,), height = _stack((text,), natural)
    size = min(setting.size, room[0] / max(width(text, natural), 1e-6), room[1] / height)
    if size < setting.size * setting.smallest:
        tried = replace(setting, size=setting.size * setting.smallest)
        shown = text if width(text, tried) <= room[0] else _shorten(text, room[0], tried)
        return Block((shown,), tried, room, shrunk=True, cut=shown != text)
    return Block((text,), replace(setting, size=size), room)


def width(text: str, setting: Setting) -> float:
    return _ruler(setting.style, setting.tracking).measure(text)[0] * setting.size


class _Ruler:
    """Measures lines in parts of the size, since the same text is tried at many sizes."""

    def __init__(self, style: Style, tracking: float) -> None:
        self._style, self._tracking = style, tracking
        self._space = space(style) + tracking
        self._known: dict[str, tuple[float, float, float]] = {}

    def words(self, text: str) -> Iterator[tuple[Word, float]]:
        """Yield each word with its x position."""
        x: float | None = None
        for part in text.split(" ") if text else ():
            word = shape(part, self._style)
            if x is None:
                x = max(0.0, -word.ink[0])  # the ink of a "j" begins left of its origin
            yield word, x
            x += word.width + word.steps * self._tracking + self._space

    def measure(self, text: str) -> tuple[float, float, float]:
        """Return the width, and the ink above and below the baseline."""
        size = self._known.get(text)
        if size is None:
            if len(self._known) > _KNOWN:
                self._known.clear()
            size = self._known[text] = self._measured(text)
        return size

    def _measured(self, text: str) -> tuple[float, float, float]:
        end = high = deep = 0.0
        for word, x in self.words(text):
            # the last letter's ink may exceed its advance
            end = x + max(word.width, word.ink[2]) + (word.steps - 1) * self._tracking
            high, deep = max(high, -word.ink[1]), max(deep, word.ink[3])
        return end, high, deep


@lru_cache(64)
def _ruler(style: Style, tracking: float) -> _Ruler:
    return _Ruler(style, tracking)


def _around_origin(sign: Sign) -> Box:
    left, top, right, bottom = sign.box
    return left - sign.x, top, right - sign.x, bottom


def _stack(lines: Sequence[str], setting: Setting) -> tuple[list[float], float]:
    """Return the baselines from the top, and the height; lines with tall letters are further apart."""
    ruler = _ruler(setting.style, setting.tracking)
    baselines: list[float] = []
    y = above = 0.0
    for line in lines:
        _, high, deep = ruler.measure(line)
        high = max(_CAPITAL, high)
        y += max(setting.leading, above + high + _AIR) if baselines else high
        baselines.append(y * setting.size)
        above = deep
    return baselines, (y + max(above, _DESCENT)) * setting.size if baselines else 0.0


@dataclass(frozen=True)
class _Piece:
    """Text that is not wrapped; `glued`: without a space after the previous piece."""

    text: str
    glued: bool


@lru_cache(1000)
def _pieces(text: str) -> tuple[_Piece, ...]:
    """Return words, split after hyphens and slashes. A number and its unit are one piece."""
    pieces: list[_Piece] = []
    last = ""
    for word in text.split():
        if pieces and _belong(last, word):
            pieces[-1] = replace(pieces[-1], text=f"{pieces[-1].text} {word}")
            # a piece has two words, but "3 Mio. €" is one too
            last = last if _TIMES.fullmatch(word) else ""
            continue
        last = word
        start = 0
        for at in range(2, len(word) - 2):
            if word[at] in _BREAKS_AFTER and word[at - 1].isalpha() and word[at + 1].isalpha():
                pieces.append(_Piece(word[start : at + 1], start > 0))
                start = at + 1
        pieces.append(_Piece(word[start:], start > 0))
    return tuple(pieces)


def _belong(word: str, following: str) -> bool:
    """Return whether one is a number and the other its unit or currency."""
    before = word.lstrip("(")
    if _NUMBER.fullmatch(before):
        unit = following.rstrip(".,;:!?)…").split("/")[0]
        return _is_sign(following[0]) or any(kind.fullmatch(unit) for kind in (_CURRENCY, _TIMES, _UNIT))
    return bool(_is_sign(before) or _CURRENCY.fullmatch(before)) and _NUMBER.match(following) is not None


def _is_sign(text: str) -> bool:
    return len(text) == 1 and (text in _SIGNS or unicodedata.category(text) == "Sc")


def _wrap(pieces: Sequence[_Piece], room: float, setting: Setting, *, breaking: bool = False) -> tuple[str, ...] | None:
    """Return lines no wider than `room`, or None if a piece is wider and not `breaking`."""
    measure, most = _ruler(setting.style, setting.tracking).measure, room / setting.size
    lines: list[str] = []
    line = ""
    for piece in pieces:
        longer = line + piece.text if piece.glued or not line else f"{line} {piece.text}"
        if measure(longer)[0] <= most:
            line = longer
            continue
        if line:
            lines.append(line)
        line = piece.text
        while measure(line)[0] > most:
            if not breaking:
                return None
            head, line = _break(line, room, setting)
            lines.append(head)
    return tuple([*lines, line] if line else lines)


def _balance(pieces: Sequence[_Piece], lines: tuple[str, ...], room: float, setting: Setting) -> tuple[str, ...]:
    """Return the same number of lines with lengths as even as possible."""
    best, most = lines, _stack(lines, setting)[1] + 1e-6
    for part in range(97, 55, -3) if len(lines) > 1 else ():
        tighter = _wrap(pieces, room * part / 100, setting)
        if tighter is None or len(tighter) > len(lines):
            break
        if _stack(tighter, setting)[1] <= most:
            best = tighter
    return best


def _break(word: str, room: float, setting: Setting) -> tuple[str, str]:
    """Return as much of a word as fits, at least one letter, with a hyphen between letters, and the rest."""
    number, _, unit = word.partition(" ")
    if unit:
        if width(number, setting) <= room:
            return number, unit
        head, rest = _break(number, room, setting)
        return head, f"{rest} {unit}".strip()
    letters = clusters(word)
    low, high = 1, len(letters) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if width(_hyphened(letters, middle), setting) <= room:
            low = middle
        else:
            high = middle - 1
    if len(letters) < 2:
        # a single sign wider than the room cannot be broken
        return word, ""
    lowered = [letter.lower() for letter in letters]
    good = next((at for at in range(low, max(3, low * 2 // 3), -1) if _begins_syllable(lowered, at)), low)
    return _hyphened(letters, good), "".join(letters[good:])


def _begins_syllable(letters: Sequence[str], at: int) -> bool:
    """Guess without a dictionary: one consonant before a vowel, `sch` and `ch` counted as one."""
    if len(letters) - at < 3:
        return False
    onset = _ONSET.match("".join(letters[at : at + 4]))
    return onset is not None and letters[at - 1] + onset[1][0] not in _ONE_SOUND


def _hyphened(letters: Sequence[str], count: int) -> str:
    between = letters[count - 1][0].isalpha() and letters[count : count + 1] and letters[count][0].isalpha()
    return "".join(letters[:count]) + ("-" if between else "")


def _shorten(line: str, room: float, setting: Setting) -> str:
    """Return `line` with an ellipsis, cut at a word so that both fit."""
    words = line.split()
    while len(words) > 1 and width(" ".join(words).rstrip(_TRAILING) + ELLIPSIS, setting) > room:
        words.pop()
    letters = clusters(" ".join(words).rstrip(_TRAILING))
    while len(letters) > 1 and width("".join(letters) + ELLIPSIS, setting) > room:
        letters.pop()
    return "".join(letters) + ELLIPSIS
