"""Work of one moment done in one go: whoever waits is answered, whatever happens to the batch."""

import asyncio
from collections.abc import Sequence

import pytest

from core.batching import Batcher
from tests.patience import PATIENCE


async def test_what_comes_while_a_batch_is_under_way_is_the_next_one() -> None:
    batches: list[list[int]] = []
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(items: Sequence[int]) -> list[int]:
        batches.append(list(items))
        begun.set()
        await go_on.wait()
        return [item * 10 for item in items]

    batcher = Batcher(work)
    first = asyncio.create_task(batcher.do(1))
    await begun.wait()
    others = [asyncio.create_task(batcher.do(item)) for item in (2, 3, 4)]
    await asyncio.sleep(0)  # each has come
    go_on.set()
    assert await asyncio.gather(first, *others) == [10, 20, 30, 40]
    assert batches == [[1], [2, 3, 4]]
    assert await batcher.do(5) == 50


@pytest.mark.parametrize("error", [OSError("line down"), TypeError("a defect")])
async def test_a_failed_batch_fails_each_of_its_items_and_no_later_one(error: Exception) -> None:
    async def work(items: Sequence[int]) -> list[int]:
        if 1 in items:
            raise error
        return list(items)

    batcher = Batcher(work)
    async with asyncio.timeout(PATIENCE):
        failed = await asyncio.gather(batcher.do(1), batcher.do(2), return_exceptions=True)
        assert list(failed) == [error, error]
        assert await batcher.do(3) == 3


async def test_too_few_answers_are_no_answer() -> None:
    async def work(items: Sequence[int]) -> list[int]:
        return list(items[1:])

    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ValueError, match="shorter"):
            await Batcher(work).do(1)


async def test_who_no_longer_waits_keeps_nobody_from_an_answer() -> None:
    go_on = asyncio.Event()

    async def work(items: Sequence[int]) -> list[int]:
        await go_on.wait()
        return list(items)

    batcher = Batcher(work)
    gone, waits = asyncio.create_task(batcher.do(1)), asyncio.create_task(batcher.do(2))
    await asyncio.sleep(0)
    gone.cancel()
    go_on.set()
    assert await waits == 2
    with pytest.raises(asyncio.CancelledError):
        await gone
