"""Cards: a headline and a text drawn on brand colours. No model, no key, no cost.

`plan` decides contents and positions (`words`, `layouts`, `page`, `text`, `glyphs`, `colours`), `render` paints them.
The same order gives the same bytes.
"""

import asyncio
import io
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from PIL import Image, ImageDraw, ImageFont, ImageOps

from core.ai.pictures.base import Picture, PictureOrder
from core.ai.rules.usage import Usage
from core.errors import ErrorCode, Refused
from core.media.card_renderer.colours import BLACK, WHITE, Colours, colours, luminance, rgb
from core.media.card_renderer.glyphs import FONTS, Box, face
from core.media.card_renderer.layouts import lay_out
from core.media.card_renderer.page import FRAMES, PLATE, Bar, Disc, Frame, Layout, Logo, LogoPlace, Order, QuotationMark
from core.media.card_renderer.text import Line
from core.media.card_renderer.words import Content, read
from core.media.rules.cards import CardLayout, CardNote, CardSettings

QUALITY = 92
SMOOTHING = 4
"""Factor by which shapes are drawn larger and scaled down, since Pillow antialiases only text."""

LOGO_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
LOGO_SIDE = 512
"""Longest side of a logo in pixels: more than any card shows."""

LEGIBLE = 1.6
"""Contrast below which a part of a logo counts as invisible."""


@dataclass(frozen=True)
class Rendered:
    picture: Picture
    layout: CardLayout


@dataclass(frozen=True)
class Plan:
    layout: Layout
    colours: Colours
    content: Content
    logo: Image.Image | None

    @property
    def notes(self) -> tuple[CardNote, ...]:
        switched = self.colours.ink_switched or (self.colours.accent_switched and self.layout.accented)
        losses = {
            CardNote.ink_switched: switched,
            CardNote.text_shrunk: self.layout.shrunk,
            CardNote.text_cut: self.layout.cut,
            CardNote.characters_dropped: self.content.dropped,
        }
        return tuple(note for note, holds in losses.items() if holds)


class CardMaker:
    provider = "cards"
    model = "cards"

    async def make(self, order: PictureOrder) -> Picture:
        """Draw a card; its layout is the picture's `model`. Raise Refused as `render`."""
        return (await asyncio.to_thread(render, order)).picture

    async def close(self) -> None:
        return


def render(order: PictureOrder) -> Rendered:
    """Draw a card. Takes up to a fifth of a second: call it off the event loop. Raise Refused: card_letters_missing if
    no font has most of the headline's letters, image_failed if there are no words or the logo is no picture."""
    planned = plan(order)
    return Rendered(draw(planned), CardLayout(planned.layout.kind))


def draw(planned: Plan) -> Picture:
    """Return the picture of a plan; the kind of its layout is the picture's `model`."""
    output = io.BytesIO()
    paint(planned).save(output, "JPEG", quality=QUALITY, subsampling=0)
    width, height = planned.layout.frame.pixels
    return Picture(
        data=output.getvalue(),
        mime="image/jpeg",
        width=width,
        height=height,
        provider=CardMaker.provider,
        model=planned.layout.kind,
        usage=Usage(input_tokens=0, output_tokens=0),
        request_id=None,
        notes=planned.notes,
    )


def plan(order: PictureOrder) -> Plan:
    """Plan a card. Unset settings are chosen by the words, always the same for the same order."""
    settings = order.card or CardSettings(size=order.size)
    content = read(order)
    seed = f"{order.seed}\0{content.headline}\0{content.text}"
    kinds = content.layouts
    lot = crc32(seed.encode())
    kind = settings.layout or kinds[lot % len(kinds)]
    # a chosen layout always has the same composition
    turn = 0 if settings.layout else lot // len(kinds)
    shown = colours(settings, seed)
    logo = open_logo(order.logo) if order.logo else None
    about = logo_facts(logo, shown) if logo else None
    layout = lay_out(kind, Order(content, shown, FRAMES[settings.size], settings.font, about, turn))
    return Plan(layout, shown, content, logo)


def paint(planned: Plan) -> Image.Image:
    layout = planned.layout
    canvas = Image.new("RGB", layout.frame.pixels, layout.ground)
    pen = Pen(canvas, layout.frame)
    for shape in layout.shapes:
        pen.shape(shape)
    if planned.logo is not None and layout.logo is not None:
        pen.logo(planned.logo, layout.logo)
    for line in layout.lines:
        pen.line(line)
    return canvas


class Pen:
    """Draws on a canvas by positions in units."""

    def __init__(self, canvas: Image.Image, frame: Frame) -> None:
        self._canvas = canvas
        self._draw = ImageDraw.Draw(canvas)
        self._scale = frame.scale

    def shape(self, shape: Bar | Disc | QuotationMark) -> None:
        left, top, right, bottom = self._px(shape.box)
        if isinstance(shape, Bar) and shape.square:
            self._draw.rectangle((round(left), round(top), round(right) - 1, round(bottom) - 1), fill=shape.colour)
            return
        x, y = int(left // 1), int(top // 1)
        kind = "mark" if isinstance(shape, QuotationMark) else "bar"
        # rounded to parts of a pixel, so that equal shapes share their mask
        edges = [round(edge * SMOOTHING) for edge in (left - x, top - y, right - x, bottom - y)]
        self._canvas.paste(shape.colour, (x, y), _mask(kind, *edges))

    def line(self, line: Line) -> None:
        """Draw a line sign by sign, since Pillow has no tracking."""
        for sign, x in line.signs():
            at = (x * self._scale, (line.y + sign.y * line.size) * self._scale)
            font = _font(sign.face, round(line.size * self._scale, 2))
            self._draw.text(at, sign.text, line.colour, font, anchor="ls", embedded_color=sign.coloured)

    def logo(self, logo: Image.Image, place: LogoPlace) -> None:
        left, top, right, bottom = (round(edge) for edge in self._px(place.box))
        if place.plate is not None:
            edge = round(PLATE * self._scale)
            plate = _rounded(right - left + 2 * edge, bottom - top + 2 * edge, edge)
            self._canvas.paste(place.plate, (left - edge, top - edge), plate)
        shown = logo.resize((max(1, right - left), max(1, bottom - top)), Image.Resampling.LANCZOS)
        self._canvas.paste(shown, (left, top), shown)

    def _px(self, box: Box) -> tuple[float, float, float, float]:
        left, top, right, bottom = box
        return left * self._scale, top * self._scale, right * self._scale, bottom * self._scale


@lru_cache(512)
def _mask(kind: str, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """Return a shape's mask. Edges are in parts of a pixel, from the mask's corner."""
    size = (-(-right // SMOOTHING) + 1, -(-bottom // SMOOTHING) + 1)
    large = Image.new("L", (size[0] * SMOOTHING, size[1] * SMOOTHING))
    draw = ImageDraw.Draw(large)
    if kind == "mark":
        part = (bottom - top) / 84
        draw.polygon([(left + x * part, top + y * part) for x, y in _QUOTATION_MARK], fill=255)
    else:
        radius = min(right - left, bottom - top) / 2
        draw.rounded_rectangle((left, top, right - 1, bottom - 1), radius=radius, fill=255)
    return large.resize(size, Image.Resampling.BOX)


def _rounded(width: int, height: int, radius: int) -> Image.Image:
    large = Image.new("L", (width * SMOOTHING, height * SMOOTHING))
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, radius=radius * SMOOTHING, fill=255)
    return large.resize((width, height), Image.Resampling.BOX)


def draw_sign(face_name: str, sign: str, pixels: int) -> Image.Image:
    """Return a sign on a transparent ground, cropped to its box; `pixels` is the size of its text."""
    left, top, right, bottom = (edge * pixels for edge in face(face_name).boxes[sign])
    canvas = Image.new("RGBA", (max(1, round(right - left)), max(1, round(bottom - top))))
    font = _font(face_name, pixels)
    ImageDraw.Draw(canvas).text((-left, -top), sign, "#000000", font, anchor="ls", embedded_color=True)
    return canvas


@lru_cache(256)
def _font(face: str, pixels: float) -> ImageFont.FreeTypeFont:
    # the basic engine is the same everywhere; `glyphs` does the work of a shaping engine
    return ImageFont.truetype(FONTS / f"{face}.ttf", pixels, layout_engine=ImageFont.Layout.BASIC)


def open_logo(data: bytes) -> Image.Image:
    """Return a logo in RGBA without an empty border, limited in size. Raise Refused (image_failed)."""
    try:
        with Image.open(io.BytesIO(data), formats=LOGO_FORMATS) as image:
            image.draft("RGB", (LOGO_SIDE, LOGO_SIDE))
            image.thumbnail((2 * LOGO_SIDE, 2 * LOGO_SIDE), reducing_gap=2.0)
            logo = ImageOps.exif_transpose(image).convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise Refused(ErrorCode.image_failed, detail=f"logo: {type(error).__name__}") from error
    shown = logo.getchannel("A").point(lambda alpha: 255 if alpha > 8 else 0).getbbox()
    if shown is None:
        raise Refused(ErrorCode.image_failed, detail="logo: fully transparent")
    return logo.crop(shown)


def logo_facts(logo: Image.Image, shown: Colours) -> Logo:
    return Logo(logo.width / logo.height, _plate(logo, shown.ground))


def _plate(logo: Image.Image, ground: str) -> str | None:
    """Return None, or the plate (white or near-black) that shows more of a logo hardly visible on the ground."""
    small = logo.copy()
    small.thumbnail((48, 48))
    bands = zip(*(small.getchannel(band).tobytes() for band in "RGBA"), strict=True)
    pixels: list[tuple[tuple[int, int, int], float]] = [
        ((red, green, blue), alpha / 255) for red, green, blue, alpha in bands if alpha
    ]
    total = sum(weight for _, weight in pixels)
    if total >= 0.97 * small.width * small.height:
        return None  # an opaque logo has its own ground

    def unseen(colour: str) -> float:
        base = luminance(rgb(colour)) + 0.05
        hidden = 0.0
        for pixel, weight in pixels:
            light = luminance(pixel) + 0.05
            if max(light, base) / min(light, base) < LEGIBLE:
                hidden += weight
        return hidden / total

    if unseen(ground) < 0.25:
        return None
    return min((WHITE, BLACK), key=unseen)


def quotation_mark(shape: QuotationMark) -> list[tuple[float, float]]:
    """Return the mark's outline as points."""
    part = shape.height / 84
    return [(shape.left + x * part, shape.top + y * part) for x, y in _QUOTATION_MARK]


def _curve(*knots: tuple[float, float]) -> list[tuple[float, float]]:
    """Return a cubic Bézier curve as points."""
    points = []
    for step in range(25):
        t = step / 24
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        points.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, knots, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, knots, strict=True)),
            )
        )
    return points


_QUOTATION_MARK = (
    (0.0, 0.0),
    (44.0, 0.0),
    (44.0, 44.0),
    *_curve((22, 44), (22, 60), (30, 66), (44, 68)),
    *_curve((44, 84), (16, 82), (0, 66), (0, 38)),
)
"""Polygon, 84 high: a square with a tail at the lower left."""
