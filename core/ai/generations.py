"""What a person orders of a model and waits for: begun once, ended once, and what it cost counted whatever happened."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import record_lost_calls, sum_usage
from core.ai.repositories.transactions import Cause
from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import Transaction
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.live import LiveKind
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion

Row = TypeVar("Row", Tryout, TopicSuggestion)
Found = TypeVar("Found", covariant=True)


class GenerationRows(Protocol[Found]):
    async def find_locked(self, user_id: UUID, id: UUID, /) -> Found | None: ...
    async def list_calls(self, user_id: UUID, id: UUID, /) -> Sequence[Transaction]: ...


@dataclass(frozen=True)
class GenerationService(ABC, Generic[Row]):
    sessions: Sessions
    kind: ClassVar[LiveKind]

    @abstractmethod
    def _rows(self, session: AsyncSession) -> GenerationRows[Row]: ...

    @abstractmethod
    def _cause(self, row: Row) -> Cause: ...

    def _causes(self, row: Row) -> Sequence[Cause]:
        """All that a model may have been asked for."""
        return [self._cause(row)]

    async def fail(self, user_id: UUID, row_id: UUID, reason: str) -> GenerationState | None:
        """For good. One that is over stays as it is; None where it went with what it was ordered for."""
        return await self._end(user_id, row_id, GenerationState.failed, reason)

    async def cancel(self, user_id: UUID, row_id: UUID) -> GenerationState | None:
        """As `fail`. What has been made by then stays."""
        return await self._end(user_id, row_id, GenerationState.cancelled, None)

    async def _end(
        self, user_id: UUID, row_id: UUID, state: GenerationState, reason: str | None
    ) -> GenerationState | None:
        async with self.sessions.begin() as session:
            row = await self._rows(session).find_locked(user_id, row_id)
            if row is None or not row.is_open:
                return row.state if row else None
            asking = row.is_asking
            if asking and state is GenerationState.failed:
                await record_lost_calls(session, *self._causes(row))
            self._before_end(row, reason)
            row.state, row.reason, row.finished_at = state, reason, utcnow()
            # a call that is being cancelled says itself what it cost, in a moment
            if not (asking and state is GenerationState.cancelled):
                await self._count(session, row)
            await self._notify(session, row)
        return state

    def _before_end(self, row: Row, reason: str | None) -> None:
        """What else of the row changes with its end."""

    def _claim(self, row: Row, attempt: int) -> None:
        """For this attempt."""
        # the row's own number: a workflow that was lost begins again at 1
        row.attempt = max(attempt, row.attempt + 1)
        row.state, row.reason = GenerationState.running, None

    async def _attempt_over(self, row: Row, change: Callable[[Row], None] | None = None) -> GenerationState | None:
        """Counts what the attempt of `row` cost. `change` is made where it is still the current one. None where the row
        is gone."""
        async with self.sessions.begin() as session:
            found = await self._rows(session).find_locked(row.user_id, row.id)
            if found is None:
                return None
            if change and found.is_open and found.attempt == row.attempt:
                change(found)
            await self._count(session, found)
            await self._notify(session, found)
            return found.state

    async def _count(self, session: AsyncSession, row: Row) -> None:
        """Tokens and cost of all of its calls."""
        for name, total in sum_usage(await self._rows(session).list_calls(row.user_id, row.id)).items():
            setattr(row, name, total)

    async def _notify(self, session: AsyncSession, row: Row) -> None:
        await notify_browsers(session, row.user_id, self.kind, row.id)
