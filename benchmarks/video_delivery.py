"""Measure a worker's memory while a video goes out: `python -m benchmarks.video_delivery`.

Runs the whole installation as `make run` starts it, with one worker and an account at each of four networks that take
200 MB. An image is published first, so that all is loaded and connected that a post needs. A video of that size is
uploaded, then published to all networks at once. Printed are the worker's resident set before, the most during and
after, and the same of the API, from which Instagram fetches the video. Exits with 1 if the
worker grew by more than 50 MB, or a network has not exactly one post with the whole video.
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import av
from av.video.frame import VideoFrame
from PIL import Image

from benchmarks.installation import Installation, connect_account, run_installation
from core.networks.rules.channels import ChannelKind

_KINDS: Final = (ChannelKind.linkedin, ChannelKind.linkedin_pages, ChannelKind.facebook, ChannelKind.instagram)
_MOST_GROWTH: Final = 50
_RATE: Final = 10
_SIZE: Final = (1280, 720)
_DISTINCT_FRAMES: Final = 8
_CHUNK: Final = 1024 * 1024
_MAX_WAIT: Final = timedelta(minutes=10)


def write_video(path: Path, megabytes: int) -> None:
    """Write an MP4 file of about that size: noise, which does not compress, repeated."""
    with av.open(str(path), "w", format="mp4") as out:
        stream: Any = out.add_stream("libx264", rate=_RATE, options={"qp": "4", "preset": "ultrafast", "g": "1"})
        stream.width, stream.height, stream.pix_fmt = *_SIZE, "yuv420p"
        written, number = 0, 0
        while written < megabytes * 1_000_000:
            noise = Image.frombytes("RGB", _SIZE, secrets.token_bytes(_SIZE[0] * _SIZE[1] * 3))
            frame: VideoFrame = VideoFrame.from_image(noise)  # type: ignore[no-untyped-call]
            frame.pts, frame.time_base = number, Fraction(1, _RATE)
            number += 1
            for packet in stream.encode(frame):
                written += packet.size
                out.mux(packet)
        out.mux(stream.encode(None))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class Watch:
    """The most that processes have held, by part, with their children."""

    def __init__(self, installation: Installation, *parts: str) -> None:
        self._installation, self._parts = installation, parts
        self.most = dict.fromkeys(parts, 0.0)

    def now(self) -> dict[str, float]:
        found = self._installation.processes()
        values = {}
        for part in self._parts:
            values[part] = 0.0
            for pid in found.get(part, []):
                with suppress(OSError, IndexError):  # it has ended
                    values[part] = max(values[part], resident_mb(pid))
        return values

    async def run(self) -> None:
        while True:
            for part, value in self.now().items():
                self.most[part] = max(self.most[part], value)
            await asyncio.sleep(0.1)


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            yield chunk


async def _publish(installation: Installation, file: dict[str, str]) -> str:
    post_id = str(uuid4())
    body = {
        "id": post_id,
        "content": f"Noise {post_id}",
        "time_zone": "UTC",
        "language": "en",
        "account_ids": list(installation.accounts.values()),
        "files": [file],
    }
    made = (await installation.client.post("/social-media-posts/", json=body)).raise_for_status().json()
    planned_at = (datetime.now(UTC) + timedelta(seconds=15)).isoformat()
    wanted = {"version": made["version"], "planned_at": planned_at}
    answer = await installation.client.post(f"/social-media-posts/{post_id}/publish/", json=wanted)
    if answer.is_error:
        raise SystemExit(answer.text)
    return post_id


async def _wait_until_out(installation: Installation, post_id: str) -> list[str]:
    """Return the states of the post's deliveries, once none is open."""
    async with asyncio.timeout(_MAX_WAIT.total_seconds()):
        while True:
            post = (await installation.client.get(f"/social-media-posts/{post_id}/")).raise_for_status().json()
            states = [str(one["state"]) for one in post["deliveries"]]
            if all(state in ("published", "failed", "unknown") for state in states):
                return states
            await asyncio.sleep(1)


async def _cover(installation: Installation) -> str:
    data = BytesIO()
    Image.new("RGB", (1280, 720), "firebrick").save(data, "JPEG")
    files = {"file": ("cover.jpg", data.getvalue(), "image/jpeg")}
    answer = (await installation.client.post("/media/", files=files)).raise_for_status().json()
    return str(answer["id"])


async def main(megabytes: int) -> int:
    with tempfile.TemporaryDirectory() as base:
        file = Path(base, "video.mp4")
        await asyncio.to_thread(write_video, file, megabytes)
        size = await asyncio.to_thread(lambda: file.stat().st_size)
        say(f"a video of {size / 1_000_000:.0f} MB")
        folder = Path(base, "data")
        async with run_installation(folder) as installation:
            for kind in _KINDS:
                await connect_account(installation, kind)
            answer = await installation.client.post(
                "/media/videos/",
                params={"name": "Noise"},
                content=_chunks(file),
                headers={"Content-Type": "video/mp4", "Content-Length": str(size)},
                timeout=300,
            )
            made = answer.raise_for_status().json()
            cover_id = await _cover(installation)
            first = await _publish(installation, {"media_id": cover_id, "alt": "Red"})
            states = await _wait_until_out(installation, first)
            say(f"an image first: {', '.join(states)}")
            await asyncio.sleep(5)
            watch = Watch(installation, "worker", "api")
            before = watch.now()
            began = datetime.now(UTC)
            watching = asyncio.create_task(watch.run())
            try:
                video = {"media_id": made["id"], "alt": "Noise", "title": "Noise", "cover_id": cover_id}
                post_id = await _publish(installation, video)
                states = await _wait_until_out(installation, post_id)
            finally:
                watching.cancel()
            took = datetime.now(UTC) - began
            await asyncio.sleep(5)
            after = watch.now()
            shown = (await installation.sandbox.get("/sandbox/posts")).json()
            sizes = [one["bytes"] for post in shown if post_id in post["text"] for one in post["videos"]]
    say(f"deliveries: {', '.join(states)}; stored {made['bytes']} bytes; {took.total_seconds():.0f} s")
    say(f"bytes at the networks: {sizes}")
    for part in ("worker", "api"):
        say(f"{part}: before {before[part]:.0f} MB, most {watch.most[part]:.0f} MB, after {after[part]:.0f} MB")
    grown = watch.most["worker"] - before["worker"]
    return int(grown > _MOST_GROWTH or sizes != [made["bytes"]] * len(_KINDS))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200)
    arguments = parser.parse_args()
    sys.exit(asyncio.run(main(arguments.megabytes)))
