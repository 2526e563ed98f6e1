"""Picture makers behind one protocol."""

from dataclasses import dataclass, field
from typing import Protocol

from core.providers.writers.base import Usage


@dataclass(frozen=True)
class PictureOrder:
    """`prompt` is the filled image template. A card shows its first line as the headline, the rest as text."""

    prompt: str
    language: str
    subject: str
    foot: str
    """Shown at the foot of a card: the brand or the assistant's name."""
    seed: str
    """Same seed and prompt, same card."""


@dataclass(frozen=True)
class Picture:
    data: bytes = field(repr=False)
    mime: str
    width: int
    height: int
    provider: str
    model: str
    usage: Usage
    request_id: str | None


class PictureMaker(Protocol):
    """Raises RetrySafe, RateLimited, Refused (model_refused) or Misconfigured (model_misconfigured)."""

    provider: str
    model: str

    async def make(self, order: PictureOrder) -> Picture: ...

    async def close(self) -> None: ...
