"""Errors that mean that Temporal is away for now."""

from collections.abc import Awaitable
from typing import Final

from temporalio.service import RPCError, RPCStatusCode

AWAY: Final = frozenset(
    {
        RPCStatusCode.CANCELLED,
        RPCStatusCode.DEADLINE_EXCEEDED,
        RPCStatusCode.UNAVAILABLE,
        RPCStatusCode.RESOURCE_EXHAUSTED,
    }
)
"""Temporal or its worker is away: the reconcile repeats the message."""
LATER: Final = AWAY | {
    RPCStatusCode.FAILED_PRECONDITION,
    RPCStatusCode.ABORTED,
    RPCStatusCode.INTERNAL,
    RPCStatusCode.NOT_FOUND,
    RPCStatusCode.UNKNOWN,
}
"""Errors after which a committed change takes effect later."""


async def has_reached(message: Awaitable[object]) -> bool:
    """Return False if Temporal is away: the committed change takes effect later."""
    try:
        await message
    except (TimeoutError, RuntimeError):
        return False
    except RPCError as error:
        if error.status not in LATER:
            raise
        return False
    return True
