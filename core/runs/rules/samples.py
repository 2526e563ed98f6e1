"""A sample of a post, made like a run's but not saved as a post: an assistant's dry run, or a template tried while
composing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.runs.rules.runs import RunSetup, setup_from_json, setup_to_json
from core.texts.rules.review import ReviewNote, parse_review


@dataclass(frozen=True)
class Sample:
    setup: RunSetup
    slot: datetime
    """The next slot, or the time of the request if there is none: the date in the text."""
    topic_id: UUID | None
    """None if a person typed the topic, or there is none."""
    limit: int
    """The most characters of the one text for all networks, with its ending: of a dry run, on the network with the most
    room; of a post that a person composes, on the one with the least."""
    written: bool = False
    """Whether the text is finished: a later attempt makes only the image."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Facts about how the text was made, as in a run's text step."""
    image_reason: str | None = None
    """An ErrorCode: why there is no image."""
    networks: tuple[NetworkRoom, ...] = ()
    """The networks of its accounts, in display order."""
    totals: Mapping[ChannelKind, int] = field(default_factory=dict)
    """The most characters on each of them, with the ending. Missing in older rows."""
    shared: bool = True
    """One text for all networks."""
    texts: Mapping[ChannelKind, str] = field(default_factory=dict)
    """The finished text of each network. Empty for one text, which is the try-out's output."""
    notes: tuple[ReviewNote, ...] = ()
    """What the second look finds in the texts. Missing in older rows."""


def sample_to_json(sample: Sample) -> dict[str, Any]:
    return {
        "setup": setup_to_json(sample.setup),
        "slot": sample.slot.isoformat(),
        "topic_id": str(sample.topic_id) if sample.topic_id else None,
        "limit": sample.limit,
        "written": sample.written,
        "facts": sample.facts,
        "image_reason": sample.image_reason,
        "networks": [[room.kind.value, room.limit] for room in sample.networks],
        "totals": [[kind.value, total] for kind, total in sample.totals.items()],
        "shared": sample.shared,
        "texts": [[kind.value, text] for kind, text in sample.texts.items()],
        "notes": [note.to_json() for note in sample.notes],
    }


def sample_from_json(stored: dict[str, Any]) -> Sample:
    return Sample(
        setup=setup_from_json(stored["setup"]),
        slot=datetime.fromisoformat(stored["slot"]),
        topic_id=UUID(stored["topic_id"]) if stored["topic_id"] else None,
        limit=stored["limit"],
        written=stored["written"],
        facts=stored.get("facts", {}),  # missing in older rows
        image_reason=stored["image_reason"],
        networks=tuple(NetworkRoom(ChannelKind(kind), limit) for kind, limit in stored.get("networks", ())),
        totals={ChannelKind(kind): total for kind, total in stored.get("totals", ())},
        shared=stored.get("shared", True),
        texts={ChannelKind(kind): text for kind, text in stored.get("texts", ())},
        notes=parse_review(stored.get("notes", ())),
    )
