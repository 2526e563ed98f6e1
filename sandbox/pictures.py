"""Read image headers and draw avatars with the standard library only."""

import struct
from html import escape
from typing import BinaryIO

MAX_PIXELS = 36_152_320
# all start-of-frame markers; C4, C8 and CC in this range are others
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def inspect(file: BinaryIO) -> tuple[str, int, int]:
    """Return media type, width and height of a JPEG, PNG or GIF. Raise ValueError for anything else."""
    head = file.read(26)
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return "image/png", *struct.unpack(">II", head[16:24])
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return "image/gif", *struct.unpack("<HH", head[6:10])
    if head.startswith(b"\xff\xd8\xff"):
        file.seek(2)
        return "image/jpeg", *_jpeg_size(file)
    raise ValueError("not a JPEG, PNG or GIF")


def _jpeg_size(file: BinaryIO) -> tuple[int, int]:
    while len(marker := file.read(2)) == 2 and marker[0] == 0xFF:
        if marker[1] == 0xFF:  # fill byte
            file.seek(-1, 1)
            continue
        length = file.read(2)
        if len(length) < 2:
            break
        if marker[1] in _JPEG_FRAMES:
            frame = file.read(5)
            if len(frame) == 5:
                height, width = struct.unpack(">HH", frame[1:])
                return width, height
            break
        file.seek(int.from_bytes(length, "big") - 2, 1)
    raise ValueError("a JPEG without a frame")


def avatar(name: str, colour: str) -> str:
    """Return a square SVG with the initials."""
    initials = escape("".join(word[0] for word in name.split()[:2]).upper())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">'
        f'<rect width="96" height="96" fill="{colour}"/><text x="48" y="61" text-anchor="middle" fill="#fff" '
        f'font-family="system-ui,sans-serif" font-size="36" font-weight="600">{initials}</text></svg>'
    )
