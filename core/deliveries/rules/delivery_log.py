"""What is kept of each step of a delivery for the person whose post it is: what was asked of the network, what came
back, and what was made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class DeliveryStep(StrEnum):
    stage = "stage"
    """What publishes nothing: uploads, containers."""
    ready = "ready"
    """Whether what was staged may be used."""
    publish = "publish"
    look_up = "look_up"
    """What an earlier call has done whose answer never came."""
    comment = "comment"
    look_up_comment = "look_up_comment"
    remove = "remove"
    revise = "revise"
    """What was changed of an article after it went out."""


class DeliveryDecision(StrEnum):
    done = "done"
    again = "again"
    """It had no effect, and is tried once more."""
    look_up = "look_up"
    """It may have worked: the network is asked before anything else."""
    absent = "absent"
    """There is proof that an earlier call had no effect: it may be made once more."""
    unknown = "unknown"
    """The network cannot tell: a person decides."""
    held = "held"
    failed = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a delivery. `attempt`: 0 before the first. `exchanges`: as `core.outgoing.exchanges` makes them."""

    user_id: UUID
    delivery_id: UUID
    at: datetime
    attempt: int
    step: DeliveryStep
    decision: DeliveryDecision
    error_code: str | None
    exchanges: Sequence[dict[str, Any]]
