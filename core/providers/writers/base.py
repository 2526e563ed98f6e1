"""Text models behind one protocol."""

from dataclasses import dataclass
from typing import Protocol

DEMO_MODEL = "demo-writer"
"""What the built-in writer signs with; shown as a label wherever its text stands."""


@dataclass(frozen=True)
class TextOrder:
    """`instructions` are ours. `prompt` is the filled template as it reads; `brief` the same with every value between
    the markers <value> and </value>, which a model is told to take as data. `subject` is a stable hash of the user,
    for the provider's abuse detection. `seed` is what the text is for: the built-in writer varies by it, and writes the
    same again when a step is repeated."""

    instructions: str
    prompt: str
    brief: str
    language: str
    max_characters: int
    topic: str
    subject: str
    seed: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them. None: the provider did not tell, which is never the same as 0."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None = None


@dataclass(frozen=True)
class Written:
    text: str
    provider: str
    model: str
    usage: Usage
    request_id: str | None


class Writer(Protocol):
    """Raises RetrySafe, RateLimited, Refused (model_refused) or Misconfigured (model_misconfigured)."""

    provider: str
    model: str

    async def write(self, order: TextOrder) -> Written: ...

    async def close(self) -> None: ...
