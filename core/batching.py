"""Combine work that arrives at the same moment."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Batcher(Generic[Item, Answer]):
    """Items that arrive while a batch is processed form the next batch. At a full hour hundreds are due at once:
    one statement and commit for each would delay the last of them.

    If a batch fails, all its items raise the same error; each may then be repeated.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]]) -> None:
        """`work` returns one answer per item, in the order of the items; its error is raised for all of them."""
        self._work = work
        self._waiting: list[tuple[Item, asyncio.Future[Answer]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def do(self, item: Item) -> Answer:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await future

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                answered = list(zip(batch, await self._work([item for item, _ in batch]), strict=True))
            except Exception as error:  # noqa: BLE001 - passed to all waiting items, which would wait forever otherwise
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), answer in answered:
                if not future.done():
                    future.set_result(answer)
