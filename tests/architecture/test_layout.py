"""Who imports whom, and from where."""

import importlib
import subprocess
import sys
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
