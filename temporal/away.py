"""Which failures of a call say that Temporal is away for now."""

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
"""What says that Temporal is away, or its worker: the reconcile brings it later."""
LATER: Final = AWAY | {
    RPCStatusCode.FAILED_PRECONDITION,
    RPCStatusCode.ABORTED,
    RPCStatusCode.INTERNAL,
    RPCStatusCode.NOT_FOUND,
    RPCStatusCode.UNKNOWN,
}
"""Whoever has committed is told that it takes effect later, whatever kept Temporal from taking it over now."""
