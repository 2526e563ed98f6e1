"""Memory of the API while a large video is uploaded and read: `python -m benchmarks.videos [MEGABYTES] [--bucket]`.

On this machine only. `--bucket`: into an S3 server (moto) instead of a folder. The video is made of noise, so that it
is large; it is sent and read by one client, and its second half by ranges.
"""

import argparse
import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Iterator
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import av
import httpx2
from av.video.frame import VideoFrame
from PIL import Image

from benchmarks.serving import ApiServer, Readiness, run_api

_MEGABYTE = 1_000_000
_SIZE = 1280, 720
_RANGE = 4_000_000
_BUCKET = "videos"


def _make_video(file: Path, size: int) -> None:
    """Write an MP4 of about `size` bytes with H.264 noise, its index at the end."""
    with av.open(str(file), "w", format="mp4") as out:
        picture: Any = out.add_stream("libx264", rate=25, options={"preset": "ultrafast", "qp": "10", "g": "1"})
        picture.width, picture.height, picture.pix_fmt = *_SIZE, "yuv420p"
        noise = Image.frombytes("RGB", _SIZE, os.urandom(_SIZE[0] * _SIZE[1] * 3))
        frame: VideoFrame = VideoFrame.from_image(noise)  # type: ignore[no-untyped-call]
        packets, number = 0, 0
        while packets < size:
            frame.pts, frame.time_base = number, Fraction(1, 25)
            for packet in picture.encode(frame):
                packets += packet.size
                out.mux(packet)
            number += 1
        out.mux(picture.encode(None))


async def _sent(file: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(file.open, "rb") as opened:
        while chunk := await asyncio.to_thread(opened.read, 256 * 1024):
            yield chunk


async def _measure(server: ApiServer, what: str, action: Awaitable[Any]) -> Any:
    before, began = server.memory_mb(), perf_counter()
    most = before
    async with Readiness(server) as readiness:
        running = asyncio.ensure_future(action)
        while not running.done():
            await asyncio.wait([running], timeout=0.02)
            most = max(most, server.memory_mb())
    took = perf_counter() - began
    sys.stdout.write(
        f"{what:28} {took:.1f} s; memory {before:.0f} MB, at most +{most - before:.0f} MB, "
        f"afterwards {server.memory_mb():.0f} MB; {readiness.describe()}\n"
    )
    sys.stdout.flush()
    return await running


async def _upload(client: httpx2.AsyncClient, file: Path) -> dict[str, Any]:
    answer = await client.post("/api/media/videos/", params={"name": "noise.mp4"}, content=_sent(file))
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made


async def _read(client: httpx2.AsyncClient, url: str, headers: dict[str, str]) -> int:
    size = 0
    async with client.stream("GET", url, headers=headers) as answer:
        answer.raise_for_status()
        async for chunk in answer.aiter_bytes():
            size += len(chunk)
    return size


async def _seek(client: httpx2.AsyncClient, url: str, size: int) -> None:
    for start in range(size // 2, size, _RANGE):
        await _read(client, url, {"Range": f"bytes={start}-{start + _RANGE - 1}"})


@contextlib.asynccontextmanager
async def _bucket() -> AsyncIterator[None]:
    """Start an S3 server and set the environment to use it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    quiet = asyncio.subprocess.DEVNULL
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)), stdout=quiet, stderr=quiet
    )
    try:
        async with asyncio.timeout(60), httpx2.AsyncClient() as client:
            while True:
                with contextlib.suppress(httpx2.TransportError):
                    (await client.put(f"{address}/{_BUCKET}")).raise_for_status()
                    break
                await asyncio.sleep(0.1)
        keys = {"ACCESS_KEY_ID": "id", "SECRET_ACCESS_KEY": "key", "REGION": "us-east-1", "ENDPOINT_URL": address}
        os.environ |= {f"AWS_{name}": value for name, value in keys.items()} | {"MEDIA_URL": f"s3://{_BUCKET}/media"}
        yield
    finally:
        server.terminate()
        await server.wait()


@contextlib.contextmanager
def _made_video(size: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="postloom-bench-") as folder:
        file = Path(folder, "noise.mp4")
        _make_video(file, size)
        yield file


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("megabytes", nargs="?", type=int, default=200)
    parser.add_argument("--bucket", action="store_true")
    options = parser.parse_args()
    async with contextlib.AsyncExitStack() as stack:
        file = stack.enter_context(_made_video(options.megabytes * _MEGABYTE))
        if options.bucket:
            await stack.enter_async_context(_bucket())
        server = await stack.enter_async_context(run_api())
        _, token = await server.add_user()
        async with server.client(token, timeout=600) as client, server.client(timeout=600) as player:
            made = await _measure(server, f"upload of {file.stat().st_size / _MEGABYTE:.0f} MB", _upload(client, file))
            size = await _measure(server, "read as a whole", _read(player, made["url"], {}))
            assert size == made["bytes"]
            await _measure(server, "second half by ranges", _seek(player, made["url"], size))
            await _measure(server, "the same upload again", _upload(client, file))


if __name__ == "__main__":
    asyncio.run(main())
