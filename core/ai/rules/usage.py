"""Tokens that a model call has used."""

from dataclasses import dataclass
from typing import Final

CURRENCY = "USD"
"""ISO 4217 code of all costs and of the bundled price lists."""


@dataclass(frozen=True)
class Usage:
    """Tokens as counted by the provider. None: the provider sent no number, which is never the same as 0."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None = None
    reasoning_tokens: int = 0
    """Part of the output; 0 also if the provider sent no number."""


_BYTES_A_TOKEN: Final = 16
"""More bytes than a token of prose has with any tokenizer in any script."""
_SHORT: Final = 2_000
"""Bytes of a prompt that every model in use can read whole."""
_SMALLEST_CONTEXT: Final = 1_024


def is_prompt_cut(size: int, usage: Usage) -> bool:
    """Return whether the provider read only part of a prompt of `size` bytes: it counted far too few tokens, or prompt
    and answer exactly fill a context of a usual size (a power of two). Some servers cut long prompts without an
    error."""
    if not usage.input_tokens or size < _SHORT:
        return False
    read = max(usage.input_tokens, usage.cached_tokens or 0)  # a few servers count cached tokens separately
    if read < size / _BYTES_A_TOKEN:
        return True
    return any(
        tokens >= _SMALLEST_CONTEXT and tokens & (tokens - 1) == 0
        for tokens in (usage.input_tokens, usage.input_tokens + (usage.output_tokens or 0))
    )


UNKNOWN_USAGE = Usage(None, None)
"""Usage of a call that may have cost an unknown amount."""


@dataclass(frozen=True)
class Spent:
    """A call without a result that the provider may bill."""

    provider: str
    model: str
    usage: Usage
    request_id: str | None
