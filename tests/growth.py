"""How a function's work grows with its input: the same result on fast, slow and busy machines."""

import sys
from collections.abc import Callable
from time import thread_time
from typing import TypeVar

Given = TypeVar("Given")

_TIMES = 8  # size of the second input relative to the first
_MOST = 24  # three times the 8 of linear work, and well below the 64 of quadratic work
_TRIES = 5
_ROUNDS = 4


def grows_in_step(make: Callable[[int], Given], work: Callable[[Given], object], size: int) -> bool:
    """Return whether eight times the input takes about eight times the CPU time, and not 64 times.

    `make` returns the input of `work` for a size. `size` is a quarter of the larger input; half of it must be large
    enough that the items cost more than the call. Only this thread's CPU time counts. Other processes can only add
    time (cache misses), so one round of several that grows in step is enough.
    """
    small, large = make(size // 2), make(size // 2 * _TIMES)
    return any(_grows(work, small, large) for _ in range(_ROUNDS))


def calls(work: Callable[[], object]) -> int:
    """Return how many functions `work` calls, built-in ones included: the same number on every machine."""
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
    most = _MOST * min(_needed(work, small) for _ in range(_TRIES))
    return any(_needed(work, large) <= most for _ in range(_TRIES))
