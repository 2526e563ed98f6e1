"""Picture makers behind one protocol."""

from dataclasses import dataclass, field
from typing import Protocol

from core.ai.rules.usage import Usage
from core.media.rules.cards import CardNote, CardSettings
from core.media.rules.media import ImageRatio
from core.templates.rules.templates import ImageQuality


@dataclass(frozen=True)
class PictureOrder:
    """`prompt` is the filled image template. A card shows its first line as the headline, the rest as text.

    `quality`, `style` (words added to the prompt) and `model` (None: the maker's own) are for image models;
    `card` and `logo` (the bytes of `card.logo_id`) are for cards. A card's ratio is `card.size`, or `size` without
    `card`."""

    prompt: str
    language: str
    subject: str
    foot: str
    """Shown at the foot of a card: the name of the brand, else of the assistant."""
    seed: str
    """The same seed and prompt make the same card."""
    size: ImageRatio = ImageRatio.square
    quality: ImageQuality = ImageQuality.auto
    style: str = ""
    model: str | None = None
    card: CardSettings | None = None
    logo: bytes | None = field(default=None, repr=False)


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
    notes: tuple[CardNote, ...] = ()
    """Changes made to a card's words and colours."""


class PictureMaker(Protocol):
    """`make` raises RetrySafe (model_unavailable), RateLimited, Refused (model_refused; image_failed for an answer
    without a usable picture; card_letters_missing for letters that no font of a card has) or Misconfigured
    (model_misconfigured, model_out_of_credit); `spent` is set if the call may have cost something."""

    provider: str
    model: str

    async def make(self, order: PictureOrder) -> Picture: ...

    async def close(self) -> None: ...
