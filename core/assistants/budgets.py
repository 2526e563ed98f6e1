"""An assistant's monthly budget: what is left of it, and whether a call still fits."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.ai.repositories.transactions import TransactionRepository
from core.ai.rules.usage import Usage
from core.assistants.repository import AssistantRepository
from core.assistants.rules.budgets import Budget, Month, month_at, needed
from core.assistants.tables import Assistant
from core.errors import ErrorCode
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.service import InTransaction

_LETTERS = {
    ErrorCode.budget_spent: MailKind.budget_reached,
    ErrorCode.budget_unpriced: MailKind.budget_unpriced,
}


@dataclass(frozen=True)
class RemainingBudget:
    budget: Budget
    used: int
    estimated: int
    """The part of `used` that is not known and counted at its maximum."""
    month: Month

    @property
    def left(self) -> int:
        return max(0, self.budget.amount - self.used)


class BudgetService(InTransaction):
    async def left(self, row: Assistant, now: datetime) -> RemainingBudget | None:
        """Return what is left this month; None for an assistant without a limit."""
        if (budget := row.budget) is None:
            return None
        month = month_at(now, row.time_zone)
        used = await TransactionRepository(self.session).spent_by_assistant(
            row.user_id, row.id, month.since, month.until
        )
        return RemainingBudget(budget, used.of(budget.unit), used.estimated(budget.unit), month)

    async def refusal(
        self, user_id: UUID, assistant_id: UUID, most: Usage, most_micros: int | None, now: datetime
    ) -> ErrorCode | None:
        """Return why a call that may take at most so much must not be made, and notify the user once a month. None if
        it fits: the assistant stays locked until this transaction ends, in which the call is to be reserved."""
        row = await AssistantRepository(self.session).lock_for_runs(user_id, assistant_id)
        if row is None or (left := await self.left(row, now)) is None:
            return None
        amount = needed(left.budget.unit, most, most_micros)
        if amount is not None and left.used + amount <= left.budget.amount:
            return None
        refused = ErrorCode.budget_unpriced if amount is None else ErrorCode.budget_spent
        if row.budget_told != left.month.first:
            await self._enqueue_mail(row, left, _LETTERS[refused])
        return refused

    async def _enqueue_mail(self, row: Assistant, left: RemainingBudget, kind: MailKind) -> None:
        await AssistantRepository(self.session).mark_budget_notified(row.user_id, row.id, left.month.first)
        notifying, about = NotifyingService(self.session), About(assistant_id=row.id)
        cause = f"{row.id}:{left.month.first}"
        if user := await notifying.notify(row.user_id, NotificationKind.budget_reached, cause, about):
            params = {
                "assistant_id": str(row.id),
                "assistant": row.name,
                "unit": left.budget.unit.value,
                "amount": left.budget.amount,
                "next_month": left.month.until.isoformat(),
                "time_zone": row.time_zone,
            }
            await notifying.enqueue_mail(user, kind, params)
