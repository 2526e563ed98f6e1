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
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession
from sqlalchemy.sql.visitors import replacement_traverse

from core.database import SINGLE

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
        if engine := _single(session):
            # the session would begin and end a transaction of its own beside that, which takes as long again
            async with engine.connect() as connection:
                return await self._rows(connection, values)
        return await self._rows(await session.connection(), values)

    async def _rows(self, connection: AsyncConnection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        raw: Any = await connection.get_raw_connection()
        try:
            answer = await raw.driver_connection.execute(self.text, values)
            found: list[tuple[Any, ...]] = await answer.fetchall()
            return found
        except psycopg.Error as error:
            await connection.invalidate()
            # not with its values: one may be a secret
            raise DBAPIError.instance(self.text, None, error, psycopg.Error) from error
        except BaseException:
            # it was cancelled, so that the answer may still be on its way: nobody else is to get it
            await connection.invalidate()
            raise


def _single(session: AsyncSession) -> AsyncEngine | None:
    """Of a session of `open_single` on which nothing was asked yet."""
    engine = session.bind
    if not isinstance(engine, AsyncEngine) or session.in_transaction():
        return None
    return engine if engine.sync_engine.get_execution_options().items() >= SINGLE.items() else None


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
