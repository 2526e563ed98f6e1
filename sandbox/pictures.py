"""Read the headers of images, and draw avatars."""

from html import escape
from io import BytesIO

from PIL import Image as Picture

_FORMATS = ("JPEG", "PNG", "GIF")


def inspect(data: bytes) -> tuple[str, int, int]:
    """Return media type, width and height of a JPEG, PNG or GIF. Raise ValueError for anything else."""
    try:
        with Picture.open(BytesIO(data), formats=_FORMATS) as picture:
            return Picture.MIME[str(picture.format)], *picture.size
    except (OSError, Picture.DecompressionBombError) as error:
        raise ValueError("not a JPEG, PNG or GIF") from error


def avatar(name: str, colour: str) -> str:
    """Return a square SVG with the initials."""
    initials = escape("".join(word[0] for word in name.split()[:2]).upper())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">'
        f'<rect width="96" height="96" fill="{colour}"/><text x="48" y="61" text-anchor="middle" fill="#fff" '
        f'font-family="system-ui,sans-serif" font-size="36" font-weight="600">{initials}</text></svg>'
    )
