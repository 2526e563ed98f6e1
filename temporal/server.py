"""Finds the development server and the time-skipping test server, or brings them.

For each: PATH or the cache that all clones share, else the SDK's own download, else a build from source or
Java. `python -m temporal.server dev|test` does it as a process of its own: what it does goes to stderr, the
path to stdout.
"""

import asyncio
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

CACHE: Final = Path.home() / ".cache" / "postloom"
GO_PACKAGE: Final = "github.com/temporalio/cli/cmd/temporal@v1.5.1"
"""Server 1.29.1, Web UI 2.42.1: the newest that `go install` accepts (later go.mod files replace modules)."""
JAVA_ARTIFACT: Final = ("io.temporal", "temporal-test-server", "1.38.0")
SEARCH_ATTRIBUTES: Final[Mapping[str, str]] = {
    "UserId": "Keyword",
    "AssistantId": "Keyword",
    "RunState": "Keyword",
    "Channels": "KeywordList",
}
"""As `workflows/names.py` uses them; the development server registers them at its start."""
DYNAMIC_CONFIG: Final = Path(__file__).with_name("dynamicconfig") / "development.yaml"

_DOWNLOADS = "https://temporal.download/"
_REACHABLE_SECONDS = 5.0
_DOWNLOAD_SECONDS = 600.0
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>postloom</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
  </dependency></dependencies>
</project>
"""
_WRAPPER = """#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -cp "$(dirname "$0")/lib/*" \
io.temporal.testserver.TestServer "$@"
"""

Say = Callable[[str], None]


class NoServer(Exception):
    """Every way to get a server failed; the text says what to do."""


def installed_dev_server() -> Path | None:
    """The `temporal` on PATH or in the cache, without bringing anything."""
    on_path = shutil.which("temporal")
    cached = CACHE / "bin" / "temporal"
    return Path(on_path) if on_path else cached if os.access(cached, os.X_OK) else None


def find_dev_server(say: Say = lambda _: None) -> Path:
    """The `temporal` program. Brings it when missing, which can take minutes. Raises NoServer."""
    if found := installed_dev_server():
        return found
    target = CACHE / "bin" / "temporal"
    if _download(target, time_skipping=False, say=say) or _go_install(target, say):
        return target
    raise NoServer(
        "no Temporal server: the download is out of reach and `go` is not installed (or failed, see above). "
        "Put the `temporal` program on PATH, or set TEMPORAL_ADDRESS to a server of your own"
    )


def find_test_server(say: Say = lambda _: None) -> Path:
    """The time-skipping test server (`test_server_existing_path`); as `find_dev_server`. Raises NoServer."""
    downloaded = CACHE / "bin" / "temporal-test-server"
    wrapper = CACHE / "temporal-test-server" / "temporal-test-server"
    if os.access(downloaded, os.X_OK):
        return downloaded
    if os.access(wrapper, os.X_OK) and shutil.which("java"):
        return wrapper
    if _download(downloaded, time_skipping=True, say=say):
        return downloaded
    if _maven(wrapper, say):
        return wrapper
    raise NoServer(
        "no time-skipping test server: the download is out of reach and Java with Maven is not installed (or "
        "failed, see above)"
    )


def dev_server_arguments(
    binary: Path, *, port: int, ui_port: int, http_port: int, database: Path | None
) -> tuple[str, ...]:
    """The command line of a server on 127.0.0.1 that keeps its state in `database` (None: nowhere)."""
    ports = (
        "--ip",
        "127.0.0.1",
        "--port",
        str(port),
        "--ui-port",
        str(ui_port),
        "--http-port",
        str(http_port),
    )
    state = ("--db-filename", str(database)) if database else ()
    attributes = [part for pair in SEARCH_ATTRIBUTES.items() for part in ("--search-attribute", "=".join(pair))]
    tuning = [part for value in dynamic_config() for part in ("--dynamic-config-value", value)]
    return (str(binary), "server", "start-dev", "--log-level", "error", *ports, *state, *attributes, *tuning)


def dynamic_config() -> list[str]:
    """`key=value` of each line `key: value` of the development server's dynamic configuration."""
    lines = (line.strip() for line in DYNAMIC_CONFIG.read_text().splitlines())
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return [f"{key.strip()}={value.strip()}" for key, _, value in pairs]


def dev_server_ready(http_port: int) -> bool:
    """Whether the server answers for its namespace. Waits a second at most."""
    try:
        address = f"http://127.0.0.1:{http_port}/api/v1/namespaces/default"
        with urllib.request.urlopen(address, timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _download(target: Path, *, time_skipping: bool, say: Say) -> bool:
    """The SDK's own download, done on the way to a start. That the network is closed is found out first."""
    try:
        urllib.request.urlopen(_DOWNLOADS, timeout=_REACHABLE_SECONDS).close()
    except urllib.error.HTTPError:
        pass  # it answers, which is all that was asked
    except OSError as error:
        say(f"no download: {_DOWNLOADS} is out of reach ({getattr(error, 'reason', error)})")
        return False
    say("downloading with the Temporal SDK")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        try:
            asyncio.run(asyncio.wait_for(_start_once(folder, time_skipping=time_skipping), _DOWNLOAD_SECONDS))
        except (RuntimeError, TimeoutError) as error:
            say(f"the download failed: {str(error) or 'it took too long'}")
            return False
        program = next(path for path in Path(folder).iterdir() if os.access(path, os.X_OK))
        program.replace(target)
    return True


async def _start_once(folder: str, *, time_skipping: bool) -> None:
    from temporalio.testing import WorkflowEnvironment  # slow to import, and seldom needed

    if time_skipping:
        start = WorkflowEnvironment.start_time_skipping(
            download_dest_dir=folder, test_server_startup_timeout=timedelta(seconds=60)
        )
    else:
        start = WorkflowEnvironment.start_local(
            download_dest_dir=folder, dev_server_startup_timeout=timedelta(seconds=60)
        )
    async with await start:
        pass


def _go_install(target: Path, say: Say) -> bool:
    go = shutil.which("go")
    if go is None:
        return False
    say(f"building {GO_PACKAGE} with go, which takes some minutes once")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        # GOOS and the like of a cross build in someone's environment would give a program for elsewhere
        env = {name: value for name, value in os.environ.items() if name not in ("GOOS", "GOARCH", "GOFLAGS")}
        if not _run([go, "install", GO_PACKAGE], {**env, "GOBIN": folder}, say):
            return False
        (Path(folder) / "temporal").replace(target)
    return True


def _maven(wrapper: Path, say: Say) -> bool:
    maven, java = shutil.which("mvn"), shutil.which("java")
    if maven is None or java is None:
        return False
    say(f"fetching {':'.join(JAVA_ARTIFACT)} with Maven")
    target = wrapper.parent
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        folder = Path(name)
        (folder / "pom.xml").write_text(_POM.format(*JAVA_ARTIFACT))
        copy = [maven, "-B", "-f", str(folder / "pom.xml"), "dependency:copy-dependencies"]
        if not _run([*copy, f"-DoutputDirectory={folder / 'made' / 'lib'}"], dict(os.environ), say):
            return False
        made = folder / "made" / wrapper.name
        made.write_text(_WRAPPER)
        made.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        made.parent.replace(target)
    return True


def _run(command: list[str], env: Mapping[str, str], say: Say) -> bool:
    """Run it, its output said line by line."""
    process = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    for line in process.stdout:
        say(line.rstrip())
    if process.wait() != 0:
        say(f"{command[0]} ended with {process.returncode} on {platform.platform()}")
    return process.returncode == 0


def main(kind: str) -> int:
    """Print the path of the server of this kind, `dev` or `test`."""

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    try:
        found = find_test_server(say) if kind == "test" else find_dev_server(say)
    except NoServer as error:
        say(str(error))
        return 1
    sys.stdout.write(f"{found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
