"""How long before their time deliveries are armed, where many are due at once."""

from datetime import datetime, timedelta
from typing import Final

ARMED_PER_SECOND: Final = 8
"""At more than that, arming takes the processor time that the deliveries need at their slot (`docs/benchmarks.md`)."""
LONGEST_SPREAD: Final = 120
"""Seconds: an armed post can no longer be changed, and takes a slot of its worker until it is published."""
MOST_COUNTED: Final = ARMED_PER_SECOND * LONGEST_SPREAD


def needed_spread(due: int) -> int:
    """Return over how many seconds as many deliveries are armed as are `due` at one time."""
    return min(due // ARMED_PER_SECOND, LONGEST_SPREAD)


def minute_around(moment: datetime) -> tuple[datetime, datetime]:
    """Return begin and end of the time in which deliveries are due together with one at `moment`."""
    return moment - timedelta(seconds=30), moment + timedelta(seconds=30)
