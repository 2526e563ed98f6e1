"""Which networks and kinds of site there are, and what a post must fulfil on each."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import ErrorCode, FieldError
from core.networks.rules.links import CARDS, Link, LinkPlace, text_with
from core.texts.rules.texts import hashtags, is_blank, mentions, normal


class ChannelKind(StrEnum):
    """Adding a network or a kind of site: one member here, one module of its name in `core/networks/`."""

    linkedin = "linkedin"
    linkedin_pages = "linkedin_pages"
    facebook = "facebook"
    instagram = "instagram"
    mastodon = "mastodon"
    bluesky = "bluesky"
    wordpress = "wordpress"
    ghost = "ghost"
    webhook = "webhook"
    hosted_feed = "hosted_feed"

    @property
    def is_site(self) -> bool:
        """A website of its owner's, which takes articles. It is no social network, and is offered as none."""
        return self in _SITES


_SITES: Final = frozenset({ChannelKind.wordpress, ChannelKind.ghost, ChannelKind.webhook, ChannelKind.hosted_feed})
NETWORKS: Final = tuple(kind for kind in ChannelKind if not kind.is_site)
"""The social networks, in their order."""


class AccountType(StrEnum):
    person = "person"
    organisation = "organisation"


class AccountState(StrEnum):
    connected = "connected"
    needs_reconnecting = "needs_reconnecting"


def called(kind: ChannelKind, name: str, site_name: str | None, base_url: str) -> str:
    """What goes out by an account goes to this: a website by its name, one that was removed (`site_name` None) by its
    address, since as whom one writes there its readers do not know."""
    return (site_name or base_url.partition("://")[2] or name) if kind.is_site else name


class GivenBack(StrEnum):
    """What has become of access that is not needed any more."""

    revoked = "revoked"
    waiting = "waiting"
    """The network does not answer; it is asked again."""
    refused = "refused"
    """It was not taken back: the person can, in the network's own settings. Forgotten here all the same."""
    shared = "shared"
    """Another account of theirs posts by the same consent."""


class FieldKind(StrEnum):
    """How a field of a form is typed."""

    text = "text"
    url = "url"
    password = "password"
    new_secret = "new_secret"
    """Made where the form is drawn, anew each time, and shown there alone; something else may be typed in its place."""


class FieldName(StrEnum):
    """What a form for connecting asks for. The web app has a label and a help text for each."""

    server = "server"
    handle = "handle"
    app_password = "app_password"
    host = "host"
    site = "site"
    username = "username"
    admin_key = "admin_key"
    endpoint = "endpoint"
    secret = "secret"
    site_name = "site_name"
    address = "address"


@dataclass(frozen=True)
class FormField:
    name: FieldName
    kind: FieldKind
    example: str = ""
    max_length: int = 200
    initial: str = ""
    """What stands in it until somebody types something else."""


def known_of(fields: Sequence[FormField], base_url: str, handle: str, site_name: str = "") -> dict[FieldName, str]:
    """What a form for connecting an account once more can hold already: nothing secret."""
    server = base_url.removeprefix("https://")
    known = {
        FieldName.server: server,
        FieldName.host: server,
        FieldName.handle: handle,
        FieldName.site: server,
        FieldName.username: handle,
        FieldName.endpoint: base_url,
        FieldName.site_name: site_name,
        FieldName.address: handle,
    }
    return {one.name: known[one.name] for one in fields if known.get(one.name)}


class CheckPoint(StrEnum):
    """What is asked about an account, of its network and of ourselves."""

    access = "access"
    permissions = "permissions"
    role = "role"
    quota = "quota"
    media = "media"
    """Whether the network can fetch pictures from this installation."""
    clock = "clock"
    """By which a site dates its articles, and in which zone it shows that."""


class CheckResult(StrEnum):
    fine = "fine"
    broken = "broken"
    unsure = "unsure"
    """It could not be found out, now or from here."""


class Counting(StrEnum):
    """How a network counts a text."""

    code_points = "code_points"
    utf16 = "utf16"
    larger = "larger"
    """Of both, where it does not say which."""
    weighted = "weighted"
    """By rules of its own, such as for links: only the server counts it."""


@dataclass(frozen=True)
class ChannelLimits:
    """What a network takes. Sizes in bytes and pixels, ratios are width by height."""

    max_characters: int
    max_images: int
    counting: Counting = Counting.larger
    weigh: Callable[[str], int] | None = None
    """The length of a text, where it is `weighted`."""
    min_images: int = 0
    image_missing: ErrorCode = ErrorCode.image_required
    """Told where there are fewer."""
    text_required: bool = True
    """Also beside images."""
    max_alt: int | None = None
    """Characters of the description of an image."""
    max_hashtags: int | None = None
    max_mentions: int | None = None
    max_first_comment: int = 0
    """Characters of a first comment; 0: there is none."""
    link: LinkPlace = LinkPlace.below
    """What becomes of a post's link."""
    card_images: int = 0
    """Beside how many images a link is still a card; of these the first is the card's picture. With more it is as
    `below`."""
    max_pixels: int = 36_000_000
    max_image_bytes: int = 8_000_000
    image_types: tuple[str, ...] = ("image/jpeg", "image/png", "image/gif")
    """What is of another type goes out as JPEG, as what is too large does."""
    min_width: int = 1
    min_ratio: float = 0
    max_ratio: float = math.inf

    @property
    def needs_image(self) -> bool:
        return self.min_images > 0

    def link_place(self, images: int) -> LinkPlace:
        """What becomes of the link of a post with so many images."""
        return LinkPlace.below if self.link in CARDS and images > self.card_images else self.link

    def takes(self, mime: str, pixels: int, size: int) -> bool:
        """Whether an image may go out as it is; `size` in bytes."""
        return mime in self.image_types and pixels <= self.max_pixels and size <= self.max_image_bytes

    def length(self, text: str) -> int:
        """As the network counts it."""
        units = len(text.encode("utf-16-le", "surrogatepass")) // 2
        match self.counting:
            case Counting.code_points:
                return len(text)
            case Counting.utf16:
                return units
            case Counting.larger:
                return max(len(text), units)
            case Counting.weighted:
                assert self.weigh is not None
                return self.weigh(text)


@dataclass(frozen=True)
class ImageFacts:
    """Pixels, and what a person who does not see the image is told."""

    width: int
    height: int
    alt: str = ""


@dataclass(frozen=True)
class PostFacts:
    """All of a post that a network may object to."""

    text: str
    images: Sequence[ImageFacts] = ()
    first_comment: str = ""
    link: Link | None = None


def with_link(text: str, link: Link | None, images: int, limits: ChannelLimits) -> tuple[str, Link | None]:
    """The text as it is sent, and what a card is made of."""
    place = limits.link_place(images)
    return text_with(text, link, place), link if place in CARDS else None


def check(post: PostFacts, limits: ChannelLimits) -> list[FieldError]:
    """The rules that a post breaks on a channel, each at its field; empty when it may go out. Type, bytes and the most
    pixels of an image break none: what is too large goes out smaller (`ChannelLimits.takes`)."""
    problems: list[FieldError] = []
    text, card = with_link(post.text, post.link, len(post.images), limits)
    length = limits.length(text)
    if is_blank(post.text) and (limits.text_required or not post.images):
        problems.append(FieldError("content", ErrorCode.content_empty))
    if length > limits.max_characters:
        problems.append(FieldError("content", ErrorCode.content_too_long, length=length, limit=limits.max_characters))
    for found, most, code in (
        (len(hashtags(text)), limits.max_hashtags, ErrorCode.too_many_hashtags),
        (mentions(text), limits.max_mentions, ErrorCode.too_many_mentions),
    ):
        if most is not None and found > most:
            problems.append(FieldError("content", code, found=found, limit=most))
    if post.first_comment and not limits.max_first_comment:
        problems.append(FieldError("first_comment", ErrorCode.first_comment_unsupported))
    elif (length := limits.length(post.first_comment)) > limits.max_first_comment:
        limit = limits.max_first_comment
        problems.append(FieldError("first_comment", ErrorCode.content_too_long, length=length, limit=limit))
    if card and limits.link is LinkPlace.card and not card.title:
        problems.append(FieldError("link.title", ErrorCode.link_title_missing))
    if len(post.images) < limits.min_images:
        problems.append(FieldError("files", limits.image_missing))
    if len(post.images) > limits.max_images:
        count, limit = len(post.images), limits.max_images
        problems.append(FieldError("files", ErrorCode.too_many_images, found=count, limit=limit))
    for at, image in enumerate(post.images):
        problems += _image_problems(f"files.{at}", image, limits)
    if limits.max_alt is not None:
        problems += too_long_alts([image.alt for image in post.images], limits.max_alt)
    return problems


def too_long_alts(alts: Sequence[str], limit: int) -> list[FieldError]:
    """Return which descriptions of images are longer than a network takes: alt_too_long on `files.<index>.alt`."""
    lengths = [len(normal(alt)) for alt in alts]
    return [
        FieldError(f"files.{at}.alt", ErrorCode.alt_too_long, length=length, limit=limit)
        for at, length in enumerate(lengths)
        if length > limit
    ]


def _image_problems(field: str, image: ImageFacts, limits: ChannelLimits) -> list[FieldError]:
    if image.width < limits.min_width:
        return [FieldError(field, ErrorCode.image_too_small, width=image.width, limit=limits.min_width)]
    ratio = image.width / image.height
    if not limits.min_ratio <= ratio <= limits.max_ratio:
        least, most = round(limits.min_ratio, 2), round(min(limits.max_ratio, 1000), 2)
        return [FieldError(field, ErrorCode.image_ratio_unfit, ratio=round(ratio, 2), least=least, most=most)]
    return []
