"""States of model calls outside of a run: a try-out of a template, a round of suggested topics."""

from enum import StrEnum


class GenerationState(StrEnum):
    """Waiting for a worker, running, or ended."""

    queued = "queued"
    running = "running"
    succeeded = "succeeded"
    failed = "failed"
    cancelled = "cancelled"


OPEN_GENERATIONS = (GenerationState.queued, GenerationState.running)
