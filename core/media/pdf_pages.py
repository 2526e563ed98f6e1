"""Checks users' PDFs and draws their pages: `python pdf_pages.py check PDF THUMBNAIL` or
`python pdf_pages.py draw PDF PAGE PICTURE`.

`uploads.py` starts this program in a new process for each file, as `decoding.py`, and for the same reason. So it
imports nothing of the product. It writes the picture (WebP) and prints one line of JSON: the document's facts, or why
it is refused (an ErrorCode with its parameters). PDFium is built without JavaScript, and nothing that a PDF embeds is
run or opened.
"""

import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, WebPImagePlugin  # noqa: F401  (the plugin by name: else Pillow loads all its plugins)

MAX_PAGES: Final = 300
"""What networks show at most."""
THUMBNAIL, PREVIEW = 480, 1200
"""Longest side of a picture of a page, in pixels."""
QUALITY: Final = 80
_SAME: Final = 1.0
"""Points by which the pages of one size may differ."""
_LARGEST: Final = 14_400
"""Points: the largest page that the format allows."""

# limits of the process
_SECONDS: Final = {"check": 120, "draw": 10}
"""Of CPU time. A page is drawn for anybody who has its address, a document is checked for its owner."""
_MEMORY, _NICENESS = 2 * 1024**3, 2


class Refused(Exception):
    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code, self.params = code, params


@dataclass(frozen=True)
class CheckedDocument:
    """`width` and `height`: those of the first page in points, of which an inch has 72."""

    width: int
    height: int
    pages: int
    page_sizes_differ: bool


def check(path: str, thumbnail: str) -> CheckedDocument:
    """Write the thumbnail of the first page. Raise Refused: document_unreadable, document_locked, document_too_long."""
    with _open(path) as document:
        if pdfium.FPDF_GetSecurityHandlerRevision(document) != -1:
            # networks refuse a document whose use is restricted, too
            raise Refused("document_locked")
        if (count := len(document)) > MAX_PAGES:
            raise Refused("document_too_long", found=count, limit=MAX_PAGES)
        sizes = [_size(document, index) for index in range(count)]
        if not sizes:
            raise Refused("document_unreadable")
        _draw(document, 0, THUMBNAIL).save(thumbnail, "WEBP", quality=QUALITY)
    width, height = sizes[0]
    differ = any(abs(one[0] - width) > _SAME or abs(one[1] - height) > _SAME for one in sizes)
    return CheckedDocument(max(1, round(width)), max(1, round(height)), count, differ)


def draw(path: str, page: int, picture: str) -> None:
    """Write the picture of a page, counted from 1. Raise Refused (document_unreadable)."""
    with _open(path) as document:
        if not 1 <= page <= len(document):
            raise Refused("document_unreadable")
        _draw(document, page - 1, PREVIEW).save(picture, "WEBP", quality=QUALITY)


def _open(path: str) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
        raise Refused("document_locked" if locked else "document_unreadable") from error


def _size(document: pypdfium2.PdfDocument, index: int) -> tuple[float, float]:
    try:
        width, height = document.get_page_size(index)
    except pypdfium2.PdfiumError as error:
        raise Refused("document_unreadable") from error
    if not (0 < width <= _LARGEST and 0 < height <= _LARGEST):
        raise Refused("document_unreadable")
    return width, height


def _draw(document: pypdfium2.PdfDocument, index: int, longest: int) -> Image.Image:
    width, height = _size(document, index)
    scale = longest / max(width, height)
    if min(width, height) * scale < 1:  # a line, not a page
        raise Refused("document_unreadable")
    try:
        drawn: Image.Image = document[index].render(scale=scale, may_draw_forms=False).to_pil()
    except pypdfium2.PdfiumError as error:
        raise Refused("document_unreadable") from error
    return drawn.convert("RGB")


def main(command: str, *arguments: str) -> None:
    _limit(_SECONDS[command])
    answer: dict[str, Any] = {}
    try:
        if command == "check":
            answer = asdict(check(*arguments))
        else:
            path, page, picture = arguments
            draw(path, int(page), picture)
    except Refused as refused:
        answer = {"code": refused.code, "params": refused.params}
    except MemoryError:
        answer = {"code": "document_unreadable", "params": {}}
    json.dump(answer, sys.stdout)


def _limit(seconds: int) -> None:
    """Give other processes priority, and limit CPU time and memory."""
    import os
    import resource

    os.nice(_NICENESS)
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, _MEMORY)):
        with suppress(ValueError, OSError):  # the limit is lower already, or the system has no such limit
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(*sys.argv[1:])
