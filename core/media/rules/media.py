"""Names and limits of pictures, and the sizes of generated pictures."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from core.texts.rules.texts import one_line

IMAGE_BYTES: Final = 20 * 1024**2
DOCUMENT_BYTES: Final = 100_000_000
"""As networks count 100 MB."""
VIDEO_BYTES: Final = 1_000_000_000
PDF: Final = "application/pdf"
MP4: Final = "video/mp4"
LEAST_PAGES: Final = 2
"""Of a document that is made from a carousel."""
DOCUMENT_TITLE: Final = 58
"""Characters of a document's title that networks show."""
MAX_NAME: Final = 200
UNDO: Final = timedelta(days=1)
"""How long a deleted picture can be restored."""


class MediaKind(StrEnum):
    image = "image"
    document = "document"
    """A PDF."""
    video = "video"


UPLOAD_BYTES: Final = {
    MediaKind.image: IMAGE_BYTES,
    MediaKind.document: DOCUMENT_BYTES,
    MediaKind.video: VIDEO_BYTES,
}
"""Most bytes of an upload, by its kind."""


def upload_megabytes(kind: MediaKind) -> int:
    """Return the limit of an upload as people read it."""
    return UPLOAD_BYTES[kind] // (1024**2 if kind is MediaKind.image else 1_000_000)


BEGINNING: Final = 64
"""Bytes of a file that `kind_of` needs."""
_IMAGE_BRANDS: Final = (b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""Of files that are arranged as MP4 and hold images."""
_QUICKTIME: Final = (b"moov", b"mdat", b"wide", b"free", b"skip")
"""What a MOV file may begin with instead of its brand."""


def kind_of(beginning: bytes) -> MediaKind:
    """Return what a file begins like, whatever its name says; an unknown beginning is left to the check of images."""
    if beginning.startswith(b"%PDF-"):
        return MediaKind.document
    if beginning[4:8] == b"ftyp":
        # the brand and those that it is compatible with, as `decoding.py` reads them
        end = min(int.from_bytes(beginning[:4]), BEGINNING, len(beginning))
        brands = {beginning[at : at + 4] for at in range(8, end, 4)}
        return MediaKind.video if brands.isdisjoint(_IMAGE_BRANDS) else MediaKind.image
    return MediaKind.video if beginning[4:8] in _QUICKTIME else MediaKind.image


class ImageRatio(StrEnum):
    """1:1, 4:5 and 1.91:1."""

    square = "square"
    portrait = "portrait"
    landscape = "landscape"


@dataclass(frozen=True)
class DocumentFacts:
    pages: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "DocumentFacts":
        """Read the facts. Those of a document made from a carousel also say from which pages."""
        return cls(stored["pages"])


@dataclass(frozen=True)
class VideoFacts:
    seconds: float
    video_codec: str
    """As FFmpeg names it, such as h264."""
    audio_codec: str
    """As above, such as aac; empty: no sound."""
    frames_per_second: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "VideoFacts":
        return cls(**stored)


def clean_name(name: str) -> str:
    """As `one_line`, with at most 200 characters and collapsed spaces."""
    line = " ".join(one_line(name).split())
    return unicodedata.normalize("NFC", line)[:MAX_NAME].strip()


def default_title(kind: MediaKind, name: str) -> str:
    """Return the title of a document or a video that nobody typed: the file's name without its ending, cut at a word.
    `fileTitle` in the frontend shows the same before the post is saved."""
    if kind is MediaKind.image:
        return ""
    limit = DOCUMENT_TITLE if kind is MediaKind.document else MAX_NAME
    title = re.sub(r"\.(pdf|mp4|m4v|mov)\Z", "", name, flags=re.IGNORECASE)
    title = re.sub(r"[_\s]+", " ", title).strip()
    if len(title) <= limit:
        return title
    word = title.rfind(" ", 0, limit + 1)
    return title[: word if word > limit / 2 else limit].strip()


def file_name(path: str) -> str:
    """Return a file's name without the folders, of any operating system."""
    return clean_name(re.split(r"[/\\]", path)[-1])
