"""Users' pictures are re-encoded from their pixels before they reach the media library.

Each is decoded in a separate process (`decoding.py`), few at once (decision 8).
"""

import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from core.errors import ErrorCode, InvalidInput

logger = logging.getLogger(__name__)

AT_ONCE: Final = 2
"""Pictures decoded at the same time; each needs up to five bytes per pixel."""
PATIENCE: Final = 240.0
"""Seconds of waiting for the process; its CPU limit is half of it."""

_PROGRAM = Path(__file__).with_name("decoding.py")


@dataclass(frozen=True)
class CleanedUpload:
    """A picture with only its pixels, and its thumbnail (WebP)."""

    data: bytes = field(repr=False)
    mime: str
    width: int
    height: int
    thumbnail: bytes = field(repr=False)
    first_frame_only: bool = False
    """Whether the original is animated and this is its first frame."""


class Decoder:
    async def clean(self, original: Path) -> CleanedUpload:
        """Re-encode an upload. The same bytes always give the same result.

        Raise InvalidInput: image_type_refused, image_too_many_pixels, image_truncated or image_unreadable; too_large
        for a GIF.
        """
        async with self._decoding:
            with tempfile.TemporaryDirectory(prefix="postloom-") as folder:
                picture, thumbnail = Path(folder, "picture"), Path(folder, "thumbnail")
                result = await _run(original, picture, thumbnail)
                if result is None:
                    raise InvalidInput(ErrorCode.image_unreadable)
                if "code" in result:
                    raise InvalidInput(ErrorCode(result["code"]), **result["params"])
                return await asyncio.to_thread(
                    lambda: CleanedUpload(
                        picture.read_bytes(),
                        result["mime"],
                        result["width"],
                        result["height"],
                        thumbnail.read_bytes(),
                        result["first_frame_only"],
                    )
                )

    async def thumbnail(self, data: bytes) -> bytes:
        """Return the thumbnail of a picture made or cleaned by this server. Raise InvalidInput (image_unreadable)."""
        async with self._shrinking:
            try:
                return await asyncio.to_thread(_small, data)
            except OSError as error:
                raise InvalidInput(ErrorCode.image_unreadable) from error

    async def fitted(self, data: bytes, most_pixels: int, most_bytes: int) -> bytes:
        """Return a picture made or cleaned by this server as a JPEG within a network's limits. Raise InvalidInput
        (image_unreadable)."""
        async with self._shrinking:
            try:
                return await asyncio.to_thread(_fitted, data, most_pixels, most_bytes)
            except OSError as error:
                raise InvalidInput(ErrorCode.image_unreadable) from error

    async def narrowed(self, data: bytes, widths: Sequence[int]) -> list[bytes]:
        """Return a picture made or cleaned by this server as WebP in each of `widths` in pixels. Raise InvalidInput
        (image_unreadable)."""
        async with self._shrinking:
            try:
                return await asyncio.to_thread(_narrowed, data, widths)
            except OSError as error:
                raise InvalidInput(ErrorCode.image_unreadable) from error

    @cached_property
    def _decoding(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(AT_ONCE)

    @cached_property
    def _shrinking(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(AT_ONCE)


async def _run(*files: Path) -> dict[str, Any] | None:
    """Return the program's answer, or None if it crashed or took too long."""
    # -P: modules beside the program have the names of libraries
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        _PROGRAM,
        *files,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            answer, trace = await program.communicate()
    except TimeoutError:
        logger.warning("an image took longer than %d s to decode", PATIENCE)
        return None
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    if program.returncode:
        last = trace.decode(errors="replace").strip().rpartition("\n")[2]
        logger.warning("an image crashed its decoder (%d): %.200s", program.returncode, last)
        return None
    result: dict[str, Any] = json.loads(answer)
    return result


def _small(data: bytes) -> bytes:
    # imported here: it loads Pillow, and most commands never draw
    from core.media.decoding import small

    return small(data)


def _narrowed(data: bytes, widths: Sequence[int]) -> list[bytes]:
    from core.media.decoding import downscale

    return downscale(data, widths)


def measured(data: bytes) -> tuple[int, int]:
    """Return width and height in pixels of a picture made by this server. Raise OSError."""
    from core.media.decoding import measure

    return measure(data)


def _fitted(data: bytes, most_pixels: int, most_bytes: int) -> bytes:
    from core.media.decoding import fitted

    return fitted(data, most_pixels, most_bytes)
