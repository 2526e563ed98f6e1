"""A dry run: what an assistant would post, made as its run would make it and kept nowhere as a post."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.domain.runs import RunSetup, setup_from_json, setup_to_json


@dataclass(frozen=True)
class Sample:
    setup: RunSetup
    slot: datetime
    """The next one, or the moment it was ordered where there is none: for the date that the text may tell."""
    topic_id: UUID
    limit: int
    """Characters that fit all of its channels."""
    written: bool = False
    """Its text is there: an attempt that comes later makes the image alone."""
    cut: bool = False
    """The text was longer; a run would have the model shorten it first."""
    image_reason: str | None = None
    """An ErrorCode: why there is no image."""


def sample_to_json(sample: Sample) -> dict[str, Any]:
    return {
        "setup": setup_to_json(sample.setup),
        "slot": sample.slot.isoformat(),
        "topic_id": str(sample.topic_id),
        "limit": sample.limit,
        "written": sample.written,
        "cut": sample.cut,
        "image_reason": sample.image_reason,
    }


def sample_from_json(stored: dict[str, Any]) -> Sample:
    return Sample(
        setup=setup_from_json(stored["setup"]),
        slot=datetime.fromisoformat(stored["slot"]),
        topic_id=UUID(stored["topic_id"]),
        limit=stored["limit"],
        written=stored["written"],
        cut=stored["cut"],
        image_reason=stored["image_reason"],
    )
