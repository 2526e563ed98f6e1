"""A kind of site that this installation serves itself: what is published goes to a shelf of ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from uuid import UUID

from core.networks.base import Image
from core.websites.rules.feeds import FeedText


@dataclass(frozen=True)
class Place:
    """On the shelf, as whoever has the key of it."""

    address: str
    key_hash: str


class Shelf(Protocol):
    """Where the articles of sites are that are served here. Each method raises NeedsReconnect where the key was given
    back or there is no such place, and RetrySafe where it cannot be reached."""

    @property
    def public_url(self) -> str:
        """Of this installation."""

    async def look(self, place: Place) -> None:
        """Whether it would be taken. Changes nothing."""

    async def close(self, place: Place) -> None:
        """By that key nothing is published any more. May be repeated, and of no place it is no error."""

    async def keep_image(self, place: Place, folder: str, image: Image) -> str:
        """Its files, made for readers; the same image of the same folder is the same. Returns what it is called until
        it is published. Raises Refused where it cannot be read."""

    async def publish(self, place: Place, id: UUID, slug: str, text: FeedText) -> str:
        """Shown from now on, once for each id. Returns the slug that it has got. Raises Ambiguous where nobody knows
        whether it is, StagedLost where it was taken down."""

    async def find(self, place: Place, id: UUID) -> tuple[str | None, bool]:
        """(the slug under which it is shown, whether it ever was)."""

    async def change(self, place: Place, id: UUID, text: FeedText) -> str | None:
        """Another text at the same slug, which is returned; None: it is not there."""

    async def take_down(self, place: Place, id: UUID) -> None:
        """With its images. What is gone already is no error."""


@runtime_checkable
class ServedHere(Protocol):
    """A kind of site that is ours."""

    def use(self, shelf: Shelf) -> None:
        """Before anything else is asked of it."""

    def feeds_of(self, address: str) -> Sequence[str]:
        """Where programs read what is published there, as RSS and as JSON Feed."""
