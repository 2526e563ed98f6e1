"""The address where Prometheus reads the metrics of this process."""

import asyncio
import logging
import time
import urllib.request
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import TYPE_CHECKING, Final, Literal, cast

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import REGISTRY, GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool

from core.monitoring.figures import Figures, FiguresService
from core.settings import Settings, version

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

Role = Literal["api", "worker"]

_PORTS: Final = 20
"""Processes of one host that may have metrics: each takes the first free port from METRICS_PORT on."""
_CACHED: Final = 10.0  # seconds
_QUERIES: Final = 5.0  # seconds
_LOOP_PATIENCE: Final = 3.0  # seconds
_DIRECTLY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""The page is on this machine: without the proxy of HTTP_PROXY."""


@dataclass(eq=False)
class FiguresCollector(Collector):
    """Gauges about the database. Queries run in the event loop, the page is made in a thread of its server."""

    service: FiguresService
    loop: asyncio.AbstractEventLoop
    _read_at: float = field(default=-_CACHED, init=False)
    _figures: Figures | None = field(default=None, init=False)

    def collect(self) -> Iterator[Metric]:
        figures = self._read()
        yield GaugeMetricFamily("postloom_database_up", "Whether the database answers.", value=figures is not None)
        if figures is None:
            return
        for name, text, label, counts in (
            (
                "held_deliveries",
                "Deliveries that wait for an account, a network or a setting.",
                "network",
                figures.held,
            ),
            ("unknown_deliveries", "Deliveries whose outcome a person has to decide.", "network", figures.unknown),
            ("assistants", "Assistants by phase.", "phase", figures.assistants),
            ("open_runs", "Runs that have not ended; ready ones are prepared.", "state", figures.open_runs),
            ("expiring_grants", "Grants that end within 7 days.", "network", figures.expiring_grants),
        ):
            family = GaugeMetricFamily(f"postloom_{name}", text, labels=[label])
            for value, count in counts.items():
                family.add_metric([value], count)
            yield family
        yield GaugeMetricFamily(
            "postloom_oldest_due_delivery_seconds",
            "How long the due delivery that could go out and has waited longest has waited; 0 without one.",
            value=figures.oldest_due.total_seconds(),
        )

    def _read(self) -> Figures | None:
        """Return the figures, at most ten seconds old, or None while the database is away."""
        if time.monotonic() - self._read_at < _CACHED:
            return self._figures
        reading = asyncio.run_coroutine_threadsafe(self.service.read(), self.loop)
        try:
            self._figures = reading.result(_QUERIES)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            reading.cancel()
            logger.warning("metrics: the database is unavailable (%s)", type(error).__name__)
            self._figures = None
        self._read_at = time.monotonic()
        return self._figures


@dataclass(frozen=True)
class PoolCollector(Collector):
    """The connections of this process's database pool."""

    engine: AsyncEngine

    def collect(self) -> Iterator[Metric]:
        pool = cast(QueuePool, self.engine.pool)
        family = GaugeMetricFamily("postloom_database_connections", "Pooled connections.", labels=["state"])
        family.add_metric(["in_use"], pool.checkedout())
        family.add_metric(["idle"], pool.checkedin())
        yield family


@dataclass(frozen=True)
class ProcessCollector(Collector):
    """What this process is."""

    role: Role

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily("postloom_info", "Role and release of this process.", labels=["role", "version"])
        family.add_metric([self.role, version()], 1)
        yield family


@dataclass(eq=False)
class PageCollector(Collector):
    """The metrics of another page, here of Temporal's SDK, which serves its own. Without that page they are left
    out."""

    url: str
    _is_missing: bool = field(default=False, init=False)

    def collect(self) -> Iterator[Metric]:
        try:
            with _DIRECTLY.open(self.url, timeout=_QUERIES) as page:
                families = list(text_string_to_metric_families(page.read().decode()))
        except (OSError, HTTPException, ValueError) as error:
            if not self._is_missing:
                logger.warning("metrics: the page of Temporal's SDK cannot be read (%s)", type(error).__name__)
            self._is_missing = True
            return
        self._is_missing = False
        yield from families


def _while_loop_runs(page: "WSGIApplication", loop: asyncio.AbstractEventLoop) -> "WSGIApplication":
    """Return an application with the page's answers, and status 500 while the event loop is blocked: the page has
    threads of its own, but a process whose loop is blocked does no work."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        turn = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop)
        try:
            turn.result(_LOOP_PATIENCE)
        except TimeoutError:
            turn.cancel()
            logger.error("metrics: the event loop has been blocked for %d s", _LOOP_PATIENCE)
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"the event loop is blocked\n"]
        return page(environ, start_response)

    return answer


@asynccontextmanager
async def serve_metrics(
    settings: Settings, role: Role, engine: AsyncEngine, figures: FiguresService, *, pages: tuple[str, ...] = ()
) -> AsyncIterator[str | None]:
    """Serve the metrics while the block runs, with those of other `pages` of this process. Yield the address, or None
    if METRICS_PORT is not set or no port from there on is free."""
    if settings.metrics_port is None:
        yield None
        return
    registry = CollectorRegistry()
    for collector in (
        REGISTRY,
        ProcessCollector(role),
        PoolCollector(engine),
        FiguresCollector(figures, asyncio.get_running_loop()),
        *map(PageCollector, pages),
    ):
        registry.register(collector)
    with ExitStack() as closing:
        for port in range(settings.metrics_port, settings.metrics_port + _PORTS):
            try:
                server, thread = start_http_server(port, settings.metrics_host, registry)
            except OSError:  # taken by another process
                continue
            break
        else:
            logger.error("no metrics: no port of METRICS_PORT and the %d after it is free", _PORTS - 1)
            yield None
            return
        closing.callback(server.server_close)
        app = server.get_app()
        assert app is not None
        server.set_app(_while_loop_runs(app, asyncio.get_running_loop()))
        address = f"http://{settings.metrics_host}:{port}/metrics"
        logger.info("metrics at %s", address)
        try:
            yield address
        finally:
            # a page that is being made waits for this event loop
            await asyncio.to_thread(server.shutdown)
            await asyncio.to_thread(thread.join)
