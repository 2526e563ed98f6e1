"""What a try-out and a round of suggestions share: a step that asks a model, and one that ends a row without output."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from temporalio import workflow
from temporalio.exceptions import ActivityError

from workflows.failures import failure_or_cancellation, shielded


class Over(Protocol):
    @property
    def state(self) -> str:
        """A `GenerationState`, or `gone` with what it was for."""


Step = Coroutine[Any, Any, Over]


async def generate(step: Step, end: Callable[[str | None], Step]) -> tuple[str, str]:
    """(state, reason) for succeeded, failed and cancelled alike: a workflow fails only on defects. `end` gets the code
    that the step failed with, or None where somebody has cancelled it."""
    workflow.set_current_details("**asking the model**")
    reason = None
    try:
        over = await step
    except (ActivityError, asyncio.CancelledError) as error:  # the latter before the step was begun
        reason = failure_or_cancellation(error)
        over = await shielded(end(reason))
    workflow.set_current_details(f"**{over.state}**" + (f": {reason}" if reason else ""))
    return over.state, reason or ""
