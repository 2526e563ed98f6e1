from datetime import datetime

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.tables import status_enum


class Generation:
    """Columns shared by try-outs and rounds of suggestions: a model is called, with retries."""

    state: Mapped[GenerationState] = mapped_column(status_enum(GenerationState), default=GenerationState.queued)
    attempt: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why the row failed or waits for its next attempt."""
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
        """Whether an attempt has begun without recording its end: it is running, or its process died."""
        return self.state is GenerationState.running and self.reason is None
