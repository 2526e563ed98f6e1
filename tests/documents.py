"""PDFs made for tests."""

import io
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from core.networks.posts import Document

A4 = (595, 842)
CHUNK = 64 * 1024


def a_pdf(pages: int = 2, *, sizes: Sequence[tuple[float, float]] = (A4,), words: str = "Rain") -> bytes:
    """Return a PDF whose pages have these sizes in points, in turn. The same call gives the same bytes."""
    output = io.BytesIO()
    canvas = Canvas(output, invariant=1)
    for index in range(pages):
        width, height = sizes[index % len(sizes)]
        canvas.setPageSize((width, height))
        canvas.drawString(width / 4, height / 2, f"{words} {index + 1}")
        canvas.setFillColorRGB(0.9, 0.3, 0.1)
        canvas.rect(0, 0, width, height / 4, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return output.getvalue()


def locked_pdf(*, user: str, owner: str) -> bytes:
    """Return a PDF that is encrypted. Without a `user` password everybody may read it, but not change it."""
    output = io.BytesIO()
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(a_pdf())))
    writer.encrypt(user, owner, algorithm="RC4-128")
    writer.write(output)
    return output.getvalue()


@dataclass
class Paper:
    """A document as the engine hands it to a network."""

    data: bytes
    reads: int = 0

    async def read(self, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        self.reads += 1
        for at in range(start, len(self.data) if end is None else end, CHUNK):
            yield self.data[at : at + CHUNK]

    def document(self, *, title: str = "Eight questions") -> Document:
        return Document(title, len(self.data), read=self.read)
