"""Names and limits of pictures, and the sizes of generated pictures."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from core.texts.rules.texts import one_line

UPLOAD_MEGABYTES: Final = 20
MAX_NAME: Final = 200
UNDO: Final = timedelta(days=1)
"""How long a deleted picture can be restored."""


class MediaKind(StrEnum):
    image = "image"
    document = "document"
    """A PDF."""
    video = "video"


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
        return cls(**stored)


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


def file_name(path: str) -> str:
    """Return a file's name without the folders, of any operating system."""
    return clean_name(re.split(r"[/\\]", path)[-1])
