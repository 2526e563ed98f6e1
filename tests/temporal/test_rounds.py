"""Rounds of a worker end when the worker does."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from temporal.rounds import repeat


class Ear:
    heard: Callable[[str | None], None]

    def add(self, _channel: str, heard: Callable[[str | None], None]) -> None:
        self.heard = heard


@pytest.mark.parametrize("turns", range(4))
async def test_a_cancellation_that_meets_a_notice_ends_the_rounds(turns: int) -> None:
    begun, ear = asyncio.Event(), Ear()

    async def once(*_: Any) -> int:
        begun.set()
        return 0

    none = cast(Any, None)
    rounds = asyncio.create_task(repeat(once, "changes", none, none, cast(Any, ear), grace=0))
    await begun.wait()
    await asyncio.sleep(0.05)  # it waits for a notice
    ear.heard("")
    for _ in range(turns):
        await asyncio.sleep(0)
    rounds.cancel()
    await asyncio.wait({rounds}, timeout=5)
    assert rounds.cancelled()
