"""Names and limits of pictures, and the sizes of generated pictures."""

import re
import unicodedata
from datetime import timedelta
from enum import StrEnum
from typing import Final

from core.texts.rules.texts import one_line

UPLOAD_MEGABYTES: Final = 20
MAX_NAME: Final = 200
UNDO: Final = timedelta(days=1)
"""How long a deleted picture can be restored."""


class ImageRatio(StrEnum):
    """1:1, 4:5 and 1.91:1."""

    square = "square"
    portrait = "portrait"
    landscape = "landscape"


def clean_name(name: str) -> str:
    """As `one_line`, with at most 200 characters and collapsed spaces."""
    line = " ".join(one_line(name).split())
    return unicodedata.normalize("NFC", line)[:MAX_NAME].strip()


def file_name(path: str) -> str:
    """Return a file's name without the folders, of any operating system."""
    return clean_name(re.split(r"[/\\]", path)[-1])
