"""Record the statements that are sent to the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def record_statements_with_values() -> Iterator[list[tuple[str, Any]]]:
    """Record the statements sent in the block, each with its values, without the pool's pings."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, _many: bool) -> None:
        found.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@contextmanager
def record_statements() -> Iterator[list[str]]:
    """Record the statements sent in the block, without values; filled when the block ends."""
    statements: list[str] = []
    with record_statements_with_values() as found:
        try:
            yield statements
        finally:
            statements += (statement for statement, _ in found)
