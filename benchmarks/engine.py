"""Set-up for benchmarks of the engine: PostgreSQL, Temporal, a minimal network and workers, all on this machine."""

import os
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import httpx2
from temporalio.client import Client

from benchmarks.local import LocalServers, run_servers
from core.assistants.configuration import AssistantConfigurationService, AssistantForm
from core.assistants.rules.assistants import ImageSource, Mode
from core.assistants.rules.limits import DEFAULT_LEAD
from core.assistants.rules.schedules import Frequency, Schedule
from core.container import Services, open_services
from core.ids import new_id
from core.networks.rules.channels import AccountType, ChannelKind
from core.settings import Settings
from core.social_accounts.tables import Account, Grant
from core.templates.rules.templates import TemplateType
from core.topics.rules import PickFrom, Strategy
from core.users.tables.users import User
from temporal.attributes import register_attributes
from temporal.client import connect
from tests.factories import IMAGE, TEXT, Factory

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Access:
    """Services and Temporal's client of a running installation, and a user of it."""

    services: Services
    client: Client
    make: Factory
    user: User

    async def add_assistants(
        self,
        count: int,
        *,
        image: bool,
        schedule: Schedule | None = None,
        active: bool = False,
        account: UUID | None = None,
        lead_minutes: int = DEFAULT_LEAD,
    ) -> list[UUID]:
        """Create assistants that post to one account, a new one if none is given, activated if `active`. Return their
        ids."""
        account = account or await self._add_account()
        tree, text = await self.make.tree(self.user), await self.make.template(self.user, TEXT)
        picture = await self.make.template(self.user, IMAGE, TemplateType.image) if image else None
        ids: list[UUID] = []
        async with self.services.sessions.begin() as session:
            configuring = AssistantConfigurationService(session)
            for number in range(count):
                form = AssistantForm(
                    name=f"Assistant {number}",
                    tags=(),
                    topic_tree_id=tree,
                    strategy=Strategy.weighted_random,
                    pick_from=PickFrom.leaves,
                    template_version_id=text,
                    image_source=ImageSource.template if image else ImageSource.none,
                    image_template_version_id=picture,
                    variables={},
                    account_ids=(account,),
                    schedule=schedule or Schedule(Frequency.daily, "UTC", time_slots=("00:00",)),
                    mode=Mode.automatic,
                    language="en",
                    lead_minutes=lead_minutes,
                )
                ids.append((await configuring.create(self.user.id, form)).row.id)
                if active:
                    await configuring.activate(self.user.id, ids[-1])
        return ids

    async def _add_account(self) -> UUID:
        """Create an account in the database, as the receiver has no OAuth. Return its id."""
        account = Account(
            id=new_id(),
            user_id=self.user.id,
            kind=ChannelKind.linkedin,
            external_id=f"bench-{new_id()}",
            type=AccountType.person,
            name="Mara Lind",
            grant=Grant(
                user_id=self.user.id,
                kind=ChannelKind.linkedin,
                access_token_encrypted=self.services.vault.encrypt("bench"),
            ),
        )
        async with self.services.sessions.begin() as session:
            session.add(account)
        return account.id


@dataclass(frozen=True)
class Engine(Access):
    """Running servers and workers of a benchmark, and a user."""

    servers: LocalServers
    receiver: httpx2.AsyncClient
    workers: tuple[int, ...]

    async def read_arrivals(self) -> tuple[list[float], float]:
        """Return (arrival times of posts at the network in epoch seconds, CPU seconds of the receiver)."""
        figures = (await self.receiver.get("/arrivals")).json()
        return figures["arrivals"], figures["cpu_seconds"]

    def cpu_seconds(self) -> dict[str, float]:
        """Return the CPU seconds of each part so far, with its children."""
        seconds = {"worker": sum(map(cpu_seconds_of, self.workers))}
        for name in ("temporal", "postgres"):
            seconds[name] = sum(map(cpu_seconds_of, process_tree(self.servers.processes[name])))
        own = resource.getrusage(resource.RUSAGE_SELF)
        return seconds | {"benchmark": own.ru_utime + own.ru_stime}


@asynccontextmanager
async def run_engine(*, workers: int = 1) -> AsyncIterator[Engine]:
    async with run_servers() as servers:
        os.environ |= {
            "LINKEDIN_CLIENT_ID": "bench",
            "LINKEDIN_CLIENT_SECRET": "bench",
            "LINKEDIN_AUTH_URL": servers.address,
            "LINKEDIN_API_URL": servers.address,
            "LINKEDIN_IMAGE_GRACE_SECONDS": "2",
            "SANDBOX_URL": servers.address,  # else the demo writer's texts wait for approval
        }
        await servers.start("benchmarks.receiver", str(servers.port))
        settings = Settings()
        services = await servers.stack.enter_async_context(open_services(settings))
        client = await connect(settings)
        await register_attributes(client)
        pids = tuple([await servers.start("temporal") for _ in range(workers)])
        receiver = await servers.stack.enter_async_context(httpx2.AsyncClient(base_url=servers.address, timeout=30))
        make = Factory(services.sessions, services.vault)
        yield Engine(services, client, make, await make.user(), servers, receiver, pids)


def process_tree(pid: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    pids = [pid]
    for parent in pids:
        for listed in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):  # its thread has just ended
                pids += map(int, listed.read_text().split())
    return pids


def cpu_seconds_of(pid: int) -> float:
    """Return a process's CPU seconds, with those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS


def memory_mb_of(pid: int) -> float:
    """Return a process's proportional set size (PSS) in MB. Raise LookupError if it is missing."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise LookupError(pid)
