"""The files of a post, and what a network requires of them."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Final

from core.errors import ErrorCode, FieldError
from core.media.rules.media import MediaKind

_KILOBYTE: Final = 1_000  # bytes, as networks count
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class FileFacts:
    """A file of a post. `width` and `height` in pixels: of a document, those of its first page."""

    width: int
    height: int
    alt: str = ""
    """Description for people who cannot see it; documents have none."""
    _: KW_ONLY
    kind: MediaKind = MediaKind.image
    mime: str = ""
    bytes: int = 0
    title: str = ""
    """What somebody typed as the name of a document or a video, or ""."""
    is_card_page: bool = False
    """Whether the image is a page of a carousel, so that a network may show fewer of them."""
    pages: int = 0
    """Of a document."""
    seconds: float = 0
    """Length of a video."""
    frames_per_second: float = 0
    """Of a video."""


@dataclass(frozen=True)
class DocumentLimits:
    max_bytes: int
    max_pages: int
    max_title: int
    """Maximum characters of the title."""


@dataclass(frozen=True)
class VideoLimits:
    """Ratios are width by height; None: no limit."""

    max_bytes: int
    min_seconds: float = 0
    max_seconds: float | None = None
    min_ratio: float = 0
    max_ratio: float | None = None
    mimes: tuple[str, ...] = ("video/mp4",)
    min_bytes: int = 0
    shows_title: bool = False
    shows_cover: bool = False
    """Whether readers see its title, and a cover that was chosen for it."""
    max_pixels: int | None = None
    """Maximum of width times height."""
    max_frame_rate: int | None = None
    """Frames per second, without their fraction."""


def sent_places(
    files: Sequence[FileFacts], max_images: int, document: DocumentLimits | None, video: VideoLimits | None
) -> tuple[int, ...]:
    """Return the places of the files that a network gets: its video or its document alone where it takes one, else the
    images. Of a carousel's pages it gets as many as it shows."""
    by_kind: dict[MediaKind, list[int]] = {kind: [] for kind in MediaKind}
    for at, file in enumerate(files):
        by_kind[file.kind].append(at)
    if video and by_kind[MediaKind.video]:
        return tuple(by_kind[MediaKind.video])
    if document and by_kind[MediaKind.document]:
        return tuple(by_kind[MediaKind.document])
    images = by_kind[MediaKind.image]
    if all(files[at].is_card_page for at in images):
        images = images[:max_images]
    return tuple(images)


def file_set_problems(files: Sequence[FileFacts]) -> list[FieldError]:
    """Return what is wrong with the files whatever the network: a post has one document at most, and a video stands
    alone."""
    problems = []
    documents = [at for at, file in enumerate(files) if file.kind is MediaKind.document]
    problems += [FieldError(f"files.{at}", ErrorCode.one_document) for at in documents[1:]]
    videos = [at for at, file in enumerate(files) if file.kind is MediaKind.video]
    if videos and len(files) > 1:
        problems.append(FieldError(f"files.{videos[0]}", ErrorCode.video_stands_alone))
    return problems


def unsent_problems(files: Sequence[FileFacts], sent: Sequence[int]) -> list[FieldError]:
    """Return problems if the network gets none of the post's files: one for each video or document, and one for all
    images together."""
    if sent:
        return []
    codes = {MediaKind.video: ErrorCode.video_unsupported, MediaKind.document: ErrorCode.document_unsupported}
    problems = [FieldError(f"files.{at}", codes[file.kind]) for at, file in enumerate(files) if file.kind in codes]
    if any(file.kind is MediaKind.image for file in files):
        problems.append(FieldError("files", ErrorCode.image_unsupported))
    return problems


def document_problems(field: str, file: FileFacts, limits: DocumentLimits) -> list[FieldError]:
    problems = []
    if file.bytes > limits.max_bytes:
        problems.append(_too_many_bytes(field, file.bytes, limits.max_bytes))
    if file.pages > limits.max_pages:
        problems.append(FieldError(field, ErrorCode.too_many_pages, found=file.pages, limit=limits.max_pages))
    if len(file.title) > limits.max_title:
        problems.append(
            FieldError(f"{field}.title", ErrorCode.content_too_long, length=len(file.title), limit=limits.max_title)
        )
    return problems


def video_problems(field: str, file: FileFacts, limits: VideoLimits) -> list[FieldError]:
    problems = []
    if file.bytes < limits.min_bytes:
        kilobytes, least = file.bytes // _KILOBYTE, math.ceil(limits.min_bytes / _KILOBYTE)
        problems.append(FieldError(field, ErrorCode.video_too_small, found=kilobytes, limit=least))
    if file.mime not in limits.mimes:
        problems.append(FieldError(field, ErrorCode.video_type_unfit))
    if file.bytes > limits.max_bytes:
        problems.append(_too_many_bytes(field, file.bytes, limits.max_bytes))
    if file.seconds < limits.min_seconds:
        problems.append(
            FieldError(field, ErrorCode.video_too_short, seconds=round(file.seconds, 1), limit=limits.min_seconds)
        )
    if limits.max_seconds is not None and file.seconds > limits.max_seconds:
        problems.append(
            FieldError(field, ErrorCode.video_too_long, seconds=round(file.seconds, 1), limit=limits.max_seconds)
        )
    if limits.max_pixels is not None and file.width * file.height > limits.max_pixels:
        code, limit = ErrorCode.video_resolution_too_high, limits.max_pixels
        problems.append(FieldError(field, code, width=file.width, height=file.height, limit=limit))
    rate = file.frames_per_second
    if limits.max_frame_rate is not None and math.floor(rate) > limits.max_frame_rate:
        problems.append(
            FieldError(field, ErrorCode.video_frame_rate_too_high, found=round(rate, 1), limit=limits.max_frame_rate)
        )
    ratio = file.width / file.height
    most = 1000 if limits.max_ratio is None else limits.max_ratio
    if not limits.min_ratio <= ratio <= most:
        problems.append(
            FieldError(
                field,
                ErrorCode.video_ratio_unfit,
                ratio=round(ratio, 2),
                least=round(limits.min_ratio, 2),
                most=round(most, 2),
            )
        )
    return problems


def _too_many_bytes(field: str, found: int, limit: int) -> FieldError:
    megabytes = math.ceil(found / _MEGABYTE * 10) / 10
    return FieldError(field, ErrorCode.file_too_large, found=megabytes, limit=math.floor(limit / _MEGABYTE))
