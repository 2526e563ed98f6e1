"""Every call of a model is one row that says what it cost."""

from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.ids import new_id
from core.models import Transaction, TransactionType
from core.providers.prices import cost_micros
from core.providers.writers.base import Usage


class Made(Protocol):
    """What a writer or a picture maker has made, and by which call."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def request_id(self) -> str | None: ...


async def book(
    session: AsyncSession,
    made: Made,
    *,
    user_id: UUID,
    run_id: UUID,
    attempt: int,
    type: TransactionType,
    duration_ms: int,
) -> dict[str, Any]:
    """One row per attempt of a run's step, however often it is booked. Returns the same as facts of the step: the cost
    in millionths, None where it or the tokens are unknown."""
    cost = cost_micros(made.provider, made.model, made.usage, datetime.now(UTC).date())
    facts = {
        "provider": made.provider,
        "model": made.model,
        "input_tokens": made.usage.input_tokens,
        "output_tokens": made.usage.output_tokens,
        "cost_micros": cost,
        "duration_ms": duration_ms,
        "request_id": made.request_id,
    }
    await session.execute(
        insert(Transaction)
        .values(
            id=new_id(),
            user_id=user_id,
            run_id=run_id,
            key=f"{run_id}:{type.value}:{attempt}",
            type=type,
            images=1 if type is TransactionType.image else 0,
            **facts,
        )
        .on_conflict_do_nothing(index_elements=[Transaction.key])
    )
    return facts
