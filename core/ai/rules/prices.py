"""What models cost: dated list prices, and what a call costs by them. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from core.ai.rules.usage import Usage

FREE: Final = frozenset({"cards", "demo"})
"""Providers that use no model."""

_SNAPSHOT: Final = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class Model(NamedTuple):
    provider: str
    name: str


@dataclass(frozen=True)
class LongContext:
    """A call whose input is longer than that costs so many times as much, all of it."""

    over_input_tokens: int
    input_factor: Decimal
    output_factor: Decimal


@dataclass(frozen=True)
class Price:
    """Of a million tokens, in `core.ai.rules.usage.CURRENCY`. `until`: the first day on which the price no longer
    holds."""

    since: date
    input: Decimal
    output: Decimal
    cached_input: Decimal | None = None
    """None: as other input."""
    long_context: LongContext | None = None
    until: date | None = None
    draws: bool = False
    """Its model makes images."""

    def is_of(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)

    def cost_micros(self, usage: Usage) -> int | None:
        """Millionths, rounded half up; None, never 0, where the tokens are not told.

        Cached tokens count as a part of the input; where they are untold or have no price of their own, the input
        costs its full price. All input is text: pictures are made from prompts alone.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        cached_input = self.input if self.cached_input is None else self.cached_input
        # a price of a million tokens in units is one of a token in millionths
        spent_in = (usage.input_tokens - cached) * self.input + cached * cached_input
        spent_out = usage.output_tokens * self.output
        if self.long_context and usage.input_tokens > self.long_context.over_input_tokens:
            spent_in *= self.long_context.input_factor
            spent_out *= self.long_context.output_factor
        return int((spent_in + spent_out).quantize(Decimal(1), ROUND_HALF_UP))


class PriceBook:
    """Every price of every model. `sources`: a price of an earlier one goes before those of a later one; within one
    that began last counts."""

    def __init__(self, *sources: Iterable[tuple[Model, Price]]) -> None:
        self._sources: list[dict[Model, list[Price]]] = []
        for source in sources:
            prices: defaultdict[Model, list[Price]] = defaultdict(list)
            for model, price in source:
                prices[model].append(price)
            self._sources.append(dict(prices))

    def price(self, provider: str, model: str, on: date) -> Price | None:
        """Of that day; None without one. A dated snapshot costs what its model costs, unless it has a price of its
        own."""
        for name in dict.fromkeys((model, _SNAPSHOT.sub("", model))):
            for prices in self._sources:
                valid = [price for price in prices.get(Model(provider, name), ()) if price.is_of(on)]
                if valid:
                    return max(valid, key=lambda price: price.since)
        return None

    def cost_micros(self, provider: str, model: str, usage: Usage, on: date) -> int | None:
        """Millionths at the list price of that day. None, never 0, for a model without a price then, or tokens that
        were not told."""
        if provider in FREE:
            return 0
        price = self.price(provider, model, on)
        return price.cost_micros(usage) if price else None

    def has_price(self, provider: str, model: str, on: date) -> bool:
        """Whether the cost of its calls on that day can be known."""
        return provider in FREE or self.price(provider, model, on) is not None

    def models(self, provider: str, on: date, *, draw: bool) -> tuple[str, ...]:
        """Those that make images, or those that write, in the order in which they were told."""
        named = dict.fromkeys(model.name for prices in self._sources for model in prices if model.provider == provider)
        found = {name: self.price(provider, name, on) for name in named}
        return tuple(name for name, price in found.items() if price is not None and price.draws is draw)


def price_to_json(price: Price) -> dict[str, Any]:
    """As a row keeps what a call was reckoned with: its day, and the prices as they were written."""
    kept: dict[str, Any] = {"since": price.since.isoformat(), "input": str(price.input), "output": str(price.output)}
    if price.cached_input is not None:
        kept["cached_input"] = str(price.cached_input)
    if price.long_context:
        kept["long_context"] = {
            "over_input_tokens": price.long_context.over_input_tokens,
            "input_factor": str(price.long_context.input_factor),
            "output_factor": str(price.long_context.output_factor),
        }
    return kept


def price_from_json(kept: dict[str, Any]) -> Price:
    long = kept.get("long_context")
    return Price(
        since=date.fromisoformat(kept["since"]),
        input=Decimal(kept["input"]),
        output=Decimal(kept["output"]),
        cached_input=Decimal(kept["cached_input"]) if "cached_input" in kept else None,
        long_context=long
        and LongContext(long["over_input_tokens"], Decimal(long["input_factor"]), Decimal(long["output_factor"])),
    )
