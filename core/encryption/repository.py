"""Access to all encrypted columns (`…_encrypted`) of all models."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Table, bindparam, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.tables import Base

_SUFFIX = "_encrypted"


def encrypted_tables() -> Iterator[tuple[Table, list[Column[Any]]]]:
    """Yield each table with its encrypted columns."""
    for table in Base.metadata.sorted_tables:
        if columns := [column for column in table.columns if column.name.endswith(_SUFFIX)]:
            yield table, columns


class EncryptedColumnRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def read_batch(
        self, table: Table, columns: Sequence[Column[Any]], after: UUID | None, limit: int
    ) -> list[tuple[UUID, dict[str, str]]]:
        """Return (key, encrypted values by column) of the rows after `after`, by key. The rows are locked against other
        writes."""
        [key] = table.primary_key.columns
        some = select(key, *columns).where(or_(*(column.is_not(None) for column in columns)))
        if after is not None:
            some = some.where(key > after)
        rows = await self.session.execute(some.order_by(key).limit(limit).with_for_update())
        names = [column.name for column in columns]
        return [(row[0], {name: value for name, value in zip(names, row[1:], strict=True) if value}) for row in rows]

    async def store(self, table: Table, renewed: Sequence[tuple[UUID, dict[str, str]]]) -> None:
        """Store values by key. Other columns, including `updated_at`, stay unchanged."""
        [key] = table.primary_key.columns
        for row_key, values in renewed:
            unchanged = {"updated_at": table.c.updated_at} if "updated_at" in table.c else {}
            await self.session.execute(
                update(table).where(key == bindparam("of_key")).values({**values, **unchanged}), {"of_key": row_key}
            )
