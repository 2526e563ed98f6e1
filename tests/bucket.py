"""Storage of pictures: each test with the fixture `media_url` runs with a folder and with a bucket of an S3 server
(moto)."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx2
import pytest

_BUCKET = "pictures"
_PATIENCE = 60.0  # seconds; loading the server takes a while


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of an S3 server with an empty bucket."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    # a file: the server logs each request, and an unread pipe is full after some 700 and would block it
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as server,
    ):
        try:
            _wait(server, url, said)
            yield url
        finally:
            server.terminate()


def _wait(server: "subprocess.Popen[bytes]", url: str, said: IO[str]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            httpx2.put(f"{url}/{_BUCKET}").raise_for_status()
            return
        except httpx2.TransportError:
            if server.poll() is not None:
                said.seek(0)
                raise AssertionError(f"no S3 server: {said.read()}") from None
            assert time.monotonic() < deadline, "the S3 server does not answer"
            time.sleep(0.1)


@pytest.fixture
def s3_url(s3: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new prefix in the bucket. The AWS variables in the environment point to the server."""
    for name, value in {"ACCESS_KEY_ID": "id", "SECRET_ACCESS_KEY": "key", "REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3)
    return f"s3://{_BUCKET}/{os.urandom(6).hex()}"


@pytest.fixture(params=["folder", "bucket"])
def media_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "bucket":
        return str(request.getfixturevalue("s3_url"))
    return (tmp_path / "pictures").as_uri()
