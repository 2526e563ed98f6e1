"""Workers as processes of their own, which can be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tests.conftest import Stack
from tests.patience import PATIENCE
from tests.workflows.support import eventually

ROOT = Path(__file__).parents[2]


class Address(Protocol):
    """A model server, whoever it is."""

    @property
    def url(self) -> str: ...


@contextmanager
def worker_process(stack: Stack, model: Address, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`python -m temporal` on the database of this test, with a log of its own; stopped at the end."""
    settings = stack.services.settings
    assert settings.database_url
    env = {
        **os.environ,
        "ENVIRONMENT": "test",
        "DATABASE_URL": settings.database_url,
        "DATA_DIR": str(settings.data_dir),  # has the key of the tokens
        "PUBLIC_URL": settings.public_url,
        "OPENAI_BASE_URL": f"{model.url}/v1",
        "TEXT_MODEL": "test-model",
        "TEMPORAL_ADDRESS": stack.client.service_client.config.target_host,
        "TEMPORAL_NAMESPACE": "default",
        "TEMPORAL_TLS": "false",
        "GRACEFUL_SECONDS": "1",
    }
    with log.open("xb") as output:
        process = subprocess.Popen([sys.executable, "-m", "temporal"], cwd=ROOT, env=env, stdout=output, stderr=output)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def polls(worker: subprocess.Popen[bytes], log: Path) -> bool:
    said = log.read_text()
    assert worker.poll() is None, said
    return "polling" in said


async def takes_tasks(worker: subprocess.Popen[bytes], log: Path) -> None:
    """A start takes seconds, on a busy machine many more: what a test waits for is counted from here."""

    async def so() -> bool:
        return polls(worker, log)

    await eventually(so)
