"""Sources of prices: the bundled lists of OpenAI's models, and an operator's own file."""

from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError, model_validator

from core.ai.rules.prices import LongContext, Model, Price, PriceBook

_LISTS: Final = Path(__file__).with_name("prices.json")
_MAX_BYTES: Final = 5_000_000

_Money = Annotated[Decimal, Field(ge=0, le=1_000_000, max_digits=20, allow_inf_nan=False)]
_Name = Annotated[str, Field(min_length=1, max_length=100)]


class _Read(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _LongContext(_Read):
    over_input_tokens: int = Field(ge=1)
    input_factor: _Money
    output_factor: _Money

    def to_long_context(self) -> LongContext:
        return LongContext(self.over_input_tokens, self.input_factor, self.output_factor)


class _ListPrice(_Read):
    input: _Money
    output: _Money
    cached_input: _Money | None = None
    image_input: _Money | None = None
    cached_image_input: _Money | None = None


class _List(_Read):
    """A provider's price page from a day on. A model that a newer list does not name has no price from then on."""

    valid_from: date
    long_context: _LongContext
    usd_per_million_tokens: dict[str, dict[str, _ListPrice]]


class _Lists(RootModel[list[_List]]):
    pass


class _OwnPrice(_Read):
    model: _Name
    provider: _Name = "openai"
    since: date
    until: date | None = None
    input: _Money
    output: _Money
    cached_input: _Money | None = None
    long_context: _LongContext | None = None
    draws: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> "_OwnPrice":
        if self.until is not None and self.until <= self.since:
            raise ValueError("until must be after since")
        return self


class _OwnFile(_Read):
    """`replace`: ignore the bundled prices."""

    replace: bool = False
    prices: list[_OwnPrice]


@cache
def bundled() -> tuple[tuple[Model, Price], ...]:
    lists = sorted(_Lists.model_validate_json(_LISTS.read_bytes()).root, key=lambda one: one.valid_from)
    return tuple(
        (
            Model(provider, name),
            Price(
                since=one.valid_from,
                until=lists[at + 1].valid_from if at + 1 < len(lists) else None,
                input=price.input,
                output=price.output,
                cached_input=price.cached_input,
                long_context=one.long_context.to_long_context(),
                draws=price.image_input is not None,
            ),
        )
        for at, one in enumerate(lists)
        for provider, models in one.usd_per_million_tokens.items()
        for name, price in models.items()
    )


def open_prices(own: Path | None = None) -> PriceBook:
    """Return the bundled prices and an operator's prices, which take precedence.

    The file is JSON: `{"replace": false, "prices": [{"model": "llama-4", "provider": "openai", "since": "2026-01-01",
    "until": null, "input": "0.05", "cached_input": null, "output": "0.20", "draws": false}]}`, prices in US dollars
    per million tokens. Raise ValueError with one line that says what is wrong and where.
    """
    if own is None:
        return PriceBook(bundled())
    try:
        if own.stat().st_size > _MAX_BYTES:
            raise ValueError(f"is larger than {_MAX_BYTES} bytes")
        found = _OwnFile.model_validate_json(own.read_bytes())
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"has something wrong{' at ' + where if where else ''}: {first['msg']}") from error
    prices = [
        (
            Model(one.provider, one.model),
            Price(
                since=one.since,
                until=one.until,
                input=one.input,
                output=one.output,
                cached_input=one.cached_input,
                long_context=one.long_context.to_long_context() if one.long_context else None,
                draws=one.draws,
            ),
        )
        for one in found.prices
    ]
    return PriceBook(prices) if found.replace else PriceBook(prices, bundled())
