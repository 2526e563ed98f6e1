"""Pictures of people, checked and made anew: `python decoding.py ORIGINAL PICTURE THUMBNAIL`.

A program of its own, for which `uploads.py` starts a process each time: what a broken or hostile file does to a
decoder, it does to a process that holds nothing and ends anyway. So it imports nothing of the product. It writes the
two files and prints one line of JSON: what the picture is, or why it is refused (an ErrorCode with its parameters).

The size in pixels is read before anything is decoded. Only decoded pixels reach the result: what else is in a file, or
behind its picture, is left behind.
"""

import io
import json
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import IO, Final

from PIL import AvifImagePlugin, GifImagePlugin, Image, ImageCms, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

MAX_MEGAPIXELS: Final = 50
MAX_FRAMES: Final = 1000
MAX_FRAME_MEGAPIXELS: Final = 200
"""Of all frames of an animation together."""
MAX_BYTES: Final = 40 * 1024**2
"""Of an animation that was made anew."""
THUMBNAIL: Final = 480
"""Longest side in pixels."""
JPEG_QUALITY, WEBP_QUALITY, THUMBNAIL_QUALITY = 90, 90, 80
WEBP_EFFORT = 20
"""Of 100, for lossless ones, where quality means effort."""
PNG_EFFORT = 4
"""Of 9: a tenth larger than the usual 6, in less than half of the time."""

PngImagePlugin.MAX_TEXT_CHUNK = 32 * 1024**2
"""Bytes: programs leave descriptions of many megabytes in a PNG, which are dropped unread."""

PLUGINS: Final = (AvifImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)
"""Loaded by name: else Pillow looks through all that it has, which takes longer than a small picture. That of HEIC is
loaded where it is needed."""

_MEGA = 1_000_000
_PIECE = 2 * _MEGA
"""Pixels that are in memory a second time while a picture is turned or converted."""

# limits of the process; a picture needs a tenth of the time and a third of the memory
_SECONDS, _MEMORY, _NICENESS = 120, 2 * 1024**3, 2
_THREADS: Final = 1
"""Of a decoder: each thread takes its part of the address space."""

Params = dict[str, str | int]


class Refused(Exception):
    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params: Params = params


@dataclass(frozen=True)
class Made:
    mime: str
    width: int
    height: int
    first_frame_only: bool = False
    """The original moves, and this is its first frame."""


def clean(data: bytes, picture: IO[bytes], thumbnail: IO[bytes]) -> Made:
    """Write the picture anew, and its thumbnail. HEIC and AVIF become JPEG, or PNG where they are transparent.

    Raises Refused: image_type_refused, image_too_many_pixels, image_truncated, image_unreadable; too_large for a GIF.
    """
    kind = _kind(data)
    try:
        if kind == "GIF":
            return _clean_gif(data, picture, thumbnail)
        drawn = _opened(data, kind)
        first_frame_only = kind in ("PNG", "WEBP", "AVIF") and getattr(drawn, "n_frames", 1) > 1
        drawn = _loaded(drawn, data, kind)
        sampling = JpegImagePlugin.get_sampling(drawn) if kind == "JPEG" else -1
        plain = _plain(drawn, _TURNS.get(_orientation(drawn)))
        del drawn  # and with it, what its decoder holds
        if kind in ("AVIF", "HEIF"):
            kind = "PNG" if plain.has_transparency_data else "JPEG"
        if kind == "JPEG":
            plain.save(picture, "JPEG", quality=JPEG_QUALITY, subsampling=max(sampling, 0))
        elif kind == "PNG":
            plain.save(picture, "PNG", compress_level=PNG_EFFORT)
        elif b"VP8L" in data:  # lossless
            plain.save(picture, "WEBP", lossless=True, quality=WEBP_EFFORT, method=0)
        else:
            plain.save(picture, "WEBP", quality=WEBP_QUALITY)
        _save_small(plain, thumbnail)
        return Made(f"image/{kind.lower()}", *plain.size, first_frame_only)
    except _BROKEN as error:
        raise _refused(error) from error


# opening

_BEGINNINGS: Final = ((b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"GIF87a", "GIF"), (b"GIF89a", "GIF"))
_AVIF_BRANDS: Final = (b"avif", b"avis")
_HEIF_BRANDS: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")

_BROKEN = (OSError, SyntaxError, ValueError, EOFError, IndexError, RuntimeError, struct.error, zlib.error)
"""What decoders raise."""


def _kind(data: bytes) -> str:
    """By what the file begins with, whatever it is called."""
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


def _opened(data: bytes, kind: str) -> Image.Image:
    """With its size, and nothing decoded."""
    file = io.BytesIO(data)
    if kind == "JPEG":
        # not by `open`, which takes the further pictures that telephones put behind a photo for its own
        drawn: Image.Image = JpegImagePlugin.JpegImageFile(file)
    elif kind == "HEIF":
        import pillow_heif

        pillow_heif.options.DECODE_THREADS = _THREADS
        drawn = pillow_heif.HeifImageFile(file)  # type: ignore[no-untyped-call]
    else:
        if kind == "WEBP":
            _check_pixels(*_webp_size(data))  # its decoder takes the memory for all of it as soon as it is opened
        AvifImagePlugin.DEFAULT_MAX_THREADS = _THREADS
        drawn = Image.open(file, formats=[kind])
    _check_pixels(*drawn.size)
    return drawn


def _loaded(drawn: Image.Image, data: bytes, kind: str) -> Image.Image:
    """Before anything else can fail to, and leave a black picture."""
    try:
        drawn.load()
        return drawn
    except OSError as error:
        if kind != "JPEG" or "truncated" not in str(error):
            raise
    return _without_end(data.rstrip(b"\xff"))


_END: Final = b"\xff\xd9"
_NOISE: Final = bytes(range(1, 255)) * 8


def _without_end(data: bytes) -> Image.Image:
    """A JPEG whose end marker is missing. What stands behind a whole picture does not change it; where a part of the
    picture is missing, it is read for that part."""
    whole, other = (JpegImagePlugin.JpegImageFile(io.BytesIO(data + more + _END)) for more in (b"", _NOISE))
    whole.load()
    if zlib.crc32(whole.tobytes()) != zlib.crc32(other.tobytes()):
        raise Refused("image_truncated")
    return whole


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
    said = str(error).lower()
    cut = isinstance(error, (IndexError, EOFError, struct.error)) or "truncated" in said or "premature" in said
    return Refused("image_truncated" if cut else "image_unreadable")


# GIF

_GREYS = bytes(value for value in range(256) for _ in range(3))
_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def _clean_gif(data: bytes, picture: IO[bytes], thumbnail: IO[bytes]) -> Made:
    """With all frames, since networks show them."""
    width, height, anew = _gif(data)
    with Image.open(io.BytesIO(anew), formats=["GIF"]) as first:
        first.load()
        _save_small(first, thumbnail)
    picture.write(anew)
    return Made("image/gif", width, height)


def _gif(data: bytes) -> tuple[int, int, bytes]:
    """(width, height, the file anew): frame by frame, with the same colours, times and loops."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    _check_pixels(width, height)
    at = 13 + _table_size(flags)
    if at > len(data):
        raise Refused("image_truncated")
    parts, frames, pixels = [b"GIF89a", data[6:at]], 0, 0
    while at < len(data) and (block := data[at]) != 0x3B:
        if block == 0x21:
            label, began = data[at + 1], at + 2
            inner, at = _sub_blocks(data, began)
            if label == 0xF9 and len(inner[:1] and inner[0]) == 4:
                parts.append(b"\x21\xf9\x04" + inner[0] + b"\0")
            elif label == 0xFF and inner and inner[0] in _LOOPS and len(inner) > 1 and len(inner[1]) == 3:
                parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03" + inner[1] + b"\0")
        elif block == 0x2C:
            left, top, wide, high, flags = struct.unpack_from("<HHHHB", data, at + 1)
            frames, pixels = frames + 1, pixels + wide * high
            if not wide or not high or left + wide > width or top + high > height:
                raise Refused("image_unreadable")
            if frames > MAX_FRAMES or pixels > MAX_FRAME_MEGAPIXELS * _MEGA:
                raise Refused("image_too_many_pixels", width=width, height=height * frames, limit=MAX_FRAME_MEGAPIXELS)
            table = data[at + 10 : at + 10 + _table_size(flags)]
            began = at + 10 + len(table)
            inner, at = _sub_blocks(data, began + 1)
            coded = _frame_anew(wide, high, flags & 0x40, data[began:at])
            parts += [data[began - len(table) - 10 : began - len(table) - 1], bytes([flags & 0x87]), table, coded]
            if sum(map(len, parts)) > MAX_BYTES:
                raise Refused("too_large", limit=MAX_BYTES // 2 // 1024**2)
        else:
            raise Refused("image_unreadable")
    if not frames:
        raise Refused("image_unreadable")
    return width, height, b"".join([*parts, b"\x3b"])


def _table_size(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _sub_blocks(data: bytes, at: int) -> tuple[list[bytes], int]:
    """The blocks up to the empty one, and where the next thing begins."""
    found = []
    while length := data[at]:
        if at + 1 + length >= len(data):
            raise Refused("image_truncated")
        found.append(data[at + 1 : at + 1 + length])
        at += 1 + length
    return found, at + 1


def _frame_anew(width: int, height: int, interlaced: int, coded: bytes) -> bytes:
    """The frame's numbers of colours, decoded and coded again: nothing of the original's bytes remains.

    Shown as greys, whose numbers are their values.
    """
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + _GREYS
    place = b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, interlaced)
    with Image.open(io.BytesIO(head + place + coded + b"\x3b"), formats=["GIF"]) as frame:
        greys = Image.frombytes("L", (width, height), frame.tobytes())
    saved = io.BytesIO()
    greys.save(saved, "GIF", optimize=False, interlace=False)
    new = saved.getvalue()
    at = 13 + _table_size(new[10])
    while new[at] == 0x21:
        at = _sub_blocks(new, at + 2)[1]
    began = at + 10 + _table_size(new[at + 9])
    return new[began : _sub_blocks(new, began + 1)[1]]


# making a picture anew

Change = Callable[[Image.Image], Image.Image]

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""By EXIF's orientation."""
_ORIENTATION = 0x0112


def _orientation(drawn: Image.Image) -> int:
    try:
        return int(drawn.getexif().get(_ORIENTATION, 1))
    except (SyntaxError, ValueError, TypeError, KeyError, OSError, struct.error):
        return 1  # damaged metadata says nothing; it is dropped


def _plain(drawn: Image.Image, turn: Image.Transpose | None) -> Image.Image:
    """Upright, in sRGB, eight bits a channel, and without anything but pixels. Ends `drawn`."""
    see_through = drawn.info.get("transparency")
    profile = drawn.info.get("icc_profile")
    palette = drawn.getpalette("RGB") if drawn.mode == "P" else None
    keyed = see_through is not None and drawn.mode in ("1", "L", "RGB")
    mode = {"CMYK": "RGB", "I;16": "L"}.get(drawn.mode, drawn.mode)
    if keyed:
        mode = "RGBA" if mode == "RGB" else "LA"
    colours = _to_srgb(profile, drawn.mode if drawn.mode == "CMYK" else mode) if profile else None

    def change(piece: Image.Image) -> Image.Image:
        if piece.mode == "I;16":
            piece = _eight_bits(piece)
        if colours and piece.mode == "CMYK":
            return colours(piece)
        if piece.mode != mode:
            piece = piece.convert(mode)
        return colours(piece) if colours and mode != "P" else piece

    # the other decoders hold the picture again for as long as what they have opened
    same = mode == drawn.mode and (colours is None or mode == "P") and drawn.format in ("JPEG", "PNG")
    plain = drawn if turn is None and same else _piece_by_piece(drawn, mode, change, turn)
    if palette is not None:
        if colours:
            row = Image.frombytes("RGB", (len(palette) // 3, 1), bytes(palette))
            palette = list(colours(row).tobytes())
        plain.putpalette(palette, "RGB")
    # savers take what they find in here for metadata that is to be kept
    plain.info = {"transparency": see_through} if see_through is not None and mode == "P" else {}
    return plain


def _eight_bits(piece: Image.Image) -> Image.Image:
    """The high byte of sixteen."""
    return Image.frombytes("L", piece.size, piece.tobytes()[1::2])


def _to_srgb(profile: bytes, mode: str) -> Change | None:
    """None where it is sRGB already, or where the profile says nothing about such a picture."""
    try:
        known = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(known).lower():
            return None
        grey = mode in ("1", "L", "LA")
        inner = "L" if grey else "RGB" if mode == "P" else mode
        transform = ImageCms.buildTransform(
            known, ImageCms.createProfile("sRGB"), inner, "RGBA" if inner == "RGBA" else "RGB"
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None

    def change(piece: Image.Image) -> Image.Image:
        if not grey:
            return _applied(transform, piece)
        light = _applied(transform, piece.convert("L")).convert("L")
        return Image.merge("LA", (light, piece.getchannel("A"))) if mode == "LA" else light.convert(mode)

    return change


def _applied(transform: ImageCms.ImageCmsTransform, piece: Image.Image) -> Image.Image:
    changed = ImageCms.applyTransform(piece, transform)
    assert changed is not None  # only in place it answers nothing
    return changed


def _piece_by_piece(drawn: Image.Image, mode: str, change: Change, turn: Image.Transpose | None) -> Image.Image:
    """Through a file, so that the picture is in memory once and not twice. Ends `drawn`."""
    columns = turn in (
        Image.Transpose.TRANSPOSE,
        Image.Transpose.ROTATE_270,
        Image.Transpose.TRANSVERSE,
        Image.Transpose.ROTATE_90,
    )
    wide, high = (drawn.height, drawn.width) if columns else drawn.size
    sizes: list[tuple[int, int]] = []
    with tempfile.TemporaryFile() as file:
        for box in _boxes(drawn.size, turn, columns):
            piece = change(drawn.crop(box))
            if turn is not None:
                piece = piece.transpose(turn)
            raw = piece.tobytes()
            sizes.append((piece.height, len(raw)))
            file.write(raw)
        drawn.close()  # gives its memory back
        file.seek(0)
        new, top = Image.new(mode, (wide, high)), 0
        for rows, length in sizes:
            new.paste(Image.frombytes(mode, (wide, rows), file.read(length)), (0, top))
            top += rows
    return new


def _boxes(size: tuple[int, int], turn: Image.Transpose | None, columns: bool) -> Iterator[tuple[int, int, int, int]]:
    """Pieces of the original in the order in which they follow one another in the turned picture, from its top."""
    along, across = size if columns else size[::-1]
    thick = max(1, _PIECE // across)
    starts = range(0, along, thick)
    backwards = turn in (
        Image.Transpose.ROTATE_180,
        Image.Transpose.FLIP_TOP_BOTTOM,
        Image.Transpose.TRANSVERSE,
        Image.Transpose.ROTATE_90,
    )
    for start in reversed(starts) if backwards else starts:
        end = min(along, start + thick)
        yield (start, 0, end, across) if columns else (0, start, across, end)


def _save_small(drawn: Image.Image, file: IO[bytes]) -> None:
    """As WebP. The picture itself is never in memory a second time."""
    mode = "RGBA" if drawn.has_transparency_data else "RGB"
    factor = max(1, max(drawn.size) // (2 * THUMBNAIL))
    rows = factor * max(1, _PIECE // (drawn.width * factor))
    small = Image.new(mode, (ceil(drawn.width / factor), ceil(drawn.height / factor)))
    for top in range(0, drawn.height, rows):
        piece = drawn.crop((0, top, drawn.width, min(drawn.height, top + rows)))
        small.paste(piece.convert(mode).reduce(factor), (0, top // factor))
    small.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS)
    small.save(file, "WEBP", quality=THUMBNAIL_QUALITY)


def small(data: bytes) -> bytes:
    """The thumbnail of a picture that this server has made or checked itself. Raises OSError."""
    made = io.BytesIO()
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        drawn.draft("RGB", (2 * THUMBNAIL, 2 * THUMBNAIL))
        drawn.load()
        _save_small(drawn, made)
    return made.getvalue()


def fitted(data: bytes, most_pixels: int, most_bytes: int) -> bytes:
    """A picture that this server has made or checked itself as a JPEG within the limits, on white where it is
    transparent; of a moving one the first frame. Raises OSError."""
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
            shrink *= 0.9  # of a thin one the short side cannot be less
            continue
        made = io.BytesIO()
        small = plain if shrink == 1 else plain.resize(size, Image.Resampling.LANCZOS)
        small.save(made, "JPEG", quality=JPEG_QUALITY)
        if made.tell() <= most_bytes or size == (1, 1):
            return made.getvalue()
        # a little smaller than what would just fit, since smaller pictures hold more in each pixel
        shrink *= min(0.9, (most_bytes / made.tell()) ** 0.5)


def measured(data: bytes) -> tuple[int, int]:
    """Width and height in pixels. Raises OSError."""
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        return drawn.size


def narrowed(data: bytes, widths: Sequence[int]) -> list[bytes]:
    """A picture that this server has made or checked itself as WebP, as wide as each of `widths`; of a moving one the
    first frame. Raises OSError."""
    found = []
    with Image.open(io.BytesIO(data), formats=["JPEG", "PNG", "WEBP", "GIF"]) as drawn:
        drawn.draft("RGB", (max(widths), max(widths)))  # a large JPEG is decoded no larger than is needed
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
    """What is asked for meanwhile goes first, and nothing goes on for ever."""
    import os
    import resource

    os.nice(_NICENESS)
    for kind, most in ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY)):
        with suppress(ValueError, OSError):  # less is allowed already, or a system that knows no such limit
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    # the header of a picture has been read before anything is decoded
    Image.MAX_IMAGE_PIXELS = None
    main(*sys.argv[1:])
