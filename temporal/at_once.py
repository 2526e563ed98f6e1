"""Many calls to the server at the same time, but not all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

AT_ONCE: Final = 20
"""Calls in progress at the same time. Most of a call is waiting for the server's disk: one by one, a round of restarts
managed twelve a second."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


async def run_at_once(
    call: Callable[[Item], Awaitable[Answer]], items: Iterable[Item], *, at_once: int = AT_ONCE
) -> list[Answer]:
    """Call for each item, at most `at_once` at the same time. Return the answers in the order of the items. The first
    error cancels the other calls and is raised."""
    turns = asyncio.Semaphore(at_once)

    async def run(item: Item) -> Answer:
        async with turns:
            return await call(item)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(item)) for item in items]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
