"""How late posts arrive at the network when many are due at one instant.

`python -m benchmarks.lateness --posts 200 --pairs 1`: all posts are prepared and staged ahead; then the arrival of
each publishing call at the sandbox is compared with the slot. Armed deliveries (the product) and the same workflow
with its timer at the slot take turns. Everything runs on this machine: PostgreSQL, Temporal, sandbox, one worker.
"""

import argparse
import asyncio
import os
import statistics
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx2
from temporalio.client import Client

from benchmarks.local import local
from core.container import Services, open_services
from core.domain.assistants import ImageSource, Mode, RunState
from core.domain.ids import run_id, run_workflow
from core.domain.schedules import Frequency, Schedule
from core.domain.templates import TemplateType
from core.domain.topics import PickFrom, Strategy
from core.models import User
from core.repositories.runs import RunRepository
from core.services.configuring import AssistantForm, ConfiguringService
from core.settings import Settings
from temporal.client import connect
from tests.factories import IMAGE, TEXT, Factory
from workflows.messages import RunOrder
from workflows.names import RUNS
from workflows.run import RunWorkflow

_PREPARE = 0.5  # seconds of preparation that each post is given, on two cores
_ARMING = 90


@dataclass(frozen=True)
class Figures:
    kind: str
    lateness: list[float]
    events: int

    def line(self) -> str:
        ordered = sorted(self.lateness)
        p99 = ordered[max(0, round(len(ordered) * 0.99) - 1)]
        return (
            f"{self.kind:18} n={len(ordered):4}  p50 {statistics.median(ordered) * 1000:7.0f} ms  "
            f"p99 {p99 * 1000:7.0f} ms  max {ordered[-1] * 1000:7.0f} ms  min {ordered[0] * 1000:7.0f} ms  "
            f"events per run {self.events}"
        )


async def _assistants(services: Services, make: Factory, user: User, url: str, count: int) -> list[UUID]:
    account = await make.account(user, url)
    tree, text = await make.tree(user), await make.template(user, TEXT)
    image = await make.template(user, IMAGE, TemplateType.image)
    made: list[UUID] = []
    async with services.sessions.begin() as session:
        configuring = ConfiguringService(session)
        for number in range(count):
            full = await configuring.create(
                user.id,
                AssistantForm(
                    name=f"Assistant {number}",
                    tags=(),
                    topic_tree_id=tree,
                    strategy=Strategy.weighted_random,
                    pick_from=PickFrom.leaves,
                    template_version_id=text,
                    image_source=ImageSource.template,
                    image_template_version_id=image,
                    variables={},
                    account_ids=(account.id,),
                    schedule=Schedule(Frequency.daily, "UTC", time_slots=("00:00",)),
                    mode=Mode.automatic,
                    language="en",
                    lead_minutes=15,
                ),
            )
            made.append(full.row.id)
    return made


async def _round(
    services: Services, client: Client, user: User, ids: list[UUID], sandbox: httpx2.AsyncClient, *, armed: bool
) -> Figures:
    slot = datetime.now(UTC) + timedelta(seconds=len(ids) * _PREPARE + _ARMING + 20)
    slot = slot.replace(second=0, microsecond=0) + timedelta(minutes=1)
    handles = []
    for assistant_id in ids:
        name = run_workflow(assistant_id, slot)
        order = RunOrder(
            user_id=user.id,
            assistant_id=assistant_id,
            run_id=run_id(name),
            slot=slot,
            arm_seconds=15 if armed else 0,
            arm_spread_seconds=60 if armed else 0,
        )
        handles.append(await client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS))
    await _prepared(services, user, ids, slot)
    results = await asyncio.gather(*(handle.result() for handle in handles))
    assert [result.state for result in results] == [RunState.published] * len(ids), "a run did not publish"
    since = slot.timestamp() - 1
    found = (await sandbox.get("/sandbox/posts")).json()
    arrivals = [post["arrived_at"] - slot.timestamp() for post in found if post["arrived_at"] >= since]
    assert len(arrivals) == len(ids), f"{len(arrivals)} posts at the sandbox for {len(ids)} runs"
    history = await handles[0].fetch_history()
    return Figures("armed" if armed else "timer at the slot", arrivals, len(history.events))


async def _prepared(services: Services, user: User, ids: list[UUID], slot: datetime) -> None:
    """Wait until every draft is ready, which must be well before the slot: lateness is then the delivery's alone."""
    deadline = slot - timedelta(seconds=_ARMING - 10)
    while True:
        async with services.sessions() as session:
            _, under_way = await RunRepository(session).latest(user.id, ids)
        ready = sum(run.row.state is RunState.ready for run in under_way.values())
        if ready == len(ids):
            return
        if datetime.now(UTC) > deadline:
            raise SystemExit(f"only {ready} of {len(ids)} posts were prepared in time")
        await asyncio.sleep(1)


async def main(posts: int, pairs: int) -> None:
    async with local() as here:
        os.environ |= {
            "LINKEDIN_CLIENT_ID": "bench",
            "LINKEDIN_CLIENT_SECRET": "bench",
            "LINKEDIN_AUTH_URL": here.address,
            "LINKEDIN_API_URL": here.address,
            "LINKEDIN_IMAGE_GRACE_SECONDS": "2",
        }
        network = ("--host", "127.0.0.1", "--port", str(here.port), "--smtp-port", "0")
        await here.start("sandbox", *network, "--data", str(here.folder / "net"))
        await here.start("temporal")
        settings = Settings()
        services = await here.stack.enter_async_context(open_services(settings))
        client = await connect(settings)
        sandbox = await here.stack.enter_async_context(httpx2.AsyncClient(base_url=here.address, timeout=30))
        await asyncio.sleep(5)
        make = Factory(services.sessions, services.vault)
        user = await make.user()
        ids = await _assistants(services, make, user, here.address, posts)
        for _ in range(pairs):
            for armed in (True, False):
                figures = await _round(services, client, user, ids, sandbox, armed=armed)
                sys.stdout.write(figures.line() + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=1)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.posts, chosen.pairs))
