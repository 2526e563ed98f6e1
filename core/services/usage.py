"""Every call of a model is one row that says what it cost."""

import time
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import ErrorCode, ProviderError
from core.domain.usage import Usage
from core.models import CallOutcome, TransactionType
from core.providers.prices import cost_micros
from core.repositories.transactions import TransactionRepository


class Metered(Protocol):
    """What was made, or merely spent, and by which call."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def request_id(self) -> str | None: ...


async def record_call(
    session: AsyncSession,
    made: Metered,
    *,
    user_id: UUID,
    attempt: int,
    type: TransactionType,
    duration_ms: int,
    run_id: UUID | None = None,
    tryout_id: UUID | None = None,
    suggestion_id: UUID | None = None,
    outcome: CallOutcome = CallOutcome.succeeded,
) -> dict[str, Any]:
    """One row per attempt of what caused it (exactly one of the three ids), however often it is booked. A cause that
    was deleted meanwhile is left out; the cost stays. Returns the same as facts of the step: the cost in millionths,
    None where it or the tokens are unknown."""
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
    await TransactionRepository(session).add(
        user_id,
        f"{_cause(run_id, tryout_id, suggestion_id)}:{type.value}:{attempt}",
        {
            "type": type,
            "outcome": outcome,
            "images": 1 if type is TransactionType.image and outcome is CallOutcome.succeeded else 0,
            **facts,
        },
        run_id=run_id,
        tryout_id=tryout_id,
        suggestion_id=suggestion_id,
    )
    return facts


def outcome_of(error: ProviderError) -> CallOutcome:
    """How a call that raised this is booked."""
    return {
        ErrorCode.model_refused: CallOutcome.refused,
        ErrorCode.model_incomplete: CallOutcome.incomplete,
    }.get(error.code, CallOutcome.failed)


def milliseconds_since(began: float) -> int:
    """`began` is of `time.monotonic`."""
    return int((time.monotonic() - began) * 1000)


def _cause(run_id: UUID | None, tryout_id: UUID | None, suggestion_id: UUID | None) -> str:
    """Ids never meet across tables; the prefixes are for people. A run has none, as from the beginning."""
    match run_id, tryout_id, suggestion_id:
        case UUID(), None, None:
            return str(run_id)
        case None, UUID(), None:
            return f"tryout-{tryout_id}"
        case None, None, UUID():
            return f"suggestion-{suggestion_id}"
    raise ValueError("a call of a model has exactly one cause")
