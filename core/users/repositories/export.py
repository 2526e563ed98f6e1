"""All rows of a user, for the export."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, Table, select
from sqlalchemy.ext.asyncio import AsyncSession

from core.users.tables.users import User


class AccountExportRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, table: Table, *, after: UUID | None, limit: int, only: dict[str, Any]
    ) -> Sequence[RowMapping]:
        """Return the user's rows by id, starting after `after`."""
        mine = table.c.id if table.name == User.__tablename__ else table.c.user_id
        query = select(table).where(mine == user_id).order_by(table.c.id).limit(limit)
        for name, value in only.items():
            query = query.where(table.c[name] == value)
        rows = await self.session.execute(query if after is None else query.where(table.c.id > after))
        return rows.mappings().all()

    async def parts(
        self, user_id: UUID, table: Table, key: str, of: Sequence[UUID], order: str
    ) -> Sequence[RowMapping]:
        """Return the user's rows that belong to the rows with the ids `of`."""
        rows = await self.session.execute(
            select(table).where(table.c.user_id == user_id, table.c[key].in_(of)).order_by(table.c[order])
        )
        return rows.mappings().all()
