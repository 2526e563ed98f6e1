"""Every query is bound to its user, by the syntax of the code that asks it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import ROOT

FILES = sorted([*(ROOT / "core" / "repositories").glob("*.py"), *(ROOT / "core" / "services").glob("*.py")])
STATEMENTS = {"select", "insert", "update", "delete"}
# who asks for more than one user's rows, and why
ALLOWED = {
    "AccountRepository.sweep_attempts": "the sweep looks after all users",
    "AssistantRepository.behind": "the reconcile looks after all users",
    "AssistantRepository.settle": "the reconcile, for a row that it has just read",
    "HealthService.beat": "workers are nobody's",
    "HealthService.leave": "workers are nobody's",
    "HealthService.worker": "workers are nobody's",
    "InvitationRepository.is_open": "a code is asked for by nobody yet",
    "InvitationRepository.serves": "a code is asked for by nobody yet",
    "AccountDeletionRepository.requested": "the deletion looks after all users",
    "LimitRepository.first_free": "a key says whose it is",
    "LimitRepository.forget": "a key says whose it is",
    "LimitRepository.give_back": "a key says whose it is",
    "LimitRepository.sweep": "rows that say nothing any more",
    "LimitRepository.take": "whoever calls, who may be nobody yet",
    "MailRepository.find": "the worker, which is told the id alone",
    "MarketplaceRepository.count_copy": "anybody may copy what is public",
    "MarketplaceRepository.write_starters": "the bundled templates are nobody's",
    "MediaService.read_signed": "the signature stands for the owner",
    "SecurityEventRepository.sweep": "the sweep looks after all users",
    "TopicRepository.forget": "the sweep looks after all users",
    "UserRepository.any_exists": "tells only whether there is one",
    "UserRepository.by_email": "finds out who the owner is",
    "tag_counts": "its caller says whose rows",
}


def asking(file: Path) -> Iterator[tuple[str, ast.AST]]:
    """Functions that build a statement or read a row by its key."""
    tree = ast.parse(file.read_text())
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    scopes = [(f"{owner.name}.", owner.body) for owner in owners] + [("", tree.body)]
    for prefix, body in scopes:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_asks, ast.walk(node))):
                yield f"{prefix}{node.name}", node


def _asks(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in STATEMENTS
    on = node.func.value if isinstance(node.func, ast.Attribute) else None
    by_key = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "get_one")
    return by_key and ast.unparse(on or node).endswith("session")


def _names_its_owner(node: ast.AST) -> bool:
    return any(
        (isinstance(part, ast.Attribute) and part.attr == "user_id")
        or (isinstance(part, ast.Name) and part.id == "user_id")
        for part in ast.walk(node)
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_query_names_its_owner(file: Path) -> None:
    without = {name for name, node in asking(file) if not _names_its_owner(node)} - set(ALLOWED)
    assert not without, f"bind to user_id, or say in ALLOWED why not: {sorted(without)}"


def test_the_exceptions_are_still_needed() -> None:
    found = {name for file in FILES for name, node in asking(file) if not _names_its_owner(node)}
    assert set(ALLOWED) == found
