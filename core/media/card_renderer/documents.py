"""PDF documents of planned pages: the same positions as the pictures, with text that a reader can select and copy.

Every font is embedded with the signs that the document uses. An emoji is a small picture, since PDF has no coloured
fonts. The same plans give the same bytes.
"""

import io
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from PIL import Image
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from core.media.card_renderer.glyphs import FONTS, Sign, face
from core.media.card_renderer.page import PLATE, Bar, Disc, LogoPlace, Shape
from core.media.card_renderer.renderer import Plan, draw_sign, quotation_mark
from core.media.card_renderer.text import Line

POINTS = 0.75
"""Points of a pixel: 1080 pixels are 11.25 inches."""

_EMOJI_PIXELS: Final = 160
_EXACT = 0.002
"""Part of the size by which a sign may be off its place."""

_SPACE = 0.12
"""Part of the size from which a gap is a space."""

_ONE_AT_A_TIME = threading.Lock()
"""The library shares a font's state between documents."""


def write_document(plans: Sequence[Plan], *, title: str, language: str, author: str = "") -> bytes:
    """Return a PDF with a page for each plan. `language` is a code such as `de`."""
    output = io.BytesIO()
    with _ONE_AT_A_TIME:
        first = _font(plans[0].layout.lines[0].setting.style.faces[0])
        # the first font of each page, else one that is not embedded; the stubs take its name for a number
        canvas = Canvas(
            output,
            pageCompression=1,
            invariant=1,
            initialFontName=first,  # type: ignore[arg-type]
            lang=language or None,
        )
        canvas.setTitle(title)
        canvas.setAuthor(author)
        canvas.setCreator("Postloom")
        for plan in plans:
            _PagePen(canvas, plan).draw()
            canvas.showPage()
        canvas.save()
    return output.getvalue()


@dataclass
class _Run:
    """Signs of one font that follow each other without kerning."""

    face: str
    text: str
    x: float
    y: float
    end: float
    """Where the next sign would stand."""


class _PagePen:
    """Draws a page by positions in units, measured from the top."""

    def __init__(self, canvas: Canvas, plan: Plan) -> None:
        self._canvas, self._plan = canvas, plan
        frame = plan.layout.frame
        self._width, self._height = (pixels * POINTS for pixels in frame.pixels)
        self._scale = frame.scale * POINTS

    def draw(self) -> None:
        canvas, layout = self._canvas, self._plan.layout
        canvas.setPageSize((self._width, self._height))
        canvas.setFillColor(HexColor(layout.ground))
        canvas.rect(0, 0, self._width, self._height, stroke=0, fill=1)
        for shape in layout.shapes:
            self._shape(shape)
        if self._plan.logo is not None and layout.logo is not None:
            self._logo(self._plan.logo, layout.logo)
        for line in layout.lines:
            self._line(line)

    def _shape(self, shape: Shape) -> None:
        canvas, scale = self._canvas, self._scale
        canvas.setFillColor(HexColor(shape.colour))
        left, top, right, bottom = shape.box
        width, height = (right - left) * scale, (bottom - top) * scale
        if isinstance(shape, Disc):
            canvas.circle(shape.x * scale, self._y(shape.y), shape.radius * scale, stroke=0, fill=1)
        elif isinstance(shape, Bar):
            radius = 0 if shape.square else min(width, height) / 2
            canvas.roundRect(left * scale, self._y(bottom), width, height, radius, stroke=0, fill=1)
        else:
            path = canvas.beginPath()
            start, *others = quotation_mark(shape)
            path.moveTo(start[0] * scale, self._y(start[1]))
            for x, y in others:
                path.lineTo(x * scale, self._y(y))
            path.close()
            canvas.drawPath(path, stroke=0, fill=1)

    def _logo(self, logo: Image.Image, place: LogoPlace) -> None:
        canvas, scale = self._canvas, self._scale
        left, top, right, bottom = place.box
        width, height = (right - left) * scale, (bottom - top) * scale
        if place.plate is not None:
            edge = PLATE * scale
            canvas.setFillColor(HexColor(place.plate))
            x, y = left * scale - edge, self._y(bottom) - edge
            canvas.roundRect(x, y, width + 2 * edge, height + 2 * edge, edge, stroke=0, fill=1)
        canvas.drawImage(ImageReader(logo), left * scale, self._y(bottom), width, height, mask="auto")

    def _line(self, line: Line) -> None:
        canvas, scale, size = self._canvas, self._scale, line.size * self._scale
        text = canvas.beginText()
        text.setFillColor(HexColor(line.colour))
        text.setCharSpace(line.setting.tracking * size)
        for run in _runs(line):
            text.setFont(_font(run.face), size)
            text.setTextOrigin(run.x * scale, self._y(run.y))
            text.textOut(run.text)
        canvas.drawText(text)
        for sign, x in line.signs():
            if sign.coloured:
                self._emoji(sign, x, line)

    def _emoji(self, sign: Sign, x: float, line: Line) -> None:
        left, top, right, bottom = (edge * line.size for edge in face(sign.face).boxes[sign.text])
        y = line.y + sign.y * line.size
        self._canvas.drawImage(
            _emoji_picture(sign.face, sign.text),
            (x + left) * self._scale,
            self._y(y + bottom),
            (right - left) * self._scale,
            (bottom - top) * self._scale,
            mask="auto",
        )

    def _y(self, units: float) -> float:
        """Return the height above the page's lower end."""
        return self._height - units * self._scale


def _runs(line: Line) -> Iterator[_Run]:
    """Yield the signs of a line in runs. Runs have the spaces too, so that words stay apart when text is copied."""
    size, tracking = line.size, line.setting.tracking * line.size
    run: _Run | None = None
    for sign, x in line.signs():
        if sign.coloured:
            continue
        y = line.y + sign.y * size
        lead, start = "", x
        if run is not None and x - run.end > _SPACE * size:
            if (space := face(run.face).advances.get(" ")) is not None:
                run.text += " "
                run.end += space * size + tracking
            elif (space := face(sign.face).advances.get(" ")) is not None:
                # symbols have no space: the next word brings it
                lead, start = " ", x - space * size - tracking
        if run is None or run.face != sign.face or run.y != y or abs(x - run.end) > _EXACT * size:
            if run is not None:
                yield run
            run = _Run(sign.face, lead, start, y, x)
        run.text += sign.text
        run.end += face(sign.face).advances[sign.text] * size + tracking
    if run is not None:
        yield run


@cache
def _font(name: str) -> str:
    """Return the name under which the library knows a font."""
    known = f"card-{name}"
    pdfmetrics.registerFont(TTFont(known, FONTS / f"{name}.ttf"))
    return known


@lru_cache(512)
def _emoji_picture(face_name: str, sign: str) -> ImageReader:
    return ImageReader(draw_sign(face_name, sign, _EMOJI_PIXELS))
