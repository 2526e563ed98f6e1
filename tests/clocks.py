"""Clocks for `core.clock.told_by`."""

from collections.abc import Callable
from datetime import datetime


def standing_at(moment: datetime) -> Callable[[], datetime]:
    """It is always that moment."""
    return lambda: moment
