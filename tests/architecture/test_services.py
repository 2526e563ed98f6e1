"""Services ask repositories, and each is of one of two kinds, by the syntax of their code."""

import ast
from pathlib import Path

import pytest

from core.settings import ROOT

_NO_SERVICES = {"rules", "tables", "repositories", "repository.py", "tables.py", "rules.py"}
FILES = sorted(
    file
    for file in (ROOT / "core").glob("*/**/*.py")
    if not {*file.relative_to(ROOT / "core").parts[1:2]} & _NO_SERVICES and "migrations" not in file.parts
)
STATEMENTS = {"select", "insert", "update", "delete", "text", "values"}
ASKING = {"execute", "scalar", "scalars", "stream", "get", "get_one"}
OWN_TRANSACTIONS = {"begin", "commit", "rollback"}


def named(node: ast.AST) -> str:
    return ast.unparse(node)


def sql_in(tree: ast.AST) -> list[str]:
    """Statements that are built, and questions that are put to a session."""
    imported = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy")
        for alias in node.names
        if alias.name in STATEMENTS
    ]
    asked = [
        named(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ASKING
        and named(node.func.value).endswith("session")
    ]
    return imported + asked


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT / "core").as_posix())
def test_a_service_leaves_queries_to_repositories(file: Path) -> None:
    assert sql_in(ast.parse(file.read_text())) == []


def test_a_query_in_a_service_would_be_seen() -> None:
    assert sql_in(ast.parse("from sqlalchemy import select\nawait self.session.scalar(select(User))")) == [
        "select",
        "self.session.scalar",
    ]


def services() -> list[ast.ClassDef]:
    classes = [node for file in FILES for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef)]
    return [node for node in classes if node.name.endswith("Service")]


@pytest.mark.parametrize("service", services(), ids=lambda service: service.name)
def test_a_service_has_the_callers_transaction_or_its_own(service: ast.ClassDef) -> None:
    fields = [named(node.target) for node in service.body if isinstance(node, ast.AnnAssign)]
    bases = [named(base).partition("[")[0] for base in service.bases]
    if "InTransaction" in bases:
        calls = [named(node.func) for node in ast.walk(service) if isinstance(node, ast.Call)]
        assert "sessions" not in fields
        assert [call for call in calls if call.split(".")[-1] in OWN_TRANSACTIONS and "session" in call] == []
    elif "GenerationService" not in bases:  # which has it from there
        assert "sessions" in fields
