"""Who imports whom, and from where."""

import ast
import importlib
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from core.settings import ROOT

PACKAGES = ["api", "workflows", "activities", "temporal", "core", "cli", "sandbox"]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_the_projects_own(name: str) -> None:
    """Distributions with the same top-level names exist; an editable install would let theirs win."""
    found = importlib.import_module(name).__file__
    assert found is not None
    assert Path(found).is_relative_to(ROOT)
    assert ".venv" not in Path(found).parts


def test_the_wheel_carries_every_package_and_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["packages"]) == sorted(PACKAGES)
    assert wheel["force-include"] == {"frontend/dist": "api/web"}
    module, _, name = project["project"]["scripts"]["postloom"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_imports_run_one_way() -> None:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_workflow_loads_no_database_and_no_web() -> None:
    """Every new workflow instance pays for what its module loads."""
    heavy = "{'sqlalchemy', 'fastapi', 'httpx2', 'openai', 'PIL'}"
    look = f"import sys, workflows.run, workflows.assistant; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_modules_need_each_other_not_even_for_types() -> None:
    """What `make lint` leaves out: imports under TYPE_CHECKING and within functions."""
    files = {_module(file): file for package in PACKAGES for file in (ROOT / package).rglob("*.py")}
    TopologicalSorter({name: _imports(name, file, set(files)) for name, file in files.items()}).prepare()


@pytest.mark.parametrize("roles", [("rules",), ("repository", "repositories")], ids=["rules", "repositories"])
def test_nouns_need_each_other_in_one_direction(roles: tuple[str, ...]) -> None:
    files = {_module(file): file for file in (ROOT / "core").rglob("*.py")}
    of_role = {name: file for name, file in files.items() if len(name.split(".")) > 2 and name.split(".")[2] in roles}
    nouns: dict[str, set[str]] = {}
    for name, file in of_role.items():
        noun = name.split(".")[1]
        others = {one.split(".")[1] for one in _imports(name, file, set(of_role))} - {noun}
        nouns.setdefault(noun, set()).update(others)
    assert len(nouns) > 8
    TopologicalSorter(nouns).prepare()


def test_no_repository_needs_a_service() -> None:
    files = {_module(file): file for file in (ROOT / "core").rglob("*.py")}
    below = {"rules", "tables", "repository", "repositories"}
    for name, file in files.items():
        if len(name.split(".")) > 2 and name.split(".")[2] in {"repository", "repositories"}:
            nouns = {one for one in _imports(name, file, set(files)) if one.startswith("core.") and one.count(".") > 1}
            assert {one for one in nouns if one.split(".")[2] not in below} == set(), name


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(name: str, file: Path, known: set[str]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            one_by_one = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= one_by_one & known or {str(node.module)}
    return found & known - {name}
