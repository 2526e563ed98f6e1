"""What is asked of the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from psycopg import AsyncCursor


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """The statements that are asked meanwhile, through SQLAlchemy or past it, each with its values."""
    found: list[tuple[str, Any]] = []
    execute = AsyncCursor.execute

    async def noted(cursor: AsyncCursor[Any], query: Any, params: Any = None, **more: Any) -> Any:
        found.append((str(query), params))
        return await execute(cursor, query, params, **more)

    with patch.object(AsyncCursor, "execute", noted):
        yield found


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements alone."""
    statements: list[str] = []
    with asked() as found:
        try:
            yield statements
        finally:
            statements += (statement for statement, _ in found)
