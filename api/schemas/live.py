from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.live import LiveKind


class LiveEventOut(Out):
    kind: LiveKind = Field(description="Kind of object that changed; all: any of them may have")
    id: UUID | None = Field(description="Id of the object; null: any of the kind may have changed")
