"""Checks users' videos and packs them anew: `python remuxing.py ORIGINAL VIDEO THUMBNAIL`.

`videos.py` starts this program in a new process for each video, so that a broken or hostile file can harm only a
process without secrets that ends anyway. So it imports nothing of the product. It writes the two files and prints one
line of JSON: the video's facts, or why it is refused (an ErrorCode with its parameters).

Nothing is encoded again: the packets of one picture track and one sound track are copied into a new MP4 whose index
comes first, as some networks require. Metadata (a phone's place and time), subtitles and all other tracks are dropped.
"""

import errno
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image, ImageStat

MAX_SIDE: Final = 4096
"""Pixels; no network takes more."""
THUMBNAIL: Final = 480
"""Longest side in pixels."""
THUMBNAIL_QUALITY: Final = 80
PIXEL_FORMATS: Final = ("yuv420p", "yuvj420p")
"""The second is the first with the full range of values, as some phones record."""

_DARK: Final = 24
"""Mean brightness of 255 up to which a frame counts as black."""
_FIRST: Final = 1.0
"""Seconds in which a frame for the thumbnail is looked for."""
_MISSING: Final = 1.0
"""Seconds by which tracks may be shorter than the index says: encoders round up."""
_QUARTER: Final = 90
"""Degrees."""

# limits of the process: a gigabyte is read and written in a fraction of the time, and the largest frames need a third
# of the memory. Without the limit of a file's size, an index that names the same bytes many times fills the disk
_SECONDS, _MEMORY, _FILE, _NICENESS = 120, 2 * 1024**3, 1_100_000_000, 2

Params = dict[str, str | int]


class Refused(Exception):
    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params: Params = params


@dataclass(frozen=True)
class RemuxedVideo:
    """`width` and `height` as shown: phones store portrait videos lying, with a rotation."""

    width: int
    height: int
    seconds: float
    video_codec: str
    audio_codec: str
    frames_per_second: float


def remux(original: Path, video: Path, thumbnail: Path) -> RemuxedVideo:
    """Write the video as MP4 and a thumbnail of it (WebP).

    Raise Refused: video_type_refused, video_too_many_pixels, video_unreadable; storage_unavailable if the disk is full.
    """
    _ensure_whole(original)
    try:
        # by this format alone: others lead to further files; and from files alone, no other address
        options = {"protocol_whitelist": "file"}
        with av.open(str(original), format="mov", options=options, metadata_errors="replace") as opened:
            picture, sound = _tracks(opened)
            frame = _bright_frame(opened, picture)
            turned = bool(frame.rotation % (2 * _QUARTER))
            _save_thumbnail(frame, thumbnail)
            seconds = _copy(opened, picture, sound, video)
            rate = picture.average_rate or picture.guessed_rate
            size = (frame.height, frame.width) if turned else (frame.width, frame.height)
            return RemuxedVideo(
                *size,
                seconds=round(seconds, 3),
                video_codec=picture.codec_context.name,
                audio_codec=sound.codec_context.name if sound else "",
                frames_per_second=round(float(rate), 3) if rate else 0,
            )
    except av.FFmpegError as error:
        full = error.errno == errno.ENOSPC  # no fault of the video's
        raise Refused("storage_unavailable" if full else "video_unreadable") from error


def _ensure_whole(original: Path) -> None:
    """Raise Refused (video_unreadable) if a part of the file that has pictures, sound or their index is cut off."""
    size, at = original.stat().st_size, 0
    with original.open("rb") as file:
        while at + 8 <= size:
            file.seek(at)
            head = file.read(16)
            length, name = int.from_bytes(head[:4]), head[4:8]
            if length == 1:
                length = int.from_bytes(head[8:16])
            if name in (b"moov", b"mdat", b"moof") and at + length > size:
                raise Refused("video_unreadable")
            if length < 8:  # up to the end, or no part of a video
                return
            at += length


def _tracks(opened: InputContainer) -> tuple[VideoStream, AudioStream | None]:
    """Return the first H.264 track and the first AAC track, which is None for a silent video. Raise Refused."""
    cover = av.stream.Disposition.attached_pic
    pictures = [track for track in opened.streams.video if not track.disposition & cover]
    picture = next((track for track in pictures if _codec(track) == "h264"), None)
    if picture is None:
        raise Refused("video_type_refused", found=", ".join(sorted({_codec(track) for track in pictures})))
    if picture.pix_fmt not in PIXEL_FORMATS:
        raise Refused("video_type_refused", found=f"h264, {picture.pix_fmt}")
    width, height = picture.width, picture.height
    if max(width, height) > MAX_SIDE:
        raise Refused("video_too_many_pixels", width=width, height=height, limit=MAX_SIDE)
    sounds = list(opened.streams.audio)
    sound = next((track for track in sounds if _codec(track) == "aac"), None)
    if sounds and sound is None:
        raise Refused("video_type_refused", found=", ".join(["h264", *sorted({_codec(track) for track in sounds})]))
    picture.codec_context.thread_count = 1  # each thread needs part of the address space
    return picture, sound


def _codec(track: VideoStream | AudioStream) -> str:
    """Return the codec's name; empty if this program knows none."""
    return track.codec_context.name if track.codec_context else ""


def _bright_frame(opened: InputContainer, picture: VideoStream) -> VideoFrame:
    """Return the first frame of the first second that is not black, or the brightest one. Raise Refused."""
    best, brightness = None, -1.0
    for frame in _first_frames(opened, picture):
        (found,) = ImageStat.Stat(_image(frame.reformat(width=64, height=64)).convert("L")).mean
        if found > brightness:
            best, brightness = frame, found
        if found > _DARK:
            break
    if best is None:
        raise Refused("video_unreadable")
    return best


def _first_frames(opened: InputContainer, picture: VideoStream) -> Iterator[VideoFrame]:
    first: float | None = None
    for frame in opened.decode(picture):
        at = frame.time or 0.0
        first = at if first is None else first
        if at > first + _FIRST:
            return
        yield frame


def _save_thumbnail(frame: VideoFrame, file: Path) -> None:
    drawn = _image(frame)
    if frame.rotation % 360:
        drawn = drawn.rotate(frame.rotation, expand=True)
    drawn.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS, reducing_gap=2.0)
    drawn.save(file, "WEBP", quality=THUMBNAIL_QUALITY)


def _image(frame: VideoFrame) -> Image.Image:
    drawn: Image.Image = frame.to_image()  # type: ignore[no-untyped-call]
    return drawn


def _copy(opened: InputContainer, picture: VideoStream, sound: AudioStream | None, video: Path) -> float:
    """Write the tracks' packets into a new file and return its length in seconds. Raise Refused (video_unreadable) if
    the tracks end before the index says."""
    tracks = [track for track in (picture, sound) if track]
    opened.seek(0)
    ends = dict.fromkeys((track.index for track in tracks), 0.0)
    # bit-exact: the same upload always gives the same bytes
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(str(video), "w", format="mp4", options=options) as packed:
        copies = {track.index: packed.add_stream_from_template(track) for track in tracks}
        for packet in opened.demux(*tracks):
            if packet.dts is None:  # the end of a track
                continue
            if packet.is_corrupt:
                raise Refused("video_unreadable")
            end = float(((packet.pts or packet.dts) + (packet.duration or 0)) * packet.time_base)
            ends[packet.stream.index] = max(ends[packet.stream.index], end)
            packet.stream = copies[packet.stream.index]
            packed.mux(packet)
    told = max(
        (float(track.duration * track.time_base) for track in tracks if track.duration and track.time_base), default=0.0
    )
    if max(ends.values()) < told - _MISSING:
        raise Refused("video_unreadable")
    with av.open(str(video), format="mp4") as written:
        return (written.duration or 0) / av.time_base


def main(original: str, video: str, thumbnail: str) -> None:
    _limit()
    answer: dict[str, object]
    try:
        made = remux(Path(original), Path(video), Path(thumbnail))
    except Refused as refused:
        answer = {"code": refused.code, "params": refused.params}
    except MemoryError:
        answer = {"code": "video_unreadable", "params": {}}
    else:
        answer = asdict(made)
    json.dump(answer, sys.stdout)


def _limit() -> None:
    """Give other processes priority, and limit CPU time, memory and the size of a file."""
    import os
    import resource

    os.nice(_NICENESS)
    limits = ((resource.RLIMIT_CPU, _SECONDS), (resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_FSIZE, _FILE))
    for kind, most in limits:
        with suppress(ValueError, OSError):  # the limit is lower already, or the system has no such limit
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(*sys.argv[1:])
