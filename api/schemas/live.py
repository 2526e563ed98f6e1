from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.live import LiveKind


class LiveEventOut(Out):
    kind: LiveKind = Field(description="The sort of thing that has changed; all: any of them may have")
    id: UUID | None = Field(description="Which one; null where any of the kind may have changed")
