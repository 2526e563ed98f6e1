"""What a call cost, from the tokens that the provider counted and the bundled price lists."""

import json
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

from core.domain.usage import Usage

FREE = frozenset({"cards", "demo"})
"""Providers that use no model."""

_LISTS = Path(__file__).with_name("prices.json")
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def cost_micros(provider: str, model: str, usage: Usage, on: date) -> int | None:
    """Millionths of a US dollar at the list prices of that day, rounded half up.

    None, never 0, for a model without a price, a day before the first list, or tokens that were not told.
    Cached tokens count as a part of the input; where they are untold or have no price of their own, the input
    costs its full price. All input is text: pictures are made from prompts alone.
    """
    if provider in FREE:
        return 0
    prices = _list_of(on)
    price = prices and _price(prices, provider, model)
    if not prices or not price or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    # dollars per million tokens are micro-dollars per token
    full, output = Decimal(price["input"]), Decimal(price["output"])
    spent_in = (usage.input_tokens - cached) * full + cached * Decimal(price.get("cached_input", full))
    spent_out = usage.output_tokens * output
    long = prices["long_context"]
    if usage.input_tokens > long["over_input_tokens"]:
        spent_in *= Decimal(long["input_factor"])
        spent_out *= Decimal(long["output_factor"])
    return int((spent_in + spent_out).quantize(Decimal(1), ROUND_HALF_UP))


def has_price(provider: str, model: str, on: date) -> bool:
    """Whether the cost of its calls on that day can be known."""
    prices = _list_of(on)
    return provider in FREE or bool(prices and _price(prices, provider, model))


def priced_models(provider: str, on: date, *, images: bool) -> tuple[str, ...]:
    """Those that make images, or those that write, in the order of that day's list."""
    prices = _list_of(on)
    models: dict[str, dict[str, str]] = prices["usd_per_million_tokens"].get(provider, {}) if prices else {}
    return tuple(name for name, price in models.items() if ("image_input" in price) is images)


def _price(prices: dict[str, Any], provider: str, model: str) -> dict[str, str] | None:
    """A dated snapshot costs what its model costs."""
    models: dict[str, dict[str, str]] = prices["usd_per_million_tokens"].get(provider, {})
    return models.get(model) or models.get(_SNAPSHOT.sub("", model))


def _list_of(on: date) -> dict[str, Any] | None:
    """The newest list that is valid on that day."""
    valid = [prices for prices in _lists() if date.fromisoformat(prices["valid_from"]) <= on]
    return max(valid, key=lambda prices: date.fromisoformat(prices["valid_from"]), default=None)


@cache
def _lists() -> list[dict[str, Any]]:
    lists: list[dict[str, Any]] = json.loads(_LISTS.read_text())
    return lists
