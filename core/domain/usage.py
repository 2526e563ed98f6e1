"""What a call of a model has used."""

from dataclasses import dataclass

CURRENCY = "USD"
"""Of all costs: what the bundled price lists are in, ISO 4217."""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them. None: the provider did not tell, which is never the same as 0."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None = None


UNTOLD = Usage(None, None)
"""Of a call that may have cost something, and nobody knows what."""


@dataclass(frozen=True)
class Spent:
    """A call that ended without a result although the provider may charge for it."""

    provider: str
    model: str
    usage: Usage
    request_id: str | None
