"""Time-ordered identifiers."""

import secrets
import time
from datetime import datetime
from uuid import UUID, uuid5

_RUNS = UUID("6f0d5e1a-5d0e-5a53-9f0c-0d3b7d9a4c11")


def new_id() -> UUID:
    """Return a UUID of version 7 (RFC 9562): rows sort by the millisecond of creation."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (2**48 - 1)) << 80
    value |= 0x7 << 76
    value |= secrets.randbits(12) << 64
    value |= 0b10 << 62
    value |= secrets.randbits(62)
    return UUID(int=value)


def run_workflow(assistant_id: UUID, slot: datetime) -> str:
    """The slot (UTC, whole minutes) makes the id unique: a slot can never run twice."""
    return f"run-{assistant_id}-{slot:%Y%m%dT%H%MZ}"


def run_now_workflow(assistant_id: UUID, request_id: UUID) -> str:
    """The workflow id of a run that a person asked for: the same request id gives the same run."""
    return f"run-{assistant_id}-now-{request_id}"


def run_id(workflow_id: str) -> UUID:
    """Return the id of a run's row, derived from its workflow id: a repeated start finds the same row."""
    return uuid5(_RUNS, workflow_id)
