"""The time-skipping server's jars: only what the list names gets into the cache."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import run

import pytest

from temporal.time_skipping import ARTIFACT, Jar, bring_jars, find_java, listed_jars, starter
from tests.temporal.test_server import program

CONTENTS = {"org/one/1/one-1.jar": b"first", "org/two/2/two-2.jar": b"second"}


@dataclass(frozen=True)
class Repository:
    folder: Path
    url: str


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """The test's output is not the place."""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    folder = tmp_path / "repository"
    for path, content in CONTENTS.items():
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_bytes(content)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{served.server_port}"
        monkeypatch.setenv("POSTLOOM_MAVEN_URL", url)
        monkeypatch.setenv("PATH", str(tmp_path / "path"))
        yield Repository(folder, url)
        served.shutdown()
        thread.join()


JARS = [Jar(hashlib.sha256(content).hexdigest(), path) for path, content in CONTENTS.items()]


def test_jars_are_fetched_and_checked(tmp_path: Path, repository: Repository) -> None:
    assert bring_jars(tmp_path / "jars", JARS, print)
    assert {path.name: path.read_bytes() for path in (tmp_path / "jars").iterdir()} == {
        "one-1.jar": b"first",
        "two-2.jar": b"second",
    }


def test_one_wrong_jar_keeps_all_out(tmp_path: Path, repository: Repository) -> None:
    (repository.folder / "org/two/2/two-2.jar").write_bytes(b"another")
    said: list[str] = []
    assert not bring_jars(tmp_path / "jars", JARS, said.append)
    assert "two-2.jar has the SHA-256" in said[-1]
    assert not (tmp_path / "jars").exists()


@pytest.mark.parametrize(("content", "right"), [(b"second", True), (b"another", False)])
def test_what_maven_brings_is_checked_too(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch, content: bytes, right: bool
) -> None:
    monkeypatch.setenv("POSTLOOM_MAVEN_URL", "http://127.0.0.1:1")
    script = f"""for word; do case $word in -DoutputDirectory=*) folder=${{word#*=}};; esac; done
printf first >"$folder/one-1.jar"; printf {content.decode()} >"$folder/two-2.jar" """
    program(tmp_path / "path" / "mvn", script)
    assert bring_jars(tmp_path / "jars", JARS, print) is right
    assert (tmp_path / "jars").exists() is right


def test_without_repository_and_maven_nothing_is_left(tmp_path: Path, repository: Repository) -> None:
    (repository.folder / "org/two/2/two-2.jar").unlink()
    assert not bring_jars(tmp_path / "jars", JARS, print)
    assert not (tmp_path / "jars").exists()


def test_the_list_names_the_server_and_each_jar_once() -> None:
    jars = listed_jars()
    group, name, version = ARTIFACT
    assert f"{group.replace('.', '/')}/{name}/{version}/{name}-{version}.jar" in {jar.path for jar in jars}
    assert len({jar.name for jar in jars}) == len(jars)
    assert all(len(bytes.fromhex(jar.sha256)) == 32 for jar in jars)


def test_clones_with_different_javas_share_the_jars(tmp_path: Path) -> None:
    folder = tmp_path / "the jars"
    folder.mkdir()
    starters = []
    for name in ("one", "another one"):
        java = program(tmp_path / name / "java", f'echo "{name}" "$@"')
        starters.append(starter(folder, java))
        assert starter(folder, java) == starters[-1]
        said = run([starters[-1], "7233"], capture_output=True, text=True, check=True).stdout
        assert said.startswith(name)
        assert said.endswith(f"-cp {folder}/* io.temporal.testserver.TestServer 7233\n")
    assert len(set(starters)) == 2


def test_a_java_that_does_not_start_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, where /usr/bin/java may only say where to get one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    java = program(tmp_path / "java")
    assert find_java() == java
    program(java, "exit 1")
    assert find_java() != java
