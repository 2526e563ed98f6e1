"""Dated list prices of models, and the cost of a call by them. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from core.ai.rules.usage import Usage

FREE: Final = frozenset({"cards", "demo"})
"""Providers without a model, whose calls cost nothing."""

_SNAPSHOT: Final = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class Model(NamedTuple):
    provider: str
    name: str


@dataclass(frozen=True)
class LongContext:
    """Factors for the whole cost of a call whose input is longer than `over_input_tokens`."""

    over_input_tokens: int
    input_factor: Decimal
    output_factor: Decimal


@dataclass(frozen=True)
class Price:
    """Price per million tokens in `core.ai.rules.usage.CURRENCY`. `until`: the first day on which it is no longer
    valid."""

    since: date
    input: Decimal
    output: Decimal
    cached_input: Decimal | None = None
    """None: the same as `input`."""
    long_context: LongContext | None = None
    until: date | None = None
    draws: bool = False
    """Whether the model makes images."""

    def is_of(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)

    def cost_micros(self, usage: Usage) -> int | None:
        """Return the cost in millionths, rounded half up; None, never 0, if the tokens are unknown.

        Cached tokens are part of the input; if their number is unknown or they have no price, they cost the input
        price. All input is text: pictures are made only from prompts.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        cached_input = self.input if self.cached_input is None else self.cached_input
        # units per million tokens equal millionths per token
        spent_in = (usage.input_tokens - cached) * self.input + cached * cached_input
        spent_out = usage.output_tokens * self.output
        if self.long_context and usage.input_tokens > self.long_context.over_input_tokens:
            spent_in *= self.long_context.input_factor
            spent_out *= self.long_context.output_factor
        return int((spent_in + spent_out).quantize(Decimal(1), ROUND_HALF_UP))


class PriceBook:
    """Every price of every model. `sources`: prices of an earlier source take precedence; within a source, the price
    that began last is used."""

    def __init__(self, *sources: Iterable[tuple[Model, Price]]) -> None:
        self._sources: list[dict[Model, list[Price]]] = []
        for source in sources:
            prices: defaultdict[Model, list[Price]] = defaultdict(list)
            for model, price in source:
                prices[model].append(price)
            self._sources.append(dict(prices))

    def price(self, provider: str, model: str, on: date) -> Price | None:
        """Return the price on that day, or None. A dated snapshot has its model's price, unless it has a price
        itself."""
        for name in dict.fromkeys((model, _SNAPSHOT.sub("", model))):
            for prices in self._sources:
                valid = [price for price in prices.get(Model(provider, name), ()) if price.is_of(on)]
                if valid:
                    return max(valid, key=lambda price: price.since)
        return None

    def cost_micros(self, provider: str, model: str, usage: Usage, on: date) -> int | None:
        """Return the cost in millionths at the price on that day; None, never 0, if the model has no price or the
        tokens are unknown."""
        if provider in FREE:
            return 0
        price = self.price(provider, model, on)
        return price.cost_micros(usage) if price else None

    def has_price(self, provider: str, model: str, on: date) -> bool:
        """Return whether the cost of the model's calls on that day can be computed."""
        return provider in FREE or self.price(provider, model, on) is not None

    def models(self, provider: str, on: date, *, draw: bool) -> tuple[str, ...]:
        """Return the image models or the text models with a price on that day, in the order of the sources."""
        named = dict.fromkeys(model.name for prices in self._sources for model in prices if model.provider == provider)
        by_name = {name: self.price(provider, name, on) for name in named}
        return tuple(name for name, price in by_name.items() if price is not None and price.draws is draw)


def price_to_json(price: Price) -> dict[str, Any]:
    """Return a price as a transaction stores it: its first day, and the prices with their original digits."""
    stored: dict[str, Any] = {"since": price.since.isoformat(), "input": str(price.input), "output": str(price.output)}
    if price.cached_input is not None:
        stored["cached_input"] = str(price.cached_input)
    if price.long_context:
        stored["long_context"] = {
            "over_input_tokens": price.long_context.over_input_tokens,
            "input_factor": str(price.long_context.input_factor),
            "output_factor": str(price.long_context.output_factor),
        }
    return stored


def price_from_json(stored: dict[str, Any]) -> Price:
    long = stored.get("long_context")
    return Price(
        since=date.fromisoformat(stored["since"]),
        input=Decimal(stored["input"]),
        output=Decimal(stored["output"]),
        cached_input=Decimal(stored["cached_input"]) if "cached_input" in stored else None,
        long_context=long
        and LongContext(long["over_input_tokens"], Decimal(long["input_factor"]), Decimal(long["output_factor"])),
    )
