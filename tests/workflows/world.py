"""A world in which days pass in seconds: Temporal's time-skipping server, and a PostgreSQL, a worker and this process
whose clocks follow it.

PostgreSQL is asked for the time by plain functions, so a schema before `pg_catalog` can answer in their place; the
process asks one function (`core.clock`). The server's time leaps only while nobody works, so both clocks are set before
each step and after each leap, and never in the middle of a step. The model, the database and the worker can be away.
"""

import asyncio
import os
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from temporalio.api.enums.v1 import IndexedValueType, TaskQueueKind, WorkflowTaskFailedCause
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.api.testservice.v1 import (
    LockTimeSkippingRequest,
    SleepRequest,
    SleepResponse,
    UnlockTimeSkippingRequest,
)
from temporalio.api.workflowservice.v1 import PollWorkflowTaskQueueRequest, RespondWorkflowTaskFailedRequest
from temporalio.client import Client
from temporalio.client import Interceptor as ClientInterceptor
from temporalio.service import GrpcCompression, RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from core import clock
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.settings import Settings
from temporal.client import data_converter
from temporal.gateway import Gateway
from temporal.registry import Steps, groups
from temporal.time_skipping import find_test_server
from temporal.worker import build_workers
from tests.http_server import Answer, Server
from tests.workflows.support import written
from workflows.names import SEARCH_ATTRIBUTES

_CLOCK = (
    "CREATE SCHEMA test_clock",
    "CREATE TABLE test_clock.ahead (by interval NOT NULL)",
    "INSERT INTO test_clock.ahead VALUES ('0')",
    *(
        f"CREATE FUNCTION test_clock.{name}() RETURNS timestamptz LANGUAGE sql {kind} AS "
        f"'SELECT pg_catalog.{name}() + by FROM test_clock.ahead'"
        for name, kind in (("now", "STABLE"), ("statement_timestamp", "STABLE"), ("clock_timestamp", "VOLATILE"))
    ),
)
NOTICED = timedelta(milliseconds=20)
"""Below it clocks differ as those of two machines do: the one here is never ahead of the server's, and may be so much
behind."""
# Seconds without a step and without a leap, after which nobody is at work though the server's time stands still: the
# server waits for a worker that is away, or for a run whose assistant has continued as new (sdk-java#1540).
_QUIET = 2.0
_LONGER = 5
"""So many times as long at the most, where others want the processors."""
_QUIET_ALONE = 0.2
"""The same while there is no worker: then time only stands still for what waits for one."""
_AT_WORK = 0.2
"""Of a processor that this process and the server use together: whoever is at work uses more, also where the machine is
so busy that nothing comes of it for seconds."""
_LOOK = 0.05
_LONGEST = timedelta(minutes=5)
"""That a leap may take."""
_WORKER = "worker-of-a-world"
_OWN_QUEUE = re.compile(rb"%s-[0-9a-f]{32}" % _WORKER.encode())


@dataclass
class Clock(ClientInterceptor, Interceptor):
    """How far the server's time is ahead of the machine's, told to this process and to the database."""

    database: AsyncConnection
    environment: WorkflowEnvironment | None = None
    ahead: timedelta = timedelta(0)
    leaps: list[tuple[datetime, timedelta]] = field(default_factory=list)
    """When, by the machine's clock, it was first seen to be how far ahead."""
    begun: int = 0
    under_way: int = 0
    """Steps of the worker."""
    _turns: asyncio.Lock = field(default_factory=asyncio.Lock)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def then(self, moment: datetime) -> datetime:
        """What the time was here at a moment of the machine's clock."""
        return moment + next((ahead for since, ahead in reversed(self.leaps) if since <= moment), timedelta(0))

    async def follow(self) -> None:
        assert self.environment is not None
        async with self._turns:
            told = await self.environment.get_current_time()
            # what it told is a little old by now, so this is never ahead of the server
            ahead = told - datetime.now(UTC)
            if ahead <= self.ahead + NOTICED:
                return
            self.ahead = ahead
            self.leaps.append((datetime.now(UTC), ahead))
            # whole, though the step before which it is done be cancelled
            await asyncio.shield(
                self.database.execute(text("UPDATE test_clock.ahead SET by = :ahead"), {"ahead": ahead})
            )

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Following(next, self)


class _Following(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, clock: Clock) -> None:
        super().__init__(next)
        self._clock = clock

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        self._clock.begun += 1
        self._clock.under_way += 1
        try:
            await self._clock.follow()
            return await super().execute_activity(input)
        finally:
            self._clock.under_way -= 1


class Model(Server):
    """A model server whose answers are all different."""

    def __init__(self) -> None:
        super().__init__()
        self._random, self._turn = Random(1), threading.Lock()
        self.is_away(False)

    def is_away(self, away: bool) -> None:
        said = Answer(503, {"error": {"message": "away", "code": "server_error"}}) if away else Answer(body=self._text)
        self.answers("/v1/responses", said)

    def _text(self) -> dict[str, Any]:
        with self._turn:
            words = (f"{self._random.getrandbits(32):x}" for _ in range(12))
            body: dict[str, Any] = written(" ".join(words)).body
        return body


class Line:
    """The worker's connection to the server, on which the names of its own queues are read.

    What a worker has in its memory, the server gives to that worker alone. A real one gives it to others after a while;
    this one waits for ever, so what comes for a worker that has gone is refused in its name.
    """

    client: Client

    def __init__(self, server: str) -> None:
        self._server = server.rsplit(":", 1)
        self._names: set[bytes] = set()
        self._refusing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self, told: Clock) -> AsyncIterator["Line"]:
        async with await asyncio.start_server(self._carry, "127.0.0.1", 0) as here:
            port = here.sockets[0].getsockname()[1]
            self.client = await Client.connect(
                f"127.0.0.1:{port}",
                identity=_WORKER,
                data_converter=data_converter(),
                interceptors=[told],
                grpc_compression=GrpcCompression.NONE,
            )
            try:
                yield self
            finally:
                for task in self._refusing:
                    task.cancel()
                await asyncio.gather(*self._refusing, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._server
        there = await asyncio.open_connection(host, int(port))

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, read: bool) -> None:
            with suppress(OSError):
                while data := await source.read(65536):
                    if read:
                        self._names.update(_OWN_QUEUE.findall(data))
                    sink.write(data)
                    await sink.drain()
            sink.close()

        await asyncio.gather(pump(reader, there[1], read=True), pump(there[0], writer, read=False))

    def hand_on(self, told: Clock) -> None:
        """What a worker that has gone had in its memory is anybody's."""
        for name in self._names:
            self._refusing.add(asyncio.create_task(self._refuse(name.decode(), told)))
        self._names.clear()

    async def _refuse(self, queue: str, told: Clock) -> None:
        service = self.client.workflow_service
        wanted = PollWorkflowTaskQueueRequest(namespace=self.client.namespace, identity=_WORKER)
        wanted.task_queue.name, wanted.task_queue.kind = queue, TaskQueueKind.TASK_QUEUE_KIND_STICKY
        while True:
            try:
                found = await service.poll_workflow_task_queue(wanted, timeout=timedelta(seconds=30))
            except RPCError as error:
                if error.status not in (RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED):
                    raise
                continue
            if found.task_token:
                told.begun += 1
                await service.respond_workflow_task_failed(
                    RespondWorkflowTaskFailedRequest(
                        namespace=self.client.namespace,
                        identity=_WORKER,
                        task_token=found.task_token,
                        cause=WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
                    )
                )


@dataclass
class World:
    """`services` are those of the worker, too."""

    clock: Clock
    line: Line
    environment: WorkflowEnvironment
    client: Client
    services: Services
    gateway: Gateway
    model: Model
    admin: AsyncConnection
    name: str
    """Of the database."""
    worker: AsyncExitStack | None = None
    forced: int = 0
    """Work that waits for a worker who is away, and for which the server's time does not stand still any more."""

    async def now(self) -> datetime:
        await self.clock.follow()
        return self.clock.now()

    async def until(self, moment: datetime) -> None:
        """What was to happen up to then has happened afterwards."""
        ahead = moment - await self.environment.get_current_time()
        if ahead > timedelta(0):
            order = SleepRequest()
            order.duration.FromTimedelta(ahead)
            service = self.client.test_service
            sleeping = asyncio.create_task(service.unlock_time_skipping_with_sleep(order, timeout=_LONGEST))
            try:
                await self._leap(sleeping)
            finally:
                sleeping.cancel()
        await self.clock.follow()

    async def _leap(self, sleeping: "asyncio.Task[SleepResponse]") -> None:
        loop = asyncio.get_running_loop()
        seen = None
        quiet_from, used, patience = loop.time(), _processor_used(), _patience()
        while True:
            await asyncio.wait([sleeping], timeout=_LOOK)
            if sleeping.done():
                await sleeping
                return
            leapt = await self.environment.get_current_time() - datetime.now(UTC)
            if self.clock.under_way or seen is None or seen[0] != self.clock.begun or leapt - seen[1] > NOTICED * 2:
                seen, quiet_from, used = (self.clock.begun, leapt), loop.time(), _processor_used()
                patience = _patience() if self.worker else _QUIET_ALONE
            elif (quiet := loop.time() - quiet_from) > patience:
                if _processor_used() - used > _AT_WORK * quiet:
                    quiet_from, used = loop.time(), _processor_used()
                    continue
                await self.client.test_service.unlock_time_skipping(UnlockTimeSkippingRequest())
                self.forced += self.worker is None
                patience += 2 * _LOOK

    async def worker_comes(self) -> None:
        for _ in range(self.forced):
            await self.client.test_service.lock_time_skipping(LockTimeSkippingRequest())
        self.forced = 0
        self.worker = AsyncExitStack()
        for worker in build_workers(self.line.client, groups(Steps.of(self.services)), timedelta(seconds=1)):
            await self.worker.enter_async_context(worker)

    async def worker_goes(self) -> None:
        assert self.worker is not None
        worker, self.worker = self.worker, None
        await worker.aclose()
        self.line.hand_on(self.clock)

    async def database_comes(self) -> None:
        await self.admin.execute(text(f'ALTER DATABASE "{self.name}" ALLOW_CONNECTIONS true'))

    async def database_goes(self) -> None:
        await self.admin.execute(text(f'ALTER DATABASE "{self.name}" ALLOW_CONNECTIONS false'))
        await self.admin.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name AND pid <> :but"),
            {"name": self.name, "but": await self.clock.database.scalar(text("SELECT pg_backend_pid()"))},
        )


def _processor_used() -> float:
    """Seconds, of this process and those it has started; where the system does not tell of these, of this one."""
    ticks = 0
    children: list[str] = []
    # what is told of may have ended just now
    for told in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            children += told.read_text().split()
    for child in children:
        with suppress(OSError):
            after_name = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(after_name[11]) + int(after_name[12])  # utime, stime: fields 14 and 15 (proc_pid_stat(5))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def _patience() -> float:
    """`_QUIET`, longer where more want a processor than there are: what takes a second alone takes as much longer."""
    return _QUIET * min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), _LONGER)


@asynccontextmanager
async def world(database: str, settings: Settings) -> AsyncIterator[World]:
    """`database` is the address of an empty one of its own. No worker is there yet."""
    url = make_url(database)
    quick = {"isolation_level": "AUTOCOMMIT"}
    own = create_async_engine(url, **quick)
    other = create_async_engine(url.set(database="postgres"), **quick)
    model = Model()
    async with AsyncExitStack() as stack:
        stack.callback(model.stop)
        stack.push_async_callback(own.dispose)
        stack.push_async_callback(other.dispose)
        clocked = await stack.enter_async_context(own.connect())
        admin = await stack.enter_async_context(other.connect())
        for statement in _CLOCK:
            await clocked.execute(text(statement))
        await clocked.execute(text(f'ALTER DATABASE "{url.database}" SET search_path = test_clock, public, pg_catalog'))
        told = Clock(clocked)
        environment = await stack.enter_async_context(
            await WorkflowEnvironment.start_time_skipping(
                test_server_existing_path=str(await asyncio.to_thread(find_test_server)),
                test_server_startup_timeout=timedelta(seconds=60),
                data_converter=data_converter(),
                interceptors=[told],
            )
        )
        told.environment = environment
        await register(environment.client)
        line = await stack.enter_async_context(Line(environment.client.service_client.config.target_host).open(told))
        mine = settings.model_copy(
            update={
                "database_url": database,
                "openai_base_url": f"{model.url}/v1",
                "text_model": "gpt-6-luna",
            }
        )
        engine = open_engine(database, pool_size=20)
        stack.push_async_callback(engine.dispose)
        services = wire(mine, engine, open_sessions(engine))
        # results of workflows are not waited for: only `until` lets time leap
        with clock.use_clock(told.now), environment.auto_time_skipping_disabled():
            made = World(
                clock=told,
                line=line,
                environment=environment,
                client=environment.client,
                services=services,
                gateway=Gateway(environment.client, mine),
                model=model,
                admin=admin,
                name=str(url.database),
            )
            try:
                yield made
            finally:
                if made.worker:
                    await made.worker_goes()


async def register(client: Client) -> None:
    """The product's search attributes."""
    await client.operator_service.add_search_attributes(
        AddSearchAttributesRequest(
            namespace=client.namespace,
            search_attributes={
                key.name: IndexedValueType.ValueType(key.indexed_value_type) for key in SEARCH_ATTRIBUTES
            },
        )
    )
