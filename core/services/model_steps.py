"""Steps of a run that ask a model: what goes wrong is in the step's row, what a call has cost in the transactions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.database import Sessions, notify_browsers
from core.domain.assistants import StepKind
from core.domain.errors import DomainError
from core.domain.live import LiveKind
from core.models import RunStep, TransactionType
from core.repositories.runs import RunRepository
from core.services.model_calls import ModelCall

_TYPES = {StepKind.text: TransactionType.text, StepKind.image: TransactionType.image}


@dataclass(frozen=True)
class ModelStep:
    """One attempt of a step."""

    sessions: Sessions
    user_id: UUID
    run_id: UUID
    kind: StepKind
    attempt: int

    async def start(self, session: AsyncSession, provider: str, model: str) -> None:
        """Says whom it will ask, so that the call is known though the attempt may die with it. Books the call of an
        earlier one that did."""
        runs = RunRepository(session)
        for earlier in await runs.active_steps(self.user_id, self.run_id):
            if earlier.kind is self.kind and earlier.attempt < self.attempt:
                await record_lost_call(session, earlier)
        asked = {"provider": provider, "model": model}
        await runs.start_step(self.user_id, self.run_id, self.kind, self.attempt, facts=asked)
        await notify_browsers(session, self.user_id, LiveKind.run, self.run_id)

    def call(self, provider: str, model: str) -> ModelCall:
        return _call(self.user_id, self.run_id, self.kind, self.attempt, provider, model)

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[None]:
        """What the block raises is a failed attempt; another one may follow."""
        try:
            yield
        except DomainError as error:
            async with self.sessions.begin() as session:
                await RunRepository(session).note_failure(
                    self.user_id, self.run_id, self.kind, self.attempt, error.code
                )
                await notify_browsers(session, self.user_id, LiveKind.run, self.run_id)
            raise


async def record_lost_call(session: AsyncSession, step: RunStep) -> None:
    """Of an active step whose attempt ended without a word. One that failed has said so, and what it cost."""
    said = any(failure["attempt"] == step.attempt for failure in step.failures)
    # a step without them asks no model
    provider, model = step.facts.get("provider"), step.facts.get("model")
    if provider and model and not said:
        await _call(step.user_id, step.run_id, step.kind, step.attempt, provider, model).record_lost(session)


def _call(user_id: UUID, run_id: UUID, kind: StepKind, attempt: int, provider: str, model: str) -> ModelCall:
    return ModelCall(user_id, {"run_id": run_id}, attempt, _TYPES[kind], provider, model)
