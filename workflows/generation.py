"""Shared by try-outs and suggestions: one activity that calls a model, and one that ends the row without output."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from temporalio import workflow
from temporalio.exceptions import ActivityError

from workflows.failures import failure_or_cancellation, shielded


class GenerationOutcome(Protocol):
    @property
    def state(self) -> str:
        """A `GenerationState`, or `gone` with its row."""


Step = Coroutine[Any, Any, GenerationOutcome]


async def generate(step: Step, end: Callable[[str | None], Step]) -> tuple[str, str]:
    """Return (state, reason) for succeeded, failed and cancelled alike: the workflow fails only on defects. `end` gets
    the error code of the step, or None if it was cancelled."""
    workflow.set_current_details("**waiting for the model**")
    reason = None
    try:
        over = await step
    except (ActivityError, asyncio.CancelledError) as error:  # CancelledError if the step has not started
        reason = failure_or_cancellation(error)
        over = await shielded(end(reason))
    workflow.set_current_details(f"**{over.state}**" + (f": {reason}" if reason else ""))
    return over.state, reason or ""
