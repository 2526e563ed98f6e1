"""Counts tokens and cost of a round, and ends it before it costs more than allowed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from cli.samples import NOBODY
from core.ai.model_calls import ModelRequest, Result
from core.ai.repositories.transactions import Cause
from core.ai.rules.prices import PriceBook
from core.ai.rules.usage import Usage
from core.ai.tables.transactions import TransactionType
from core.errors import ErrorCode, NoMoreSpending, ProviderError, RateLimited

MICROS_A_CENT: Final = 10_000
"""Costs are in millionths of a US dollar."""
NO_CAUSE: Final = Cause(NOBODY, TransactionType.text, tryout_id=NOBODY)
"""Calls of an evaluation belong to no row of a database."""
_REPEATS: Final = 3
_PAUSE: Final = timedelta(seconds=20)
"""Where the provider names no time."""


class UnknownPrice(Exception):
    """The model has no price, so a budget cannot be kept."""


@dataclass
class Budget:
    """`micros`: the most that all calls may cost together, in millionths; None: no limit."""

    prices: PriceBook
    micros: int | None
    spent: int = 0
    held: int = 0

    def ensure_price(self, provider: str, model: str) -> None:
        """Raise UnknownPrice if the budget could not be kept."""
        if self.micros is not None and not self.prices.has_price(provider, model, _today()):
            raise UnknownPrice(model)

    def hold(self, request: ModelRequest) -> int:
        """Set aside the most that a call can cost. Return it. Raise NoMoreSpending, or UnknownPrice."""
        if self.micros is None:
            return 0
        cost = self.cost(request.provider, request.model, request.most)
        if cost is None:
            raise UnknownPrice(request.model)
        if self.spent + self.held + cost > self.micros:
            raise NoMoreSpending(ErrorCode.budget_spent)
        self.held += cost
        return cost

    def settle(self, held: int, cost: int | None) -> None:
        """Book a call. An unknown cost counts as what was set aside for it."""
        self.held -= held
        self.spent += held if cost is None else cost

    def cost(self, provider: str, model: str, usage: Usage) -> int | None:
        return self.prices.cost_micros(provider, model, usage, _today())


@dataclass
class Spent:
    """Calls, and their sums. A sum is None as soon as one call's figure is unknown."""

    calls: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost_micros: int | None = 0

    def add(self, usage: Usage, cost: int | None) -> None:
        self.calls += 1
        self.input_tokens = _sum(self.input_tokens, usage.input_tokens)
        self.output_tokens = _sum(self.output_tokens, usage.output_tokens)
        self.cost_micros = _sum(self.cost_micros, cost)


@dataclass
class BudgetMeter:
    """A `CallMeter` that counts in memory what the calls of one series cost, and keeps the budget of the round."""

    budget: Budget
    spent: Spent = field(default_factory=Spent)

    async def call(
        self, cause: Cause, request: ModelRequest, call: Callable[[], Awaitable[Result]]
    ) -> tuple[Result, dict[str, Any]]:
        """Return the result of `call`, and what it has used. Raise its errors; before it, NoMoreSpending. A call
        that the provider's rate limit refuses is repeated."""
        for _ in range(_REPEATS):
            try:
                return await self._call(request, call)
            except RateLimited as error:
                await asyncio.sleep((error.retry_after or _PAUSE).total_seconds())
        return await self._call(request, call)

    async def _call(
        self, request: ModelRequest, call: Callable[[], Awaitable[Result]]
    ) -> tuple[Result, dict[str, Any]]:
        held = self.budget.hold(request)
        try:
            result = await call()
        except ProviderError as error:
            if error.spent is None:
                self.budget.settle(held, 0)
            else:
                self._book(held, error.spent.provider, error.spent.model, error.spent.usage)
            raise
        except BaseException:
            self.budget.settle(held, None)  # the provider may bill what was written until now
            raise
        cost = self._book(held, result.provider, result.model, result.usage)
        used, usage = {"provider": result.provider, "model": result.model, "cost_micros": cost}, result.usage
        return result, used | {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}

    def _book(self, held: int, provider: str, model: str, usage: Usage) -> int | None:
        cost = self.budget.cost(provider, model, usage)
        self.budget.settle(held, cost)
        self.spent.add(usage, cost)
        return cost


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _today() -> date:
    return datetime.now(UTC).date()
