"""Model calls that a user orders and waits for: started once, ended once, and their cost always counted."""

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
        """Return every cause for which the row may have model calls."""
        return [self._cause(row)]

    async def fail(self, user_id: UUID, row_id: UUID, reason: str) -> GenerationState | None:
        """Fail an open row finally. Return the state, which stays if the row is over, or None if it is deleted."""
        return await self._end(user_id, row_id, GenerationState.failed, reason)

    async def cancel(self, user_id: UUID, row_id: UUID) -> GenerationState | None:
        """Cancel an open row, like `fail`. Results made so far stay."""
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
            # a call that is being cancelled books its own cost in a moment
            if not (asking and state is GenerationState.cancelled):
                await self._count(session, row)
            await self._notify(session, row)
        return state

    def _before_end(self, row: Row, reason: str | None) -> None:
        """Change further fields when the row ends."""

    def _claim(self, row: Row, attempt: int) -> None:
        """Claim the row for this attempt."""
        # the row counts attempts itself: a restarted workflow begins at 1
        row.attempt = max(attempt, row.attempt + 1)
        row.state, row.reason = GenerationState.running, None

    async def _settle_attempt(self, row: Row, change: Callable[[Row], None] | None = None) -> GenerationState | None:
        """Count the cost of the attempt of `row`; apply `change` if it is still the current attempt. Return the state,
        or None if the row is deleted."""
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
        """Set tokens and cost to the sums of the row's calls."""
        for name, total in sum_usage(await self._rows(session).list_calls(row.user_id, row.id)).items():
            setattr(row, name, total)

    async def _notify(self, session: AsyncSession, row: Row) -> None:
        await notify_browsers(session, row.user_id, self.kind, row.id)
