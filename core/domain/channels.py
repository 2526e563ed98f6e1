"""Which networks there are and what a post must fulfil on each."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.errors import ErrorCode, FieldError


class ChannelKind(StrEnum):
    """Adding a network: one member here, one module of the same name in `core/providers/channels/`."""

    linkedin = "linkedin"


class AccountType(StrEnum):
    person = "person"
    organisation = "organisation"


class AccountState(StrEnum):
    connected = "connected"
    needs_reconnecting = "needs_reconnecting"


@dataclass(frozen=True)
class ChannelLimits:
    """Counted in Unicode code points of the visible text; sizes in bytes and pixels."""

    max_characters: int
    max_images: int
    needs_image: bool = False
    max_pixels: int = 36_000_000
    max_image_bytes: int = 8_000_000


def check(text: str, images: int, limits: ChannelLimits) -> list[FieldError]:
    """The rules a post breaks on a channel; empty when it may go out.

    A service may count UTF-16 units, so a text is too long when either count is over.
    """
    problems: list[FieldError] = []
    length = max(len(text), len(text.encode("utf-16-le")) // 2)
    if not text.strip():
        problems.append(FieldError("content", ErrorCode.content_empty))
    if length > limits.max_characters:
        problems.append(FieldError("content", ErrorCode.content_too_long, length=length, limit=limits.max_characters))
    if limits.needs_image and images == 0:
        problems.append(FieldError("files", ErrorCode.image_template_required))
    return problems
