"""All model calls: reserve, call, settle. Every call has a row with its cost or, e.g. if its process dies, with the
maximum that it may have cost."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.provider_faults import call_fault, note_model_call
from core.ai.repositories.transactions import Cause, CauseRow, TransactionRepository
from core.ai.rules.prices import FREE, PriceBook, price_to_json
from core.ai.rules.usage import Usage, is_prompt_cut
from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.assistants.budgets import BudgetService
from core.billing.entitlements import Allowance, Entitlements
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions
from core.errors import DomainError, ErrorCode, NoMoreSpending, ProviderError
from core.metrics import count_model_call

MAX_BILLED_CALLS: Final = {TransactionType.text: 5, TransactionType.image: 4}
"""Billed calls allowed for one text, one image or one round of suggestions: a model that bills unusable answers would
be called until it is too late to post. Each further text of a cause adds one call, also those
of a rewrite that a person asks for."""
_USED_UP: Final = {
    TransactionType.text: ErrorCode.text_attempts_used,
    TransactionType.image: ErrorCode.image_attempts_used,
}
_MAX_CALL_AGE: Final = timedelta(minutes=15)
"""Longer than any step waits for a model: the process of an older open call is gone."""


class MeteredResult(Protocol):
    """A call's result or expense, with its provider and model."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def request_id(self) -> str | None: ...


Result = TypeVar("Result", bound=MeteredResult)


class CallAbandoned(Exception):
    """The answer is no longer needed, so the call can end."""


@dataclass(frozen=True)
class ModelRequest:
    """Provider, model and maximum usage of a call."""

    provider: str
    model: str
    most: Usage


@dataclass(frozen=True)
class Meter:
    """`prices`: what calls cost. `allowing`: how much a user may spend."""

    sessions: Sessions
    prices: PriceBook
    entitlements: Entitlements

    async def admit(self, session: AsyncSession, user_id: UUID, request: ModelRequest) -> None:
        """Check a call that a user orders and waits for. Raise SubscriptionRequired if the subscription would refuse
        it now; other calls may use up the rest before it is made."""
        if request.provider in FREE:
            return
        if allowance := await self.entitlements.look(session, user_id, Limit.cost_micros):
            now = utcnow()
            if refusal := await allowance.cost_refusal(self._max_cost_micros(request, now), now):
                raise refusal

    async def call(
        self, cause: Cause, request: ModelRequest, call: Callable[[], Awaitable[Result]]
    ) -> tuple[Result, dict[str, Any]]:
        """Return the result of `call`, and its usage as columns of the cause's row: the cost in millionths, None if
        it or the tokens are unknown, and `prompt_cut` if the model read only part of a text's prompt.

        Raise its errors; before it, NoMoreSpending and, for a run, KnownFault; and NoMoreSpending instead of a
        retryable error of the last billed call allowed."""
        spending = await self._reserve(cause, request)
        try:
            result = await call()
        except ProviderError as error:
            await spending.fail(error)
            if not spending.free:
                await note_model_call(self.sessions, request.provider, request.model, error)
            if error.retryable and error.spent is not None and await _is_used_up(self.sessions, cause):
                raise NoMoreSpending(_USED_UP[cause.type]) from error
            raise
        except (asyncio.CancelledError, Exception):
            # the provider bills what was written until now
            await spending.mark_lost()
            raise
        facts = await spending.settle(result, CallOutcome.succeeded)
        if not spending.free:
            await note_model_call(self.sessions, request.provider, request.model, None)
        if cause.type is TransactionType.text and is_prompt_cut(request.most.input_tokens or 0, result.usage):
            facts["prompt_cut"] = True
        return result, facts

    async def _reserve(self, cause: Cause, request: ModelRequest) -> "_OpenCall":
        """Save the call's row before the call, so that the row exists whatever happens. Raise if it is refused."""
        async with self.sessions.begin() as session:
            calls, free = TransactionRepository(session), request.provider in FREE
            allowance = None if free else await self.entitlements.hold(session, cause.user_id, Limit.cost_micros)
            held = await calls.lock_cause(cause)
            await calls.mark_lost(cause)
            refused = None if free else await self._refusal(session, cause, held, request, allowance)
            if refused is None:
                reserved = await calls.reserve(cause, held, self._reserved_values(request))
        # outside the transaction, so that lost calls and the user's notification are saved
        if refused is not None:
            raise refused
        return _OpenCall(self, cause, reserved, time.monotonic(), free=free)

    async def _refusal(
        self, session: AsyncSession, cause: Cause, held: CauseRow, request: ModelRequest, allowance: Allowance | None
    ) -> DomainError | None:
        """Return why the call must not be made, or None."""
        if await TransactionRepository(session).count_billed(cause, FREE) >= max_billed_calls(cause):
            return NoMoreSpending(_USED_UP[cause.type])
        now = utcnow()
        max_cost_micros = self._max_cost_micros(request, now)
        if held.assistant_id is not None:
            budget = BudgetService(session)
            if code := await budget.refusal(cause.user_id, held.assistant_id, request.most, max_cost_micros, now):
                return NoMoreSpending(code)
        if allowance and (refusal := await allowance.cost_refusal(max_cost_micros, now)):
            await allowance.tell(now)
            return NoMoreSpending(refusal.code)
        # only runs: a waiting user may just have fixed the fault, so that call is made
        return await call_fault(session, request.provider, request.model) if cause.run_id else None

    def _max_cost_micros(self, request: ModelRequest, now: datetime) -> int | None:
        return self.prices.cost_micros(request.provider, request.model, request.most, now.date())

    def _reserved_values(self, request: ModelRequest) -> dict[str, Any]:
        most = Usage(0, 0) if request.provider in FREE else request.most
        cost = self.prices.cost_micros(request.provider, request.model, most, utcnow().date())
        values = {
            "provider": request.provider,
            "model": request.model,
            "most_input_tokens": most.input_tokens,
            "most_output_tokens": most.output_tokens,
            "most_micros": cost,
        }
        # a free call has cost nothing, even if its end is never recorded
        return (
            values | {"input_tokens": 0, "output_tokens": 0, "cost_micros": 0} if request.provider in FREE else values
        )


async def _is_used_up(sessions: Sessions, cause: Cause) -> bool:
    async with sessions() as session:
        return await TransactionRepository(session).count_billed(cause, FREE) >= max_billed_calls(cause)


def max_billed_calls(cause: Cause) -> int:
    """Return the billed calls allowed for the cause."""
    return MAX_BILLED_CALLS[cause.type] + cause.texts - 1


@dataclass(frozen=True)
class _OpenCall:
    """A call whose row is saved and not settled yet."""

    meter: Meter
    cause: Cause
    id: Any
    began: float
    free: bool = False

    async def settle(self, result: MeteredResult, outcome: CallOutcome) -> dict[str, Any]:
        price = self.meter.prices.price(result.provider, result.model, today := utcnow().date())
        cost = self.meter.prices.cost_micros(result.provider, result.model, result.usage, today)
        facts = {
            "provider": result.provider,
            "model": result.model,
            "input_tokens": result.usage.input_tokens,
            "output_tokens": result.usage.output_tokens,
            "cost_micros": cost,
            "duration_ms": milliseconds_since(self.began),
            "request_id": result.request_id,
        }
        drawn = self.cause.type is TransactionType.image and outcome is CallOutcome.succeeded
        reckoned = {"cached_tokens": result.usage.cached_tokens, "price": price and price_to_json(price)}
        await self._settle({"outcome": outcome, "images": int(drawn), **reckoned, **facts})
        count_model_call(result.provider, result.model, outcome, result.usage, cost)
        return facts

    async def fail(self, error: ProviderError) -> None:
        if error.spent is not None:
            await self.settle(error.spent, outcome_of(error))
        else:
            async with self.meter.sessions.begin() as session:
                await TransactionRepository(session).delete_unbilled(self.cause.user_id, self.id)

    async def mark_lost(self) -> None:
        await self._settle({"outcome": CallOutcome.lost, "duration_ms": milliseconds_since(self.began)})

    async def _settle(self, values: dict[str, Any]) -> None:
        async with self.meter.sessions.begin() as session:
            await TransactionRepository(session).settle(self.cause.user_id, self.id, values)


async def record_lost_calls(session: AsyncSession, *causes: Cause) -> None:
    """Mark open calls of the causes as lost: their attempts ended without recording the cost. Does nothing if there
    are none."""
    for cause in causes:
        await TransactionRepository(session).mark_lost(cause)


@dataclass(frozen=True)
class ModelCallService:
    sessions: Sessions

    async def close_lost(self) -> int:
        """Mark calls as lost whose process died and whose cause has had no further attempt. Return their number."""
        async with self.sessions.begin() as session:
            return await TransactionRepository(session).mark_older_lost(utcnow() - _MAX_CALL_AGE)


def outcome_of(error: ProviderError) -> CallOutcome:
    """Return the outcome of a call that raised this error."""
    return {
        ErrorCode.model_refused: CallOutcome.refused,
        ErrorCode.model_context_too_small: CallOutcome.incomplete,
        ErrorCode.model_incomplete: CallOutcome.incomplete,
        ErrorCode.model_reasoned_too_long: CallOutcome.incomplete,
    }.get(error.code, CallOutcome.failed)


def milliseconds_since(began: float) -> int:
    """Return the milliseconds since `began`, a value of `time.monotonic`."""
    return int((time.monotonic() - began) * 1000)


def sum_usage(booked: Sequence[Transaction]) -> dict[str, int | None]:
    """Return the tokens and cost of several calls; None, never a partial sum, if one of them is unknown."""
    return {name: sum_or_none([getattr(call, name) for call in booked]) for name in SUMMED}


def cut_prompts(used: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Return `prompt_cut` if one of several calls (facts of `Meter.call`) has it."""
    return {"prompt_cut": True} if any(one.get("prompt_cut") for one in used) else {}


def sum_or_none(figures: Sequence[int | None]) -> int | None:
    """Return the sum, or None if a figure is unknown."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if len(known) == len(figures) else None


SUMMED: Final = ("input_tokens", "output_tokens", "cost_micros")
