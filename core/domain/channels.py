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


class GivenBack(StrEnum):
    """What has become of access that is not needed any more."""

    revoked = "revoked"
    waiting = "waiting"
    """The network does not answer; it is asked again."""
    refused = "refused"
    """It takes nothing back: the person can, in its own settings. Forgotten here all the same."""
    shared = "shared"
    """Another account posts by the same consent."""


class FieldKind(StrEnum):
    """How a field of a form is typed."""

    text = "text"
    url = "url"
    password = "password"


class FieldName(StrEnum):
    """What a form for connecting asks for. The web app has a label and a help text for each."""

    server = "server"
    handle = "handle"
    app_password = "app_password"


@dataclass(frozen=True)
class FormField:
    name: FieldName
    kind: FieldKind
    example: str = ""
    max_length: int = 200


@dataclass(frozen=True)
class ChannelLimits:
    """Counted in Unicode code points of the visible text; sizes in bytes and pixels."""

    max_characters: int
    max_images: int
    needs_image: bool = False
    max_pixels: int = 36_000_000
    max_image_bytes: int = 8_000_000
    image_types: tuple[str, ...] = ("image/jpeg", "image/png", "image/gif")
    """What is of another type goes out as JPEG, as what is too large does."""

    def takes(self, mime: str, pixels: int, size: int) -> bool:
        """Whether an image may go out as it is; `size` in bytes."""
        return mime in self.image_types and pixels <= self.max_pixels and size <= self.max_image_bytes


def check(text: str, images: int, limits: ChannelLimits, kind: str | None = None) -> list[FieldError]:
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
        # Instagram has a sentence of its own
        code = ErrorCode.image_template_required if kind == "instagram" else ErrorCode.image_required
        problems.append(FieldError("files", code))
    if images > limits.max_images:
        problems.append(FieldError("files", ErrorCode.too_many_images, found=images, limit=limits.max_images))
    return problems
