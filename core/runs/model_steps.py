"""Steps of a run that call a model: failures are saved in the step's row, costs in the transactions."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.repositories.transactions import Cause
from core.ai.tables.transactions import TransactionType
from core.assistants.rules.assistants import StepKind, TextKind
from core.database import Sessions, notify_browsers
from core.errors import DomainError, KnownFault, NoMoreSpending, ProviderError
from core.live import LiveKind
from core.runs.repositories.runs import RunRepository

_TYPES = {
    **dict.fromkeys((StepKind.outline, StepKind.text, StepKind.summary, StepKind.search), TransactionType.text),
    StepKind.image: TransactionType.image,
}


@dataclass(frozen=True)
class ModelStep:
    """One attempt of a step."""

    sessions: Sessions
    user_id: UUID
    run_id: UUID
    kind: StepKind
    attempt: int
    texts: int = 1
    """Number of texts that the result consists of."""

    @property
    def cause(self) -> Cause:
        return Cause(self.user_id, _TYPES[self.kind], run_id=self.run_id, texts=self.texts)

    async def start(
        self,
        session: AsyncSession,
        provider: str,
        model: str,
        *,
        doing: TextKind = TextKind.written,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Mark the step as active, with the provider, the model and the kind of text."""
        facts = {"provider": provider, "model": model, "doing": doing.value, **(more or {})}
        await RunRepository(session).start_step(self.user_id, self.run_id, self.kind, self.attempt, facts=facts)
        await notify_browsers(session, self.user_id, LiveKind.run, self.run_id)

    @asynccontextmanager
    async def record_failures(self) -> AsyncIterator[None]:
        """Save errors of the block as failed attempts of the step."""
        try:
            yield
        except KnownFault:
            raise  # nothing was attempted
        except NoMoreSpending as error:
            # no call was made
            if isinstance(error.__cause__, DomainError):
                await self._record_failure(error.__cause__)
            raise
        except DomainError as error:
            await self._record_failure(error)
            raise

    async def _record_failure(self, error: DomainError) -> None:
        detail = error.detail if isinstance(error, ProviderError) else ""
        async with self.sessions.begin() as session:
            await RunRepository(session).record_failure(
                self.user_id, self.run_id, self.kind, self.attempt, error.code, detail
            )
            await notify_browsers(session, self.user_id, LiveKind.run, self.run_id)


def model_causes(user_id: UUID, run_id: UUID) -> list[Cause]:
    """Return all causes of model calls that a run can have."""
    return [Cause(user_id, type, run_id=run_id) for type in dict.fromkeys(_TYPES.values())]
