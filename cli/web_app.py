"""Packages and build of the web app: which are stale, and the commands that renew them. Standard library only.

The callers run the commands: the bootstrap in sequence, `run` and `demo` in parallel with everything else.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

ROOT: Final = Path(__file__).resolve().parents[1]
FRONTEND: Final = ROOT / "frontend"
_PACKAGES: Final = FRONTEND / "node_modules" / ".postloom"
_BUILD: Final = FRONTEND / "node_modules" / ".postloom-build"
# outputs and temporary files, which are no inputs of the build
_NOT_INPUTS: Final = {"node_modules", "dist", "api", "e2e", "test-results", "playwright-report", "coverage"}
# `dependencies` are for the build, `devDependencies` (half of all packages) for tests and checks only
_INSTALL: Final = ("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", "--no-update-notifier")
_RUN: Final = ("npm", "run", "--silent", "--no-update-notifier")


@dataclass(frozen=True)
class Work:
    """Run `commands` in order in FRONTEND, then call `mark_done`."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    mark_done: Callable[[], None]


def list_stale_work(*, build: bool, tests: bool) -> list[Work]:
    """Return the work, in order, for a current build and for the packages of the tests."""
    if not FRONTEND.joinpath("package.json").exists():
        return []
    stale = build and build_is_stale()
    return [
        *([_install_packages(tests)] if (tests or stale) and packages_are_stale(tests) else []),
        *([_build()] if stale else []),
    ]


def packages_are_stale(tests: bool) -> bool:
    known = read_stamp(_PACKAGES)
    return known.get("inputs") != _package_inputs() or (tests and not known.get("tests"))


def build_is_stale() -> bool:
    outputs = (FRONTEND / "dist" / "index.html", FRONTEND / "src" / "api")
    return not all(path.exists() for path in outputs) or read_stamp(_BUILD).get("inputs") != _build_inputs()


def try_lock() -> TextIO | None:
    """Return the lock for this work, held until the file is closed; None if another process holds it."""
    file = (FRONTEND / "package.json").open()
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def has_node() -> bool:
    """Return whether PATH has npm and a Node that the web app's tools accept: ^22.22.2 || ^24.15.0 || >=26."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    shown = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", shown)
    version = tuple(map(int, found.groups())) if found else (0, 0, 0)
    return (22, 22, 2) <= version < (23,) or (24, 15, 0) <= version < (25,) or version >= (26,)


def _install_packages(tests: bool) -> Work:
    tests = tests or bool(read_stamp(_PACKAGES).get("tests"))  # installed test packages are kept
    stamp = {"inputs": _package_inputs(), "tests": tests}
    install = _INSTALL if tests else (*_INSTALL, "--omit=dev")
    return Work("Web app's packages", (install,), partial(_write_stamp, _PACKAGES, stamp))


def _build() -> Work:
    stamp = {"inputs": _build_inputs()}
    return Work("Web app's build", ((*_RUN, "api"), (*_RUN, "build")), partial(_write_stamp, _BUILD, stamp))


def _package_inputs() -> str:
    return digest([FRONTEND / "package.json", FRONTEND / "package-lock.json"])


def _build_inputs() -> str:
    return digest(path for path in _sources() if path.suffix not in (".tsbuildinfo", ".log"))


def _sources() -> Iterator[Path]:
    """Yield all files that the build may depend on, without the generated `src/api`."""
    for folder, names, files in os.walk(FRONTEND):
        top = Path(folder) in (FRONTEND, FRONTEND / "src")
        names[:] = [name for name in names if not name.startswith(".") and not (top and name in _NOT_INPUTS)]
        yield from (Path(folder) / name for name in files)


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of contents and paths, with the project's own path: an environment breaks when moved."""
    hashed = hashlib.sha256(str(ROOT).encode())
    for path in sorted(paths):
        hashed.update(f"\0{path.relative_to(ROOT)}\0".encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()


def read_stamp(path: Path) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        return {}
    return known


def _write_stamp(path: Path, known: dict[str, Any]) -> None:
    path.write_text(json.dumps(known))
