"""What a post would be, made as a run would make it and kept nowhere as a post: an assistant's dry run, or what a
template writes or draws for somebody who composes one."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from core.runs.rules.runs import RunSetup, setup_from_json, setup_to_json


@dataclass(frozen=True)
class Sample:
    setup: RunSetup
    slot: datetime
    """The next one, or the moment it was ordered where there is none: for the date that the text may tell."""
    topic_id: UUID | None
    """None where a person has said it in words, or has none."""
    limit: int
    """Characters that fit all of its channels."""
    written: bool = False
    """Its text is there: an attempt that comes later makes the image alone."""
    facts: dict[str, Any] = field(default_factory=dict)
    """How it came to its text, as the text step of a run tells it."""
    image_reason: str | None = None
    """An ErrorCode: why there is no image."""


def sample_to_json(sample: Sample) -> dict[str, Any]:
    return {
        "setup": setup_to_json(sample.setup),
        "slot": sample.slot.isoformat(),
        "topic_id": str(sample.topic_id) if sample.topic_id else None,
        "limit": sample.limit,
        "written": sample.written,
        "facts": sample.facts,
        "image_reason": sample.image_reason,
    }


def sample_from_json(stored: dict[str, Any]) -> Sample:
    return Sample(
        setup=setup_from_json(stored["setup"]),
        slot=datetime.fromisoformat(stored["slot"]),
        topic_id=UUID(stored["topic_id"]) if stored["topic_id"] else None,
        limit=stored["limit"],
        written=stored["written"],
        facts=stored.get("facts", {}),  # of before it was kept
        image_reason=stored["image_reason"],
    )
