"""What a post can be, and what its deliveries add up to."""

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
    """It waits until `held_until`, and goes on by itself: its account needs reconnecting, its network takes nothing for
    now, or this server's settings have to be mended. The error code says which."""
    unknown = "unknown"
    failed = "failed"
    cancelled = "cancelled"


OPEN_DELIVERIES: Final = (
    DeliveryState.pending,
    DeliveryState.publishing,
    DeliveryState.retrying,
    DeliveryState.held,
)
"""Of deliveries that are still to go out."""


class RemovalState(StrEnum):
    """What has become of a delivery that somebody wants deleted at its network."""

    waiting = "waiting"
    """The network is asked, once more where it did not answer."""
    removed = "removed"
    failed = "failed"


class RevisionState(StrEnum):
    """What has become of the changes of a published article that its author wants at its site."""

    waiting = "waiting"
    """The site is asked, once more where it did not answer."""
    failed = "failed"


class CommentState(StrEnum):
    """What has become of the first comment below a delivery that went out."""

    waiting = "waiting"
    """It is put there, or the network is asked whether it is."""
    published = "published"
    unknown = "unknown"
    """The network could not tell whether it is there."""
    failed = "failed"


WAITS_FOR_PERSON: Final = frozenset({CommentState.unknown, CommentState.failed})
"""Of a first comment."""


class CommentAnswer(StrEnum):
    """What a person says of a first comment that has failed, or of which nobody knows whether it is there."""

    there = "there"
    again = "again"
    """It is not there: once more."""


class Removable(StrEnum):
    """Whether a network can be asked to delete what was published there, and if not, why."""

    yes = "yes"
    not_there = "not_there"
    """Nothing of it is, as far as we know."""
    not_by_api = "not_by_api"
    """The network has no way to."""
    unnamed = "unnamed"
    """The network never said under which id: nothing is deleted that may be somebody's else."""
    disconnected = "disconnected"
    """Its account is not connected any more."""


@dataclass(frozen=True)
class Variant:
    """A text that one account, or without one all accounts of a channel, get instead of the post's own."""

    channel: ChannelKind
    account_id: UUID | None
    content: str

    def to_json(self) -> dict[str, Any]:
        account = str(self.account_id) if self.account_id else None
        return {"channel": self.channel.value, "account_id": account, "content": self.content}


def variants_of(stored: Iterable[dict[str, Any]]) -> tuple[Variant, ...]:
    """From what `Variant.to_json` wrote."""
    return tuple(
        Variant(
            ChannelKind(one["channel"]), UUID(one["account_id"]) if one["account_id"] else None, str(one["content"])
        )
        for one in stored
    )


def variant_for(variants: Sequence[Variant], kind: ChannelKind, account_id: UUID) -> int | None:
    """Which of them an account gets: its own before its channel's. None: the post's own text."""
    places = {(one.channel, one.account_id): at for at, one in enumerate(variants)}
    return places.get((kind, account_id), places.get((kind, None)))


FINAL = frozenset({DeliveryState.published, DeliveryState.failed, DeliveryState.cancelled})


def status_of(states: Sequence[DeliveryState]) -> PostStatus:
    """The status a post has once its deliveries are under way.

    An unknown delivery keeps it complete until a person has decided; one final failure makes it failed, and what
    went out stays out.
    """
    counted = [state for state in states if state is not DeliveryState.cancelled]
    if not counted:
        return PostStatus.draft
    if any(state not in FINAL for state in counted):
        return PostStatus.complete
    if all(state is DeliveryState.published for state in counted):
        return PostStatus.published
    return PostStatus.failed


class Delivered(Protocol):
    """What the ledger says of one delivery."""

    @property
    def state(self) -> DeliveryState: ...
    @property
    def called_at(self) -> datetime | None: ...
    @property
    def settled_at(self) -> datetime | None: ...


def published_at(deliveries: Iterable[Delivered]) -> datetime | None:
    """When the last of them went out: its publishing call, since the proof of it may have come much later (a lost
    answer, a person who looked). None where nothing went out."""
    moments = [
        moment
        for one in deliveries
        if one.state is DeliveryState.published and (moment := one.called_at or one.settled_at)
    ]
    return max(moments, default=None)
