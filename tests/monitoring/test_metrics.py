"""The metrics of a process, as Prometheus reads them."""

import asyncio
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import Unavailable
from core.media.storage import open_storage
from core.monitoring.figures import FiguresService
from core.monitoring.serving import serve_metrics
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.social_accounts.tables import Grant
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.workflows.support import automatic, outcome, run_once, soon, with_model, written
from tests.workflows.workers import worker_process

Sample = tuple[str, frozenset[tuple[str, str]]]


def free_port() -> int:
    """Return a port with free ones after it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def total(name: str, **labels: str) -> float:
    """Return the sum over all other labels."""
    found = [one for family in REGISTRY.collect() for one in family.samples if one.name == name]
    return sum(one.value for one in found if labels.items() <= one.labels.items())


def samples(page: str) -> dict[Sample, float]:
    families = text_string_to_metric_families(page)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


async def page(address: str | None) -> dict[Sample, float]:
    assert address is not None
    async with httpx2.AsyncClient() as client:
        return samples((await client.get(address)).raise_for_status().text)


def named(name: str, **labels: str) -> Sample:
    return name, frozenset(labels.items())


@pytest.fixture
def model() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


async def test_a_published_post_is_counted_with_its_lateness_and_its_model(stack: Stack, model: Server) -> None:
    model.answers("/v1/responses", written("A text."))
    stack = with_model(stack, model.url)
    late = "postloom_delivery_lateness_seconds"
    before = (
        counted("postloom_deliveries_total", network="linkedin", outcome="published"),
        counted(f"{late}_count", network="linkedin", attempt="first"),
        total("postloom_model_calls_total", model="test-model", outcome="succeeded"),
    )
    assistant = await automatic(stack)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert (await run_once(stack, assistant, soon(0))).state == RunState.published
    assert counted("postloom_deliveries_total", network="linkedin", outcome="published") == before[0] + 1
    assert counted(f"{late}_count", network="linkedin", attempt="first") == before[1] + 1
    assert total("postloom_model_calls_total", model="test-model", outcome="succeeded") == before[2] + 1


async def test_the_database_is_read_at_a_scrape(stack: Stack) -> None:
    services = stack.services
    assistant = await automatic(stack)
    slot = soon(0)
    async with run_worker(stack.client, services, graceful=GRACEFUL):
        await run_once(stack, assistant, slot)
    _, post, delivery = await outcome(stack, assistant, slot)
    async with services.sessions.begin() as session:
        due = {"status": PostStatus.complete, "planned_at": utcnow() - timedelta(minutes=5)}
        await session.execute(update(Post).where(Post.id == post.id).values(**due))
        due_delivery = {"state": DeliveryState.pending, "called_at": None, "updated_at": due["planned_at"]}
        await session.execute(update(Delivery).values(**due_delivery))
        await session.execute(update(Grant).values(expires_at=utcnow() + timedelta(days=3)))
    found = await _read(services)
    assert found[named("postloom_database_up")] == 1
    assert 300 <= found[named("postloom_oldest_due_delivery_seconds")] < 330
    assert found[named("postloom_expiring_grants", network="linkedin")] == 1
    assert found[named("postloom_info", role="api", version="0.1.0")] == 1
    assert found[named("postloom_database_connections", state="in_use")] >= 0
    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).values(state=DeliveryState.held))
    found = await _read(services)
    # what waits for its user is not late
    assert found[named("postloom_oldest_due_delivery_seconds")] == 0
    assert found[named("postloom_held_deliveries", network="linkedin")] == 1
    async with services.sessions.begin() as session:
        processed_until = utcnow() + timedelta(minutes=1)
        await session.execute(update(Delivery).values(**due_delivery, staged_ready_at=processed_until))
    # nor what its network still processes
    assert (await _read(services))[named("postloom_oldest_due_delivery_seconds")] == 0
    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).values(state=DeliveryState.unknown))
    assert (await _read(services))[named("postloom_unknown_deliveries", network="linkedin")] == 1


async def _read(services: Services) -> dict[Sample, float]:
    settings = services.settings.model_copy(update={"metrics_port": free_port()})
    figures = FiguresService(services.health.probes)
    async with serve_metrics(settings, "api", services.engine, figures) as address:
        return await page(address)


async def test_a_database_that_is_away_is_told(stack: Stack) -> None:
    gone = stack.services.settings.model_copy(update={"metrics_port": free_port()})

    class Away(FiguresService):
        async def read(self) -> object:  # type: ignore[override]
            raise OSError("away")

    async with serve_metrics(gone, "worker", stack.services.engine, Away(stack.services.sessions)) as address:
        found = await page(address)
    assert found[named("postloom_database_up")] == 0
    assert named("postloom_oldest_due_delivery_seconds") not in found


async def test_without_the_sdks_page_the_others_are_served(
    stack: Stack, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a proxy, which does not reach this machine's pages
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    services = stack.services
    settings = services.settings.model_copy(update={"metrics_port": free_port()})
    figures = FiguresService(services.health.probes)
    server.answers("/metrics", Answer(200, b"temporal_long_request 7\n"))
    server.answers("/broken", Answer(200, b"<html>{\n"))
    for path, is_there in (("/metrics", True), ("/gone", False), ("/broken", False)):
        pages = (f"{server.url}{path}",)
        async with serve_metrics(settings, "worker", services.engine, figures, pages=pages) as address:
            assert address is not None
            found = samples(await asyncio.to_thread(_read_directly, address))
        assert (named("temporal_long_request") in found) == is_there
        assert found[named("postloom_database_up")] == 1


def _read_directly(address: str) -> str:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=30) as answer:
        return str(answer.read().decode())


async def test_a_blocked_event_loop_is_told_from_a_database_that_is_away(stack: Stack) -> None:
    services = stack.services
    settings = services.settings.model_copy(update={"metrics_port": free_port()})
    figures = FiguresService(services.health.probes)
    async with serve_metrics(settings, "worker", services.engine, figures) as address:
        assert address is not None
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(_read_directly, address)
            time.sleep(5)  # noqa: ASYNC251 - the loop is blocked
            with pytest.raises(urllib.error.HTTPError, match="500"):
                asked.result(1)
        assert named("postloom_database_up") in await page(address)


async def test_a_second_process_takes_the_next_port(stack: Stack) -> None:
    services = stack.services
    settings = services.settings.model_copy(update={"metrics_port": free_port()})
    figures = FiguresService(services.health.probes)
    async with (
        serve_metrics(settings, "worker", services.engine, figures) as first,
        serve_metrics(settings, "worker", services.engine, figures) as second,
    ):
        assert first != second
        assert await page(first)
        assert await page(second)


async def test_nothing_listens_without_a_port(stack: Stack) -> None:
    figures = FiguresService(stack.services.health.probes)
    async with serve_metrics(stack.services.settings, "worker", stack.services.engine, figures) as address:
        assert address is None


async def test_requests_are_counted_by_route_template(api: httpx2.AsyncClient) -> None:
    one = {"method": "GET", "route": "/social-media-posts/{post_id}/"}
    before = counted("postloom_http_requests_total", **one, status="404")
    await api.get("/social-media-posts/00000000-0000-0000-0000-000000000001/")
    await api.head("/social-media-posts/00000000-0000-0000-0000-000000000002/")
    await api.request("BREW", "/no/such/place/")
    assert counted("postloom_http_requests_total", **one, status="404") == before + 1
    assert counted("postloom_http_requests_total", **one | {"method": "HEAD"}, status="404") >= 1
    assert counted("postloom_http_requests_total", method="other", route="none", status="404") >= 1
    assert counted("postloom_http_request_duration_seconds_count", **one) >= 1


async def test_a_failure_of_the_storage_is_counted() -> None:
    before = counted("postloom_storage_failures_total")
    with pytest.raises(Unavailable):
        await open_storage("file:///proc/nowhere").put("a", b"", "image/png")
    assert counted("postloom_storage_failures_total") == before + 1


async def test_two_workers_of_one_host_serve_the_sdks_metrics_too(
    stack: Stack, model: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("METRICS_PORT", str(port))
    started = named("postloom_info", role="worker", version="0.1.0")
    with worker_process(stack, model, tmp_path / "first"), worker_process(stack, model, tmp_path / "second"):
        async with asyncio.timeout(PATIENCE):
            served: list[dict[Sample, float]] = []
            # others may have taken a port between them
            while len(served) < 2:
                await asyncio.sleep(0.2)
                pages = [await _page_or_nothing(f"http://127.0.0.1:{port + step}/metrics") for step in range(10)]
                served = [one for one in pages if any(name.startswith("temporal_") for name, _ in one)]
        assert [one[started] for one in served] == [1, 1]


async def _page_or_nothing(address: str) -> dict[Sample, float]:
    try:
        return await page(address)
    except httpx2.HTTPError:
        return {}
