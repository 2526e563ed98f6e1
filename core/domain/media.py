"""What is known of a picture besides its pixels."""

import re
import unicodedata
from datetime import timedelta
from typing import Final

UPLOAD_MEGABYTES: Final = 20
MAX_NAME: Final = 200
UNDO: Final = timedelta(days=1)
"""How long a deleted picture can be brought back."""

# control characters, halves of surrogate pairs, and what makes a name read backwards
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean_name(name: str) -> str:
    """One line of at most 200 characters, without any that cannot be seen."""
    line = " ".join(_UNSEEN.sub(" ", name).split())
    return unicodedata.normalize("NFC", line)[:MAX_NAME].strip()


def file_name(path: str) -> str:
    """A file's own name, without the folders of whichever system."""
    return clean_name(re.split(r"[/\\]", path)[-1])
