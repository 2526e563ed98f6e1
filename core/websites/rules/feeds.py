"""Articles that this installation shows itself, as their readers get them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

T = TypeVar("T")

BEGINNING: Final = 160
"""Characters."""

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
"""Addresses that a reader would take for the installation's own."""
FEEDS: Final = "/feeds"
"""Below it are all of them, each by its address."""
WIDTHS: Final = (480, 960, 1440)
"""Pixels, of the images on a page: the smallest that is sharp is the one that a browser loads."""


@dataclass(frozen=True)
class FeedImage:
    """An image of an article as it is kept for readers: as WebP in some widths, and once as JPEG."""

    id: UUID
    """In its address. Another one where the image is another."""
    width: int
    height: int
    """Pixels of the JPEG."""
    bytes: int
    """Of the JPEG."""
    media_id: UUID | None = None
    """By which the text names it."""
    alt: str = ""
    gone: bool = False
    """No longer shown, and its files are still to be removed."""

    @property
    def widths(self) -> tuple[int, ...]:
        return tuple(width for width in WIDTHS if width < self.width) or (self.width,)

    @property
    def names(self) -> tuple[str, ...]:
        """Of its files."""
        return (f"{self.id}.jpg", *(f"{self.id}-{width}.webp" for width in self.widths))

    @property
    def ref(self) -> str:
        """What is kept of it until the article is published."""
        return f"{self.id}:{self.width}x{self.height}:{self.bytes}"

    @classmethod
    def of_ref(cls, ref: str, media_id: UUID | None, alt: str) -> "FeedImage":
        """Raises ValueError for what is none."""
        name, size, length = ref.split(":")
        width, height = size.split("x")
        return cls(UUID(name), int(width), int(height), int(length), media_id, alt)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"id": str(self.id), "media_id": str(self.media_id) if self.media_id else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "FeedImage":
        media_id = kept["media_id"]
        return cls(**{**kept, "id": UUID(kept["id"]), "media_id": UUID(media_id) if media_id else None})


@dataclass(frozen=True)
class FeedText:
    """An article as it was published, never as it is being written."""

    title: str
    summary: str
    html: str
    """Its images have `media:` and their id as their source."""
    markdown: str
    tags: tuple[str, ...] = ()
    language: str = ""
    """Empty: as the feed's."""
    seo_title: str = ""
    seo_description: str = ""
    canonical_url: str = ""
    images: tuple[FeedImage, ...] = ()
    featured: bool = False
    """Whether the first of them stands above it."""
    beginning: str = ""
    """Of its words, for who shows a sentence or two of it. Made at publishing, so that no reader waits for it."""
    words: int = 0

    @property
    def above(self) -> FeedImage | None:
        return self.images[0] if self.featured and self.images else None


@dataclass(frozen=True)
class FeedHead:
    """What is told of a feed."""

    name: str
    language: str
    description: str
    author: str
    indexed: bool
    """Whether search engines may list it."""
    time_zone: str
    """IANA, in which its days are."""
    url: str
    """With a slash at its end."""
    changed_at: datetime
    """When anything of it was, its articles too."""


@dataclass(frozen=True)
class FeedLine:
    """An article in a list of them."""

    id: UUID
    slug: str
    title: str
    summary: str
    language: str
    published_at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class FeedEntry(FeedLine):
    """An article that is out."""

    text: FeedText


@dataclass(frozen=True)
class FeedPage(Generic[T]):
    """Newest first. Pages count from 1."""

    items: Sequence[T]
    number: int
    count: int
    """Of all pages, one at least."""
