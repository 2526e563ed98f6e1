"""Users' files are checked before they reach the media library.

A picture is re-encoded from its pixels; a document is kept as it was uploaded; the tracks of a video are packed into a
new file (decision 140). Each is read in a separate process (`decoding.py`, `pdf_pages.py`, `remuxing.py`), few at once
(decision 8).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from core.errors import ErrorCode, InvalidInput, Unavailable
from core.media.folders import temporary_folder
from core.media.programs import run_program
from core.media.rules.media import MP4, PDF, DocumentFacts, MediaKind, VideoFacts

AT_ONCE: Final = 2
"""Pictures decoded at the same time; each needs up to five bytes per pixel."""

_PACKED_AT_ONCE: Final = 2
"""Videos, whose time goes into reading and writing files."""
_PACKING_PATIENCE: Final = 600.0
"""Seconds of waiting for a video's file."""
_DRAWING_PATIENCE: Final = 30.0
"""Seconds of waiting for a picture of a page."""

_PICTURES = Path(__file__).with_name("decoding.py")
_PAGES = Path(__file__).with_name("pdf_pages.py")
_VIDEOS = Path(__file__).with_name("remuxing.py")


@dataclass(frozen=True)
class CleanedUpload:
    """A picture with only its pixels, or another file as it was uploaded, and its thumbnail (WebP)."""

    data: bytes = field(repr=False)
    mime: str
    width: int
    height: int
    thumbnail: bytes = field(repr=False)
    first_frame_only: bool = False
    """Whether the original is animated and this is its first frame."""
    kind: MediaKind = MediaKind.image
    file: Path | None = None
    """Instead of `data`, of a document or a video: it is stored before the folder of the upload is deleted."""
    facts: DocumentFacts | VideoFacts | None = None
    page_sizes_differ: bool = False
    """Whether a document's pages have several sizes, which networks show badly."""


class Decoder:
    async def check(self, original: Path, kind: MediaKind) -> CleanedUpload:
        """Return an upload as it may be stored. `kind`: what it begins like. Raise InvalidInput as the method for this
        kind."""
        match kind:
            case MediaKind.document:
                return await self.check_document(original)
            case MediaKind.video:
                return await self.check_video(original)
            case MediaKind.image:
                return await self.clean(original)

    async def clean(self, original: Path) -> CleanedUpload:
        """Re-encode an upload. The same bytes always give the same result.

        Raise InvalidInput: image_type_refused, image_too_many_pixels, image_truncated or image_unreadable; too_large
        for a GIF.
        """
        async with self._decoding:
            with temporary_folder() as folder:
                picture, thumbnail = folder / "picture", folder / "thumbnail"
                result = await run_program(_PICTURES, original, picture, thumbnail)
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

    async def check_document(self, original: Path) -> CleanedUpload:
        """Return a PDF that networks can show. Raise InvalidInput: document_unreadable, document_locked (a password, or
        a restricted use) or document_too_long (300 pages)."""
        async with self._decoding:
            with temporary_folder() as folder:
                thumbnail = folder / "thumbnail"
                result = await run_program(_PAGES, "check", original, thumbnail)
                if result is None:
                    raise InvalidInput(ErrorCode.document_unreadable)
                if "code" in result:
                    raise InvalidInput(ErrorCode(result["code"]), **result["params"])
                return CleanedUpload(
                    b"",
                    PDF,
                    result["width"],
                    result["height"],
                    await asyncio.to_thread(thumbnail.read_bytes),
                    kind=MediaKind.document,
                    file=original,
                    facts=DocumentFacts(result["pages"]),
                    page_sizes_differ=result["page_sizes_differ"],
                )

    async def check_video(self, original: Path) -> CleanedUpload:
        """Return a video as MP4, in a file beside the original: H.264 and at most one AAC track, with the index first
        and without metadata. The same bytes always give the same result.

        Raise InvalidInput: video_type_refused, video_too_many_pixels or video_unreadable; Unavailable
        (storage_unavailable) if the disk is full.
        """
        video, thumbnail = original.with_name("video.mp4"), original.with_name("thumbnail")
        async with self._packing:
            result = await run_program(_VIDEOS, original, video, thumbnail, patience=_PACKING_PATIENCE)
        if result is None:
            raise InvalidInput(ErrorCode.video_unreadable)
        if result.get("code") == ErrorCode.storage_unavailable:
            raise Unavailable(ErrorCode.storage_unavailable, reason="no space for temporary files")
        if "code" in result:
            raise InvalidInput(ErrorCode(result["code"]), **result["params"])
        return CleanedUpload(
            b"",
            MP4,
            result.pop("width"),
            result.pop("height"),
            await asyncio.to_thread(thumbnail.read_bytes),
            kind=MediaKind.video,
            file=video,
            facts=VideoFacts.from_json(result),
        )

    async def draw_page(self, document: Path, page: int) -> bytes:
        """Return a picture (WebP) of a page, counted from 1, of a document that this server has checked. Uploads do not
        wait for it. Raise InvalidInput (document_unreadable)."""
        with temporary_folder() as folder:
            picture = folder / "picture"
            result = await run_program(_PAGES, "draw", document, str(page), picture, patience=_DRAWING_PATIENCE)
            if result is None or "code" in result:
                raise InvalidInput(ErrorCode.document_unreadable)
            return await asyncio.to_thread(picture.read_bytes)

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
    def _packing(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(_PACKED_AT_ONCE)

    @cached_property
    def _shrinking(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(AT_ONCE)


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
