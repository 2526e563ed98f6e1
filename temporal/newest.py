"""Debounce messages to one workflow: send only the newest."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass
class _Pending(Generic[Item, Answer]):
    version: int
    item: Item
    waiting: list[asyncio.Future[Answer]] = field(default_factory=list)


class Debouncer(Generic[Item, Answer]):
    """Sends the first message of a key at once, then at most one per `pause` seconds. All messages submitted meanwhile
    get the answer of their newest version. Each message costs a workflow events, and an edited form saves with every
    field.

    Errors of `tell` are raised for all messages that waited for it.
    """

    def __init__(self, tell: Callable[[Item], Awaitable[Answer]], *, pause: float) -> None:
        self._tell = tell
        self._pause = pause
        self._lines: dict[Hashable, _Pending[Item, Answer]] = {}
        self._driving: set[asyncio.Task[None]] = set()

    async def submit(self, key: Hashable, version: int, item: Item) -> Answer:
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Pending(version, item)
            task = asyncio.create_task(self._drive(key, line))
            self._driving.add(task)  # the event loop holds only a weak reference
            task.add_done_callback(self._driving.discard)
        elif version > line.version:
            line.version, line.item = version, item
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        line.waiting.append(answer)
        return await answer

    async def _drive(self, key: Hashable, line: _Pending[Item, Answer]) -> None:
        while line.waiting:
            waiting, line.waiting = line.waiting, []
            try:
                answer = await self._tell(line.item)
            except Exception as error:  # noqa: BLE001 - handed on, whatever it is: without it they would wait for good
                for one in waiting:
                    if not one.done():
                        one.set_exception(error)
            else:
                for one in waiting:
                    if not one.done():
                        one.set_result(answer)
            await asyncio.sleep(self._pause)
        del self._lines[key]
