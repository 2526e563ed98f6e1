"""An assistant's limit for models in a calendar month, and what is used of it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from core.ai.rules.usage import Usage


class BudgetUnit(StrEnum):
    money = "money"
    tokens = "tokens"


MOST: Final = {BudgetUnit.money: 1_000_000 * 1_000_000, BudgetUnit.tokens: 1_000_000_000_000}
"""Upper limits of a budget, in millionths and in tokens."""


@dataclass(frozen=True)
class Budget:
    unit: BudgetUnit
    amount: int
    """Millionths of the price lists' currency, or tokens."""


@dataclass(frozen=True)
class UsedBudget:
    """Usage of a month so far, with what is reserved for open calls, in millionths and in tokens. `estimated` is the
    maximum for calls whose usage is not known."""

    micros: int
    tokens: int
    estimated_micros: int
    estimated_tokens: int

    def of(self, unit: BudgetUnit) -> int:
        return self.micros if unit is BudgetUnit.money else self.tokens

    def estimated(self, unit: BudgetUnit) -> int:
        return self.estimated_micros if unit is BudgetUnit.money else self.estimated_tokens


@dataclass(frozen=True)
class Month:
    first: date
    since: datetime
    until: datetime
    """The first moment of the next month."""


def month_at(moment: datetime, zone: str) -> Month:
    """Return the calendar month in that zone."""
    local = moment.astimezone(ZoneInfo(zone)).date()
    first = local.replace(day=1)
    after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return Month(first, _midnight(first, zone), _midnight(after, zone))


def _midnight(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def needed(unit: BudgetUnit, most: Usage, most_micros: int | None) -> int | None:
    """Return the most that a call may use; None if unknown, as for a model without a price."""
    if unit is BudgetUnit.money:
        return most_micros
    if most.input_tokens is None or most.output_tokens is None:
        return None
    return most.input_tokens + most.output_tokens
