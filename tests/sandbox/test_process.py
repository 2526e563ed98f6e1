import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sandbox.app import run_sandbox
from tests.patience import PATIENCE


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_and_stops_as_a_process(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "sandbox", "--port", "0", "--smtp-port", "0", "--data", str(tmp_path)]
    command += ["--stripe-webhooks", "http://127.0.0.1:8000/webhooks/"]
    environment = {**os.environ, "STRIPE_WEBHOOK_SECRET": "whsec_new,whsec_old"}
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[2].rstrip(",")
            assert httpx2.get(f"{url}sandbox/health").json() == {"status": "ok"}
            told = {"url": "http://127.0.0.1:8000/webhooks/", "secrets": 2}
            assert httpx2.get(f"{url}stripe/endpoint/").json() == told
            process.send_signal(number)
            output, errors = process.communicate(timeout=PATIENCE)
            assert (process.returncode, output, errors) == (0, "", "")
        finally:
            process.kill()  # Popen waits for it without end


@pytest.mark.slow
def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "sandbox", "--data", str(tmp_path)]
        port = str(taken.getsockname()[1])
        ended = subprocess.run([*command, "--port", port], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("The sandbox cannot start: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("localhost", 200), ("rebound.example", 400)])
async def test_a_name_that_was_led_here_is_not_answered(tmp_path: Path, host: str, status: int) -> None:
    """The outbox shows links that open accounts."""
    async with run_sandbox(tmp_path) as sandbox, httpx2.AsyncClient(base_url=sandbox.url) as client:
        port = sandbox.url.rpartition(":")[2]
        assert (await client.get("/sandbox/health", headers={"Host": f"{host}:{port}"})).status_code == status
