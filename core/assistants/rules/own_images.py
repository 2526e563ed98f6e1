"""Which of an assistant's own images comes next."""

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
    """The last one in which it was used; 0: not yet."""
    used_at: datetime | None = None


@dataclass(frozen=True)
class PickedImage:
    media_id: UUID
    round: int


def pick_image(images: Sequence[OwnImage], order: ImageOrder, seed: str) -> PickedImage:
    """In a round each comes once, in the order of `images` or as the seed has it; one that is new joins the round under
    way. No round begins with what the one before it ended with. The same arguments always give the same image.

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
        # from a hash, not `random`: it has to stay the same with every version of Python
        index = int.from_bytes(sha256(seed.encode()).digest()) % len(free)
    return PickedImage(free[index].media_id, number)
