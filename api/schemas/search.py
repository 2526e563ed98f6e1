from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.search.rules import SearchKind


class SearchHitOut(Out):
    kind: SearchKind
    id: UUID
    name: str
    planned_at: datetime | None = Field(
        description="A post's time, because many posts have the same name; null: none before its approval"
    )


class SearchOut(Out):
    items: list[SearchHitOut]
