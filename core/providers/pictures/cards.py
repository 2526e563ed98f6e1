"""Cards: a headline and a text drawn on brand colours. No model, no key, no cost.

Positions are in units: a card is 400 by 400 with a margin of 32, as the designs were drawn. `layout` decides
every line of text and its place, `_draw` paints it; so what is measured is what is shown.
"""

import asyncio
import io
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from PIL import Image, ImageDraw, ImageFont

from core.domain.errors import ErrorCode, Refused
from core.providers.pictures.base import Picture, PictureOrder
from core.providers.writers.base import Usage

UNITS = 400
MARGIN = 32
SIDE = 1080
QUALITY = 90
SMOOTHING = 2
"""Cards are drawn larger and scaled down, since Pillow draws shapes without soft edges."""

HEADLINE, TEXT, FOOT = 42.0, 23.0, 14.0
"""Sizes in units."""

SHRINK_STEPS = (1.0, 0.92, 0.84, 0.76, 0.68, 0.6)
MIN_CONTRAST = 4.5

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in units."""

_FONTS = Path(__file__).with_name("fonts")
_SEMIBOLD, _BOLD, _EXTRABOLD = "SemiBold", "Bold", "ExtraBold"
_WHITE, _BLACK = "#ffffff", "#151f21"


@dataclass(frozen=True)
class Palette:
    """`ground` with `ink` on it, `accent` as second voice, `thread` for shapes only."""

    name: str
    ground: str
    ink: str
    accent: str
    thread: str
    soft: str
    """The quietest text: foot and captions."""


PALETTES = (
    Palette("petrol", "#0e444b", "#ffffff", "#fdc146", "#48a7b1", "#bce5e8"),
    Palette("saffron", "#fdc146", "#151f21", "#0e444b", "#ad6d1e", "#643912"),
    Palette("paper", "#f3efe6", "#0e444b", "#18747f", "#fdc146", "#4d5759"),
)


@dataclass(frozen=True)
class Content:
    """What stands on a card; everything in it can be drawn with the fonts at hand."""

    headline: str
    text: str
    foot: str


@dataclass(frozen=True)
class Line:
    """One line of text. `x` is its left end, `y` its baseline."""

    text: str
    x: float
    y: float
    size: float
    weight: str
    colour: str
    tracking: float
    """Space between letters, as a part of the size."""

    @property
    def box(self) -> Box:
        """Where its ink is."""
        return _ink(self)


@dataclass(frozen=True)
class Layout:
    """`room` is the part of the card that text may use."""

    design: str
    palette: Palette
    lines: tuple[Line, ...]
    paint: Callable[["Pen"], None]
    room: Box = (MARGIN, MARGIN, UNITS - MARGIN, UNITS - MARGIN / 2)


class CardMaker:
    provider = "cards"
    model = "cards"

    async def make(self, order: PictureOrder) -> Picture:
        """The design is the picture's model. Raises Refused(image_failed) when nothing of it can be drawn."""
        return await asyncio.to_thread(_make, order)

    async def close(self) -> None:
        return


def _make(order: PictureOrder) -> Picture:
    content = read(order)
    plan = layout(content, order.seed)
    output = io.BytesIO()
    _draw(plan).save(output, "JPEG", quality=QUALITY, optimize=True, subsampling=0)
    return Picture(
        data=output.getvalue(),
        mime="image/jpeg",
        width=SIDE,
        height=SIDE,
        provider=CardMaker.provider,
        model=plan.design,
        usage=Usage(input_tokens=0, output_tokens=0),
        request_id=None,
    )


def read(order: PictureOrder) -> Content:
    """First line as the headline, the rest as text; a card without words shows its foot."""
    lines = [line for line in (_drawable(line) for line in order.prompt.splitlines()) if line]
    foot = _drawable(order.foot)
    if not lines and not foot:
        raise Refused(ErrorCode.image_failed, detail="nothing to draw")
    if not lines:
        return Content(foot, "", "")
    return Content(lines[0], "\n".join(lines[1:]), foot)


def layout(content: Content, seed: str, design: str | None = None, palette: Palette | None = None) -> Layout:
    """The card of this content. The same content and seed always give the same design and colours."""
    fitting = designs(content)
    draw_from = crc32(f"{seed}\0{content.headline}\0{content.text}".encode())
    colour_from, choice = divmod(draw_from, len(fitting))
    chosen = design or fitting[choice]
    return _DESIGNS[chosen](content, palette or PALETTES[colour_from % len(PALETTES)])


def designs(content: Content) -> tuple[str, ...]:
    """The designs that make sense for a content, at least "statement"."""
    found = ["statement"]
    if len(content.headline) <= 120:
        found.append("quote")
    if len(_steps(content.text)) == 3:
        found.append("steps")
    if _figure(content) is not None:
        found.append("number")
    return tuple(found)


def _statement(content: Content, palette: Palette) -> Layout:
    """A woven band over headline and text."""
    ground = palette.ground
    if content.text:
        head = _fit(content.headline, 336, 90, 40, _BOLD, leading=1.11, tracking=-0.03)
        body = _fit(content.text, 336, 62, 21, _SEMIBOLD, leading=1.3, tracking=-0.008)
    else:
        head = _fit(content.headline, 336, 148, 46, _BOLD, leading=1.11, tracking=-0.03)
        body = None
    ink = readable(palette.ink, ground)
    top = 194.0
    lines = head.place(MARGIN, top, ink)
    if body is not None:
        lines += body.place(MARGIN, top + head.height + 12, readable(palette.soft, ground))
    lines += _foot(content, palette, ground)

    def paint(pen: Pen) -> None:
        for row in range(6):
            colour = palette.accent if row == 2 else palette.thread if row % 2 else palette.ink
            for column in range(9):
                if (column + row) % 2 == 0:
                    left, high = column * 48 - 14, 18 + row * 27
                    pen.bar(left, high, left + 60, high + 13, colour)

    return Layout("statement", palette, lines, paint)


def _quote(content: Content, palette: Palette) -> Layout:
    """Quotation mark and the headline as large as it goes."""
    head = _fit(content.headline, 336, 186, HEADLINE, _BOLD, leading=1.1, tracking=-0.033)
    lines = head.place(MARGIN, 152, readable(palette.ink, palette.ground))
    lines += _foot(content, palette, palette.ground)

    def paint(pen: Pen) -> None:
        for left in (32, 92):
            pen.quotation_mark(left, 40, palette.accent)

    return Layout("quote", palette, lines, paint)


def _steps_card(content: Content, palette: Palette) -> Layout:
    """Headline and three numbered steps on a thread."""
    ink = readable(palette.ink, palette.ground)
    head = _fit(content.headline, 336, 92, 38, _BOLD, leading=1.1, tracking=-0.03)
    lines = head.place(MARGIN, 38, ink)
    centres = (182.0, 250.0, 318.0)
    fills = (palette.ink, palette.accent, palette.ink)
    size = TEXT  # the longest step decides for all three
    for step in _steps(content.text):
        size = min(size, _fit(step, 278, 56, TEXT, _SEMIBOLD, leading=1.18, tracking=-0.01).size)
    for step, centre in zip(_steps(content.text), centres, strict=True):
        block = _fit(step, 278, 56, size, _SEMIBOLD, leading=1.18, tracking=-0.01, smallest=1)
        lines += block.place(90, centre - block.height / 2, ink)
    for number, (centre, fill) in enumerate(zip(centres, fills, strict=True), 1):
        digit = _fit(str(number), 30, 24, 18, _BOLD, leading=1, tracking=0)
        shift = _width(str(number), 18, _BOLD, 0) / 2
        lines += digit.place(52 - shift, centre - digit.height / 2, readable(palette.ground, fill))
    lines += _foot(content, palette, palette.ground)

    def paint(pen: Pen) -> None:
        pen.bar(50, centres[0], 54, centres[-1], palette.thread)
        for centre, fill in zip(centres, fills, strict=True):
            pen.disc(52, centre, 25, palette.ground)
            pen.disc(52, centre, 19, fill)

    return Layout("steps", palette, lines, paint)


def _number(content: Content, palette: Palette) -> Layout:
    """One figure as large as it goes, what it counts, and a tally of threads."""
    found = _figure(content)
    if found is None:
        raise ValueError("no figure to show")
    ink, ground = readable(palette.ink, palette.ground), palette.ground
    lines: tuple[Line, ...] = ()
    if found.above:
        above = _fit(found.above, 336, 42, 17, _SEMIBOLD, leading=1.2, tracking=0)
        lines += above.place(MARGIN, 38, readable(palette.soft, ground))
    figure = _fit(found.figure, 336, 150, 176, _EXTRABOLD, leading=0.8, tracking=-0.03, smallest=0.2)
    lines += figure.place(MARGIN, 226 - figure.height, ink)
    if found.below:
        below = _fit(found.below, 336, 62, 25, _BOLD, leading=1.14, tracking=-0.015)
        lines += below.place(MARGIN, 238, readable(palette.accent, ground))
    lines += _foot(content, palette, ground)

    def paint(pen: Pen) -> None:
        strokes = 39
        full = strokes - 1 if found.share is None else round(strokes * found.share)
        for index in range(strokes):
            left = MARGIN + index * 8.7
            pen.bar(left, 312, left + 4.6, 346, palette.thread if index < full else palette.accent)

    return Layout("number", palette, lines, paint)


_DESIGNS: dict[str, Callable[[Content, Palette], Layout]] = {
    "statement": _statement,
    "quote": _quote,
    "steps": _steps_card,
    "number": _number,
}
DESIGNS = tuple(_DESIGNS)


def _foot(content: Content, palette: Palette, ground: str) -> tuple[Line, ...]:
    if not content.foot:
        return ()
    foot = _fit(content.foot, 336, FOOT * 1.4, FOOT, _SEMIBOLD, leading=1.2, tracking=0)
    return foot.place(MARGIN, 376 - foot.height, readable(palette.soft, ground))


_BULLET = re.compile(r"^\s*(?:[-–•*]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
_FIGURE = re.compile(
    r"""(?x) (?<![\w.,:/+-])
        ( [€$£]?\s? \d{1,3} (?: [.,\u00a0\u202f']\d{3} )+ (?:[.,]\d{1,2})? (?:\s?[%€$£×])?
        | [€$£]?\s? \d{1,5} (?:[.,]\d{1,2})? (?:\s?[%€$£×])? )
        (?![\w:/'’-]|[.,]\d|\.\s)"""
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_OF = re.compile(r"^\s*(?:of|out\sof|von)\s+(\d{1,6})\b")


@dataclass(frozen=True)
class _Figure:
    """`share` is the part of the tally that the figure stands for, None where it says none."""

    figure: str
    above: str
    below: str
    share: float | None


def _figure(content: Content) -> _Figure | None:
    """The first figure of the headline, else of the text's first sentence."""
    sentences = _parts(content.text)
    first = sentences[0] if sentences else ""
    for source, other in ((content.headline, first), (first, content.headline)):
        for found in _FIGURE.finditer(source):
            figure = found[1].strip()
            if _YEAR.fullmatch(figure):
                continue
            rest = source[found.end() :]
            # a figure at the start is not said twice
            below = rest.strip(" .,:;–-") if not source[: found.start()].strip() else source
            return _Figure(figure, other, below, _share(figure, rest))
    return None


def _share(figure: str, rest: str) -> float | None:
    digits = re.sub(r"[^\d.,]", "", figure).replace(",", ".")
    if digits.count(".") > 1:
        return None
    value = float(digits)
    if figure.endswith("%"):
        whole = 100.0
    elif of := _OF.match(rest):
        whole = float(of[1])
    else:
        return None
    return value / whole if 0 <= value <= whole and whole else None


def _steps(text: str) -> list[str]:
    """The first three lines, or sentences where there are fewer lines."""
    return _parts(text)[:3]


def _parts(text: str) -> list[str]:
    lines = [line for line in (_BULLET.sub("", line).strip() for line in text.splitlines()) if line]
    if len(lines) >= 3:
        return lines
    return [part for line in lines for part in _SENTENCE_END.split(line) if part]


def _drawable(text: str) -> str:
    """`text` without what the fonts have no sign for, such as emoji."""
    kept = "".join(sign if sign.isspace() or _has_sign(sign) else "" for sign in unicodedata.normalize("NFC", text))
    return " ".join(kept.split())


@cache
def _has_sign(sign: str) -> bool:
    font = _font(_BOLD, 32)
    missing = font.getmask("\U0010ffff")
    shown = font.getmask(sign)
    return unicodedata.category(sign)[0] not in "CM" and bytes(shown) != bytes(missing)


@dataclass(frozen=True)
class Block:
    """Lines of one size, to be placed by their upper left corner."""

    lines: tuple[str, ...]
    size: float
    weight: str
    leading: float
    tracking: float

    @property
    def height(self) -> float:
        return self.size * self.leading * len(self.lines)

    def place(self, left: float, top: float, colour: str) -> tuple[Line, ...]:
        step = self.size * self.leading
        # of a line's height, the part above the baseline
        ascent = step / 2 + self.size * 0.36
        return tuple(
            Line(text, left, top + ascent + index * step, self.size, self.weight, colour, self.tracking)
            for index, text in enumerate(self.lines)
        )


def _fit(
    text: str,
    width: float,
    height: float,
    size: float,
    weight: str,
    *,
    leading: float,
    tracking: float,
    smallest: float = SHRINK_STEPS[-1],
) -> Block:
    """`text` as large as it fits, in steps down to the smallest, there cut at a word."""
    steps = [step for step in SHRINK_STEPS if step >= smallest]
    steps += [round(0.1 * tenth, 1) for tenth in range(5, 0, -1) if 0.1 * tenth >= smallest]
    for step in steps:
        current = size * step
        rows = max(1, int(height / (current * leading) + 1e-6))
        lines = _wrap(text, width, current, weight, tracking)
        if lines is not None and len(lines) <= rows:
            return Block(_balance(text, lines, width, current, weight, tracking), current, weight, leading, tracking)
    broken = _wrap(text, width, current, weight, tracking, breaking=True) or ()
    if len(broken) > rows:
        broken = (*broken[: rows - 1], _shorten(broken[rows - 1], width, current, weight, tracking))
    return Block(broken, current, weight, leading, tracking)


def _wrap(
    text: str, width: float, size: float, weight: str, tracking: float, *, breaking: bool = False
) -> tuple[str, ...] | None:
    """Lines no wider than `width`; None when a word is wider, unless words may be broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if _width(longer, size, weight, tracking) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        while _width(word, size, weight, tracking) > width:
            if not breaking:
                return None
            count = _longest(word, width, size, weight, tracking)
            lines.append(word[:count])
            word = word[count:]
        line = word
    return tuple([*lines, line] if line else lines)


def _balance(
    text: str, lines: tuple[str, ...], width: float, size: float, weight: str, tracking: float
) -> tuple[str, ...]:
    """The same number of lines, of lengths as even as they get."""
    best = lines
    for part in range(98, 58, -2):
        tighter = _wrap(text, width * part / 100, size, weight, tracking)
        if tighter is None or len(tighter) > len(lines):
            break
        best = tighter
    return best


def _shorten(line: str, width: float, size: float, weight: str, tracking: float) -> str:
    """`line` with an ellipsis, up to the last word that leaves room for it."""
    words = line.split()
    while len(words) > 1 and _width(" ".join(words) + "…", size, weight, tracking) > width:
        words.pop()
    text = " ".join(words).rstrip(" ,;:.–-")
    while len(text) > 1 and _width(text + "…", size, weight, tracking) > width:
        text = text[:-1]
    return text + "…"


def _longest(word: str, width: float, size: float, weight: str, tracking: float) -> int:
    """How many letters of a word fit, at least one."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if _width(word[:middle], size, weight, tracking) <= width:
            low = middle
        else:
            high = middle - 1
    return low


@cache
def _font(weight: str, pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / f"SchibstedGrotesk-{weight}.ttf", pixels)


@cache
def _advance(weight: str, pair: str) -> float:
    """How far the last sign of `pair` begins from the first's beginning, in parts of the font's size."""
    font = _font(weight, 1000)
    return (font.getlength(pair) - font.getlength(pair[-1])) / 1000 if len(pair) > 1 else font.getlength(pair) / 1000


def _starts(text: str, size: float, weight: str, tracking: float) -> list[float]:
    """Where each sign begins, and where the text ends, from its left end."""
    x, starts = 0.0, [0.0]
    for left, right in zip(text, text[1:], strict=False):
        x += (_advance(weight, left + right) + tracking) * size
        starts.append(x)
    return [*starts, x + _advance(weight, text[-1]) * size] if text else starts


def _width(text: str, size: float, weight: str, tracking: float) -> float:
    return size * (_natural(text, weight) + tracking * (len(text) - 1)) if text else 0.0


@lru_cache(20_000)
def _natural(text: str, weight: str) -> float:
    """Width without tracking, in parts of the font's size: the same text is tried at many sizes."""
    pairs = zip(text, text[1:], strict=False)
    return sum(_advance(weight, left + right) for left, right in pairs) + _advance(weight, text[-1])


def _ink(line: Line) -> Box:
    starts = _starts(line.text, line.size, line.weight, line.tracking)
    boxes = [
        (start + left * line.size, top * line.size, start + right * line.size, bottom * line.size)
        for sign, start in zip(line.text, starts, strict=False)
        for left, top, right, bottom in [_sign_ink(line.weight, sign)]
    ]
    return (
        line.x + min(box[0] for box in boxes),
        line.y + min(box[1] for box in boxes),
        line.x + max(box[2] for box in boxes),
        line.y + max(box[3] for box in boxes),
    )


@cache
def _sign_ink(weight: str, sign: str) -> Box:
    """Around the sign's origin on the baseline, in parts of the font's size."""
    left, top, right, bottom = _font(weight, 1000).getbbox(sign, anchor="ls")
    return left / 1000, top / 1000, right / 1000, bottom / 1000


def readable(ink: str, ground: str) -> str:
    """`ink`, or white or near-black where it would not stand out from the ground."""
    if contrast(ink, ground) >= MIN_CONTRAST:
        return ink
    return max((_WHITE, _BLACK), key=lambda colour: contrast(colour, ground))


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Pen:
    """Draws in units on a larger canvas."""

    def __init__(self, canvas: Image.Image) -> None:
        self._draw = ImageDraw.Draw(canvas)
        self._scale = canvas.width / UNITS

    def bar(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        """With round ends."""
        box = [self._px(value) for value in (left, top, right, bottom)]
        self._draw.rounded_rectangle(box, radius=min(box[2] - box[0], box[3] - box[1]) / 2, fill=colour)

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        self._draw.ellipse([self._px(value) for value in (x - radius, y - radius, x + radius, y + radius)], fill=colour)

    def quotation_mark(self, left: float, top: float, colour: str) -> None:
        """One of the two, 44 wide and 84 high: a square whose lower left runs out in a tail."""
        outer = _curve((44, 84), (16, 82), (0, 66), (0, 38))
        inner = _curve((22, 44), (22, 60), (30, 66), (44, 68))
        outline = [(0, 0), (44, 0), (44, 44), *inner, *outer]
        self._draw.polygon([(self._px(left + x), self._px(top + y)) for x, y in outline], fill=colour)

    def line(self, line: Line) -> None:
        """Sign by sign, since Pillow knows no tracking."""
        font = _font(line.weight, round(self._px(line.size)))
        for sign, start in zip(line.text, _starts(line.text, line.size, line.weight, line.tracking), strict=False):
            self._draw.text((self._px(line.x + start), self._px(line.y)), sign, line.colour, font, anchor="ls")

    def _px(self, units: float) -> float:
        return units * self._scale


Point = tuple[float, float]


def _curve(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    """A cubic Bézier curve as points."""
    points = []
    for step in range(25):
        t = step / 24
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        knots = (start, first, second, end)
        points.append(
            (
                sum(w * knot[0] for w, knot in zip(weights, knots, strict=True)),
                sum(w * knot[1] for w, knot in zip(weights, knots, strict=True)),
            )
        )
    return points


def _draw(plan: Layout) -> Image.Image:
    canvas = Image.new("RGB", (SIDE * SMOOTHING, SIDE * SMOOTHING), plan.palette.ground)
    pen = Pen(canvas)
    plan.paint(pen)
    for line in plan.lines:
        pen.line(line)
    return canvas.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
