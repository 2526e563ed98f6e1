"""The lines of API and worker as a machine reads them: JSON alone, with the ids of what they are about."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.responses import StreamingResponse
from temporalio.client import Client

from api.app import bare_app
from cli.__main__ import log_failure
from core.assistants.rules.assistants import RunState
from core.observability import configure_logs
from core.settings import ROOT, WrongSetting
from core.users.tables.users import User
from temporal.client import RequestIds
from temporal.gateway import Gateway
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack, browsing
from tests.http_server import Answer, Server
from tests.monitoring.test_tracing import api_process
from tests.patience import PATIENCE
from tests.serving import serve
from tests.workflows.support import automatic, eventually, outcome, run_once, soon
from tests.workflows.workers import takes_tasks, worker_process
from workflows.names import assistant_workflow

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    root = logging.getLogger()
    handlers, level, hook = list(root.handlers), root.level, sys.excepthook
    configure_logs("json")
    written = io.StringIO()
    [handler] = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(written)
    yield lambda: list(map(json.loads, written.getvalue().splitlines()))
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.excepthook = hook
    logging.captureWarnings(False)


@pytest.fixture
def model() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


async def test_each_request_is_a_line_with_route_user_and_time(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User, lines: Lines
) -> None:
    answer = await api.get("/social-media-posts/00000000-0000-0000-0000-000000000001/", params={"q": "secret-words"})
    await anonymous.get("/social-media-posts/")
    known, unknown = [line for line in lines() if line["logger"] == "api.access"]
    assert (known["method"], known["route"], known["status"]) == ("GET", "/social-media-posts/{post_id}/", 404)
    assert known["user_id"] == str(user.id)
    assert known["request_id"] == answer.headers["X-Request-ID"]
    assert known["duration_ms"] > 0
    assert unknown["status"] == 401
    assert "user_id" not in unknown
    assert "secret-words" not in json.dumps(lines())


async def test_a_probe_is_a_line_only_where_it_fails(api: httpx2.AsyncClient, lines: Lines) -> None:
    base = str(api.base_url).removesuffix("/api/")
    await api.get(f"{base}/healthz")
    assert [line for line in lines() if line["logger"] == "api.access"] == []
    await api.get(f"{base}/readyz")  # Temporal is away
    [line] = [line for line in lines() if line["logger"] == "api.access"]
    assert (line["route"], line["status"]) == ("/readyz", 503)


async def test_a_failed_delivery_has_all_ids(stack: Stack, lines: Lines) -> None:
    await stack.networks.fail(on="posts", kind="status", status=422, times=9)
    assistant = await automatic(stack)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert (await run_once(stack, assistant, slot)).state == RunState.failed
    run, post, delivery = await outcome(stack, assistant, slot)
    [line] = [line for line in lines() if line["event"].startswith(f"delivery {delivery.id} failed")]
    told = {name: line[name] for name in ("user_id", "run_id", "post_id", "delivery_id", "workflow_id", "activity")}
    assert told == {
        "user_id": str(assistant.user_id),
        "run_id": str(run.id),
        "post_id": str(post.id),
        "delivery_id": str(delivery.id),
        "workflow_id": run.workflow_id,
        "activity": "deliver",
    }


async def test_a_request_leaves_its_id_in_the_workflow_that_it_starts(stack: Stack) -> None:
    config = stack.client.config()
    config["interceptors"] = [RequestIds()]
    client = Client(**config)
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    async with (
        run_worker(stack.client, stack.services, graceful=GRACEFUL),
        browsing(stack.services, Gateway(client, stack.services.settings), user) as api,
    ):
        answer = (await api.post(f"/assistants/{assistant.id}/activate/")).raise_for_status()
        described = await client.get_workflow_handle(assistant_workflow(assistant.id)).describe()
        assert await described.memo_value("request_id") == answer.headers["X-Request-ID"]


def test_an_address_is_masked(lines: Lines) -> None:
    logging.getLogger("mail").warning("refused: %s", "550 <ada@example.org>: no such user")
    assert lines()[0]["event"] == "refused: 550 <[address]>: no such user"
    try:
        raise ValueError("550 <ada@example.org>: no such user")
    except ValueError:
        logging.getLogger("mail").exception("refused", extra={"color_message": "\x1b[1mrefused"})
    line = lines()[1]
    assert "ValueError: 550 <[address]>" in line["exception"]
    assert "ada@" not in str(line)
    assert "color_message" not in line


async def test_a_defect_of_a_request_has_one_traceback(lines: Lines) -> None:
    app = bare_app()

    @app.get("/defect")
    async def defect() -> None:
        raise KeyError("a defect")

    @app.get("/half")
    async def half() -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            yield b"the first part"
            raise KeyError("a defect")

        return StreamingResponse(parts())

    async with serve(app) as url, httpx2.AsyncClient() as client:
        assert (await client.get(f"{url}/defect")).status_code == 500
        with pytest.raises(httpx2.RemoteProtocolError):  # the answer is not taken for complete
            await client.get(f"{url}/half")
    found = [line for line in lines() if "exception" in line]
    assert [line["event"] for line in found] == ["unhandled error at /defect", "unhandled error at /half"]
    assert all(line["request_id"] for line in found)


def test_a_defect_of_a_command_is_logged_with_its_traceback(capsys: pytest.CaptureFixture[str], lines: Lines) -> None:
    for error in (WrongSetting("PORT", "is wrong"), KeyError("a defect")):
        try:
            raise error
        except Exception as raised:
            log_failure(raised)
    expected, defect = map(json.loads, capsys.readouterr().err.splitlines())
    assert (expected["event"], "exception" in expected) == ("PORT: is wrong", False)
    assert "Traceback" in defect["exception"]


async def test_all_lines_of_the_processes_are_json(
    stack: Stack, model: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.answers("/v1/responses", Answer(500))
    monkeypatch.setenv("LOG_FORMAT", "json")
    with api_process(stack, tmp_path / "api") as url, worker_process(stack, model, tmp_path / "worker") as worker:
        await takes_tasks(worker, tmp_path / "worker")
        async with httpx2.AsyncClient(timeout=60) as client:

            async def answers() -> bool:
                try:
                    return (await client.get(f"{url}/api/channels/")).status_code == 401
                except httpx2.HTTPError:
                    return False

            await eventually(answers)
    for name in ("api", "worker"):
        found = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert len(found) > 1
        assert all({"event", "level", "timestamp"} <= line.keys() for line in found)
    assert "uvicorn.error" in (tmp_path / "api").read_text()


@pytest.mark.parametrize("code", ["import api.server as s; s.serve([])", "import temporal.__main__ as m; m.main()"])
def test_what_ends_a_start_is_one_line_of_json(code: str, tmp_path: Path) -> None:
    environment = {
        "PATH": os.defpath,
        "LOG_FORMAT": "json",
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "DATA_DIR": str(tmp_path),
        "METRICS_HOST": "127.0.0.1",
        "TEMPORAL_TLS_CLIENT_CERT_PATH": str(tmp_path / "missing.pem"),
        "TEMPORAL_TLS_CLIENT_KEY_PATH": str(tmp_path / "missing.key"),
    }
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode != 0
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert any("FileNotFoundError" in json.dumps(line) for line in found), done.stderr
