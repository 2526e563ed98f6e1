from pathlib import Path

import pytest

from core.domain.errors import ErrorCode, NotFound, Unavailable
from core.providers.storage import open_storage
from tests.providers.conftest import Answer, Server


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


async def test_a_bucket_that_does_not_answer(nowhere: str, bucket_at: pytest.MonkeyPatch) -> None:
    bucket_at.setenv("AWS_ENDPOINT_URL", nowhere)
    with pytest.raises(Unavailable):
        await open_storage("s3://bucket/media").get("a.jpg")
