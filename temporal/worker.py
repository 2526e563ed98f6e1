"""The worker, `postloom worker`: the only place where services meet activities."""

import asyncio
import logging
import os
import resource
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError
from temporalio.client import Client
from temporalio.common import WorkerDeploymentVersion
from temporalio.service import RPCError
from temporalio.worker import PollerBehaviorAutoscaling, Worker, WorkerTuner

from core.assistants.rules import public_holidays
from core.clock import utcnow
from core.container import Services, open_services
from core.database import log_failure
from core.installation.start_checks import StartDelayed
from core.monitoring.figures import FiguresService
from core.monitoring.serving import serve_metrics
from core.observability import configure_logs
from core.settings import Settings, load_environment, read_settings
from core.settings_check import check_settings, warnings
from core.tracing import close_tracing, open_tracing
from core.workers.health import BEAT
from temporal import background, dead_workers
from temporal.attributes import ensure_namespace, register_attributes
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.interceptors import DeliveryCounts, DomainErrors, LogContext
from temporal.registry import Steps, WorkerGroup, groups
from temporal.rounds import APPLICATION_NAME
from temporal.runtime import open_runtime
from temporal.versioning import deployment_config, own_version, workflow_runner

logger = logging.getLogger("temporal.worker")

POOL_SIZE = 20
"""Connections of a worker's pool to the database; twice as many under load. Beside it a worker has at most two for its
probes, one that listens and one that holds its lock: 44 (`docs/operating.md`)."""

_DESCRIPTORS = 16_384


def build_workers(
    client: Client,
    all_groups: Sequence[WorkerGroup],
    graceful: timedelta,
    version: WorkerDeploymentVersion | None = None,
) -> list[Worker]:
    """Return one worker per queue. Workflow workers have fixed slots: use more processes for more cores. `version`:
    that of the workers, None without Worker Versioning."""
    return [
        Worker(
            client,
            task_queue=group.queue,
            workflows=group.workflows,
            activities=group.steps,
            interceptors=[LogContext(), DomainErrors(), DeliveryCounts()],
            deployment_config=deployment_config(version),
            workflow_runner=workflow_runner(version),
            tuner=WorkerTuner.create_fixed(
                workflow_slots=40 if group.workflows else None,
                activity_slots=group.step_slots,
                local_activity_slots=20 if group.workflows else None,
            ),
            max_cached_workflows=group.cached if group.workflows else 0,
            # How long a task waits for the worker that has its workflow in memory; then any worker takes it and replays
            # the history. Longer than a busy worker lets tasks wait: replays would make it busier still. Shorter than
            # ARM_SECONDS: the workflows of a worker that was killed arm their deliveries in time.
            sticky_queue_schedule_to_start_timeout=timedelta(seconds=10),
            workflow_task_poller_behavior=PollerBehaviorAutoscaling(maximum=20),
            activity_task_poller_behavior=PollerBehaviorAutoscaling(maximum=20),
            max_heartbeat_throttle_interval=group.heartbeats,
            graceful_shutdown_timeout=graceful,
        )
        for group in all_groups
    ]


@asynccontextmanager
async def run_worker(
    client: Client,
    services: Services,
    *,
    all_groups: Sequence[WorkerGroup] | None = None,
    loops: bool = True,
    graceful: timedelta,
) -> AsyncIterator[None]:
    """Run workers, health beat and, unless `loops` is off, background loops while the block runs."""
    gateway = Gateway(client, services.settings)
    polled = all_groups or groups(Steps.of(services))
    async with AsyncExitStack() as stack:
        # until the last activity has ended: without its lock this process counts as dead
        stack.push_async_callback(_cancel, asyncio.create_task(dead_workers.watch(services, gateway)))
        for worker in build_workers(client, polled, graceful, own_version(services.settings)):
            await stack.enter_async_context(worker)
        # takes a quarter of a second, which no plan and no armed delivery should wait for
        calendars = asyncio.create_task(asyncio.to_thread(public_holidays.load))
        name = f"{socket.gethostname()}-{os.getpid()}"
        tasks = [asyncio.create_task(_beat(services, name, [group.queue for group in polled]))]
        if loops:
            tasks.append(asyncio.create_task(background.run(services, gateway)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(calendars, *tasks, return_exceptions=True)
            with suppress(SQLAlchemyError, OSError):
                await services.health.leave(name)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _beat(services: Services, name: str, polled: list[str]) -> None:
    while True:
        try:
            await services.health.beat(name, polled)
        except (SQLAlchemyError, OSError) as error:
            log_failure(logger, "heartbeat", error)
        await asyncio.sleep(BEAT.total_seconds())


async def _connect(settings: Settings, stop: asyncio.Event) -> Client | None:
    """Connect to Temporal, which may start later than its worker. Return None if stopped meanwhile. Raise StartRefused
    if its namespace or search attributes are missing and cannot be made."""
    pause = 0.1
    while not stop.is_set():
        try:
            client = await connect(settings)
            await ensure_namespace(client)
            await register_attributes(client)
            return client
        except (RPCError, RuntimeError) as error:
            logger.warning("Temporal is unavailable, retrying: %s", str(error)[:200])
            pause = await _wait(stop, pause)
    return None


async def _pass_start_checks(services: Services, stop: asyncio.Event) -> None:
    """Wait for database and storage, which may start later than their worker. Raise StartRefused."""
    pause = 0.1
    while not stop.is_set():
        try:
            return await services.start_checks.run()
        except StartDelayed as delayed:
            logger.warning("waiting: %s: %s", delayed, delayed.reason[:200])
            pause = await _wait(stop, pause)
    return None


async def _wait(stop: asyncio.Event, seconds: float) -> float:
    """Return how long to wait the next time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
    return min(seconds * 2, 2.0)


def _raise_descriptor_limit() -> None:
    """Each armed delivery has a connection, and often only 1,024 descriptors are allowed at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def main(only: Sequence[str] = (), *, loops: bool = True) -> None:
    """Run a worker until a signal: for the queues `only`, or for all. Raise WrongSetting or StartRefused."""
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    check_settings(settings)
    open_tracing("worker")
    pages = open_runtime(settings)
    _raise_descriptor_limit()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    graceful = timedelta(seconds=settings.graceful_seconds)
    async with (
        open_services(settings, pool_size=POOL_SIZE, application=APPLICATION_NAME) as services,
        AsyncExitStack() as stack,
    ):
        stack.push_async_callback(asyncio.to_thread, close_tracing)
        figures = FiguresService(services.health.probes)
        # first: a worker that waits for Temporal or the database is alive
        await stack.enter_async_context(serve_metrics(settings, "worker", services.engine, figures, pages=pages))
        client = await _connect(settings, stop)
        if client is None:
            return
        await _pass_start_checks(services, stop)
        if stop.is_set():
            return
        polled = [group for group in groups(Steps.of(services)) if not only or group.queue in only]
        await stack.enter_async_context(run_worker(client, services, all_groups=polled, loops=loops, graceful=graceful))
        for warning in warnings(settings, services.prices, utcnow().date()):
            logger.warning("%s", warning)
        build = settings.temporal_worker_build_id
        logger.info(
            "polling %s%s",
            ", ".join(group.queue for group in polled),
            f" as build {build}, which gets work by `postloom deploy`" if build else "",
        )
        await stop.wait()
        logger.info("stopping: waiting at most %d s for running steps", settings.graceful_seconds)
