"""Connections that stand ready for single statements.

SQLAlchemy's pool brings each of its connections into autocommit and back at every use, which takes as long as a short
statement (decision 78)."""

import asyncio
import select
from collections.abc import Mapping
from time import monotonic
from typing import Any

import psycopg
from sqlalchemy.exc import TimeoutError as PoolTimeout

_TRUSTED = 30.0  # seconds for which a connection that was just used needs no question


class ReadyConnections:
    """At most `size` of them, made when needed and kept. `options` are those of `psycopg.AsyncConnection.connect`."""

    def __init__(self, options: Mapping[str, Any], size: int, patience: float) -> None:
        self._options, self.size, self._patience = options, size, patience
        self._places = asyncio.Semaphore(size)
        self._idle: list[tuple[psycopg.AsyncConnection[Any], float]] = []
        """With the moment since which each is; the one that was used last is taken first, and comes last."""

    async def rows(self, text: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Of one statement, which is a transaction of its own. Raises psycopg.Error, and SQLAlchemy's
        TimeoutError after `patience` seconds in which others have all connections."""
        try:
            async with asyncio.timeout(self._patience if self._places.locked() else None):
                await self._places.acquire()
        except TimeoutError as error:
            raise PoolTimeout(f"no connection became free in {self._patience} s") from error
        try:
            return await self._rows(text, values)
        finally:
            self._places.release()

    async def close(self) -> None:
        """Those that nobody has now; the others close as they come back. Whoever asks later gets new ones."""
        idle, self._idle = self._idle, []
        for connection, _ in idle:
            await connection.close()

    async def _rows(self, text: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        home = self._idle
        connection = await self._take()
        is_whole = False
        try:
            answer = await connection.execute(text, values)
            found: list[tuple[Any, ...]] = await answer.fetchall()
            is_whole = True
            return found
        finally:
            # after an error, or where it was cancelled, something may still be on its way, which nobody else is to get
            if is_whole and home is self._idle:
                home.append((connection, monotonic()))
            else:
                await connection.close()

    async def _take(self) -> psycopg.AsyncConnection[Any]:
        while self._idle:
            connection, since = self._idle.pop()
            try:
                if is_in_doubt(connection, since):
                    await connection.execute("")
                return connection
            except BaseException as error:
                await connection.close()
                if not isinstance(error, psycopg.Error):
                    raise
        return await psycopg.AsyncConnection.connect(**self._options, autocommit=True)


def is_in_doubt(connection: psycopg.AsyncConnection[Any], used_at: float) -> bool:
    """Whether the server is to be asked before a connection is used, which at every use is a fourth of a short call.

    One that has ended, or has something to say, can be read from at once: the kernel knows. Else there is doubt after a
    while in which a network may have lost it without a word. `used_at` is of the monotonic clock."""
    return bool(connection.closed) or monotonic() - used_at > _TRUSTED or _can_be_read(connection.fileno())


def _can_be_read(socket: int) -> bool:
    ready = select.poll()
    ready.register(socket, select.POLLIN)
    return bool(ready.poll(0))
