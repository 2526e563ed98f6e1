"""The one way in which a model is asked: reserve, call, settle. Whatever becomes of a call, the process that makes it
may die, it has its row and its cost, or the most that it may have cost."""

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
from core.billing.entitlements import Allowance, Allowing
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions
from core.errors import DomainError, ErrorCode, NoMoreSpending, ProviderError

MOST_BILLED: Final = {TransactionType.text: 5, TransactionType.image: 4}
"""Calls that may be paid for one text, one image or one round of suggestions: a model that takes money and gives
nothing usable would be asked until it is too late to post. What consists of several texts has one more for each."""
_USED_UP: Final = {
    TransactionType.text: ErrorCode.text_attempts_used,
    TransactionType.image: ErrorCode.image_attempts_used,
}
_LONGEST: Final = timedelta(minutes=15)
"""More than any step may wait for a model: an older call has nobody left who could tell of it."""


class MeteredResult(Protocol):
    """What was made, or merely spent, and by which call."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def request_id(self) -> str | None: ...


Made = TypeVar("Made", bound=MeteredResult)


class CallAbandoned(Exception):
    """Nobody waits for the answer any more: the call may end."""


@dataclass(frozen=True)
class ModelRequest:
    """Whom, and the most that the call may use."""

    provider: str
    model: str
    most: Usage


@dataclass(frozen=True)
class Meter:
    """`prices`: what calls cost. `allowing`: how much of it a user may have."""

    sessions: Sessions
    prices: PriceBook
    allowing: Allowing

    async def admit(self, session: AsyncSession, user_id: UUID, asked: ModelRequest) -> None:
        """For whoever orders a call and waits for it. Raises SubscriptionRequired where it would be refused by what the
        user is subscribed to; what others take until it is made, nobody knows."""
        if asked.provider in FREE:
            return
        if allowance := await self.allowing.look(session, user_id, Limit.cost_micros):
            now = utcnow()
            if refusal := await allowance.cost_refusal(self._most_micros(asked, now), now):
                raise refusal

    async def call(
        self, cause: Cause, asked: ModelRequest, call: Callable[[], Awaitable[Made]]
    ) -> tuple[Made, dict[str, Any]]:
        """What `call` makes, and what it used as facts of the row that it was made for: the cost in millionths, None
        where it or the tokens are unknown, and `prompt_cut` where the model has not read all of a text's prompt.

        Raises what it raises; NoMoreSpending and, for a run, KnownFault before it; and NoMoreSpending instead of what
        could be tried again, had it not been the last that may be paid."""
        spending = await self._reserve(cause, asked)
        try:
            made = await call()
        except ProviderError as error:
            await spending.fail(error)
            if not spending.free:
                await note_model_call(self.sessions, asked.provider, asked.model, error)
            if error.retryable and error.spent is not None and await _is_used_up(self.sessions, cause):
                raise NoMoreSpending(_USED_UP[cause.type]) from error
            raise
        except (asyncio.CancelledError, Exception):
            # what was written until now is paid for, however much it is
            await spending.mark_lost()
            raise
        facts = await spending.settle(made, CallOutcome.succeeded)
        if not spending.free:
            await note_model_call(self.sessions, asked.provider, asked.model, None)
        if cause.type is TransactionType.text and is_prompt_cut(asked.most.input_tokens or 0, made.usage):
            facts["prompt_cut"] = True
        return made, facts

    async def _reserve(self, cause: Cause, asked: ModelRequest) -> "_OpenCall":
        """The row says that this attempt is being made before it is: whatever happens then, it is there."""
        async with self.sessions.begin() as session:
            calls, free = TransactionRepository(session), asked.provider in FREE
            allowance = None if free else await self.allowing.hold(session, cause.user_id, Limit.cost_micros)
            held = await calls.lock_cause(cause)
            await calls.mark_lost(cause)
            refused = None if free else await self._refusal(session, cause, held, asked, allowance)
            if refused is None:
                reserved = await calls.reserve(cause, held, self._reserved(asked))
        # outside, so that what was found lost stays so, and the user is told
        if refused is not None:
            raise refused
        return _OpenCall(self, cause, reserved, time.monotonic(), free=free)

    async def _refusal(
        self, session: AsyncSession, cause: Cause, held: CauseRow, asked: ModelRequest, allowance: Allowance | None
    ) -> DomainError | None:
        """Why it must not be made."""
        if await TransactionRepository(session).count_billed(cause, FREE) >= max_billed_calls(cause):
            return NoMoreSpending(_USED_UP[cause.type])
        now = utcnow()
        most_micros = self._most_micros(asked, now)
        if held.assistant_id is not None:
            budget = BudgetService(session)
            if code := await budget.refusal(cause.user_id, held.assistant_id, asked.most, most_micros, now):
                return NoMoreSpending(code)
        if allowance and (refusal := await allowance.cost_refusal(most_micros, now)):
            await allowance.tell(now)
            return NoMoreSpending(refusal.code)
        # whoever waits at a screen may just have mended it: that call is made
        return await call_fault(session, asked.provider, asked.model) if cause.run_id else None

    def _most_micros(self, asked: ModelRequest, now: datetime) -> int | None:
        return self.prices.cost_micros(asked.provider, asked.model, asked.most, now.date())

    def _reserved(self, asked: ModelRequest) -> dict[str, Any]:
        most = Usage(0, 0) if asked.provider in FREE else asked.most
        cost = self.prices.cost_micros(asked.provider, asked.model, most, utcnow().date())
        values = {
            "provider": asked.provider,
            "model": asked.model,
            "most_input_tokens": most.input_tokens,
            "most_output_tokens": most.output_tokens,
            "most_micros": cost,
        }
        # what costs nothing has cost nothing, even if nobody hears of its end
        return values | {"input_tokens": 0, "output_tokens": 0, "cost_micros": 0} if asked.provider in FREE else values


async def _is_used_up(sessions: Sessions, cause: Cause) -> bool:
    async with sessions() as session:
        return await TransactionRepository(session).count_billed(cause, FREE) >= max_billed_calls(cause)


def max_billed_calls(cause: Cause) -> int:
    """Calls that may be paid for it."""
    return MOST_BILLED[cause.type] + cause.texts - 1


@dataclass(frozen=True)
class _OpenCall:
    """One call whose row is there."""

    meter: Meter
    cause: Cause
    id: Any
    began: float
    free: bool = False

    async def settle(self, made: MeteredResult, outcome: CallOutcome) -> dict[str, Any]:
        price = self.meter.prices.price(made.provider, made.model, today := utcnow().date())
        facts = {
            "provider": made.provider,
            "model": made.model,
            "input_tokens": made.usage.input_tokens,
            "output_tokens": made.usage.output_tokens,
            "cost_micros": self.meter.prices.cost_micros(made.provider, made.model, made.usage, today),
            "duration_ms": milliseconds_since(self.began),
            "request_id": made.request_id,
        }
        drawn = self.cause.type is TransactionType.image and outcome is CallOutcome.succeeded
        reckoned = {"cached_tokens": made.usage.cached_tokens, "price": price and price_to_json(price)}
        await self._settle({"outcome": outcome, "images": int(drawn), **reckoned, **facts})
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
    """Attempts that ended without a word: they may have asked the model, and nobody knows what that cost. Where none
    did, nothing happens."""
    for cause in causes:
        await TransactionRepository(session).mark_lost(cause)


@dataclass(frozen=True)
class ModelCallService:
    sessions: Sessions

    async def close_lost(self) -> int:
        """Calls whose process died and whose run, try-out or round came to no other attempt and no end."""
        async with self.sessions.begin() as session:
            return await TransactionRepository(session).mark_older_lost(utcnow() - _LONGEST)


def outcome_of(error: ProviderError) -> CallOutcome:
    """How a call that raised this is booked."""
    return {
        ErrorCode.model_refused: CallOutcome.refused,
        ErrorCode.model_context_too_small: CallOutcome.incomplete,
        ErrorCode.model_incomplete: CallOutcome.incomplete,
        ErrorCode.model_reasoned_too_long: CallOutcome.incomplete,
    }.get(error.code, CallOutcome.failed)


def milliseconds_since(began: float) -> int:
    """`began` is of `time.monotonic`."""
    return int((time.monotonic() - began) * 1000)


def sum_usage(booked: Sequence[Transaction]) -> dict[str, int | None]:
    """Tokens and cost of several calls: None, never less than it was, where one of them is unknown."""
    return {name: sum_or_none([getattr(call, name) for call in booked]) for name in SUMMED}


def cut_prompts(used: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """What several calls, as `call` tells of each, say of their prompts together."""
    return {"prompt_cut": True} if any(one.get("prompt_cut") for one in used) else {}


def sum_or_none(figures: Sequence[int | None]) -> int | None:
    """None where one of them is unknown."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if len(known) == len(figures) else None


SUMMED: Final = ("input_tokens", "output_tokens", "cost_micros")
