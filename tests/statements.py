"""What is asked of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine


@contextmanager
def counted(engine: AsyncEngine) -> Iterator[list[str]]:
    """The statements that are asked meanwhile."""
    statements: list[str] = []

    def note(*given: object) -> None:
        statements.append(str(given[2]))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)
