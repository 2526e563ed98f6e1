"""The server's time as a worker knows it, and the pace of what ends together."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import uvloop
from temporalio.testing import ActivityEnvironment

from activities.timing import Pace, ServerTime
from tests.patience import PATIENCE


def ago(seconds: float) -> datetime:
    return datetime.now(UTC) - timedelta(seconds=seconds)


async def test_a_step_that_was_long_on_its_way_goes_on_no_later_than_the_others() -> None:
    clock = ServerTime()
    clock.add_sample(ago(0.01))
    clock.add_sample(ago(5))
    began = time.monotonic()
    await ActivityEnvironment().run(clock.wait_until, datetime.now(UTC) + timedelta(seconds=0.3))
    assert 0.29 <= time.monotonic() - began < 5  # the step that was long on its way took 5


async def test_nobody_is_early_where_every_step_was_long_on_its_way() -> None:
    clock = ServerTime()
    for seconds in (0.5, 0.3, 0.4):
        clock.add_sample(ago(seconds))
    began = time.monotonic()
    await ActivityEnvironment().run(clock.wait_until, datetime.now(UTC) + timedelta(seconds=0.1))
    assert time.monotonic() - began >= 0.39


def test_nobody_goes_on_before_the_moment_however_the_loop_rounds() -> None:
    """The worker's event loop counts whole milliseconds."""

    async def early() -> list[float]:
        clock = ServerTime()
        clock.add_sample(datetime.now(UTC))
        [(heard, ahead)] = clock._samples
        found = []
        for number in range(40):
            moment = heard - ahead + (time.monotonic() - heard) + 0.002 + number / 20_000
            await ActivityEnvironment().run(clock.wait_until, datetime.fromtimestamp(moment, UTC))
            found.append(moment + ahead - time.monotonic())
        return found

    # a moment is written in microseconds
    assert max(uvloop.run(early())) < 0.000_001


async def test_what_ends_together_says_so_one_after_another() -> None:
    pace = Pace(timedelta(milliseconds=40), at_most=timedelta(seconds=2))
    began = time.monotonic()
    ended: list[float] = []

    async def end() -> None:
        await pace.wait_for_turn()
        ended.append(time.monotonic() - began)

    await asyncio.gather(*(end() for _ in range(4)))
    assert ended == sorted(ended)
    assert [at >= 0.04 * number for number, at in enumerate(ended)] == [True] * 4


async def test_who_ends_alone_says_so_at_once() -> None:
    pace = Pace(timedelta(hours=1), at_most=timedelta(hours=1))
    async with asyncio.timeout(PATIENCE):
        await pace.wait_for_turn()


async def test_nobody_says_so_while_others_go_out() -> None:
    pace = Pace(timedelta(0), at_most=timedelta(hours=1))
    with pace.publishing():
        waiting = asyncio.create_task(pace.wait_for_turn())
        with pace.publishing():
            pass
        await asyncio.sleep(0.05)
        assert not waiting.done()
    async with asyncio.timeout(PATIENCE):
        await waiting


async def test_a_call_that_hangs_holds_no_other_up_for_long() -> None:
    pace = Pace(timedelta(0), at_most=timedelta(milliseconds=50))
    with pace.publishing():
        async with asyncio.timeout(PATIENCE):
            await pace.wait_for_turn()
