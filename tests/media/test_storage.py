import os
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from core.errors import ErrorCode, NotFound, Unavailable
from core.media.storage import open_storage
from tests.http_server import Answer, Server

pytest_plugins = ["tests.bucket"]


async def test_what_is_put_can_be_read_replaced_deleted_and_cleared(media_url: str) -> None:
    """In a folder, and in a bucket of a real server."""
    storage = open_storage(media_url)
    keys = [f"7/{at:04}.jpg" for at in range(12)] + ["7/deep/ä b.jpg", "70/c.jpg"]
    for key in keys:
        await storage.put(key, key.encode(), "image/jpeg")
    assert [await storage.get(key) for key in keys] == [key.encode() for key in keys]
    await storage.put(keys[0], b"new", "image/jpeg")
    assert await storage.get(keys[0]) == b"new"
    for _ in range(2):
        await storage.delete(keys[0])
        with pytest.raises(NotFound):
            await storage.get(keys[0])
    for _ in range(2):
        await storage.clear("7")
    for key in keys[:-1]:
        with pytest.raises(NotFound):
            await storage.get(key)
    assert await storage.get("70/c.jpg") == b"70/c.jpg"


async def test_a_large_file_is_stored_and_read_in_parts(media_url: str, tmp_path: Path) -> None:
    storage, file = open_storage(media_url), tmp_path / "video.mp4"
    data = os.urandom(12 * 1024**2 + 7)
    file.write_bytes(data)
    await storage.put("7/video.mp4", file, "video/mp4")
    assert await storage.size("7/video.mp4") == len(data)
    chunks = [chunk async for chunk in storage.stream("7/video.mp4")]
    assert b"".join(chunks) == data
    assert max(map(len, chunks)) <= 256 * 1024
    for start, end in ((0, 1), (5 * 1024**2 - 1, 5 * 1024**2 + 1), (len(data) - 1, None), (3, 11_000_000)):
        assert b"".join([chunk async for chunk in storage.stream("7/video.mp4", start, end)]) == data[start:end]
    for end in (None, 3):
        with pytest.raises(NotFound):
            await anext(storage.stream("7/gone.mp4", 0, end))
    with pytest.raises(NotFound):
        await storage.size("7/gone.mp4")


async def test_from_a_bucket_anybody_gets_what_is_signed_for_a_day(s3_url: str, s3: str) -> None:
    """At the address that others reach its server by."""
    outside = s3.replace("127.0.0.1", "localhost")
    storage = open_storage(s3_url, outside)
    assert storage.is_reached_outside
    await storage.put("7/a.jpg", b"bytes", "image/jpeg")
    url = urlsplit(await storage.signed_url("7/a.jpg", timedelta(days=1)))
    assert (f"{url.scheme}://{url.netloc}", url.path) == (
        outside,
        f"{urlsplit(s3_url.replace('s3:/', 's3://x')).path}/7/a.jpg",
    )
    query = parse_qs(url.query)
    assert query["X-Amz-Expires"] == ["86400"]
    assert "key" not in query["X-Amz-Credential"][0]
    async with httpx2.AsyncClient() as anybody:
        answer = await anybody.get(url.geturl())
    assert (answer.status_code, answer.content) == (200, b"bytes")
    assert answer.headers["content-type"] == "image/jpeg"
    with pytest.raises(ValueError, match="not a key"):
        await storage.signed_url("../a", timedelta(days=1))
    assert not open_storage(s3_url).is_reached_outside


async def test_a_local_folder_is_made_when_first_used(tmp_path: Path) -> None:
    folder = tmp_path / "with space" / "media"
    storage = open_storage(folder.as_uri())
    assert not folder.exists()
    await storage.put("users/7/bild ä.jpg", b"one", "image/jpeg")
    await storage.put("users/7/bild ä.jpg", b"two", "image/jpeg")
    assert await storage.get("users/7/bild ä.jpg") == b"two"
    assert [path.name for path in folder.rglob("*.jpg")] == ["bild ä.jpg"]
    await storage.delete("users/7/bild ä.jpg")
    await storage.delete("users/7/bild ä.jpg")
    with pytest.raises(NotFound):
        await storage.get("users/7/bild ä.jpg")


async def test_a_cleared_folder_is_gone_with_what_a_broken_write_left(tmp_path: Path) -> None:
    storage = open_storage(tmp_path.as_uri())
    for key in ("7/a.jpg", "7/deep/b.jpg", "70/c.jpg"):
        await storage.put(key, b"bytes", "image/jpeg")
    (tmp_path / "7" / "d.jpg#1").write_bytes(b"half")
    await storage.clear("7")
    await storage.clear("7")
    assert names_below(tmp_path) == ["70", "c.jpg"]
    with pytest.raises(ValueError, match="not a key"):
        await storage.clear("..")


async def test_what_a_killed_process_began_to_write_goes_after_a_day(media_url: str, tmp_path: Path) -> None:
    folder = Path(urlsplit(media_url).path) if media_url.startswith("file:") else tmp_path
    storage = open_storage(media_url)
    await storage.put("7/a.mp4", b"bytes", "video/mp4")
    left = {"7/b.mp4#1": 25, "7/deep/c.mp4#12": 25, "7/d.mp4#1": 23, "7/e#f.mp4": 25}
    for name, hours in left.items():
        (file := folder / name).parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"half")
        os.utime(file, (time.time() - hours * 3600,) * 2)
    in_folder = media_url.startswith("file:")
    assert await storage.remove_unfinished() == (2 if in_folder else 0)
    assert await storage.get("7/a.mp4") == b"bytes"
    if in_folder:
        assert names_below(folder) == ["7", "a.mp4", "d.mp4#1", "deep", "e#f.mp4"]


def names_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


async def test_a_folder_that_cannot_be_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    storage = open_storage((tmp_path / "file" / "media").as_uri())
    for act in (storage.put("a", b"", "x/y"), storage.get("a"), storage.delete("a")):
        with pytest.raises(Unavailable) as raised:
            await act
        assert raised.value.code is ErrorCode.storage_unavailable


@pytest.mark.parametrize("key", ["", "/a", "a//b", "../a", "a/..", "./a", "a/"])
async def test_no_key_leads_out_of_the_folder(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        await open_storage(tmp_path.as_uri()).put(key, b"", "x/y")


@pytest.mark.parametrize("url", ["", "media", "file:relative", "file://host/a", "s3:///a", "ftp://x/y"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        open_storage(url)


@pytest.fixture
def bucket_at(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name, value in {"ACCESS_KEY_ID": "id", "SECRET_ACCESS_KEY": "key", "REGION": "eu-west-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    return monkeypatch


async def test_a_bucket_is_spoken_to_with_awss_own_settings(server: Server, bucket_at: pytest.MonkeyPatch) -> None:
    bucket_at.setenv("AWS_ENDPOINT_URL", server.url)
    modified = {"ETag": '"1"', "Last-Modified": "Sat, 21 Nov 2026 12:00:00 GMT"}
    server.answers("/bucket/media/a.jpg", Answer(200, b"bytes", modified))
    storage = open_storage("s3://bucket/media")
    await storage.put("a.jpg", b"bytes", "image/jpeg")
    assert await storage.get("a.jpg") == b"bytes"
    put = server.requests[0]
    assert (put.method, put.path, put.body) == ("PUT", "/bucket/media/a.jpg", b"bytes")
    assert put.headers["content-type"] == "image/jpeg"
    with pytest.raises(NotFound):
        await storage.get("missing.jpg")
    with pytest.raises(Unavailable):  # the bucket itself is gone
        await storage.put("missing.jpg", b"", "x/y")
    server.answers("/bucket/media/denied.jpg", Answer(403))
    with pytest.raises(Unavailable):
        await storage.get("denied.jpg")


async def test_a_folder_of_a_bucket_is_cleared_by_its_keys(server: Server, bucket_at: pytest.MonkeyPatch) -> None:
    bucket_at.setenv("AWS_ENDPOINT_URL", server.url)
    keys = "".join(
        f"<Contents><Key>media/7/{name}</Key><Size>1</Size><LastModified>2026-11-21T12:00:00Z</LastModified></Contents>"
        for name in ("a.jpg", "b.jpg")
    )
    deleted = "".join(f"<Deleted><Key>media/7/{name}</Key></Deleted>" for name in ("a.jpg", "b.jpg"))
    server.answers(
        "/bucket",
        Answer(body=f"<ListBucketResult><IsTruncated>false</IsTruncated>{keys}</ListBucketResult>".encode()),
        Answer(body=f"<DeleteResult>{deleted}</DeleteResult>".encode()),
    )
    await open_storage("s3://bucket/media").clear("7")
    asked, removed = server.requests
    assert "prefix=media%2F7%2F" in asked.path
    assert (removed.method, removed.path) == ("POST", "/bucket?delete")
    assert b"<Key>media/7/a.jpg</Key>" in removed.body
    assert b"<Key>media/7/b.jpg</Key>" in removed.body


async def test_a_bucket_that_does_not_answer(nowhere: str, bucket_at: pytest.MonkeyPatch) -> None:
    bucket_at.setenv("AWS_ENDPOINT_URL", nowhere)
    with pytest.raises(Unavailable):
        await open_storage("s3://bucket/media").get("a.jpg")
