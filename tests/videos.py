"""Videos as networks take them: bytes that begin like an MP4 file, which no client decodes."""

import hashlib
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from core.container import Services
from core.media.repository import MediaRepository
from core.media.rules.media import MediaKind, VideoFacts
from core.media.tables import MediaSource
from core.networks.posts import Image, Video

CHUNK = 256 * 1024
_HEAD = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"


def chunk_at(seed: int, start: int, size: int) -> bytes:
    """Return the bytes of a video from `start` on. They differ by seed and place."""
    first, last = start // CHUNK, (start + size - 1) // CHUNK
    blocks = b"".join(_block(seed, number) for number in range(first, last + 1))
    return blocks[start - first * CHUNK :][:size]


def _block(seed: int, number: int) -> bytes:
    mark = seed.to_bytes(8) + number.to_bytes(8)
    return (_HEAD if number == 0 else mark + mark[:8]) + mark + bytes(CHUNK - 40)


@dataclass
class Film:
    """A video that is never in memory as a whole, and remembers how it was read."""

    size: int
    seed: int = 1
    reads: list[tuple[int, int]] = field(default_factory=list)
    fetch_url: str = ""

    async def read(self, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        last = self.size if end is None else end
        self.reads.append((start, last))
        for at in range(start, last, CHUNK):
            yield chunk_at(self.seed, at, min(CHUNK, last - at))

    def video(self, *, title: str = "Riding in rain", alt: str = "A person rides", cover: Image | None = None) -> Video:
        return Video(
            title, alt, "video/mp4", self.size, 1280, 720, 12.5, cover, read=self.read, fetch_url=self.fetch_url
        )


async def stored_video(services: Services, user_id: UUID, film: Film, name: str = "Riding in rain.mp4") -> UUID:
    """Put a video into the user's library without decoding it, and return its id."""
    key = f"{user_id}/{film.seed}.mp4"
    with tempfile.NamedTemporaryFile() as file:
        async for chunk in film.read():
            file.write(chunk)
        file.flush()
        await services.media.storage.put(key, Path(file.name), "video/mp4")
    facts = VideoFacts(12.5, "h264", "aac", 25)
    values = {
        "user_id": user_id,
        "sha256": hashlib.sha256(str(film.seed).encode()).hexdigest(),
        "kind": MediaKind.video,
        "storage_key": key,
        "mime": "video/mp4",
        "width": 1280,
        "height": 720,
        "facts": facts.to_json(),
        "bytes": film.size,
        "source": MediaSource.upload,
        "name": name,
    }
    async with services.sessions.begin() as session:
        media, _ = await MediaRepository(session).add(values)
    return media.id
