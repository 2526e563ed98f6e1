"""Failures of activities in workflows."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception
from temporalio.exceptions import TimeoutError as StepTimeout

from core.errors import ErrorCode

Result = TypeVar("Result")


LOCAL_STEP_FAILED: Final = (ActivityError, ApplicationError, StepTimeout)
"""What a failed local activity raises: the cause itself, without an `ActivityError` (seen with SDK 1.35.0)."""


def failure_code(error: ActivityError | ApplicationError | StepTimeout) -> str:
    """Return the error code of the failure."""
    cause = error.cause if isinstance(error, ActivityError) else error
    while isinstance(cause, StepTimeout) and cause.cause is not None:
        cause = cause.cause
    if isinstance(cause, ApplicationError) and cause.type in set(ErrorCode):
        return str(cause.type)
    return ErrorCode.internal.value


def failure_or_cancellation(error: ActivityError | asyncio.CancelledError) -> str | None:
    """As `failure_code`; None if the workflow was cancelled."""
    if isinstance(error, asyncio.CancelledError) or is_cancelled_exception(error):
        return None
    return failure_code(error)


async def shielded(step: Coroutine[Any, Any, Result]) -> Result:
    """Run a last activity to its end: a cancellation while it runs is too late to change anything."""
    running = asyncio.create_task(step)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        return await running
