"""The page of a card: its frame, the shapes and lines on it, and its foot.

Positions are in units. A square is 400 by 400 with a margin of 32, as in the designs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.media.card_renderer.colours import Colours
from core.media.card_renderer.glyphs import BOLD, TEXT, Box, Style
from core.media.card_renderer.text import Block, Line, Part, Setting, fit, fit_stack
from core.media.card_renderer.words import Content
from core.media.rules.cards import CardFont, CardLayout
from core.media.rules.media import ImageRatio
from core.media.rules.sequences import PageKind

MIN_SIZE = 11.0
"""Units: 30 pixels of 1080, and 22 of 1200."""

PLATE = 7.0
"""Border of a plate around a logo, in units."""

FOOT = 14.0

_ARROW = 40.0
"""Width of the arrow with its space."""


@dataclass(frozen=True)
class Frame:
    """A card's size in units and in pixels."""

    width: float
    height: float
    margin: float
    pixels: tuple[int, int]

    @property
    def scale(self) -> float:
        return self.pixels[0] / self.width

    @property
    def right(self) -> float:
        return self.width - self.margin

    @property
    def inner(self) -> float:
        return self.width - 2 * self.margin

    @property
    def room(self) -> Box:
        """The box for text."""
        return self.margin, self.margin * 0.75, self.right, self.height - 14


FRAMES = {
    ImageRatio.square: Frame(400, 400, 32, (1080, 1080)),
    ImageRatio.portrait: Frame(400, 500, 32, (1080, 1350)),
    ImageRatio.landscape: Frame(600, 314, 36, (1200, 628)),
}


@dataclass(frozen=True)
class Bar:
    """A bar with round ends, or without if `square`."""

    box: Box
    colour: str
    square: bool = False


@dataclass(frozen=True)
class Disc:
    x: float
    y: float
    radius: float
    colour: str

    @property
    def box(self) -> Box:
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


@dataclass(frozen=True)
class QuotationMark:
    """One of the pair of marks."""

    left: float
    top: float
    height: float
    colour: str

    @property
    def box(self) -> Box:
        return self.left, self.top, self.left + self.height * 44 / 84, self.top + self.height


Shape = Bar | Disc | QuotationMark


@dataclass(frozen=True)
class LogoPlace:
    """`plate` is the colour of a plate behind the logo, if its contrast with the ground is too low."""

    box: Box
    plate: str | None


@dataclass(frozen=True)
class Logo:
    """A logo's width divided by its height, and the plate that it needs on this ground."""

    aspect: float
    plate: str | None


@dataclass(frozen=True)
class Place:
    """A page's place in its sequence; `number` is from 1."""

    number: int
    count: int

    @property
    def is_last(self) -> bool:
        return self.number == self.count


@dataclass(frozen=True)
class Order:
    content: Content
    colours: Colours
    frame: Frame
    font: CardFont
    logo: Logo | None = None
    turn: int = 0
    """Selects one of a layout's compositions; 0 is the first."""
    place: Place | None = None
    """For a page of a sequence: its foot shows the place."""

    @property
    def wide(self) -> bool:
        return self.frame.width > self.frame.height

    @property
    def tall(self) -> bool:
        return self.frame.height > self.frame.width

    def head(self, size: float, *, largest: float | None = None, grown_lines: int = 4) -> Setting:
        tracking = -0.028 if self.font is CardFont.schibsted else -0.012
        return Setting(Style(self.font, BOLD), size, 1.1, tracking, largest, grown_lines)

    def body(self, size: float, *, smallest: float = 0.6) -> Setting:
        return Setting(Style(self.font, TEXT), size, 1.3, -0.005, smallest=max(smallest, MIN_SIZE / size))


@dataclass(frozen=True)
class Layout:
    """`shapes` are painted in order, then the logo, then the lines."""

    kind: CardLayout | PageKind
    frame: Frame
    ground: str
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]
    logo: LogoPlace | None = None
    shrunk: bool = False
    cut: bool = False
    accented: bool = False
    """Whether text has the accent's colour."""


class Page:
    """Collects the elements of a card."""

    def __init__(self, kind: CardLayout | PageKind, order: Order) -> None:
        self.kind, self.order = kind, order
        self.shapes: list[Shape] = []
        self.lines: list[Line] = []
        self._foot_lines: list[Line] = []
        self.logo: LogoPlace | None = None
        self.shrunk = self.cut = self.accented = False

    def put(self, block: Block, left: float, top: float, colour: str) -> float:
        """Place a block. Return its lower end."""
        self.lines += block.place(left, top, colour)
        self.shrunk |= block.shrunk
        self.cut |= block.cut
        return top + block.height

    def height_of(self, parts: tuple[Part, ...], height: float) -> float:
        """Return the height that `stack` would use."""
        blocks = fit_stack(parts, height)
        shown = [part for part in parts if part.text]
        return sum(block.height for block in blocks) + sum(part.gap for part in shown[1:])

    def stack(
        self, parts: tuple[Part, ...], height: float, left: float, top: float, colours: Sequence[str]
    ) -> list[float]:
        """Place texts one below the other. Return the upper end of each, and the lower end of the last."""
        tops: list[float] = []
        for part, block, colour in zip(parts, fit_stack(parts, height), colours, strict=True):
            if part.text and tops:
                top += part.gap
            tops.append(top)
            top = self.put(block, left, top, colour)
        return [*tops, top]

    def foot(self, left: float, right: float, *, at_right: bool = False) -> float:
        """Place logo and words at the foot, and a page's place in its sequence without numbers: networks count a post's
        pages, of which a person may remove some. Call it for a sequence before all other text is placed. Return the
        lower limit for the elements above."""
        if self.order.place is None:
            return self._imprint(left, right, at_right=at_right)
        top = self._imprint(left, right - _ARROW)  # as wide on all pages
        if self.order.place.number == 1 and not self.order.place.is_last:
            self._arrow()
        self._foot_lines, self.lines = self.lines, []
        top = min(top, self.order.frame.height - (22 if self.order.wide else 26) - FOOT - 9)
        self._progress(self.order.place, top)
        return top - (16 if self.order.wide else 22)

    def _arrow(self) -> None:
        """Place an arrow to the next page at the right of the foot."""
        order, frame = self.order, self.order.frame
        block = fit("→", (_ARROW, FOOT * 2), single_line(order.body(FOOT * 1.5)))
        middle = frame.height - (22 if order.wide else 26) - FOOT / 2 + 1
        if self.logo is not None:
            middle = (self.logo.box[1] + self.logo.box[3]) / 2
        self.put(block, frame.right - block.width, middle - block.size * 0.36, order.colours.soft)

    def _progress(self, place: Place, y: float) -> None:
        """Add a thread that runs through all pages, with a knot that moves from page to page."""
        frame, colours = self.order.frame, self.order.colours
        start = frame.margin if place.number == 1 else 0.0
        end = frame.right if place.is_last else frame.width
        self.shapes.append(Bar((start, y - 1.5, end, y + 1.5), colours.thread, square=True))
        x = frame.margin + 6 + (frame.inner - 12) * (place.number - 1) / max(place.count - 1, 1)
        self.shapes += [Disc(x, y, 9, colours.ground), Disc(x, y, 6, colours.mark)]

    def _imprint(self, left: float, right: float, *, at_right: bool = False) -> float:
        """Place logo and words. Return the lower limit for the elements above."""
        order, frame = self.order, self.order.frame
        end = frame.height - (22 if order.wide else 26)
        middle, top, x = end - FOOT / 2 + 1, end + 2, left
        words: Block | None = None
        space = right - left
        size = (0.0, 0.0)
        pad = PLATE if order.logo is not None and order.logo.plate else 0.0
        if order.logo is not None:
            size = _logo_size(order.logo.aspect, min(space, 150 if order.wide else 130) - 2 * pad, 34 - pad)
            size = (size[0] + 2 * pad, size[1] + 2 * pad)
            space -= size[0] + 12
        if order.content.foot and space > 40:
            words = fit(order.content.foot, (space, FOOT * 1.4), single_line(order.body(FOOT, smallest=0.8)))
        width = size[0] + (12 if size[0] and words else 0) + (words.width if words else 0)
        if at_right:
            x = right - width
        if order.logo is not None:
            middle = end - size[1] / 2 + 3
            box = (x, middle - size[1] / 2, x + size[0], middle + size[1] / 2)
            inside = (box[0] + pad, box[1] + pad, box[2] - pad, box[3] - pad)
            self.logo = LogoPlace(inside, order.logo.plate)
            x += size[0] + 12
            top = box[1] - 14
        if words is not None:
            self.put(words, x, middle - words.size * 0.36, order.colours.soft)
            top = min(top, middle - words.size * 0.36 - (24 if order.tall else 18))
        return top

    def done(self) -> Layout:
        return Layout(
            kind=self.kind,
            frame=self.order.frame,
            ground=self.order.colours.ground,
            shapes=tuple(self.shapes),
            # a document's text is read in this order
            lines=(*self.lines, *self._foot_lines),
            logo=self.logo,
            shrunk=self.shrunk,
            cut=self.cut,
            accented=self.accented,
        )


def _logo_size(aspect: float, width: float, height: float) -> tuple[float, float]:
    """Return the largest size with this aspect within `width` and `height`."""
    return (width, width / aspect) if aspect > width / height else (height * aspect, height)


def single_line(setting: Setting) -> Setting:
    return replace(setting, leading=4.0)  # a second line never fits
