"""The worker, `python -m temporal`: the only place where services meet activities."""

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
from temporalio.runtime import LogForwardingConfig, LoggingConfig, PrometheusConfig, Runtime, TelemetryConfig
from temporalio.service import RPCError
from temporalio.worker import PollerBehaviorAutoscaling, Worker, WorkerTuner

from core.assistants.rules import public_holidays
from core.clock import utcnow
from core.container import Services, open_services
from core.database import log_failure
from core.observability import configure_logs
from core.settings import Settings, load_environment, read_settings
from core.settings_check import warnings
from core.workers.health import BEAT
from temporal import background, dead_workers
from temporal.attributes import register_attributes
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.interceptors import DomainErrors
from temporal.registry import Steps, WorkerGroup, groups, queues
from temporal.rounds import APPLICATION_NAME

logger = logging.getLogger("temporal.worker")

POOL_SIZE = 20
"""Connections of a worker's pool to the database; twice as many under load. Beside it a worker has at most two for its
probes, one that listens and one that holds its lock: 44 (`docs/operating.md`)."""

_DESCRIPTORS = 16_384


def build_workers(client: Client, all_groups: Sequence[WorkerGroup], graceful: timedelta) -> list[Worker]:
    """Return one worker per queue. Workflow workers have fixed slots: use more processes for more cores."""
    return [
        Worker(
            client,
            task_queue=group.queue,
            workflows=group.workflows,
            activities=group.steps,
            interceptors=[DomainErrors()],
            tuner=WorkerTuner.create_fixed(
                workflow_slots=40 if group.workflows else None,
                activity_slots=group.step_slots,
                local_activity_slots=20 if group.workflows else None,
            ),
            max_cached_workflows=group.cached if group.workflows else 0,
            # after a worker was killed, its cached workflows move to others after this time instead of ten seconds
            sticky_queue_schedule_to_start_timeout=timedelta(seconds=5),
            workflow_task_poller_behavior=PollerBehaviorAutoscaling(maximum=20),
            activity_task_poller_behavior=PollerBehaviorAutoscaling(maximum=20),
            max_heartbeat_throttle_interval=group.heartbeats,
            graceful_shutdown_timeout=graceful,
        )
        for group in all_groups
    ]


@asynccontextmanager
async def run_worker(
    client: Client, services: Services, *, all_groups: Sequence[WorkerGroup] | None = None, graceful: timedelta
) -> AsyncIterator[None]:
    """Run workers, health beat and background loops while the block runs."""
    gateway = Gateway(client, services.settings)
    async with AsyncExitStack() as stack:
        # until the last activity has ended: without its lock this process counts as dead
        stack.push_async_callback(_cancel, asyncio.create_task(dead_workers.watch(services, gateway)))
        for worker in build_workers(client, all_groups or groups(Steps.of(services)), graceful):
            await stack.enter_async_context(worker)
        # takes a quarter of a second, which no plan and no armed delivery should wait for
        calendars = asyncio.create_task(asyncio.to_thread(public_holidays.load))
        name = f"{socket.gethostname()}-{os.getpid()}"
        beat = asyncio.create_task(_beat(services, name))
        loops = asyncio.create_task(background.run(services, gateway))
        try:
            yield
        finally:
            for task in (beat, loops):
                task.cancel()
            await asyncio.gather(calendars, beat, loops, return_exceptions=True)
            with suppress(SQLAlchemyError, OSError):
                await services.health.leave(name)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _beat(services: Services, name: str) -> None:
    while True:
        try:
            await services.health.beat(name, queues())
        except (SQLAlchemyError, OSError) as error:
            log_failure(logger, "heartbeat", error)
        await asyncio.sleep(BEAT.total_seconds())


def open_runtime(settings: Settings) -> None:
    """Set up metrics and the core's logs; call before the first client of the process."""
    metrics = (
        PrometheusConfig(
            bind_address=f"{settings.host}:{settings.metrics_port}",
            durations_as_seconds=True,
            unit_suffix=True,
            counters_total_suffix=True,
        )
        if settings.metrics_port
        else None
    )
    logs = LoggingConfig(
        filter=LoggingConfig.default.filter,
        forwarding=LogForwardingConfig(logger=logging.getLogger("temporal.core")),
    )
    Runtime.set_default(Runtime(telemetry=TelemetryConfig(metrics=metrics, logging=logs)))


async def _connect(settings: Settings, stop: asyncio.Event) -> Client | None:
    """Connect to Temporal, which may start later than its worker. Return None if stopped meanwhile."""
    pause = 0.1
    while not stop.is_set():
        try:
            client = await connect(settings)
            await register_attributes(client)
            return client
        except (RPCError, RuntimeError) as error:
            logger.warning("Temporal is unavailable, retrying: %s", str(error)[:200])
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
            pause = min(pause * 2, 2.0)
    return None


def _raise_descriptor_limit() -> None:
    """Each armed delivery has a connection, and often only 1,024 descriptors are allowed at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def main() -> None:
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    open_runtime(settings)
    _raise_descriptor_limit()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    client = await _connect(settings, stop)
    if client is None:
        return
    async with (
        open_services(settings, pool_size=POOL_SIZE, application=APPLICATION_NAME) as services,
        run_worker(client, services, graceful=timedelta(seconds=settings.graceful_seconds)),
    ):
        for warning in warnings(settings, services.prices, utcnow().date()):
            logger.warning("%s", warning)
        logger.info("polling %s", ", ".join(queues()))
        await stop.wait()
        logger.info("stopping: waiting at most %d s for running steps", settings.graceful_seconds)
