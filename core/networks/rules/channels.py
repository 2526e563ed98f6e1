"""The networks and kinds of site, and what each requires of a post."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from core.errors import ErrorCode, FieldError
from core.media.rules.media import MediaKind
from core.networks.rules.files import (
    DocumentLimits,
    FileFacts,
    VideoLimits,
    document_problems,
    file_set_problems,
    sent_places,
    unsent_problems,
    video_problems,
)
from core.networks.rules.links import CARDS, Link, LinkPlace, text_with
from core.texts.rules.endings import hashtags, mentions
from core.texts.rules.mentions import named_mentions
from core.texts.rules.texts import is_blank, normal


class ChannelKind(StrEnum):
    """The networks and kinds of site; each has a module of its name in `core/networks/`. CONTRIBUTING.md, "Add a
    network", lists what else a new one needs."""

    linkedin = "linkedin"
    linkedin_pages = "linkedin_pages"
    facebook = "facebook"
    instagram = "instagram"
    threads = "threads"
    mastodon = "mastodon"
    bluesky = "bluesky"
    wordpress = "wordpress"
    ghost = "ghost"
    webhook = "webhook"
    hosted_feed = "hosted_feed"

    @property
    def is_site(self) -> bool:
        """A website of its owner that shows articles. It is not offered as a social network."""
        return self in _SITES


_SITES: Final = frozenset({ChannelKind.wordpress, ChannelKind.ghost, ChannelKind.webhook, ChannelKind.hosted_feed})
NETWORKS: Final = tuple(kind for kind in ChannelKind if not kind.is_site)
"""The social networks, in display order."""


class AccountType(StrEnum):
    person = "person"
    organisation = "organisation"


class AccountState(StrEnum):
    connected = "connected"
    needs_reconnecting = "needs_reconnecting"


def called(kind: ChannelKind, name: str, site_name: str | None, base_url: str) -> str:
    """Return the name of a delivery's target: a website by its name, a removed website (`site_name` None) by its
    address, since readers do not know the name with which one signs in there."""
    return (site_name or base_url.partition("://")[2] or name) if kind.is_site else name


class GivenBack(StrEnum):
    """The outcome of revoking access that is no longer needed."""

    revoked = "revoked"
    waiting = "waiting"
    """The network does not answer; the call is retried."""
    refused = "refused"
    """The network did not revoke it; the person can, in the network's settings. Deleted here anyway."""
    shared = "shared"
    """Another account of the person uses the same grant."""


class FieldKind(StrEnum):
    """How a form field is entered."""

    text = "text"
    url = "url"
    password = "password"
    new_secret = "new_secret"
    """Generated anew each time the form is shown, and shown only there; another value may be typed instead."""


class FieldName(StrEnum):
    """The fields of a connect form. The web app has a label and a help text for each."""

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
    """The initial value."""


def known_of(fields: Sequence[FormField], base_url: str, handle: str, site_name: str = "") -> dict[FieldName, str]:
    """Return the known values for reconnecting an account; never secrets."""
    server = base_url.removeprefix("https://")
    values = {
        FieldName.server: server,
        FieldName.host: server,
        FieldName.handle: handle,
        FieldName.site: server,
        FieldName.username: handle,
        FieldName.endpoint: base_url,
        FieldName.site_name: site_name,
        FieldName.address: handle,
    }
    return {field.name: values[field.name] for field in fields if values.get(field.name)}


class CheckPoint(StrEnum):
    """What is checked about an account, at its network and here."""

    access = "access"
    permissions = "permissions"
    role = "role"
    quota = "quota"
    media = "media"
    """Whether the network can fetch images from this installation."""
    clock = "clock"
    """The clock by which a site dates its articles, and the time zone in which it shows them."""


class CheckResult(StrEnum):
    fine = "fine"
    broken = "broken"
    unsure = "unsure"
    """It could not be found out now, or from here."""


class Counting(StrEnum):
    """How a network counts a text."""

    code_points = "code_points"
    utf16 = "utf16"
    larger = "larger"
    """The larger of both, if the network does not say which it uses."""
    weighted = "weighted"
    """By the network's own rules, such as for links: only the server counts it."""


@dataclass(frozen=True)
class ChannelLimits:
    """What a network accepts. Sizes in bytes and pixels; ratios are width by height."""

    max_characters: int
    max_images: int
    counting: Counting = Counting.larger
    weigh: Callable[[str], int] | None = None
    """Return the length of a text, for `weighted`."""
    min_images: int = 0
    image_missing: ErrorCode = ErrorCode.image_required
    """The error if there are fewer images."""
    text_required: bool = True
    """Also for posts with images."""
    max_alt: int | None = None
    """Maximum characters of an image's description."""
    max_hashtags: int | None = None
    max_mentions: int | None = None
    max_first_comment: int = 0
    """Maximum characters of a first comment; 0: not supported, or not allowed for the account."""
    urn_mentions: bool = False
    """A mention is written with a URN (`core.texts.rules.mentions`). Elsewhere only its name is shown."""
    link: LinkPlace = LinkPlace.below
    """How a post's link is shown."""
    card_images: int = 0
    """Maximum images with which a link is still a card; the first image is the card's picture. With more it is shown as
    `below`."""
    max_pixels: int = 36_000_000
    max_image_bytes: int = 8_000_000
    image_types: tuple[str, ...] = ("image/jpeg", "image/png", "image/gif")
    """Images of other types, and too large images, are sent as JPEG."""
    min_width: int = 1
    min_ratio: float = 0
    max_ratio: float = math.inf
    document: DocumentLimits | None = None
    """Of a PDF that the network shows instead of images; None: it takes none."""
    video: VideoLimits | None = None
    """None: the network takes no videos from here."""

    @property
    def needs_image(self) -> bool:
        return self.min_images > 0

    def link_place(self, images: int) -> LinkPlace:
        """Return how the link of a post with this many images is shown."""
        return LinkPlace.below if self.link in CARDS and images > self.card_images else self.link

    def sent_places(self, files: Sequence[FileFacts]) -> tuple[int, ...]:
        """Return the places of the files that the network gets, in order."""
        return sent_places(files, self.max_images, self.document, self.video)

    def card_files(self, files: Sequence[FileFacts]) -> int:
        """Return with how many images a post's link is sent. A document or a video leaves no room for a card."""
        sent = [files[at] for at in self.sent_places(files)]
        return len(sent) if all(file.kind is MediaKind.image for file in sent) else self.card_images + 1

    def takes(self, mime: str, pixels: int, size: int) -> bool:
        """Return whether an image may be sent unchanged; `size` in bytes."""
        return mime in self.image_types and pixels <= self.max_pixels and size <= self.max_image_bytes

    def length(self, text: str) -> int:
        """Return the length as the network counts it."""
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
class PostContent:
    """What a post says, without its images. Each field is also a column of posts and a field of the API.
    CONTRIBUTING.md, "Add a field to a post", lists what a new one needs."""

    content: str = ""
    _: KW_ONLY
    first_comment: str = ""
    """Published below the post where the network supports it."""
    link: Link | None = None

    def to_columns(self) -> dict[str, Any]:
        """Return the values of the columns of a post's row."""
        return content_fields(self) | {"link": self.link.to_json() if self.link else None}


def content_fields(source: object) -> dict[str, Any]:
    """Return the values of `PostContent`'s fields. `source`: a `PostContent`, a post's row or a request."""
    return {field.name: getattr(source, field.name) for field in fields(PostContent)}


@dataclass(frozen=True)
class PostFacts(PostContent):
    """All properties of a post that a network may refuse; its files in order."""

    files: Sequence[FileFacts] = ()


Content = TypeVar("Content", bound=PostContent)


def shown_content(content: Content, limits: ChannelLimits) -> Content:
    """Return what a network shows of it. A field that it leaves out must be emptied here: whatever is shown is part of
    `own_hash`, and a change of it stages the post again."""
    return replace(
        content,
        first_comment=content.first_comment if limits.max_first_comment else "",
        link=None if limits.link is LinkPlace.left_out else content.link,
    )


def with_link(text: str, link: Link | None, images: int, limits: ChannelLimits) -> tuple[str, Link | None]:
    """Return the text as it is sent, and the link for a card."""
    place = limits.link_place(images)
    sent = text if limits.urn_mentions else named_mentions(text)
    return text_with(sent, link, place), link if place in CARDS else None


def check(post: PostFacts, limits: ChannelLimits) -> list[FieldError]:
    """Return the rules that a post breaks on a channel, each with its field; empty if it may be sent. Image type, bytes
    and maximum pixels are not checked: too large images are converted (`ChannelLimits.takes`)."""
    problems: list[FieldError] = []
    sent = limits.sent_places(post.files)
    text, card = with_link(post.content, post.link, limits.card_files(post.files), limits)
    length = limits.length(text)
    if is_blank(post.content) and (limits.text_required or not sent):
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
    return problems + _file_problems(post.files, sent, limits)


def _file_problems(files: Sequence[FileFacts], sent: Sequence[int], limits: ChannelLimits) -> list[FieldError]:
    problems = file_set_problems(files) + unsent_problems(files, sent)
    if len(sent) < limits.min_images:
        problems.append(FieldError("files", limits.image_missing))
    images = [at for at in sent if files[at].kind is MediaKind.image]
    if len(images) > limits.max_images:
        problems.append(FieldError("files", ErrorCode.too_many_images, found=len(images), limit=limits.max_images))
    for at in sent:
        field, file = f"files.{at}", files[at]
        if file.kind is MediaKind.image:
            problems += _image_problems(field, file, limits)
        elif file.kind is MediaKind.document and limits.document:
            problems += document_problems(field, file, limits.document)
        elif file.kind is MediaKind.video and limits.video:
            problems += video_problems(field, file, limits.video)
    if limits.max_alt is not None:
        problems += too_long_alts({at: files[at].alt for at in sent}, limits.max_alt)
    return problems


def too_long_alts(alts: Mapping[int, str], limit: int) -> list[FieldError]:
    """Return alt_too_long on `files.<place>.alt` for each description longer than `limit`, by its place."""
    lengths = {at: len(normal(alt)) for at, alt in alts.items()}
    return [
        FieldError(f"files.{at}.alt", ErrorCode.alt_too_long, length=length, limit=limit)
        for at, length in lengths.items()
        if length > limit
    ]


def _image_problems(field: str, image: FileFacts, limits: ChannelLimits) -> list[FieldError]:
    if image.width < limits.min_width:
        return [FieldError(field, ErrorCode.image_too_small, width=image.width, limit=limits.min_width)]
    ratio = image.width / image.height
    if not limits.min_ratio <= ratio <= limits.max_ratio:
        least, most = round(limits.min_ratio, 2), round(min(limits.max_ratio, 1000), 2)
        return [FieldError(field, ErrorCode.image_ratio_unfit, ratio=round(ratio, 2), least=least, most=most)]
    return []
