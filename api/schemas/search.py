from uuid import UUID

from api.schemas.base import Out
from core.domain.searching import SearchKind


class SearchHitOut(Out):
    kind: SearchKind
    id: UUID
    name: str


class SearchOut(Out):
    items: list[SearchHitOut]
