"""Selection of an assistant's next own image."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from core.assistants.rules.assistants import ImageOrder

MAX_OWN_IMAGES = 100


@dataclass(frozen=True)
class OwnImage:
    media_id: UUID
    round: int = 0
    """The last round that used it; 0: not used yet."""
    used_at: datetime | None = None


@dataclass(frozen=True)
class PickedImage:
    media_id: UUID
    round: int


def pick_image(images: Sequence[OwnImage], order: ImageOrder, seed: str) -> PickedImage:
    """Return the next image. In a round each image is used once, in the order of `images` or as drawn by the seed; a
    new image joins the current round. No round begins with the last image of the previous one. Deterministic.

    Raises ValueError without images.
    """
    if not images:
        raise ValueError("no images")
    number = max(image.round for image in images)
    free = [image for image in images if image.round < number]
    if not free:
        number += 1
        used = [image for image in images if image.used_at is not None]
        latest = max(used, key=lambda image: (image.used_at, image.media_id)) if used else None
        free = [image for image in images if len(images) == 1 or image is not latest]
    index = 0
    if order is ImageOrder.random:
        # a hash instead of `random`, which may differ between versions of Python
        index = int.from_bytes(sha256(seed.encode()).digest()) % len(free)
    return PickedImage(free[index].media_id, number)
