"""What `make bench-cluster` plans and computes; the cluster itself takes a build and half an hour."""

from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.cluster import DatabaseUse, Pace, Use
from benchmarks.engine import Access
from benchmarks.herd import read_ends, wait_until_finished
from core.assistants.rules.assistants import RunState
from core.users.tables.users import User
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.workflows.support import automatic, outcome, run_once, soon


@pytest.mark.parametrize(
    ("posts", "lead", "wanted_lead", "wanted_jitter"),
    [(100, None, 15, 300), (2000, None, 15, 400), (10_000, None, 34, 2000), (10_000, 20, 20, 1200), (100, 2, 2, 120)],
)
def test_starts_are_spread_over_the_lead_at_most(
    posts: int, lead: int | None, wanted_lead: int, wanted_jitter: int
) -> None:
    pace = Pace.of(posts, None, lead)
    assert (pace.lead_minutes, pace.jitter_seconds) == (wanted_lead, wanted_jitter)


def test_the_slot_leaves_time_to_fall_asleep() -> None:
    pace = Pace.of(1000, 300, None)
    slot = pace.next_slot()
    assert (slot.second, slot.microsecond) == (0, 0)
    first_begins = slot - pace.before_slot
    assert first_begins > datetime.now(UTC) + timedelta(seconds=300)


def test_what_an_idle_cluster_uses_is_taken_off() -> None:
    idle = Use(60, {"worker": 0.6}, {"product": DatabaseUse(6, 3, 600, 60)})
    used = Use(600, {"worker": 106.0}, {"product": DatabaseUse(160, 130, 6600, 1600)})
    alone = used.without(idle)
    assert alone.cpu_seconds == {"worker": pytest.approx(100)}
    assert alone.databases["product"] == DatabaseUse(100, 100, 600, 1000)
    assert alone.describe_cpu(100) == "worker 1000; all 1000"
    [line] = alone.describe_databases(100)
    assert line == "database of product: 1.0 commits, 1.0 writes, 0 KB of log, 0.0 KB on disk"


async def test_a_run_is_over_when_temporal_has_closed_its_workflow(stack: Stack) -> None:
    assistant, slot = await automatic(stack), soon()
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await run_once(stack, assistant, slot)
    async with stack.services.sessions() as session:
        user = await session.get_one(User, assistant.user_id)
    access = Access(stack.services, stack.client, stack.make, user)
    assert await wait_until_finished(access, slot, 1) == {RunState.published: 1}
    run, _, _ = await outcome(stack, assistant, slot)
    assert run.finished_at is not None
    assert (await read_ends(access))[run.workflow_id] > run.finished_at
