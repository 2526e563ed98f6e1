"""States of posts and deliveries, and how they are combined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

from core.networks.rules.channels import ChannelKind


class PostStatus(StrEnum):
    """draft → complete → published | failed; failed → complete by a retry."""

    draft = "draft"
    complete = "complete"
    published = "published"
    failed = "failed"


class PostSource(StrEnum):
    assistant = "assistant"
    person = "person"


class DeliveryState(StrEnum):
    pending = "pending"
    publishing = "publishing"
    published = "published"
    retrying = "retrying"
    held = "held"
    """Waits until `held_until` and continues by itself: its account needs reconnecting, its network accepts nothing for
    now, or this server's settings have to be fixed. The error code says which."""
    unknown = "unknown"
    failed = "failed"
    cancelled = "cancelled"


OPEN_DELIVERIES: Final = (
    DeliveryState.pending,
    DeliveryState.publishing,
    DeliveryState.retrying,
    DeliveryState.held,
)
"""Deliveries that are still to be published."""


class RemovalState(StrEnum):
    """State of a requested removal at a network."""

    waiting = "waiting"
    """The network is called, again if it did not answer."""
    removed = "removed"
    failed = "failed"


class RevisionState(StrEnum):
    """State of a requested update of a published article at its site."""

    waiting = "waiting"
    """The site is called, again if it did not answer."""
    failed = "failed"


class CommentState(StrEnum):
    """State of the first comment below a published delivery."""

    waiting = "waiting"
    """It is published, or looked up."""
    published = "published"
    unknown = "unknown"
    """The network could not tell whether it exists."""
    failed = "failed"


WAITS_FOR_PERSON: Final = frozenset({CommentState.unknown, CommentState.failed})
"""States of a first comment."""


class CommentAnswer(StrEnum):
    """A person's answer about a first comment that failed, is unknown or was left to them."""

    there = "there"
    again = "again"
    """It does not exist: publish it again."""


class Removable(StrEnum):
    """Whether a published post can be deleted at its network, and if not, why."""

    yes = "yes"
    not_there = "not_there"
    """Nothing is published there, as far as is known."""
    not_by_api = "not_by_api"
    """The network's API cannot delete."""
    unnamed = "unnamed"
    """Its provider id is unknown, so deleting could hit another post."""
    disconnected = "disconnected"
    """Its account is disconnected."""


@dataclass(frozen=True)
class ComposedFile:
    """A file that a person puts into a post. `title` and `cover_id` as of `PostFile`."""

    media_id: UUID
    alt: str = ""
    title: str = ""
    cover_id: UUID | None = None


@dataclass(frozen=True)
class Variant:
    """A text for one account, or for all accounts of a channel, instead of the post's text."""

    channel: ChannelKind
    account_id: UUID | None
    content: str

    def to_json(self) -> dict[str, Any]:
        account = str(self.account_id) if self.account_id else None
        return {"channel": self.channel.value, "account_id": account, "content": self.content}


def parse_variants(stored: Iterable[dict[str, Any]]) -> tuple[Variant, ...]:
    """Read what `Variant.to_json` wrote."""
    return tuple(
        Variant(
            ChannelKind(row["channel"]), UUID(row["account_id"]) if row["account_id"] else None, str(row["content"])
        )
        for row in stored
    )


def variant_index(variants: Sequence[Variant], kind: ChannelKind, account_id: UUID) -> int | None:
    """Return the index of the account's variant: its own before its channel's. None: the post's text."""
    places = {(variant.channel, variant.account_id): at for at, variant in enumerate(variants)}
    return places.get((kind, account_id), places.get((kind, None)))


FINAL = frozenset({DeliveryState.published, DeliveryState.failed, DeliveryState.cancelled})


def status_of(states: Sequence[DeliveryState]) -> PostStatus:
    """Return the status of a post from its deliveries' states.

    An unknown delivery keeps it complete until a person has decided. One final failure makes it failed; published
    deliveries stay published.
    """
    counted = [state for state in states if state is not DeliveryState.cancelled]
    if not counted:
        return PostStatus.draft
    if any(state not in FINAL for state in counted):
        return PostStatus.complete
    if all(state is DeliveryState.published for state in counted):
        return PostStatus.published
    return PostStatus.failed


class DeliveryTimes(Protocol):
    """The times of one delivery."""

    @property
    def state(self) -> DeliveryState: ...
    @property
    def called_at(self) -> datetime | None: ...
    @property
    def settled_at(self) -> datetime | None: ...


def published_at(deliveries: Iterable[DeliveryTimes]) -> datetime | None:
    """Return when the last of them was published: the time of its call, since its proof may have come much later. None
    if nothing was published."""
    moments = [
        moment
        for delivery in deliveries
        if delivery.state is DeliveryState.published and (moment := delivery.called_at or delivery.settled_at)
    ]
    return max(moments, default=None)
