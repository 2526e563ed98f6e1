"""Colours of a card with sufficient contrast. All are `#rrggbb`."""

from dataclasses import dataclass
from zlib import crc32

from core.media.card_renderer.palettes import PALETTES, Palette
from core.media.rules.cards import CardSettings

MIN_CONTRAST = 4.5
VISIBLE = 1.5
"""Minimum contrast of a shape with its ground; for text it is `MIN_CONTRAST`."""

WHITE, BLACK = "#ffffff", "#151f21"
_DARKEST = "#000000"


@dataclass(frozen=True)
class Colours:
    """`ink`, `soft` and `accent` are legible on `ground`; `mark` and `thread` are for shapes."""

    ground: str
    ink: str
    accent: str
    soft: str
    mark: str
    thread: str
    tint: str
    """A second ground, similar to the first, never behind text."""
    ink_switched: bool
    accent_switched: bool

    def on(self, fill: str) -> str:
        """Return the colour of text on a shape of this colour."""
        return readable(self.ground, fill)


def colours(settings: CardSettings, seed: str) -> Colours:
    """Return the colours of the settings, and for unset ones those of a palette, always the same for a seed."""
    palette = _palette(settings, seed)
    own = settings.ground is None or settings.ground == palette.ground
    ground = settings.ground or palette.ground
    ink = settings.ink or (palette.ink if own else readable(palette.ink, ground))
    accent = settings.accent or (palette.accent if own else readable(palette.accent, ground))
    shown_ink, shown_accent = readable(ink, ground), readable(accent, ground)
    own = own and ink == palette.ink and accent == palette.accent
    mark = accent if contrast(accent, ground) >= VISIBLE else shown_accent
    thread = palette.thread if own else mix(mark, ground, 0.55)
    return Colours(
        ground=ground,
        ink=shown_ink,
        accent=shown_accent,
        soft=readable(palette.soft if own else mix(shown_ink, ground, 0.8), ground, shown_ink),
        mark=mark,
        thread=thread if contrast(thread, ground) >= 1.25 else mix(shown_ink, ground, 0.4),
        tint=mix(thread, ground, 0.16),
        ink_switched=settings.ink is not None and shown_ink != ink,
        accent_switched=settings.accent is not None and shown_accent != accent,
    )


def readable(ink: str, ground: str, instead: str | None = None) -> str:
    """Return `ink`, or `instead` (default: white or near-black) if its contrast with the ground is too low."""
    if contrast(ink, ground) >= MIN_CONTRAST:
        return ink
    if instead is not None:
        return instead
    best = max((WHITE, BLACK), key=lambda colour: contrast(colour, ground))
    # for some medium grounds, neither white nor near-black has enough contrast, but black has
    return best if contrast(best, ground) >= MIN_CONTRAST else _DARKEST


def contrast(first: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    light, dark = sorted((luminance(rgb(first)), luminance(rgb(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: tuple[float, float, float]) -> float:
    """Return the luminance from 0 to 1, of parts from 0 to 255."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, other: str, part: float) -> str:
    """Return the mix of `part` (0 to 1) of `first` with the rest of `other`."""
    mixed = (round(a * part + b * (1 - part)) for a, b in zip(rgb(first), rgb(other), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _palette(settings: CardSettings, seed: str) -> Palette:
    """Return the palette with the chosen ground, else one by the seed."""
    for palette in PALETTES:
        if palette.ground == settings.ground:
            return palette
    return PALETTES[crc32(f"{seed}\0colours".encode()) % len(PALETTES)]
