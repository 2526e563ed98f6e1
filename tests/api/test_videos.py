"""Uploading videos, and reading them in parts."""

import asyncio
import json
import os
import socket
import sys
import tempfile
import zipfile
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import delete, update

from api.app import connected_app
from core.clock import utcnow
from core.container import Services, wire
from core.errors import ErrorCode, InvalidInput, NotFound
from core.media.folders import temporary_folder
from core.media.repository import MediaRepository
from core.media.rules.media import UPLOAD_BYTES, MediaKind
from core.media.tables import Media
from core.posts.tables.posts import PostFile
from core.settings import Settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.test_documents import POSTS, a_post
from tests.clips import video
from tests.conftest import browsing
from tests.documents import a_pdf
from tests.factories import Factory
from tests.patience import PATIENCE
from tests.pictures import jpeg, opened
from tests.serving import serve

pytest_plugins = ["tests.bucket"]

CLIP = video()


@pytest.fixture
def settings(settings: Settings, media_url: str) -> Settings:
    return settings.model_copy(update={"media_url": media_url})


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


def largest(folder: Path) -> int:
    return max((file.stat().st_size for file in folder.glob("*/original")), default=0)


async def upload(api: httpx2.AsyncClient, data: bytes | AsyncIterator[bytes], name: str = "") -> httpx2.Response:
    return await api.post("/media/videos/", params={"name": name}, content=data, headers={"Content-Type": "video/mp4"})


async def uploaded(api: httpx2.AsyncClient, data: bytes = CLIP, name: str = "") -> dict[str, Any]:
    found: dict[str, Any] = done(await upload(api, data, name), 201)
    return found


async def read(api: httpx2.AsyncClient, url: str, asked: str = "", **headers: str) -> httpx2.Response:
    """As a player does: without the token."""
    wanted = {"Authorization": "", **({"Range": asked} if asked else {}), **headers}
    return await api.get(f"http://postloom.test{url}", headers=wanted)


async def test_a_video_is_uploaded_packed_and_shown(api: httpx2.AsyncClient, temporary: Path) -> None:
    made = await uploaded(api, CLIP, "C:\\Clips\\Rain on the canal.mov")
    assert (made["kind"], made["mime"], made["name"]) == ("video", "video/mp4", "Rain on the canal.mov")
    assert (made["width"], made["height"], made["pages"], made["duplicate"]) == (160, 96, None, False)
    assert made["seconds"] == pytest.approx(1.5, abs=0.1)
    whole = await read(api, made["url"])
    assert (whole.status_code, len(whole.content)) == (200, made["bytes"])
    assert whole.content[4:8] == b"ftyp"
    assert b"Secret" not in whole.content
    assert whole.headers["content-type"] == "video/mp4"
    assert whole.headers["content-disposition"] == f'inline; filename="{made["id"]}.mp4"'
    assert whole.headers["accept-ranges"] == "bytes"
    assert "sandbox" in whole.headers["content-security-policy"]
    small = await read(api, made["thumbnail_url"])
    assert (small.headers["content-type"], opened(small.content).size) == ("image/webp", (160, 96))
    again = await uploaded(api, whole.content, "The same.mp4")
    assert (again["id"], again["name"], again["duplicate"]) == (made["id"], "Rain on the canal.mov", True)
    assert names(temporary) == []


async def test_a_video_is_read_in_parts(api: httpx2.AsyncClient) -> None:
    made = await uploaded(api)
    url, size = made["url"], made["bytes"]
    whole = (await read(api, url)).content
    for asked, start, end in (
        ("bytes=0-", 0, size),
        ("bytes=0-0", 0, 1),
        ("bytes=100-199", 100, 200),
        (f"bytes={size - 1}-", size - 1, size),
        (f"bytes=10-{size * 9}", 10, size),
        ("bytes=-7", size - 7, size),
        (f"bytes=-{size * 9}", 0, size),
    ):
        part = await read(api, url, asked)
        assert (part.status_code, part.content) == (206, whole[start:end]), asked
        assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{size}"
        assert part.headers["content-length"] == str(end - start)
    for asked in (f"bytes={size}-", "bytes=5-2", "bytes=-0"):
        none = await read(api, url, asked)
        assert (none.status_code, none.content, none.headers["content-range"]) == (416, b"", f"bytes */{size}")
    for asked in ("bytes=0-1,5-9", "lines=0-1", "bytes=", "bytes=a-b"):
        ignored = await read(api, url, asked)
        assert (ignored.status_code, ignored.content) == (200, whole)
    etag = (await read(api, url)).headers["etag"]
    assert (await read(api, url, "bytes=0-1", **{"If-Range": etag})).status_code == 206
    assert (await read(api, url, "bytes=0-1", **{"If-Range": '"another"'})).status_code == 200
    head = await api.head(f"http://postloom.test{url}", headers={"Authorization": ""})
    assert (head.status_code, head.headers["content-length"], head.content) == (200, str(size), b"")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (jpeg(), ErrorCode.video_type_refused),
        (b"", ErrorCode.video_type_refused),
        (b"%PDF-1.7", ErrorCode.video_type_refused),
        (video(codec="libx265"), ErrorCode.video_type_refused),
        (video(0.2, (4112, 16)), ErrorCode.video_too_many_pixels),
        (CLIP[:1000], ErrorCode.video_unreadable),
    ],
    ids=["image", "nothing", "document", "hevc", "gigantic", "truncated"],
)
async def test_what_is_refused_leaves_nothing(
    api: httpx2.AsyncClient, temporary: Path, data: bytes, code: ErrorCode
) -> None:
    refused(await upload(api, data), 422, code)
    assert done(await api.get("/media/"))["total"] == 0
    assert names(temporary) == []


async def test_a_gigabyte_is_the_most(
    api: httpx2.AsyncClient, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        yield CLIP[:64]
        while True:
            taken += 500_000
            yield bytes(500_000)

    headers = {"Content-Type": "video/mp4", "Content-Length": "1000000001"}
    answer = await api.post("/media/videos/", content=endless(), headers=headers)
    assert refused(answer, 413, ErrorCode.too_large)["params"] == {"limit": 1000}
    assert taken == 0
    monkeypatch.setitem(UPLOAD_BYTES, MediaKind.video, 3_000_000)
    assert refused(await upload(api, endless()), 413, ErrorCode.too_large)["params"] == {"limit": 3}
    assert taken <= 5_000_000
    assert names(temporary) == []


@pytest.mark.parametrize("data", [CLIP, CLIP[:40]], ids=["whole", "a beginning"])
async def test_a_video_is_not_taken_as_a_form(api: httpx2.AsyncClient, temporary: Path, data: bytes) -> None:
    """Its own route receives few at once."""
    answer = await api.post("/media/", files={"file": ("Rain.mp4", data, "image/jpeg")})
    refused(answer, 422, ErrorCode.image_type_refused)
    assert done(await api.get("/media/"))["total"] == 0
    assert names(temporary) == []


async def test_a_video_that_was_deleted_and_swept_is_stored_again(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    made = await uploaded(api)
    done(await api.delete(f"/media/{made['id']}/"), 204)
    async with services.sessions.begin() as session:
        row = await session.get_one(Media, UUID(made["id"]))
        await services.media.remove(row)
        await MediaRepository(session).delete(row)
    assert (await read(api, made["url"])).status_code == 404
    again = await uploaded(api)
    assert again["id"] != made["id"]
    assert (await read(api, again["url"])).status_code == 200
    await services.media.remove_files(user.id)
    # the row alone is there: the file is missing, and the answer says so before it begins
    assert (await read(api, again["url"])).status_code == 404
    with pytest.raises(NotFound):
        await services.media.storage.size(f"{user.id}/x.mp4")


async def test_the_list_tells_the_kinds_apart(api: httpx2.AsyncClient) -> None:
    clip = await uploaded(api, name="Rain.mp4")
    image = done(await api.post("/media/", files={"file": ("Rain.jpg", jpeg())}), 201)
    document = done(await api.post("/media/", files={"file": ("Eight.pdf", a_pdf(1))}), 201)
    for query, ids, kinds in (
        ("", [document["id"], image["id"], clip["id"]], (1, 1, 1)),
        ("kind=video", [clip["id"]], (1, 1, 1)),
        ("kind=image", [image["id"]], (1, 1, 1)),
        ("kind=document&origin=upload", [document["id"]], (1, 1, 1)),
        ("kind=video&origin=ai", [], (0, 0, 0)),
        ("kind=document&search=rain", [], (1, 0, 1)),
    ):
        page = done(await api.get(f"/media/?{query}"))
        assert ([found["id"] for found in page["items"]], page["total"]) == (ids, len(ids)), query
        assert tuple(page["kinds"][kind] for kind in ("image", "document", "video")) == kinds, query
    assert done(await api.get("/media/?kind=video"))["origins"]["own"] == 1


async def test_a_cover_is_used_by_its_post_and_both_stay_until_it_is_gone(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    made = await uploaded(api)
    cover = done(await api.post("/media/", files={"file": ("Cover.jpg", jpeg())}), 201)
    files = [{"media_id": made["id"], "title": "Rain", "cover_id": cover["id"]}]
    post = done(await api.post(POSTS, json=a_post(files=files)), 201)
    (file,) = post["files"]
    assert (file["kind"], file["title"], file["cover_id"]) == ("video", "Rain", cover["id"])
    assert opened((await read(api, file["cover_url"])).content).size[0] > 0
    assert opened((await read(api, file["thumbnail_url"])).content).size == (160, 96)
    for one in (made, cover):
        (use,) = done(await api.get(f"/media/{one['id']}/"))["uses"]
        assert (use["kind"], use["id"]) == ("post", post["id"])
        done(await api.delete(f"/media/{one['id']}/"), 204)
    async with services.sessions.begin() as session:
        await session.execute(update(Media).values(deleted_at=utcnow().replace(year=2020)))
    assert await services.gallery.sweep() == 0
    assert (await read(api, file["url"], "bytes=0-7")).status_code == 206
    async with services.sessions.begin() as session:
        await session.execute(delete(PostFile).where(PostFile.user_id == user.id))
    assert await services.gallery.sweep() == 2
    for one in (file["url"], file["thumbnail_url"], file["cover_url"]):
        assert (await read(api, one)).status_code == 404


async def test_a_video_is_in_the_export_of_its_owner(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    made = await uploaded(api)
    whole = (await read(api, made["url"])).content
    _, chunks = await services.account_export.export(user.id)
    archive = zipfile.ZipFile(BytesIO(b"".join([chunk async for chunk in chunks])))
    assert archive.read(f"media/{made['id']}.mp4") == whole
    (told,) = json.loads(archive.read("media.json"))
    assert (told["kind"], told["facts"]["video_codec"], told["file"]) == ("video", "h264", f"media/{made['id']}.mp4")


async def test_where_an_image_is_shown_a_video_shows_its_thumbnail_and_is_never_read_whole(
    api: httpx2.AsyncClient, services: Services
) -> None:
    made = await uploaded(api)
    async with services.sessions() as session:
        row = await session.get_one(Media, UUID(made["id"]))
    shown = opened(await services.media.read_fitting(row, 1_000_000, 1_000_000))
    assert (shown.format, shown.size) == ("JPEG", (160, 96))
    with pytest.raises(InvalidInput):
        await services.media.read(row)


async def test_while_the_storage_is_away_the_answer_says_so(
    services: Services, away: Gateway, user: User, tmp_path: Path, temporary: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    gone = services.settings.model_copy(update={"media_url": (tmp_path / "file" / "media").as_uri()})
    async with browsing(wire(gone, services.engine, services.sessions), away, user) as api:
        refused(await upload(api, CLIP), 503, ErrorCode.storage_unavailable)
        assert done(await api.get("/media/"))["items"] == []
    assert names(temporary) == []


async def test_without_space_for_temporary_files_the_answer_says_so(
    api: httpx2.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda **_: _Full(tmp_path))
    refused(await upload(api, CLIP), 503, ErrorCode.storage_unavailable)


class _Full:
    """A folder whose disk is full."""

    def __init__(self, folder: Path) -> None:
        (folder / "original").symlink_to("/dev/full")
        self.folder = folder

    def __enter__(self) -> str:
        return str(self.folder)

    def __exit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("media_url", ["folder"], indirect=True)
async def test_who_leaves_in_the_middle_leaves_nothing(standing: Services, away: Gateway, temporary: Path) -> None:
    """Over a real server, whose client goes away after a part of the body."""
    user = await Factory(standing.sessions, standing.vault).user()
    link = await standing.identity.sign_in_link(user.id)
    _, token = await standing.identity.sign_in_by_link(link, "a test")
    async with serve(connected_app(standing.settings, standing, away)) as address:
        parts = urlsplit(address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(
            f"POST /api/media/videos/ HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: video/mp4\r\nContent-Length: 900000000\r\n\r\n".encode()
        )
        writer.write(CLIP[:64] + bytes(3_000_000))
        await writer.drain()
        async with asyncio.timeout(PATIENCE):
            while largest(temporary) < 1_000_000:
                await asyncio.sleep(0.02)
            writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
            writer.close()
            while names(temporary):
                await asyncio.sleep(0.02)
        assert await reader.read() == b""
    assert (await standing.gallery.page(user.id, **EVERYTHING)).total == 0


@pytest.mark.parametrize("media_url", ["folder"], indirect=True)
async def test_a_start_removes_uploads_of_killed_processes_and_nothing_else(
    standing: Services, away: Gateway, temporary: Path
) -> None:
    begun = "from core.media.folders import temporary_folder as held\nwith held() as folder:\n"
    killed = f"{begun}    (folder / 'original').write_bytes(b'x')\n    import os; os.kill(os.getpid(), 9)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", killed, env=os.environ | {"TMPDIR": str(temporary)}
    )
    await process.wait()
    (left,) = names(temporary)
    (temporary / "postloom-of-somebody-else").mkdir()
    with temporary_folder() as held:
        async with serve(connected_app(standing.settings, standing, away)):
            assert sorted(names(temporary)) == sorted([held.name, "postloom-of-somebody-else"])
    assert left not in names(temporary)


EVERYTHING: dict[str, Any] = {
    "search": "",
    "tag": None,
    "origin": None,
    "sort": "newest",
    "offset": 0,
    "limit": 10,
}
