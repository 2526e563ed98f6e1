"""Errors that mean that Temporal is away for now."""

from typing import Final

from temporalio.service import RPCStatusCode

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
