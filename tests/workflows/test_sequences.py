"""Random lives of assistants on a real engine, against a plain reference; `make bench` has 500 of them."""

import logging
import sys

import pytest

from core.settings import Settings
from tests.conftest import Networks
from tests.workflows.reference import End
from tests.workflows.sequences import STEPS, Lives
from tests.workflows.world import world

TOGETHER = 20


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    first, worlds = (int(metafunc.config.getoption(f"--{name}")) for name in ("seed", "worlds"))
    metafunc.parametrize("seed", range(first, first + worlds))


@pytest.mark.slow
async def test_twenty_assistants_do_in_thirty_random_steps_what_a_plain_reference_says(
    seed: int,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    database: str,
    settings: Settings,
    networks: Networks,
) -> None:
    only, without = (request.config.getoption(f"--{name}") for name in ("only", "without"))
    numbers = [int(only)] if only else range(TOGETHER)
    # an outage brings hundreds of failed steps, each with its traceback
    monkeypatch.setattr(logging.getLogger("temporalio.activity"), "disabled", True)
    await networks.calm()
    async with world(database, settings) as made:
        lives = Lives(made, networks, seed)
        await lives.begin(numbers, frozenset(int(step) for step in without.split(",") if step))
        for step in range(1, STEPS + 1):
            await lives.step(step)
    ends = lives.ends()
    sys.stdout.write(f"\nseed {seed}: {', '.join(f'{count} {what}' for what, count in sorted(ends.items()))}\n")
    assert ends[End.published] > 0
