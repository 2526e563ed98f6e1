"""Traces from the request through workflows to their activities, as an OTLP receiver gets them."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from temporalio.client import WorkflowHistory
from temporalio.contrib.opentelemetry import TracingInterceptor
from temporalio.worker import Replayer
from uvicorn.config import STARTUP_FAILURE

from core.ids import new_id
from core.settings import ROOT, WrongSetting
from core.tracing import is_tracing_on, open_tracing
from temporal.client import data_converter
from temporal.registry import WORKFLOWS
from tests.conftest import Stack
from tests.http_server import Answer, Server
from tests.patience import PATIENCE
from tests.workflows.conftest import HISTORIES
from tests.workflows.support import automatic, written
from tests.workflows.workers import worker_process

TRACES = "/v1/traces"
SEARCHED = "somebodys-words"


@pytest.fixture
def model() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@contextmanager
def api_process(stack: Stack, log: Path) -> Iterator[str]:
    """`python -m api.server` on the database of this test. Yield its address."""
    settings = stack.services.settings
    environment = {
        **os.environ,
        "ENVIRONMENT": "test",
        "DATABASE_URL": str(settings.database_url),
        "DATA_DIR": str(settings.data_dir),
        "PUBLIC_URL": settings.public_url,
        "TEMPORAL_ADDRESS": stack.client.service_client.config.target_host,
    }
    with socket.create_server(("127.0.0.1", 0)) as listening, log.open("xb") as output:
        command = [sys.executable, "-m", "api.server", "--fd", str(listening.fileno())]
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output, pass_fds=[listening.fileno()]
        )
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            process.terminate()
            process.wait(PATIENCE)


def received(collector: Server) -> list[tuple[str, Span]]:
    """Return service and span of everything that was sent."""
    found = []
    for request in collector.requests:
        sent = ExportTraceServiceRequest.FromString(request.body)
        for resource in sent.resource_spans:
            [service] = [one.value.string_value for one in resource.resource.attributes if one.key == "service.name"]
            found += [(service, span) for scope in resource.scope_spans for span in scope.spans]
    return found


async def test_one_trace_leads_from_the_request_to_the_call_of_the_network(
    stack: Stack, server: Server, model: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers(TRACES, Answer(200))
    model.answers("/v1/responses", written("A text."))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    assistant = await automatic(stack)
    link = await stack.services.identity.sign_in_link(assistant.user_id)
    _, token = await stack.services.identity.sign_in_by_link(link, "a test")
    headers = {"Authorization": f"Bearer {token}"}

    expected = {
        ("postloom-api", "POST /api/assistants/{assistant_id}/activate/"),
        ("postloom-api", "StartUpdateWithStartWorkflow:AssistantWorkflow"),
        ("postloom-worker", "RunWorkflow:RunWorkflow"),
        ("postloom-worker", "RunActivity:write_checked"),
    }

    def names(trace: bytes) -> set[tuple[str, str]]:
        return {(service, span.name) for service, span in received(server) if span.trace_id == trace}

    with api_process(stack, tmp_path / "api") as url, worker_process(stack, model, tmp_path / "worker"):
        async with httpx2.AsyncClient(base_url=f"{url}/api", headers=headers, timeout=60) as client:
            (await client.get("/social-media-posts/", params={"search": SEARCHED})).raise_for_status()
            path = f"/assistants/{assistant.id}"
            (await client.post(f"{path}/activate/")).raise_for_status()
            (await client.post(f"{path}/run/", json={"request_id": str(new_id())})).raise_for_status()

        def of_the_delivery() -> set[tuple[str, str]]:
            traces = [span.trace_id for _, span in received(server) if span.name == "RunActivity:deliver"]
            return names(traces[0]) if traces else set()

        # each process sends its spans in its own time
        deadline = time.monotonic() + PATIENCE
        while not expected <= of_the_delivery() and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        assert expected - of_the_delivery() == set(), sorted({(service, one.name) for service, one in received(server)})
    spans = received(server)
    [asked] = [span for _, span in spans if span.name.endswith("/activate/")]
    said = {attribute.key: attribute.value.string_value for attribute in asked.attributes}
    assert (said["http.route"], said["url.path"]) == ("/api/assistants/{assistant_id}/activate/", "")
    sent = b"".join(request.body for request in server.requests)
    assert SEARCHED.encode() not in sent
    assert token.encode() not in sent


@pytest.mark.parametrize("story", ["run.published-with-image", "assistant.paused-and-rolled"])
async def test_histories_from_before_replay_with_traces_on(story: str) -> None:
    history = WorkflowHistory.from_json(story, (HISTORIES / f"{story}.json").read_text())
    replayer = Replayer(workflows=WORKFLOWS, data_converter=data_converter(), interceptors=[TracingInterceptor()])
    await replayer.replay_workflow(history)


def test_traces_are_off_unless_a_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    assert not is_tracing_on()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert is_tracing_on()
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    assert not is_tracing_on()


def test_without_the_packages_the_start_says_which_extra_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    with pytest.raises(WrongSetting, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT: needs .*postloom\[tracing\]"):
        open_tracing("api")


@pytest.mark.parametrize(
    ("call", "code"),
    [("server import serve; serve([], processes=2)", 1), ("app import create_app; create_app()", STARTUP_FAILURE)],
)
def test_no_process_is_started_again_and_again_without_the_packages(call: str, code: int, tmp_path: Path) -> None:
    # in child processes too
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['opentelemetry.sdk.trace.export'] = None")
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": str(tmp_path),
        "DATA_DIR": str(tmp_path),
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
    }
    command = [sys.executable, "-c", f"from api.{call}"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    assert "OTEL_EXPORTER_OTLP_ENDPOINT: needs the packages" in done.stderr
