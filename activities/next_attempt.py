"""The pause before Temporal's next attempt."""

from datetime import timedelta

from temporalio import activity


def pause_after(info: activity.Info) -> timedelta | None:
    """Return the pause after this attempt, unless its error names one; None if the server does not report the retry
    policy."""
    policy = info.retry_policy
    if policy is None:
        return None
    # the exponent exceeds any maximum, and stays below what a timedelta can hold
    pause: timedelta = policy.initial_interval * policy.backoff_coefficient ** min(info.attempt - 1, 16)
    return min(pause, policy.maximum_interval) if policy.maximum_interval else pause
