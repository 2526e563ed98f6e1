"""Remove evidence that is older than the operator wants to keep it.

Removed are the steps and texts of a run, the exchanges with networks, and single model calls. What stays: posts,
deliveries with their outcome, runs with their state, reason and what lists show of their steps, and the usage of
models summed by day.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from core.clock import utcnow
from core.database import Sessions
from core.runs.repositories.retention import RetentionRepository

_PORTION: Final = 500
"""Rows of a transaction: locks are short, and other writers get their turn in between."""


@dataclass(frozen=True)
class RetentionService:
    sessions: Sessions
    days: int | None
    """None: everything is kept."""

    async def remove_portion(self) -> int:
        """Remove a portion of each kind. Return the number of rows; 0 when nothing is left."""
        if self.days is None:
            return 0
        before = utcnow() - timedelta(days=self.days)
        removed = 0
        async with self.sessions.begin() as session:
            removed += await RetentionRepository(session).fold_runs(before, _PORTION)
        async with self.sessions.begin() as session:
            removed += await RetentionRepository(session).sum_up_calls(before, _PORTION)
        async with self.sessions.begin() as session:
            removed += await RetentionRepository(session).delete_entries(before, _PORTION)
        return removed
