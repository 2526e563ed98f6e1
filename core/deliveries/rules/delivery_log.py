"""The log of a delivery's steps that its user sees: the exchange with the network and the decision after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class DeliveryStep(StrEnum):
    stage = "stage"
    """Uploads and containers, which publish nothing."""
    ready = "ready"
    """Checks whether the staged content may be used."""
    publish = "publish"
    look_up = "look_up"
    """Asks what an earlier call without an answer has done."""
    comment = "comment"
    look_up_comment = "look_up_comment"
    remove = "remove"
    revise = "revise"
    """Updates a published article at its site."""


class DeliveryDecision(StrEnum):
    done = "done"
    again = "again"
    """No effect; retried."""
    look_up = "look_up"
    """It may have worked; the network is asked next."""
    absent = "absent"
    """An earlier call provably had no effect, so it may be repeated."""
    unknown = "unknown"
    """The network cannot tell; a person decides."""
    held = "held"
    failed = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a delivery. `attempt` is 0 before the first; `exchanges` as in `core.outgoing.exchanges`."""

    user_id: UUID
    delivery_id: UUID
    at: datetime
    attempt: int
    step: DeliveryStep
    decision: DeliveryDecision
    error_code: str | None
    exchanges: Sequence[dict[str, Any]]
