"""Articles of feeds served by this installation, as readers get them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

T = TypeVar("T")

BEGINNING: Final = 160
"""Characters of an article's preview."""

MAX_ADDRESS: Final = 60
MAX_DESCRIPTION: Final = 500
MAX_AUTHOR: Final = 120
RESERVED: Final = frozenset(
    {
        *("abuse", "account", "accounts", "admin", "administrator", "api", "auth", "billing", "dashboard", "feeds"),
        *("help", "impressum", "imprint", "legal", "login", "logout", "official", "payment", "postloom", "postmaster"),
        *("privacy", "root", "security", "settings", "signin", "signout", "signup", "stripe", "subscription"),
        *("support", "system", "terms", "user", "users", "verify", "verify-email", "webmaster", "well-known", "www"),
    }
)
"""Addresses that readers could take for the installation's own."""
FEEDS: Final = "/feeds"
"""The path prefix of all feeds."""
WIDTHS: Final = (480, 960, 1440)
"""Widths of images on a page in pixels: a browser loads the smallest that is sharp."""


@dataclass(frozen=True)
class FeedImage:
    """An article's image for readers: as WebP in several widths, and once as JPEG."""

    id: UUID
    """Part of its address. A different image has a different id."""
    width: int
    height: int
    """Pixels of the JPEG."""
    bytes: int
    """Size of the JPEG."""
    media_id: UUID | None = None
    """The id that the text uses."""
    alt: str = ""
    gone: bool = False
    """No longer shown, but its files are still to be removed."""

    @property
    def widths(self) -> tuple[int, ...]:
        return tuple(width for width in WIDTHS if width < self.width) or (self.width,)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its files."""
        return (f"{self.id}.jpg", *(f"{self.id}-{width}.webp" for width in self.widths))

    @property
    def ref(self) -> str:
        """Reference to the image until the article is published."""
        return f"{self.id}:{self.width}x{self.height}:{self.bytes}"

    @classmethod
    def of_ref(cls, ref: str, media_id: UUID | None, alt: str) -> "FeedImage":
        """Parse a `ref`. Raises ValueError if it is malformed."""
        name, size, length = ref.split(":")
        width, height = size.split("x")
        return cls(UUID(name), int(width), int(height), int(length), media_id, alt)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"id": str(self.id), "media_id": str(self.media_id) if self.media_id else None}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "FeedImage":
        media_id = stored["media_id"]
        return cls(**{**stored, "id": UUID(stored["id"]), "media_id": UUID(media_id) if media_id else None})


@dataclass(frozen=True)
class FeedText:
    """The published version of an article."""

    title: str
    summary: str
    html: str
    """The sources of its images are `media:<id>`."""
    markdown: str
    tags: tuple[str, ...] = ()
    language: str = ""
    """Empty: the feed's language."""
    seo_title: str = ""
    seo_description: str = ""
    canonical_url: str = ""
    images: tuple[FeedImage, ...] = ()
    featured: bool = False
    """Whether the first image is shown above the article."""
    beginning: str = ""
    """The start of the text, for previews. Made at publishing, so that no reader waits for it."""
    words: int = 0

    @property
    def above(self) -> FeedImage | None:
        return self.images[0] if self.featured and self.images else None


@dataclass(frozen=True)
class FeedHead:
    """The metadata of a feed."""

    name: str
    language: str
    description: str
    author: str
    indexed: bool
    """Whether search engines may list it."""
    time_zone: str
    """IANA zone for the dates on its pages."""
    url: str
    """With a trailing slash."""
    changed_at: datetime
    """When the feed or an article in it was changed."""


@dataclass(frozen=True)
class FeedLine:
    """An article in a list."""

    id: UUID
    slug: str
    title: str
    summary: str
    language: str
    published_at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class FeedEntry(FeedLine):
    """A published article."""

    text: FeedText


@dataclass(frozen=True)
class FeedPage(Generic[T]):
    """Newest first. Pages count from 1."""

    items: Sequence[T]
    number: int
    count: int
    """Number of pages, at least one."""
