"""How the built web app is served: packed, kept, asked for in parts."""

import gzip
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from api.app import connected_app
from core.errors import ErrorCode
from core.settings import Settings
from tests.api.conftest import refused

SCRIPT = "start();" * 400
PACKED = "/assets/start-1a2b3c4d.js"
PLAIN = {"Accept-Encoding": "identity"}
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each test finds a small build."""
    return tmp_path_factory.mktemp("web") / "dist"


@pytest.fixture(scope="module")
def app(build: Path) -> FastAPI:
    """One for all tests: building its routes takes longer than most of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.web_app.WEB", build)
        return connected_app(Settings(environment="test", public_url="http://postloom.test"))


@pytest.fixture
async def site(app: FastAPI, build: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx2.AsyncClient]:
    """With files as the real build has them."""
    (build / "assets").mkdir(parents=True)
    (build / "assets" / "start-1a2b3c4d.js").write_text(SCRIPT)
    (build / "assets" / "start-1a2b3c4d.js.br").write_bytes(b"as Brotli")  # which nothing here can read
    (build / "assets" / "start-1a2b3c4d.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (build / "assets" / "small-5e6f7a8b.css").write_text("a{}")
    (build / "assets" / "geist-9c0d1e2f.woff2").write_bytes(bytes(range(100)))
    (build / "robots.txt").write_text("User-agent: *\nDisallow: /api/\n")
    (build / "mark.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (build / "index.html").write_text("<!doctype html>")
    monkeypatch.setattr("api.web_app.WEB", build)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://postloom.test") as client:
        yield client
    shutil.rmtree(build)


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=1.0, br;q=0.5", "br"),
        ("BR", "br"),
        ("*", "br"),
        ("gzip, br;q=0", "gzip"),
        ("gzip", "gzip"),
        ("br;q=0, *;q=0", None),
        ("identity", None),
        ("br;q=much", None),
        ("", None),
    ],
)
async def test_the_best_packing_that_the_caller_reads_is_sent(
    site: httpx2.AsyncClient, accepts: str, encoding: str | None
) -> None:
    async with site.stream("GET", PACKED, headers={"Accept-Encoding": accepts}) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert answer.status_code == 200
    assert answer.headers.get("content-encoding") == encoding
    assert "Accept-Encoding" in answer.headers["vary"]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert int(answer.headers["content-length"]) == len(raw)
    assert {"br": b"as Brotli", "gzip": raw, None: SCRIPT.encode()}[encoding] == raw
    if encoding == "gzip":
        assert gzip.decompress(raw) == SCRIPT.encode()


async def test_each_packing_has_a_tag_of_its_own_and_is_not_sent_twice(site: httpx2.AsyncClient) -> None:
    tags = {}
    for accepts in ("gzip", "identity"):
        first = await site.get(PACKED, headers={"Accept-Encoding": accepts})
        tags[accepts] = first.headers["etag"]
        again = await site.get(PACKED, headers={"Accept-Encoding": accepts, "If-None-Match": tags[accepts]})
        assert (again.status_code, again.content) == (304, b"")
        assert "Accept-Encoding" in again.headers["vary"]
        assert again.headers["cache-control"] == FOR_EVER
    assert tags["gzip"] != tags["identity"]
    other = await site.get(PACKED, headers={"Accept-Encoding": "identity", "If-None-Match": tags["gzip"]})
    assert other.status_code == 200


@pytest.mark.parametrize("path", [PACKED, "/assets/small-5e6f7a8b.css", "/assets/geist-9c0d1e2f.woff2"])
async def test_files_with_a_hash_in_their_name_are_never_asked_for_again(site: httpx2.AsyncClient, path: str) -> None:
    answer = await site.get(path, headers=PLAIN)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, FOR_EVER)


@pytest.mark.parametrize("path", ["/", "/topics", "/assistants/1.5", "/index.html", "/robots.txt"])
async def test_what_names_the_files_is_asked_for_each_time(site: httpx2.AsyncClient, path: str) -> None:
    answer = await site.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    again = await site.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


async def test_what_crawlers_ask_for_is_plain_text(site: httpx2.AsyncClient) -> None:
    answer = await site.get("/robots.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("User-agent: *")


@pytest.mark.parametrize("path", ["/", "/topics", PACKED, "/robots.txt"])
async def test_the_head_of_an_answer_can_be_asked_for_alone(site: httpx2.AsyncClient, path: str) -> None:
    whole = await site.get(path, headers=PLAIN)
    head = await site.head(path, headers=PLAIN)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-length", "content-type", "etag", "cache-control"):
        assert head.headers[name] == whole.headers[name]


async def test_a_part_of_a_file_can_be_asked_for(site: httpx2.AsyncClient) -> None:
    for path, whole in ((PACKED, SCRIPT.encode()), ("/assets/geist-9c0d1e2f.woff2", bytes(range(100)))):
        part = await site.get(path, headers={"Range": "bytes=10-19", "Accept-Encoding": "gzip, br"})
        assert (part.status_code, part.content) == (206, whole[10:20])
        assert part.headers["content-range"] == f"bytes 10-19/{len(whole)}"
        assert "content-encoding" not in part.headers
    assert (await site.get(PACKED, headers={"Range": "bytes=99999-"})).status_code == 416


@pytest.mark.parametrize(
    "path",
    ["/assets/gone-1a2b3c4d.js", "/gone.png", "/sitemap.xml", f"{PACKED}.br", f"{PACKED}.gz", "/assets/%00.js"],
)
async def test_a_file_that_is_not_there_is_no_page(site: httpx2.AsyncClient, path: str) -> None:
    refused(await site.get(path), 404, ErrorCode.not_found)


async def test_nothing_outside_of_the_build_is_served(site: httpx2.AsyncClient, build: Path) -> None:
    (build.parent / "secret.txt").write_text("secret")
    for path in ("/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt", f"/{build.parent}/secret.txt"):
        assert (await site.get(path)).status_code == 404
    (build / "leads-out.txt").symlink_to(build.parent / "secret.txt")
    assert (await site.get("/leads-out.txt")).status_code == 404


async def test_the_api_keeps_its_own_answers(site: httpx2.AsyncClient) -> None:
    for path in ("/api", "/api/nothing/", "/api/nothing.js"):
        refused(await site.get(path), 404, ErrorCode.not_found)
    wrong = await site.get("/api/auth/login/")
    refused(wrong, 405, ErrorCode.invalid_input)
    assert wrong.headers["allow"] == "POST"
    refused(await site.post("/topics"), 405, ErrorCode.invalid_input)


async def test_without_a_build_it_says_what_to_do(site: httpx2.AsyncClient, build: Path) -> None:
    (build / "index.html").unlink()
    answer = await site.get("/topics")
    assert (answer.status_code, "make run" in answer.text) == (503, True)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/", "text/html; charset=utf-8"),
        (PACKED, "text/javascript; charset=utf-8"),
        ("/assets/small-5e6f7a8b.css", "text/css; charset=utf-8"),
        ("/assets/geist-9c0d1e2f.woff2", "font/woff2"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/mark.svg", "image/svg+xml; charset=utf-8"),
    ],
)
async def test_each_file_says_what_it_is_and_texts_how_they_are_written(
    site: httpx2.AsyncClient, path: str, content_type: str
) -> None:
    assert (await site.get(path, headers=PLAIN)).headers["content-type"] == content_type


@pytest.mark.parametrize(
    "path",
    [
        "/assets",
        "/assets/",
        "/.git/config",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/.env",
    ],
)
async def test_nothing_but_the_build_is_served(site: httpx2.AsyncClient, build: Path, path: str) -> None:
    """Neither what lies beside it nor what a folder holds: every other path is the app's page, which says what is
    missing."""
    (build.parent / "secret.txt").write_text("hush")
    answer = await site.get(path)
    page = await site.get("/")
    assert answer.status_code == 404 or answer.content == page.content
    assert b"hush" not in answer.content
    assert b"start-1a2b3c4d" not in answer.content
