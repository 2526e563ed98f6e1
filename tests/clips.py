"""Small videos, made as phones and programs make them."""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame
from PIL import Image, ImageDraw

RATE = 10
"""Frames per second, unless another one is asked for."""
SOUND_RATE = 44_100


def video(
    seconds: float = 1.5,
    size: tuple[int, int] = (160, 96),
    *,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    sound: str | None = "aac",
    rotation: int = 0,
    black: float = 0.4,
    kind: str = "mp4",
    flags: str = "",
    colour: str = "red",
    rate: int = RATE,
) -> bytes:
    """Return a video whose first `black` seconds are black; then its left half has the colour `colour`, and its right
    half is blue. `rotation`: degrees counterclockwise by which players turn it. `flags`: of the container."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "video")
        _write(file, seconds, size, codec, pixels, sound, rotation, black, kind, flags, colour, rate)
        return file.read_bytes()


def _write(
    file: Path,
    seconds: float,
    size: tuple[int, int],
    codec: str,
    pixels: str,
    sound: str | None,
    rotation: int,
    black: float,
    kind: str,
    flags: str,
    colour: str,
    rate: int,
) -> None:
    with av.open(str(file), "w", format=kind, options={"movflags": flags} if flags else {}) as out:
        # the second says where a phone took the video
        out.metadata.update(title="Secret", location="+52.5200+013.4050/")
        picture: Any = out.add_stream(codec, rate=rate)
        picture.width, picture.height, picture.pix_fmt = *size, pixels
        if rotation:
            picture.set_display_rotation(rotation)
        heard: Any = out.add_stream(sound, rate=SOUND_RATE, layout="mono") if sound else None
        for number in range(int(seconds * rate)):
            drawn = _drawn(size, colour, is_black=number < black * rate)
            frame: VideoFrame = VideoFrame.from_image(drawn)  # type: ignore[no-untyped-call]
            frame.pts, frame.time_base = number, Fraction(1, rate)
            out.mux(picture.encode(frame))
        out.mux(picture.encode(None))
        if heard:
            for at in range(0, int(seconds * SOUND_RATE), 1024):
                silence = AudioFrame(format=heard.format.name, layout="mono", samples=1024)
                silence.pts, silence.sample_rate, silence.time_base = at, SOUND_RATE, Fraction(1, SOUND_RATE)
                for plane in silence.planes:
                    plane.update(bytes(plane.buffer_size))
                out.mux(heard.encode(silence))
            out.mux(heard.encode(None))


def _drawn(size: tuple[int, int], colour: str, *, is_black: bool) -> Image.Image:
    drawn = Image.new("RGB", size, "black" if is_black else "blue")
    if not is_black:
        ImageDraw.Draw(drawn).rectangle((0, 0, size[0] // 2, size[1]), fill=colour)
    return drawn


def atoms(data: bytes) -> list[str]:
    """Return the names of a file's outermost parts, in their order."""
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4])
        found.append(data[at + 4 : at + 8].decode())
        at += size if size > 1 else int.from_bytes(data[at + 8 : at + 16])
    return found


def tracks(file: Path) -> list[tuple[str, str, int]]:
    """Return kind, codec and number of packets of each track."""
    with av.open(str(file)) as opened:
        counts = dict.fromkeys(range(len(opened.streams)), 0)
        for packet in opened.demux():
            counts[packet.stream.index] += packet.dts is not None
        return [(track.type, track.codec_context.name, counts[track.index]) for track in opened.streams]


def metadata(file: Path) -> dict[str, str]:
    with av.open(str(file)) as opened:
        return dict(opened.metadata)
