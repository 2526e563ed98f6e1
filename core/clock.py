"""The clock of this process: rows and services read the time only here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def _of_the_machine() -> datetime:
    return datetime.now(UTC)


_now: Callable[[], datetime] = _of_the_machine


def utcnow() -> datetime:
    return _now()


@contextmanager
def use_clock(clock: Callable[[], datetime]) -> Iterator[None]:
    """Use another clock inside the block, for example that of a server on which days pass in seconds."""
    global _now
    before, _now = _now, clock
    try:
        yield
    finally:
        _now = before
