"""What a call of a model has used."""

from dataclasses import dataclass
from typing import Final

CURRENCY = "USD"
"""Of all costs: what the bundled price lists are in, ISO 4217."""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them. None: the provider did not tell, which is never the same as 0."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None = None
    reasoning_tokens: int = 0
    """Part of the output; 0 also where the provider did not tell."""


_BYTES_A_TOKEN: Final = 16
"""More than any tokenizer puts into one token of prose, in any script."""
_SHORT: Final = 2_000
"""Bytes of a prompt that every model in use takes whole."""
_SMALLEST_CONTEXT: Final = 1_024


def is_prompt_cut(size: int, usage: Usage) -> bool:
    """Whether the provider has read a part of a prompt alone: it counted far fewer tokens than so many bytes have, or
    prompt and answer fill a context of a usual size to the last token. Some servers cut what is too long and say
    nothing else of it."""
    if not usage.input_tokens or size < _SHORT:
        return False
    read = max(usage.input_tokens, usage.cached_tokens or 0)  # a few servers count the cached ones beside the others
    if read < size / _BYTES_A_TOKEN:
        return True
    return any(
        tokens >= _SMALLEST_CONTEXT and tokens & (tokens - 1) == 0
        for tokens in (usage.input_tokens, usage.input_tokens + (usage.output_tokens or 0))
    )


UNTOLD = Usage(None, None)
"""Of a call that may have cost something, and nobody knows what."""


@dataclass(frozen=True)
class Spent:
    """A call that ended without a result although the provider may charge for it."""

    provider: str
    model: str
    usage: Usage
    request_id: str | None
