"""Calls of a model: whatever comes of one, what it has cost is booked."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.database import Sessions
from core.domain.errors import ProviderError
from core.domain.usage import UNTOLD, Spent, Usage
from core.models import CallOutcome, Transaction, TransactionType
from core.providers.prices import FREE
from core.services.usage import Metered, outcome_of, record_call


class Overtaken(Exception):
    """Nobody waits for the answer any more: the call may end."""


@dataclass(frozen=True)
class ModelCall:
    """One attempt of a run's step, a try-out or a round of suggestions. `cause`: its id, as `record_call` names it."""

    user_id: UUID
    cause: dict[str, UUID]
    attempt: int
    type: TransactionType
    provider: str
    model: str
    began: float = field(default_factory=time.monotonic)

    async def record(
        self,
        session: AsyncSession,
        made: Metered,
        outcome: CallOutcome = CallOutcome.succeeded,
        *,
        duration_ms: int | None = None,
    ) -> dict[str, Any]:
        """What it has cost, as facts of the row that it was made for."""
        return await record_call(
            session,
            made,
            user_id=self.user_id,
            attempt=self.attempt,
            type=self.type,
            duration_ms=round((time.monotonic() - self.began) * 1000) if duration_ms is None else duration_ms,
            outcome=outcome,
            **self.cause,
        )

    async def record_lost(self, session: AsyncSession) -> None:
        """An attempt that died without a word: it may have asked the model, and nobody knows what that cost."""
        await self.record(session, self._untold(), CallOutcome.failed, duration_ms=0)

    @asynccontextmanager
    async def accounted(self, sessions: Sessions) -> AsyncIterator[None]:
        """The block asks the model. Where it gives no result, its cost is booked before the error goes on; a result is
        booked by whoever saves it."""
        try:
            yield
        except ProviderError as error:
            if error.spent is not None:
                async with sessions.begin() as session:
                    await self.record(session, error.spent, outcome_of(error))
            raise
        except (asyncio.CancelledError, Overtaken):
            # what was written until now is paid for, however much it is
            async with sessions.begin() as session:
                await self.record(session, self._untold(), CallOutcome.incomplete)
            raise

    def _untold(self) -> Spent:
        usage = Usage(input_tokens=0, output_tokens=0) if self.provider in FREE else UNTOLD
        return Spent(self.provider, self.model, usage, None)


def sums(booked: Sequence[Transaction]) -> dict[str, int | None]:
    """Tokens and cost of several calls: None, never less than it was, where one of them is unknown."""
    return {name: _sum([getattr(call, name) for call in booked]) for name in _SUMMED}


def _sum(figures: Sequence[int | None]) -> int | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if len(known) == len(figures) else None


_SUMMED = ("input_tokens", "output_tokens", "cost_micros")
