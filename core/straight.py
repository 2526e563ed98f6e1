"""Statements that go to psycopg past SQLAlchemy: the few that nearly every call asks.

SQLAlchemy's work at each call, with a transaction of its own beside the server's, is twice PostgreSQL's for a short
statement (decision 78)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import BindParameter, ColumnElement, Dialect, Integer, Select, bindparam, literal_column
from sqlalchemy.dialects.postgresql.psycopg import PGDialectAsync_psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.sql.visitors import replacement_traverse

from core.database import READY
from core.ready import ReadyConnections

_DIALECT: Dialect = PGDialectAsync_psycopg()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Straight:
    """A statement, made into text once. Its own values stand in it, so that PostgreSQL plans for them and not for any;
    the others are named as bindparam() has named them."""

    text: str

    @classmethod
    def of(cls, statement: Select[*tuple[Any, ...]]) -> "Straight":
        written: Any = replacement_traverse(statement, {}, _in_its_text)  # type: ignore[call-overload]
        written = written.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
        return cls(str(written))

    def numbered(self, **numbers: int) -> "Straight":
        """With these in the places of `number_of`: in the text, since PostgreSQL plans a statement once that does not
        hide how little it wants."""
        text = self.text
        for name, number in numbers.items():
            text = text.replace(_place(name), str(number))
        return Straight(text)

    async def rows(self, session: AsyncSession, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Raises as the session does. Nothing that the session has not flushed is seen."""
        ready: ReadyConnections | None = session.info.get(READY)
        try:
            if ready:
                return await ready.rows(self.text, values)
            return await self._rows_of(await session.connection(), values)
        except psycopg.Error as error:
            # not with its values: one may be a secret
            raise DBAPIError.instance(self.text, None, error, psycopg.Error) from error

    async def _rows_of(self, connection: AsyncConnection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        raw: Any = await connection.get_raw_connection()
        try:
            answer = await raw.driver_connection.execute(self.text, values)
            found: list[tuple[Any, ...]] = await answer.fetchall()
            return found
        except BaseException:
            # if it was cancelled, the answer may still be on its way: nobody else is to get it
            await connection.invalidate()
            raise


def number_of(name: str) -> ColumnElement[int]:
    """In a statement: the place of a number that is given for each call."""
    return literal_column(_place(name), Integer)


def _place(name: str) -> str:
    """NUL stands in no text of PostgreSQL, so nothing else is taken for it."""
    return f"\0{name}\0"


def _in_its_text(part: Any, **_: Any) -> Any:
    """Its own value, as it is; of those that are named by others, none is needed to write it."""
    if not isinstance(part, BindParameter):
        return None
    return part.render_literal_execute() if part.unique else bindparam(part.key, None, type_=part.type)
