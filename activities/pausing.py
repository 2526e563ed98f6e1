"""How long Temporal waits between two attempts of a step."""

from datetime import timedelta

from temporalio import activity


def pause_after(info: activity.Info) -> timedelta | None:
    """After this attempt, unless its error names a time of its own; None where the server does not tell."""
    policy = info.retry_policy
    if policy is None:
        return None
    # far beyond any maximum, and below what a timedelta can hold
    pause: timedelta = policy.initial_interval * policy.backoff_coefficient ** min(info.attempt - 1, 16)
    return min(pause, policy.maximum_interval) if policy.maximum_interval else pause
