"""Files for upload tests: ordinary pictures, other formats, and malicious files."""

import io
import random
import struct
import zlib
from functools import cache
from typing import Any

from PIL import Image, ImageCms

ZIP = b"PK\x03\x04" + bytes(26) + b"PK\x05\x06" + bytes(18)
HTML = b"<!DOCTYPE html><html><script>alert(1)</script></html>"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
MP4 = struct.pack(">I4s", 16, b"ftyp") + b"mp42\0\0\0\0" + struct.pack(">I4s", 13, b"mdat") + b"video"


@cache
def scene(width: int, height: int) -> Image.Image:
    """Return a picture with soft colours that differ everywhere; a red corner marks the top left."""
    grain = Image.frombytes("RGB", (12, 9), random.Random(7).randbytes(12 * 9 * 3))
    drawn = grain.resize((width, height))
    drawn.paste("#ff0000", (0, 0, max(1, width // 4), max(1, height // 4)))
    return drawn


def saved(drawn: Image.Image, format: str, **options: Any) -> bytes:
    data = io.BytesIO()
    drawn.save(data, format, **options)
    return data.getvalue()


def opened(data: bytes) -> Image.Image:
    drawn = Image.open(io.BytesIO(data))
    drawn.load()
    return drawn


def jpeg(width: int = 96, height: int = 64, **options: Any) -> bytes:
    return saved(scene(width, height), "JPEG", **{"quality": 95, **options})


def png(width: int = 96, height: int = 64) -> bytes:
    return saved(scene(width, height), "PNG")


def exif_of_a_phone(orientation: int = 1) -> bytes:
    """Return EXIF data with place (52° 31' N, 13° 24' E), device and orientation."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x010E] = orientation, "Secret Phone", "Secret Caption"
    place = exif.get_ifd(0x8825)
    place.update({1: "N", 2: (52.0, 31.0, 0.0), 3: "E", 4: (13.0, 24.0, 0.0)})
    return exif.tobytes()


XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:li>Secret Person</rdf:li></x:xmpmeta>'


@cache
def other_profile() -> bytes:
    """Return a colour profile that swaps red and blue: dropping it without converting changes the colours."""
    plain = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    (count,) = struct.unpack_from(">I", plain, 128)
    for entry in range(132, 132 + 12 * count, 12):
        kind = bytes(plain[entry : entry + 4])
        if kind in (b"rXYZ", b"bXYZ"):
            plain[entry : entry + 4] = {b"rXYZ": b"bXYZ", b"bXYZ": b"rXYZ"}[kind]
    return bytes(plain).replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def claiming_png(width: int, height: int) -> bytes:
    """Return a small PNG whose header claims a huge picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@cache
def real_bomb() -> bytes:
    """Return a PNG with all of its 8,000 × 8,000 pixels: 60 kB that unpack to 64 MB."""
    head = struct.pack(">IIBBBBB", 8_000, 8_000, 8, 0, 0, 0, 0)
    packer = zlib.compressobj()
    rows = b"".join([*(packer.compress(bytes(80 * 8_001)) for _ in range(100)), packer.flush()])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animation(frames: int = 3, **options: Any) -> bytes:
    drawn = [Image.new("P", (40, 30), at) for at in range(frames)]
    for at, one in enumerate(drawn):
        one.putpalette([value for shade in range(0, 256, 32) for value in (shade, 255 - shade, 90)])
        one.paste(7, (at * 4, 0, at * 4 + 4, 30))
    return saved(drawn[0], "GIF", save_all=True, append_images=drawn[1:], duration=120, loop=0, **options)


def with_segment(photo: bytes, marker: int, body: bytes) -> bytes:
    """Return the JPEG with one more segment after its first two bytes."""
    return photo[:2] + struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body + photo[2:]
