"""Very many posts with one slot on a Temporal cluster, in an installation whose parts are processes of their own.

`python -m benchmarks.cluster --posts 1000`: that many assistants sleep, prepare their posts ahead, and publish at one
instant at the sandbox's LinkedIn. Printed: whether each post is there once, how late, how long afterwards its workflow
was over; CPU time per post of each part, and commits, log and disk space of both databases. The first round builds
Temporal's server (`benchmarks/temporal_cluster.py`).

`--faults`: instead, the round of `benchmarks.crashes` on such a cluster, with `kill -9` of any of its processes.
Exits with 1 if a post is lost, doubled, or not as the ledger says.
"""

import argparse
import asyncio
import math
import secrets
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg

from benchmarks import crashes
from benchmarks.cluster_installation import Cluster, Shape, run_cluster, write_line
from benchmarks.engine import Access
from benchmarks.herd import (
    Histories,
    add_sleeping,
    format_states,
    read_ends,
    read_histories,
    read_preparation,
    wait_until_finished,
)
from benchmarks.installation import Installation, connect_account
from benchmarks.lateness import format_lateness
from benchmarks.verdict import Verdict, compare_posts
from cli.postgres import PostgresError
from cli.supervisor import StartFailed
from core.assistants.rules.limits import DEFAULT_LEAD
from core.deliveries.rules.arming import LONGEST_SPREAD
from core.networks.rules.channels import ChannelKind
from sandbox.people import PEOPLE
from temporal.server import NoServer

_KIND: Final = ChannelKind.linkedin
_ASLEEP_SECONDS: Final = 0.2
"""Per assistant, until its workflow sleeps."""
_PREPARING_SECONDS: Final = 0.2
"""Per post, over which the starts of the runs are spread; as many again are left until the slot."""
_SHORTEST_JITTER: Final = 300
_SETTLING_SECONDS: Final = 30
_IDLE_SECONDS: Final = 60
_SPARE_SECONDS: Final = 60
_ARMING: Final = timedelta(seconds=LONGEST_SPREAD + 30)
"""Before the slot: by then all should be prepared, and the first deliveries are armed soon."""
_MAX_AFTER_SLOT: Final = timedelta(minutes=30)


@dataclass(frozen=True)
class Pace:
    """When the slot is, and how preparing is spread. `ahead`: seconds for all assistants to fall asleep."""

    ahead: float
    lead_minutes: int
    jitter_seconds: int

    @classmethod
    def of(cls, posts: int, ahead: float | None, lead_minutes: int | None) -> "Pace":
        spread = max(_SHORTEST_JITTER, math.ceil(posts * _PREPARING_SECONDS))
        lead = lead_minutes or max(DEFAULT_LEAD, math.ceil(spread / 60))
        # an assistant spreads its start over its lead at most
        return cls(ahead or posts * _ASLEEP_SECONDS + _SPARE_SECONDS, lead, min(spread, lead * 60))

    @property
    def before_slot(self) -> timedelta:
        """How long before the slot the first run begins."""
        return timedelta(minutes=self.lead_minutes, seconds=self.jitter_seconds)

    def next_slot(self) -> datetime:
        slot = datetime.now(UTC) + timedelta(seconds=self.ahead) + self.before_slot
        return slot.replace(second=0, microsecond=0) + timedelta(minutes=1)


@dataclass(frozen=True)
class DatabaseUse:
    """What a PostgreSQL server has done so far: committed transactions, transactions and savepoints that wrote, bytes
    of log, bytes on disk."""

    commits: float
    writes: float
    log_bytes: float
    disk_bytes: float

    def minus(self, other: "DatabaseUse", times: float = 1.0) -> "DatabaseUse":
        return DatabaseUse(
            self.commits - other.commits * times,
            self.writes - other.writes * times,
            self.log_bytes - other.log_bytes * times,
            self.disk_bytes - other.disk_bytes * times,
        )


@dataclass(frozen=True)
class Use:
    """What the cluster has used, so far or within a time."""

    seconds: float
    cpu_seconds: Mapping[str, float]
    databases: Mapping[str, DatabaseUse]

    @classmethod
    async def read(cls, cluster: Cluster) -> "Use":
        databases = {owner: await _read_database(url) for owner, url in cluster.databases.items()}
        return cls(time.monotonic(), cluster.processes.cpu_seconds(), databases)

    def minus(self, other: "Use", times: float = 1.0) -> "Use":
        return Use(
            self.seconds - other.seconds * times,
            {name: used - other.cpu_seconds[name] * times for name, used in self.cpu_seconds.items()},
            {owner: used.minus(other.databases[owner], times) for owner, used in self.databases.items()},
        )

    def without(self, idle: "Use") -> "Use":
        """Return what is left without that of an idle cluster for as long."""
        return self.minus(idle, self.seconds / idle.seconds)

    @property
    def all_cpu(self) -> float:
        return sum(self.cpu_seconds.values())

    def describe_cpu(self, each: int) -> str:
        """Return the CPU milliseconds of each part, divided by `each`."""
        parts = ", ".join(f"{name} {used / each * 1000:.0f}" for name, used in self.cpu_seconds.items())
        return f"{parts}; all {self.all_cpu / each * 1000:.0f}"

    def describe_databases(self, each: int) -> list[str]:
        return [
            f"database of {owner}: {used.commits / each:.1f} commits, {used.writes / each:.1f} writes, "
            f"{used.log_bytes / each / 1000:.0f} KB of log, {used.disk_bytes / each / 1000:.1f} KB on disk"
            for owner, used in self.databases.items()
        ]


async def _read_database(url: str) -> DatabaseUse:
    """Return the use of all databases of a server. A transaction that writes takes a number, so the next number tells
    how many did."""
    statement = (
        "SELECT sum(xact_commit)::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint,"
        " (pg_current_wal_lsn() - '0/0')::bigint, sum(pg_database_size(datname))::bigint"
        " FROM pg_stat_database WHERE datname IS NOT NULL"
    )
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        row = await (await connection.execute(statement)).fetchone()
    assert row
    return DatabaseUse(*row)


@dataclass(frozen=True)
class Outcome:
    """What became of the posts of a slot; seconds, ascending."""

    verdict: Verdict
    states: Counter[str]
    arrived: list[float]
    """From the slot until the network had the request."""
    called: list[float]
    """From the slot until the publishing call began."""
    shown: list[float]
    """From the request at the network until the run's row, which the web app shows, said that it was over."""
    closed: list[float]
    """From the request at the network until Temporal had closed the run's workflow."""


async def _read_outcome(cluster: Cluster, access: Access, slot: datetime) -> Outcome:
    """Compare ledger and board. A post of the board that no delivery names is doubled."""
    answer = await cluster.installation.sandbox.get("/sandbox/posts", params={"all": True})
    board = {post["id"]: float(post["arrived_at"]) for post in answer.raise_for_status().json()}
    statement = (
        "SELECT coalesce(d.provider_id, d.id::text), d.channel, d.state, d.error_code,"
        " extract(epoch FROM d.called_at)::float, r.workflow_id, extract(epoch FROM r.finished_at)::float"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id JOIN runs r ON r.id = p.run_id"
        " WHERE d.user_id = %s AND r.slot = %s"
    )
    async with await psycopg.AsyncConnection.connect(cluster.databases["product"]) as connection:
        rows: list[tuple[Any, ...]] = await (await connection.execute(statement, (access.user.id, slot))).fetchall()
    names = {row[0] for row in rows}
    verdict, states = compare_posts(dict.fromkeys(names, _KIND), [row[:4] for row in rows], Counter(board.keys()))
    unknown = sum(row[2] == "unknown" for row in rows)  # each may be on the board, without its name in the ledger
    verdict.doubled.extend([name for name in board if name not in names][unknown:])
    due, ends = slot.timestamp(), await read_ends(access)
    found = [(board[row[0]], *row[4:]) for row in rows if row[0] in board]
    return Outcome(
        verdict,
        states[_KIND.value],
        sorted(arrived - due for arrived, *_ in found),
        sorted(called - due for _, called, *_ in found if called),
        sorted(finished - arrived for arrived, _, _, finished in found if finished),
        sorted(ends[name].timestamp() - arrived for arrived, _, name, _ in found if name in ends),
    )


def _describe_timeouts(histories: Histories) -> str:
    hit = sum(count > 0 for count in histories.timed_out)
    return f"{sum(histories.timed_out)} in {hit} of {len(histories.timed_out)} sampled runs"


@asynccontextmanager
async def _within(seconds: float, what: str) -> AsyncIterator[None]:
    """Raise StartFailed if the block takes longer."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise StartFailed(f"{what}: not within {seconds:.0f} s") from None


async def _sleep_until(moment: datetime) -> None:
    await asyncio.sleep(max((moment - datetime.now(UTC)).total_seconds(), 0))


@dataclass(frozen=True)
class Herd:
    """The assistants of a round, and what the cluster used for them."""

    slot: datetime
    ids: list[UUID]
    asleep: Use
    """While all fell asleep."""
    posted: Use
    """From the first run's beginning to the last one's end."""
    at_slot: Use
    """The last part of it: arming, publishing, and the ends of runs."""
    idle: Use | None
    """Afterwards, while all sleep; None if not all runs have ended."""

    def describe_use(self) -> list[str]:
        count = len(self.ids)
        asleep, posted, at_slot = (self._without_idle(use) for use in (self.asleep, self.posted, self.at_slot))
        lines = [
            f"CPU ms per assistant put to sleep: {asleep.describe_cpu(count)}",
            *(f"per assistant put to sleep, {line}" for line in asleep.describe_databases(count)),
            f"CPU ms per post: {posted.describe_cpu(count)}; {at_slot.all_cpu / posted.all_cpu:.0%} of it from "
            f"{_ARMING.seconds} s before the slot on; {self.posted.all_cpu / count * 1000:.0f} with that of an idle "
            f"cluster for {self.posted.seconds:.0f} s",
            *(f"per post, {line}" for line in posted.describe_databases(count)),
        ]
        if self.idle:
            percents = (f"{name} {cpu / self.idle.seconds * 100:.1f}" for name, cpu in self.idle.cpu_seconds.items())
            lines.append(f"percent of a core while all sleep: {', '.join(percents)}")
        return lines

    def _without_idle(self, use: Use) -> Use:
        return use.without(self.idle) if self.idle else use


async def _run_posts(cluster: Cluster, access: Access, posts: int, pace: Pace) -> Herd:
    """Let all fall asleep, and wait until their runs have ended. Raise StartFailed if they are still falling asleep at
    the slot."""
    accounts = [UUID(await connect_account(cluster.installation, _KIND, person)) for person in PEOPLE]
    slot = pace.next_slot()
    first_begins = slot - pace.before_slot
    write_line(
        f"{posts} posts for {slot:%H:%M} UTC, prepared from {first_begins:%H:%M:%S} on (lead {pace.lead_minutes} min, "
        f"jitter {pace.jitter_seconds} s)"
    )
    began = await Use.read(cluster)
    async with _within((slot - datetime.now(UTC)).total_seconds(), f"{posts} assistants asleep"):
        ids = await add_sleeping(access, posts, slot, accounts, lead_minutes=pace.lead_minutes)
    asleep = (await Use.read(cluster)).minus(began)
    left = (first_begins - datetime.now(UTC)).total_seconds()
    write_line(f"all asleep after {asleep.seconds:.0f} s, {left:.0f} s before the first begins")
    if left < 0:
        write_line("✗ too late: the figures of sleep have a part of those of posts; give more time by --ahead")
    await _sleep_until(first_begins)
    before = await Use.read(cluster)
    await _sleep_until(slot - _ARMING)
    prepared = await Use.read(cluster)
    limit = (slot + _MAX_AFTER_SLOT - datetime.now(UTC)).total_seconds()
    idle = None
    try:
        async with asyncio.timeout(limit):
            write_line(f"runs: {format_states(await wait_until_finished(access, slot, posts))}")
    except TimeoutError:
        write_line(f"✗ not all runs have ended {_MAX_AFTER_SLOT.seconds // 60} min after the slot")
        after = await Use.read(cluster)
    else:
        after = await Use.read(cluster)
        await asyncio.sleep(_SETTLING_SECONDS)
        resting = await Use.read(cluster)
        await asyncio.sleep(_IDLE_SECONDS)
        idle = (await Use.read(cluster)).minus(resting)
    return Herd(slot, ids, asleep, after.minus(before), after.minus(prepared), idle)


async def measure_herd(cluster: Cluster, access: Access, posts: int, pace: Pace) -> int:
    """Run one herd and print its figures. Return 1 if a post is not out, lost, doubled, or not as the ledger says."""
    limits = {"duplicate_seconds": 0}  # the demo writer repeats itself
    (await cluster.installation.sandbox.post("/sandbox/settings", json=limits)).raise_for_status()
    herd = await _run_posts(cluster, access, posts, pace)
    outcome = await _read_outcome(cluster, access, herd.slot)
    verdict = outcome.verdict
    write_line(f"deliveries: {', '.join(f'{name} {count}' for name, count in sorted(outcome.states.items()))}")
    write_line(f"lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, unlike the ledger {len(verdict.unlike)}")
    for line in (*verdict.lost[:10], *verdict.doubled[:10], *verdict.unlike[:10]):
        write_line(f"  {line}")
    for name, seconds in (
        ("lateness at the network", outcome.arrived),
        ("lateness of the call", outcome.called),
        ("run shown as over after its post", outcome.shown),
        ("workflow closed after its post", outcome.closed),
    ):
        if seconds:
            write_line(f"{name:32} {format_lateness(seconds)}")
    for line in herd.describe_use():
        write_line(line)
    memory = ", ".join(f"{name} {mb:.0f}" for name, mb in cluster.processes.memory_mb().items())
    write_line(f"memory MB: {memory}")
    took, ahead_of_slot = await read_preparation(access, herd.slot)
    histories = await read_histories(access, herd.ids, herd.slot)
    write_line(f"prepared within {took:.0f} s, the last one {ahead_of_slot:.0f} s before the slot")
    write_line(f"steps waited for a worker: {histories.describe_waits()}")
    write_line(
        f"events per run: p50 {statistics.median(histories.events):.0f}, max {histories.events[-1]}; "
        f"workflow-task time-outs: {_describe_timeouts(histories)}"
    )
    everything_out = outcome.states["published"] == posts
    return 0 if everything_out and not (verdict.lost or verdict.doubled or verdict.unlike) else 1


async def _run_herd(folder: Path, shape: Shape, settings: dict[str, str], posts: int, pace: Pace) -> int:
    settings = {"JITTER_SECONDS": str(pace.jitter_seconds), **settings}
    async with run_cluster(folder, shape, settings) as cluster, cluster.open_access() as access:
        return await measure_herd(cluster, access, posts, pace)


@asynccontextmanager
async def _run_for_crashes(folder: Path, shape: Shape, settings: dict[str, str]) -> AsyncIterator[Installation]:
    async with run_cluster(folder, shape, settings) as cluster:
        yield cluster.installation


async def _run(arguments: argparse.Namespace) -> int:
    task = asyncio.current_task()
    assert task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    shape = Shape(arguments.workers, arguments.apis, arguments.shards, not arguments.one_process)
    settings = dict(one.split("=", 1) for one in arguments.set)
    if arguments.faults:
        # as `benchmarks.installation` starts it
        start = partial(
            _run_for_crashes, shape=shape, settings={"ARM_SECONDS": "4", "ARM_SPREAD_SECONDS": "4", **settings}
        )
        seed = arguments.seed if arguments.seed is not None else secrets.randbelow(10**6)
        return await crashes.main(arguments.posts, arguments.minutes, seed, start=start)
    pace = Pace.of(arguments.posts, arguments.ahead, arguments.lead)
    with ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postloom-cluster-")))
        return await _run_herd(folder, shape, settings, arguments.posts, pace)


def main(arguments: argparse.Namespace) -> int:
    try:
        return asyncio.run(_run(arguments))
    except (StartFailed, PostgresError, NoServer) as error:
        write_line(f"✗ {error}")
        return 1
    except (asyncio.CancelledError, KeyboardInterrupt):
        return 130


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000, help="posts with one slot; with --faults at each network")
    parser.add_argument("--workers", type=int, default=2, help="worker processes")
    parser.add_argument("--apis", type=int, default=2, help="API processes")
    parser.add_argument("--shards", type=int, default=4, help="history shards of Temporal")
    parser.add_argument("--one-process", action="store_true", help="all of Temporal's services in one process")
    parser.add_argument("--lead", type=int, help="minutes before the slot at which posts are prepared")
    parser.add_argument("--ahead", type=float, help="seconds for all assistants to fall asleep")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the product")
    parser.add_argument("--folder", type=Path, help="an empty folder for data and logs, which are then kept")
    parser.add_argument("--faults", action="store_true", help="the round of `benchmarks.crashes` on the cluster")
    parser.add_argument("--minutes", type=float, default=10, help="with --faults: time within which the posts are due")
    parser.add_argument("--seed", type=int, help="with --faults: of the times and faults")
    sys.exit(main(parser.parse_args()))
