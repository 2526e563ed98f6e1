"""One post on its way to a network: what is sent, what is staged, and how the network proves it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Protocol
from uuid import UUID

from core.networks.rules.links import Link


@dataclass(frozen=True)
class Image:
    data: bytes = field(repr=False)
    """Only for staging; empty for the publishing call."""
    mime: str
    alt: str
    fetch_url: str = field(default="", repr=False)
    """Where a network that fetches images itself finds it, converted to the network's limits: without a token, for at
    least a day."""
    by_model: bool = False
    """Whether a model has made the image."""


class ReadFile(Protocol):
    """Reads a stored file from one byte up to another (None: to its end), in chunks of a few hundred kilobytes: a video
    is never held in memory. Raises ProviderError."""

    def __call__(self, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]: ...


@dataclass(frozen=True)
class Document:
    """A PDF that a network shows page by page."""

    title: str
    size: int
    """In bytes."""
    mime: str = "application/pdf"
    read: ReadFile | None = field(default=None, repr=False)
    """Only for staging; None for the publishing call."""


@dataclass(frozen=True)
class Video:
    title: str
    alt: str
    mime: str
    size: int
    """In bytes."""
    width: int
    height: int
    seconds: float
    cover: Image | None = None
    """What is shown before it plays; None: the network chooses a frame."""
    read: ReadFile | None = field(default=None, repr=False)
    """As of a document."""
    fetch_url: str = field(default="", repr=False)
    """As of an image, but the file is the original."""


@dataclass(frozen=True)
class Article:
    """An article that a site shows at its own address."""

    title: str
    """Plain text."""
    slug: str
    """The slug in the article's address: lower case, digits and hyphens, unique per site. It identifies an article
    whose creation was not answered. The site may show readers another slug."""
    summary: str
    """Plain text, for lists of articles; empty: the site uses the beginning of the article."""
    html: str
    """The body, sanitized for readers. The source of an image of the post is `media:` and its id: see
    `core.texts.rules.markdown.with_images`."""
    tags: tuple[str, ...] = ()
    """Names; the site creates missing tags."""
    categories: tuple[str, ...] = ()
    """Ids of the site."""
    seo_title: str = ""
    """For search engines, if the site has fields for them: replaces the title; empty: the title."""
    seo_description: str = ""
    """As above: replaces the summary."""
    canonical_url: str = ""
    """As above: where the article was published first; empty: here."""
    image_ids: tuple[UUID, ...] = ()
    """The ids of the post's images, in order."""
    featured: bool = True
    """Whether the first image is shown above the article; the others are in its body."""
    language: str = ""
    """Two-letter code, if known."""


@dataclass(frozen=True)
class Outgoing:
    """One post for one channel: the visible text, unescaped, and its images in order. A site publishes the `article`;
    its text is then the article's Markdown source, and the first image is shown above it."""

    text: str
    images: tuple[Image, ...]
    link: Link | None = None
    """A link to show as a card (`ChannelLimits.link_place`), with the first image as its picture. Links to show in the
    text are in the text already."""
    article: Article | None = None
    """For sites; None for networks."""
    language: str = ""
    """Two-letter code of the text's language, for networks that filter by language or offer to translate."""
    document: Document | None = None
    """Instead of images."""
    video: Video | None = None
    """Instead of images."""

    @property
    def file_count(self) -> int:
        """How many files are staged."""
        return len(self.images) + (self.document is not None) + (self.video is not None)


@dataclass(frozen=True)
class Staged:
    """The result of staging. `refs` are provider ids in the order of the files, kept in the ledger. With
    `traits.stages_post` the last one is the id of the post or of its publishing call. `ready_in` is how long the
    network needs before they may be used."""

    refs: tuple[str, ...]
    ready_in: timedelta


Keep = Callable[[str], Awaitable[None]]
"""Stores a provider's id of an image, in the order of the images, or what continues the upload of a video."""


async def forget(ref: str) -> None:
    """The default of `keep`: store nothing."""


async def upload_all(
    images: Sequence[Image], upload: Callable[[Image], Awaitable[str]], *, had: tuple[str, ...], keep: Keep
) -> tuple[str, ...]:
    """Return the provider's ids of all images. Those in `had` were uploaded by an earlier attempt; each new id is kept
    before the next upload starts. Ids in `had` after those of the images stay at the end."""
    refs = had
    for image in images[len(had) :]:
        ref = await upload(image)
        await keep(ref)
        refs = (*refs, ref)
    return refs


_MAX_NAME: Final = 1_000
_MAX_ADDRESS: Final = 2_000


@dataclass(frozen=True)
class Receipt:
    """Proof of a published post. `provider_id` is None if the network confirmed without naming it; a name or address
    that is too long becomes None."""

    provider_id: str | None
    permalink: str | None
    slug: str | None = None
    """An article's slug, if the site returns it; it differs from the requested one if that was taken."""
    status: str | None = None
    """The site's own status of an article that readers cannot see. None: they can, or the site does not say."""
    rest: timedelta | None = None
    """The network published the post but reported that the account posts too much: how long to pause further calls
    for the account."""

    def __post_init__(self) -> None:
        for name in ("provider_id", "permalink", "slug", "status"):
            most = _MAX_ADDRESS if name == "permalink" else _MAX_NAME
            if len(getattr(self, name) or "") > most:
                object.__setattr__(self, name, None)


@dataclass(frozen=True)
class Finding:
    """The answer to "does the post exist?" after an ambiguous call: `receipt` proves that it does, `absent` that it
    does not. Neither: the network cannot tell, and a person decides."""

    receipt: Receipt | None = None
    absent: bool = False
    unreadable: bool = False
    """It cannot be found out because the account may post but not read."""


class Prepared(Protocol):
    """One post that is ready to publish."""

    async def open(self) -> None:
        """Connect shortly before the slot. Publishes nothing; if it fails, `publish` reports why."""

    async def publish(self) -> Receipt:
        """The one call that makes the post visible. Never repeated without `find`."""

    async def close(self) -> None:
        """Close the connection that `open` opened."""
