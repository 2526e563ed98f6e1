"""Set-up for benchmarks of the engine: PostgreSQL, Temporal, a minimal network and workers, all on this machine."""

import os
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import httpx2
from temporalio.client import Client

from benchmarks.local import Local, local
from core.assistants.configuration import AssistantConfigurationService, AssistantForm
from core.assistants.rules.assistants import ImageSource, Mode
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
class Engine:
    here: Local
    services: Services
    client: Client
    receiver: httpx2.AsyncClient
    make: Factory
    user: User
    workers: tuple[int, ...]

    async def arrivals(self) -> tuple[list[float], float]:
        """Return (arrival times of posts at the network in epoch seconds, CPU seconds of the receiver)."""
        told = (await self.receiver.get("/arrivals")).json()
        return told["arrivals"], told["processor"]

    async def assistants(
        self, count: int, *, image: bool, schedule: Schedule | None = None, active: bool = False
    ) -> list[UUID]:
        """Create assistants that post to one account, activated if `active`. Return their ids."""
        account = await self._account()
        tree, text = await self.make.tree(self.user), await self.make.template(self.user, TEXT)
        picture = await self.make.template(self.user, IMAGE, TemplateType.image) if image else None
        made: list[UUID] = []
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
                    lead_minutes=15,
                )
                made.append((await configuring.create(self.user.id, form)).row.id)
                if active:
                    await configuring.activate(self.user.id, made[-1])
        return made

    async def _account(self) -> UUID:
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

    def processor(self) -> dict[str, float]:
        """Return the CPU seconds of each part so far, with its children."""
        found = {"worker": sum(map(processor_of, self.workers)), **self.used("temporal"), **self.used("postgres")}
        own = resource.getrusage(resource.RUSAGE_SELF)
        return found | {"benchmark": own.ru_utime + own.ru_stime}

    def used(self, name: str) -> dict[str, float]:
        return {name: sum(map(processor_of, family(self.here.processes[name])))}


@asynccontextmanager
async def engine(*, workers: int = 1) -> AsyncIterator[Engine]:
    async with local() as here:
        os.environ |= {
            "LINKEDIN_CLIENT_ID": "bench",
            "LINKEDIN_CLIENT_SECRET": "bench",
            "LINKEDIN_AUTH_URL": here.address,
            "LINKEDIN_API_URL": here.address,
            "LINKEDIN_IMAGE_GRACE_SECONDS": "2",
            # texts of the demo writer are published without approval only on a sandbox
            "SANDBOX_URL": here.address,
        }
        await here.start("benchmarks.receiver", str(here.port))
        settings = Settings()
        services = await here.stack.enter_async_context(open_services(settings))
        client = await connect(settings)
        await register_attributes(client)
        pids = tuple([await here.start("temporal") for _ in range(workers)])
        receiver = await here.stack.enter_async_context(httpx2.AsyncClient(base_url=here.address, timeout=30))
        make = Factory(services.sessions, services.vault)
        yield Engine(here, services, client, receiver, make, await make.user(), pids)


def family(pid: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    found = [pid]
    for parent in found:
        for listed in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):  # its thread has just ended
                found += map(int, listed.read_text().split())
    return found


def processor_of(pid: int) -> float:
    """Return a process's CPU seconds, with those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS


def memory_of(pid: int) -> float:
    """Return a process's proportional set size (PSS) in MB. Raise LookupError if it is missing."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise LookupError(pid)


def millis(value: timedelta | float) -> str:
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{seconds * 1000:.0f} ms"
