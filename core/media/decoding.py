"""Checks and re-encodes users' pictures: `python decoding.py ORIGINAL PICTURE THUMBNAIL`.

`uploads.py` starts this program in a new process for each picture, so that a broken or hostile file can harm only a
process without secrets that ends anyway. So it imports nothing of the product. It writes the two files and prints one
line of JSON: the picture's facts, or why it is refused (an ErrorCode with its parameters).

The size in pixels is read before anything is decoded. Only decoded pixels reach the result: metadata and data after
the picture are dropped.
"""

import io
import json
import struct
import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from PIL import (
    AvifImagePlugin,
    ExifTags,
    GifImagePlugin,
    Image,
    ImageCms,
    ImageOps,
    ImageSequence,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

MAX_MEGAPIXELS: Final = 50
MAX_FRAMES: Final = 1000
MAX_FRAME_MEGAPIXELS: Final = 400
"""All frames of an animation together, each counted with the animation's size."""
MAX_BYTES: Final = 40 * 1024**2
"""Size of a re-encoded animation."""
THUMBNAIL: Final = 480
"""Longest side in pixels."""
JPEG_QUALITY, WEBP_QUALITY, THUMBNAIL_QUALITY = 90, 90, 80
WEBP_EFFORT = 20
"""Of 100, for lossless WebP, where Pillow's quality means effort."""
PNG_EFFORT = 4
"""Of 9: files are a tenth larger than with the usual 6, in less than half the time."""

PngImagePlugin.MAX_TEXT_CHUNK = 32 * 1024**2
"""Bytes: programs write descriptions of many megabytes into a PNG; they are dropped unread."""

# frames keep their palette if it is the first frame's
GifImagePlugin.LOADING_STRATEGY = GifImagePlugin.LoadingStrategy.RGB_AFTER_DIFFERENT_PALETTE_ONLY

PLUGINS: Final = (AvifImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)
"""Imported by name: else Pillow loads all its plugins, which takes longer than a small picture. The HEIC plugin is
imported when needed."""

_MEGA = 1_000_000

# limits of the process; the costliest picture needs a fifth of the time and three quarters of the memory
_SECONDS, _MEMORY, _NICENESS = 120, 2 * 1024**3, 2
_THREADS: Final = 1
"""Threads of a decoder: each needs part of the address space."""

Params = dict[str, str | int]


class Refused(Exception):
    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params: Params = params


@dataclass(frozen=True)
class DecodedPicture:
    mime: str
    width: int
    height: int
    first_frame_only: bool = False
    """Whether the original is animated and this is its first frame."""


def clean(data: bytes, picture: IO[bytes], thumbnail: IO[bytes]) -> DecodedPicture:
    """Write the re-encoded picture and its thumbnail. HEIC and AVIF become JPEG, or PNG if transparent.

    Raise Refused: image_type_refused, image_too_many_pixels, image_truncated, image_unreadable; too_large for a GIF.
    """
    kind = _kind(data)
    try:
        opened = _open(data, kind)
        if isinstance(opened, GifImagePlugin.GifImageFile):
            return _clean_gif(opened, picture, thumbnail)
        first_frame_only = kind in ("PNG", "WEBP", "AVIF") and getattr(opened, "n_frames", 1) > 1
        opened = _load(opened, data)
        sampling = JpegImagePlugin.get_sampling(opened) if kind == "JPEG" else -1
        plain = _plain(opened)
        if kind in ("AVIF", "HEIF"):
            kind = "PNG" if plain.has_transparency_data else "JPEG"
        if kind == "JPEG":
            # a photo that is neither rotated nor converted keeps its quality
            quality: dict[str, Any] = {"qtables": "keep"} if plain.format == "JPEG" else {"quality": JPEG_QUALITY}
            plain.save(picture, "JPEG", subsampling=max(sampling, 0), **quality)
        elif kind == "PNG":
            plain.save(picture, "PNG", compress_level=PNG_EFFORT)
        elif b"VP8L" in data:  # lossless
            plain.save(picture, "WEBP", lossless=True, quality=WEBP_EFFORT, method=0)
        else:
            plain.save(picture, "WEBP", quality=WEBP_QUALITY)
        made = DecodedPicture(f"image/{kind.lower()}", *plain.size, first_frame_only)
        _save_small(plain, thumbnail)
        return made
    except _BROKEN as error:
        raise _refused(error) from error


# opening

_BEGINNINGS: Final = ((b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"GIF87a", "GIF"), (b"GIF89a", "GIF"))
_AVIF_BRANDS: Final = (b"avif", b"avis")
_HEIF_BRANDS: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")

_BROKEN = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, RuntimeError, AssertionError, struct.error, zlib.error),
    Image.DecompressionBombError,
)
"""Errors of decoders."""


def _kind(data: bytes) -> str:
    """Return the format by the first bytes of the file. Raise Refused (image_type_refused)."""
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp":
        (size,) = struct.unpack_from(">I", data)
        brands = [data[at : at + 4] for at in range(8, min(size, 64, len(data)), 4)]
        if any(brand in _AVIF_BRANDS for brand in brands):
            return "AVIF"
        if any(brand in _HEIF_BRANDS for brand in brands):
            return "HEIF"
    raise Refused("image_type_refused")


def _open(data: bytes, kind: str) -> Image.Image:
    """Return a picture with its size, without decoding it. Raise Refused."""
    file = io.BytesIO(data)
    if kind == "JPEG":
        # not by `Image.open`, which would also read the further pictures that phones append to a photo
        opened: Image.Image = JpegImagePlugin.JpegImageFile(file)
    elif kind == "HEIF":
        import pillow_heif

        pillow_heif.options.DECODE_THREADS = _THREADS
        opened = pillow_heif.HeifImageFile(file)  # type: ignore[no-untyped-call]
    elif kind == "GIF":
        opened = GifImagePlugin.GifImageFile(file)
    else:
        if kind == "WEBP":
            _check_pixels(*_webp_size(data))  # its decoder allocates memory for the whole picture when opened
        AvifImagePlugin.DEFAULT_MAX_THREADS = _THREADS
        opened = Image.open(file, formats=[kind])
    _check_pixels(*opened.size)
    return opened


def _load(opened: Image.Image, data: bytes) -> Image.Image:
    """Decode the picture. A complete JPEG may lack its end marker. Raise Refused (image_truncated)."""
    try:
        opened.load()
        return opened
    except OSError as error:
        if opened.format != "JPEG" or "truncated" not in str(error):
            raise
    # bytes after a complete picture change no pixel; if a part is missing, they are decoded as that part
    data = data.rstrip(b"\xff")
    whole, other = (JpegImagePlugin.JpegImageFile(io.BytesIO(data + more + _END)) for more in (b"", _NOISE))
    whole.load()
    if whole.tobytes() != other.tobytes():
        raise Refused("image_truncated")
    return whole


_END: Final = b"\xff\xd9"
_NOISE: Final = bytes(range(1, 255)) * 8


def _check_pixels(width: int, height: int) -> None:
    if not width or not height:
        raise Refused("image_unreadable")
    if width * height > MAX_MEGAPIXELS * _MEGA:
        raise Refused("image_too_many_pixels", width=width, height=height, limit=MAX_MEGAPIXELS)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind, body = data[12:16], data[20:30]
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", body, 6)
    return width & 0x3FFF, height & 0x3FFF


def _refused(error: Exception) -> Refused:
    message = str(error).lower()
    cut = isinstance(error, (IndexError, EOFError, struct.error)) or "truncated" in message or "premature" in message
    return Refused("image_truncated" if cut else "image_unreadable")


# GIF


def _clean_gif(opened: GifImagePlugin.GifImageFile, picture: IO[bytes], thumbnail: IO[bytes]) -> DecodedPicture:
    """Write a GIF with all its frames, since networks show them."""
    (width, height), count = opened.size, opened.n_frames
    if count > MAX_FRAMES or count * width * height > MAX_FRAME_MEGAPIXELS * _MEGA:
        raise Refused("image_too_many_pixels", width=width, height=height * count, limit=MAX_FRAME_MEGAPIXELS)
    durations, transparent = [], False
    for frame in ImageSequence.Iterator(opened):
        frame.load()
        if frame.size != (width, height):  # a frame outside the picture enlarges it
            raise Refused("image_unreadable")
        durations.append(frame.info.get("duration", 0))
        transparent = transparent or _is_transparent(frame)
    frames = (_frame(frame, transparent) for frame in ImageSequence.Iterator(opened))
    first = next(frames)
    # behind a transparent frame, the previous one must not be visible
    options: dict[str, Any] = {"duration": durations, "disposal": 2 if transparent else 1}
    if "loop" in opened.info:
        options["loop"] = opened.info["loop"]
    first.save(picture, "GIF", save_all=True, append_images=frames, **options)
    if picture.tell() > MAX_BYTES:
        raise Refused("too_large", limit=MAX_BYTES // 2 // 1024**2)
    _save_small(first, thumbnail)
    return DecodedPicture("image/gif", width, height)


def _is_transparent(frame: Image.Image) -> bool:
    return frame.has_transparency_data and frame.convert("RGBA").getchannel("A").getextrema()[0] == 0


def _frame(frame: Image.Image, transparent: bool) -> Image.Image:
    """Return a copy of a frame with only its pixels. It is saved with at most 256 colours."""
    copy = frame.convert("RGB") if frame.mode == "RGBA" and not transparent else frame.copy()
    copy.info = {"transparency": frame.info["transparency"]} if transparent and "transparency" in frame.info else {}
    return copy


# re-encoding


def _plain(opened: Image.Image) -> Image.Image:
    """Return the picture upright, in sRGB, with eight bits per channel and only its pixels."""
    plain = opened
    # damaged metadata is ignored
    with suppress(SyntaxError, ValueError, TypeError, KeyError, OSError, struct.error):
        if opened.getexif().get(ExifTags.Base.Orientation, 1) != 1:
            plain = ImageOps.exif_transpose(opened)
    if "transparency" in opened.info and plain.mode in ("1", "L", "RGB"):
        plain = plain.convert("RGBA" if plain.mode == "RGB" else "LA")
    if plain.mode == "I;16":
        plain = Image.frombytes("L", plain.size, plain.tobytes()[1::2])  # the high byte
    if profile := opened.info.get("icc_profile"):
        plain = _to_srgb(plain, profile)
    if plain.mode == "CMYK":
        plain = plain.convert("RGB")
    # Pillow saves the content of `info` as metadata
    keyed = plain.mode == "P" and "transparency" in opened.info
    plain.info = {"transparency": opened.info["transparency"]} if keyed else {}
    return plain


def _to_srgb(plain: Image.Image, profile: bytes) -> Image.Image:
    """Return the picture in sRGB, or unchanged if the profile does not fit it."""
    if plain.mode == "P":
        palette = plain.getpalette("RGB") or []
        colours = _to_srgb(Image.frombytes("RGB", (len(palette) // 3, 1), bytes(palette)), profile)
        plain.putpalette(colours.tobytes(), "RGB")
        return plain
    if plain.mode == "LA":
        return Image.merge("LA", (_to_srgb(plain.getchannel("L"), profile), plain.getchannel("A")))
    try:
        known = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(known).lower():
            return plain
        mode = "RGBA" if plain.mode == "RGBA" else "RGB"
        changed = ImageCms.profileToProfile(plain, known, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return plain
    assert changed is not None  # None only for a conversion in place
    return changed.convert("L") if plain.mode == "L" else changed


def _save_small(drawn: Image.Image, file: IO[bytes]) -> None:
    """Save the thumbnail as WebP. Changes `drawn`."""
    if drawn.mode not in ("RGB", "RGBA"):
        drawn = drawn.convert("RGBA" if drawn.has_transparency_data else "RGB")
    drawn.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS, reducing_gap=2.0)
    drawn.save(file, "WEBP", quality=THUMBNAIL_QUALITY)


def small(data: bytes) -> bytes:
    """Return the thumbnail of a picture that this server has made or checked. Raise OSError."""
    made = io.BytesIO()
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        drawn.draft("RGB", (2 * THUMBNAIL, 2 * THUMBNAIL))
        drawn.load()
        _save_small(drawn, made)
    return made.getvalue()


def fitted(data: bytes, most_pixels: int, most_bytes: int) -> bytes:
    """Return a picture that this server has made or checked as a JPEG within the limits: transparency becomes white,
    an animation its first frame. Raise OSError."""
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        drawn.load()
        plain: Image.Image = drawn
        if drawn.has_transparency_data:
            plain = Image.new("RGB", drawn.size, "white")
            plain.paste(drawn.convert("RGBA"), mask=drawn.convert("RGBA").getchannel("A"))
        plain = plain.convert("RGB")
    shrink = min(1.0, (most_pixels / (plain.width * plain.height)) ** 0.5)
    while True:
        size = max(1, int(plain.width * shrink)), max(1, int(plain.height * shrink))
        if size[0] * size[1] > most_pixels and size != (1, 1):
            shrink *= 0.9  # a thin picture's short side is at least one pixel
            continue
        made = io.BytesIO()
        small = plain if shrink == 1 else plain.resize(size, Image.Resampling.LANCZOS)
        small.save(made, "JPEG", quality=JPEG_QUALITY)
        if made.tell() <= most_bytes or size == (1, 1):
            return made.getvalue()
        # at least a tenth smaller, since smaller pictures need more bytes per pixel
        shrink *= min(0.9, (most_bytes / made.tell()) ** 0.5)


def measure(data: bytes) -> tuple[int, int]:
    """Return width and height in pixels. Raise OSError."""
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        return drawn.size


def downscale(data: bytes, widths: Sequence[int]) -> list[bytes]:
    """Return a picture that this server has made or checked as WebP in each of `widths`; an animation becomes its
    first frame. Raise OSError."""
    found = []
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        drawn.draft("RGB", (max(widths), max(widths)))  # a large JPEG is decoded at the needed size
        plain = drawn.convert("RGBA" if drawn.has_transparency_data else "RGB")
    for width in widths:
        height = max(1, round(plain.height * width / plain.width))
        made = io.BytesIO()
        plain.resize((width, height), Image.Resampling.LANCZOS).save(made, "WEBP", quality=THUMBNAIL_QUALITY)
        found.append(made.getvalue())
    return found


def main(original: str, picture: str, thumbnail: str) -> None:
    _limit()
    answer: dict[str, object]
    try:
        with open(picture, "wb") as file, open(thumbnail, "wb") as little:
            made = clean(Path(original).read_bytes(), file, little)
    except Refused as refused:
        answer = {"code": refused.code, "params": refused.params}
    except MemoryError:
        answer = {"code": "image_unreadable", "params": {}}
    else:
        answer = asdict(made)
    json.dump(answer, sys.stdout)


def _limit() -> None:
    """Give other processes priority, and limit CPU time and memory."""
    import os
    import resource

    os.nice(_NICENESS)
    for kind, most in ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY)):
        with suppress(ValueError, OSError):  # the limit is lower already, or the system has no such limit
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    # `_check_pixels` limits the size before decoding
    Image.MAX_IMAGE_PIXELS = None
    main(*sys.argv[1:])
