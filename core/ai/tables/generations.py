from datetime import datetime

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.tables import status_enum


class Generation:
    """What a try-out and a round of suggestions have in common: a model is asked, several times where it must be."""

    state: Mapped[GenerationState] = mapped_column(status_enum(GenerationState), default=GenerationState.queued)
    attempt: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why it failed, or why it waits for its next attempt."""
    provider: Mapped[str] = mapped_column(String(64), default="")
    model: Mapped[str] = mapped_column(String(100), default="")
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]
    cost_micros: Mapped[int | None] = mapped_column(BigInteger)
    finished_at: Mapped[datetime | None]

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_GENERATIONS

    @property
    def is_asking(self) -> bool:
        """An attempt has begun and has not said how it ended: it is under way, or died."""
        return self.state is GenerationState.running and self.reason is None
