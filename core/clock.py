"""The clock of this process: the one door through which rows and services ask what time it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def _of_the_machine() -> datetime:
    return datetime.now(UTC)


_now: Callable[[], datetime] = _of_the_machine


def utcnow() -> datetime:
    return _now()


@contextmanager
def told_by(clock: Callable[[], datetime]) -> Iterator[None]:
    """By another clock for as long as the block lasts: that of a server on which days pass in seconds."""
    global _now
    before, _now = _now, clock
    try:
        yield
    finally:
        _now = before
