"""Videos of the stand-ins: streamed to files, processed for a time, and shown on the board."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import httpx2

from sandbox.cards import image_path
from sandbox.fetching import SECONDS, TemporaryFailure
from sandbox.state import Row, State

UNPLAYABLE = "unplayable"
"""A video whose name, title or description has this word cannot be processed."""
MP4 = b"ftyp"
"""From the fifth byte on, in every MP4 file."""
_HEAD = 12


@dataclass(frozen=True)
class Video(Row):
    """A video or an upload that has begun. `size`: as announced. Times are epoch seconds; `uploaded_at` None: not
    complete. `cover`: the id of an image. `facts`: what only one stand-in needs."""

    table: ClassVar[str] = "videos"
    id: str
    owner: str
    size: int = 0
    uploaded_at: float | None = None
    failed: bool = False
    title: str = ""
    alt: str = ""
    cover: str = ""
    facts: dict[str, Any] | None = None

    @property
    def key(self) -> str:
        return self.id

    @property
    def file(self) -> str:
        return f"videos/{self.id}"

    def is_processed(self, state: State) -> bool:
        return (
            self.uploaded_at is not None and time.time() >= self.uploaded_at + state.settings.video_processing_seconds
        )

    def is_usable(self, state: State) -> bool:
        return self.is_processed(state) and not self.failed


async def write(path: Path, chunks: AsyncIterator[bytes], *, at: int = 0) -> int:
    """Write chunks to a file from position `at` on, and return how many bytes."""
    written = 0
    file = await asyncio.to_thread(_open, path, at)
    try:
        async for chunk in chunks:
            await asyncio.to_thread(file.write, chunk)
            written += len(chunk)
    finally:
        await asyncio.to_thread(file.close)
    return written


def _open(path: Path, at: int) -> BinaryIO:
    path.touch()
    file = path.open("r+b")
    file.seek(at)
    return file


def is_mp4(path: Path) -> bool:
    """Return whether a file begins as an MP4 file. The stand-ins decode no frame."""
    with path.open("rb") as file:
        return file.read(_HEAD)[4:8] == MP4


def read_track(path: Path) -> tuple[int, int, float] | None:
    """Return width, height and frames per second as an MP4 file states them; None if it cannot be read."""
    import av  # loads FFmpeg, which few calls of the stand-ins need

    try:
        options = {"protocol_whitelist": "file"}
        with av.open(str(path), format="mov", options=options, metadata_errors="replace") as opened:
            track = next(iter(opened.streams.video), None)
            return (track.width, track.height, float(track.average_rate or 0)) if track else None
    except av.FFmpegError:
        return None


def is_unplayable(*names: str) -> bool:
    return any(UNPLAYABLE in name for name in names)


def start_fetching(state: State, video: Video, url: str, most: int) -> None:
    """Save the video and fetch its content from the URL after the answer, as networks do."""
    state.save(video)
    task = asyncio.create_task(_fetch(state, video, url, most))
    state.tasks.add(task)
    task.add_done_callback(state.tasks.discard)


async def _fetch(state: State, video: Video, url: str, most: int) -> None:
    """A file that cannot be fetched fails as one that cannot be played, with another reason in `facts`."""
    try:
        done = await _fetched(state, video, url, most)
    except ValueError as error:
        done = replace(video, uploaded_at=time.time(), failed=True, facts={"not_fetched": str(error)})
    if video.id in state.table(Video):  # else the sandbox was reset
        state.save(done)


async def _fetched(state: State, video: Video, url: str, most: int) -> Video:
    """Return the video with the content of the URL. Raise ValueError as `fetching.fetch`."""
    if not url.isascii() or not url.startswith(("http://", "https://")):
        raise ValueError("the URL must be a web address in ASCII")
    try:
        async with (
            httpx2.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False) as http,
            http.stream("GET", url) as answer,
        ):
            if answer.status_code == 429 or answer.status_code >= 500:
                raise TemporaryFailure(f"the server answers {answer.status_code}")
            if answer.status_code != 200:
                raise ValueError(f"the server answers {answer.status_code}")
            size = await write(state.path(video), answer.aiter_bytes())
    except httpx2.InvalidURL as error:
        raise ValueError("the URL is invalid") from error
    except httpx2.HTTPError as error:
        raise TemporaryFailure(type(error).__name__) from error
    if size > most:
        raise ValueError("the video is too large")
    failed = video.failed or is_unplayable(url) or not is_mp4(state.path(video))
    return replace(video, size=size, uploaded_at=time.time(), failed=failed)


def video_path(video_id: str) -> str:
    return f"/sandbox/videos/{video_id}"


def video_players(found: Iterable[Video]) -> str:
    """Return players with the videos' titles and descriptions."""
    return "".join(_player(video) for video in found)


def _player(video: Video) -> str:
    poster = f' poster="{image_path(video.cover)}"' if video.cover else ""
    label = escape(video.alt or video.title)
    caption = f"<figcaption>{escape(video.title)}</figcaption>" if video.title else ""
    return (
        f'<figure class="video"><video controls preload="metadata" src="{video_path(video.id)}"{poster} '
        f'aria-label="{label}"></video>{caption}</figure>'
    )


def videos_as_json(found: Iterable[Video], base: str) -> list[dict[str, Any]]:
    return [
        {
            "id": video.id,
            "title": video.title,
            "alt_text": video.alt,
            "url": base + video_path(video.id),
            "cover": base + image_path(video.cover) if video.cover else None,
            "bytes": video.size,
        }
        for video in found
    ]
