"""Clocks for `core.clock.use_clock`."""

from collections.abc import Callable
from datetime import datetime


def frozen_clock(moment: datetime) -> Callable[[], datetime]:
    """Return a clock that always returns that moment."""
    return lambda: moment
