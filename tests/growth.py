"""How the work of a function grows with what it is given: the same answer on a fast, a slow and a busy machine."""

import sys
from collections.abc import Callable
from time import thread_time
from typing import TypeVar

Given = TypeVar("Given")

_TIMES = 8  # as much is given the second time
_MOST = 24  # threefold of what is linear needs, and well below the 64 of what is quadratic
_TRIES = 5
_ROUNDS = 4


def grows_in_step(make: Callable[[int], Given], work: Callable[[Given], object], size: int) -> bool:
    """Return whether eight times as much takes about eight times the processor, and not 64 times.

    `make` gives what `work` gets, of a size: `size` is a quarter of the largest, and half of it is large enough that
    each of its items costs more than the call itself. Only the time of this thread on the processor counts; a
    neighbour that fills the caches for a while only ever adds, so one round of several that grows in step is enough.
    """
    small, large = make(size // 2), make(size // 2 * _TIMES)
    return any(_grows(work, small, large) for _ in range(_ROUNDS))


def calls(work: Callable[[], object]) -> int:
    """The functions that are called on the way, Python's own included: the same number on every machine."""
    called = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal called
        called += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return called


def _needed(work: Callable[[Given], object], given: Given) -> float:
    began = thread_time()
    work(given)
    return thread_time() - began


def _grows(work: Callable[[Given], object], small: Given, large: Given) -> bool:
    least = min(_needed(work, large) for _ in range(_TRIES))
    return least <= _MOST * min(_needed(work, small) for _ in range(_TRIES))
