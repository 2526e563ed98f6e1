"""Of what comes in quick succession only the newest is told, and everybody has an answer."""

import asyncio

import pytest

from temporal.newest import Debouncer


async def test_the_first_is_told_at_once_and_of_the_others_the_newest() -> None:
    told: list[int] = []

    async def tell(version: int) -> int:
        told.append(version)
        await asyncio.sleep(0.01)
        return version

    newest = Debouncer(tell, pause=0.05)
    answers = await asyncio.gather(*(newest.submit("one", version, version) for version in (1, 5, 3, 4)))
    assert told == [5]  # all came before the first could be told
    assert answers == [5, 5, 5, 5]
    later = await asyncio.gather(*(newest.submit("one", version, version) for version in (6, 7)))
    assert (told, later) == ([5, 7], [7, 7])


async def test_what_comes_while_one_is_told_waits_for_the_next() -> None:
    told: list[int] = []
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def tell(version: int) -> int:
        told.append(version)
        begun.set()
        await go_on.wait()
        return version

    newest = Debouncer(tell, pause=0)
    first = asyncio.create_task(newest.submit("one", 1, 1))
    await begun.wait()
    others = [asyncio.create_task(newest.submit("one", version, version)) for version in (2, 4, 3)]
    await asyncio.sleep(0)
    go_on.set()
    assert (await first, [await other for other in others]) == (1, [4, 4, 4])
    assert told == [1, 4]


async def test_one_key_waits_for_no_other_and_a_failure_is_for_all_who_waited() -> None:
    async def tell(item: str) -> str:
        if item == "bad":
            raise RuntimeError("away")
        return item

    newest = Debouncer(tell, pause=60)
    bad = [asyncio.create_task(newest.submit("bad", version, "bad")) for version in (1, 2)]
    assert await asyncio.wait_for(newest.submit("good", 1, "good"), 1) == "good"
    for one in bad:
        with pytest.raises(RuntimeError, match="away"):
            await one


async def test_who_stops_waiting_keeps_nobody_from_an_answer() -> None:
    go_on = asyncio.Event()

    async def tell(version: int) -> int:
        await go_on.wait()
        return version

    newest = Debouncer(tell, pause=0)
    gone, stays = (asyncio.create_task(newest.submit("one", version, version)) for version in (1, 2))
    await asyncio.sleep(0)
    gone.cancel()
    go_on.set()
    assert await stays == 2
